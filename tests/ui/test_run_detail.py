"""One run in full: tiles, meaning, measured beside predicted, curves, stopping after a second look."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Interval
from gpuconfig_app.core.run_result import Compared, RunKind, RunRecord, RunResult, RunState
from gpuconfig_app.core.units import GIB
from gpuconfig_app.runner.script_events import sum_up
from gpuconfig_app.runner.script_log import LogChange
from gpuconfig_app.ui.run_follower import RunNews
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.run_curves import RunCurves
from gpuconfig_app.ui.widgets.run_detail import RunDetail

RECORD = RunRecord(id="r1", kind=RunKind.TRAINING, bundle="/data/pets", started_at=1000.0)
RUNNING = RunResult(run_id="r1", state=RunState.RUNNING, duration_s=12.0, log="/runs/r1/log.txt")
PEAK = Compared(
    id="memory_peak_bytes",
    predicted=Interval(low=7 * GIB, expected=7.5 * GIB, high=8 * GIB),
    measured=7.8 * GIB,
    is_inside=True,
)
SLOW = Compared(id="step_s", predicted=Interval(low=0.1, expected=0.2, high=0.3), measured=0.9, is_inside=False)
FINISHED = replace(
    RUNNING,
    state=RunState.FINISHED,
    meaning=Message("runner.exit-done"),
    compared=(PEAK, SLOW),
    devices=("NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090"),
)


def epoch(number: int, **values: object) -> dict[str, object]:
    return {"event": "epoch", "epoch": number, **values}


def news(result: RunResult = RUNNING, lines: tuple[str, ...] = (), *events: dict[str, object]) -> RunNews:
    return RunNews(LogChange(lines), sum_up(list(events)), result)  # type: ignore[arg-type]  # plain JSON


@pytest.fixture
def detail(show, state):
    made = show(RunDetail(state.text))
    made.window().resize(900, 900)
    made.show_run(RECORD, RUNNING, "today 11:02")
    return made


def tiles(detail: RunDetail) -> dict[str, str]:
    return {tile.label: f"{tile.number} {tile.unit} {tile.remark}".strip() for tile in detail._strip.metrics}


def test_head_says_what_runs_since_when(detail):
    assert detail._name.text() == "pets"
    assert detail._when.text() == "today 11:02"
    assert detail._stop.isVisible()


def test_devices_are_named_once(detail):
    detail.show_run(RECORD, FINISHED, "today")

    assert detail._when.text() == "today · NVIDIA GeForce RTX 4090"


def test_unknown_values_are_dashes(detail):
    assert tiles(detail) == {"Elapsed": "12 s", "One step": "–", "Peak memory": "–"}


def test_tiles_of_what_the_script_told(detail):
    detail.show_news(
        news(
            RUNNING,
            (),
            epoch(1, val_accuracy=0.7, step_s=0.125, peak_memory_bytes=int(7.8 * GIB)),
            epoch(2, val_accuracy=0.82, step_s=0.125, peak_memory_bytes=int(7.8 * GIB)),
            epoch(3, val_accuracy=0.81, step_s=0.125, peak_memory_bytes=int(7.8 * GIB)),
        )
    )

    assert tiles(detail)["Best accuracy"] == "0.82  epoch 2"
    assert tiles(detail)["Peak memory"] == "7.8 GiB"
    assert tiles(detail)["One step"] == "0.12 s"


def test_smaller_is_better_for_errors(detail):
    detail.show_news(news(RUNNING, (), epoch(1, val_mae=0.5), epoch(2, val_mae=0.3), epoch(3, val_mae=0.4)))

    assert tiles(detail)["Smallest error"].startswith("0.3  epoch 2")


def test_peak_on_the_processor_is_said_to_be_none(detail):
    detail.show_news(news(RUNNING, (), {"event": "devices", "strategy": "cpu", "devices": []}))

    assert tiles(detail)["Peak memory"] == "–  on the processor"


def test_log_grows_and_begins_anew_with_a_new_file(detail):
    detail.show_news(news(lines=("a", "b")))
    detail.show_news(news(lines=("c",)))
    grown = detail._log.toPlainText()
    detail.show_news(RunNews(LogChange(("new",), is_new_file=True), sum_up([]), RUNNING))

    assert grown == "a\nb\nc"
    assert detail._log.toPlainText() == "new"


def test_other_run_begins_with_an_empty_log_and_no_curves(detail):
    detail.show_news(news(RUNNING, ("a",), epoch(1, loss=1.0)))

    detail.show_run(replace(RECORD, id="r2"), replace(RUNNING, run_id="r2"), "today")

    assert detail._log.toPlainText() == ""
    assert not detail._curve_card.isVisible()
    assert tiles(detail)["One step"] == "–"


def test_same_run_keeps_its_log(detail):
    detail.show_news(news(lines=("a",)))

    detail.show_run(RECORD, RUNNING, "today")

    assert detail._log.toPlainText() == "a"


def test_stopping_needs_a_second_look(detail, qtbot):
    with qtbot.assertNotEmitted(detail.stop_confirmed):
        qtbot.mouseClick(detail._stop, Qt.MouseButton.LeftButton)
    asked = detail._question.isVisible()

    with qtbot.waitSignal(detail.stop_confirmed) as heard:
        qtbot.mouseClick(detail._yes, Qt.MouseButton.LeftButton)

    assert asked
    assert heard.args == [RECORD]
    assert not detail._question.isVisible()


def test_letting_it_run_stops_nothing(detail, qtbot):
    qtbot.mouseClick(detail._stop, Qt.MouseButton.LeftButton)

    with qtbot.assertNotEmitted(detail.stop_confirmed):
        qtbot.mouseClick(detail._no, Qt.MouseButton.LeftButton)

    assert not detail._question.isVisible()


def test_question_names_what_is_lost(detail, qtbot):
    qtbot.mouseClick(detail._stop, Qt.MouseButton.LeftButton)
    training = detail._question_text.text()
    detail.show_run(replace(RECORD, id="r2", kind=RunKind.TEST), replace(RUNNING, run_id="r2"), "today")
    qtbot.mouseClick(detail._stop, Qt.MouseButton.LeftButton)

    assert "--resume" in training
    assert detail._question_text.text() == "Stop this test run?"


def test_run_that_ended_meanwhile_cannot_be_stopped(detail, qtbot):
    qtbot.mouseClick(detail._stop, Qt.MouseButton.LeftButton)

    detail.show_news(news(FINISHED))

    assert not detail._question.isVisible()
    assert not detail._stop.isVisible()


@pytest.mark.parametrize(
    ("run_state", "message", "severity"),
    [
        (RunState.FINISHED, "runner.exit-done", "good"),
        (RunState.FAILED, "runner.exit-out-of-memory", "blocked"),
        (RunState.CANCELLED, "runner.stopped-resumable", "neutral"),
        (RunState.VANISHED, "runner.vanished", "warning"),
    ],
)
def test_end_is_explained_in_its_color(detail, state, run_state, message, severity):
    detail.show_news(news(replace(RUNNING, state=run_state, meaning=Message(message))))

    assert detail._meaning_frame.isVisible()
    assert detail._meaning_frame.property("severity") == severity
    assert detail._meaning.text() == state.text(Message(message))


@pytest.mark.parametrize("run_state", [RunState.FAILED, RunState.VANISHED, RunState.TIMED_OUT])
def test_log_of_a_failed_run_is_handed_over_to_be_explained(detail, qtbot, run_state):
    detail.show_news(news(replace(RUNNING, state=run_state)))
    asked = []
    detail.explain_asked.connect(asked.append)

    qtbot.mouseClick(detail.findChild(Button, "explain_run"), Qt.MouseButton.LeftButton)

    assert asked == ["/runs/r1/log.txt"]


def test_good_run_has_no_error_to_explain(detail):
    detail.show_news(news(FINISHED))

    assert not detail.findChild(Button, "explain_run").isVisible()


def test_running_has_nothing_to_explain(detail):
    assert not detail._meaning_frame.isVisible()


def test_measured_stands_beside_predicted_when_it_is_over(detail):
    before = detail._compared_card.isVisible()

    detail.show_news(news(FINISHED))

    assert not before
    assert detail._compared_card.isVisible()
    assert detail._compared._rows == (PEAK, SLOW)


def test_nothing_measured_shows_no_table(detail):
    unmeasured = Compared(id="step_s", predicted=SLOW.predicted, reason=Message("runner.not-measured"))

    detail.show_news(news(replace(FINISHED, state=RunState.FAILED, compared=(unmeasured,))))

    assert not detail._compared_card.isVisible()


def test_folder_and_bundle_are_asked_for(detail, qtbot):
    with qtbot.waitSignal(detail.folder_asked) as folder:
        qtbot.mouseClick(detail._show, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(detail.bundle_asked) as bundle:
        qtbot.mouseClick(detail._open, Qt.MouseButton.LeftButton)

    assert folder.args == ["/runs/r1/"]
    assert bundle.args == ["/data/pets"]


def test_buttons_go_below_the_name_where_it_is_narrow(detail, qapp):
    wide = detail._stop.y()
    detail.window().resize(520, 700)
    qapp.processEvents()

    assert detail._stop.y() > wide
    assert all(button.width() >= button.sizeHint().width() for button in (detail._open, detail._show, detail._stop))


# --- curves


@pytest.fixture
def curves(show):
    made = show(RunCurves())
    made.window().resize(900, 500)
    return made


def points(curve) -> list[tuple[float, float]]:
    x, y = curve.getData()
    return [] if x is None else list(zip(x.tolist(), y.tolist(), strict=True))


def test_loss_first_then_quality(curves):
    curves.show_epochs([epoch(1, accuracy=0.5, loss=1.0, val_loss=1.2, learning_rate=0.1)])

    assert curves._names == ("loss", "accuracy")
    assert points(curves._graphs[0].training) == [(1.0, 1.0)]
    assert points(curves._graphs[0].validation) == [(1.0, 1.2)]
    assert curves._graphs[0].legend[0].text == "training 1"
    assert curves._graphs[0].legend[1].text == "validation 1.2"


def test_epoch_without_a_value_is_left_out(curves):
    curves.show_epochs([epoch(1, loss=1.0), epoch(2), epoch(3, loss=None), epoch(4, loss=0.5)])

    assert points(curves._graphs[0].training) == [(1.0, 1.0), (4.0, 0.5)]
    assert not curves._graphs[0].legend[1].isVisibleTo(curves)


def test_marks_are_epochs_and_never_too_many(curves, qapp):
    curves.show_epochs([epoch(number, loss=1.0 / number) for number in range(1, 101)])

    marks = curves._graphs[0].plot.getAxis("bottom")._tickLevels[0]

    assert marks[0] == (1, "epoch 1")
    assert len(marks) <= 8


def test_other_metrics_build_other_graphs(curves):
    curves.show_epochs([epoch(1, loss=1.0)])
    curves.show_epochs([epoch(1, loss=1.0, mae=0.4)])

    assert curves._names == ("loss", "mae")
    assert len(curves._graphs) == 2


def test_not_a_number_ends_in_json_as_null(curves):
    line = json.loads('{"event": "epoch", "epoch": 1, "loss": null}')

    curves.show_epochs([line])

    assert points(curves._graphs[0].training) == []
