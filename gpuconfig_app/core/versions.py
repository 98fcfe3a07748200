"""Versions as the product compares them: drivers, CUDA levels, releases, compute capabilities.

Versions are kept as text in documents and compared here only. Release versions with pre-release parts follow
PEP 440 closely enough for ordering (``2.22.0rc0`` < ``2.22.0``); anything unreadable compares as unknown (None).
"""

from __future__ import annotations

import re
from functools import lru_cache, total_ordering

_NUMBERS = re.compile(r"^\s*v?(\d{1,9}(?:\.\d{1,9})*)(?!\d)", re.ASCII)
_PRE = re.compile(
    r"^\s*v?\d+(?:\.\d+)*[._-]?(a|b|rc|dev|alpha|beta|pre)[._-]?(\d{0,9})(?!\d)", re.IGNORECASE | re.ASCII
)
_PRE_ORDER = {"dev": -4, "a": -3, "alpha": -3, "b": -2, "beta": -2, "rc": -1, "pre": -1}


def parse_version(text: str) -> tuple[int, ...] | None:
    """Read the leading dotted numbers of a version, without trailing zeros; None when there are none."""
    found = _NUMBERS.match(text)
    if found is None:
        return None
    numbers = [int(part) for part in found.group(1).split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def compare_versions(left: str, right: str) -> int | None:
    """Compare two versions: -1, 0 or 1; None when either is unreadable."""
    a, b = _sort_key(left), _sort_key(right)
    if a is None or b is None:
        return None
    return (a > b) - (a < b)


def is_at_least(version: str | None, floor: str) -> bool | None:
    """Tell whether ``version`` is ``floor`` or later; None when the version is not known."""
    if version is None:
        return None
    order = compare_versions(version, floor)
    return None if order is None else order >= 0


def is_below(version: str | None, ceiling: str) -> bool | None:
    """Tell whether ``version`` is earlier than ``ceiling``; None when the version is not known."""
    reached = is_at_least(version, ceiling)
    return None if reached is None else not reached


def release_series(version: str) -> str:
    """Give ``major.minor`` of a release, the key of the TensorFlow table: ``2.16.2`` -> ``2.16``."""
    numbers = _NUMBERS.match(version)
    parts = numbers.group(1).split(".") if numbers else [version]
    return ".".join(parts[:2])


@lru_cache(maxsize=4096)  # a verdict compares the same few hundred versions thousands of times
def _sort_key(text: str) -> tuple[tuple[int, ...], int, int] | None:
    numbers = parse_version(text)
    if numbers is None:
        return None
    pre = _PRE.match(text)
    if pre is None:
        return numbers, 0, 0
    return numbers, _PRE_ORDER[pre.group(1).lower()], int(pre.group(2) or 0)


@total_ordering
class ComputeCapability:
    """NVIDIA compute capability, ``major.minor``; compares by number, so 12.0 > 8.9.

    Raises:
        ValueError: The text is not two whole numbers with a dot.
    """

    __slots__ = ("major", "minor")

    def __init__(self, text: str) -> None:
        found = re.fullmatch(r"(\d{1,3})\.(\d{1,2})", text.strip())
        if found is None:
            raise ValueError(f"not a compute capability: {text!r}")
        self.major, self.minor = int(found.group(1)), int(found.group(2))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    def __repr__(self) -> str:
        return f"ComputeCapability({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComputeCapability):
            return NotImplemented
        return (self.major, self.minor) == (other.major, other.minor)

    def __lt__(self, other: ComputeCapability) -> bool:
        return (self.major, self.minor) < (other.major, other.minor)

    def __hash__(self) -> int:
        return hash((self.major, self.minor))
