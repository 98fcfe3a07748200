"""From the files of a run to how it stands: state, meaning of the exit code, measured beside predicted."""

from __future__ import annotations

import time
from dataclasses import dataclass

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Interval
from gpuconfig_app.core.run_result import Compared, RunKind, RunRecord, RunResult, RunState
from gpuconfig_app.runner.proof_records import number_of
from gpuconfig_app.runner.script_events import ScriptEvents, read_events
from gpuconfig_app.runner.script_log import read_last_lines
from gpuconfig_app.storage.runs import RunFolder, read_notes

LAST_LINES = 40
# What is left on a disk that a script can't write to any more; file systems keep a little back.
FULL_DISK_BYTES = 1024**2
# Exit codes of generated scripts; described at the top of each script.
_MEANINGS = {
    0: "done",
    1: "unexpected-error",
    2: "wrong-usage",
    3: "data-not-usable",
    4: "out-of-memory",
    5: "diverged",
    6: "interrupted",
    7: "gpu-missing",
    8: "download-failed",
    9: "other-output",
}
_SIGKILL, _SIGABRT, _SIGSEGV, _SIGTERM = 9, 6, 11, 15
_SIGNALS = {_SIGKILL: "killed", _SIGABRT: "aborted", _SIGSEGV: "crashed", _SIGTERM: "ended-from-outside"}
_REASONS = {
    "time_limit": RunState.TIMED_OUT,
    "stopped": RunState.CANCELLED,
    "parent_gone": RunState.CANCELLED,
    "not_started": RunState.FAILED,
}


@dataclass(frozen=True)
class Ending:
    """How the watching probe saw the script end.

    Attributes:
        exit_code: Negative for the number of the signal that ended it, None when it did not start.
        reason: ``ended``, ``stopped``, ``time_limit``, ``parent_gone``, ``not_started``.
        disk_free_bytes: Free room in the run's folder at the end.
    """

    exit_code: int | None
    reason: str
    detail: str = ""
    duration_s: float | None = None
    ended_at: float | None = None
    disk_free_bytes: float | None = None


def judge_run(record: RunRecord, folder: RunFolder, *, is_alive: bool, gpu_peak_bytes: int | None = None) -> RunResult:
    """Tell how a run stands.

    Args:
        is_alive: Whether its process was there before the files are read.
        gpu_peak_bytes: Largest GPU memory of its processes that the driver told, when it was watched.
    """
    events = read_events(folder.metrics)
    ending = read_ending(folder)
    if ending is None and events.exit_code is not None and not is_alive:
        # The probe was killed, but the script told its own end.
        ending = Ending(events.exit_code, "ended")
    state = _state(ending, is_alive=is_alive)
    return RunResult(
        run_id=record.id,
        state=state,
        exit_code=ending.exit_code if ending else None,
        meaning=_meaning(record, state, ending),
        started_at=record.started_at,
        duration_s=_duration_s(record, ending, is_alive=is_alive),
        devices=events.devices,
        metrics=events.metrics,
        compared=_compared(record, events, gpu_peak_bytes),
        driver_peak_bytes=gpu_peak_bytes,
        log=str(folder.log),
        last_lines=read_last_lines(folder.log, LAST_LINES),
    )


def read_ending(folder: RunFolder) -> Ending | None:
    """Read how the script ended; None while it runs, and when the watching probe was killed."""
    notes = read_notes(folder.exit)
    reason, code = notes.get("reason"), notes.get("exit_code")
    if not isinstance(reason, str):
        return None
    return Ending(
        exit_code=code if isinstance(code, int) else None,
        reason=reason,
        detail=str(notes.get("detail", "")),
        duration_s=number_of(notes.get("duration_s")),
        ended_at=number_of(notes.get("ended_at")),
        disk_free_bytes=number_of(notes.get("disk_free_bytes")),
    )


def _state(ending: Ending | None, *, is_alive: bool) -> RunState:
    if ending is None:
        return RunState.RUNNING if is_alive else RunState.VANISHED
    if ending.reason in _REASONS:
        return _REASONS[ending.reason]
    return RunState.FINISHED if ending.exit_code == 0 else RunState.FAILED


def _meaning(record: RunRecord, state: RunState, ending: Ending | None) -> Message | None:
    if state is RunState.RUNNING:
        return None
    if ending is None:
        return Message("runner.vanished")
    if state is RunState.TIMED_OUT:
        return Message("runner.timed-out", {"limit_s": record.time_limit_s or 0.0})
    if ending.reason == "not_started":
        return Message("runner.not-started", {"detail": ending.detail})
    if ending.reason == "parent_gone":
        return Message("runner.ended-with-program")
    if state is RunState.CANCELLED:
        return Message("runner.stopped-resumable" if ending.exit_code == 6 else "runner.stopped")
    code = ending.exit_code
    is_unexplained = code is not None and (code == 1 or code < 0)
    if is_unexplained and ending.disk_free_bytes is not None and ending.disk_free_bytes < FULL_DISK_BYTES:
        return Message("runner.disk-full")
    return meaning_of(code)


def meaning_of(exit_code: int | None) -> Message:
    """Say what an exit code of a generated script means.

    Args:
        exit_code: Negative, or 128 and more, for the number of the signal that ended it.
    """
    if exit_code is None:
        return Message("runner.vanished")
    number = -exit_code if exit_code < 0 else exit_code - 128 if exit_code > 128 else None
    if number is not None:
        known = _SIGNALS.get(number)
        return Message(f"runner.{known}") if known else Message("runner.ended-by-signal", {"signal": number})
    known = _MEANINGS.get(exit_code)
    return Message(f"runner.exit-{known}") if known else Message("runner.exit-unknown", {"code": exit_code})


def _duration_s(record: RunRecord, ending: Ending | None, *, is_alive: bool) -> float | None:
    if ending is not None:
        return ending.duration_s
    return max(time.time() - record.started_at, 0.0) if is_alive else None


def _compared(record: RunRecord, events: ScriptEvents, gpu_peak_bytes: int | None) -> tuple[Compared, ...]:
    peak: float | None = events.peak_memory_bytes
    no_peak = Message("runner.no-memory-count-on-cpu") if events.is_cpu else Message("runner.not-measured")
    if peak is None and gpu_peak_bytes is not None:
        peak = float(gpu_peak_bytes)
    not_measured = Message("runner.not-measured")
    rows = (
        ("memory_peak_bytes", peak, no_peak),
        ("step_s", events.step_s, not_measured),
        # An epoch of a test run is cut short and says nothing of a whole one.
        ("epoch_s", events.epoch_s if record.kind is RunKind.TRAINING else None, not_measured),
    )
    return tuple(
        _compare(name, record.predicted.get(name), measured, reason)
        for name, measured, reason in rows
        if measured is not None or name in record.predicted
    )


def _compare(name: str, predicted: Interval | None, measured: float | None, reason: Message) -> Compared:
    is_inside = None
    if predicted is not None and measured is not None:
        is_inside = predicted.low <= measured <= predicted.high
    return Compared(
        id=name,
        predicted=predicted,
        measured=measured,
        is_inside=is_inside,
        reason=reason if measured is None else None,
    )
