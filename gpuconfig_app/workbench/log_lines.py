"""The lines of a log of any size, by number, for showing parts of it: one copy of the text and a coarse index."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator

from gpuconfig_app.compat.log_reading import OVERLAP_CHARACTERS, LogPiece

MOST_CHARACTERS = 1_000
_BLOCK_BYTES = 65_536
_WIDEST_CHARACTER = 4
_RETURN = ord("\r")


class LogLines:
    """Lines by number; filled piece by piece, then only read.

    Attributes:
        data: The clean text in UTF-8.
    """

    def __init__(self) -> None:
        self.data = bytearray()
        self._starts = array("Q", [0])  # a place in the data every so often, and the line that place lies in
        self._numbers = array("Q", [1])
        self._ends_in_line = False

    @property
    def count(self) -> int:
        """How many lines there are; an empty last one does not count."""
        breaks = self.data.count(b"\n", self._starts[-1])
        return int(self._numbers[-1]) - 1 + breaks + (not self.data.endswith(b"\n") and bool(self.data))

    def add(self, piece: LogPiece) -> None:
        """Take the next piece of the log."""
        text = piece.text[OVERLAP_CHARACTERS:] if self._ends_in_line else piece.text
        self._ends_in_line = not piece.text.endswith("\n")
        self.data += text.encode("utf-8", "replace")
        while len(self.data) - self._starts[-1] >= _BLOCK_BYTES:
            start = self._starts[-1]
            self._numbers.append(self._numbers[-1] + self.data.count(b"\n", start, start + _BLOCK_BYTES))
            self._starts.append(start + _BLOCK_BYTES)

    def line(self, number: int) -> str:
        """Give one line as a terminal would show it: what a progress bar wrote last; long ones are shortened.

        Args:
            number: Counted from 1; one that is not there gives an empty text.
        """
        return next(self.lines(number, number), "")

    def lines(self, first: int, last: int) -> Iterator[str]:
        """Give the lines from first to last, both included, as ``line`` does."""
        place = self._place_of(max(first, 1))
        for _ in range(max(first, 1), min(last, self.count) + 1):
            end = self.data.find(b"\n", place)
            end = len(self.data) if end < 0 else end
            yield self._shown(place, end)
            place = end + 1

    def _place_of(self, number: int) -> int:
        """Give where a line begins."""
        block = max(bisect_right(self._numbers, number - 1) - 1, 0)
        place, current = int(self._starts[block]), int(self._numbers[block])
        if block == 0 and number == 1:
            return 0
        while current < number:
            found = self.data.find(b"\n", place)
            if found < 0:
                return len(self.data)
            place, current = found + 1, current + 1
        return place

    def _shown(self, start: int, end: int) -> str:
        while end > start and self.data[end - 1] == _RETURN:
            end -= 1
        start = max(start, self.data.rfind(b"\r", start, end) + 1)
        limit = start + MOST_CHARACTERS * _WIDEST_CHARACTER
        text = self.data[start : min(end, limit)].decode("utf-8", "ignore").replace("\t", "    ").rstrip()
        return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
