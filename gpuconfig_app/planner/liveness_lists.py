"""Lists of tensors, which loops collect what the backward pass needs in.

A list takes no memory itself but holds its elements. A longer list is a shorter one and an element, so that lists may
share what they have in common.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig_app.core.step_graph import StepOperation
from gpuconfig_app.planner.liveness_memory import NOTHING, Memory

LISTS = frozenset(
    {
        "EmptyTensorList", "TensorListFromTensor", "TensorListPopBack", "TensorListPushBack", "TensorListReserve",
        "TensorListSetItem",
    }
)  # fmt: skip


def list_operation(memory: Memory, number: int, operation: StepOperation, given: Sequence[int]) -> Sequence[int]:
    """Give the outputs of an operation on lists, each held once.

    Args:
        given: Buffers of the operation's inputs.
    """
    if operation.kind == "TensorListPopBack":
        shorter, element = memory.contents.get(given[0], (NOTHING, NOTHING))
        memory.hold(shorter)
        memory.hold(element)
        return [shorter, element]
    made = memory.allocate(0, "variant", number)
    if operation.kind == "TensorListFromTensor":  # every element is a copy
        copies = memory.allocate(memory.sizes[given[0]] if given[0] != NOTHING else 0, "", number)
        memory.contain(made, NOTHING, copies)
        memory.drop(copies)
        return [made]
    slot = {"TensorListPushBack": 1, "TensorListSetItem": 2}.get(operation.kind)
    if slot is not None:
        memory.contain(made, given[0], given[slot])
    return [made]


def element_of(memory: Memory, buffer: int) -> int:
    """Give the element a list got last, ``NOTHING`` for an empty one."""
    return memory.contents.get(buffer, (NOTHING, NOTHING))[1]
