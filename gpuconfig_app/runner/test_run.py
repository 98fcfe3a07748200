"""Test-runs a bundle: a few steps, watched to the end, measured beside predicted. A test run ends with the program."""

from __future__ import annotations

import math
import os
import time
from contextlib import ExitStack
from dataclasses import replace

from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.run_result import RunKind, RunRecord, RunResult, RunState
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.runner.gpu_memory import GpuPeak
from gpuconfig_app.runner.training import GRACE_S, RunHandle, RunRequest, read_result, start_run, stop_run
from gpuconfig_app.runner.watched_process import is_watched, process_tree
from gpuconfig_app.storage.places import Places
from gpuconfig_app.telemetry.sources.local import LocalSource

LOOK_EVERY_S = 0.2
# The watching probe keeps the time limit; where it never starts (a Python that hangs) this much later it is kept here.
WATCHER_MARGIN_S = 30.0
# A first start reads several gigabytes of libraries, and compiles for cards the wheel holds no code for.
USUAL_LIMIT_S = {RunKind.SMOKE: 900.0, RunKind.TEST: 1800.0}


def test_run(
    request: RunRequest,
    places: Places,
    control: JobControl | None = None,  # noqa: PT028  # the product's verb, no test of pytest
    clock: Clock | None = None,  # noqa: PT028  # as above
) -> RunResult:
    """Run a bundle's script and wait for its end.

    Args:
        request: Of kind SMOKE or TEST; without a time limit the usual one counts.
        control: Cancelling it ends the script and everything it started; the result then says so.

    Raises:
        UsageError: The bundle has no script.
        StorageError: The run folder can't be written.
        CommandError: The Python can't be started.
    """
    handle = start_test_run(request, places, clock)
    return wait_for_end(handle, places, control or JobControl(), report=request.report)


def start_test_run(request: RunRequest, places: Places, clock: Clock | None = None) -> RunHandle:
    """Start a test run without waiting, so that its log can be shown meanwhile.

    Raises:
        UsageError: The bundle has no script.
        StorageError: The run folder can't be written.
        CommandError: The Python can't be started.
    """
    limit_s = request.time_limit_s if request.time_limit_s is not None else USUAL_LIMIT_S.get(request.kind)
    return start_run(replace(request, time_limit_s=limit_s), places, clock, ends_with_pid=os.getpid())


def wait_for_end(
    handle: RunHandle, places: Places, control: JobControl, *, report: SystemReport | None = None
) -> RunResult:
    """Wait for the end of a run that was started; cancelling ends it.

    Args:
        report: This machine; lets the driver tell how much GPU memory the script took. None leaves that to the script.

    Raises:
        UnusableFileError: The run's folder is gone.
    """
    record = handle.record
    with ExitStack() as stack:
        peak = None
        if report is not None and report.recorded_from is None and report.gpus:
            peak = GpuPeak(LocalSource(report), lambda: process_tree(record.pid or 0), SystemClock())
            stack.callback(peak.stop)
            peak.start()
        latest = _latest_end(record)
        while is_watched(record):
            if control.wait_cancelled(LOOK_EVERY_S):
                return stop_run(record, places)
            if time.monotonic() > latest:
                stopped = stop_run(record, places, grace_s=0.0)
                meaning = Message("runner.timed-out", {"limit_s": record.time_limit_s or 0.0})
                return replace(stopped, state=RunState.TIMED_OUT, meaning=meaning)
        return read_result(handle.folder.path, gpu_peak_bytes=peak.peak_bytes if peak else None)


def _latest_end(record: RunRecord) -> float:
    """Give the moment (monotonic) by which a run that keeps its time limit has ended; never without a limit."""
    if record.time_limit_s is None:
        return math.inf
    return time.monotonic() + record.time_limit_s + GRACE_S[record.kind] + WATCHER_MARGIN_S
