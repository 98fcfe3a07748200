"""How long ago, in the shown language; for the left edge of a time axis."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def age_text(seconds: float) -> str:
    """Write an age: ``60 s ago``, ``10 min ago``, ``6 h ago``."""
    if seconds < 120:
        return QCoreApplication.translate("AgeText", "{n} s ago").format(n=round(seconds))
    if seconds < 7200:
        return QCoreApplication.translate("AgeText", "{n} min ago").format(n=round(seconds / 60))
    return QCoreApplication.translate("AgeText", "{n} h ago").format(n=round(seconds / 3600))
