"""Walks a step's graph as TensorFlow's executor does and keeps account of every buffer.

A tensor is a buffer with holders: one for each operation that still has to read it, one for a variable. An operation
ends, lets go of its inputs, then hands its outputs to those that wait; what nobody waits for is released at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpuconfig_app.core.step_graph import StepGraph, StepOperation
from gpuconfig_app.planner.liveness_kernels import (
    ASSIGNS,
    FORWARDS,
    FORWARDS_SECOND,
    MERGES,
    SWITCHES,
    UPDATES,
    VIEWS,
    VIEWS_WHEN_EQUAL,
    WITHOUT_MEMORY,
)
from gpuconfig_app.planner.liveness_memory import NOTHING, Memory
from gpuconfig_app.planner.liveness_order import Order, ReadyQueue
from gpuconfig_app.planner.liveness_wiring import Wiring

_BYTES = {"bool": 1, "int8": 1, "uint8": 1, "half": 2, "float16": 2, "bfloat16": 2, "int16": 2, "double": 8,
          "float64": 8, "int64": 8, "complex64": 8}  # fmt: skip


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
        self._group = graph.same_size or graph.tensor_bytes
        self._variable_of: dict[int, int] = {}
        self.memory = Memory(graph)
        self.order: list[int] = []
        self._next_data = 0
        self._special: dict[str, Callable[[int, StepOperation], Sequence[int]]] = {
            **dict.fromkeys(SWITCHES, self._switch),
            **dict.fromkeys(MERGES, self._merge),
            **dict.fromkeys((*UPDATES, *ASSIGNS), self._assign),
            **dict.fromkeys(WITHOUT_MEMORY, _nothing),
            "IdentityN": self._pass_on,
            "ReadVariableOp": self._read,
            "_Arg": self._argument,
            "_Retval": self._keep,
        }

    def run(self) -> Memory:
        """Run every operation that can start."""
        for number, operation in enumerate(self._graph.operations):
            if operation.kind in MERGES:
                self._pending[number] = 1 + len(operation.controls)
        self._queue.add(self._wiring.roots)
        started = self._queue.take()
        while started is not None:
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
        self._let_go(operation)
        self._propagate(number, operation)

    def _let_go(self, operation: StepOperation) -> None:
        for tensor in operation.inputs:
            if tensor not in self._dead_tensors:
                self.memory.drop(self._value[tensor])

    def _propagate(self, number: int, operation: StepOperation) -> None:
        ready = []
        for tensor, reader in self._wiring.readers[number]:
            is_dead = tensor in self._dead_tensors
            if not is_dead:
                self.memory.hold(self._value[tensor])
            if self._arrive(reader, is_dead=is_dead):
                ready.append(reader)
        is_dead = number in self._dead
        ready += [
            follower
            for follower in self._wiring.followers[number]
            if self._arrive(follower, is_dead=is_dead, is_control=True)
        ]
        for tensor in operation.outputs:
            if tensor not in self._dead_tensors:
                self.memory.drop(self._value[tensor])
        if ready:
            self._queue.add(ready, self._dead)

    def _arrive(self, number: int, *, is_dead: bool, is_control: bool = False) -> bool:
        """Tell an operation that an input is there; True when it was the last one."""
        if number in self._done:
            return False
        if self._graph.operations[number].kind in MERGES and not is_control:
            return self._arrive_at_merge(number, is_dead=is_dead)
        if is_dead:
            self._dead.add(number)
        self._pending[number] -= 1
        return self._pending[number] == 0

    def _arrive_at_merge(self, number: int, *, is_dead: bool) -> bool:
        if is_dead:
            inputs = self._graph.operations[number].inputs
            if all(tensor in self._dead_tensors for tensor in inputs):
                self._dead.add(number)
                self._pending[number] -= 1
                return self._pending[number] == 0
            return False
        self._pending[number] -= 1
        return self._pending[number] == 0

    def _compute(self, number: int, operation: StepOperation) -> Sequence[int]:
        """Give a buffer, held once, for each output."""
        special = self._special.get(operation.kind)
        if special is not None:
            return special(number, operation)
        if self._is_view(operation):
            given = operation.inputs[1 if operation.kind == "Split" else 0]
            return [self._held(self._value[given]) for _ in operation.outputs]
        return [self._output(number, operation, place) for place in range(len(operation.outputs))]

    def _held(self, buffer: int) -> int:
        self.memory.hold(buffer)
        return buffer

    def _is_view(self, operation: StepOperation) -> bool:
        if operation.is_view or operation.kind in VIEWS:
            return True
        if operation.kind not in VIEWS_WHEN_EQUAL:
            return False
        return self._group[operation.inputs[0]] == self._group[operation.outputs[0]]

    def _switch(self, _: int, operation: StepOperation) -> Sequence[int]:
        taken = 1 if self._takes_branch else 0
        self._dead_tensors.add(operation.outputs[1 - taken])
        buffers = [NOTHING, NOTHING]
        buffers[taken] = self._held(self._value[operation.inputs[0]])
        return buffers

    def _merge(self, _: int, operation: StepOperation) -> Sequence[int]:
        for tensor in operation.inputs:
            if tensor not in self._dead_tensors and self._value[tensor] != NOTHING:
                return [self._held(self._value[tensor]), NOTHING]
        return [NOTHING, NOTHING]

    def _argument(self, _: int, operation: StepOperation) -> Sequence[int]:
        if operation.variable is not None:
            self._variable_of[operation.outputs[0]] = operation.variable
            return [NOTHING]
        if operation.types[0] in ("resource", "variant") or self._next_data >= len(self.memory.of_data):
            return [NOTHING]
        self._next_data += 1
        return [self._held(self.memory.of_data[self._next_data - 1])]

    def _pass_on(self, _: int, operation: StepOperation) -> Sequence[int]:
        return [self._held(self._value[tensor]) for tensor in operation.inputs]

    def _keep(self, _: int, operation: StepOperation) -> Sequence[int]:
        self._held(self._value[operation.inputs[0]])
        return []

    def _read(self, _: int, operation: StepOperation) -> Sequence[int]:
        variable = self._variable_of.get(operation.inputs[0])
        return [NOTHING if variable is None else self._held(self.memory.of_variable[variable])]

    def _assign(self, number: int, operation: StepOperation) -> Sequence[int]:
        variable = self._variable_of.get(operation.inputs[0])
        if variable is None:
            return [NOTHING] * len(operation.outputs)
        memory = self.memory
        before = memory.of_variable[variable]
        if operation.kind in ASSIGNS:
            value = self._value[operation.inputs[1]]
            if value != NOTHING:
                memory.of_variable[variable] = self._held(value)
                memory.drop(before)
        elif memory.holders(before) > 1:
            memory.of_variable[variable] = memory.allocate(memory.sizes[before], memory.types[before], number)
            memory.drop(before)
        return [NOTHING] * len(operation.outputs)

    def _output(self, number: int, operation: StepOperation, place: int) -> int:
        tensor = operation.outputs[place]
        size = self._graph.tensor_bytes[tensor]
        table = FORWARDS if place == 0 else FORWARDS_SECOND if place == 1 else {}
        for slot in table.get(operation.kind, ()):
            if slot < len(operation.inputs) and self._may_take(operation, slot, place):
                buffer = self._value[operation.inputs[slot]]
                self.memory.owners[buffer] = number
                return self._held(buffer)
        return self.memory.allocate(size, operation.types[place], number)

    def _may_take(self, operation: StepOperation, slot: int, place: int) -> bool:
        """Tell whether an output may overwrite an input: same size and type, and nobody else reads it."""
        given = operation.inputs[slot]
        buffer = self._value[given]
        if (
            buffer == NOTHING
            or self.memory.holders(buffer) != 1
            or self._group[given] != self._group[operation.outputs[place]]
        ):
            return False
        if self.memory.types[buffer] != operation.types[place]:
            return False
        if operation.kind in ("Select", "SelectV2"):
            width = _BYTES.get(operation.types[place], 4)
            sizes = self._graph.tensor_bytes
            return sizes[operation.inputs[0]] * width == sizes[operation.outputs[place]]
        return True


def _nothing(_: int, operation: StepOperation) -> Sequence[int]:
    return [NOTHING] * len(operation.outputs)
