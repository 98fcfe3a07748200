"""Smallest files of each picture format, written byte by byte."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path


def png(width: int = 8, height: int = 6, color: int = 2) -> bytes:
    """Give a PNG of one colour; ``color`` 0 is grey, 2 RGB, 3 palette, 6 RGB with alpha."""
    channels = {0: 1, 2: 3, 3: 1, 6: 4}[color]
    rows = b"".join(b"\0" + bytes(width * channels) for _ in range(height))

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    palette = chunk(b"PLTE", b"\0\0\0") if color == 3 else b""
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + palette
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def jpeg(width: int = 8, height: int = 6, channels: int = 3, exif: bytes = b"") -> bytes:
    """Give the markers of a JPEG; its data are not decodable, which no header reader notices."""
    app = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif if exif else b""
    frame = struct.pack(">BHHB", 8, height, width, channels) + b"\1\x11\0" * channels
    scan = struct.pack(">B", channels) + b"\1\0" * channels + b"\0\x3f\0"
    return (
        b"\xff\xd8"
        + app
        + b"\xff\xc0"
        + struct.pack(">H", len(frame) + 2)
        + frame
        + b"\xff\xda"
        + struct.pack(">H", len(scan) + 2)
        + scan
        + b"\x12\x34" * 40
        + b"\xff\xd9"
    )


def gif(width: int = 8, height: int = 6) -> bytes:
    """Give a GIF without frames."""
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0" + b";"


def bmp(width: int = 8, height: int = 6, bits: int = 24) -> bytes:
    """Give a BMP."""
    row = (width * bits // 8 + 3) // 4 * 4
    head = b"BM" + struct.pack("<IHHI", 54 + row * abs(height), 0, 0, 54)
    return head + struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, 0, 0, 0, 0, 0, 0) + bytes(row * abs(height))


def webp(width: int = 8, height: int = 6) -> bytes:
    """Give the head of a WebP with extended format."""
    body = (
        b"VP8X"
        + struct.pack("<I", 10)
        + bytes(4)
        + (width - 1).to_bytes(3, "little")
        + (height - 1).to_bytes(3, "little")
    )
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def write(folder: Path, files: dict[str, bytes]) -> Path:
    """Write files below a folder."""
    for name, body in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder
