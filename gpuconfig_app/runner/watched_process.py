"""Whether the process of a run is still the one that was started, and ending it with everything it started."""

from __future__ import annotations

import logging
from pathlib import Path

from gpuconfig_app.command import end_process_tree
from gpuconfig_app.core.errors import StorageError
from gpuconfig_app.core.run_result import RunRecord
from gpuconfig_app.storage.runs import RunFolder, ask_to_stop, read_notes

logger = logging.getLogger(__name__)
# The start time of a process is reckoned from the boot time, which moves when the clock is set.
START_TOLERANCE_S = 5.0
# Beyond the grace time: for the watching probe to look, to end the tree by force and to write the exit code.
PROBE_MARGIN_S = 3.0


def start_time(pid: int) -> float | None:
    """Give when a living process was started (seconds since the epoch), None when there is none."""
    import psutil  # noqa: PLC0415  # not needed before the first paint (design decision 8)

    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return float(process.create_time())
    except (psutil.NoSuchProcess, psutil.AccessDenied, ValueError):
        return None


def is_watched(record: RunRecord) -> bool:
    """Whether the process that watches over a run lives, and is not another one with the same number."""
    if record.pid is None or record.pid_started_at is None:
        return False
    started_at = start_time(record.pid)
    if started_at is None or abs(started_at - record.pid_started_at) > START_TOLERANCE_S:
        return False
    return _names_run(record.pid, record.id)


def script_pid(folder: RunFolder) -> int | None:
    """Give the number of the script's own process while it lives, None before and after."""
    notes = read_notes(folder.process)
    pid, noted_at = notes.get("pid"), notes.get("started_at")
    if not isinstance(pid, int) or not isinstance(noted_at, int | float):
        return None
    started_at = start_time(pid)
    is_same = started_at is not None and abs(started_at - noted_at) <= START_TOLERANCE_S
    return pid if is_same else None


def process_tree(pid: int) -> frozenset[int]:
    """Give a process and all its descendants, empty when it is gone."""
    import psutil  # noqa: PLC0415  # as above

    try:
        root = psutil.Process(pid)
        return frozenset({pid, *(child.pid for child in root.children(recursive=True))})
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return frozenset()


def stop_watched(record: RunRecord, folder: RunFolder, grace_s: float) -> None:
    """End a run: the script is asked, and after ``grace_s`` it and everything it started is ended by force.

    Returns when nothing of it is left. A run that is over is left as it is.
    """
    if record.pid is not None and is_watched(record):
        try:
            ask_to_stop(folder, grace_s)
            _wait_gone(record.pid, grace_s + PROBE_MARGIN_S)
        except StorageError as error:
            logger.warning("run %s can't be asked to stop: %s", record.id, error)
        if is_watched(record):
            end_process_tree(record.pid, grace_s=0.0)
    orphan = script_pid(folder)
    if orphan is not None:  # its watcher was killed
        end_process_tree(orphan, grace_s=min(grace_s, 5.0))


def _wait_gone(pid: int, timeout_s: float) -> None:
    import psutil  # noqa: PLC0415  # as above

    try:
        process = psutil.Process(pid)
    except psutil.NoSuchProcess:
        return
    psutil.wait_procs([process], timeout=timeout_s)


def _names_run(pid: int, run_id: str) -> bool:
    """Whether the process was started for this run; True where its command line may not be read."""
    import psutil  # noqa: PLC0415  # as above

    try:
        words = psutil.Process(pid).cmdline()
    except psutil.AccessDenied:
        return True
    except psutil.NoSuchProcess:
        return False
    return any(Path(word).name == run_id for word in words)
