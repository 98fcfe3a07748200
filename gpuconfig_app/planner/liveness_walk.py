"""Walks a step's graph as TensorFlow's executor does and keeps account of every buffer.

A tensor is a buffer with holders: one for each operation that still has to read it, one for a variable. An operation
ends, lets go of its inputs, then hands its outputs to those that wait; what nobody waits for is released at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig_app.core.step_graph import StepGraph, StepOperation
from gpuconfig_app.planner.liveness_effects import Effects
from gpuconfig_app.planner.liveness_kernels import MERGES, SWITCHES
from gpuconfig_app.planner.liveness_loops import Loop, LoopRun, find_loops
from gpuconfig_app.planner.liveness_memory import NOTHING, Memory
from gpuconfig_app.planner.liveness_order import Order, ReadyQueue
from gpuconfig_app.planner.liveness_wiring import Wiring

# No step met came near; loops inside loops of a document that means to hurt do.
_MOST_STEPS = 1_000_000


class Walk:
    """One run through the graph.

    Args:
        takes_branch: Which way all conditions of the step go.
    """

    def __init__(self, graph: StepGraph, order: Order, wiring: Wiring, *, takes_branch: bool = True) -> None:
        self._graph = graph
        self._wiring = wiring
        self._takes_branch = takes_branch
        self._pending = list(wiring.pending)
        self._value = [NOTHING] * len(graph.tensor_bytes)
        self._dead_tensors: set[int] = set()
        self._dead: set[int] = set()
        self._done: set[int] = set()
        self._queue = ReadyQueue(graph, order)
        self._loops = LoopRun(find_loops(graph, wiring))
        self._merged: dict[int, int] = {}
        self.memory = Memory(graph)
        self._effects = Effects(graph, wiring, self.memory, self._value)
        self.order: list[int] = []

    def run(self) -> Memory:
        """Run every operation that can start."""
        for number, operation in enumerate(self._graph.operations):
            if operation.kind in MERGES:
                self._pending[number] = 1 + len(operation.controls)
        self._queue.add(self._wiring.roots)
        started = self._queue.take()
        while started is not None and len(self.order) < _MOST_STEPS:
            self._run(started)
            started = self._queue.take()
        return self.memory

    def _run(self, number: int) -> None:
        operation = self._graph.operations[number]
        self._done.add(number)
        self.order.append(number)
        if number in self._dead:
            self._dead_tensors.update(operation.outputs)
        else:
            buffers = self._compute(number, operation)
            for tensor, buffer in zip(operation.outputs, buffers, strict=True):
                self._value[tensor] = buffer
        self._let_go(number, operation)
        self._propagate(number, operation)

    def _let_go(self, number: int, operation: StepOperation) -> None:
        if number in self._merged:
            self.memory.drop(self._value[self._merged.pop(number)])
            return
        for tensor in operation.inputs:
            if tensor not in self._dead_tensors:
                self.memory.drop(self._value[tensor])

    def _propagate(self, number: int, operation: StepOperation) -> None:
        ready = []
        for tensor, reader in self._wiring.readers[number]:
            is_dead = tensor in self._dead_tensors
            if not is_dead:
                self.memory.hold(self._value[tensor])
            if self._arrive(reader, tensor, is_dead=is_dead):
                ready.append(reader)
        is_dead = number in self._dead
        ready += [
            follower for follower in self._wiring.followers[number] if self._arrive(follower, NOTHING, is_dead=is_dead)
        ]
        for tensor in operation.outputs:
            if tensor not in self._dead_tensors:
                self.memory.drop(self._value[tensor])
        if ready:
            self._queue.add(ready, self._dead)

    def _arrive(self, number: int, tensor: int, *, is_dead: bool) -> bool:
        """Tell an operation that an input is there, or with ``NOTHING`` that it may start; True when it may now."""
        kind = self._graph.operations[number].kind
        if kind in MERGES and tensor != NOTHING:
            return self._arrive_at_merge(number, tensor, is_dead=is_dead)
        if is_dead and kind == "Exit" and self._loops.goes_on(number):
            return False
        if is_dead:
            self._dead.add(number)
        self._pending[number] -= 1
        return self._pending[number] == 0

    def _arrive_at_merge(self, number: int, tensor: int, *, is_dead: bool) -> bool:
        if is_dead:
            inputs = self._graph.operations[number].inputs
            if number in self._done or not all(item in self._dead_tensors for item in inputs):
                return False
            self._dead.add(number)
        elif number in self._done:
            loop = self._loops.next_round(number, tensor)
            if loop is not None:
                self._begin_round(loop)
            return False
        else:
            self._merged[number] = tensor
        self._pending[number] -= 1
        return self._pending[number] == 0

    def _begin_round(self, loop: Loop) -> None:
        """Make all operations of a loop wait again; what comes from outside is there already."""
        self._dead -= loop.members
        self._done -= loop.members
        for number in loop.members:
            self._pending[number] = loop.pending[number]
            self._dead_tensors.difference_update(self._graph.operations[number].outputs)
        for tensor, number in loop.from_outside:
            if number not in loop.merges:
                self.memory.hold(self._value[tensor])
        for merge, tensor in self._loops.begin(loop):
            self._merged[merge] = tensor
        self._queue.add(sorted(loop.merges))

    def _compute(self, number: int, operation: StepOperation) -> Sequence[int]:
        """Give a buffer, held once, for each output."""
        if operation.kind in SWITCHES and len(operation.inputs) > 1 and len(operation.outputs) > 1:
            return self._switch(operation)
        if number in self._merged and operation.outputs:
            merged = self._value[self._merged[number]]
            self.memory.hold(merged)
            return [merged, *(NOTHING for _ in operation.outputs[1:])]
        return self._effects.of(number, operation)

    def _switch(self, operation: StepOperation) -> Sequence[int]:
        condition = self._wiring.producer[operation.inputs[1]]
        taken = 1 if self._loops.takes(condition, otherwise=self._takes_branch) else 0
        self._dead_tensors.add(operation.outputs[1 - taken])
        buffers = [NOTHING] * len(operation.outputs)
        buffers[taken] = self._value[operation.inputs[0]]
        self.memory.hold(buffers[taken])
        return buffers
