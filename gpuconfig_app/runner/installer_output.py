"""Reads what uv, pip and conda print into packages and bytes.

Nothing is lost by a line that is not understood: it only tells nothing.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.utils import canonicalize_name

from gpuconfig_app.core.environment_made import LINES_SHOWN, InstallerLine, PackageProgress

_UNITS: Mapping[str, float] = {
    "b": 1, "bytes": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1024, "mib": 1024**2, "gib": 1024**3,
}  # fmt: skip
_SIZE = r"\((?P<number>[\d.]+) ?(?P<unit>[A-Za-z]+)\)"
_UV_DOWNLOADING = re.compile(rf"Downloading (?P<name>[A-Za-z0-9][\w.-]*) {_SIZE}")
_UV_DOWNLOADED = re.compile(r"Downloaded (?P<name>[A-Za-z0-9][\w.-]*)(?: .*)?")
_UV_RESOLVED = re.compile(r"Resolved (?P<count>\d+) packages? in .*")
_UV_PREPARED = re.compile(r"Prepared (?P<count>\d+) packages? in .*")
_UV_INSTALLED = re.compile(r"Installed (?P<count>\d+) packages? in .*")
_PIP_FILE = re.compile(rf"(?P<how>Downloading|Using cached) (?P<file>\S+?\.(?:whl|tar\.gz|zip)) {_SIZE}")
_PIP_LOCAL = re.compile(r"Processing (?P<file>.+\.(?:whl|tar\.gz|zip))(?: .*)?")
_PIP_INSTALLING = re.compile(r"Installing collected packages: (?P<names>.+)")
_PIP_INSTALLED = re.compile(r"Successfully installed (?P<names>.+)")
_PARTS = re.compile(r"\r\n|\r|\n")
_RATE_WINDOW_S = 8.0
_MOST_LINE = 2000


@dataclass(frozen=True, kw_only=True)
class DownloadState:
    """How far the downloads are; ``is_downloaded`` once the installer has all it needs."""

    packages: tuple[PackageProgress, ...]
    packages_done: int | None
    packages_total: int | None
    downloaded_bytes: int | None
    rate_bytes_per_s: float | None
    is_downloaded: bool = False


class InstallerReader:
    """Reads the output of one installation, piece by piece.

    Args:
        scratch: Folder in which pip collects what it downloads; its files tell how far a download is.
    """

    def __init__(self, scratch: Path | None = None) -> None:
        self._scratch = scratch
        self._rest = ""
        self._packages: dict[str, PackageProgress] = {}
        self._files: dict[str, str] = {}
        self._total: int | None = None
        self._done: int | None = None
        self._is_downloaded = False
        self._samples: deque[tuple[float, int]] = deque()
        self.lines: deque[InstallerLine] = deque(maxlen=LINES_SHOWN)

    def feed(self, text: str, now: float) -> None:
        """Take a piece of output, in whatever pieces it comes; ``now`` is wall time."""
        *whole, self._rest = _PARTS.split(self._rest + text)
        for line in whole:
            self._take(line[:_MOST_LINE], now)
        if len(self._rest) > _MOST_LINE:
            self._take(self._rest[:_MOST_LINE], now)
            self._rest = ""

    def finish(self, now: float) -> None:
        """Take what was printed without an end of line."""
        if self._rest:
            self._take(self._rest, now)
            self._rest = ""

    def state(self, monotonic_s: float) -> DownloadState:
        """Give how far it is; looks into the scratch folder."""
        self._look_at_files()
        packages = sorted(self._packages.values(), key=lambda item: -(item.total_bytes or 0))
        known = [item.done_bytes for item in packages if item.done_bytes is not None]
        downloaded = sum(known) if known else None
        return DownloadState(
            packages=tuple(packages),
            packages_done=self._done,
            packages_total=self._total,
            downloaded_bytes=downloaded,
            rate_bytes_per_s=None if self._is_downloaded else self._rate(monotonic_s, downloaded),
            is_downloaded=self._is_downloaded,
        )

    def _take(self, line: str, now: float) -> None:
        text = line.rstrip()
        if not text.strip():
            return
        self.lines.append(InstallerLine(at=now, text=text))
        if not self._read_pip(text.strip()):
            self._read_uv(text.strip())

    def _read_uv(self, text: str) -> None:
        if found := _UV_DOWNLOADING.fullmatch(text):
            self._announce(found["name"], _bytes(found), done_bytes=None)
        elif found := _UV_DOWNLOADED.fullmatch(text):
            self._finish(found["name"])
        elif found := _UV_RESOLVED.fullmatch(text):
            self._total = int(found["count"])
        elif found := _UV_PREPARED.fullmatch(text) or _UV_INSTALLED.fullmatch(text):
            self._finish_all()
            self._is_downloaded = True
            self._done = max(int(found["count"]), self._done or 0)

    def _read_pip(self, text: str) -> bool:
        if found := _PIP_FILE.fullmatch(text):
            name = _name_of_file(found["file"])
            self._files[found["file"].rsplit("/", 1)[-1]] = name
            size = _bytes(found)
            is_cached = found["how"] == "Using cached"
            self._announce(name, size, done_bytes=size if is_cached else 0, is_done=is_cached)
        elif found := _PIP_LOCAL.fullmatch(text):
            self._announce(_name_of_file(found["file"].replace("\\", "/")), None, done_bytes=None, is_done=True)
        elif found := _PIP_INSTALLING.fullmatch(text):
            self._total = len(found["names"].split(","))
            self._finish_all()
            self._is_downloaded = True
            self._done = self._total
        elif found := _PIP_INSTALLED.fullmatch(text):
            self._done = self._total = len(found["names"].split())
        else:
            return False
        return True

    def _announce(self, name: str, size: int | None, *, done_bytes: int | None, is_done: bool = False) -> None:
        key = canonicalize_name(name)
        self._packages[key] = PackageProgress(name=key, total_bytes=size, done_bytes=done_bytes, is_done=is_done)
        if is_done:
            self._done = (self._done or 0) + 1

    def _finish(self, name: str) -> None:
        key = canonicalize_name(name)
        item = self._packages.get(key)
        if item is not None and not item.is_done:
            self._packages[key] = replace(item, done_bytes=item.total_bytes, is_done=True)
            self._done = (self._done or 0) + 1

    def _finish_all(self) -> None:
        for name in list(self._packages):
            self._finish(name)

    def _look_at_files(self) -> None:
        """Pip's unfinished downloads: a file that has its announced size is done."""
        if self._scratch is None or not self._files:
            return
        for path in self._scratch.glob("pip-*/*"):
            name = self._files.get(path.name.replace("%2B", "+"))
            item = self._packages.get(canonicalize_name(name)) if name is not None else None
            if item is None or item.is_done:
                continue
            try:
                size = path.stat().st_size
            except OSError:
                continue
            self._packages[item.name] = replace(item, done_bytes=size)

    def _rate(self, monotonic_s: float, downloaded: int | None) -> float | None:
        """Only of pip, whose files can be watched: uv tells of whole packages, from which no rate can be read."""
        if downloaded is None or not self._files:
            return None
        self._samples.append((monotonic_s, downloaded))
        while self._samples and monotonic_s - self._samples[0][0] > _RATE_WINDOW_S:
            self._samples.popleft()
        (first_s, first), (last_s, last) = self._samples[0], self._samples[-1]
        return (last - first) / (last_s - first_s) if last_s - first_s >= 1.0 and last > first else None


def _bytes(found: re.Match[str]) -> int | None:
    factor = _UNITS.get(found["unit"].lower())
    try:
        return round(float(found["number"]) * factor) if factor is not None else None
    except ValueError:
        return None


def _name_of_file(file: str) -> str:
    leaf = file.rsplit("/", 1)[-1]
    cut = "-" if leaf.endswith(".whl") else None
    if cut:
        return leaf.split(cut, 1)[0]
    return re.sub(r"-\d[^-]*\.(?:tar\.gz|zip)$", "", leaf)
