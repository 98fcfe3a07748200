"""What ``make_plan()`` decides, each choice with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue, Record, path_text, pseudonym, public_text
from gpuconfig_app.core.workload import Precision, StrategyKind, Workload


@dataclass(frozen=True, kw_only=True)
class Interval(Record):
    """A prediction: most likely ``expected``, memory nine times in ten and time eight between ``low`` and ``high``."""

    low: float
    expected: float
    high: float


class MemoryPart(StrEnum):
    """Parts of the memory of one training step, in the order in which they are drawn."""

    WEIGHTS = "weights"
    GRADIENTS = "gradients"
    OPTIMIZER = "optimizer"
    ACTIVATIONS = "activations"
    WORKSPACE = "workspace"


class Fit(StrEnum):
    """Whether a plan fits into the memory: the interval lies below, across or above the limit."""

    FITS = "fits"
    MAY_FAIL = "may_fail"
    TOO_BIG = "too_big"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class MemoryPartBytes(Record):
    """Bytes of one part and why they are what they are."""

    part: MemoryPart
    size_bytes: int
    reason: Message | None = None


@dataclass(frozen=True, kw_only=True)
class MemoryPrediction(Record):
    """Memory of one replica.

    Attributes:
        parts: In drawing order; their sum is ``total.expected``.
        total: Bytes on the device while training.
        usable_bytes: What TensorFlow can have on that device now; None when unknown.
        kept_free_bytes: Card memory that TensorFlow leaves to the system, other processes included.
        device_total_bytes: As the driver reports it.
        source: ``rules``, ``trace``, ``measured``.
        measured_at: When a run on this machine measured it, UTC, ISO 8601; None when none did.
    """

    parts: tuple[MemoryPartBytes, ...] = ()
    total: Interval
    usable_bytes: int | None = None
    kept_free_bytes: int | None = None
    device_total_bytes: int | None = None
    fit: Fit = Fit.UNKNOWN
    source: str = public_text("rules")
    measured_at: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class TimePrediction(Record):
    """Time in seconds, None where nothing is known of the card.

    Attributes:
        step: One optimizer step on all replicas.
        epoch: One pass over the training data.
        training: All epochs.
        warm_up: What the first steps take beside, once: building the graph, choosing kernels, compiling.
        limited_by: ``compute``, ``memory_bandwidth``, ``input``, ``unknown``.
        measured_at: As for the memory.
    """

    step: Interval | None = None
    epoch: Interval | None = None
    training: Interval | None = None
    warm_up: Interval | None = None
    limited_by: str = public_text("unknown")
    source: str = public_text("rules")
    measured_at: str | None = public_text()


class ChoiceGroup(StrEnum):
    """Groups of the review table, in order."""

    HARDWARE = "hardware"
    NUMBERS = "numbers"
    INPUT = "input"
    SAFETY = "safety"


@dataclass(frozen=True, kw_only=True)
class Choice(Record):
    """One decision.

    Attributes:
        id: Stable, kebab case: ``devices``, ``strategy``, ``memory-growth``, ``precision``, ``batch``,
            ``accumulation``, ``learning-rate``, ``jit-compile``, ``readers``, ``cache``, ``shuffle``, ``checkpoint`` …
        value: Machine-readable.
        shown: The value in words.
        reason: Why.
        is_requested: The user insisted on it.
        step: Wizard step that changes it (``data``, ``model``, ``hardware``, ``training``).
    """

    id: str = public_text("")
    group: ChoiceGroup
    value: JsonValue = field(default=None, metadata={"privacy": "public"})
    shown: Message
    reason: Message
    is_requested: bool = False
    step: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class PlannedDevice(Record):
    """A card, or a slice, that the script will use.

    Attributes:
        uuid: Only when the plan is for this very machine and the script may name it.
        memory_total_bytes: Of the card or slice.
    """

    index: int
    name: str | None = public_text()
    uuid: str | None = pseudonym()
    mig_index: int | None = None
    memory_total_bytes: int | None = None
    compute_capability: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class InputPlan(Record):
    """tf.data settings.

    Attributes:
        parallel_calls: Decoding threads; 0 lets tf.data decide.
        prefetch_batches: Batches kept ready.
        cache: ``none``, ``memory`` or ``disk``.
        shuffle_buffer: Samples, 0 when not shuffled.
    """

    parallel_calls: int = 0
    prefetch_batches: int = 2
    cache: str = public_text("none")
    shuffle_buffer: int = 0


@dataclass(frozen=True, kw_only=True)
class MemoryMeasure(Record):
    """Something that would need less memory, or give more, with its price.

    What it saves is told at the batch one would like: the one asked for, or the one memory stands in the way of.

    Attributes:
        id: Stable, kebab case: ``other-programs``, ``accumulation``, ``smaller-batch``, ``precision``, ``optimizer``,
            ``smaller-input``, ``frozen-backbone``, ``narrower``, ``whole-card``, ``larger-card``, ``xla``.
        message: What to do and what it saves.
        effect: Which batch fits then.
        price: What it costs or gains in time.
        saved_bytes: Expected bytes less on the device, or more to use; None when it was never measured.
        total: Memory of one replica with it at the batch one would like, None when it was never measured.
        fit: Of that total.
        batch: Largest batch of one replica that surely fits with it, None when none does or nothing is known.
        time_factor: Time of one sample with it against now, at its batch; below 1 is faster, None when not predicted.
        changes_result: Another network or another optimizer results, not only another way to the same.
        change: Fields of the workload that do it (``requests.precision``, ``input_shape`` …); empty when no answer
            does.
        is_measured: Whether its numbers rest on measurements; False for XLA, which has none.
    """

    id: str = public_text("")
    message: Message
    effect: Message | None = None
    price: Message | None = None
    saved_bytes: int | None = None
    total: Interval | None = None
    fit: Fit = Fit.UNKNOWN
    batch: int | None = None
    time_factor: float | None = None
    changes_result: bool = False
    change: Mapping[str, JsonValue] = field(default_factory=dict, metadata={"privacy": "public"})
    is_measured: bool = True


@dataclass(frozen=True, kw_only=True)
class TrainingPlan(Record):
    """Everything a script needs to know, with the reasons for people.

    Attributes:
        global_batch: ``per_replica_batch × replicas × accumulation_steps``.
        memory_limit_bytes: Set instead of growth, None with growth.
        tensorflow_version: Release the script is written for, None when unknown (newest features are then avoided).
        machine_id: Machine it was made for.
        is_for_this_machine: UUIDs may be written into the script.
        warnings: What may go wrong.
        advice: What would change the plan, best first.
        is_memory_tight: The batch may not fit, is limited by memory, or takes most of it.
        measures: What would need less memory, best first; shown where memory is tight.
    """

    workload: Workload
    choices: tuple[Choice, ...] = ()
    devices: tuple[PlannedDevice, ...] = ()
    strategy: StrategyKind = StrategyKind.CPU
    precision: Precision = Precision.FLOAT32
    per_replica_batch: int = 1
    accumulation_steps: int = 1
    global_batch: int = 1
    learning_rate: float = 0.001
    jit_compile: bool = False
    memory_growth: bool = True
    memory_limit_bytes: int | None = None
    input: InputPlan = InputPlan()
    memory: MemoryPrediction | None = None
    time: TimePrediction = TimePrediction()
    tensorflow_version: str | None = public_text()
    keras_version: str | None = public_text()
    python: str | None = path_text()
    machine_id: str = public_text("this")
    is_for_this_machine: bool = False
    warnings: tuple[Message, ...] = ()
    advice: tuple[Message, ...] = ()
    is_memory_tight: bool = False
    measures: tuple[MemoryMeasure, ...] = ()

    @property
    def shown_measures(self) -> tuple[MemoryMeasure, ...]:
        """What to show beside the plan: nothing while there is memory to spare."""
        return self.measures if self.is_memory_tight else ()
