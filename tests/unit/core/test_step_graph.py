from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.step_graph import SCHEMA, VariableRole, parse_step_graph, read_step_graph

DOCUMENT = {
    "schema": SCHEMA,
    "model": "module:net",
    "batch": 4,
    "precision": "float32",
    "optimizer": "adam",
    "is_optimized": True,
    "kinds": ["_Arg", "ReadVariableOp", "MatMul", "_Retval"],
    "types": ["float32", "resource"],
    "ops": [[0, [], [], [0]], [0, [], [], [1], 0, 0], [1, [1], [], [0]], [2, [0, 2], [2], [0], 3], [3, [3], [], []]],
    "sizes": [64, 0, 256, 128],
    "scalars": {"3": 7},
    "names": ["x", "w", "read", "out", "result"],
    "variables": [["dense/kernel", "trainable", 256]],
    "data_bytes": [64],
}


def test_a_document_is_read() -> None:
    graph = parse_step_graph(json.dumps(DOCUMENT))

    product = graph.operations[3]
    assert (product.kind, product.inputs, product.controls, product.outputs) == ("MatMul", (0, 2), (2,), (3,))
    assert product.is_backward
    assert product.is_view
    assert product.scalar == 7
    assert graph.operations[1].variable == 0
    assert graph.variables[0].role is VariableRole.TRAINABLE
    assert graph.variable_bytes == 256
    assert graph.names[4] == "result"
    assert graph.batch == 4


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("schema", "gpuconfig-step/9"),
        ("batch", 0),
        ("batch", "4"),
        ("batch", True),
        ("kinds", [1]),
        ("types", None),
        ("ops", "x"),
        ("ops", [[9, [], [], [0]]]),
        ("ops", [[0, [99], [], [0]]]),
        ("ops", [[0, [], [-1], [0]]]),
        ("ops", [[0, [], [], [7]]]),
        ("ops", [[0, [], []]]),
        ("ops", [[0, [], [], [0], 0, 55]]),
        ("sizes", [64, 0, 256]),
        ("sizes", [64, 0, 256, -1]),
        ("sizes", [64, 0, 256, 1e300]),
        ("sizes", [64, 0, 256, 10**40]),
        ("variables", [["v", "president", 4]]),
        ("variables", [["v", "slot"]]),
        ("variables", []),
        ("data_bytes", None),
        ("model", ["x"]),
        ("scalars", []),
    ],
)
def test_a_broken_document_is_refused(key: str, value: object) -> None:
    with pytest.raises(UnusableFileError) as caught:
        read_step_graph({**copy.deepcopy(DOCUMENT), key: value})

    assert caught.value.message.id == "core.step-graph-unusable"


@pytest.mark.parametrize("text", ["", "[]", "null", "{", '"x"', "[" * 100_000])
def test_what_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(UnusableFileError):
        parse_step_graph(text)


def test_names_may_be_left_out() -> None:
    assert read_step_graph({key: value for key, value in DOCUMENT.items() if key != "names"}).names == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(sorted(DOCUMENT)), JSON)
def test_any_value_is_read_or_refused(key: str, value: object) -> None:
    try:
        graph = read_step_graph({**copy.deepcopy(DOCUMENT), key: value})
    except UnusableFileError:
        return
    assert len(graph.tensor_bytes) == sum(len(operation.outputs) for operation in graph.operations)
