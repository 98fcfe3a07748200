"""Walks through a long library that comes in pieces, holding only a small window of it.

What tells the sections of an ELF file apart lies anywhere in it (tools that change a library move it about): the table
of sections, whose place the head tells, and the table of their names, whose place only that table tells. Both are kept
aside in passing.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

HEAD_BYTES = 1 << 13
_WINDOW_BYTES = 1 << 17
_MARK = b".nvFatBinSegment\0"  # a name that only a library with GPU code has
_AROUND_MARK_BYTES = 1 << 14
_MARKS_KEPT = 64
_DROP_BYTES = 1 << 20
_ELF_HEAD_BYTES = 64


class ByteStream:
    """A position in a stream, with what is needed afterwards kept aside.

    Attributes:
        head: The first bytes.
        section_table: Of an ELF file, empty for others and before it was passed.
        passages: Content around each place where a table of section names may lie, by position.

    Args:
        chunks: The content in order.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self.head = b""
        self.section_table = b""
        self.passages: dict[int, bytes] = {}
        self._chunks = chunks
        self._held = bytearray()
        self._from = 0  # position of the first held byte
        self._at = 0  # where we are in what is held

    @property
    def position(self) -> int:
        """Where we are."""
        return self._from + self._at

    def peek(self, count: int) -> bytes:
        """Give the next bytes without moving; fewer at the end."""
        while len(self._held) - self._at < count and self._more():
            pass
        return bytes(self._held[self._at : self._at + count])

    def skip(self, count: int) -> None:
        """Move forward."""
        target = self.position + count
        while self._from + len(self._held) < target:
            self._at = len(self._held)
            if not self._more():
                return
        self._at = target - self._from

    def find(self, needle: bytes) -> bool:
        """Move to the next occurrence; False, at the end, when there is none."""
        while True:
            place = self._held.find(needle, self._at)
            if place >= 0:
                self._at = place
                return True
            self._at = max(self._at, len(self._held) - len(needle) + 1)
            if not self._more():
                self._at = len(self._held)
                return False

    def _more(self) -> bool:
        """Take the next chunk; False at the end."""
        chunk = next(self._chunks, None)
        if chunk is None:
            return False
        if self._at > _DROP_BYTES:
            drop = min(self._at, len(self._held) - _WINDOW_BYTES)
            if drop > 0:
                del self._held[:drop]
                self._from += drop
                self._at -= drop
        start = len(self._held)
        self._held += chunk
        if len(self.head) < HEAD_BYTES:
            self.head += chunk[: HEAD_BYTES - len(self.head)]
        self._note_marks(start)
        self._note_table()
        return True

    def _note_marks(self, start: int) -> None:
        """Keep the surroundings of each mark in the new piece, and of those whose surroundings were cut off."""
        place = max(0, start - _AROUND_MARK_BYTES)
        while len(self.passages) < _MARKS_KEPT:
            place = self._held.find(_MARK, place)
            if place < 0:
                return
            first = max(0, place - _AROUND_MARK_BYTES)
            self.passages[self._from + first] = bytes(self._held[first : place + _AROUND_MARK_BYTES])
            place += 1

    def _note_table(self) -> None:
        """Keep the table of sections once all of it has come."""
        if self.section_table or not self.head.startswith(b"\x7fELF\x02\x01") or len(self.head) < _ELF_HEAD_BYTES:
            return
        (start,) = struct.unpack_from("<Q", self.head, 40)
        size, count = struct.unpack_from("<HH", self.head, 58)
        first, end = start - self._from, start + size * count - self._from
        if 0 <= first < end <= len(self._held):
            self.section_table = bytes(self._held[first:end])
