"""Starting a bundle's script, finding runs again, ending them, and telling how they ended.

The script runs under a small watching probe (``resources/probes/run_script.py``) in the chosen Python, so that its exit
code is known even when the window was closed meanwhile.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gpuconfig_app.command import STDOUT, Process, end_process_tree, start_process, user_environment
from gpuconfig_app.core.calibration import Calibration
from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.errors import StorageError, UnusableFileError, UsageError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import is_file
from gpuconfig_app.core.plan import Interval, TrainingPlan
from gpuconfig_app.core.run_result import RunKind, RunRecord, RunResult, RunState
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target import is_target_name
from gpuconfig_app.resources import resource_path
from gpuconfig_app.runner.outcome import judge_run
from gpuconfig_app.runner.script_arguments import script_arguments
from gpuconfig_app.runner.watched_process import is_watched, script_pid, start_time, stop_watched
from gpuconfig_app.storage.places import Places
from gpuconfig_app.storage.runs import (
    RunFolder,
    load_record,
    load_result,
    new_run_folder,
    run_folders,
    save_record,
    save_result,
)

logger = logging.getLogger(__name__)
GRACE_S = {RunKind.SMOKE: 3.0, RunKind.TEST: 3.0, RunKind.TRAINING: 30.0}
SCRIPT = "train.py"


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """What to start.

    Attributes:
        bundle: Folder of the bundle; the script runs in it.
        python: Interpreter of the environment that has TensorFlow.
        plan: Gives the predictions that the result is compared with.
        arguments: Further arguments of the script, after those that ``kind`` asks for.
        time_limit_s: After it the script is ended; None for the usual one of ``kind`` (a training has none).
        report: This machine; lets the driver tell how much GPU memory a test run takes.
        extra_environment: Set on top of the user's own environment.
        about: Device and job as planned, so that what it measures can be kept; None keeps nothing.
    """

    bundle: Path
    python: str
    kind: RunKind = RunKind.TRAINING
    plan: TrainingPlan | None = None
    template_id: str = ""
    arguments: tuple[str, ...] = ()
    time_limit_s: float | None = None
    extra_environment: Mapping[str, str] = field(default_factory=dict)
    machine_id: str = "this"
    report: SystemReport | None = None
    about: Calibration | None = None


@dataclass(frozen=True)
class RunHandle:
    """A run that was started."""

    record: RunRecord
    folder: RunFolder


def start_run(
    request: RunRequest, places: Places, clock: Clock | None = None, *, ends_with_pid: int | None = None
) -> RunHandle:
    """Start a script; returns as soon as its process is there.

    Args:
        ends_with_pid: The run ends when this process, the caller's own, is gone; None lets it outlive everything.

    Raises:
        UsageError: The bundle has no script, or the Python is in WSL or a container.
        StorageError: The run folder can't be written.
        CommandError: The Python can't be started.
    """
    time_source = clock or SystemClock()
    bundle = request.bundle.absolute()
    if not is_file(bundle / SCRIPT):
        raise UsageError(Message("runner.no-script", {"path": str(bundle / SCRIPT)}))
    if is_target_name(request.python):
        raise UsageError(Message("runner.not-in-target", {"python": request.python}))
    folder = new_run_folder(places, time_source.now())
    command = (SCRIPT, *script_arguments(request.kind, folder, epoch_steps(request.plan)), *request.arguments)
    arguments = [request.python, str(resource_path("probes", "run_script.py")), "--folder", str(folder.path)]
    arguments += ["--grace", str(GRACE_S[request.kind])]
    if request.time_limit_s is not None:
        arguments += ["--time-limit", str(request.time_limit_s)]
    if ends_with_pid is not None:
        arguments += ["--parent", str(ends_with_pid)]
    process = _start([*arguments, "--", *command], bundle, folder, request.extra_environment)
    record = RunRecord(
        id=folder.id,
        kind=request.kind,
        bundle=str(bundle),
        python=request.python,
        command=command,
        pid=process.pid,
        pid_started_at=start_time(process.pid) or time_source.now(),
        started_at=time_source.now(),
        time_limit_s=request.time_limit_s,
        machine_id=request.machine_id,
        template_id=request.template_id,
        predicted=predictions(request.plan, request.kind),
        about=request.about if request.kind is not RunKind.SMOKE else None,
    )
    # Collects the ended process as long as this program lives; a daemon, so that it never delays the exit.
    threading.Thread(target=process.wait, name=f"run-{folder.id}", daemon=True).start()
    try:
        save_record(folder, record)
    except StorageError:
        end_process_tree(process.pid, grace_s=0.0)  # a run without a record could never be found again
        raise
    logger.info("run %s started: %s in %s", record.id, request.kind, bundle)
    return RunHandle(record, folder)


def find_runs(places: Places) -> tuple[RunRecord, ...]:
    """Give all runs that were started here, newest first; one whose record can't be read is left out and logged."""
    found = []
    for folder in run_folders(places):
        try:
            found.append(load_record(folder))
        except UnusableFileError as error:
            logger.warning("run %s: %s", folder.id, error)
    return tuple(found)


def run_folder(record: RunRecord, places: Places) -> Path:
    """Give the folder of a run."""
    return places.runs / record.id


def read_result(folder: Path, *, gpu_peak_bytes: int | None = None) -> RunResult:
    """Tell how a run stands or ended; asked again later it may tell more.

    Args:
        gpu_peak_bytes: GPU memory that the driver told of its processes, for a script that does not tell it itself.

    Raises:
        UnusableFileError: The folder holds no run.
    """
    files = RunFolder(folder)
    result = load_result(files)
    if result is not None:
        return result
    # In this order: a process seen alive may end while the files are read, never the other way round.
    record = load_record(files)
    is_alive = is_watched(record) or script_pid(files) is not None
    result = judge_run(record, files, is_alive=is_alive, gpu_peak_bytes=gpu_peak_bytes)
    if result.state is not RunState.RUNNING:
        try:
            save_result(files, result)
        except StorageError as error:
            logger.warning("result of run %s not kept: %s", record.id, error)
    return result


def stop_run(record: RunRecord, places: Places, grace_s: float | None = None) -> RunResult:
    """End a run and everything it started; blocks until nothing of it is left.

    Args:
        grace_s: Time for the script to save and end by itself; None for the usual one of its kind.

    Raises:
        UnusableFileError: The run's folder is gone.
    """
    folder = RunFolder(places.runs / record.id)
    stop_watched(record, folder, GRACE_S[record.kind] if grace_s is None else grace_s)
    return read_result(folder.path)


def predictions(plan: TrainingPlan | None, kind: RunKind) -> Mapping[str, Interval]:
    """Give what a plan promised, by the ids of ``Compared``; made-up data of a smoke run is compared with nothing."""
    if plan is None or kind is RunKind.SMOKE:
        return {}
    found = {
        "memory_peak_bytes": plan.memory.total if plan.memory is not None else None,
        "step_s": plan.time.step,
        "epoch_s": plan.time.epoch if kind is RunKind.TRAINING else None,
    }
    return {name: interval for name, interval in found.items() if interval is not None}


def epoch_steps(plan: TrainingPlan | None) -> int | None:
    """Give the updates of one epoch, None when the number of samples is not known."""
    if plan is None or plan.workload.sample_count is None:
        return None
    return max(1, plan.workload.sample_count // max(1, plan.global_batch))


def _start(arguments: list[str], bundle: Path, folder: RunFolder, extra: Mapping[str, str]) -> Process[bytes]:
    environment = {**user_environment(), "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", **extra}
    try:
        log = folder.log.open("wb")
    except OSError as error:
        detail = {"path": str(folder.log), "detail": str(error)}
        raise StorageError(Message("core.cannot-write", detail)) from error
    with log:
        return start_process(arguments, cwd=bundle, environment=environment, stdout=log.fileno(), stderr=STDOUT)
