"""The graph of one training step as TensorFlow executes it: operations, the bytes of every tensor, all variables.

``resources/probes/trace_step.py`` writes it in a Python that has TensorFlow; here it is read, checked and typed. What
it means for memory is decided by ``planner.liveness``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue

SCHEMA = "gpuconfig-step/1"

# No step met had more than 60 000 operations; a document beyond these bounds is broken or meant to hurt.
_MOST_OPERATIONS = 2_000_000
_LARGEST_BYTES = 1 << 50
_IS_BACKWARD, _IS_VIEW = 1, 2


class VariableRole(StrEnum):
    """What a variable of the step is for."""

    TRAINABLE = "trainable"
    STATE = "state"
    SLOT = "slot"
    OPTIMIZER = "optimizer"
    METRIC = "metric"


@dataclass(frozen=True)
class StepVariable:
    """A variable that lives before, during and after the step.

    Attributes:
        name: Path in the model, may be empty.
        size_bytes: As requested, not rounded.
    """

    name: str
    role: VariableRole
    size_bytes: int


@dataclass(frozen=True)
class StepOperation:
    """One operation.

    Attributes:
        kind: TensorFlow's name of the kernel, ``Conv2D``.
        inputs: Tensors, by their place in ``StepGraph.tensor_bytes``.
        controls: Operations that must have ended before, by their place in ``StepGraph.operations``.
        outputs: Tensors it produces.
        types: Data type of each output.
        is_backward: Belongs to the gradients of the loss.
        is_view: Hands on a part of its input instead of copying it.
        variable: Place in ``StepGraph.variables`` of the one that this argument hands over, None for the others.
        scalar: Value of a whole-numbered constant, None for anything else.
    """

    kind: str
    inputs: tuple[int, ...]
    controls: tuple[int, ...]
    outputs: tuple[int, ...]
    types: tuple[str, ...]
    is_backward: bool = False
    is_view: bool = False
    variable: int | None = None
    scalar: int | None = None


@dataclass(frozen=True, kw_only=True)
class StepGraph:
    """One training step for one batch.

    Attributes:
        tensor_bytes: Bytes of each tensor as requested; 0 for handles and for sizes that are open.
        data_bytes: Bytes of each input and target of the batch.
        names: Name of each operation, empty when the document left them out.
        is_optimized: The graph is what TensorFlow's own optimizer left of it.
        open_sizes: Tensors whose size could not be told.
        same_size: Equal numbers for tensors that are equally large with every batch; empty when only one is known.
        loss: ``own`` when the model was compiled with one, else the name of the loss that was taken.
    """

    batch: int
    operations: tuple[StepOperation, ...]
    tensor_bytes: tuple[int, ...]
    variables: tuple[StepVariable, ...]
    data_bytes: tuple[int, ...]
    names: tuple[str, ...] = ()
    model: str = ""
    precision: str = "float32"
    optimizer: str = "adam"
    jit_compile: bool = False
    is_optimized: bool = True
    open_sizes: int = 0
    same_size: tuple[int, ...] = ()
    loss: str = ""
    tensorflow: str = ""
    keras: str = ""

    @property
    def variable_bytes(self) -> int:
        """Bytes of all variables, not rounded."""
        return sum(variable.size_bytes for variable in self.variables)


def parse_step_graph(text: str) -> StepGraph:
    """Read one line of the probe.

    Raises:
        UnusableFileError: It is no step graph of a schema that is known, or holds what no step can have.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unusable("no JSON") from error
    return read_step_graph(document)


def read_step_graph(document: JsonValue) -> StepGraph:
    """Read a parsed document; see ``parse_step_graph``."""
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise _unusable("schema")
    sizes = _numbers(document.get("sizes"), "sizes")
    operations = tuple(_operations(document, len(sizes)))
    if sum(len(operation.outputs) for operation in operations) != len(sizes):
        raise _unusable("sizes")
    variables = tuple(_variables(document.get("variables")))
    for operation in operations:
        if operation.variable is not None and not operation.variable < len(variables):
            raise _unusable("variables")
    names = document.get("names")
    has_names = isinstance(names, list) and len(names) == len(operations)
    batch = _count(document.get("batch"), "batch")
    if not batch:
        raise _unusable("batch")
    return StepGraph(
        batch=batch,
        operations=operations,
        tensor_bytes=sizes,
        variables=variables,
        data_bytes=_numbers(document.get("data_bytes"), "data_bytes"),
        names=tuple(str(name) for name in names) if isinstance(names, list) and has_names else (),
        model=_text(document, "model"),
        precision=_text(document, "precision"),
        optimizer=_text(document, "optimizer"),
        jit_compile=document.get("jit_compile") is True,
        is_optimized=document.get("is_optimized") is True,
        open_sizes=_count(document.get("open_sizes", 0), "open_sizes"),
        loss=_text(document, "loss"),
        tensorflow=_text(document, "tensorflow"),
        keras=_text(document, "keras"),
    )


def _operations(document: Mapping[str, JsonValue], tensor_count: int) -> Iterator[StepOperation]:
    kinds, types = _texts(document.get("kinds"), "kinds"), _texts(document.get("types"), "types")
    rows, scalars = document.get("ops"), document.get("scalars", {})
    if not isinstance(rows, list) or len(rows) > _MOST_OPERATIONS or not isinstance(scalars, dict):
        raise _unusable("ops")
    first = 0
    for number, row in enumerate(rows):
        if not isinstance(row, list) or not 4 <= len(row) <= 6:
            raise _unusable("ops")
        outputs = _numbers(row[3], "ops", len(types))
        flags = _count(row[4], "ops") if len(row) > 4 else 0
        scalar = scalars.get(str(number))
        yield StepOperation(
            kind=kinds[_count(row[0], "ops", len(kinds))],
            inputs=_numbers(row[1], "ops", tensor_count),
            controls=_numbers(row[2], "ops", len(rows)),
            outputs=tuple(range(first, first + len(outputs))),
            types=tuple(types[place] for place in outputs),
            is_backward=bool(flags & _IS_BACKWARD),
            is_view=bool(flags & _IS_VIEW),
            variable=_count(row[5], "ops") if len(row) > 5 else None,
            scalar=scalar if isinstance(scalar, int) and not isinstance(scalar, bool) else None,
        )
        first += len(outputs)


def _variables(rows: JsonValue) -> Iterator[StepVariable]:
    if not isinstance(rows, list):
        raise _unusable("variables")
    roles = {role.value: role for role in VariableRole}
    for row in rows:
        if not isinstance(row, list) or len(row) != 3 or row[1] not in roles:
            raise _unusable("variables")
        yield StepVariable(str(row[0]), roles[str(row[1])], _count(row[2], "variables"))


def _count(value: JsonValue, part: str, below: int = _LARGEST_BYTES) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < below:
        raise _unusable(part)
    return value


def _numbers(values: JsonValue, part: str, below: int = _LARGEST_BYTES) -> tuple[int, ...]:
    if not isinstance(values, list):
        raise _unusable(part)
    return tuple(_count(value, part, below) for value in values)


def _texts(values: JsonValue, part: str) -> Sequence[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise _unusable(part)
    return [str(value) for value in values]


def _text(document: Mapping[str, JsonValue], key: str) -> str:
    value = document.get(key, "")
    if not isinstance(value, str):
        raise _unusable(key)
    return value


def _unusable(part: str) -> UnusableFileError:
    return UnusableFileError(Message("core.step-graph-unusable", {"part": part}), Message("core.step-graph-hint"))
