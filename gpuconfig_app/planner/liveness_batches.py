"""One step traced with two batches: which tensors belong together, and how large they are with any other batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gpuconfig_app.core.step_graph import StepGraph

# Share of all tensors' bytes that may be in one of two graphs only.
_MOST_LOST = 0.002


@dataclass(frozen=True)
class Pair:
    """Two graphs that differ in sizes only.

    Attributes:
        small: The one with the smaller batch.
        large: The other one.
        before: Bytes with the smaller batch of each tensor of ``large``.
    """

    small: StepGraph
    large: StepGraph
    before: tuple[int, ...]

    def at(self, batch: int) -> StepGraph:
        """Give the graph of a batch: every tensor on a straight line, and none shrinks when the batch grows."""
        span = self.large.batch - self.small.batch

        def size(pair: tuple[int, int]) -> int:
            before, after = pair
            return max(0, before + max(0, after - before) * (batch - self.small.batch) // span)

        pairs = list(zip(self.before, self.large.tensor_bytes, strict=True))
        sizes = {pair: size(pair) for pair in set(pairs)}
        groups: dict[tuple[int, int], int] = {}
        data = zip(self.small.data_bytes, self.large.data_bytes, strict=True)
        return replace(
            self.large,
            batch=batch,
            tensor_bytes=tuple(sizes[pair] for pair in pairs),
            same_size=tuple(groups.setdefault(pair, len(groups)) for pair in pairs),
            data_bytes=tuple(map(size, data)),
        )


def pair_up(small: StepGraph, large: StepGraph) -> Pair | None:
    """Put two graphs together, None when they differ in more than sizes or have the same batch.

    Constants don't count, nor does a small share of the bytes: TensorFlow joins operations that happen to be equal, and
    computes beforehand what is small enough with one batch and not with the other.
    """
    places = _places(small, large)
    if places is None or small.batch == large.batch or len(small.data_bytes) != len(large.data_bytes):
        return None
    before = list(large.tensor_bytes)
    for mine, theirs in zip(large.operations, places, strict=True):
        if theirs is None:
            for tensor in mine.outputs:
                before[tensor] = large.tensor_bytes[tensor] * small.batch // large.batch
            continue
        other = small.operations[theirs]
        if other.kind != mine.kind or len(other.outputs) != len(mine.outputs) or len(other.inputs) != len(mine.inputs):
            return None
        for tensor, twin in zip(mine.outputs, other.outputs, strict=True):
            before[tensor] = small.tensor_bytes[twin]
    return Pair(small, large, tuple(before))


def _places(small: StepGraph, large: StepGraph) -> Sequence[int | None] | None:
    """Give for each operation of ``large`` its place in ``small``: by name, without names by order."""
    if not (small.names and large.names):
        return range(len(large.operations)) if len(small.operations) == len(large.operations) else None
    place = {name: number for number, name in enumerate(small.names)}
    found: list[int | None] = []
    for name, operation in zip(large.names, large.operations, strict=True):
        number = place.get(name)
        is_same = number is not None and small.operations[number].kind == operation.kind
        found.append(number if is_same else None)
    missing = [number for number, other in enumerate(found) if other is None]
    extra = set(range(len(small.operations))).difference(number for number in found if number is not None)
    lost = sum(_made(large, number) for number in missing) + sum(_made(small, number) for number in extra)
    return found if lost <= _MOST_LOST * sum(large.tensor_bytes) else None


def _made(graph: StepGraph, number: int) -> int:
    """Give the bytes of an operation's outputs; constants are none of the step's."""
    operation = graph.operations[number]
    return 0 if operation.kind == "Const" else sum(graph.tensor_bytes[tensor] for tensor in operation.outputs)
