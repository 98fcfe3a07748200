"""Journals of environments that are being made or were made: what belongs to us, so that exactly that can be removed.

A journal is written before anything is made and kept up to date, so that after a crash the remains are recognised.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gpuconfig_app.core.codec import DocumentKind, dump_document, load_document
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.record import Record, path_text, public_text
from gpuconfig_app.storage.places import Places, read_text, write_text

logger = logging.getLogger(__name__)
LOGS_KEPT = 20


class MakingState(StrEnum):
    """Whether the environment is whole."""

    MAKING = "making"
    MADE = "made"


@dataclass(frozen=True, kw_only=True)
class Making(Record):
    """What one making has put where.

    Attributes:
        id: Name of its journal; sorts by time.
        folder_device: Device and inode of the folder, so that another one of the same name is not taken for it; None
            before it was made.
        made_parents: Folders above that had to be made, innermost first.
        was_there: The empty folder was the user's; it stays.
        scratch: Folder for temporary files of the installer.
        child_pid: The program that runs, with its start time, so that it can be ended after we were killed.
        is_conda: Made by conda, which keeps a list of its environments.
        python_version: That uv had to bring for it, None when it was there.
        python_folder: Where uv keeps its Pythons; ``python_before`` is what was there.
        cache_folder: Where uv unpacks what it downloads, half of it when it is ended; ``cache_before`` is what was
            there of other runs.
    """

    id: str = public_text("")
    state: MakingState = MakingState.MAKING
    folder: str = path_text("")
    folder_device: int | None = None
    folder_inode: int | None = None
    made_parents: tuple[str, ...] = path_text(())
    was_there: bool = False
    scratch: str | None = path_text()
    pid: int | None = None
    pid_started_at: float | None = None
    child_pid: int | None = None
    child_started_at: float | None = None
    started_at: float = 0.0
    is_conda: bool = False
    conda_list: str | None = path_text()
    uv: str | None = path_text()
    python_version: str | None = public_text()
    python_folder: str | None = path_text()
    python_before: tuple[str, ...] = path_text(())
    cache_folder: str | None = path_text()
    cache_before: tuple[str, ...] = path_text(())


MAKING_DOCUMENT: DocumentKind[Making] = DocumentKind("making", 1, Making, {})


def makings_folder(places: Places) -> Path:
    """Give the folder of journals and installer logs; it need not exist."""
    return places.data / "environments"


def journal_file(places: Places, making_id: str) -> Path:
    """Give the path of a journal."""
    return makings_folder(places) / f"{making_id}.json"


def log_file(places: Places, making_id: str) -> Path:
    """Give the path of what the installer printed."""
    return makings_folder(places) / f"{making_id}.log"


def save_making(places: Places, making: Making) -> None:
    """Write a journal.

    Raises:
        StorageError: It can't be written.
    """
    write_text(journal_file(places, making.id), dump_document(MAKING_DOCUMENT, making), mode=0o600)


def load_makings(places: Places) -> tuple[Making, ...]:
    """Read all journals, oldest first; one that can't be read is left out and logged."""
    found: list[Making] = []
    for path in sorted(makings_folder(places).glob("*.json")):
        try:
            found.append(load_document(MAKING_DOCUMENT, read_text(path)))
        except GpuConfigError as error:
            logger.warning("journal %s: %s", path, error)
    return tuple(found)


def forget_making(places: Places, making_id: str) -> None:
    """Remove a journal; what it spoke of is gone."""
    journal_file(places, making_id).unlink(missing_ok=True)


def drop_old_logs(places: Places) -> None:
    """Keep the newest logs only."""
    for path in sorted(makings_folder(places).glob("*.log"))[:-LOGS_KEPT]:
        path.unlink(missing_ok=True)
