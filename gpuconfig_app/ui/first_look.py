"""The few settings the window needs before its first paint, read without importing the rest of the program.

``storage.settings`` owns the file; a test holds that both find the same one. Whatever is wrong with it is told later,
when the settings are really read.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QJsonDocument, QStandardPaths


class FirstLook(NamedTuple):
    """What decides how the first paint looks.

    Attributes:
        language: ``system``, ``en`` or ``zh_CN``.
        theme: ``system``, ``light`` or ``dark``.
        window_geometry: Base64 of Qt's geometry, None before the first close.
        last_page: Page to open, None for the first.
    """

    language: str = "system"
    theme: str = "system"
    window_geometry: str | None = None
    last_page: str | None = None


def first_look_file() -> Path:
    """Give the path of the settings file."""
    home = os.environ.get("GPUCONFIG_HOME")
    if home:
        return Path(home) / "settings" / "settings.json"
    # The folders of platformdirs, which the rest of the program uses, without its import.
    location = QStandardPaths.StandardLocation
    kind = location.GenericDataLocation if sys.platform == "darwin" else location.GenericConfigLocation
    return Path(QStandardPaths.writableLocation(kind), "gpuconfig", "settings.json")


def read_first_look() -> FirstLook:
    """Read them; defaults where the file or a value is missing or unusable."""
    try:
        text = first_look_file().read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return FirstLook()
    document = QJsonDocument.fromJson(text.encode()).toVariant()
    names = ("language", "theme", "window_geometry", "last_page")
    if not isinstance(document, dict):
        return FirstLook()
    return FirstLook(**{name: document[name] for name in names if isinstance(document.get(name), str)})
