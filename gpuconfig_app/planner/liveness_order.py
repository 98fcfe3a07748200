"""The order in which TensorFlow's executor starts operations.

An operation that ends makes others ready. On a GPU all kernels only queue work, so the executor runs what is ready one
after the other, first come first served. On the processor a kernel that takes long is put on the queue of the one
inter-op thread, which takes the latest first; only the last of those that became ready goes on at once, and only when
nothing cheap waits. (Read in executor.cc and in the thread pool's source.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from enum import StrEnum

from gpuconfig_app.core.step_graph import StepGraph
from gpuconfig_app.planner.liveness_kernels import INEXPENSIVE


class Order(StrEnum):
    """Whose order of operations is followed."""

    GPU = "gpu"
    PROCESSOR = "processor"


class ReadyQueue:
    """What may start now, handed out in the executor's order."""

    def __init__(self, graph: StepGraph, order: Order) -> None:
        self._is_cheap = [order is Order.GPU or operation.kind in INEXPENSIVE for operation in graph.operations]
        self._inline: deque[int] = deque()
        self._waiting: list[int] = []

    def add(self, ready: Sequence[int], dead: frozenset[int] | set[int] = frozenset()) -> None:
        """Take what an operation made ready, in the order of its edges; dead operations cost nothing."""
        current = None
        dear = []
        for operation in ready:
            if self._is_cheap[operation] or operation in dead:
                self._inline.append(operation)
                continue
            if current is not None:
                dear.append(current)
            current = operation
        if current is not None:
            if self._inline:
                dear.append(current)
            else:
                self._inline.append(current)
        self._waiting += dear

    def take(self) -> int | None:
        """Give the next operation, None when nothing is ready."""
        if self._inline:
            return self._inline.popleft()
        return self._waiting.pop() if self._waiting else None
