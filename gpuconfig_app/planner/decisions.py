"""All decisions of one plan side by side, before they are put into words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import MemoryPrediction, TimePrediction
from gpuconfig_app.knowledge.models import TrainingFacts
from gpuconfig_app.planner.batch import BatchChoice
from gpuconfig_app.planner.devices import DeviceChoice
from gpuconfig_app.planner.memory import DeviceMemory, StepMemory
from gpuconfig_app.planner.network import Network
from gpuconfig_app.planner.pipeline import InputTime, PipelineChoice
from gpuconfig_app.planner.precision import PrecisionChoice
from gpuconfig_app.planner.safety import RateChoice
from gpuconfig_app.planner.strategy import StrategyChoice


@dataclass(frozen=True, kw_only=True)
class JitChoice:
    """Whether XLA compiles the step, and why."""

    jit_compile: bool
    reason: Message
    is_requested: bool = False
    warnings: tuple[Message, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """What was decided.

    Attributes:
        network: None when the model is not known.
        device: Memory of the poorest card used, or of the host.
        memory: None when the model or its precision is not known.
        input: How long the input of one update takes.
    """

    facts: TrainingFacts
    network: Network | None
    devices: DeviceChoice
    precision: PrecisionChoice
    strategy: StrategyChoice
    device: DeviceMemory
    jit: JitChoice
    memory: StepMemory | None
    batch: BatchChoice
    global_batch: int
    rate: RateChoice
    pipeline: PipelineChoice
    input: InputTime = field(default_factory=InputTime)
    time: TimePrediction = field(default_factory=TimePrediction)

    @property
    def memory_prediction(self) -> MemoryPrediction | None:
        """Memory of one replica with the batch chosen."""
        return None if self.memory is None else self.memory.predict(self.batch.per_replica, self.device)

    def with_time(self, time: TimePrediction) -> Decisions:
        """Give the same decisions with a predicted time."""
        return replace(self, time=time)
