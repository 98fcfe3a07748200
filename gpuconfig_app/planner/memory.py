"""Memory of one training step by part, with an interval, against what TensorFlow can have on the device.

``peak(b) = weights + slots + live(b) + scratch``. Weights and slots are exact. What lives beside them comes from traces
of the real training step (planner.network), what the allocator loses from replaying the step in a model of it, scratch
memory from published runs: no step of ours ran on a GPU, so the interval is wide until a run on the very card replaces
it (planner.calibration). The errors of the trace, of the allocator and of scratch memory are independent, so they add
up as the sides of a right angle do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit, Interval, MemoryPart, MemoryPartBytes, MemoryPrediction
from gpuconfig_app.core.system import MemoryInfo
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.knowledge.models import Scratch, TrainingFacts
from gpuconfig_app.planner.calibration import Calibration, MeasuredMemory, StepShape, measured_memory
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.network import FLOAT_BYTES, OPTIMIZER_NAMES, Network, StepCurve

# Slots that Keras 3 keeps for each trained weight, in float32 whatever the policy.
SLOTS = {Optimizer.SGD: 0, Optimizer.MOMENTUM: 1, Optimizer.RMSPROP: 1, Optimizer.ADAM: 2, Optimizer.ADAMW: 2}

# Replay of measured steps, kernels' scratch memory among the requests, on one best-fit region: bytes in use above live
# tensors (median), and the region's extent above them (nine in ten).
ROUNDING = 1.012
FRAGMENTED = 1.20

# With less than this share of them alive at the worst moment, gradients are not what it is about.
_FEW_GRADIENTS = 0.05

# Scratch of convolutions: none of ours was measured on a GPU. A public log shows 1.5 GiB for VGG16 at batch 48;
# cuDNN's own limit is 4 to 8 GiB, which no public run came near.
_CONVOLUTION_SHARE, _CONVOLUTION_MINIMUM, _CONVOLUTION_MAXIMUM = 0.06, 64 * MIB, 1 * GIB
_CONVOLUTION_HIGH_SHARE, _CONVOLUTION_HIGH_MINIMUM, _CONVOLUTION_HIGH_MAXIMUM = 0.20, 192 * MIB, 3 * GIB // 2
# Scratch of matrix products: cuBLAS takes 4 MiB, 32 MiB from compute capability 9.0 on (cuBLAS documentation).
_MATMUL, _MATMUL_HIGH = 4 * MIB, 64 * MIB

# XLA on a GPU allocates otherwise and was not measured; on a processor steps took up to 2.2 times as much.
_JIT_BAND = (0.6, 2.2)

# Without a reading of the free memory: what drivers hold back of the total they report.
_UNREAD_SHARE = 0.02

# Where a card shares the machine's memory, the system keeps this part of it.
_SHARED_KEPT_SHARE = 0.25


@dataclass(frozen=True, kw_only=True)
class DeviceMemory:
    """What TensorFlow can have on a device.

    Attributes:
        usable_bytes: None when the device's memory is not known.
        kept_free_bytes: The rest of the total.
        used_bytes: Held by other programs now, None when not read.
        limit_bytes: Limit to set instead of memory growth; only where the card shares the machine's memory.
    """

    total_bytes: int | None = None
    usable_bytes: int | None = None
    kept_free_bytes: int | None = None
    used_bytes: int | None = None
    limit_bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class StepMemory:
    """The memory of a workload's step as a function of the batch.

    Attributes:
        copies: Gradients are copied once more to be added over several cards.
        accumulation: Batches whose gradients make one update; above 1 they are kept, and the inputs of all wait on
            the card.
        input_bytes: Of one sample as the network gets it.
        calibrations: Runs of this very job on this kind of card, newest first.
    """

    network: Network
    optimizer: Optimizer
    precision: Precision = Precision.FLOAT32
    copies: bool = False
    accumulation: int = 1
    input_bytes: int = 0
    jit_compile: bool = False
    calibrations: tuple[Calibration, ...] = ()

    @property
    def curve(self) -> StepCurve:
        """Growth with the batch in this precision."""
        return self.network.curves[self.precision]

    def with_precision(self, precision: Precision) -> StepMemory:
        """Give the same step in another precision."""
        return replace(self, precision=precision)

    def with_accumulation(self, batches: int) -> StepMemory:
        """Give the same step with gradients kept over several batches."""
        return replace(self, accumulation=batches)

    @property
    def accumulates(self) -> bool:
        """Whether gradients are kept over several batches."""
        return self.accumulation > 1

    @property
    def weight_bytes(self) -> int:
        """Weights in float32; a mixed policy keeps them so."""
        return self.network.params * FLOAT_BYTES

    @property
    def gradient_bytes(self) -> int:
        """Gradients in float32."""
        return self.network.trainable_params * FLOAT_BYTES

    @property
    def slot_bytes(self) -> int:
        """Slots of the optimizer, exact; gradients that are kept over several batches are one slot more."""
        return self.gradient_bytes * (SLOTS[self.optimizer] + (1 if self.accumulates else 0))

    def predict(self, batch: int, device: DeviceMemory) -> MemoryPrediction:
        """Predict one replica's memory for a batch, with what the device has."""
        live = self.live_bytes(batch)
        copies = self.gradient_bytes if self.copies else 0
        fixed = self.weight_bytes + self.slot_bytes + copies
        scratch, scratch_high = scratch_bytes(self.network.scratch, live)
        expected = fixed + live * ROUNDING + scratch
        alive, curve = fixed + live, self.curve
        moving = curve.at(batch)
        below, above = moving - curve.low_at(batch), curve.high_at(batch) - moving
        low = max(fixed, expected - math.hypot(below, scratch))
        holes = max(alive * (curve.extent - 1), live * (FRAGMENTED - 1)) - live * (ROUNDING - 1)
        high = expected + math.hypot(above, max(0.0, holes), scratch_high - scratch)
        if self.jit_compile:
            low, high = low * _JIT_BAND[0], high * _JIT_BAND[1]
        source, measured_at = "rules" if curve.basis == "rules" else "trace", None
        measured = self._measured(batch, "growth" if device.limit_bytes is None else "limit")
        if measured is not None:
            expected, low, high = measured.total.expected, measured.total.low, measured.total.high
            source, measured_at = "measured", measured.nearest.measured_at or None
        total = Interval(low=float(round(low)), expected=float(round(expected)), high=float(round(high)))
        return MemoryPrediction(
            parts=self._parts(batch, round(expected), live, copies, is_measured=measured is not None),
            total=total,
            usable_bytes=device.usable_bytes,
            kept_free_bytes=device.kept_free_bytes,
            device_total_bytes=device.total_bytes,
            fit=fit_of(total, device.usable_bytes),
            source=source,
            measured_at=measured_at,
        )

    def _measured(self, batch: int, regime: str) -> MeasuredMemory | None:
        """Give what runs on this machine say; None without one of this precision, with or without XLA as asked."""
        if not self.calibrations:
            return None
        curve = self.curve
        low_error, high_error = curve.errors
        shape = StepShape(
            line=lambda size: self.live_bytes(size) * ROUNDING,
            added=self._added_bytes,
            least=self.weight_bytes + self.gradient_bytes * SLOTS[self.optimizer],
            errors=(low_error, high_error + max(FRAGMENTED, curve.extent) - ROUNDING),
            regime=regime,
        )
        return measured_memory(self.calibrations, self.precision, batch, shape, jit_compile=self.jit_compile)

    def live_bytes(self, batch: int) -> float:
        """Give what moves with the batch; of an update in parts, the inputs of all parts wait on the card."""
        waiting = self.accumulation * batch * self.input_bytes if self.accumulates else 0
        return self.curve.at(batch) + waiting

    def _added_bytes(self, found: Calibration) -> float:
        """Give what gradients that are kept or copied, and waiting inputs, take here and did not in a measured run."""
        here = int(self.accumulates) + int(self.copies)
        gradients = self.gradient_bytes * (here - int(found.accumulation_steps > 1) - int(found.replicas > 1))
        batch = found.per_replica_batch
        there = self.with_accumulation(found.accumulation_steps)
        return gradients + (self.live_bytes(batch) - there.live_bytes(batch)) * ROUNDING

    def _parts(
        self, batch: int, total: int, live: float, copies: int, *, is_measured: bool
    ) -> tuple[MemoryPartBytes, ...]:
        """Divide the total; what rules cannot place goes to the workspace, so that the parts add up exactly."""
        network = self.network
        left = total
        sizes: dict[MemoryPart, int] = {}
        at_peak = round(self.curve.gradients_at(batch))
        gradients = at_peak + copies
        activations = round(live) - at_peak
        wanted = (
            (MemoryPart.WEIGHTS, self.weight_bytes),
            (MemoryPart.OPTIMIZER, self.slot_bytes),
            (MemoryPart.GRADIENTS, gradients),
            (MemoryPart.ACTIVATIONS, activations),
        )
        for part, size in wanted:
            sizes[part] = min(size, left)
            left -= sizes[part]
        sizes[MemoryPart.WORKSPACE] = left
        million = network.params / 1e6
        slots = SLOTS[self.optimizer] + (1 if self.accumulates else 0)
        reasons = {
            MemoryPart.WEIGHTS: Message("planner.memory-weights", {"millions": round(million, 2)}),
            MemoryPart.GRADIENTS: Message(
                _gradients_reason(at_peak, copies, self.gradient_bytes),
                {"millions": round(network.trainable_params / 1e6, 2)},
            ),
            MemoryPart.OPTIMIZER: Message(
                "planner.memory-slots" if slots else "planner.memory-no-slots",
                {"optimizer": OPTIMIZER_NAMES[self.optimizer], "count": slots},
            ),
            MemoryPart.ACTIVATIONS: Message(
                f"planner.memory-activations-{self.curve.basis}",
                {"batch": batch, "sample_bytes": round(self.curve.sample_bytes)},
            ),
            MemoryPart.WORKSPACE: Message(
                f"planner.memory-workspace-{'measured' if is_measured else network.scratch.value}"
            ),
        }
        return tuple(MemoryPartBytes(part=part, size_bytes=sizes[part], reason=reasons[part]) for part in MemoryPart)


def _gradients_reason(at_peak: int, copies: int, all_bytes: int) -> str:
    if copies:
        return "planner.memory-gradients-copied"
    return "planner.memory-gradients" if at_peak >= all_bytes * _FEW_GRADIENTS else "planner.memory-gradients-later"


def fit_of(total: Interval, usable_bytes: int | None) -> Fit:
    """Tell whether an interval lies below, across or above what can be used."""
    if usable_bytes is None:
        return Fit.UNKNOWN
    if total.high <= usable_bytes:
        return Fit.FITS
    return Fit.TOO_BIG if total.low > usable_bytes else Fit.MAY_FAIL


def card_memory(card: Card, host: MemoryInfo, facts: TrainingFacts, *, is_recorded: bool = False) -> DeviceMemory:
    """Give what TensorFlow can have on a card: what is free now, less the CUDA context and what TensorFlow leaves.

    Args:
        is_recorded: The readings are of another time; trainings that ran then are taken to have ended.
    """
    total = card.memory_total_bytes
    if card.gpu.memory_is_shared:
        return _shared_memory(total, host)
    if total is None:
        return DeviceMemory()
    free = card.memory_free_bytes
    if free is not None and is_recorded:
        free = min(total, free + training_bytes(card))
    used = None if free is None else max(0, total - free)
    if free is None:
        free = round(total * (1 - _UNREAD_SHARE))
    capability = card.compute_capability
    available = max(0, free - round(facts.number("context-bytes")))
    kept = facts.kept_free_bytes(capability.major if capability is not None else None, available)
    usable = max(0, available - kept)
    return DeviceMemory(total_bytes=total, usable_bytes=usable, kept_free_bytes=total - usable, used_bytes=used)


def training_bytes(card: Card) -> int:
    """Give what programs that compute hold of a card, as far as the driver tells."""
    return sum(
        process.memory_used_bytes or 0
        for process in card.gpu.processes or ()
        if process.kind == "compute" and (card.slice is None or process.mig_index == card.slice.index)
    )


def host_memory(host: MemoryInfo) -> int | None:
    """Give the memory that programs can have now: what is available, below a container's or WSL's limit."""
    known = [size for size in (host.available_bytes, host.limit_bytes) if size is not None]
    if known:
        return min(known)
    return None if host.total_bytes is None else host.total_bytes // 2


def processor_memory(host: MemoryInfo) -> DeviceMemory:
    """Give what a training on the processor can have."""
    usable = host_memory(host)
    total = host.limit_bytes or host.total_bytes
    kept = None if usable is None or total is None else max(0, total - usable)
    return DeviceMemory(total_bytes=total, usable_bytes=usable, kept_free_bytes=kept)


def scratch_bytes(scratch: Scratch, live: float) -> tuple[float, float]:
    """Give scratch memory of kernels for the live bytes of a step: expected and high."""
    if scratch is Scratch.MATMUL:
        return _MATMUL, _MATMUL_HIGH
    expected = min(_CONVOLUTION_MAXIMUM, max(_CONVOLUTION_MINIMUM, live * _CONVOLUTION_SHARE))
    high = min(_CONVOLUTION_HIGH_MAXIMUM, max(_CONVOLUTION_HIGH_MINIMUM, live * _CONVOLUTION_HIGH_SHARE))
    return expected, max(expected, high)


def _shared_memory(total: int | None, host: MemoryInfo) -> DeviceMemory:
    available = host_memory(host)
    known = [size for size in (total, available) if size is not None]
    if not known:
        return DeviceMemory(total_bytes=total)
    usable = round(min(known) * (1 - _SHARED_KEPT_SHARE))
    whole = total if total is not None else min(known)
    return DeviceMemory(
        total_bytes=whole, usable_bytes=usable, kept_free_bytes=max(0, whole - usable), limit_bytes=usable
    )
