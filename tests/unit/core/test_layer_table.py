from __future__ import annotations

import pytest

from gpuconfig_app.core.layer_table import read_layer_table
from gpuconfig_app.core.record import JsonValue

ROW: list[JsonValue] = ["Dense", -1, 400, 0, 10, 10, 0, 4, True]


def _document(*rows: JsonValue, **changes: JsonValue) -> dict[str, JsonValue]:
    usual: dict[str, JsonValue] = {"trainable": [400], "state": [], "input_bytes": 40, "output_elements": 10}
    return {**usual, "loss": "own", "rows": list(rows), **changes}


def test_a_table_is_read() -> None:
    table = read_layer_table(_document(ROW, ["Dropout", 0, 0, 16, None, None, None, 2, False], tensorflow="2.21.0"))

    assert table is not None
    assert (table.trainable, table.state, table.input_bytes, table.output_elements) == ((400,), (), 40, 10)
    assert (table.loss, table.tensorflow, table.keras) == ("own", "2.21.0", "")
    first, second = table.calls
    assert (first.kind, first.inside, first.given, first.width, first.has_activation) == ("Dense", -1, 10, 4, True)
    assert (second.inside, second.taken, second.given, second.inner) == (0, None, None, None)


@pytest.mark.parametrize(
    "document",
    [
        {},
        _document(),
        _document(["Dense"]),
        _document("Dense"),
        _document(ROW, trainable=[-1]),
        _document(ROW, trainable="many"),
        _document(ROW, input_bytes=None),
        _document(ROW, output_elements=True),
        _document(ROW, output_elements=1 << 60),
        _document(["Dense", 0, 400, 0, 10, 10, 0, 4, True]),
        _document(["Dense", -1, 400, 0, 10, "10", 0, 4, True]),
    ],
)
def test_what_is_no_table_is_none(document: dict[str, JsonValue]) -> None:
    assert read_layer_table(document) is None
