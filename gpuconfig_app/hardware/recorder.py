"""Writing a recorded machine: the report and a stretch of samples, with everything personal left out.

Privacy is core's allow-list; on top of it identifiers of this installation are dropped. Reading is in ``recorded``.
"""

from __future__ import annotations

import getpass
import os
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gpuconfig_app.core.codec import dump_document
from gpuconfig_app.core.errors import StorageError
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.paths import is_there
from gpuconfig_app.core.privacy import Redaction, redact
from gpuconfig_app.core.sample import Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.recorded import (
    MACHINE_FILE,
    MACHINE_KIND,
    TELEMETRY_FILE,
    MachineDocument,
    MachineOrigin,
)
from gpuconfig_app.hardware.recorded_samples import dump_samples
from gpuconfig_app.hardware.target_privacy import hide_targets
from gpuconfig_app.storage.places import write_text


def new_redaction(report: SystemReport) -> Redaction:
    """Give the rules for hiding this user and machine, with a fresh secret that is kept nowhere."""
    return Redaction(
        salt=secrets.token_hex(16), home=str(Path.home()), user=_user_name(), host=report.host.host_name or ""
    )


def record_machine(
    report: SystemReport,
    samples: Sequence[Sample],
    folder: Path,
    title: LocalText,
    *,
    how: Redaction | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a recorded machine and give its folder.

    Args:
        report: As ``survey()`` gave it.
        samples: Any order; empty writes no telemetry file.
        folder: Made when missing.
        title: One line for people; goes into the file as it is.
        how: Default: this user and this machine with a fresh salt.
        overwrite: Replace a recording that lies there.

    Raises:
        StorageError: A recording lies there already, or it can't be written.
    """
    document = MachineDocument(title=title, origin=MachineOrigin.RECORDED, report=report)
    return write_machine(document, samples, folder, how=how or new_redaction(report), overwrite=overwrite)


def write_machine(
    document: MachineDocument, samples: Sequence[Sample], folder: Path, *, how: Redaction, overwrite: bool = False
) -> Path:
    """Write a machine with any origin; ``record_machine`` says what the arguments mean.

    Raises:
        StorageError: As ``record_machine``.
    """
    if not overwrite and is_there(folder / MACHINE_FILE):
        raise StorageError(
            Message("host.recording-exists", {"path": str(folder)}), Message("host.recording-exists-hint")
        )
    report = redact(hide_targets(document.report), how)
    name = os.fsencode(folder.name).decode("utf-8", "replace")  # a name in no encoding is a name, too
    report = replace(report, machine_id=name, recorded_from=name)
    if samples:
        write_text(folder / TELEMETRY_FILE, dump_samples(samples, how))
    else:
        _remove(folder / TELEMETRY_FILE)
    write_text(folder / MACHINE_FILE, dump_document(MACHINE_KIND, replace(document, report=report, extra={})))
    return folder


def _remove(path: Path) -> None:
    try:
        if path.exists():
            path.unlink()
    except OSError as error:
        raise StorageError(Message("core.cannot-write", {"path": str(path), "detail": str(error)})) from error


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no entry in the user database, as in some containers
        return ""
