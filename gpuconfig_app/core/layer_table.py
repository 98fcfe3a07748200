"""The layers of a model as its own Python saw them called: what is left to judge by when its step can't be traced.

``resources/probes/list_layers.py`` writes the table; ``planner.layer_rules`` says what it means for memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig_app.core.record import JsonValue

_LARGEST = 1 << 50


@dataclass(frozen=True, kw_only=True)
class LayerCall:
    """One call of one layer; sizes of one sample in elements, None where open.

    Attributes:
        kind: Closest class of Keras, ``Layer`` for one that is wholly the user's.
        inside: Number of the call it happened in, -1 for the model itself.
        trainable_bytes: Of its own trained weights; 0 when an earlier call had them.
        state_bytes: Of its other weights.
        inner: Scores of an attention, states of a recurrent layer; 0 for others.
        width: Bytes of a number it computes with.
        has_activation: It applies one after what it computes.
    """

    kind: str
    inside: int
    trainable_bytes: int
    state_bytes: int
    taken: int | None
    given: int | None
    inner: int | None
    width: int
    has_activation: bool


@dataclass(frozen=True, kw_only=True)
class LayerTable:
    """A model's weights and calls.

    Attributes:
        trainable: Bytes of each trained weight, shared ones once.
        state: Bytes of each other weight.
        input_bytes: Of one sample.
        output_elements: Of one sample, all outputs.
    """

    trainable: tuple[int, ...]
    state: tuple[int, ...]
    input_bytes: int
    output_elements: int
    calls: tuple[LayerCall, ...]
    loss: str = ""
    tensorflow: str = ""
    keras: str = ""


def read_layer_table(document: Mapping[str, JsonValue]) -> LayerTable | None:
    """Check a record of the probe; None when it is none of ours or holds no layer, as nothing follows from it then."""
    rows = document.get("rows")
    if not isinstance(rows, list) or not rows:
        return None
    try:
        return LayerTable(
            trainable=_numbers(document.get("trainable")),
            state=_numbers(document.get("state")),
            input_bytes=_number(document.get("input_bytes")),
            output_elements=_number(document.get("output_elements")),
            calls=tuple(_call(row, number) for number, row in enumerate(rows)),
            loss=str(document.get("loss", "")),
            tensorflow=str(document.get("tensorflow", "")),
            keras=str(document.get("keras", "")),
        )
    except (TypeError, ValueError):
        return None


def _call(row: JsonValue, number: int) -> LayerCall:
    kind, inside, trainable, state, taken, given, inner, width, has_activation = _list(row)
    if not isinstance(inside, int) or not -1 <= inside < number:
        raise ValueError("inside")
    return LayerCall(
        kind=str(kind),
        inside=inside,
        trainable_bytes=_number(trainable),
        state_bytes=_number(state),
        taken=_open(taken),
        given=_open(given),
        inner=_open(inner),
        width=_number(width),
        has_activation=has_activation is True,
    )


def _open(value: JsonValue) -> int | None:
    return None if value is None else _number(value)


def _numbers(values: JsonValue) -> tuple[int, ...]:
    return tuple(_number(value) for value in _list(values))


def _list(values: JsonValue) -> list[JsonValue]:
    if not isinstance(values, list):
        raise TypeError("no list")
    return values


def _number(value: JsonValue) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _LARGEST:
        raise ValueError("number")
    return value
