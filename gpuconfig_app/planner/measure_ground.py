"""What measures against too little memory are compared with: the plan as it is, at its batch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit, Interval, MemoryMeasure
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.workload import Optimizer, Precision, Workload
from gpuconfig_app.planner.batch import sensible_limit
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.decisions import Decisions
from gpuconfig_app.planner.largest_batch import rounded, safe_batch
from gpuconfig_app.planner.memory import DeviceMemory, StepMemory, fit_of, host_memory
from gpuconfig_app.planner.network import FLOAT_BYTES, Network, describe_network
from gpuconfig_app.planner.request import PlanRequest
from gpuconfig_app.planner.throughput import Pace, predict_time

# Less than this is within what nobody would notice.
_NOTABLE_TIME_PCT = 3

# From this part of the usable memory on, the next change may be the one that does not fit.
_TIGHT_SHARE = 0.8
_MEMORY_REASONS = (
    "planner.batch-memory",
    "planner.batch-memory-blocks",
    "planner.batch-one-may-fail",
    "planner.batch-failed-before",
    "planner.batch-one-failed",
)


@dataclass(frozen=True, kw_only=True)
class Way:
    """What is done otherwise; None leaves it as planned."""

    network: Network | None = None
    workload: Workload | None = None
    precision: Precision | None = None
    optimizer: Optimizer | None = None
    accumulation: int | None = None


def is_memory_tight(decisions: Decisions) -> bool:
    """Whether the batch may not fit, is limited by memory, or takes most of it."""
    predicted = decisions.memory_prediction
    if predicted is None or predicted.usable_bytes is None:
        return False
    is_limited = decisions.batch.reason.id in _MEMORY_REASONS
    return is_limited or predicted.fit is not Fit.FITS or predicted.total.high > _TIGHT_SHARE * predicted.usable_bytes


@dataclass(frozen=True)
class Ground:
    """The plan as it is.

    Attributes:
        memory: By our lines alone; what was measured on this machine comes in as ``scale``.
        scale: Measured against predicted memory of the plan.
        wanted: The batch of one replica that one would like: the one asked for, or what would be sensible.
    """

    request: PlanRequest
    decisions: Decisions
    network: Network
    memory: StepMemory
    scale: float
    wanted: int

    @property
    def workload(self) -> Workload:
        """The job."""
        return self.request.workload

    @property
    def cards(self) -> tuple[Card, ...]:
        """Cards that are used."""
        return self.decisions.strategy.cards

    @property
    def batch(self) -> int:
        """The batch of the plan."""
        return self.decisions.batch.per_replica

    @property
    def device(self) -> DeviceMemory:
        """What the poorest card has."""
        return self.decisions.device

    @cached_property
    def total(self) -> Interval:
        """Memory of the plan."""
        return self.need(Way(), self.batch)

    @property
    def is_limited(self) -> bool:
        """Whether the planner chose a smaller batch than would be sensible."""
        return self.batch < self.wanted

    @property
    def fit(self) -> Fit:
        """Whether that fits."""
        return fit_of(self.total, self.device.usable_bytes)

    def need(self, way: Way, batch: int) -> Interval:
        """Give the memory of one replica when something is done otherwise."""
        found = self._memory(way).predict(batch, DeviceMemory()).total
        return Interval(
            low=round(found.low * self.scale),
            expected=round(found.expected * self.scale),
            high=round(found.high * self.scale),
        )

    def saved(self, way: Way, size: int | None = None) -> int:
        """Give the bytes expected to be saved at the plan's batch, or with batches of ``size`` instead."""
        return int(self.total.expected - self.need(way, size or self.batch).expected)

    def safe_size(self, way: Way, device: DeviceMemory | None = None) -> int | None:
        """Give the largest batch up to the one wanted that surely fits, away from what failed before."""
        room = device or self.device
        usable = None if room.usable_bytes is None else int(room.usable_bytes / self.scale)
        room, memory = DeviceMemory(usable_bytes=usable), self._memory(way)
        failed = () if way.network is not None else self.decisions.batch.failed
        size = safe_batch(memory, room, failed, self.wanted)
        is_only_rounded = not failed and size == rounded(self.wanted)
        if is_only_rounded and memory.predict(self.wanted, room).fit is Fit.FITS:
            return self.wanted  # asked for as it is, no multiple of eight
        return size

    def measure(
        self,
        name: str,
        message: Message,
        way: Way,
        *,
        size: int | None = None,
        changes_result: bool = False,
        change: Mapping[str, JsonValue] | None = None,
    ) -> MemoryMeasure | None:
        """Put a measure together; None when it saves nothing, or leads to no larger batch where that was wanted.

        Args:
            size: Batch that is part of the measure, None when it leaves the plan's.
        """
        saved, batch = self.saved(way, size), size or self.safe_size(way)
        leads_nowhere = size is None and self.is_limited and self.fit is Fit.FITS and (batch or 0) <= self.batch
        if saved <= 0 or leads_nowhere:
            return None
        total = self.need(way, size or self.batch)
        return self.made(
            MemoryMeasure(
                id=name,
                message=message,
                saved_bytes=saved,
                total=total,
                fit=fit_of(total, self.device.usable_bytes),
                batch=batch,
                time_factor=self.time_factor(way, batch),
                changes_result=changes_result,
                change=change or {},
            )
        )

    def made(self, measure: MemoryMeasure) -> MemoryMeasure:
        """Add effect and price in words."""
        effect: Message | None
        if measure.batch is None:
            effect = Message("measures.not-enough")
        elif measure.batch < self.batch:
            is_part_of_it = measure.id in ("accumulation", "smaller-batch")
            numbers = {"batch": measure.batch, "wanted": self.batch}
            effect = None if is_part_of_it else Message("measures.fits-less", numbers)
        else:
            effect = Message("measures.fits", {"batch": measure.batch})
        return replace(measure, effect=effect, price=_price(measure.time_factor))

    def time_factor(self, way: Way, batch: int | None, card: Card | None = None) -> float | None:
        """Give the time of one sample against the plan's, None where no speed is known.

        Args:
            card: Another card than the plan's, None for the slowest of those.
        """
        before, after = self._planned_sample_s, self._sample_s(way, batch or self.batch, card)
        return None if before is None or after is None else after / before

    @cached_property
    def _planned_sample_s(self) -> float | None:
        return self._sample_s(Way(), self.batch)

    def _memory(self, way: Way) -> StepMemory:
        changed = self.memory
        if way.network is not None and way.workload is not None:
            size = math.prod(way.workload.input_shape) * FLOAT_BYTES
            changed = replace(changed, network=way.network, input_bytes=size)
        if way.precision is not None:
            changed = changed.with_precision(way.precision)
        if way.optimizer is not None:
            other = describe_network(replace(self.workload, optimizer=way.optimizer), self.decisions.facts)
            changed = replace(changed, optimizer=way.optimizer, network=other or changed.network)
        if way.accumulation is not None:
            changed = changed.with_accumulation(way.accumulation)
        return changed

    def _sample_s(self, way: Way, batch: int, card: Card | None = None) -> float | None:
        """Estimate the time of one sample in seconds, by rules on both sides so that they can be compared."""
        if not self.cards:
            return None
        steps = way.accumulation or self.decisions.batch.accumulation
        pace = Pace(
            per_replica_batch=batch,
            replicas=len(self.cards),
            accumulation_steps=steps,
            epochs=1,
            sample_count=None,
            jit_compile=self.decisions.jit.jit_compile,
        )
        slowest = card or min(self.cards, key=lambda item: item.best_peak_flops)
        precision = way.precision or self.decisions.precision.precision
        step = predict_time(way.network or self.network, slowest, precision, pace, self.decisions.facts).step
        return None if step is None else step.expected / (batch * len(self.cards) * steps)


def stand_on(request: PlanRequest, decisions: Decisions) -> Ground | None:
    """Give the ground of a plan; None when its memory, or the device's, is not known."""
    memory, network, now = decisions.memory, decisions.network, decisions.memory_prediction
    if memory is None or network is None or now is None or decisions.device.usable_bytes is None:
        return None
    wanted = decisions.batch.per_replica
    if not decisions.batch.is_requested:
        replicas, host = max(1, len(decisions.strategy.cards)), host_memory(request.report.host.memory)
        limit, _ = sensible_limit(request.workload, replicas, host, has_cards=bool(decisions.strategy.cards))
        wanted = max(wanted, rounded(limit))
    rules = replace(memory, calibrations=())
    predicted = rules.predict(decisions.batch.per_replica, DeviceMemory()).total.expected
    return Ground(request, decisions, network, rules, now.total.expected / predicted, wanted)


def _price(time_factor: float | None) -> Message:
    if time_factor is None:
        return Message("measures.time-unknown")
    percent = round(100 * (time_factor - 1))
    if abs(percent) < _NOTABLE_TIME_PCT:
        return Message("measures.time-same")
    if percent > 0:
        return Message("measures.time-longer", {"percent": percent})
    return Message("measures.time-shorter", {"percent": -percent})
