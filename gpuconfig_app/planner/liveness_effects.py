"""What an operation does to memory: the buffers of its outputs, made, handed on, or taken over from an input."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpuconfig_app.core.step_graph import StepGraph, StepOperation
from gpuconfig_app.planner.liveness_kernels import (
    ASSIGNS,
    FORWARDS,
    FORWARDS_SECOND,
    SCATTERS,
    UPDATES,
    VIEWS,
    VIEWS_WHEN_EQUAL,
    WITHOUT_MEMORY,
)
from gpuconfig_app.planner.liveness_lists import LISTS, element_of, list_operation
from gpuconfig_app.planner.liveness_memory import NOTHING, Memory
from gpuconfig_app.planner.liveness_wiring import Wiring

_BYTES = {"bool": 1, "int8": 1, "uint8": 1, "half": 2, "float16": 2, "bfloat16": 2, "int16": 2, "double": 8,
          "float64": 8, "int64": 8, "complex64": 8}  # fmt: skip
_RESERVE, _RESERVED_OUTPUTS = 3, 6
_SMALL = frozenset({"resource", "variant", "string"})

# Inputs that an operation must have to be followed as what it is.
_NEEDED = {
    "AssignVariableOp": 2, "ReadVariableOp": 1, "TensorListFromTensor": 1, "TensorListGetItem": 1,
    "TensorListPopBack": 1, "TensorListPushBack": 2, "TensorListSetItem": 3, "_Retval": 1, **dict.fromkeys(UPDATES, 1),
}  # fmt: skip


class Effects:
    """Follows kernels one by one.

    Args:
        values: Buffer of each tensor, filled by the caller.
    """

    def __init__(self, graph: StepGraph, wiring: Wiring, memory: Memory, values: Sequence[int]) -> None:
        self._graph = graph
        self._wiring = wiring
        self._memory = memory
        self._values = values
        self._group = graph.same_size or graph.tensor_bytes
        self._next_data = 0
        self._scattered = {
            wiring.variable_of[operation.inputs[0]]
            for operation in graph.operations
            if operation.kind in SCATTERS and operation.inputs and operation.inputs[0] in wiring.variable_of
        }
        self._special: dict[str, Callable[[int, StepOperation], Sequence[int]]] = {
            **dict.fromkeys((*UPDATES, *ASSIGNS), self._assign),
            **dict.fromkeys(WITHOUT_MEMORY, _nothing),
            **dict.fromkeys(LISTS, self._list),
            "IdentityN": self._pass_on,
            "ReadVariableOp": self._read,
            "TensorListGetItem": self._list_item,
            "_Arg": self._argument,
            "_Retval": self._keep,
        }

    def of(self, number: int, operation: StepOperation) -> Sequence[int]:
        """Give a buffer, held once, for each output of an operation."""
        special = self._special.get(operation.kind)
        if special is not None and len(operation.inputs) >= _NEEDED.get(operation.kind, 0):
            buffers = special(number, operation)
            if len(buffers) == len(operation.outputs):
                return buffers
        elif operation.inputs and self._is_view(operation):
            given = operation.inputs[-1 if operation.kind == "Split" else 0]
            return [self._held(self._values[given]) for _ in operation.outputs]
        return [self._output(number, operation, place) for place in range(len(operation.outputs))]

    def _held(self, buffer: int) -> int:
        self._memory.hold(buffer)
        return buffer

    def _is_view(self, operation: StepOperation) -> bool:
        if operation.is_view or operation.kind in VIEWS:
            return True
        if operation.kind not in VIEWS_WHEN_EQUAL or not operation.outputs:
            return False
        return self._group[operation.inputs[0]] == self._group[operation.outputs[0]]

    def _list(self, number: int, operation: StepOperation) -> Sequence[int]:
        return list_operation(self._memory, number, operation, [self._values[tensor] for tensor in operation.inputs])

    def _list_item(self, number: int, operation: StepOperation) -> Sequence[int]:
        element = element_of(self._memory, self._values[operation.inputs[0]])
        return [self._held(element) if element != NOTHING else self._output(number, operation, 0)]

    def _argument(self, _: int, operation: StepOperation) -> Sequence[int]:
        is_data = len(operation.types) == 1 and operation.types[0] not in {"resource", "variant"}
        if not is_data or operation.variable is not None or self._next_data >= len(self._memory.of_data):
            return _nothing(0, operation)
        self._next_data += 1
        return [self._held(self._memory.of_data[self._next_data - 1])]

    def _pass_on(self, _: int, operation: StepOperation) -> Sequence[int]:
        return [self._held(self._values[tensor]) for tensor in operation.inputs]

    def _keep(self, _: int, operation: StepOperation) -> Sequence[int]:
        self._held(self._values[operation.inputs[0]])
        return []

    def _read(self, number: int, operation: StepOperation) -> Sequence[int]:
        variable = self._wiring.variable_of.get(operation.inputs[0])
        if variable is None:
            return [NOTHING]
        if variable in self._scattered:
            size = self._memory.sizes[self._memory.of_variable[variable]]
            return [self._memory.allocate(size, operation.types[0], number)]
        return [self._held(self._memory.of_variable[variable])]

    def _assign(self, number: int, operation: StepOperation) -> Sequence[int]:
        variable = self._wiring.variable_of.get(operation.inputs[0])
        if variable is None:
            return [NOTHING] * len(operation.outputs)
        memory = self._memory
        before = memory.of_variable[variable]
        if operation.kind in ASSIGNS:
            value = self._values[operation.inputs[1]]
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
                buffer = self._values[operation.inputs[slot]]
                self._memory.owners[buffer] = number
                return self._held(buffer)
        return self._memory.allocate(size or self._open_size(operation, place), operation.types[place], number)

    def _open_size(self, operation: StepOperation, place: int) -> int:
        """Guess a size that could not be told: that of the largest input.

        What cuDNN's recurrent kernels reserve is known to no graph; gates, states and outputs of every step are six
        times the output for an LSTM.
        """
        if not self._graph.open_sizes or operation.types[place] in _SMALL:
            return 0
        if operation.kind == "CudnnRNNV3" and place == _RESERVE:
            guess = _RESERVED_OUTPUTS * self._graph.tensor_bytes[operation.outputs[0]]
        else:
            given = [self._values[tensor] for tensor in operation.inputs]
            guess = max((self._memory.sizes[buffer] for buffer in given if buffer != NOTHING), default=0)
        self._memory.guessed_bytes = max(guess, self._memory.guessed_bytes)
        return guess

    def _may_take(self, operation: StepOperation, slot: int, place: int) -> bool:
        """Tell whether an output may overwrite an input: same size and type, and nobody else reads it."""
        given = operation.inputs[slot]
        buffer = self._values[given]
        if (
            buffer == NOTHING
            or self._memory.holders(buffer) != 1
            or self._group[given] != self._group[operation.outputs[place]]
        ):
            return False
        if self._memory.types[buffer] != operation.types[place]:
            return False
        if operation.kind in {"Select", "SelectV2"}:
            width = _BYTES.get(operation.types[place], 4)
            sizes = self._graph.tensor_bytes
            return sizes[operation.inputs[0]] * width == sizes[operation.outputs[place]]
        return True


def _nothing(_: int, operation: StepOperation) -> Sequence[int]:
    return [NOTHING] * len(operation.outputs)
