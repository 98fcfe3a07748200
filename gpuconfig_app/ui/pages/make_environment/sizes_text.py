"""Ranges, sizes and times in words, the same on every part of the page."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from gpuconfig_app.core.environment_plan import Range
from gpuconfig_app.core.units import format_bytes, format_duration

UNKNOWN = "–"
_MINUTE = 60
_PRECISE_FROM_S = 90


def bytes_of(amount: Range | None) -> tuple[str, str]:
    """Give number and unit: ``("2.4–2.8", "GiB")``; a dash without unit when it is not known."""
    if amount is None:
        return UNKNOWN, ""
    return _joined(format_bytes(int(amount.low)), format_bytes(int(amount.high)))


def time_of(time: Range | None) -> tuple[str, str]:
    """Give number and unit: ``("6–10", "min")``; a dash without unit when it is not known."""
    if time is None:
        return UNKNOWN, ""
    return _joined(format_duration(time.low), format_duration(time.high))


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
    if seconds < _PRECISE_FROM_S:
        return format_duration(seconds)
    whole = round(seconds)
    return f"{whole // _MINUTE} min {whole % _MINUTE:02d} s"


def _joined(low: str, high: str) -> tuple[str, str]:
    if low == high:
        number, _, unit = low.partition(" ")
        return number, unit
    first, _, unit = low.partition(" ")
    last, _, last_unit = high.partition(" ")
    if unit != last_unit or " " in unit:
        return f"{low} – {last}", last_unit
    return f"{first}–{last}", unit
