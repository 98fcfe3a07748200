"""The user's settings: one declared field each, one JSON file, written whole."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path

from gpuconfig_app.core.codec import DocumentKind, dump_document, load_document
from gpuconfig_app.core.errors import MissingFileError, UnusableFileError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import Record
from gpuconfig_app.storage.places import Places, read_text, write_text

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Settings(Record):
    """What the user chose; every field has a default.

    Attributes:
        language: ``system``, ``en`` or ``zh_CN``.
        theme: ``system``, ``light`` or ``dark``.
        sampling_interval_s: Between two looks at the fast counters, 0.1 to 60.
        slow_interval_s: Between two looks at slow counters and process lists, 1 to 300.
        history_hours: Live history kept in memory, 1 to 24.
        wakes_sleeping_gpus: May wake a sleeping card to read it.
        python: Chosen interpreter, None lets the best verdict choose.
        machine: Recorded machine opened last, None for this one.
        extra_python_folders: Searched for environments as well.
        window_geometry: Base64 of Qt's geometry, None before the first close.
        last_page: Page shown last.
        last_bundle_folder: Folder of the bundle saved last.
    """

    language: str = "system"
    theme: str = "system"
    sampling_interval_s: float = 1.0
    slow_interval_s: float = 5.0
    history_hours: float = 1.0
    wakes_sleeping_gpus: bool = False
    python: str | None = None
    machine: str | None = None
    extra_python_folders: tuple[str, ...] = ()
    window_geometry: str | None = None
    last_page: str | None = None
    last_bundle_folder: str | None = None


SETTINGS_DOCUMENT = DocumentKind("settings", 1, Settings, {})


def settings_file(places: Places) -> Path:
    """Give the path of the settings file."""
    return places.settings / "settings.json"


def load_settings(places: Places) -> tuple[Settings, Message | None]:
    """Read the settings.

    Returns:
        The settings, and a sentence when the file is unusable and the defaults are used; it is then kept as
        ``settings.json.unusable`` where it can be moved.
    """
    path = settings_file(places)
    try:
        return _clamped(load_document(SETTINGS_DOCUMENT, read_text(path))), None
    except MissingFileError:
        return Settings(), None
    except UnusableFileError as error:
        logger.warning("settings %s: %s", path, error)
        aside = path.with_name(path.name + ".unusable")
        try:
            path.replace(aside)
        except OSError as problem:
            logger.warning("cannot set %s aside: %s", path, problem)
            return Settings(), Message("core.settings-unreadable", {"path": str(path)})
        return Settings(), Message("core.settings-unusable", {"path": str(aside)})


def save_settings(places: Places, settings: Settings) -> None:
    """Write the settings.

    Raises:
        StorageError: The file can't be written.
    """
    write_text(settings_file(places), dump_document(SETTINGS_DOCUMENT, settings), mode=0o600)


def _clamped(settings: Settings) -> Settings:
    return replace(
        settings,
        sampling_interval_s=min(max(settings.sampling_interval_s, 0.1), 60.0),
        slow_interval_s=min(max(settings.slow_interval_s, 1.0), 300.0),
        history_hours=min(max(settings.history_hours, 1.0), 24.0),
    )
