"""``scan_data()``: what is in a data folder or table, by the standard library alone; nothing is written."""

from __future__ import annotations

from pathlib import Path

from gpuconfig_app.core.dataset import DataKind, DatasetFacts
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.dataset.file_walk import WalkTroubles, is_folder, sorted_entries
from gpuconfig_app.dataset.image_folders import (
    OTHER_PICTURE_SUFFIXES,
    PICTURE_SUFFIXES,
    looks_like_image_folders,
    scan_image_folders,
)
from gpuconfig_app.dataset.tables import OTHER_TABLE_SUFFIXES, PARQUET_SUFFIXES, TEXT_SUFFIXES, scan_table

_LISTED = 5


def scan_data(path: Path, control: JobControl | None = None) -> DatasetFacts:
    """Look into a folder of class folders, or a table.

    What can't be used as data (a folder without classes, a spreadsheet) is ``DataKind.UNKNOWN`` with notes that say
    what was found and what to do.

    Args:
        path: Folder or file; ``~`` is the home folder.
        control: Progress and cancellation.

    Raises:
        UnusableFileError: It is not there, may not be read, or is no table.
        JobCancelledError: The user ended the scan.
    """
    steering = control or JobControl()
    place = expanded(str(path))
    try:
        is_dir, is_file = place.is_dir(), place.is_file()
        if is_dir:
            next(place.iterdir(), None)
    except (OSError, ValueError) as error:
        detail = getattr(error, "strerror", None) or type(error).__name__
        raise UnusableFileError(Message("dataset.unreadable", {"path": str(path), "detail": detail})) from error
    if is_dir:
        if looks_like_image_folders(place):
            return scan_image_folders(place, steering)
        return _unknown_folder(place)
    if not is_file:
        raise UnusableFileError(Message("dataset.not-there", {"path": str(path)}))
    suffix = place.suffix.lower()
    if suffix in OTHER_TABLE_SUFFIXES or suffix in PICTURE_SUFFIXES | OTHER_PICTURE_SUFFIXES:
        name = "dataset.other-table" if suffix in OTHER_TABLE_SUFFIXES else "dataset.single-picture"
        note = Message(name, {"format": suffix.removeprefix(".").upper()})
        return DatasetFacts(path=str(place), kind=DataKind.UNKNOWN, total_bytes=place.stat().st_size, notes=(note,))
    return scan_table(place, steering)


def _unknown_folder(folder: Path) -> DatasetFacts:
    """Say why a folder can't be used: pictures without classes, tables inside, nothing known."""
    troubles = WalkTroubles()
    entries = sorted_entries(folder, troubles)
    files = [Path(entry.path) for entry in entries if not is_folder(entry)]
    tables = [file.name for file in files if file.suffix.lower() in TEXT_SUFFIXES | PARQUET_SUFFIXES]
    pictures = sum(file.suffix.lower() in PICTURE_SUFFIXES | OTHER_PICTURE_SUFFIXES for file in files)
    if pictures:
        note = Message("dataset.no-class-folders", {"count": pictures})
    elif tables:
        note = Message("dataset.folder-of-tables", {"names": ", ".join(tables[:_LISTED])})
    elif troubles.closed_folders:
        note = Message("dataset.closed-folders", {"count": troubles.closed_folders})
    else:
        note = Message("dataset.nothing-known")
    return DatasetFacts(path=str(folder), kind=DataKind.UNKNOWN, notes=(note,))
