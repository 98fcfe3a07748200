"""From bytes of any origin to clean text in pieces: encodings, colours, progress bars, packed files.

Nothing here knows what a line means. Memory stays bounded: the text is given in pieces of about a megabyte.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import select
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.units import MIB

MOST_BYTES = 50 * MIB
# How long a pipe into which nobody writes is waited for.
PIPE_LIMIT_S = 5.0
PIECE_CHARACTERS = 1_000_000
# A piece that ends inside a line hands this much on, so that no sentence is cut in two.
OVERLAP_CHARACTERS = 4_000
# Widths of terminals, and up to which size a log is taken for one that was copied from a terminal.
NARROWEST_TERMINAL = 60
WIDEST_TERMINAL = 240
USUAL_WIDTHS = frozenset({80, 100, 120, 132, 160})
MOST_PASTED_CHARACTERS = 200_000

_GZIP = b"\x1f\x8b"
_PIECE_BYTES = 65_536
_LOOK_EVERY_S = 0.05
_PROBE_BYTES = 65_536
_DECODE_BYTES = 1_000_000
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Colours and cursor movements; window titles; every part is bounded.
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?:]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)?|[@-Z\\^_])")
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\u200b\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class LogPiece:
    """Part of a log.

    Attributes:
        text: Clean, lines ended by a line feed; carriage returns part what a progress bar wrote over itself.
        first_line: Number of its first line, counted from 1.
        numbers: Number of each line and of the one that would follow, when they do not simply follow each other.
    """

    text: str
    first_line: int
    numbers: tuple[int, ...] = ()

    def number_at(self, place: int) -> int:
        """Give the number of the line a place is in."""
        return self.rows_at(place)[0]

    def rows_at(self, place: int) -> tuple[int, int]:
        """Give the numbers of the first and the last row of the line a place is in."""
        row = self.text.count("\n", 0, place)
        if self.numbers:
            return self.numbers[row], self.numbers[row + 1] - 1
        return self.first_line + row, self.first_line + row


@dataclass(frozen=True)
class LogText:
    """A log that can be read.

    Attributes:
        data: Its bytes, unpacked.
        encoding: Name of the codec.
    """

    data: bytes
    encoding: str

    def pieces(self) -> Iterator[LogPiece]:
        """Give the text piece by piece, each ended at a line's end where there is one."""
        held, number, is_cut = "", 1, False
        for text in self._decoded():
            held += text
            while len(held) >= PIECE_CHARACTERS:
                end = held.rfind("\n", OVERLAP_CHARACTERS, PIECE_CHARACTERS) + 1
                is_cut = end == 0
                end = end or PIECE_CHARACTERS
                yield LogPiece(held[:end], number)
                number += held.count("\n", 0, end)
                held = held[end - OVERLAP_CHARACTERS if is_cut else end :]
        if held and not (is_cut and len(held) <= OVERLAP_CHARACTERS):
            yield LogPiece(held, number)

    def _decoded(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder(self.encoding)(errors="replace")
        kept = ""
        for start in range(0, len(self.data), _DECODE_BYTES):
            text = kept + decoder.decode(self.data[start : start + _DECODE_BYTES])
            # An escape sequence or a line's end may be cut in two: hand its beginning on.
            cut = len(text) - 1 if text.endswith("\r") else len(text)
            escape = text.rfind("\x1b", max(0, cut - 60))
            cut = min(cut, escape) if escape >= 0 else cut
            kept = text[cut:]
            yield clean(text[:cut])
        yield clean(kept + decoder.decode(b"", final=True))


def unwrapped(piece: LogPiece) -> LogPiece:
    """Give a pasted log with the lines put together that a terminal broke at its width; as it is when none did.

    The width shows itself: no line is longer, and several are exactly as long, or it is a usual one.
    """
    if len(piece.text) > MOST_PASTED_CHARACTERS:
        return piece
    lines = piece.text.split("\n")
    width = max(len(line) for line in lines)
    full = sum(1 for line in lines if len(line) == width)
    if not NARROWEST_TERMINAL <= width <= WIDEST_TERMINAL or (full < 2 and width not in USUAL_WIDTHS):
        return piece
    whole: list[str] = []
    numbers: list[int] = []
    is_open = False
    for row, line in enumerate(lines):
        if is_open:
            whole[-1] += line
        else:
            whole.append(line)
            numbers.append(piece.first_line + row)
        is_open = len(line) == width
    return LogPiece("\n".join(whole), piece.first_line, (*numbers, piece.first_line + len(lines)))


def clean(text: str) -> str:
    """Give a text without colours, invisible characters and Windows' line ends."""
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return _INVISIBLE.sub("", text)


def read_log(data: bytes) -> LogText:
    """Take a log of any encoding, packed by gzip or not.

    Args:
        data: At most ``MOST_BYTES``, also after unpacking.

    Raises:
        UnusableFileError: It is too large, empty, or no text.
    """
    if data.startswith(_GZIP):
        data = _unpacked(data)
    if len(data) > MOST_BYTES:
        raise too_large()
    if not data.strip(b" \t\r\n\x00"):
        raise UnusableFileError(Message("compat.log-empty"), Message("compat.log-empty-hint"))
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return LogText(data[len(mark) :], encoding)
    encoding = _wide_encoding(data[:_PROBE_BYTES]) or _narrow_encoding(data)
    if _is_no_text(data[:_PROBE_BYTES], encoding):
        raise UnusableFileError(Message("compat.log-no-text"), Message("compat.log-no-text-hint"))
    return LogText(data, encoding)


def read_log_file(path: Path) -> bytes:
    """Give the bytes of a file.

    Raises:
        UnusableFileError: It cannot be read or is too large.
    """
    try:
        data = _from_pipe(path) if path.is_fifo() else _from_file(path)
    except OSError as error:
        detail = error.strerror or type(error).__name__
        raise UnusableFileError(Message("compat.log-unreadable", {"path": str(path), "detail": detail})) from error
    if len(data) > MOST_BYTES:
        raise too_large()
    return data


def _from_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _from_pipe(path: Path) -> bytes:
    """Read a named pipe to its end; one that nobody writes into is not waited for."""
    data = bytearray()
    deadline = time.monotonic() + PIPE_LIMIT_S
    with io.FileIO(os.open(path, os.O_RDONLY | os.O_NONBLOCK)) as pipe:
        while len(data) <= MOST_BYTES:
            piece = pipe.read(_PIECE_BYTES)
            if piece:
                data += piece
            elif piece is None:  # somebody holds it open and has said nothing yet
                select.select([pipe], [], [], 1.0)
                deadline = time.monotonic()
            elif data or time.monotonic() >= deadline:
                break
            else:
                time.sleep(_LOOK_EVERY_S)
    if not data:
        raise UnusableFileError(Message("compat.log-pipe-silent", {"path": str(path)}))
    return bytes(data)


def too_large() -> UnusableFileError:
    """Give the error for a log above the limit."""
    hint = Message("compat.log-too-large-hint", {"limit_bytes": MOST_BYTES})
    return UnusableFileError(Message("compat.log-too-large", {"limit_bytes": MOST_BYTES}), hint)


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        return unpacker.decompress(data, MOST_BYTES + 1)
    except zlib.error as error:
        raise UnusableFileError(Message("compat.log-no-text"), Message("compat.log-no-text-hint")) from error


def _wide_encoding(start: bytes) -> str | None:
    """Recognise UTF-16 without a mark by the zero bytes that Western text leaves at every second place."""
    pairs = len(start) // 2
    if pairs == 0:
        return None
    zeros_even = start[0::2].count(0)
    zeros_odd = start[1::2].count(0)
    if zeros_odd > pairs * 0.4 and zeros_even < pairs * 0.05:
        return "utf-16-le"
    return "utf-16-be" if zeros_even > pairs * 0.4 and zeros_odd < pairs * 0.05 else None


def _narrow_encoding(data: bytes) -> str:
    """Choose between UTF-8, Chinese GB18030 and Latin-1, of which the last one fits everything."""
    if data.isascii() or _broken_share(data, "utf-8") < 0.2:
        return "utf-8"
    return "gb18030" if _reads_as_chinese(data) else "latin-1"


def _broken_share(data: bytes, encoding: str) -> float:
    """Give the share of unreadable characters among those beyond ASCII."""
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    broken = beyond = 0
    for start in range(0, len(data), _DECODE_BYTES):
        part = data[start : start + _DECODE_BYTES]
        text = decoder.decode(part)
        if not text.isascii():
            broken += text.count("\ufffd")
            beyond += sum(1 for character in text if character > "\x7f")
    return broken / beyond if beyond else 0.0


def _reads_as_chinese(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("gb18030")(errors="replace")
    chinese = other = 0
    for start in range(0, len(data), _DECODE_BYTES):
        text = decoder.decode(data[start : start + _DECODE_BYTES])
        if not text.isascii():
            beyond = [character for character in text if character > "\x7f"]
            found = sum(1 for item in beyond if "\u4e00" <= item <= "\u9fff" or "\u3000" <= item <= "\u303f")
            found += sum(1 for item in beyond if "\uff00" <= item <= "\uffef")
            chinese += found
            other += len(beyond) - found
    return chinese > other * 4


def _is_no_text(start: bytes, encoding: str) -> bool:
    """Tell a picture or a program from a log: it is full of bytes that no text has."""
    if encoding.startswith("utf-16"):
        return False
    strange = sum(start.count(value) for value in (*range(1, 7), *range(14, 27), 28, 29, 30, 31))
    return strange + start.count(0) // 4 > len(start) * 0.05
