"""A package index on the loopback for tests: simple HTML or JSON pages, files with or without ranges, and faults."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

JSON_KIND = "application/vnd.pypi.simple.v1+json"


@dataclass
class OfferedFile:
    """A file of a project.

    Attributes:
        content: Bytes, or where they lie.
    """

    name: str
    content: bytes | Path
    uploaded_at: str | None = "2026-01-02T03:04:05.678901Z"
    is_yanked: bool = False
    sha256: str | None = None

    @property
    def size(self) -> int:
        return self.content.stat().st_size if isinstance(self.content, Path) else len(self.content)

    @property
    def digest(self) -> str:
        if self.sha256 is None and isinstance(self.content, bytes):
            return hashlib.sha256(self.content).hexdigest()
        return self.sha256 or ""

    def part(self, start: int, end: int) -> bytes:
        if isinstance(self.content, bytes):
            return self.content[start:end]
        with self.content.open("rb") as file:
            file.seek(start)
            return file.read(end - start)


@dataclass
class IndexBehaviour:
    """How the server behaves; a test changes it as it goes.

    Attributes:
        break_after: File answers break off after so many bytes; ``breaks_left`` times.
        failures_left: So many requests are answered with an error.
        pages_broken: So many pages break off in the middle.
        login: ``user:password`` that is asked for.
        moved_to: Files are sent from this address, by redirect.
    """

    projects: dict[str, list[OfferedFile]] = field(default_factory=dict)
    is_json: bool = True
    serves_ranges: bool = True
    tells_sizes: bool = True
    break_after: int | None = None
    breaks_left: int = 0
    failures_left: int = 0
    pages_broken: int = 0
    login: str | None = None
    moved_to: str | None = None
    requests: list[str] = field(default_factory=list)
    logins_seen: list[str | None] = field(default_factory=list)
    sent_bytes: int = 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server  # type: ignore[assignment]

    def do_GET(self) -> None:  # the name http.server asks for
        behaviour = self.server.behaviour
        path = unquote(urlsplit(self.path).path)
        behaviour.requests.append(f"{path} {self.headers.get('Range') or ''}".strip())
        behaviour.logins_seen.append(self.headers.get("Authorization"))
        if behaviour.login is not None:
            wanted = "Basic " + base64.b64encode(behaviour.login.encode()).decode()
            if self.headers.get("Authorization") != wanted:
                self._send(401, b"", {})
                return
        if behaviour.failures_left > 0:
            behaviour.failures_left -= 1
            self._send(503, b"", {})
            return
        parts = path.strip("/").split("/")
        if parts[0] == "simple" and len(parts) == 2 and parts[1] in behaviour.projects:
            self._page(parts[1])
        elif parts[0] == "files" and len(parts) == 2:
            self._file(parts[1])
        else:
            self._send(404, b"", {})

    def _page(self, project: str) -> None:
        behaviour = self.server.behaviour
        files = behaviour.projects[project]
        if behaviour.is_json:
            rows = []
            for file in files:
                row = {"filename": file.name, "url": f"/files/{file.name}", "hashes": {}, "yanked": file.is_yanked}
                if file.digest:
                    row["hashes"] = {"sha256": file.digest}
                if behaviour.tells_sizes:
                    row["size"] = file.size
                if file.uploaded_at:
                    row["upload-time"] = file.uploaded_at
                rows.append(row)
            body = json.dumps({"meta": {"api-version": "1.1"}, "name": project, "files": rows}).encode()
            self._send(200, body, {"Content-Type": JSON_KIND})
            return
        links = "".join(
            f'<a href="../../files/{file.name}#sha256={file.digest}"{" data-yanked" if file.is_yanked else ""}>'
            f"{file.name}</a><br/>\n"
            for file in files
        )
        self._send(200, f"<!DOCTYPE html><html><body>{links}</body></html>".encode(), {"Content-Type": "text/html"})

    def _file(self, name: str) -> None:
        behaviour = self.server.behaviour
        if behaviour.moved_to is not None:
            self._send(302, b"", {"Location": f"{behaviour.moved_to}/files/{name}"})
            return
        file = next((item for files in behaviour.projects.values() for item in files if item.name == name), None)
        if file is None:
            self._send(404, b"", {})
            return
        wanted = self.headers.get("Range")
        start, end, code = 0, file.size, 200
        headers: dict[str, str] = {}
        if wanted is not None and behaviour.serves_ranges:
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            start, end, code = int(first), min(file.size, int(last) + 1), 206
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{file.size}"
        self.send_response(code)
        for key, value in (headers | {"Content-Length": str(end - start)}).items():
            self.send_header(key, value)
        self.end_headers()
        self._content(file, start, end)

    def _content(self, file: OfferedFile, start: int, end: int) -> None:
        behaviour = self.server.behaviour
        limit = end
        if behaviour.break_after is not None and behaviour.breaks_left > 0 and end - start > behaviour.break_after:
            behaviour.breaks_left -= 1
            limit = start + behaviour.break_after
        for place in range(start, limit, 1 << 20):
            piece = file.part(place, min(limit, place + (1 << 20)))
            self.wfile.write(piece)
            behaviour.sent_bytes += len(piece)
        if limit < end:
            self.close_connection = True

    def _send(self, code: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(code)
        for key, value in (headers | {"Content-Length": str(len(body))}).items():
            self.send_header(key, value)
        self.end_headers()
        behaviour = self.server.behaviour
        if body and behaviour.pages_broken > 0:
            behaviour.pages_broken -= 1
            body = body[: len(body) // 2]
            self.close_connection = True
        self.wfile.write(body)
        behaviour.sent_bytes += len(body)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    behaviour: IndexBehaviour

    def handle_error(self, *_: object) -> None:
        """A client that hangs up is no fault."""


@contextmanager
def package_index(behaviour: IndexBehaviour) -> Iterator[str]:
    """Serve an index on the loopback for a while; gives its address, without the path."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.behaviour = behaviour
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="package-index")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
