"""Opens a wheel without getting all of it: single members by HTTP range, else the whole file once, for a while."""

from __future__ import annotations

import hashlib
import io
import logging
import shutil
import struct
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol
from urllib.parse import urlsplit
from urllib.request import url2pathname

from typing_extensions import override

from gpuconfig_app.core.messages import Message
from gpuconfig_app.knowledge.harvest.package_index import IndexFile
from gpuconfig_app.knowledge.harvest.transport import CHUNK_BYTES, Transport
from gpuconfig_app.knowledge.harvest.trouble import DownloadError, RangesUnservedError, unreadable

logger = logging.getLogger(__name__)
TEXT_LIMIT_BYTES = 8 << 20

_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
_LOCAL_MAGIC = b"PK\x03\x04"
_BLOCK_BYTES = 1 << 16
_SCRATCH_PREFIX = "wheel-"
_LEFT_BEHIND_S = 86_400.0
_DIRECTORY_LIMIT_BYTES = 64 << 20


class Wheel(Protocol):
    """An open wheel.

    Attributes:
        name: File name.
    """

    name: str

    def members(self) -> tuple[zipfile.ZipInfo, ...]:
        """Give what the wheel holds."""
        ...

    def stream(self, member: zipfile.ZipInfo) -> Iterator[bytes]:
        """Give the unpacked bytes of a member in chunks; damage raises UnreadableWheelError."""
        ...


def read_text(wheel: Wheel, member: zipfile.ZipInfo) -> str:
    """Give a small member as text.

    Raises:
        UnreadableWheelError: It is damaged or far too long.
    """
    if member.file_size > TEXT_LIMIT_BYTES:
        raise unreadable(wheel.name, f"{member.filename} too long")
    return b"".join(wheel.stream(member)).decode("utf-8", errors="replace")


@contextmanager
def open_wheel(file: IndexFile, transport: Transport, scratch: Path) -> Iterator[Wheel]:
    """Open a wheel of an index for a while.

    Args:
        scratch: Folder for whole downloads; the file in it is gone afterwards.

    Raises:
        DownloadError: It could not be got.
        UnreadableWheelError: It is no wheel.
    """
    parts = urlsplit(file.address)
    if parts.scheme == "file":
        yield LocalWheel(file.name, Path(url2pathname(parts.path)))
        return
    try:
        wheel: Wheel = RemoteWheel(file, transport)
    except RangesUnservedError:
        logger.info("%s: no ranges, whole file", file.name)
    else:
        yield wheel
        return
    with _scratch_folder(scratch) as folder:
        path = folder / "whole.whl"
        transport.download(file.address, path)
        _check_hash(file, path)
        yield LocalWheel(file.name, path)


@contextmanager
def _scratch_folder(scratch: Path) -> Iterator[Path]:
    """Make a folder for a whole download, and clear away what a run that was killed has left."""
    try:
        scratch.mkdir(parents=True, exist_ok=True)
        for left in scratch.glob(f"{_SCRATCH_PREFIX}*"):
            if time.time() - left.stat().st_mtime > _LEFT_BEHIND_S:
                shutil.rmtree(left, ignore_errors=True)
        folder = TemporaryDirectory(dir=scratch, prefix=_SCRATCH_PREFIX)
    except OSError as error:
        raise DownloadError(Message("harvest.disk", {"detail": error.strerror or str(error)})) from error
    with folder as name:
        yield Path(name)


class LocalWheel:
    """A wheel on this disk."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path
        self._members = _directory(name, path)

    def members(self) -> tuple[zipfile.ZipInfo, ...]:
        """Give what the wheel holds."""
        return self._members

    def stream(self, member: zipfile.ZipInfo) -> Iterator[bytes]:
        """Give the unpacked bytes of a member in chunks."""
        try:
            with zipfile.ZipFile(self._path) as archive, archive.open(member) as file:
                while chunk := file.read(CHUNK_BYTES):
                    yield chunk
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
            raise unreadable(self.name, f"{member.filename}: {error}") from error


class RemoteWheel:
    """A wheel on a server that sends parts."""

    def __init__(self, file: IndexFile, transport: Transport) -> None:
        self.name = file.name
        self._address = file.address
        self._transport = transport
        size = file.size_bytes if file.size_bytes is not None else transport.size(file.address)
        self._members = _directory(file.name, _RemoteFile(file.address, size, transport))

    def members(self) -> tuple[zipfile.ZipInfo, ...]:
        """Give what the wheel holds."""
        return self._members

    def stream(self, member: zipfile.ZipInfo) -> Iterator[bytes]:
        """Give the unpacked bytes of a member in chunks."""
        head = self._transport.part(self._address, member.header_offset, member.header_offset + _LOCAL_HEADER.size)
        magic, *_, name_length, extra_length = _LOCAL_HEADER.unpack(head)
        if magic != _LOCAL_MAGIC or member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise unreadable(self.name, member.filename)
        start = member.header_offset + _LOCAL_HEADER.size + name_length + extra_length
        packed = self._transport.stream(self._address, start, start + member.compress_size)
        is_deflated = member.compress_type == zipfile.ZIP_DEFLATED
        crc, length = 0, 0
        try:
            for chunk in _inflated(packed) if is_deflated else packed:
                crc = zlib.crc32(chunk, crc)
                length += len(chunk)
                if length > member.file_size:
                    break
                yield chunk
        except zlib.error as error:
            raise unreadable(self.name, f"{member.filename}: {error}") from error
        if length != member.file_size or crc != member.CRC:
            raise unreadable(self.name, f"{member.filename}: checksum")


class _RemoteFile(io.RawIOBase):
    """As much of a file as zipfile needs to read the directory at its end."""

    def __init__(self, address: str, size: int, transport: Transport) -> None:
        super().__init__()
        self._address = address
        self._size = size
        self._transport = transport
        self._position = 0
        self._held_from = max(0, size - _BLOCK_BYTES)
        self._held = transport.part(address, self._held_from, size) if size else b""

    @override
    def seekable(self) -> bool:
        return True

    @override
    def readable(self) -> bool:
        return True

    @override
    def tell(self) -> int:
        return self._position

    @override
    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, base + offset)
        return self._position

    @override
    def read(self, size: int = -1, /) -> bytes:
        end = self._size if size < 0 else min(self._size, self._position + size)
        start = min(self._position, end)
        if end - start > _DIRECTORY_LIMIT_BYTES:
            raise zipfile.BadZipFile("directory too long")
        if not (self._held_from <= start and end <= self._held_from + len(self._held)):
            self._held_from = start
            self._held = self._transport.part(self._address, start, min(self._size, max(end, start + _BLOCK_BYTES)))
        self._position = end
        return self._held[start - self._held_from : end - self._held_from]


def _directory(name: str, source: Path | io.RawIOBase) -> tuple[zipfile.ZipInfo, ...]:
    try:
        with zipfile.ZipFile(source) as archive:
            return tuple(archive.infolist())
    except (OSError, zipfile.BadZipFile, ValueError, struct.error) as error:
        raise unreadable(name, str(error)) from error


def _inflated(packed: Iterator[bytes]) -> Iterator[bytes]:
    """Unpack a deflated stream in pieces of bounded size."""
    machine = zlib.decompressobj(-15)
    for chunk in packed:
        rest = chunk
        while rest and not machine.eof:
            if piece := machine.decompress(rest, CHUNK_BYTES * 4):
                yield piece
            rest = machine.unconsumed_tail
    if piece := machine.flush():
        yield piece


def _check_hash(file: IndexFile, path: Path) -> None:
    if file.sha256 is None:
        return
    with path.open("rb") as content:
        if hashlib.file_digest(content, "sha256").hexdigest() != file.sha256:
            raise unreadable(file.name, "sha256")
