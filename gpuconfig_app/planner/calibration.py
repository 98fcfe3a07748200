"""What an earlier run on the same card measured; it replaces the estimate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gpuconfig_app.core.record import Record, public_text
from gpuconfig_app.core.workload import Optimizer, Precision, Workload

# A measured number still moves: allocator order, driver, what else runs. Each doubling or halving of the batch away
# from the measured one adds as much again.
SPREAD = 0.05


@dataclass(frozen=True, kw_only=True)
class Calibration(Record):
    """Measurements of one run.

    Attributes:
        gpu_name: As the card tells.
        tensorflow: Release that ran.
        peak_bytes: ``get_memory_info("GPU:0")["peak"]`` after ``reset_memory_stats``, so without what choosing
            kernels took; None when not measured.
        first_peak_bytes: The same before the reset, with what choosing kernels took.
        driver_bytes: What the driver said of the process, None when not read.
        regime: How TensorFlow took the memory: ``growth``, ``one_region`` or ``limit``.
        step_s: Median time of one step of one replica, None when not measured.
        steps: Steps measured after the reset.
        ran_out_of_memory: The run failed for want of memory at this batch; nothing else of it counts.
        measured_at: When, UTC, ISO 8601.
    """

    gpu_name: str | None = public_text()
    tensorflow: str | None = public_text()
    template_id: str = public_text("")
    model_id: str = public_text("")
    precision: Precision
    optimizer: Optimizer
    input_shape: tuple[int, ...] = ()
    is_backbone_frozen: bool = False
    jit_compile: bool = False
    per_replica_batch: int = 1
    peak_bytes: int | None = None
    first_peak_bytes: int | None = None
    driver_bytes: int | None = None
    regime: str = public_text("growth")
    step_s: float | None = None
    steps: int = 0
    ran_out_of_memory: bool = False
    measured_at: str = public_text("")

    def is_about(self, workload: Workload, gpu_name: str | None, tensorflow: str | None) -> bool:
        """Whether it was measured with this job, kind of card and TensorFlow; precision and batch may differ."""
        return (
            self.template_id == workload.template_id
            and self.model_id == workload.model_id
            and self.optimizer is workload.optimizer
            and self.input_shape == workload.input_shape
            and self.is_backbone_frozen == workload.is_backbone_frozen
            and self.gpu_name == gpu_name
            and (tensorflow is None or self.tensorflow == tensorflow)
        )

    def spread(self, batch: int) -> float:
        """Give the relative half width of the interval around a prediction for another batch."""
        distance = abs(math.log2(max(batch, 1) / max(self.per_replica_batch, 1)))
        return SPREAD * (1 + distance)
