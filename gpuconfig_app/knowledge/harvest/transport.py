"""Gets pages, parts of files and whole files from an index: with limits, retries, cancellation and pip's settings.

Only requests for packages leave the machine. Credentials go to the host they belong to, never along a redirect.
"""

from __future__ import annotations

import base64
import http.client
import logging
import netrc
import os
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

from gpuconfig_app import __version__
from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.knowledge.harvest.pip_settings import IndexSettings, without_credentials
from gpuconfig_app.knowledge.harvest.trouble import DownloadError, RangesUnservedError

logger = logging.getLogger(__name__)
CHUNK_BYTES = 1 << 18
PAGE_LIMIT_BYTES = 64 << 20

_GONE = frozenset({404, 410})
_REFUSED = frozenset({400, 401, 403, 405, 407, 451})
# Where systems keep the certificates they trust; a bundle made elsewhere does not know the place by itself.
_CERT_FILES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
_TROUBLE = (OSError, http.client.HTTPException)
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When a transfer is given up.

    Attributes:
        answer_s: Longest silence of a connection.
        stall_s: In this time at least ``stall_bytes`` must come.
        pauses_s: Waits before each further try.
    """

    answer_s: float = 30.0
    stall_s: float = 60.0
    stall_bytes: int = 64 << 10
    pauses_s: tuple[float, ...] = (1.0, 5.0, 15.0)


@dataclass(frozen=True)
class Page:
    """An answer that is text.

    Attributes:
        address: Where it came from after redirects; links in it are relative to this.
        kind: Media type, lower case, without parameters.
    """

    address: str
    kind: str
    content: bytes


class _Answer(Protocol):
    """What urllib gives back."""

    status: int
    headers: Mapping[str, str]
    url: str

    def read1(self, amount: int = -1, /) -> bytes: ...

    def close(self) -> None: ...


class Transport:
    """The one place that opens connections.

    Attributes:
        received_bytes: All that came so far.
        requests: How many requests were made.

    Args:
        settings: Of pip.
        control: Cancels; looked at between chunks.
        on_bytes: Told how many bytes came, for progress.
    """

    def __init__(
        self,
        settings: IndexSettings,
        control: JobControl,
        *,
        limits: Limits | None = None,
        clock: Clock | None = None,
        on_bytes: Callable[[int], None] | None = None,
    ) -> None:
        self.received_bytes = 0
        self.requests = 0
        self._settings = settings
        self._control = control
        self._limits = limits or Limits()
        self._clock = clock or SystemClock()
        self._on_bytes = on_bytes
        self._openers: dict[bool, urllib.request.OpenerDirector] = {}

    def page(self, address: str, accept: str) -> Page | None:
        """Give a page, None when the server says that it does not exist.

        Raises:
            DownloadError: No answer, or a refusal.
        """

        def get() -> Page | None:
            try:
                answer = self._open(address, {"Accept": accept})
            except urllib.error.HTTPError as error:
                with closing(error):
                    if error.code in _GONE:
                        return None
                raise
            with closing(answer):
                kind = str(answer.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
                content = b"".join(self._chunks(answer, _length(answer), PAGE_LIMIT_BYTES))
                return Page(answer.url, kind, content)

        return self._retried(address, get)

    def part(self, address: str, start: int, end: int) -> bytes:
        """Give the bytes from ``start`` up to, not including, ``end``.

        Raises:
            RangesUnservedError: The server does not send parts.
            DownloadError: No answer, or less than asked for.
        """
        return b"".join(self.stream(address, start, end))

    def stream(self, address: str, start: int, end: int) -> Iterator[bytes]:
        """Give the bytes of a range in chunks; a broken connection is taken up again where it broke.

        Raises:
            RangesUnservedError: The server does not send parts.
            DownloadError: It broke too often.
        """
        position, failures = start, 0
        while position < end:
            try:
                with closing(self._open_range(address, position, end)) as answer:
                    for chunk in self._chunks(answer, end - position, None):
                        position += len(chunk)
                        failures = 0
                        yield chunk
            except _TROUBLE as error:
                self._pause_or_raise(address, failures, error)
                failures += 1

    def size(self, address: str) -> int:
        """Give the length of a file that is served in parts.

        Raises:
            RangesUnservedError: The server does not send parts.
            DownloadError: No answer.
        """

        def ask() -> int:
            with closing(self._open_range(address, 0, 1)) as answer:
                total = str(answer.headers.get("Content-Range") or "").rpartition("/")[2]
                b"".join(self._chunks(answer, None, CHUNK_BYTES))
                if not total.isdigit():
                    raise RangesUnservedError(without_credentials(address))
                return int(total)

        return self._retried(address, ask)

    def download(self, address: str, into: Path) -> None:
        """Get a whole file; a broken download starts again.

        Raises:
            DownloadError: It could not be got.
            OSError: The file cannot be written.
        """

        def get() -> None:
            with closing(self._open(address, {})) as answer, into.open("wb") as file:
                for chunk in self._chunks(answer, _length(answer), None):
                    _write(file, chunk)

        self._retried(address, get)

    def _chunks(self, answer: _Answer, wanted: int | None, limit: int | None) -> Iterator[bytes]:
        """Give what comes; raises when less than ``wanted``, more than ``limit``, or nothing for too long."""
        received, since, in_window = 0, self._clock.monotonic(), 0
        while True:
            self._control.check()
            chunk = answer.read1(CHUNK_BYTES)  # what is there, so that a slow line can be cancelled
            if not chunk:
                break
            received += len(chunk)
            self.received_bytes += len(chunk)
            in_window += len(chunk)
            if limit is not None and received > limit:
                raise OSError("answer too long")
            if self._clock.monotonic() - since > self._limits.stall_s:
                if in_window < self._limits.stall_bytes:
                    raise TimeoutError("too slow")
                since, in_window = self._clock.monotonic(), 0
            if self._on_bytes is not None:
                self._on_bytes(len(chunk))
            yield chunk
        if wanted is not None and received < wanted:
            raise ConnectionError("broke off")

    def _open_range(self, address: str, start: int, end: int) -> _Answer:
        """Open a range; raises RangesUnservedError when the answer is not that range."""
        try:
            answer = self._open(address, {"Range": f"bytes={start}-{end - 1}"})
        except urllib.error.HTTPError as error:
            if error.code in {416, 501}:
                with closing(error):
                    raise RangesUnservedError(without_credentials(address)) from error
            raise
        told = str(answer.headers.get("Content-Range") or "").removeprefix("bytes").strip()
        if answer.status != 206 or not told.startswith(f"{start}-"):
            answer.close()
            raise RangesUnservedError(without_credentials(address))
        return answer

    def _open(self, address: str, headers: Mapping[str, str]) -> _Answer:
        self._control.check()
        self.requests += 1
        clean, login = _split_login(address)
        request = urllib.request.Request(clean, headers=dict(headers))  # noqa: S310  # schemes are checked by _split_login
        request.add_header("User-Agent", f"gpuconfig/{__version__}")
        request.add_header("Accept-Encoding", "identity")
        if login is not None:
            request.add_unredirected_header("Authorization", login)
        host = urlsplit(clean).netloc
        is_trusted = host in self._settings.trusted_hosts or host.partition(":")[0] in self._settings.trusted_hosts
        answer: _Answer = self._opener(is_trusted).open(request, timeout=self._limits.answer_s)
        return answer

    def _opener(self, is_trusted: bool) -> urllib.request.OpenerDirector:
        if is_trusted not in self._openers:
            proxy = self._settings.proxy
            proxies = {"http": proxy, "https": proxy} if proxy else None
            self._openers[is_trusted] = urllib.request.build_opener(
                urllib.request.ProxyHandler(proxies),
                urllib.request.HTTPSHandler(context=_tls_context(self._settings, is_trusted=is_trusted)),
            )
        return self._openers[is_trusted]

    def _retried(self, address: str, work: Callable[[], T]) -> T:
        failures = 0
        while True:
            try:
                return work()
            except _TROUBLE as error:
                self._pause_or_raise(address, failures, error)
                failures += 1

    def _pause_or_raise(self, address: str, failures: int, error: Exception) -> None:
        """Wait before another try, or give up."""
        self._control.check()
        code = error.code if isinstance(error, urllib.error.HTTPError) else None
        if isinstance(error, urllib.error.HTTPError):
            error.close()
        is_final = code in _GONE or code in _REFUSED or _is_certificate_trouble(error)
        if is_final or failures >= len(self._limits.pauses_s):
            raise _download_error(address, error, code) from error
        logger.info("%s: %s, trying again", without_credentials(address), type(error).__name__)
        tries = {"number": failures + 2, "count": len(self._limits.pauses_s) + 1}
        self._control.report(None, Message("harvest.trying-again", tries))
        if self._control.wait_cancelled(self._limits.pauses_s[failures]):
            self._control.check()


def _length(answer: _Answer) -> int | None:
    """Give the length a server promises; an answer that is shorter broke off."""
    text = str(answer.headers.get("Content-Length") or "")
    return int(text) if text.isdigit() else None


def _split_login(address: str) -> tuple[str, str | None]:
    """Take the credentials out of an address; without any, those of the netrc file are used, as pip does."""
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"}:
        raise DownloadError(Message("harvest.odd-address", {"scheme": parts.scheme[:20] or "?"}))
    user, password = parts.username, parts.password
    host = parts.netloc.rpartition("@")[2]
    if user is None:
        found = _netrc_login(parts.hostname or "")
        if found is None:
            return address, None
        user, password = found
    words = f"{unquote(user)}:{unquote(password or '')}".encode()
    clean = urlunsplit((parts.scheme, host, parts.path, parts.query, ""))
    return clean, f"Basic {base64.b64encode(words).decode()}"


def _netrc_login(host: str) -> tuple[str, str] | None:
    named = os.environ.get("NETRC")
    try:
        files = [Path(named)] if named else [Path.home() / ".netrc", Path.home() / "_netrc"]
        file = next((item for item in files if item.is_file()), None)
        found = netrc.netrc(str(file)).authenticators(host) if file else None
    except (OSError, RuntimeError, netrc.NetrcParseError):
        return None
    return (found[0], found[2] or "") if found else None


def _tls_context(settings: IndexSettings, *, is_trusted: bool) -> ssl.SSLContext:
    """Check certificates as pip is told to."""
    try:
        if settings.cert is None:
            context = ssl.create_default_context()
            if not context.get_ca_certs():
                for file in _CERT_FILES:
                    if Path(file).is_file():
                        context.load_verify_locations(cafile=file)
                        break
        elif Path(settings.cert).is_dir():
            context = ssl.create_default_context(capath=settings.cert)
        else:
            context = ssl.create_default_context(cafile=settings.cert)
        if settings.client_cert:
            context.load_cert_chain(settings.client_cert)
    except (OSError, ssl.SSLError) as error:
        raise DownloadError(Message("harvest.bad-certificate-file", {"detail": str(error)})) from error
    if is_trusted:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _is_certificate_trouble(error: Exception) -> bool:
    reason = getattr(error, "reason", error)
    return isinstance(reason, ssl.SSLCertVerificationError)


def _download_error(address: str, error: Exception, code: int | None) -> DownloadError:
    shown = without_credentials(address)
    if code in {401, 403, 407}:
        return DownloadError(Message("harvest.not-let-in", {"address": shown, "code": code or 0}))
    if _is_certificate_trouble(error):
        return DownloadError(Message("harvest.certificate", {"address": shown}), Message("harvest.certificate-hint"))
    detail = (
        f"HTTP {code}" if code is not None else str(getattr(error, "reason", "")) or str(error) or type(error).__name__
    )
    return DownloadError(
        Message("harvest.no-answer", {"address": shown, "detail": detail}), Message("harvest.no-answer-hint")
    )


def _write(file: BinaryIO, chunk: bytes) -> None:
    """Write; a full disk must not look like a broken connection."""
    try:
        file.write(chunk)
    except OSError as error:
        raise DownloadError(Message("harvest.disk", {"detail": error.strerror or str(error)})) from error
