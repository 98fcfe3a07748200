"""What runs on this machine measured: a small file for each in ``measured``, kept with the program's data.

One folder for each device, TensorFlow release and template, one file for each run in it, named like the run. So two
programs never write the same file, and a broken one spoils no other. Deleting the folder forgets everything.
"""

from __future__ import annotations

import logging
import re
import stat
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from gpuconfig_app.core.calibration import ENOUGH_STEPS, Calibration
from gpuconfig_app.core.codec import DocumentKind, dump_document, load_document
from gpuconfig_app.core.errors import MissingFileError, StorageError, UnusableFileError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.storage.places import Places, read_text, write_text

logger = logging.getLogger(__name__)
MEASURED_DOCUMENT = DocumentKind("measured_run", 1, Calibration, {})
MOST_BYTES = 256 * 1024
# Runs kept of one device, release and template; of each job, batch and setting the newest counts anyway.
RUNS_KEPT = 40
# Files looked at in one folder, so that one with thousands of foreign ones is no trap; the newest by name.
MOST_FILES = 250
# No count or size of a machine is larger, and reckoning with more overflows.
MOST_NUMBER = 2**63
_LONGEST_PART = 48
_NO_NAME = re.compile(r"[^a-z0-9._]+")


def measured_folder(places: Places) -> Path:
    """Give the folder of everything that was measured; it need not exist."""
    return places.data / "measured"


def folder_of(places: Places, device: str, tensorflow: str, template_id: str) -> Path:
    """Give the folder of one device (name of card or processor), TensorFlow release and template."""
    parts = (_NO_NAME.sub("-", text.lower()).strip("-.")[:_LONGEST_PART] for text in (device, tensorflow, template_id))
    return measured_folder(places) / "--".join(parts)


def save_measured_run(places: Places, run: Calibration) -> Path:
    """Keep what a run measured; older ones that it replaces, and the oldest of too many, are dropped.

    Returns:
        Its file.

    Raises:
        StorageError: It can't be written.
    """
    path = folder_of(places, _device(run), run.tensorflow or "", run.template_id) / f"{run.run_id}.json"
    write_text(path, dump_document(MEASURED_DOCUMENT, run), mode=0o600)
    kept, _ = _read_all(path.parent)
    wanted = _worth_keeping([item for _, item in kept])
    for file, item in kept:
        if item not in wanted and file != path:
            file.unlink(missing_ok=True)
    return path


def load_measured_runs(
    places: Places, device: str, tensorflow: str, template_id: str
) -> tuple[tuple[Calibration, ...], Message | None]:
    """Read what runs with one device, TensorFlow release and template measured.

    Returns:
        The runs, newest first, and a sentence when a broken file was set aside (kept as ``….json.unusable``).
    """
    found, message = _read_all(folder_of(places, device, tensorflow, template_id))
    about = (item for _, item in found)
    return tuple(
        item
        for item in about
        if _device(item) == device and item.tensorflow == tensorflow and item.template_id == template_id
    ), message


def unusable_measured_runs(places: Places) -> frozenset[Path]:
    """Give the files that could not be read and were set aside."""
    return frozenset(measured_folder(places).glob("*/*.json.unusable"))


def count_measured_runs(places: Places) -> int:
    """Give how many runs' measurements are kept."""
    return sum(1 for _ in measured_folder(places).glob("*/*.json"))


def forget_measured_runs(places: Places) -> int:
    """Delete everything that was measured; the runs themselves stay.

    Returns:
        How many runs were forgotten.

    Raises:
        StorageError: A file can't be deleted.
    """
    count = 0
    for path in measured_folder(places).glob("*/*.json"):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            detail = {"path": str(path), "detail": str(error)}
            raise StorageError(Message("core.cannot-write", detail)) from error
        count += 1
    return count


def _device(run: Calibration) -> str:
    return run.gpu_name or run.processor or ""


def _read_all(folder: Path) -> tuple[list[tuple[Path, Calibration]], Message | None]:
    """Read the files of a folder, newest run first."""
    found, message = [], None
    for path in sorted(folder.glob("*.json"), reverse=True)[:MOST_FILES]:
        try:
            about = path.stat()
            if not stat.S_ISREG(about.st_mode):
                continue  # a pipe would never answer
            run = _read(path, about.st_mtime_ns)
        except (MissingFileError, OSError):
            continue  # another program has just dropped it, or it is a link that leads nowhere
        except UnusableFileError as error:
            logger.warning("measured run %s: %s", path, error)
            message = _set_aside(path, error) or message
            continue
        found.append((path, run))
    found.sort(key=lambda item: (item[1].measured_at, item[0].name), reverse=True)
    return found, message


@lru_cache(maxsize=2 * MOST_FILES)
def _read(path: Path, _: int) -> Calibration:
    """Read a file once in each of its states: a plan is made anew with every answer of the wizard."""
    run = load_document(MEASURED_DOCUMENT, read_text(path, limit_bytes=MOST_BYTES))
    for name, value in vars(run).items():
        if isinstance(value, int) and abs(value) > MOST_NUMBER:
            raise UnusableFileError(Message("core.wrong-value", {"where": name, "expected": f"up to {MOST_NUMBER}"}))
    return run


def _set_aside(path: Path, error: UnusableFileError) -> Message | None:
    """Move a broken file out of the way; one of a newer program stays where it is."""
    if error.message.id == "core.newer-schema":
        return None
    aside = path.with_name(path.name + ".unusable")
    try:
        path.replace(aside)
    except OSError as problem:
        logger.warning("cannot set %s aside: %s", path, problem)
        return Message("core.measured-unreadable", {"path": str(path)})
    return Message("core.measured-unusable", {"path": str(aside)})


def _worth_keeping(newest_first: Sequence[Calibration]) -> list[Calibration]:
    """Give the newest of each kind, and older ones it may not replace because it was short.

    Of too many the oldest go, those that measured something before those that ran out of memory.
    """
    seen: set[str] = set()
    newest = []
    for item in newest_first:
        kind = _kind(item)
        if kind not in seen:
            newest.append(item)
        if item.ran_out_of_memory or item.steps >= ENOUGH_STEPS:
            seen.add(kind)
    failed = [item for item in newest if item.ran_out_of_memory][:RUNS_KEPT]
    passed = [item for item in newest if not item.ran_out_of_memory][: max(RUNS_KEPT - len(failed), RUNS_KEPT // 2)]
    return [*failed, *passed]


def _kind(run: Calibration) -> str:
    """Tell runs apart by everything but what they measured."""
    bare = replace(
        run,
        peak_bytes=None,
        first_peak_bytes=None,
        driver_bytes=None,
        step_s=None,
        step_deviation=None,
        steps=0,
        measured_at="",
        run_id="",
    )
    return dump_document(MEASURED_DOCUMENT, bare)
