"""The page Runs over real run folders: list, choice, live log, stopping a real child, folders that broke."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.run_result import RunKind, RunRecord, RunState
from gpuconfig_app.runner.training import RunRequest, find_runs, read_result, start_run, stop_run
from gpuconfig_app.storage.runs import RunFolder
from gpuconfig_app.ui.pages.runs_page import RunsPage
from gpuconfig_app.ui.widgets.buttons import Button
from tests.ui.fakes_ui import FakeState
from tests.ui.run_folders import break_run, make_run, write_events

LIMIT_MS = 15_000
# Prints when told to, so that the test decides when the log grows.
TALKING_SCRIPT = """\
import pathlib, threading
here, pause = pathlib.Path(__file__).parent, threading.Event()
print("first line", flush=True)
while not (here / "go").exists():
    pause.wait(0.02)
print("second line", flush=True)
pause.wait(600)
"""


@pytest.fixture
def places(state: FakeState):
    return state.workbench.places


@pytest.fixture
def page(state: FakeState, qtbot):
    made = RunsPage(state)
    qtbot.addWidget(made)
    made.resize(1104, 760)
    made.show()
    yield made
    made.on_leave()


@pytest.fixture
def running(places, tmp_path: Path):
    """A real training that prints, waits and would go on for ever."""
    folder = tmp_path / "pets"
    folder.mkdir()
    (folder / "train.py").write_text(TALKING_SCRIPT, encoding="utf-8")
    handle = start_run(RunRequest(bundle=folder, python=sys.executable, kind=RunKind.TRAINING), places)
    yield handle.record
    stop_run(handle.record, places, grace_s=0.2)


def enter(page: RunsPage, state: FakeState, **arguments: object) -> None:
    page.on_enter(arguments)
    state.background.finish("runs")


def listed(page: RunsPage) -> list[str]:
    return [page._model.index(row).data() for row in range(page._model.rowCount())]


def log(page: RunsPage) -> str:
    return page._detail._log.toPlainText()


def shown(page: RunsPage) -> str:
    assert page._detail.record is not None
    return page._detail.record.id


def test_nothing_has_run_yet_offers_a_way_on(page, state, qtbot):
    enter(page, state)

    assert page._empty.isVisible()
    assert not page._both.isVisible()
    button = page._empty.findChildren(Button)[0]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert ("navigate", ("new_script", {})) in state.calls


def test_newest_run_is_on_top_and_shown(page, state, places, qtbot):
    make_run(places, "old", ago_s=86_400 * 3)
    newest = make_run(places, "new", log="hello\n", epochs=2)

    enter(page, state)

    assert listed(page) == ["new", "old"]
    assert shown(page) == newest.id
    qtbot.waitUntil(lambda: log(page) == "hello", timeout=LIMIT_MS)
    assert page._detail._curve_card.isVisible()


def test_run_that_was_just_started_is_shown(page, state, places):
    old = make_run(places, "old", ago_s=5000)
    make_run(places, "new")

    enter(page, state, run=old.id)

    assert shown(page) == old.id


def test_choice_survives_leaving_and_a_rebuild(page, state, places, qtbot):
    old = make_run(places, "old", ago_s=5000)
    make_run(places, "new")
    enter(page, state)

    page._list.choose(old.id)
    page.on_leave()
    enter(page, state)
    again = RunsPage(state)
    qtbot.addWidget(again)
    enter(again, state)

    assert shown(page) == old.id
    assert shown(again) == old.id
    again.on_leave()


def test_choice_stays_when_a_run_comes_on_top(page, state, places):
    old = make_run(places, "old", ago_s=5000)
    enter(page, state)
    page._list.choose(old.id)

    make_run(places, "new")
    enter(page, state)

    assert listed(page) == ["new", "old"]
    assert shown(page) == old.id


def test_run_that_was_deleted_gives_way_to_the_newest(page, state, places):
    old = make_run(places, "old", ago_s=5000)
    new = make_run(places, "new")
    enter(page, state)
    page._list.choose(old.id)

    shutil.rmtree(places.runs / old.id)
    enter(page, state)

    assert listed(page) == ["new"]
    assert shown(page) == new.id


def test_choosing_another_run_shows_its_log_alone(page, state, places, qtbot):
    one = make_run(places, "one", log="of one\n", ago_s=5000)
    make_run(places, "two", log="of two\n")
    enter(page, state)
    qtbot.waitUntil(lambda: log(page) == "of two", timeout=LIMIT_MS)

    page._list.choose(one.id)

    qtbot.waitUntil(lambda: log(page) == "of one", timeout=LIMIT_MS)


def test_running_training_is_followed_live(page, state, running: RunRecord, qtbot):
    enter(page, state)
    qtbot.waitUntil(lambda: log(page) == "first line", timeout=LIMIT_MS)
    assert page._page_subtitle.text() == "1 running"
    assert page._detail._stop.isVisible()

    (Path(running.bundle) / "go").touch()

    qtbot.waitUntil(lambda: log(page) == "first line\nsecond line", timeout=LIMIT_MS)


def test_curves_appear_while_it_runs(page, state, places, running: RunRecord, qtbot):
    enter(page, state)
    qtbot.waitUntil(lambda: bool(log(page)), timeout=LIMIT_MS)
    before = page._detail._curve_card.isVisible()

    write_events(RunFolder(places.runs / running.id), 4)

    qtbot.waitUntil(page._detail._curve_card.isVisible, timeout=LIMIT_MS)
    assert not before


def test_training_is_stopped_only_after_a_second_look(page, state, places, running: RunRecord, qtbot):
    enter(page, state)
    detail = page._detail

    qtbot.mouseClick(detail._stop, Qt.MouseButton.LeftButton)
    assert "stop-run" not in state.background.jobs
    assert read_result(places.runs / running.id).state is RunState.RUNNING
    qtbot.mouseClick(detail._yes, Qt.MouseButton.LeftButton)
    state.background.finish("stop-run")
    state.background.finish("runs")

    assert read_result(places.runs / running.id).state is RunState.CANCELLED
    assert page._model.runs[0].result.state is RunState.CANCELLED
    qtbot.waitUntil(lambda: not detail._stop.isVisible(), timeout=LIMIT_MS)


def test_end_of_a_run_is_taken_into_the_list(page, state, places, running: RunRecord, qtbot):
    enter(page, state)
    qtbot.waitUntil(lambda: bool(log(page)), timeout=LIMIT_MS)

    stop_run(running, places, grace_s=0.2)

    qtbot.waitUntil(lambda: page._model.runs[0].result.state is RunState.CANCELLED, timeout=LIMIT_MS)
    assert "runs" in state.background.jobs


def test_run_that_vanished_says_so(page, state, places, qtbot):
    make_run(places, "gone", exit_code=None, reason="")

    enter(page, state)

    assert page._detail._meaning_frame.isVisible()
    assert page._detail._meaning_frame.property("severity") == "warning"
    assert not page._detail._stop.isVisible()


def test_broken_folder_does_not_hide_the_others(page, state, places):
    make_run(places, "good")
    break_run(places)
    (places.runs / "empty").mkdir()

    enter(page, state)

    assert listed(page) == ["good"]


def test_folder_that_goes_while_the_list_is_read_is_left_out(page, state, places, monkeypatch):
    keep = make_run(places, "keep")
    lost = make_run(places, "lost")
    records = find_runs(places)
    monkeypatch.setattr("gpuconfig_app.ui.pages.runs_page.find_runs", lambda _: records)
    shutil.rmtree(places.runs / lost.id)

    enter(page, state)

    assert [run.record.id for run in page._model.runs] == [keep.id]


def test_folder_that_breaks_while_it_is_followed_is_told(page, state, places, qtbot):
    posted = []
    state.notice_posted.connect(posted.append)
    record = make_run(places, "pets")
    runs = find_runs(places)
    results = {item.id: read_result(places.runs / item.id) for item in runs}
    shutil.rmtree(places.runs / record.id)

    page._follower.follow(places.runs / record.id)

    qtbot.waitUntil(lambda: bool(posted), timeout=LIMIT_MS)
    assert posted[0].severity is Severity.BLOCKED
    assert results[record.id].state is RunState.FINISHED


def test_bundle_opens_in_the_wizard(page, state, places, qtbot):
    record = make_run(places, "pets")
    enter(page, state)

    qtbot.mouseClick(page._detail._open, Qt.MouseButton.LeftButton)

    assert ("navigate", ("new_script", {"bundle": record.bundle})) in state.calls


def test_folder_is_shown_by_the_system(page, state, places, qtbot, monkeypatch):
    opened = []
    monkeypatch.setattr("gpuconfig_app.ui.pages.runs_page.QDesktopServices.openUrl", opened.append)
    record = make_run(places, "pets")
    enter(page, state)

    qtbot.mouseClick(page._detail._show, Qt.MouseButton.LeftButton)

    assert Path(opened[0].toLocalFile()) == places.runs / record.id


def test_measured_stands_beside_predicted(page, state, places, qtbot):
    make_run(places, "pets", RunKind.TEST, epochs=2)

    enter(page, state)

    rows = {row.id: row.is_inside for row in page._detail._compared._rows}
    assert rows == {"memory_peak_bytes": True, "step_s": True}
    assert page._detail._compared_card.isVisible()


def test_leaving_follows_no_more(page, state, places, qtbot):
    make_run(places, "pets")
    enter(page, state)

    page.on_leave()

    assert page._follower._stopped.is_set()


def test_long_page_scrolls_and_keeps_clear_of_the_bar(page, state, places, qtbot, qapp):
    make_run(places, "pets", epochs=8)
    page.resize(1104, 400)
    enter(page, state)
    qtbot.waitUntil(page._detail._curve_card.isVisible, timeout=LIMIT_MS)
    qtbot.waitUntil(lambda: page._area.verticalScrollBar().maximum() > 0, timeout=LIMIT_MS)

    assert page._detail.layout().contentsMargins().right() == 8
    page.resize(1104, 1400)
    qtbot.waitUntil(lambda: page._detail.layout().contentsMargins().right() == 0, timeout=LIMIT_MS)
