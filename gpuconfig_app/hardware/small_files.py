"""Reading the small files of ``/proc`` and ``/sys``: never raises, never hangs on something that is no file."""

from __future__ import annotations

from pathlib import Path

LIMIT_BYTES = 4 * 1024**2


def read_small(path: Path) -> str | None:
    """Give a file's text, None when it isn't there or may not be read."""
    try:
        with path.open("rb") as file:
            return file.read(LIMIT_BYTES).decode("utf-8", errors="replace")
    except (OSError, ValueError):
        return None


def read_line(path: Path) -> str | None:
    """Give a file's text without surrounding blanks, None when it isn't there, unreadable or empty."""
    text = read_small(path)
    return text.strip().strip("\0") or None if text is not None else None


def read_number(path: Path) -> int | None:
    """Give a whole number out of a file, None when there is none."""
    text = read_line(path)
    try:
        return int(text) if text is not None else None
    except ValueError:
        return None
