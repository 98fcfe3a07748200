"""What ``gpuconfig memory`` tells of a training step of any Keras model: parts, interval, and on which card it fits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit
from gpuconfig_app.core.record import Record, path_text, public_text
from gpuconfig_app.core.workload import Optimizer, Precision


class PeakSource(StrEnum):
    """What the peak was told from."""

    TRACE = "trace"
    LAYERS = "layers"


class NotPossibleError(GpuConfigError):
    """The question is fine, yet it can't be answered here: no TensorFlow in that Python, the process was ended."""


@dataclass(frozen=True, kw_only=True)
class ByteInterval(Record):
    """Bytes: between ``low`` and ``high`` nine times in ten, most likely ``expected``."""

    low: int
    expected: int
    high: int


@dataclass(frozen=True, kw_only=True)
class StepParts(Record):
    """What is alive at the worst moment of a step; the sum is the peak of the step.

    Attributes:
        weights: All weights, also those that are not trained.
        gradients: Of the loss, by weight.
        slots: What the optimizer keeps, and the counters of metrics.
        activations: Outputs of layers that the way back needs, and the batch.
        temporaries: Everything else.
    """

    weights: int
    gradients: int
    slots: int
    activations: int
    temporaries: int

    @property
    def total(self) -> int:
        """Sum of all parts."""
        return self.weights + self.gradients + self.slots + self.activations + self.temporaries


@dataclass(frozen=True, kw_only=True)
class NeededParts(Record):
    """What a card must have free, beside the tensors of the step.

    Attributes:
        step_bytes: Tensors of the step.
        layout_bytes: Copies in the card's own layout of convolutions.
        allocator_bytes: Holes and rounding of TensorFlow's allocator.
        workspace_bytes: Scratch memory of kernels.
        context_bytes: Driver and CUDA context of the process.
        kept_free_bytes: What TensorFlow leaves to the system.
    """

    step_bytes: int
    layout_bytes: int
    allocator_bytes: int
    workspace_bytes: int
    context_bytes: int
    kept_free_bytes: int

    @property
    def total(self) -> int:
        """Sum of all parts."""
        tensors = self.step_bytes + self.layout_bytes
        return tensors + self.allocator_bytes + self.workspace_bytes + self.context_bytes + self.kept_free_bytes


@dataclass(frozen=True, kw_only=True)
class CardFit(Record):
    """Whether the step fits on one card or slice.

    Attributes:
        index: Of the card, as the driver counts.
        mig_index: Of the slice on it, None for the whole card.
        free_bytes: Free now; of a recorded machine with the trainings of then taken to have ended.
        usable_bytes: What TensorFlow can have of that, None when not known.
        kept_free_bytes: What TensorFlow leaves to the system on this card.
        needed_bytes: What must be free for this card.
        largest_batch: Largest batch that fits, 0 when not even one sample does, None when it can't be told.
    """

    index: int
    name: str = public_text("")
    mig_index: int | None = None
    memory_total_bytes: int | None = None
    free_bytes: int | None = None
    usable_bytes: int | None = None
    kept_free_bytes: int = 0
    needed_bytes: int
    fit: Fit = Fit.UNKNOWN
    largest_batch: int | None = None


@dataclass(frozen=True, kw_only=True)
class ModelMemory(Record):
    """The whole answer.

    Attributes:
        loss: ``own`` for the one the model was compiled with, else the name of the one that was taken.
        source: The traced step, or only its layers: then all of this is rough.
        step_peak_bytes: Highest sum of the step's tensors, weights and slots included.
        interval_bytes: Where that lies; very wide for XLA, which was not measured.
        needed_bytes: What a card must have free, as far as that can be told without knowing which.
        needed_interval_bytes: Where that lies.
        machine: Name of the recorded machine, None for this one.
        warnings: What to know about these numbers.
    """

    model: str = path_text("")
    batch: int
    precision: Precision
    optimizer: Optimizer
    jit: bool = False
    loss: str = public_text("")
    tensorflow: str = public_text("")
    keras: str = public_text("")
    python: str = path_text("")
    source: PeakSource = PeakSource.TRACE
    step_peak_bytes: int
    interval_bytes: ByteInterval
    parts: StepParts
    needed_bytes: int
    needed_interval_bytes: ByteInterval
    needed_parts: NeededParts
    machine: str | None = public_text()
    fit: tuple[CardFit, ...] = ()
    warnings: tuple[Message, ...] = ()
