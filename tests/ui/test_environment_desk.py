"""Answers about a new environment and the plan that follows: at once, then with the index; the newest one wins."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from gpuconfig_app.core.environment_plan import EnvironmentOrder, EnvironmentPlan
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.ui.background import Background
from gpuconfig_app.ui.pages.make_environment import plan_desk
from gpuconfig_app.ui.pages.make_environment.plan_desk import PLANNING, PlanDesk, desk_of, suggested_folder
from gpuconfig_app.ui.pages.make_environment.plan_form import (
    FOLDER,
    INDEX,
    LOCK,
    PLACE,
    PYTHON,
    RELEASE,
    SOURCE,
    WHEELS,
)
from tests.ui.environment_plans import make_plan, said
from tests.ui.fakes_ui import make_gpu, make_report


class FakePlanner:
    """Gives the plan it is told, for whatever is ordered."""

    def __init__(self) -> None:
        self.plan = make_plan()
        self.orders: list[tuple[EnvironmentOrder, bool]] = []
        self.error: Exception | None = None
        self.held: dict[str, threading.Event] = {}

    def __call__(self, places, report, order, control=None, *, asks_index=True) -> EnvironmentPlan:
        self.orders.append((order, asks_index))
        if order.folder in self.held:
            self.held[order.folder].wait(20)
        if self.error is not None:
            raise self.error
        return replace(self.plan, order=order)


@pytest.fixture
def planner():
    return FakePlanner()


@pytest.fixture
def desk(state, planner, monkeypatch):
    monkeypatch.setattr(plan_desk, "DELAY_MS", 5)
    state.background = Background(state)
    state.background.busy_changed.connect(state.busy_changed)
    made = PlanDesk(state, planner)
    yield made
    for event in planner.held.values():
        event.set()
    state.background.cancel_all()


@pytest.fixture
def watched(desk, state):
    state.show(make_report((make_gpu(0),)))
    desk.set_watched(is_watched=True)
    return desk


def settle(desk: PlanDesk, qtbot) -> None:
    qtbot.waitUntil(lambda: not desk.is_planning)


def test_plan_comes_at_once_from_the_tables_and_then_from_the_index(watched, planner, qtbot):
    seen: list[tuple[bool, bool]] = []
    watched.changed.connect(lambda: seen.append((watched.plan is not None, watched.can_make)))

    settle(watched, qtbot)

    asked = [asks for _, asks in planner.orders]
    assert asked[-1] is True
    assert not any(asked[:-1])
    assert (True, False) in seen
    assert watched.can_make


def test_nothing_is_planned_while_nobody_looks(desk, planner, state, qtbot):
    state.show(make_report((make_gpu(0),)))

    desk.answer(RELEASE, "2.20.0")

    assert not desk.is_planning
    desk.set_watched(is_watched=True)
    settle(desk, qtbot)
    assert planner.orders[-1][0].tensorflow == "2.20.0"


def test_coming_back_to_the_page_keeps_the_plan(watched, planner, qtbot):
    settle(watched, qtbot)
    count = len(planner.orders)

    watched.set_watched(is_watched=False)
    watched.set_watched(is_watched=True)

    assert not watched.is_planning
    assert len(planner.orders) == count


def test_quick_answers_are_planned_once(watched, planner, qtbot):
    settle(watched, qtbot)
    planner.orders.clear()

    for text in ("/d", "/da", "/data", "/data/tf"):
        watched.answer(FOLDER, text)
    settle(watched, qtbot)

    assert [order.folder for order, _ in planner.orders] == ["/data/tf", "/data/tf"]


def test_late_answer_to_an_old_question_is_dropped(watched, planner, qtbot):
    settle(watched, qtbot)
    planner.held["/slow"] = threading.Event()
    watched.answer(FOLDER, "/slow")
    qtbot.waitUntil(lambda: planner.orders[-1][0].folder == "/slow")

    watched.answer(FOLDER, "/quick")
    settle(watched, qtbot)
    planner.held["/slow"].set()
    qtbot.waitUntil(lambda: all(PLANNING not in thread.name for thread in threading.enumerate()))

    assert watched.plan is not None
    assert watched.plan.order.folder == "/quick"


def test_late_answer_is_dropped_while_the_next_question_is_still_being_typed(watched, planner, qtbot):
    settle(watched, qtbot)
    planner.held["/slow"] = threading.Event()
    watched.answer(FOLDER, "/slow")
    qtbot.waitUntil(lambda: planner.orders[-1][0].folder == "/slow")
    watched._timer.setInterval(60_000)

    watched.answer(FOLDER, "/slow-and-more")
    planner.held["/slow"].set()
    qtbot.waitUntil(lambda: all(PLANNING not in thread.name for thread in threading.enumerate()))
    QCoreApplication.processEvents()

    assert watched.plan is not None
    assert watched.plan.order.folder == "~/tf-2.21"
    assert watched.is_planning


def test_changed_answer_takes_the_button_away_until_its_plan_is_there(watched, qtbot):
    settle(watched, qtbot)

    watched.answer(PYTHON, "3.13")

    assert not watched.can_make
    settle(watched, qtbot)
    assert watched.can_make


def test_suggested_folder_follows_the_release_and_never_exists(watched, qtbot):
    settle(watched, qtbot)

    assert watched.plan is not None
    assert watched.plan.order.folder == "~/tf-2.21"


def test_suggested_name_steps_aside(private_home: Path):
    (private_home / "tf-2.21").mkdir()
    (private_home / "tf-2.21-2").symlink_to("nowhere")

    assert suggested_folder("2.21.0") == "~/tf-2.21-3"
    assert suggested_folder(None) == "~/tf"


@pytest.mark.parametrize(
    ("source", "field"), [(INDEX, "index_url"), (WHEELS, "wheelhouse"), (LOCK, "lock_file")], ids=str
)
def test_source_of_packages_is_ordered(watched, planner, qtbot, source, field):
    settle(watched, qtbot)
    watched.answer(RELEASE, "2.20.0")
    watched.answer(SOURCE, source)
    assert watched.lacks_place
    assert not watched.is_planning
    assert watched.plan is None

    watched.answer(PLACE, " /somewhere ")
    settle(watched, qtbot)

    order = planner.orders[-1][0]
    assert getattr(order, field) == "/somewhere"
    assert order.tensorflow == (None if source == LOCK else "2.20.0")


def test_each_source_keeps_its_own_place(watched):
    watched.answer(SOURCE, WHEELS)
    watched.answer(PLACE, "/wheels")
    watched.answer(SOURCE, LOCK)
    assert watched.place == ""

    watched.answer(SOURCE, WHEELS)

    assert watched.place == "/wheels"


def test_order_that_makes_no_sense_is_kept_as_its_sentence(watched, planner, qtbot):
    planner.error = UsageError(said("There is no such folder of wheels."))
    settle(watched, qtbot)

    assert watched.plan is None
    assert watched.error is planner.error
    assert not watched.can_make


def test_defect_is_told_in_the_message_bar_too(watched, planner, state, qtbot):
    notices: list[object] = []
    state.notice_posted.connect(notices.append)
    planner.error = ValueError("broken")
    settle(watched, qtbot)

    assert watched.error is not None
    assert len(notices) == 1


def test_other_machine_forgets_what_was_chosen_of_the_former(watched, planner, state, qtbot):
    watched.answer(PYTHON, "/usr/bin/python3.12")
    settle(watched, qtbot)

    state.show(make_report(), recorded=LocalText("lab", "lab"))
    settle(watched, qtbot)

    assert planner.orders[-1][0].python is None


def test_sleeping_card_is_woken_only_when_it_may_be(watched, state):
    state.show(make_report((make_gpu(0, state=GpuState.ASLEEP),)))

    assert watched.sleeping == ("NVIDIA GeForce RTX 4090",)
    assert not watched.may_wake
    watched.choose_waking(may_wake=True)
    assert watched.may_wake


def test_environment_that_was_made_is_not_suggested_again(watched, planner, qtbot, private_home: Path):
    watched.answer(FOLDER, "/data/tf")
    settle(watched, qtbot)

    watched.start_over()
    settle(watched, qtbot)

    assert planner.orders[-1][0].folder == "~/tf-2.21"


def test_a_state_has_one_desk(state):
    assert desk_of(state) is desk_of(state)
