"""What the user asks for, and the plan that follows from it; the newest question wins.

A plan is made twice: at once from the fact tables, then with what the package index says. The desk belongs to the
state, so that no answer is lost when the language changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from gpuconfig_app.core.environment_made import Leftover, Removal
from gpuconfig_app.core.environment_plan import EnvironmentOrder, EnvironmentPlan
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.ui.pages.make_environment.plan_form import (
    FOLDER,
    INDEX,
    LOCK,
    PIP,
    PLACE,
    PYTHON,
    RELEASE,
    SOURCE,
    WHEELS,
)
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.workbench.make_environment import clean_leftover, find_leftovers, plan_environment
from gpuconfig_app.workbench.prove import sleeping_cards

DESK = "make_environment"
PLANNING = "environment-planning"
LEFTOVERS = "environment-leftovers"
CLEANING = "environment-cleaning"
DELAY_MS = 250
_MOST_NAMES = 100


class PlanDesk(QObject):
    """Answers and plan.

    Args:
        plan: Makes plans; another one in tests.

    Attributes:
        folder: As typed; empty lets the desk suggest one.
        release: Chosen release, empty for the best.
        python: Id of the chosen interpreter, empty for the best.
        source: Where packages come from: ``pip``, ``index``, ``wheels`` or ``lock``.
        shell: Of the commands shown; empty for the one of the machine.
        may_wake: The proof may wake sleeping cards, even if the settings don't allow it always.
        plan: Newest plan, None while there is none.
        choices: The last plan there was: what can be chosen is known although an answer can't be meant.
        error: Why there is no plan.
        is_thorough: The package index was asked for it, too.
        leftovers: Makings that were cut off.

    Signals:
        changed(): An answer, the plan, or what is known of leftovers changed.
    """

    changed = Signal()

    def __init__(self, state: AppState, plan: Callable[..., EnvironmentPlan] = plan_environment) -> None:
        super().__init__(state)
        self._state = state
        self._make_plan = plan
        self.folder = ""
        self.release = ""
        self.python = ""
        self.source = PIP
        self.shell = ""
        self.may_wake = False
        self.plan: EnvironmentPlan | None = None
        self.choices: EnvironmentPlan | None = None
        self.error: Exception | None = None
        self.leftovers: tuple[Leftover, ...] = ()
        self._places: dict[str, str] = {}
        self.is_thorough = False
        self._is_needed = False
        self._is_watched = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._ask_tables)
        state.report_changed.connect(self._void)
        state.machine_changed.connect(self._forget)

    @property
    def place(self) -> str:
        """Index, folder of wheels or lock file of the chosen source, as typed."""
        return self._places.get(self.source, "")

    @property
    def lacks_place(self) -> bool:
        """Whether the chosen source needs a place that is not named yet."""
        return self.source != PIP and not self.place.strip()

    @property
    def is_planning(self) -> bool:
        """Whether a newer plan than the one that is shown is on its way."""
        return self._timer.isActive() or self._state.background.is_busy(PLANNING)

    @property
    def is_asking_index(self) -> bool:
        """Whether the plan that is shown still waits for the package index."""
        return self.plan is not None and not self.is_thorough and self.is_planning and not self._timer.isActive()

    @property
    def can_make(self) -> bool:
        """Whether the plan that is shown is the newest and can be carried out."""
        is_settled = self.plan is not None and self.is_thorough and not self.is_planning
        return is_settled and self.plan is not None and self.plan.can_start

    @property
    def sleeping(self) -> tuple[str, ...]:
        """Cards that the proof would wake."""
        report = self._state.report
        return sleeping_cards(report) if report is not None and not self._state.is_recorded else ()

    def answer(self, field: str, value: str) -> None:
        """Take an answer; the plan follows in a moment."""
        if field == PLACE:
            self._places[self.source] = value
        elif field == FOLDER:
            self.folder = value
        elif field == RELEASE:
            self.release = value
        elif field == PYTHON:
            self.python = value
        elif field == SOURCE:
            self.source = value
        self._void()

    def set_watched(self, *, is_watched: bool) -> None:
        """Plan only while somebody looks."""
        self._is_watched = is_watched
        if is_watched and (self._is_needed or self.plan is None):
            self._void()

    def choose_shell(self, shell: str) -> None:
        """Show the commands for another shell."""
        self.shell = shell
        self.changed.emit()

    def choose_waking(self, *, may_wake: bool) -> None:
        """Let the proof wake sleeping cards, or not."""
        self.may_wake = may_wake
        self.changed.emit()

    def start_over(self) -> None:
        """Suggest a new folder and plan again; an environment stands in the former one."""
        self.folder = ""
        self.plan, self.error = None, None
        self._void()

    def plan_again(self) -> None:
        """Plan again as asked: the machine has changed since."""
        self._void()

    def look_for_leftovers(self) -> None:
        """Find out whether a making was cut off."""
        places = self._state.workbench.places
        self._state.background.run(LEFTOVERS, lambda _: find_leftovers(places), self._take_leftovers, lambda _: None)

    def clean(self, leftover: Leftover) -> None:
        """Remove what a making left that was cut off."""
        places = self._state.workbench.places

        def done(_: Removal) -> None:
            self.look_for_leftovers()
            self._void()

        self._state.background.run(CLEANING, lambda _: clean_leftover(places, leftover), done)

    def _take_leftovers(self, leftovers: tuple[Leftover, ...]) -> None:
        if leftovers != self.leftovers:
            self.leftovers = leftovers
            self.changed.emit()

    def _forget(self) -> None:
        """What was chosen belongs to the former machine."""
        self._timer.stop()
        self._state.background.cancel(PLANNING)
        self.release, self.python, self.shell = "", "", ""
        self.plan, self.choices, self.error = None, None, None
        self._void()

    def _void(self, *_: object) -> None:
        """The plan no longer answers the question: ask again in a moment, if anybody looks."""
        self._is_needed = True
        self.is_thorough = False
        self._state.background.cancel(PLANNING)
        if not self._is_watched or self._state.report is None:
            self._timer.stop()
        elif self.lacks_place:
            self._timer.stop()
            self.plan, self.error = None, None
        else:
            self._timer.start()
        self.changed.emit()

    def _ask_tables(self) -> None:
        """First what the fact tables say, which is there at once."""
        report, order, typed = self._state.report, self._order(), self.folder.strip()
        if report is None:
            return
        places, make_plan = self._state.workbench.places, self._make_plan
        former = self.plan.tensorflow if self.plan is not None else None

        def work(control: JobControl) -> EnvironmentPlan:
            folder = typed or suggested_folder(former)
            plan = make_plan(places, report, replace(order, folder=folder), control, asks_index=False)
            better = typed or suggested_folder(plan.tensorflow)
            if better != folder:
                plan = make_plan(places, report, replace(order, folder=better), control, asks_index=False)
            return plan

        self._is_needed = False
        self._state.background.run(PLANNING, work, self._take_first, self._fail)
        self.changed.emit()

    def _take_first(self, plan: EnvironmentPlan) -> None:
        self.plan, self.choices, self.error = plan, plan, None
        report, places, make_plan = self._state.report, self._state.workbench.places, self._make_plan
        order = replace(self._order(), folder=plan.order.folder)
        self._state.background.run(
            PLANNING, lambda control: make_plan(places, report, order, control), self._take_thorough, self._fail
        )
        self.changed.emit()

    def _take_thorough(self, plan: EnvironmentPlan) -> None:
        self.plan, self.choices, self.error, self.is_thorough = plan, plan, None, True
        self.changed.emit()

    def _fail(self, error: Exception) -> None:
        self.plan, self.error = None, error
        if not isinstance(error, GpuConfigError):
            self._state.post_error(PLANNING, error)
            self.error = GpuConfigError(Message("ui.defect", {"kind": type(error).__name__}))
        self.changed.emit()

    def _order(self) -> EnvironmentOrder:
        place = self.place.strip()
        return EnvironmentOrder(
            folder=self.folder.strip(),
            tensorflow=self.release or None if self.source != LOCK else None,
            python=self.python or None,
            index_url=place if self.source == INDEX else None,
            wheelhouse=place if self.source == WHEELS else None,
            lock_file=place if self.source == LOCK else None,
        )


def suggested_folder(release: str | None) -> str:
    """Give a name below the home folder at which nothing stands, after the release when that is known."""
    series = "-".join(("tf", *([".".join(release.split(".")[:2])] if release else [])))
    for number in range(1, _MOST_NAMES):
        name = series if number == 1 else f"{series}-{number}"
        place = Path.home() / name
        if not os.path.lexists(place):
            return f"~/{name}" if os.name == "posix" else str(place)
    return ""


def desk_of(state: AppState) -> PlanDesk:
    """Give the one desk of a state; it lives as long as the state."""
    desk = state.drafts.get(DESK)
    if not isinstance(desk, PlanDesk):
        desk = PlanDesk(state)
        state.drafts[DESK] = desk
    return desk
