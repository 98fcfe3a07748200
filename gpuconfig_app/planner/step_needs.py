"""From the peaks of traced steps to what a card must have free, whether it fits, and the largest batch that does.

The tensors of a step are not all: the allocator leaves holes, kernels need scratch memory, the process a CUDA context,
and TensorFlow leaves a part of every card to the system. The errors of the parts are independent, so they add up as the
sides of a right angle do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpuconfig_app.core.model_memory import ByteInterval, CardFit, NeededParts
from gpuconfig_app.core.plan import Interval
from gpuconfig_app.core.system import MemoryInfo
from gpuconfig_app.knowledge.models import Scratch, TrainingFacts
from gpuconfig_app.planner.allocator import Regime, Request, least_limit_bytes, replay
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.liveness import PeakCurve, StepPeak, StepTraces
from gpuconfig_app.planner.memory import FRAGMENTED, card_memory, fit_of, scratch_bytes

# A dense convolution may take a cuDNN algorithm with scratch memory; a depthwise one has kernels of TensorFlow's own.
_CONVOLUTIONS = ("Conv2D", "Conv3D", "_FusedConv2D")

# Replay of measured steps, kernels' scratch memory among the requests, on one region: median of its extent above the
# live tensors; FRAGMENTED is what nine in ten stay below.
HOLES = 0.084

MOST_BATCH = 1_000_000
# TensorFlow simplifies the graph of one sample, which then is like no other.
_LARGE_BATCH = 32
_MOST_LOOKS = 4
KNOTS = tuple(4**power for power in range(9))


@dataclass(frozen=True, kw_only=True)
class StepNeeds:
    """The memory of a step as a function of the batch, from the steps that were traced.

    Attributes:
        interval: Tensors of the step with the batch that was asked for, all variables included.
        layout_bytes: What a card's own layout of convolutions adds to the peak, inside the interval.
        allocator_bytes: What the allocator takes beyond them, expected and high.
        batch: That batch.
        curve: Peaks by batch, None when too few batches were traced to tell.
    """

    interval: ByteInterval
    layout_bytes: int = 0
    allocator_bytes: tuple[int, int]
    batch: int
    curve: PeakCurve | None
    scratch: Scratch

    def peak_at(self, batch: int) -> int | None:
        """Give the peak for another batch, None where it can't be told."""
        if batch == self.batch:
            return self.interval.expected
        if self.curve is None:
            return None
        here = self.curve.at(self.batch)  # from one order of operations, the asked one from several
        return round(self.curve.at(batch) * self.interval.expected / max(1, here))

    def parts(self, context_bytes: int, kept_free_bytes: int) -> NeededParts:
        """Give what the asked step needs on a card."""
        workspace, _ = scratch_bytes(self.scratch, self.interval.expected)
        return NeededParts(
            step_bytes=self.interval.expected,
            layout_bytes=self.layout_bytes,
            allocator_bytes=self.allocator_bytes[0],
            workspace_bytes=round(workspace),
            context_bytes=context_bytes,
            kept_free_bytes=kept_free_bytes,
        )

    def taken(self, peak_bytes: int) -> Interval:
        """Give what a step with this peak takes of what TensorFlow can have: tensors, holes, scratch memory."""
        scale = peak_bytes / max(1, self.interval.expected)
        holes, holes_high = (size * scale for size in self.allocator_bytes)
        workspace, workspace_high = scratch_bytes(self.scratch, peak_bytes)
        tensors = peak_bytes + self.layout_bytes * scale
        expected = tensors + holes + workspace
        below, above = tensors - self.interval.low * scale, max(0.0, self.interval.high * scale - tensors)
        low = expected - math.hypot(below, holes, workspace)
        high = expected + math.hypot(above, holes_high - holes, workspace_high - workspace)
        return Interval(low=float(round(low)), expected=float(round(expected)), high=float(round(high)))

    def needed(self, context_bytes: int, kept_free_bytes: int) -> ByteInterval:
        """Give what must be free on a card for the asked step."""
        taken, rest = self.taken(self.interval.expected), context_bytes + kept_free_bytes
        expected = self.parts(context_bytes, kept_free_bytes).total
        return ByteInterval(low=round(taken.low) + rest, expected=expected, high=round(taken.high) + rest)

    def largest_batch(self, usable_bytes: int) -> int | None:
        """Give the largest batch that surely fits, 0 when none does, None where it can't be told."""
        if self.curve is None:
            return None

        def has_room(batch: int) -> bool:
            peak = self.peak_at(batch)
            return peak is not None and self.taken(peak).high <= usable_bytes

        if not has_room(1):
            return 0
        low, high = 1, MOST_BATCH + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if has_room(middle) else (low, middle)
        return low


def needs_of(peak: StepPeak, curve: PeakCurve | None, scratch: Scratch) -> StepNeeds:
    """Give what a step needs from its peak; ``curve`` tells the other batches."""
    return StepNeeds(
        interval=ByteInterval(low=peak.low_bytes, expected=peak.peak_bytes, high=peak.high_bytes),
        layout_bytes=max(0, (peak.laid_out_bytes or 0) - peak.peak_bytes),
        allocator_bytes=_allocator_bytes(peak),
        batch=peak.batch,
        curve=curve,
        scratch=scratch,
    )


def _allocator_bytes(peak: StepPeak) -> tuple[int, int]:
    """Give what the allocator takes: of this very step, and no less than measured steps with their scratch memory."""
    expected, high = allocator_bytes(peak.allocations)
    moving = max(0, peak.peak_bytes - peak.parts.weights_bytes - peak.parts.slots_bytes)
    expected = max(expected, round(moving * HOLES))
    return expected, max(expected, high, round(moving * (FRAGMENTED - 1)))


def allocator_bytes(allocations: Sequence[Request]) -> tuple[int, int]:
    """Give what the allocator takes beyond the live tensors of a step: in one region, and at most with growth.

    Args:
        allocations: What is resident first, then the step.
    """
    resident, step = _resident(allocations)
    whole = replay(resident, step)
    growth = least_limit_bytes(resident, step, regime=Regime.GROWTH)
    expected = max(0, whole.extent_bytes - whole.live_peak_bytes)
    return expected, max(expected, growth - whole.live_peak_bytes)


def _resident(allocations: Sequence[Request]) -> tuple[list[int], list[Request]]:
    """Take what is there all the time out of the requests of a step."""
    released = {name for name, size in allocations if not size}
    resident = [size for name, size in allocations if size and name not in released]
    return resident, [(name, size) for name, size in allocations if name in released]


def traced_batches(batch: int) -> tuple[int, ...]:
    """Give the batches to trace, the asked one first; two whose graphs are alike tell every other batch."""
    large = max(_LARGE_BATCH, 2 * batch)
    return (batch, large) if batch > 1 else (batch, large, _LARGE_BATCH // 4)


def curve_of(traces: StepTraces, batch: int) -> PeakCurve | None:
    """Give the peaks by batch, exact at the asked one; None when too few batches were traced to tell."""
    return traces.curve(sorted({*KNOTS, batch}))


def scratch_of(kinds: Sequence[str]) -> Scratch:
    """Tell which scratch memory the kernels of a step need, from the kinds of its operations."""
    return Scratch.CONVOLUTION if any(kind.startswith(_CONVOLUTIONS) for kind in kinds) else Scratch.MATMUL


def largest_kept_free(facts: TrainingFacts) -> int:
    """Give the most that TensorFlow leaves free on any card; for a card that is not named."""
    return max(row.size_bytes for row in facts.kept_free)


def fit_on_card(
    needs: StepNeeds,
    card: Card,
    host: MemoryInfo,
    facts: TrainingFacts,
    *,
    needs_at: Callable[[int], StepNeeds | None] = lambda _: None,
    is_recorded: bool = False,
) -> CardFit:
    """Say whether the asked step fits on a card, and how much it needs there.

    Args:
        needs_at: Gives the needs of another batch's own step, so that the largest batch fits its own prediction.
        is_recorded: The readings are of another time.
    """
    device = card_memory(card, host, facts, is_recorded=is_recorded)
    capability = card.compute_capability
    context, usable = round(facts.number("context-bytes")), device.usable_bytes
    free = max(0, (device.total_bytes or 0) - (device.used_bytes or 0) - context)
    kept = facts.kept_free_bytes(capability.major if capability else None, free)
    taken = needs.taken(needs.interval.expected)
    fit = fit_of(taken, usable)
    return CardFit(
        index=card.gpu.index,
        name=card.name,
        mig_index=card.slice.index if card.slice is not None else None,
        memory_total_bytes=device.total_bytes,
        free_bytes=_free_bytes(device.total_bytes, device.used_bytes),
        usable_bytes=usable,
        kept_free_bytes=kept,
        needed_bytes=needs.parts(context, kept).total,
        fit=fit,
        largest_batch=None if usable is None else _largest_batch(needs, usable, needs_at),
    )


def _largest_batch(needs: StepNeeds, usable: int, needs_at: Callable[[int], StepNeeds | None]) -> int | None:
    """Give the largest batch whose own step fits, looked for from what the asked step tells."""
    found = candidate = needs.largest_batch(usable)
    is_sure = False
    for _ in range(_MOST_LOOKS):
        own = needs_at(candidate) if candidate else None
        if candidate is None or own is None:
            break
        following = own.largest_batch(usable) or 0
        if own.taken(own.interval.expected).high <= usable:
            found, is_sure, candidate = candidate, True, following
        else:
            candidate = min(candidate - 1, following)
            found = found if is_sure else candidate
        if is_sure and (found is None or candidate <= found):
            break
    if found is not None and needs.taken(needs.interval.expected).high <= usable:
        return max(found, needs.batch)
    return found


def _free_bytes(total: int | None, used: int | None) -> int | None:
    return None if total is None or used is None else max(0, total - used)
