"""Runs in the list: names, words, order, choice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from gpuconfig_app.core.run_result import RunKind, RunRecord, RunResult, RunState
from gpuconfig_app.ui.models.run_list_model import SEVERITIES, RunListModel, RunRole, RunShown, run_name
from gpuconfig_app.ui.widgets.run_list import RunList


def shown(run_id: str, state: RunState = RunState.FINISHED, **changes: object) -> RunShown:
    record = RunRecord(id=run_id, kind=RunKind.TRAINING, bundle=f"/data/{run_id}", started_at=1000.0)
    return RunShown(record, RunResult(run_id=run_id, state=state, duration_s=90.0, **changes))


@pytest.fixture
def model(state, qapp):
    made = RunListModel(state.text, lambda moment: f"at {moment:.0f}")
    QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    made.show_runs([shown("c"), shown("b", RunState.RUNNING), shown("a", RunState.FAILED)])
    return made


def test_two_lines_of_a_run(model):
    index = model.index(0)

    assert index.data() == "c"
    assert index.data(RunRole.WHEN) == "at 1000"
    assert index.data(RunRole.STATE) == "Passed · training"
    assert index.data(RunRole.REMARK) == "2 min"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "c, Passed, at 1000"


@pytest.mark.parametrize("run_state", list(RunState))
def test_every_state_has_a_word_and_a_severity(model, run_state):
    model.show_runs([shown("a", run_state)])

    assert " · training" in model.index(0).data(RunRole.STATE)
    assert model.index(0).data(RunRole.STATE)[0] != "·"
    assert model.index(0).data(RunRole.SEVERITY) == SEVERITIES[run_state]


def test_unknown_duration_is_left_out(model):
    model.show_runs([replace(shown("a"), result=RunResult(run_id="a", state=RunState.VANISHED))])

    assert model.index(0).data(RunRole.REMARK) == ""


@pytest.mark.parametrize(
    ("bundle", "name"),
    [("/home/lin/pets", "pets"), ("/home/lin/.cache/try-1/bundle", "try-1"), ("", "20261130-1")],
)
def test_run_is_called_by_the_folder_of_its_script(bundle, name):
    assert run_name(RunRecord(id="20261130-1", kind=RunKind.TEST, bundle=bundle)) == name


def test_same_runs_keep_the_view_as_it_is(model, qtbot):
    with qtbot.assertNotEmitted(model.modelReset):
        model.show_runs([shown("c"), shown("b"), shown("a", RunState.FAILED)])

    assert model.index(1).data(RunRole.SEVERITY) == "good"


def test_new_run_comes_on_top(model):
    model.show_runs([shown("d"), *model.runs])

    assert [run.record.id for run in model.runs] == ["d", "c", "b", "a"]
    assert model.row_of("a") == 3
    assert model.row_of("x") == -1


def test_news_of_a_run_change_its_row_alone(model, qtbot):
    with qtbot.waitSignal(model.dataChanged) as heard:
        model.show_result(RunResult(run_id="b", state=RunState.FINISHED, duration_s=5.0))

    assert heard.args[0].row() == heard.args[1].row() == 1
    assert model.index(1).data(RunRole.REMARK) == "5.0 s"
    with qtbot.assertNotEmitted(model.dataChanged):
        model.show_result(RunResult(run_id="x", state=RunState.FINISHED))


@pytest.fixture
def view(show, model):
    made = show(RunList(model))
    made.window().resize(260, 400)
    return made


def test_choosing_by_id_and_by_keys(view, qtbot):
    heard = []
    view.run_chosen.connect(heard.append)

    view.choose("b")
    qtbot.keyClick(view, Qt.Key.Key_Down)
    view.choose("unknown")

    assert heard == ["b", "a"]


def test_chosen_row_stands_out(view, theme, qapp):
    view.choose("b")
    qapp.processEvents()
    image = view.viewport().grab().toImage()

    def ground(row: int) -> str:
        place = view.visualRect(view.model().index(row, 0))
        return image.pixelColor(place.left() + 8, place.center().y()).name()

    assert ground(1) == theme.color("selected").name()
    assert ground(0) == theme.color("surface").name()
