"""Recorded machines: folders that stand for a machine which is not here.

A folder holds ``machine.json`` (title, origin, SystemReport) and, where there is a card, ``telemetry.jsonl``. Reading
one never starts, opens or follows anything outside of it; a stranger's folder is refused with a sentence, not trusted.
Writing is the work of ``recorder``.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from gpuconfig_app.core.codec import DocumentKind, encode, load_document
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.paths import expanded, is_file
from gpuconfig_app.core.record import Record, public_text
from gpuconfig_app.core.sample import Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.readings import REASONED_FIELDS
from gpuconfig_app.hardware.recorded_samples import load_samples
from gpuconfig_app.resources import resource_path
from gpuconfig_app.storage.places import read_text

MACHINE_FILE = "machine.json"
TELEMETRY_FILE = "telemetry.jsonl"
MACHINE_LIMIT_BYTES = 8 * 1024**2
TELEMETRY_LIMIT_BYTES = 256 * 1024**2
GPU_LIMIT = 1024
ENVIRONMENT_LIMIT = 4096
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


class MachineOrigin(StrEnum):
    """How a recorded machine came to be.

    ``recorded``: by this program on that machine. ``converted``: the cards come from a public recording named in
    ``source``, what stands around them was added. ``constructed``: made up after the facts of such machines.
    """

    RECORDED = "recorded"
    CONVERTED = "converted"
    CONSTRUCTED = "constructed"


@dataclass(frozen=True, kw_only=True)
class MachineDocument(Record):
    """What ``machine.json`` holds.

    Attributes:
        title: One line for people.
        source: Where the cards were recorded, for converted ones.
        licence: Under which the source may be used.
    """

    title: LocalText
    origin: MachineOrigin = MachineOrigin.RECORDED
    source: str | None = public_text()
    licence: str | None = public_text()
    report: SystemReport


MACHINE_KIND = DocumentKind(name="machine", schema=1, type=MachineDocument, migrations={})


@dataclass(frozen=True, kw_only=True)
class RecordedMachine:
    """A machine out of a folder.

    Attributes:
        name: Name of the folder; also ``report.machine_id`` and ``report.recorded_from``.
        samples: In order of time; ``monotonic_s`` is the age since the first one.
        folder: Where it was read from.
    """

    name: str
    title: LocalText
    report: SystemReport
    samples: tuple[Sample, ...] = ()
    origin: MachineOrigin = MachineOrigin.RECORDED
    source: str | None = None
    folder: Path | None = None


def load_machine(path: Path) -> RecordedMachine:
    """Read a recorded machine.

    Args:
        path: Its folder, or the ``machine.json`` in it.

    Raises:
        UnusableFileError: It is no such folder, or a file in it is missing, broken, too large or leads elsewhere.
    """
    folder = path.parent if path.name == MACHINE_FILE else path
    name = _machine_name(folder)
    document = load_document(MACHINE_KIND, _read_inside(folder, MACHINE_FILE, MACHINE_LIMIT_BYTES))
    document = checked_document(document, name)
    report = document.report
    samples: tuple[Sample, ...] = ()
    if (folder / TELEMETRY_FILE).is_symlink() or (folder / TELEMETRY_FILE).exists():
        text = _read_inside(folder, TELEMETRY_FILE, TELEMETRY_LIMIT_BYTES)
        samples = load_samples(text, name, report.taken_at)
    return RecordedMachine(
        name=name,
        title=document.title,
        report=report,
        samples=samples,
        origin=document.origin,
        source=document.source,
        folder=folder,
    )


def checked_document(document: MachineDocument, name: str) -> MachineDocument:
    """Give a document fit to be used: of a sensible size, clean, with a reason for everything missing, under a name.

    Raises:
        UnusableFileError: It names too much, or holds texts that can't be written again.
    """
    _check_amounts(document)
    document = _without_control_characters(document)
    gpus = tuple(_with_reasons(gpu) for gpu in document.report.gpus)
    return replace(document, report=replace(document.report, machine_id=name, recorded_from=name, gpus=gpus))


def read_title(path: Path) -> LocalText:
    """Read only the title of a recorded machine, for a list of them.

    Raises:
        UnusableFileError: As ``load_machine``.
    """
    text = _read_inside(path, MACHINE_FILE, MACHINE_LIMIT_BYTES)
    return _without_control_characters(load_document(MACHINE_KIND, text)).title


def shipped_machines() -> tuple[Path, ...]:
    """Give the folders of the machines that come with the program, by name."""
    return machine_folders(resource_path("machines"))


def machine_folders(folder: Path) -> tuple[Path, ...]:
    """Give the recorded machines that lie in a folder, by name."""
    if not folder.is_dir():
        return ()
    return tuple(sorted(path for path in folder.iterdir() if (path / MACHINE_FILE).is_file()))


def find_machine(name_or_path: str, folders: Sequence[Path] = ()) -> Path:
    """Find a recorded machine by the name of a shipped one or by its path.

    Args:
        name_or_path: Path of a folder or its ``machine.json``, or a shipped machine's name.
        folders: Further folders in which names are looked up.

    Raises:
        UnusableFileError: There is none.
    """
    if _NAME.fullmatch(name_or_path):
        for place in (resource_path("machines"), *folders):
            if is_file(place / name_or_path / MACHINE_FILE):
                return place / name_or_path
    path = expanded(name_or_path)
    if path.name == MACHINE_FILE and is_file(path):
        return path.parent
    if is_file(path / MACHINE_FILE):
        return path
    names = ", ".join(item.name for item in shipped_machines())
    raise UnusableFileError(
        Message("host.machine-not-found", {"name": name_or_path}),
        Message("host.machine-not-found-hint", {"names": names}),
    )


def _with_reasons(gpu: Gpu) -> Gpu:
    """Say of every reading that is neither there nor explained that the recording does not hold it."""
    reason = gpu.state_reason or Message("host.not-recorded")
    missing = {name: reason for name in REASONED_FIELDS if getattr(gpu, name) is None and name not in gpu.absent}
    return replace(gpu, absent={**gpu.absent, **missing}) if missing else gpu


def _machine_name(folder: Path) -> str:
    name = folder.resolve().name
    cleaned = re.sub(r"[^\w.-]+", "-", name).strip("-.")[:100]
    return cleaned or "recorded"


def _read_inside(folder: Path, name: str, limit_bytes: int) -> str:
    """Read a regular file of a folder; a link, device or pipe in its place is refused."""
    path = folder / name
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError as error:
        raise UnusableFileError(Message("host.not-a-machine", {"path": str(folder), "file": name})) from error
    except (OSError, ValueError) as error:
        raise UnusableFileError(Message("core.file-unreadable", {"path": str(path), "detail": str(error)})) from error
    if not stat.S_ISREG(mode):
        raise UnusableFileError(Message("host.machine-file-leads-elsewhere", {"path": str(path)}))
    return read_text(path, limit_bytes=limit_bytes)


def _check_amounts(document: MachineDocument) -> None:
    report = document.report
    if len(report.gpus) > GPU_LIMIT or len(report.environments) > ENVIRONMENT_LIMIT:
        limits: dict[str, str | int | float | bool] = {"gpus": GPU_LIMIT, "environments": ENVIRONMENT_LIMIT}
        raise UnusableFileError(Message("host.machine-too-many", limits))


def _without_control_characters(document: MachineDocument) -> MachineDocument:
    """Refuse texts that cannot be written again and clean titles of what could rewrite a terminal or a window."""
    try:
        json.dumps(encode(document), ensure_ascii=False, allow_nan=False).encode("utf-8")
    except (UnicodeEncodeError, ValueError, RecursionError) as error:
        raise UnusableFileError(Message("core.not-json", {"detail": type(error).__name__})) from error
    title = LocalText(en=_CONTROL.sub("", document.title.en), zh_cn=_CONTROL.sub("", document.title.zh_cn))
    return replace(document, title=title)
