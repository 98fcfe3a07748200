"""Who waits for whom in a step's graph, as the executor sees it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gpuconfig_app.core.step_graph import StepGraph

# TensorFlow keeps the edges of an operation in order while they are few and in an order of its own, by hash, beyond.
_EDGES_IN_ORDER = 8


@dataclass(frozen=True)
class Wiring:
    """The edges of a graph.

    Attributes:
        readers: For each operation, those that read its outputs, as (tensor, operation), in the order of the edges.
        followers: For each operation, those that only wait for its end.
        pending: How many edges lead into each operation.
        roots: Operations that wait for nothing.
    """

    readers: tuple[Sequence[tuple[int, int]], ...]
    followers: tuple[Sequence[int], ...]
    pending: tuple[int, ...]
    roots: Sequence[int]

    def shuffled(self, seed: int) -> Wiring:
        """Give the same edges, those whose order is TensorFlow's secret in one of the orders that may be."""
        shuffle = random.Random(seed)  # noqa: S311  # repeatable on purpose, no secret
        roots = list(self.roots)
        shuffle.shuffle(roots)
        readers, followers = list(self.readers), list(self.followers)
        for number in range(len(readers)):
            if len(readers[number]) + len(followers[number]) > _EDGES_IN_ORDER:
                readers[number] = shuffle.sample(readers[number], len(readers[number]))
                followers[number] = shuffle.sample(followers[number], len(followers[number]))
        return replace(self, readers=tuple(readers), followers=tuple(followers), roots=roots)


def wire(graph: StepGraph) -> Wiring:
    """Connect the operations of a graph."""
    producer = [0] * len(graph.tensor_bytes)
    for number, operation in enumerate(graph.operations):
        for tensor in operation.outputs:
            producer[tensor] = number
    readers: list[list[tuple[int, int]]] = [[] for _ in graph.operations]
    followers: list[list[int]] = [[] for _ in graph.operations]
    pending = []
    for number, operation in enumerate(graph.operations):
        for tensor in operation.inputs:
            readers[producer[tensor]].append((tensor, number))
        for other in operation.controls:
            followers[other].append(number)
        pending.append(len(operation.inputs) + len(operation.controls))
    roots = [number for number, count in enumerate(pending) if not count]
    return Wiring(tuple(readers), tuple(followers), tuple(pending), roots)
