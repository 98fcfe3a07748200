"""Units: bytes everywhere inside, KiB to TiB only when shown.

Functions that turn a number into text for people take no language: digits, a narrow space and the unit's symbol are
the same in both.
"""

from __future__ import annotations

KIB = 1024
MIB = 1024**2
GIB = 1024**3
TIB = 1024**4
GB = 10**9

NARROW_SPACE = "\u202f"


def format_bytes(count: int, digits: int = 1) -> str:
    """Write an amount of memory for people: ``16.8 GiB``, ``512 MiB``; negative amounts keep their sign."""
    size = abs(count)
    for factor, unit in ((TIB, "TiB"), (GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size >= factor:
            places = digits if factor >= GIB else 0
            return f"{count / factor:.{places}f} {unit}"
    return f"{count} B"


def format_duration(seconds: float) -> str:
    """Write a duration for people: ``0.25 s``, ``22 min``, ``3 h 05 min``."""
    if seconds < 0.1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 0.995:
        return f"{seconds:.2f} s"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def join_range(low: str, high: str) -> str:
    """Write two formatted amounts as a range, their unit once where it is the same: ``0.20 – 0.81 s``."""
    first, _, unit = low.partition(" ")
    _, _, last_unit = high.partition(" ")
    if low == high:
        return low
    return f"{first} – {high}" if unit == last_unit and " " not in unit else f"{low} – {high}"


def format_count(count: int) -> str:
    """Write a whole number with thousands grouped by a narrow space: ``1 797``."""
    return f"{count:,}".replace(",", NARROW_SPACE)
