"""Reads size and channels of a picture from its first bytes, and tells whether it ends too early.

Standard library only; a picture is never decoded. Every TensorFlow's ``decode_image`` takes JPEG, PNG, GIF and BMP
(2.21 also WebP, TIFF not); other formats are recognised so that they can be named.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

_JPEG_TAIL = 4096
_WHOLE_SEARCH = 32 * 1024 * 1024
_SOF = frozenset({0xC0, 0xC1, 0xC2, 0xC9, 0xCA})
# Lossless and hierarchical JPEG, which libjpeg-turbo does not decode.
_SOF_UNSUPPORTED = frozenset({0xC3, 0xC5, 0xC6, 0xC7, 0xCB, 0xCD, 0xCE, 0xCF})
_STANDALONE = frozenset({0x01, *range(0xD0, 0xD9)})
_PNG_CHANNELS = {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}
_BMP_CHANNELS = {8: 1, 24: 3, 32: 4}
_HTML_STARTS = (b"<!doctype html", b"<html", b"<?xml", b"<head", b"<body")
_LARGEST_SIDE = 65_535


class Problem(StrEnum):
    """Why a picture cannot be used."""

    EMPTY = "empty"
    ENDS_EARLY = "ends_early"
    WEB_PAGE = "web_page"
    NOT_A_PICTURE = "not_a_picture"
    DAMAGED = "damaged"
    UNSUPPORTED = "unsupported"
    NO_PERMISSION = "no_permission"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class ImageFile:
    """What a file's header tells.

    Attributes:
        format: ``jpeg``, ``png``, ``gif``, ``bmp``, ``webp``, ``tiff``, ``heif``; None when it is none of them.
        size: (height, width, channels), None when it can't be told.
        problem: Why it can't be used; None when every TensorFlow reads it.
    """

    format: str | None = None
    size: tuple[int, int, int] | None = None
    problem: Problem | None = None


def read_image_header(path: Path) -> ImageFile:
    """Look at a file's header and end; trouble with the file is in the answer, never raised."""
    try:
        with path.open("rb") as file:
            return read_image(file)
    except PermissionError:
        return ImageFile(problem=Problem.NO_PERMISSION)
    except OSError:
        return ImageFile(problem=Problem.UNREADABLE)


def read_image(file: BinaryIO) -> ImageFile:
    """Look at an open file from its beginning.

    Raises:
        OSError: Reading fails.
    """
    head = file.read(64)
    if not head:
        return ImageFile(problem=Problem.EMPTY)
    kind = image_format(head)
    if kind is None:
        start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        is_page = any(start.startswith(text) for text in _HTML_STARTS)
        return ImageFile(problem=Problem.WEB_PAGE if is_page else Problem.NOT_A_PICTURE)
    reader = _READERS.get(kind)
    if reader is None:
        return ImageFile(format=kind, size=_webp_size(head) if kind == "webp" else None, problem=Problem.UNSUPPORTED)
    try:
        return reader(file, head)
    except struct.error:
        return ImageFile(format=kind, problem=Problem.ENDS_EARLY)


def image_format(head: bytes) -> str | None:
    """Recognise a format by its signature, None when it is none of the known ones."""
    found = next((name for signature, name in _SIGNATURES if head.startswith(signature)), None)
    if found is None and head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if found is None and head[4:8] == b"ftyp" and head[8:12] in _HEIF_BRANDS:
        return "heif"
    return found


_SIGNATURES = (
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"BM", "bmp"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
)
_HEIF_BRANDS = (b"heic", b"heix", b"mif1", b"msf1", b"hevc", b"avif", b"avis")


def _checked(kind: str, height: int, width: int, channels: int, *, is_whole: bool) -> ImageFile:
    if not (0 < height <= _LARGEST_SIDE and 0 < width <= _LARGEST_SIDE):
        return ImageFile(format=kind, problem=Problem.DAMAGED)
    return ImageFile(format=kind, size=(height, width, channels), problem=None if is_whole else Problem.ENDS_EARLY)


def _read_png(file: BinaryIO, head: bytes) -> ImageFile:
    width, height, depth, color = struct.unpack(">IIBB", head[16:26])
    if head[12:16] != b"IHDR" or color not in _PNG_CHANNELS or depth not in (1, 2, 4, 8, 16):
        return ImageFile(format="png", problem=Problem.DAMAGED)
    return _checked("png", height, width, _PNG_CHANNELS[color], is_whole=_png_is_whole(file))


def _png_is_whole(file: BinaryIO) -> bool:
    """Walk the chunks to IEND; only their heads are read."""
    end = file.seek(0, 2)
    file.seek(max(0, end - 12))
    if file.read(12)[4:8] == b"IEND":
        return True
    position = 8
    while position + 12 <= end:
        file.seek(position)
        length, kind = struct.unpack(">I4s", file.read(8))
        if kind == b"IEND":
            return True
        position += 12 + length
    return False


def _read_jpeg(file: BinaryIO, _head: bytes) -> ImageFile:
    """Walk the markers to the frame header, then look for the end marker behind the picture's data."""
    position = 2
    while True:
        file.seek(position)
        marker = file.read(2)
        if len(marker) < 2:
            return ImageFile(format="jpeg", problem=Problem.ENDS_EARLY)
        if marker[0] != 0xFF:
            return ImageFile(format="jpeg", problem=Problem.DAMAGED)
        code = marker[1]
        if code == 0xFF:
            position += 1
            continue
        if code in _STANDALONE:
            position += 2
            continue
        if code in (0xD9, 0xDA):
            return ImageFile(format="jpeg", problem=Problem.DAMAGED)
        length = struct.unpack(">H", file.read(2))[0]
        if code in _SOF_UNSUPPORTED:
            return ImageFile(format="jpeg", problem=Problem.UNSUPPORTED)
        if code in _SOF:
            _, height, width, channels = struct.unpack(">BHHB", file.read(6))
            return _checked("jpeg", height, width, channels, is_whole=_jpeg_is_whole(file, position + 2 + length))
        position += 2 + length


def _jpeg_is_whole(file: BinaryIO, start: int) -> bool:
    """Look for the end marker: near the end, for small files anywhere behind the frame header (trailing data)."""
    end = file.seek(0, 2)
    file.seek(max(start, end - _JPEG_TAIL))
    if b"\xff\xd9" in file.read(_JPEG_TAIL):
        return True
    if end - start > _WHOLE_SEARCH:
        return False
    file.seek(start)
    return b"\xff\xd9" in file.read(end - start)


def _read_gif(file: BinaryIO, head: bytes) -> ImageFile:
    width, height = struct.unpack("<HH", head[6:10])
    end = file.seek(0, 2)
    file.seek(max(0, end - 64))
    return _checked("gif", height, width, 3, is_whole=file.read(64).rstrip(b"\x00").endswith(b";"))


def _read_bmp(file: BinaryIO, head: bytes) -> ImageFile:
    offset, header = struct.unpack("<II", head[10:18])
    if header < 40:
        return ImageFile(format="bmp", problem=Problem.UNSUPPORTED)
    width, height, _, bits, compression = struct.unpack("<iiHHI", head[18:34])
    if bits not in _BMP_CHANNELS or compression not in (0, 3):
        return ImageFile(format="bmp", problem=Problem.UNSUPPORTED)
    row = (abs(width) * bits // 8 + 3) // 4 * 4
    is_whole = file.seek(0, 2) >= offset + row * abs(height)
    return _checked("bmp", abs(height), width, _BMP_CHANNELS[bits], is_whole=is_whole)


def _webp_size(head: bytes) -> tuple[int, int, int] | None:
    kind = head[12:16]
    if kind == b"VP8 " and head[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", head[26:30])
        return height & 0x3FFF, width & 0x3FFF, 3
    if kind == b"VP8L" and head[20:21] == b"\x2f":
        bits = int.from_bytes(head[21:25], "little")
        return ((bits >> 14) & 0x3FFF) + 1, (bits & 0x3FFF) + 1, 4 if bits >> 28 & 1 else 3
    if kind == b"VP8X" and len(head) >= 30:
        width = int.from_bytes(head[24:27], "little") + 1
        height = int.from_bytes(head[27:30], "little") + 1
        return height, width, 4 if head[20] & 0x10 else 3
    return None


_READERS: dict[str, Callable[[BinaryIO, bytes], ImageFile]] = {
    "png": _read_png,
    "jpeg": _read_jpeg,
    "gif": _read_gif,
    "bmp": _read_bmp,
}
