"""Pictures of a virtual screen: Xvfb keeps its screen in a file of the XWD format; here it becomes a PNG.

Standard library only, so that nothing has to be installed beside the program that is being tried.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

_HEADER = struct.Struct(">25I")
_COLOUR_ENTRY_BYTES = 12


@dataclass(frozen=True)
class Picture:
    """A screen.

    Attributes:
        rows: From the top, each ``width`` times red, green, blue.
    """

    width: int
    height: int
    rows: tuple[bytes, ...]

    def colour_count(self) -> int:
        """Count the different colours; an empty screen has one or two."""
        return len({row[at : at + 3] for row in self.rows for at in range(0, len(row), 3)})


def read_screen(path: Path) -> Picture:
    """Read what Xvfb wrote with ``-fbdir``, at 24 or 32 bits a pixel.

    Raises:
        ValueError: It is of another format.
    """
    raw = path.read_bytes()
    if len(raw) < _HEADER.size:
        raise ValueError("not a screen of Xvfb")
    header = _HEADER.unpack_from(raw)
    header_bytes, width, height, order, bits, line_bytes, colours = (header[i] for i in (0, 4, 5, 7, 11, 12, 19))
    if bits != 32:
        raise ValueError(f"a screen of {bits} bits a pixel is not understood")
    start = header_bytes + colours * _COLOUR_ENTRY_BYTES
    red, green, blue = (2, 1, 0) if order == 0 else (1, 2, 3)
    rows = []
    for number in range(height):
        line = raw[start + number * line_bytes :][: width * 4]
        row = bytearray(width * 3)
        row[0::3], row[1::3], row[2::3] = line[red::4], line[green::4], line[blue::4]
        rows.append(bytes(row))
    return Picture(width, height, tuple(rows))


def write_png(picture: Picture, path: Path) -> None:
    """Write a picture as PNG."""
    head = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in picture.rows), 9)
    chunks = ((b"IHDR", head), (b"IDAT", body), (b"IEND", b""))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
