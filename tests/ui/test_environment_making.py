"""The making of an environment as the window keeps it: news, end, cancelling, closing, what comes after."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.environment_made import InstallerLine, MakeOutcome
from gpuconfig_app.core.finding import Severity
from gpuconfig_app.ui import environment_making
from gpuconfig_app.ui.background import Background
from gpuconfig_app.ui.environment_making import MAKING, EnvironmentMaking, making_of, new_lines
from tests.ui.environment_plans import (
    FOLDER,
    PYTHON,
    FakeMaker,
    make_failed,
    make_lines,
    make_made,
    make_plan,
    make_progress,
)
from tests.ui.fakes_ui import make_compat, make_environments, make_gpu, make_report


@pytest.fixture
def maker():
    return FakeMaker()


@pytest.fixture
def real_background(state):
    state.background = Background(state)
    state.background.busy_changed.connect(state.busy_changed)
    state.workbench.find_environments = lambda _: make_report(environments=make_environments())
    state.show(make_report((make_gpu(0),)))
    yield state.background
    state.background.cancel_all()


@pytest.fixture
def making(state, maker, real_background):
    made = EnvironmentMaking(state, maker)
    state.drafts[MAKING] = made
    yield made
    maker.news.put(make_failed())


@pytest.fixture
def notices(state):
    seen: list[object] = []
    state.notice_posted.connect(seen.append)
    return seen


def begin(making: EnvironmentMaking, qtbot) -> None:
    making.start(make_plan())
    qtbot.waitUntil(lambda: bool(making._make.plans))


def ended(making: EnvironmentMaking, maker: FakeMaker, result: object, qtbot) -> None:
    maker.news.put(result)
    qtbot.waitUntil(lambda: not making.is_running)


def test_lines_of_a_sliding_window_are_each_kept_once():
    lines = [InstallerLine(at=float(number), text="same words") for number in range(7)]

    assert new_lines([], lines[:3]) == tuple(lines[:3])
    assert new_lines(lines[:3], lines[1:6]) == tuple(lines[3:6])
    assert new_lines(lines[:3], lines[:3]) == ()
    assert new_lines(lines[:3], lines[5:]) == tuple(lines[5:])


def test_news_arrive_while_it_is_made(making, maker, qtbot):
    begin(making, qtbot)
    progress = make_progress()

    with qtbot.waitSignal(making.progressed):
        maker.news.put(progress)

    assert making.is_running
    assert making.progress == progress
    assert making.lines == list(make_lines())


def test_a_very_long_log_keeps_its_end(making, maker, qtbot, monkeypatch):
    monkeypatch.setattr(environment_making, "MOST_LINES", 6)
    begin(making, qtbot)

    with qtbot.waitSignal(making.progressed):
        maker.news.put(make_progress())

    assert making.lines == list(make_lines()[3:])


def test_only_what_can_be_started_is_started(making, maker, state):
    making.start(make_plan(is_here=False))

    assert not making.is_running
    assert maker.plans == []


def test_end_is_told_when_nobody_looks(making, maker, qtbot, notices):
    begin(making, qtbot)

    ended(making, maker, make_made(), qtbot)

    assert making.made == make_made()
    assert [(notice.topic, notice.severity) for notice in notices] == [(MAKING, Severity.GOOD)]
    assert (notices[0].page, notices[0].stays) == ("make_environment", True)


@pytest.mark.parametrize(
    ("result", "severity"),
    [(make_made(MakeOutcome.NOT_PROVEN), Severity.WARNING), (make_failed(), Severity.BLOCKED)],
    ids=["not-proven", "failed"],
)
def test_trouble_is_told_as_such(making, maker, qtbot, notices, result, severity):
    begin(making, qtbot)

    ended(making, maker, result, qtbot)

    assert [notice.severity for notice in notices] == [severity]


def test_page_in_sight_needs_no_notice(making, maker, qtbot, notices):
    making.is_watched = True
    begin(making, qtbot)

    ended(making, maker, make_made(), qtbot)

    assert notices == []


def test_cancelled_making_leads_back_to_the_plan_and_says_what_is_left(making, qtbot, notices):
    begin(making, qtbot)

    making.cancel()
    assert making.is_ending
    qtbot.waitUntil(lambda: not making.is_running)

    assert (making.made, making.plan, making.is_ending) == (None, None, False)
    assert [notice.severity for notice in notices] == [Severity.NEUTRAL]


def test_defect_is_told_and_the_plan_is_back(making, maker, qtbot, notices, caplog):
    begin(making, qtbot)

    ended(making, maker, ValueError("broken"), qtbot)

    assert making.made is None
    assert notices[0].message.id == "ui.defect"


def test_news_of_an_ended_making_are_dropped(making, maker, qtbot):
    begin(making, qtbot)
    making._told.emit(object(), make_progress())
    ended(making, maker, make_made(), qtbot)

    assert making.progress is None


def test_closing_waits_until_everything_is_removed(making, qtbot):
    begin(making, qtbot)
    closed: list[bool] = []

    making.end_before(lambda: closed.append(making.is_running))
    assert (making.is_awaited, closed) == (True, [])
    qtbot.waitUntil(lambda: bool(closed))

    assert closed == [False]
    assert not making.is_awaited


def test_closing_does_not_wait_for_ever(making, maker, qtbot, monkeypatch):
    maker.cleans = False
    making._limit.setInterval(20)
    begin(making, qtbot)
    closed: list[bool] = []

    making.end_before(lambda: closed.append(True))
    qtbot.waitUntil(lambda: bool(closed))

    assert making.is_running


def test_closing_goes_on_at_once_when_nothing_is_made(making):
    closed: list[bool] = []

    making.end_before(lambda: closed.append(True))

    assert closed == [True]


def test_new_environment_is_found_by_every_later_search(making, maker, state, qtbot):
    begin(making, qtbot)
    ended(making, maker, make_made(), qtbot)

    qtbot.waitUntil(lambda: ("refresh", None) in state.calls)

    assert state.settings.extra_python_folders == (FOLDER,)


def test_environment_that_is_found_anyway_is_not_added_to_the_settings(making, maker, state, qtbot):
    begin(making, qtbot)
    ended(making, maker, make_made(folder=make_environments()[0].prefix), qtbot)

    qtbot.waitUntil(lambda: ("refresh", None) in state.calls)

    assert state.settings.extra_python_folders == ()


def test_new_environment_can_be_chosen(making, maker, state, qtbot):
    begin(making, qtbot)
    ended(making, maker, make_made(), qtbot)

    making.use()

    assert ("select_python", PYTHON) in state.calls


def test_choice_holds_although_the_machine_was_being_looked_at(making, maker, state, qtbot):
    begin(making, qtbot)
    ended(making, maker, make_made(), qtbot)
    making.use()
    state.update_settings(python=PYTHON)  # as the real state does
    state.calls.clear()

    state.environment = make_environments()[0]
    state.compat = make_compat()
    state.compat_changed.emit(state.compat)
    state.compat_changed.emit(state.compat)

    assert state.calls == [("select_python", PYTHON)]


def test_another_choice_made_meanwhile_is_respected(making, maker, state, qtbot):
    begin(making, qtbot)
    ended(making, maker, make_made(), qtbot)
    making.use()
    state.update_settings(python="/another/python")
    state.calls.clear()

    state.environment = make_environments()[0]
    state.compat = make_compat()
    state.compat_changed.emit(state.compat)

    assert state.calls == []


def test_notice_is_over_when_the_page_is_seen(making, maker, qtbot, notices):
    begin(making, qtbot)
    ended(making, maker, make_made(), qtbot)

    making.set_watched(is_watched=True)

    assert notices[-1].topic == MAKING
    assert notices[-1].is_over


def test_result_can_be_forgotten(making, maker, qtbot):
    begin(making, qtbot)
    ended(making, maker, make_made(), qtbot)

    making.forget()

    assert (making.made, making.lines) == (None, [])


def test_a_state_has_one_making(state):
    assert making_of(state) is making_of(state)
