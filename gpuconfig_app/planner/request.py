"""What a plan is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.disk_speed import DiskSpeed
from gpuconfig_app.core.errors import WorkloadError
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.planner.calibration import Calibration


@dataclass(frozen=True, kw_only=True)
class PlanRequest:
    """Everything ``make_plan`` looks at.

    Attributes:
        workload: The job.
        report: The machine, this one or a recorded one.
        dataset: What the scan found, None for made-up data.
        compat: Verdict for this machine and environment, None when it was not asked.
        python: Environment that will run the script, None when none is chosen.
        calibrations: What earlier runs on this machine measured, newest first; also those that ran out of memory.
        is_for_this_machine: UUIDs may be written into the script.
    """

    workload: Workload
    report: SystemReport
    dataset: DatasetFacts | None = None
    compat: CompatReport | None = None
    python: PythonEnvironment | None = None
    calibrations: tuple[Calibration, ...] = ()
    is_for_this_machine: bool = False

    @property
    def disk_speed(self) -> DiskSpeed | None:
        """How fast the data were read, None when that was not measured."""
        return self.dataset.disk_speed if self.dataset is not None else None


def check_workload(workload: Workload) -> None:
    """Refuse numbers that no training can have.

    Raises:
        WorkloadError: A side, a count or a requested number is below 1, or the input has no shape.
    """
    requests = workload.requests
    counts = {
        "output_units": workload.output_units,
        "epochs": workload.epochs,
        "per_replica_batch": requests.per_replica_batch,
        "accumulation_steps": requests.accumulation_steps,
    }
    for name, value in counts.items():
        if value is not None and value < 1:
            raise WorkloadError(Message("planner.number-below-one", {"name": name, "value": value}))
    if not workload.input_shape or min(workload.input_shape) < 1:
        raise WorkloadError(Message("planner.no-input-shape", {"shape": " × ".join(map(str, workload.input_shape))}))
    if requests.learning_rate is not None and not 0 < requests.learning_rate < float("inf"):
        raise WorkloadError(Message("planner.learning-rate-not-positive", {"value": requests.learning_rate}))
