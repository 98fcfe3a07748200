"""Lists the files of one project in the indexes that pip uses: JSON pages, HTML pages, folders, find-links."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from urllib.request import pathname2url, url2pathname

from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, canonicalize_name, parse_sdist_filename
from packaging.utils import parse_wheel_filename as _parse_wheel
from packaging.version import Version
from typing_extensions import override

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.knowledge.harvest.pip_settings import IndexSettings, without_credentials
from gpuconfig_app.knowledge.harvest.transport import Page, Transport
from gpuconfig_app.knowledge.harvest.trouble import DownloadError

_ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
_JSON = "application/vnd.pypi.simple.v1+json"
_DAY_LENGTH = 10
_WEB = frozenset({"http", "https"})


@dataclass(frozen=True, kw_only=True)
class IndexFile:
    """A file that an index offers.

    Attributes:
        address: May hold credentials, never shown.
        version: As packaging reads it.
        pythons: ``cp311`` or ``py3``, empty for a source archive.
        platforms: ``manylinux_2_17_x86_64``, empty for a source archive.
        uploaded_on: ISO day, None when the index does not tell.
        size_bytes: None when the index does not tell.
    """

    name: str
    address: str
    version: Version
    pythons: tuple[str, ...] = ()
    abis: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    sha256: str | None = None
    size_bytes: int | None = None
    uploaded_on: str | None = None
    is_yanked: bool = False

    @property
    def is_wheel(self) -> bool:
        """Whether it can be installed as it is."""
        return bool(self.platforms)


def list_files(project: str, settings: IndexSettings, transport: Transport) -> tuple[IndexFile, ...]:
    """Give what all indexes offer of a project, oldest version first; empty when none knows it.

    Raises:
        DownloadError: An index gave no answer.
    """
    name = canonicalize_name(project)
    found: dict[str, IndexFile] = {}
    for index in settings.indexes:
        for file in _of_index(f"{index.rstrip('/')}/{name}/", name, transport):
            found.setdefault(file.name, file)
    for place in settings.find_links:
        for file in _of_links(place, name, transport):
            found.setdefault(file.name, file)
    return tuple(sorted(found.values(), key=lambda file: (file.version, file.name)))


def parse_page(page: Page, project: str) -> tuple[IndexFile, ...]:
    """Read an index page of either form.

    Raises:
        DownloadError: It is neither.
    """
    text = page.content.decode("utf-8", errors="replace")
    if page.kind == _JSON or (page.kind == "application/json" and text.lstrip().startswith("{")):
        return tuple(_of_json(page, text, project))
    if page.kind in {"text/html", "application/vnd.pypi.simple.v1+html", "application/xhtml+xml", ""}:
        return tuple(_of_html(page.address, text, project))
    raise _odd(page.address)


def _of_index(address: str, project: str, transport: Transport) -> tuple[IndexFile, ...]:
    if urlsplit(address).scheme in _WEB:
        page = transport.page(address, _ACCEPT)
        return parse_page(page, project) if page is not None else ()
    return tuple(_of_folder(address, project))


def _of_links(place: str, project: str, transport: Transport) -> tuple[IndexFile, ...]:
    if urlsplit(place).scheme in _WEB:
        page = transport.page(place, "text/html")
        return parse_page(page, project) if page is not None else ()
    return tuple(_of_folder(place, project))


def _of_folder(place: str, project: str) -> Iterator[IndexFile]:
    """Read a folder: its index page when it has one, else the files in it; a page by itself is read, too."""
    path = _as_path(place)
    page = path / "index.html" if path.is_dir() else path
    try:
        if page.is_file() and page.suffix.lower() in {".html", ".htm"}:
            yield from _of_html(_as_address(page), page.read_text(encoding="utf-8", errors="replace"), project)
        if path.is_dir():
            for file in sorted(path.iterdir()):
                if file.is_file():
                    yield from _made(file.name, _as_address(file), project, size_bytes=file.stat().st_size)
    except OSError as error:
        detail = error.strerror or type(error).__name__
        raise DownloadError(Message("harvest.no-answer", {"address": str(path), "detail": detail})) from error


def _as_path(place: str) -> Path:
    parts = urlsplit(place)
    return Path(url2pathname(parts.path)) if parts.scheme == "file" else expanded(place)


def _as_address(path: Path) -> str:
    return f"file://{pathname2url(str(path.absolute()))}"


def _of_json(page: Page, text: str, project: str) -> Iterator[IndexFile]:
    try:
        data = json.loads(text)
        files = data["files"]
        if not str(data["meta"]["api-version"]).startswith("1."):
            raise _odd(page.address)
        for file in files:
            size = file.get("size")
            yield from _made(
                file["filename"],
                urljoin(page.address, file["url"]),
                project,
                page=page.address,
                sha256=(file.get("hashes") or {}).get("sha256"),
                size_bytes=size if isinstance(size, int) else None,
                uploaded_on=_day(file.get("upload-time")),
                is_yanked=bool(file.get("yanked", False)),
            )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _odd(page.address) from error


def _of_html(address: str, text: str, project: str) -> Iterator[IndexFile]:
    reader = _Anchors()
    reader.feed(text)
    base = urljoin(address, reader.base) if reader.base else address
    for link in reader.links:
        target, fragment = urldefrag(urljoin(base, link["href"]))
        kind, _, digest = fragment.partition("=")
        name = unquote(urlsplit(target).path.rpartition("/")[2])
        yield from _made(
            name,
            target,
            project,
            page=address,
            sha256=digest if kind == "sha256" else None,
            is_yanked="data-yanked" in link,
        )


class _Anchors(HTMLParser):
    """Collects the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.base: str | None = None
        self.links: list[dict[str, str]] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "base" and self.base is None:
            self.base = values.get("href")
        if tag == "a" and values.get("href"):
            self.links.append(values)


def _made(
    name: str,
    address: str,
    project: str,
    *,
    page: str = "",
    sha256: str | None = None,
    size_bytes: int | None = None,
    uploaded_on: str | None = None,
    is_yanked: bool = False,
) -> Iterable[IndexFile]:
    """Give the file when its name is one of the project's."""
    pythons: tuple[str, ...] = ()
    abis: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    try:
        if name.endswith(".whl"):
            owner, version, _, _ = _parse_wheel(name)
            python, abi, platform = name.removesuffix(".whl").rsplit("-", 3)[1:]
            pythons, abis, platforms = (tuple(part.split(".")) for part in (python, abi, platform))
        else:
            owner, version = parse_sdist_filename(name)
    except (InvalidWheelFilename, InvalidSdistFilename):
        return ()
    if owner != project or (urlsplit(page).scheme in _WEB and urlsplit(address).scheme not in _WEB):
        return ()  # nor may a page of the web lead to a file on this disk
    made = IndexFile(
        name=name,
        address=address,
        version=version,
        pythons=pythons,
        abis=abis,
        platforms=platforms,
        sha256=sha256,
        size_bytes=size_bytes,
        uploaded_on=uploaded_on,
        is_yanked=is_yanked,
    )
    return (made,)


def _day(value: object) -> str | None:
    return value[:_DAY_LENGTH] if isinstance(value, str) and len(value) >= _DAY_LENGTH else None


def _odd(address: str) -> DownloadError:
    return DownloadError(Message("harvest.odd-page", {"address": without_credentials(address)}))
