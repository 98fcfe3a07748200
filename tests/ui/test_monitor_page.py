"""Monitor as a whole: what it shows of a machine, pausing, ending a process, alarms, and its empty states."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import Qt

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.telemetry.event_list import EventList
from gpuconfig_app.ui.live_sampling import limits_of
from gpuconfig_app.ui.pages.monitor_page import MonitorPage
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.heat_strip import HeatStrip
from gpuconfig_app.ui.widgets.small_multiples import SmallMultiples
from gpuconfig_app.workbench.machine import OpenMachine
from tests.ui.fakes_ui import FakeState, make_gpu, make_minute, make_report, make_sample, make_silence
from tests.ui.graphs import key_of


@pytest.fixture
def page(state: FakeState, qtbot):
    made = MonitorPage(state)
    qtbot.addWidget(made)
    made.resize(1104, 800)
    made.show()
    made.on_enter({})
    yield made
    made.on_leave()


def open_machine(state: FakeState, count: int = 2, recorded: bool = False) -> None:
    report = make_report(tuple(make_gpu(index) for index in range(count)))
    state.events = EventList(limits_of(report))
    state.show(report, recorded=LocalText("lab", "lab") if recorded else None)


def words(page: MonitorPage) -> list[str]:
    graphs = page.findChild(SmallMultiples)
    return [row.word for row in graphs._rows]


def test_before_the_survey_there_is_nothing_to_show(page):
    assert not page._card.isVisible()
    assert not page._empty.isVisible()
    assert not page._export.button.isVisible()


def test_cards_and_pace_stand_below_the_title(page, state):
    open_machine(state)

    assert page._page_subtitle.text() == "2× RTX 4090 · every 1 s"
    state.update_settings(sampling_interval_s=0.5)
    assert page._page_subtitle.text() == "2× RTX 4090 · every 0.5 s"


def test_recorded_machine_is_never_called_live(page, state):
    report = make_report((make_gpu(0),))
    samples = (make_sample(0, 0.0), make_sample(0, 120.0))
    state.machine_name, state.machine = "lab", OpenMachine(report, "lab", LocalText("lab", "lab"), samples)

    state.report_changed.emit(report)

    assert page._page_subtitle.text() == "1× RTX 4090 · a recording of 2 min, played in a loop"


def test_recording_without_readings_says_so(page, state):
    open_machine(state, 1, recorded=True)
    state.give([make_silence(0, liveness=Liveness.WAITING)])

    assert page._page_subtitle.text() == "1× RTX 4090 · the recording has no readings over time"
    assert page._processes._empty.text() == "The recording does not say which processes used the GPUs."


def test_rows_follow_the_readings(page, state):
    open_machine(state)
    state.give(make_minute(0))
    state.give([make_sample(1, values={Metric.UTILIZATION_PCT: 0.0})])

    assert words(page) == ["Busy", "Idle"]
    state.give([make_silence(1, 70.0, Liveness.LOST)])
    assert words(page) == ["Busy", "Lost"]


def test_no_gpu_offers_ways_on(page, state, qtbot):
    open_machine(state, 0)

    assert page._empty.isVisible()
    assert not page._card.isVisible()
    assert not page._pause.isVisible()
    for button in page._empty.findChildren(Button):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert ("navigate", ("compatibility", {})) in state.calls
    assert ("select_machine", "training-2x4090") in state.calls


def test_pause_holds_the_graphs_and_going_on_lets_them_go(page, state, qtbot):
    open_machine(state)
    graphs = page.findChild(SmallMultiples)

    qtbot.mouseClick(page._pause, Qt.MouseButton.LeftButton)
    paused = (state.sampling.is_paused, page._pause.text(), graphs._frozen_s)
    qtbot.mouseClick(page._pause, Qt.MouseButton.LeftButton)

    assert paused == (True, "Go on", state.clock.monotonic())
    assert (state.sampling.is_paused, page._pause.text(), graphs._frozen_s) == (False, "Pause", None)


def test_pause_holds_the_moment_it_was_pressed(page, state, qtbot):
    open_machine(state)
    qtbot.mouseClick(page._pause, Qt.MouseButton.LeftButton)
    at = state.clock.monotonic()

    state.clock.advance(60)
    state.report_changed.emit(state.report)

    assert page.findChild(SmallMultiples)._frozen_s == at


def test_span_survives_a_rebuild_of_the_pages(page, state, qtbot):
    open_machine(state)
    page._spans.chosen.emit("60")

    again = MonitorPage(state)
    qtbot.addWidget(again)

    assert again._spans.value == "60"
    assert page.findChild(SmallMultiples)._span_s == 60.0


def test_spans_reach_as_far_as_the_history_is_kept(page, state):
    state.update_settings(history_hours=24.0)
    day = [value for value, _ in page._spans.choices]
    page._spans.set_value("86400")
    state.update_settings(history_hours=1.0)

    assert day == ["60", "600", "3600", "21600", "86400"]
    assert [value for value, _ in page._spans.choices] == ["60", "600", "3600"]
    assert page._spans.value == "3600"


def test_other_machine_is_held_where_it_was_opened(page, state, qtbot):
    open_machine(state)
    qtbot.mouseClick(page._pause, Qt.MouseButton.LeftButton)

    state.clock.advance(60)
    open_machine(state)

    assert page.findChild(SmallMultiples)._frozen_s == state.clock.monotonic()


def test_card_of_the_overview_is_chosen_in_the_strip(page, state):
    open_machine(state, 16)

    page.on_enter({"device": 7})
    page._show_samples()

    assert page.findChild(HeatStrip).selected == (key_of(7),)


def test_alarm_is_listed_and_marked_in_the_rail(page, state):
    marks = []
    page.attention_changed.connect(marks.append)
    open_machine(state)

    state.give([make_sample(1), make_silence(1, 5.0, Liveness.LOST)])

    assert marks[-1] == "blocked"
    texts = [event.text for event in page._events._shown]
    assert len(texts) == 1
    assert texts[0].startswith("GPU 1: The card is lost")


def test_card_of_processes_is_no_higher_than_its_rows(page, state, qapp):
    open_machine(state, 8)
    state.give([make_sample(index, float(index)) for index in range(8)])
    for index in range(8):
        state.give([make_silence(index, 20.0, Liveness.LOST)])
    state.give([make_sample(0, 30.0, processes=(GpuProcess(pid=4_000_000, name="python"),))])
    qapp.processEvents()

    card = page._processes
    assert card.title.mapTo(card, card.title.rect().topLeft()).y() < 20
    assert card.height() <= card.sizeHint().height() + 2


def test_end_of_an_alarm_is_listed_and_the_mark_goes(page, state):
    marks = []
    page.attention_changed.connect(marks.append)
    open_machine(state)
    state.give([make_sample(1), make_silence(1, 5.0, Liveness.LOST)])

    state.give([make_sample(1, 10.0)])

    assert [event.is_over for event in page._events._shown] == [False, True]
    assert marks[-1] == ""


def test_everyday_alarm_marks_nothing(page, state):
    marks = []
    page.attention_changed.connect(marks.append)
    open_machine(state, 1)

    state.give([make_sample(0, float(second), throttle_reasons=("power_cap",)) for second in range(60)])

    assert len(page._events._shown) == 1
    assert set(marks) == {""}


def test_no_process_and_not_told_are_two_things(page, state):
    open_machine(state, 1)
    state.give([make_sample(0)])
    untold = page._processes._empty.text()
    state.give([make_sample(0, 1.0, processes=())])

    assert untold == "The driver has not told which processes use the GPUs."
    assert page._processes._empty.text() == "No process uses a GPU now."


@pytest.fixture
def child():
    script = "import threading; print('there', flush=True); threading.Event().wait(600)"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_own_process_is_ended_after_a_second_look(page, state, qtbot, child):
    open_machine(state, 1)
    state.give([make_sample(0, processes=(GpuProcess(pid=child.pid, name=f"{sys.executable} train.py"),))])
    state.background.finish("own-processes")
    card = page._processes
    card._table.setCurrentIndex(card._table.model().index(0, 0))

    qtbot.mouseClick(card._end, Qt.MouseButton.LeftButton)
    assert child.poll() is None
    assert "end-process" not in state.background.jobs
    qtbot.mouseClick(card._yes, Qt.MouseButton.LeftButton)
    state.background.finish("end-process")

    assert child.wait(10) != 0
    assert ("refresh", None) in state.calls


def test_number_that_was_given_to_another_process_is_refused_and_told(page, state, qtbot, child):
    posted = []
    state.notice_posted.connect(posted.append)
    state.background.failed.connect(state.post_error)
    open_machine(state, 1)
    state.give([make_sample(0, processes=(GpuProcess(pid=child.pid, name=f"{sys.executable} train.py"),))])
    page._take_own({child.pid: 1.0})
    card = page._processes
    card._table.setCurrentIndex(card._table.model().index(0, 0))

    qtbot.mouseClick(card._end, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(card._yes, Qt.MouseButton.LeftButton)
    state.background.finish("end-process")

    assert child.poll() is None
    assert [notice.message.id for notice in posted] == ["workbench.process-changed"]


def test_processes_of_a_recording_are_never_looked_up_here(page, state):
    open_machine(state, 1, recorded=True)

    state.give([make_sample(0, processes=(GpuProcess(pid=1, name="init"),))])

    assert "own-processes" not in state.background.asked
    assert not page._processes._end.isVisible()


def test_hidden_page_draws_nothing(page, state):
    open_machine(state)
    page.hide()
    page.on_leave()

    state.give(make_minute(0))

    assert words(page) == ["Loading", "Loading"]
    assert not page._timer.isActive()
