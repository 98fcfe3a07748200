"""The script's log while it grows: new lines only, bounded, as a terminal would show them."""

from __future__ import annotations

import codecs
import re
from collections import deque
from dataclasses import dataclass
from pathlib import Path

MOST_LINES = 10_000
MOST_BYTES_AT_ONCE = 1024**2
LONGEST_LINE = 4000
_CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC: titles, links
    r"|\x1b[@-_]?"  # other escapes, also unfinished ones
    r"|[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\x80-\x9f]"
)


@dataclass(frozen=True)
class LogChange:
    """What came since the last look.

    Attributes:
        lines: Lines that were finished, oldest first.
        unfinished: The line under way (a progress bar); it replaces the one of the last look.
        skipped_bytes: Left out before ``lines`` because too much came at once; 0 usually.
        is_new_file: The file was replaced or cut; lines seen before no longer count.
    """

    lines: tuple[str, ...] = ()
    unfinished: str = ""
    skipped_bytes: int = 0
    is_new_file: bool = False


class LogTail:
    """Follows a log file; one reader, one thread.

    Args:
        path: Need not exist yet.
        most_lines: Finished lines kept in ``lines``.
        most_bytes: Read in one look; of more only the end is read.
    """

    def __init__(self, path: Path, *, most_lines: int = MOST_LINES, most_bytes: int = MOST_BYTES_AT_ONCE) -> None:
        self._path = path
        self._most_bytes = most_bytes
        self._lines: deque[str] = deque(maxlen=most_lines)
        self._position = 0
        self._pending = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @property
    def lines(self) -> tuple[str, ...]:
        """The last finished lines, oldest first."""
        return tuple(self._lines)

    @property
    def unfinished(self) -> str:
        """The line under way."""
        return clean_line(self._pending)

    def poll(self) -> LogChange:
        """Read what came since the last look; nothing when the file is not there."""
        try:
            size = self._path.stat().st_size
            is_new_file = size < self._position
            if is_new_file:
                self._begin_again(0)
            skipped = size - self._position - self._most_bytes
            if skipped > 0:
                self._begin_again(self._position + skipped)
            with self._path.open("rb") as file:
                file.seek(self._position)
                raw = file.read(self._most_bytes)
        except OSError:
            return LogChange(unfinished=self.unfinished)
        self._position += len(raw)
        text = self._pending + self._decoder.decode(raw)
        if skipped > 0:
            text = text.partition("\n")[2]  # the first line has lost its beginning
        *finished, pending = text.split("\n")
        self._pending = _newest_part(pending)
        lines = tuple(clean_line(line) for line in finished)
        self._lines.extend(lines)
        return LogChange(lines, self.unfinished, max(skipped, 0), is_new_file)

    def _begin_again(self, position: int) -> None:
        if position == 0:
            self._lines.clear()
        self._position = position
        self._pending = ""
        self._decoder.reset()


def read_last_lines(path: Path, count: int) -> tuple[str, ...]:
    """Give the last lines of a log, the unfinished one included; empty when there is no log."""
    tail = LogTail(path, most_lines=count, most_bytes=256 * 1024)
    tail.poll()
    lines = [*tail.lines, tail.unfinished] if tail.unfinished else list(tail.lines)
    return tuple(lines[-count:])


def clean_line(line: str) -> str:
    """Give a line as a terminal would show it at its end: no control codes, only the last state of a progress bar."""
    text = _CONTROL.sub("", line)
    if "\r" in text:
        text = next((part for part in reversed(text.split("\r")) if part.strip()), "")
    if "\b" in text:
        text = _with_backspaces(text)
    return text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + "…"


def _with_backspaces(text: str) -> str:
    """Let backspaces move the cursor back and later characters overwrite (progress bars of older Keras)."""
    shown: list[str] = []
    cursor = 0
    for letter in text:
        if letter == "\b":
            cursor = max(cursor - 1, 0)
        elif cursor < len(shown):
            shown[cursor] = letter
            cursor += 1
        else:
            shown.append(letter)
            cursor += 1
    return "".join(shown)


def _newest_part(pending: str) -> str:
    """Keep of an unfinished line what can still be shown, so that an endless progress bar takes no memory."""
    start = pending.rfind("\r", 0, len(pending) - 1)
    before = pending.rfind("\r", 0, start) if start > 0 else -1
    kept = pending[before + 1 :] if before > 0 else pending
    return kept[-4 * LONGEST_LINE :]
