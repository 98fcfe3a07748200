"""Tables: models that keep Qt's rules, words and colours of rows, choosing by mouse and keys."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QWidget

from gpuconfig_app.core.finding import Proven, Verdict
from gpuconfig_app.ui.models.environment_model import ENVIRONMENT, VERDICT, EnvironmentModel
from gpuconfig_app.ui.models.requirement_model import RequirementModel
from gpuconfig_app.ui.theme import DARK, LIGHT
from gpuconfig_app.ui.widgets.environment_table import EnvironmentTable
from gpuconfig_app.ui.widgets.requirement_table import RequirementTable
from gpuconfig_app.ui.widgets.table import CellRole
from tests.ui.fakes_ui import make_compat, make_environments, make_requirements


def _colors(widget: QWidget) -> set[str]:
    image = widget.grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


@pytest.fixture
def environments(state):
    model = EnvironmentModel(state.text, state)
    rows = make_environments()
    verdicts = {
        rows[0].executable: make_compat(),
        rows[1].executable: make_compat(Verdict.CPU_ONLY),
        rows[2].executable: make_compat(proven=Proven.FALSE),
        rows[4].executable: make_compat(Verdict.BLOCKED),
    }
    model.show_environments(rows, verdicts, rows[2].executable)
    return model


def test_model_of_environments_keeps_qt_s_rules(environments, qtbot):
    QAbstractItemModelTester(environments, QAbstractItemModelTester.FailureReportingMode.Fatal)

    environments.show_environments(make_environments()[:2], {}, None)

    assert environments.rowCount() == 2


@pytest.mark.parametrize(
    ("row", "severity", "word"),
    [
        (0, "good", "Proven on GPU"),
        (1, "warning", "Processor only"),
        (2, "note", "Should be ready"),
        (3, "idle", "No TensorFlow"),
        (4, "blocked", "An older cuDNN is loaded first"),
    ],
)
def test_words_of_environments(environments, row, severity, word):
    cell = environments.index(row, VERDICT)

    assert (cell.data(CellRole.SEVERITY), cell.data()) == (severity, word)


def test_verdict_that_is_still_made_says_so(state):
    model = EnvironmentModel(state.text, state)
    model.show_environments(make_environments()[:1], {}, None)

    assert model.index(0, VERDICT).data() == "Checking…"


def test_chosen_environment_stands_first_then_the_best(state, show, environments):
    table = show(EnvironmentTable(state.text))
    rows = make_environments()
    table.show_environments(rows, {rows[0].executable: make_compat()}, rows[4].executable)

    shown = [table.model().index(row, ENVIRONMENT).data() for row in range(5)]

    assert shown[:2] == ["~/old/.venv", "~/tf/.venv"]
    assert shown[-1] == "/usr/bin/python"


def test_requirements_keep_qt_s_rules_and_mark_what_fails(state, qtbot):
    model = RequirementModel(state.text, state)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_requirements(make_requirements())

    marks = [model.index(row, 0).data(CellRole.ROW_SEVERITY) for row in range(model.rowCount())]
    badges = [model.index(row, 3).data(CellRole.SEVERITY) for row in range(model.rowCount())]

    assert marks == [None, None, "blocked", None, None]
    assert badges == ["good", "good", "blocked", "good", "idle"]


def test_selected_requirement_is_told(state, show, qtbot):
    table = show(RequirementTable(state.text))
    table.show_requirements(make_requirements())

    with qtbot.waitSignal(table.requirement_selected) as told:
        table.setCurrentIndex(table.model().index(2, 0))

    assert told.args[0].id == "cudnn"


@pytest.mark.parametrize("name", [LIGHT, DARK])
def test_failing_row_is_painted_in_its_color(state, show, theme, name):
    theme.choose(name)
    table = show(RequirementTable(state.text))
    table.window().resize(700, 300)
    table.show_requirements(make_requirements())

    assert theme.color("blocked.bg").name() in _colors(table.viewport())


def test_table_is_as_high_as_its_rows(state, show):
    table = show(RequirementTable(state.text))

    table.show_requirements(make_requirements())

    assert table.height() == 30 + 5 * 32
