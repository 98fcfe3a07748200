"""Lines of a log broken to a width counted in columns of the fixed-width face; quick enough for ten thousand lines."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import east_asian_width


@lru_cache(maxsize=20_000)
def wrapped(text: str, columns: int) -> tuple[str, ...]:
    """Break a line at blanks where there is one in its last part, else anywhere.

    Args:
        columns: Room; Chinese and the like take two each.
    """
    columns = max(columns, 8)
    if text.isascii():
        return tuple(_broken(text, columns)) if len(text) > columns else (text,)
    parts, start, used = [], 0, 0
    for at, character in enumerate(text):
        width = 2 if east_asian_width(character) in "WF" else 1
        if used + width > columns:
            parts.append(text[start:at])
            start, used = at, 0
        used += width
    return (*parts, text[start:])


def _broken(text: str, columns: int) -> list[str]:
    parts = []
    while len(text) > columns:
        at = text.rfind(" ", columns // 2, columns + 1)
        at = at if at > 0 else columns
        parts.append(text[:at])
        text = text[at:].removeprefix(" ")
    return [*parts, text]
