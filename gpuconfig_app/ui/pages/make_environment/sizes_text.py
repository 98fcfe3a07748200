"""Ranges, sizes and times in words, the same on every part of the page."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

from gpuconfig_app.core.environment_plan import Range
from gpuconfig_app.core.units import format_bytes, format_duration

UNKNOWN = "–"
_MINUTE = 60
_UNIT = re.compile(r"\b(?:ms|s|min|h)\b")
_PRECISE_FROM_S = 90
_TENTHS_FROM_S, _TENTHS_TO_S = 0.1, 1.0


def bytes_of(amount: Range | None) -> tuple[str, str]:
    """Give number and unit: ``("2.4–2.8", "GiB")``; a dash without unit when it is not known."""
    if amount is None:
        return UNKNOWN, ""
    return _joined(format_bytes(int(amount.low)), format_bytes(int(amount.high)))


def time_of(time: Range | None) -> tuple[str, str]:
    """Give number and unit: ``("6–10", "min")``; a dash without unit when it is not known."""
    if time is None:
        return UNKNOWN, ""
    number, unit = _joined(format_duration(time.low), format_duration(time.high))
    return _in_words(number), _in_words(unit)


def time_text(time: Range | None) -> str:
    """Say how long something will take, empty when it is not known."""
    if time is None:
        return ""
    number, unit = time_of(time)
    text = f"{number} {unit}".strip()
    if time.low == time.high:
        return QCoreApplication.translate("MakeEnvironment", "about {time}").format(time=text)
    return text


def elapsed_text(seconds: float) -> str:
    """Say how long something has taken, to the second: ``0.8 s``, ``3 min 41 s``."""
    if _TENTHS_FROM_S <= seconds < _TENTHS_TO_S:
        return _in_words(f"{seconds:.1f} s")
    if seconds < _PRECISE_FROM_S:
        return duration_text(seconds)
    whole = round(seconds)
    return _in_words(f"{whole // _MINUTE} min {whole % _MINUTE:02d} s")


def duration_text(seconds: float) -> str:
    """Write a duration as ``format_duration`` does, its unit in the shown language."""
    return _in_words(format_duration(seconds))


def _in_words(time: str) -> str:
    """Write the units of a time as the shown language does."""
    units = {
        "ms": QCoreApplication.translate("MakeEnvironment", "ms"),
        "s": QCoreApplication.translate("MakeEnvironment", "s"),
        "min": QCoreApplication.translate("MakeEnvironment", "min"),
        "h": QCoreApplication.translate("MakeEnvironment", "h"),
    }
    return _UNIT.sub(lambda found: units[found.group()], time)


def _joined(low: str, high: str) -> tuple[str, str]:
    if low == high:
        number, _, unit = low.partition(" ")
        return number, unit
    first, _, unit = low.partition(" ")
    last, _, last_unit = high.partition(" ")
    if unit != last_unit or " " in unit:
        return f"{low} – {last}", last_unit
    return f"{first}–{last}", unit
