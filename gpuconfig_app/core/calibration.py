"""What one run of a script measured: on which device, with which job, and how much memory and time it took."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from gpuconfig_app.core.record import JsonValue, Record, public_text
from gpuconfig_app.core.workload import Optimizer, Precision, Workload

# A measured number still moves: allocator order, driver, what else runs. Each doubling or halving of the batch away
# from the measured one adds as much again, and of a few steps the worst was not seen.
SPREAD = 0.05
ENOUGH_STEPS = 30
FEW_STEPS_FACTOR = 2.0
# Options of a model that say nothing of its shape.
_NO_SHAPE = frozenset({"patience"})


@dataclass(frozen=True, kw_only=True)
class Calibration(Record):
    """Measurements of one run, with what they depend on.

    Attributes:
        gpu_name: As the card tells; None when it ran on the processor.
        processor: Model name of the processor, for a run on it.
        threads: Threads of the processor that the run could use.
        device_bytes: Memory of the card or slice.
        driver: Version of the card's driver.
        model_options: What shapes the model; None for not told.
        output_units: Width of the head; None for not told.
        accumulation_steps: Batches that make one update.
        replicas: Cards that worked together.
        peak_bytes: ``get_memory_info("GPU:0")["peak"]`` after ``reset_memory_stats``, so without what choosing
            kernels took; None when not measured. Bytes in use, not what the allocator had reserved.
        first_peak_bytes: The same before the reset, with what choosing kernels took.
        driver_bytes: What the driver said of the process, None when not read.
        regime: How TensorFlow took the memory: ``growth``, ``one_region`` or ``limit``; ``host`` on the processor.
        step_s: Median time of one batch of one replica, waiting for data included; None when not measured.
        step_deviation: Half of what lies between the fastest and the slowest tenth, relative to ``step_s``.
        steps: Steps measured after the reset.
        ran_out_of_memory: The run failed for want of memory at this batch; nothing else of it counts.
        measured_at: When, UTC, ISO 8601.
        run_id: Of the run.
    """

    gpu_name: str | None = public_text()
    processor: str | None = public_text()
    threads: int | None = None
    device_bytes: int | None = None
    driver: str | None = public_text()
    tensorflow: str | None = public_text()
    template_id: str = public_text("")
    model_id: str = public_text("")
    model_options: Mapping[str, JsonValue] | None = field(default=None, metadata={"privacy": "public"})
    output_units: int | None = None
    precision: Precision
    optimizer: Optimizer
    input_shape: tuple[int, ...] = ()
    is_backbone_frozen: bool = False
    jit_compile: bool = False
    per_replica_batch: int = 1
    accumulation_steps: int = 1
    replicas: int = 1
    peak_bytes: int | None = None
    first_peak_bytes: int | None = None
    driver_bytes: int | None = None
    regime: str = public_text("growth")
    step_s: float | None = None
    step_deviation: float | None = None
    steps: int = 0
    ran_out_of_memory: bool = False
    measured_at: str = public_text("")
    run_id: str = public_text("")

    def is_about(self, workload: Workload, gpu_name: str | None, tensorflow: str | None) -> bool:
        """Whether it was measured with this job, kind of card and TensorFlow; precision and batch may differ."""
        return (
            self.template_id == workload.template_id
            and self.model_id == workload.model_id
            and (self.model_options is None or _shape(self.model_options) == _shape(workload.model_options))
            and self.output_units in (None, workload.output_units)
            and self.optimizer is workload.optimizer
            and self.input_shape == workload.input_shape
            and self.is_backbone_frozen == workload.is_backbone_frozen
            and self.gpu_name == gpu_name
            and (tensorflow is None or self.tensorflow == tensorflow)
        )

    def spread(self, batch: int) -> float:
        """Give the relative half width of the interval around a memory prediction for another batch."""
        distance = abs(math.log2(max(batch, 1) / max(self.per_replica_batch, 1)))
        few = 1.0 if self.steps >= ENOUGH_STEPS else FEW_STEPS_FACTOR
        return SPREAD * few * (1 + distance)

    def time_spread(self, batch: int) -> float:
        """Give the same for the time of a step, at least as wide as the steps themselves differed."""
        return max(2 * self.spread(batch), self.step_deviation or 0.0)


def _shape(options: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: value for name, value in options.items() if name not in _NO_SHAPE}
