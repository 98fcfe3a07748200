"""What really happened when a script was run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.calibration import Calibration
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Interval
from gpuconfig_app.core.record import Record, path_text, public_text


class RunKind(StrEnum):
    """Why a script was started."""

    SMOKE = "smoke"
    TEST = "test"
    TRAINING = "training"


class RunState(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"
    VANISHED = "vanished"


@dataclass(frozen=True, kw_only=True)
class Compared(Record):
    """A measured number beside its prediction.

    Attributes:
        id: ``memory_peak_bytes``, ``step_s``, ``epoch_s``.
        measured: None when it could not be measured (``reason`` says why).
        is_inside: The measured value lies in the predicted interval; None when either is missing.
    """

    id: str = public_text("")
    predicted: Interval | None = None
    measured: float | None = None
    is_inside: bool | None = None
    reason: Message | None = None


@dataclass(frozen=True, kw_only=True)
class RunRecord(Record):
    """A run as its folder tells it; survives the window.

    Attributes:
        id: Folder name, sorts by time.
        pid: Of the process that watches over the script and outlives the window.
        pid_started_at: Start time of that process (seconds since the epoch), so that a reused pid is not taken for it.
        bundle: Folder of the bundle.
        command: Script and arguments as started.
        predicted: What the plan promised, by the ids of ``Compared``.
        about: Device and job as planned, without measurements; None when what it measures is not to be kept.
    """

    id: str = public_text("")
    kind: RunKind
    bundle: str = path_text("")
    python: str = path_text("")
    command: tuple[str, ...] = ()
    pid: int | None = None
    pid_started_at: float | None = None
    started_at: float = 0.0
    time_limit_s: float | None = None
    machine_id: str = public_text("this")
    template_id: str = public_text("")
    predicted: Mapping[str, Interval] = field(default_factory=dict)
    about: Calibration | None = None


@dataclass(frozen=True, kw_only=True)
class RunResult(Record):
    """How a run ended.

    Attributes:
        exit_code: None while running or when it can't be known any more.
        meaning: What the exit code means, in a sentence.
        devices: Devices the script says it used.
        metrics: Last value by name (``val_accuracy`` …).
        compared: Measured against predicted.
        driver_peak_bytes: Largest GPU memory of its processes as the driver told it; None when nobody looked.
        log: Path of the log file.
    """

    run_id: str = public_text("")
    state: RunState
    exit_code: int | None = None
    meaning: Message | None = None
    started_at: float = 0.0
    duration_s: float | None = None
    devices: tuple[str, ...] = field(default=(), metadata={"privacy": "public"})
    metrics: Mapping[str, float] = field(default_factory=dict)
    compared: tuple[Compared, ...] = ()
    driver_peak_bytes: int | None = None
    log: str = path_text("")
    last_lines: tuple[str, ...] = ()
