"""Peak memory of a training step from its graph, with parts, an interval, and any other batch by straight lines.

The peak is all variables, the batch, and the highest sum of tensors alive at one moment, each in the allocator's
multiples of 256 bytes; kernels' scratch memory and what an allocator loses are not in it. When a tensor dies depends on
what runs first, and a GPU and a processor differ in that: both orders are followed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gpuconfig_app.core.step_graph import StepGraph, VariableRole
from gpuconfig_app.planner.liveness_batches import pair_up
from gpuconfig_app.planner.liveness_memory import NOTHING, Memory, rounded
from gpuconfig_app.planner.liveness_order import Order
from gpuconfig_app.planner.liveness_walk import Walk
from gpuconfig_app.planner.liveness_wiring import wire

# Orders of a processor that are tried.
_SEEDS = (1, 2, 3, 4)

# A guessed tensor that is smaller than this share of the peak changes nothing.
_GUESS_MATTERS = 0.005

# A knot that is nearer to the straight line than this share of it tells nothing.
_STRAIGHT = 0.001

# Where a curve has its knots when nothing else is asked for.
CURVE_BATCHES = tuple(2**power for power in range(14))

# Relative errors, low and high. Graphs that can be followed were exact on the tuned part of the truth set
# (tests/memory_report.py); what is left is what a GPU may do otherwise than the processor that was measured on. Where
# TensorFlow may lay out convolutions anew and that graph is not there, it adds transposes; where a part of the graph
# cannot be followed, nobody knows. What XLA makes of a step was between 0.9 and 2.2 times the step without it, on a
# processor; on a GPU it was not measured.
_BAND = (0.03, 0.05)
_LAYOUT, _LAYOUT_VIDEO = 0.18, 0.32
_BAND_OPEN = (0.25, 0.50)
_BAND_XLA = (0.40, 1.20)

_SLOT_ROLES = frozenset({VariableRole.SLOT, VariableRole.OPTIMIZER})
_CONVOLUTIONS = frozenset({"Conv2D", "Conv3D", "_FusedConv2D"})
# Loops, and pieces that TensorFlow compiles apart with XLA, as Keras does with grouped convolutions: what those need
# inside is not in the graph.
_HIDDEN = frozenset({"LoopCond", "PartitionedCall", "StatefulPartitionedCall", "StatelessWhile", "While"})


@dataclass(frozen=True, kw_only=True)
class PeakParts:
    """What the peak is made of; the parts add up to it.

    Attributes:
        weights_bytes: All variables of the model and its metrics.
        slots_bytes: All variables of the optimizer.
        gradients_bytes: Gradients that wait for the update of their weights.
        activations_bytes: The batch and what the forward pass keeps for the backward pass.
        temporaries_bytes: The rest: gradients of activations, the update's own results.
    """

    weights_bytes: int
    slots_bytes: int
    gradients_bytes: int
    activations_bytes: int
    temporaries_bytes: int


@dataclass(frozen=True, kw_only=True)
class StepPeak:
    """Peak memory of one training step.

    Attributes:
        peak_bytes: Expected.
        low_bytes: Lower end of the interval, never below what is resident all the time.
        high_bytes: Upper end of the interval.
        gpu_order_bytes: Peak when operations start first come, first served.
        processor_order_bytes: Peak when the latest starts first.
        laid_out_bytes: Peak with a GPU's layout of convolutions, None when that graph was not given.
        operation: Name of the operation at the peak, its kind where the graph has no names, empty before the first.
        allocations: The whole step as (number, bytes) for an allocation and (number, 0) for its release, variables and
            batch first.
    """

    batch: int
    peak_bytes: int
    low_bytes: int
    high_bytes: int
    gpu_order_bytes: int
    processor_order_bytes: int
    laid_out_bytes: int | None
    parts: PeakParts
    operation: str
    allocations: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class PeakCurve:
    """Peak memory as a function of the batch, in few numbers.

    The peak is the largest of many straight lines, so it bends upwards: between two knots the straight connection is
    never too low, and beyond the last one it goes on as before.

    Attributes:
        knots: (batch, peak bytes), batches growing; the peak is exact there.
    """

    knots: tuple[tuple[int, int], ...]

    def at(self, batch: int) -> int:
        """Give the peak for a batch; below the first knot it is the first one's."""
        pairs = list(zip(self.knots, self.knots[1:], strict=False))
        if not pairs or batch <= self.knots[0][0]:
            return self.knots[0][1]
        (before, low), (after, high) = next((pair for pair in pairs if batch <= pair[1][0]), pairs[-1])
        return low + -(-(high - low) * (batch - before) // (after - before))

    @property
    def floor_bytes(self) -> int:
        """Peak at the smallest batch."""
        return self.knots[0][1]

    @property
    def sample_bytes(self) -> float:
        """Growth with each sample where the batch is large."""
        if len(self.knots) < 2:
            return 0.0
        (before, low), (after, high) = self.knots[-2:]
        return (high - low) / (after - before)

    @property
    def base_bytes(self) -> float:
        """Where the line through the largest batches meets batch 0."""
        return self.knots[-1][1] - self.sample_bytes * self.knots[-1][0]


def peak_bytes(graph: StepGraph) -> int:
    """Walk a step and tell its peak, nothing else."""
    return Walk(graph, Order.GPU, wire(graph)).run().peak_bytes


def step_peak(graph: StepGraph, laid_out: StepGraph | None = None, order: Order = Order.GPU) -> StepPeak:
    """Walk a step in the orders of a GPU and of a processor, and tell its peak.

    Args:
        laid_out: The same step as TensorFlow lays it out for a GPU, with transposes around convolutions; its peak is
            taken into the interval.
        order: Whose executor the step is for; its peak is the expected one, and the other one is in the interval. A
            processor leaves a part of its order open: several are tried, and the highest counts.
    """
    wiring = wire(graph)
    first_come = Walk(graph, Order.GPU, wiring).run()
    wirings = [wiring, *(wiring.shuffled(seed) for seed in _SEEDS)]
    latest = [Walk(graph, Order.PROCESSOR, item).run() for item in wirings]
    latest.sort(key=lambda run: run.peak_bytes)
    memory = first_come if order is Order.GPU else latest[-1]
    other = None if laid_out is None else peak_bytes(laid_out)
    resident = sum(rounded(variable.size_bytes) for variable in graph.variables)
    low_band, high_band = _band(graph, memory)
    lowest = min(first_come.peak_bytes, latest[0].peak_bytes, other or first_come.peak_bytes)
    highest = max(first_come.peak_bytes, latest[-1].peak_bytes, other or 0) * (1 + high_band)
    if other is None:
        highest = max(highest, first_come.peak_bytes * (1 + _layout_band(graph)))
    return StepPeak(
        batch=graph.batch,
        peak_bytes=memory.peak_bytes,
        low_bytes=max(resident, math.floor(lowest * (1 - low_band))),
        high_bytes=math.ceil(highest),
        gpu_order_bytes=first_come.peak_bytes,
        processor_order_bytes=latest[-1].peak_bytes,
        laid_out_bytes=other,
        parts=_parts(graph, memory),
        operation=_name(graph, memory.peak_owner),
        allocations=tuple(memory.events),
    )


def _band(graph: StepGraph, memory: Memory) -> tuple[float, float]:
    """Give the relative errors to the low and to the high side, beside what order and layout do."""
    if graph.jit_compile:
        return _BAND_XLA
    if is_uncertain(graph) or memory.guessed_bytes > _GUESS_MATTERS * memory.peak_bytes:
        return _BAND_OPEN
    return _BAND


def _layout_band(graph: StepGraph) -> float:
    """Give what transposes around convolutions may add on a GPU."""
    kinds = {item.kind for item in graph.operations}
    if graph.precision != "float32" or not kinds & _CONVOLUTIONS:
        return 0.0
    return _LAYOUT_VIDEO if "Conv3D" in kinds else _LAYOUT


def is_uncertain(graph: StepGraph) -> bool:
    """Tell whether a part of the step cannot be followed exactly: a loop, a compiled piece, another graph than runs."""
    return not graph.is_optimized or any(item.kind in _HIDDEN for item in graph.operations)


class StepTraces:
    """One step traced with several batches, for any batch.

    Every tensor's size is a straight line through the two traced batches next to the one asked for, among those whose
    graphs are built alike. TensorFlow simplifies the graph of batch 1, so trace at 1 and at two larger ones.

    Args:
        graphs: Of the same model, precision and optimizer; at least one.
    """

    def __init__(self, graphs: Sequence[StepGraph]) -> None:
        self._graphs = sorted(graphs, key=lambda graph: graph.batch)
        pairs = [pair_up(*pair) for pair in zip(self._graphs, self._graphs[1:], strict=False)]
        self._pairs = [pair for pair in pairs if pair is not None]

    @property
    def batches(self) -> tuple[int, ...]:
        """Batches that were traced."""
        return tuple(graph.batch for graph in self._graphs)

    def at(self, batch: int) -> StepGraph | None:
        """Give the graph for a batch, None when too few batches were traced to tell."""
        for graph in self._graphs:
            if graph.batch == batch:
                return graph
        if not self._pairs:
            return None
        pair = next((pair for pair in self._pairs if batch <= pair.large.batch), self._pairs[-1])
        return pair.at(batch)

    def curve(self, batches: Sequence[int] = CURVE_BATCHES) -> PeakCurve | None:
        """Give the peak as a function of the batch, None when too few batches were traced to tell."""
        knots: list[tuple[int, int]] = []
        for batch in batches:
            graph = self.at(batch)
            if graph is not None:
                knots.append((batch, peak_bytes(graph)))
        return PeakCurve(_without_straight(knots)) if len(knots) > 1 else None


def _without_straight(knots: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Leave out knots on the straight line between their neighbours."""
    kept = list(knots[:1])
    for place in range(1, len(knots) - 1):
        (before, low), (batch, size), (after, high) = kept[-1], knots[place], knots[place + 1]
        straight = low + (high - low) * (batch - before) / (after - before)
        if abs(size - straight) > _STRAIGHT * size:
            kept.append(knots[place])
    return (*kept, knots[-1])


def _name(graph: StepGraph, operation: int) -> str:
    if operation == NOTHING:
        return ""
    return graph.names[operation] if graph.names else graph.operations[operation].kind


def _parts(graph: StepGraph, memory: Memory) -> PeakParts:
    weights = sum(rounded(item.size_bytes) for item in graph.variables if item.role not in _SLOT_ROLES)
    slots = sum(rounded(item.size_bytes) for item in graph.variables if item.role in _SLOT_ROLES)
    update = _update_operations(graph)
    handed_over = {tensor for number in update for tensor in graph.operations[number].inputs}
    activations = sum(memory.sizes[buffer] for buffer in memory.of_data)
    gradients = 0
    for buffer in memory.alive_at_peak():
        owner = memory.owners[buffer]
        if owner == NOTHING or owner in update:
            continue
        operation = graph.operations[owner]
        if not operation.is_backward:
            activations += memory.sizes[buffer]
        elif handed_over.intersection(operation.outputs):
            gradients += memory.sizes[buffer]
    left = memory.peak_bytes - weights - slots - gradients - activations
    if left < 0:  # an old copy of a variable was gone already
        activations, left = activations + left, 0
    return PeakParts(
        weights_bytes=weights,
        slots_bytes=slots,
        gradients_bytes=gradients,
        activations_bytes=activations,
        temporaries_bytes=left,
    )


def _update_operations(graph: StepGraph) -> frozenset[int]:
    """Give the operations after the backward pass: they need its results, and nothing of it needs theirs."""
    operations = graph.operations
    leads_back: set[int] = set()
    for operation in reversed(operations):
        if operation.inputs and (operation.is_backward or leads_back.intersection(operation.outputs)):
            leads_back.update(operation.inputs)
    comes_from: set[int] = set()
    after = set()
    for number, operation in enumerate(operations):
        if operation.inputs and (operation.is_backward or comes_from.intersection(operation.inputs)):
            comes_from.update(operation.outputs)
            if not operation.is_backward and not leads_back.intersection(operation.outputs):
                after.add(number)
    return frozenset(after)
