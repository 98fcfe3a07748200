"""Writes the 1,797 digits of scikit-learn as PNG files in a folder for each class: FOLDER [COUNT].

The pictures are the test set of the UCI "Optical Recognition of Handwritten Digits" data, as scikit-learn ships them.
"""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path

from sklearn.datasets import load_digits


def chunk(kind: bytes, body: bytes) -> bytes:
    """One chunk of a PNG file."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(rows: list[bytes]) -> bytes:
    """A grey picture of 8 bits as a PNG file."""
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def main() -> None:
    """Write them."""
    folder, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None
    digits = load_digits()
    pictures = zip(digits.images[:count], digits.target[:count], strict=True)
    for number, (picture, label) in enumerate(pictures):
        (folder / str(label)).mkdir(parents=True, exist_ok=True)
        rows = [bytes((row * 15.9375).astype("uint8")) for row in picture]
        (folder / str(label) / f"{number:04}.png").write_bytes(png(rows))


main()
