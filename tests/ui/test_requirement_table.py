"""Needed beside found on recorded machines: rows that fail, that are not needed, that are not known."""

from __future__ import annotations

import pytest

from gpuconfig_app.ui.widgets.requirement_table import RequirementTable
from gpuconfig_app.ui.widgets.table import CellRole


@pytest.fixture
def table(show, state):
    made = show(RequirementTable(state.text))
    made.window().resize(740, 500)
    return made


def cells(table: RequirementTable, row_id: str) -> list[str]:
    model = table.model()
    return [model.index(model.row_of(row_id), column).data() for column in range(4)]


def test_failing_row_stands_out(table, judged):
    table.show_requirements(judged("cudnn-shadowed")[2].requirements)
    model = table.model()
    row = model.row_of("cudnn")

    assert cells(table, "cudnn")[1] == "9.3 or later, below 10"
    assert model.index(row, 0).data(CellRole.ROW_SEVERITY) == "blocked"
    assert model.index(model.row_of("driver"), 0).data(CellRole.ROW_SEVERITY) is None


def test_what_is_not_needed_is_no_fault(table, judged):
    table.show_requirements(judged("training-2x4090")[2].requirements)
    model = table.model()

    assert cells(table, "toolkit")[1:] == ["not needed", "—", "Not needed"]
    assert model.index(model.row_of("toolkit"), 3).data(CellRole.SEVERITY) == "idle"


def test_packages_that_fit_say_so(table, judged):
    table.show_requirements(judged("training-2x4090")[2].requirements)

    assert cells(table, "packages") == ["Python packages", "fit together", "no conflict", "Fits"]


def test_unknown_is_not_called_not_needed(table, judged):
    table.show_requirements(judged("windows-native")[2].requirements)

    assert cells(table, "driver") == ["GPU driver", "—", "581.57", "Not known"]
    assert cells(table, "glibc")[1:] == ["not needed", "—", "Not needed"]


def test_every_word_of_the_table_is_in_full_at_usual_width(table, judged, qapp):
    table.show_requirements(judged("driver-library-mismatch")[2].requirements)
    qapp.processEvents()

    for column in (0, 1, 3):
        assert table.columnWidth(column) >= table._wanted_width(column), column


def heights(table):
    return [table.rowHeight(row) for row in range(table.model().rowCount())]


def test_rows_share_the_room_beside_a_longer_column(table, judged):
    table.show_requirements(judged("cudnn-shadowed")[2].requirements)
    head, rows = table.horizontalHeader().height(), table.model().rowCount()
    assert table.sizeHint().height() == head + rows * 32

    for room, expected in ((rows * 32, {32}), (rows * 37 + 3, {37, 38}), (rows * 60, {44})):
        table.resize(740, head + room)
        assert set(heights(table)) == expected
        assert sum(heights(table)) == min(room, rows * 44)
