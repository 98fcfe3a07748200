"""Run folders: one folder per run below ``Places.runs``, readable by people, complete without the window.

``run.json`` (what was started), ``log.txt`` (what the script printed), ``metrics.jsonl`` (what it measured),
``process.json``, ``stop.json`` and ``exit.json`` (spoken with the watching probe), ``result.json`` (how it ended),
``measured.json`` (whether later plans use what it measured).
"""

from __future__ import annotations

import json
import logging
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.core.codec import DocumentKind, dump_document, load_document
from gpuconfig_app.core.errors import MissingFileError, StorageError, UnusableFileError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.run_result import RunRecord, RunResult
from gpuconfig_app.storage.places import Places, read_text, write_text

logger = logging.getLogger(__name__)
RUN_DOCUMENT = DocumentKind("run", 1, RunRecord, {})
RESULT_DOCUMENT = DocumentKind("run_result", 1, RunResult, {})
SMALL_FILE_BYTES = 1024**2


@dataclass(frozen=True)
class RunFolder:
    """The files of one run; they need not exist.

    Attributes:
        path: The folder; its name is the run's id.
    """

    path: Path

    @property
    def id(self) -> str:
        """Name of the run, sorts by time."""
        return self.path.name

    @property
    def record(self) -> Path:
        """``run.json``."""
        return self.path / "run.json"

    @property
    def log(self) -> Path:
        """What the script printed."""
        return self.path / "log.txt"

    @property
    def metrics(self) -> Path:
        """What the script measured, JSON lines."""
        return self.path / "metrics.jsonl"

    @property
    def process(self) -> Path:
        """The script's process, written by the watching probe."""
        return self.path / "process.json"

    @property
    def stop(self) -> Path:
        """Its existence asks the watching probe to end the script."""
        return self.path / "stop.json"

    @property
    def exit(self) -> Path:
        """How the script ended, written by the watching probe."""
        return self.path / "exit.json"

    @property
    def output(self) -> Path:
        """What a test run saves; a training saves into its bundle."""
        return self.path / "output"

    @property
    def measured(self) -> Path:
        """Its existence says that what the run measured was looked at for later plans."""
        return self.path / "measured.json"

    @property
    def result(self) -> Path:
        """``result.json``, once the run is over and was looked at."""
        return self.path / "result.json"


def new_run_folder(places: Places, now: float) -> RunFolder:
    """Make an empty folder for a run that starts now.

    Args:
        now: Wall time in seconds since the epoch.

    Raises:
        StorageError: It can't be made.
    """
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))
    path = places.runs / f"{stamp}-{secrets.token_hex(3)}"
    try:
        path.mkdir(parents=True, mode=0o700)
    except OSError as error:
        raise StorageError(Message("core.cannot-write", {"path": str(path), "detail": str(error)})) from error
    return RunFolder(path)


def run_folders(places: Places) -> tuple[RunFolder, ...]:
    """Give the folders of all runs, newest first."""
    try:
        found = [path for path in places.runs.iterdir() if (path / "run.json").is_file()]
    except OSError:
        return ()
    return tuple(RunFolder(path) for path in sorted(found, key=lambda path: path.name, reverse=True))


def load_record(folder: RunFolder) -> RunRecord:
    """Read what was started.

    Raises:
        UnusableFileError: It is not there or can't be read.
    """
    return load_document(RUN_DOCUMENT, read_text(folder.record, limit_bytes=SMALL_FILE_BYTES))


def save_record(folder: RunFolder, record: RunRecord) -> None:
    """Write what was started.

    Raises:
        StorageError: It can't be written.
    """
    write_text(folder.record, dump_document(RUN_DOCUMENT, record), mode=0o600)


def load_result(folder: RunFolder) -> RunResult | None:
    """Read how the run ended; None when that is not written yet or can't be read."""
    try:
        return load_document(RESULT_DOCUMENT, read_text(folder.result, limit_bytes=SMALL_FILE_BYTES))
    except MissingFileError:
        return None
    except UnusableFileError as error:
        logger.warning("result of run %s: %s", folder.id, error)
        return None


def save_result(folder: RunFolder, result: RunResult) -> None:
    """Write how the run ended.

    Raises:
        StorageError: It can't be written.
    """
    write_text(folder.result, dump_document(RESULT_DOCUMENT, result), mode=0o600)


def read_notes(path: Path) -> dict[str, JsonValue]:
    """Read one of the small files of the watching probe; empty when it is missing, unfinished or unusable."""
    try:
        data = json.loads(read_text(path, limit_bytes=SMALL_FILE_BYTES))
    except (UnusableFileError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def ask_to_stop(folder: RunFolder, grace_s: float) -> None:
    """Ask the watching probe to end the script politely, and by force after ``grace_s``.

    Raises:
        StorageError: It can't be written (disk full); end the process tree instead.
    """
    write_text(folder.stop, json.dumps({"grace_s": grace_s}) + "\n")
