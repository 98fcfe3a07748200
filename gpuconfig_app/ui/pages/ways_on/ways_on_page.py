"""The way on from what stands in the way, step by step, each one checked; nothing is run here."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLayout, QProgressBar, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.way_on import StepAction, Way, WaysOn
from gpuconfig_app.ui.pages.ways_on.cause_bar import CauseBar
from gpuconfig_app.ui.pages.ways_on.step_path import StepPath
from gpuconfig_app.ui.pages.ways_on.way_card import OtherWayCard, VainCard
from gpuconfig_app.ui.pages.ways_on.way_words import (
    StepShown,
    confidence_badge,
    minutes_text,
    steps_shown,
    ways_as_text,
)
from gpuconfig_app.ui.state import CHECK, ENVIRONMENTS, SURVEY, AppState
from gpuconfig_app.ui.sub_page import SubPage
from gpuconfig_app.ui.theme import ANY_SIZE
from gpuconfig_app.ui.widgets.buttons import FLAT, Button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.command_line import CopyButton
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.widgets.source_card import SourceCard, SourceShown
from gpuconfig_app.workbench.ways_on import find_ways_on

WAYS_ON = "ways_on"
_SIDE_WIDTH = 320


class WaysOnPage(SubPage):
    """Ways on from the verdict that is shown.

    Args:
        state: State of the window.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__(state, WAYS_ON)
        self._state = state
        self._ways: WaysOn | None = None
        self._is_asked = False
        self._is_entered = False  # a page that is built anew is entered before it is visible
        self.set_title(self.tr("Ways on"))
        self._again = Button(self.tr("Check again"), FLAT, "refresh-cw", on_click=self._check_again)
        self._again.setObjectName("check_again")
        self._copy = CopyButton("", self.tr("Copy all as text"), scale="normal")
        self.buttons.addWidget(self._again)
        self.buttons.addWidget(self._copy)
        self._cause = CauseBar(self._flip_source)
        self._source = SourceCard()
        self._source.hide()
        self.body.addWidget(self._cause)
        self.body.addWidget(self._source)
        self.body.addLayout(self._build_columns())
        self.body.addStretch(1)
        self._path.action_asked.connect(self._act)
        state.compat_changed.connect(self._ask)
        state.machine_changed.connect(self._forget)
        state.busy_changed.connect(self._show_busy)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._look_again)
        self._show()

    def _build_columns(self) -> QHBoxLayout:
        self._columns = QHBoxLayout()
        self._columns.setSpacing(12)
        left = QVBoxLayout()
        left.setSpacing(12)
        self._head = Card()
        self._way_title = TextLabel("", "heading", wraps=True)
        self._way_badge = SeverityBadge()
        self._way_text = TextLabel("", "body", "secondary", wraps=True, is_selectable=True)
        self._done = TextLabel("", "small", "muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        line = QHBoxLayout()
        line.addWidget(self._way_title, 1)
        line.addWidget(self._way_badge, 0, Qt.AlignmentFlag.AlignTop)
        self._head.body.addLayout(line)
        self._head.body.addWidget(self._way_text)
        self._head.body.addWidget(self._bar)
        self._head.body.addWidget(self._done)
        self._path = StepPath()
        left.addWidget(self._head)
        left.addWidget(self._path)
        left.addStretch(1)
        self._columns.addLayout(left, 1)
        self._side = QWidget()
        self._side.setFixedWidth(_SIDE_WIDTH)
        self._side_column = QVBoxLayout(self._side)
        self._side_column.setContentsMargins(0, 0, 0, 0)
        self._side_column.setSpacing(12)
        self._columns.addWidget(self._side, 0, Qt.AlignmentFlag.AlignTop)
        return self._columns

    def _forget(self) -> None:
        self._ways, self._is_asked = None, False
        self._state.background.cancel(WAYS_ON)
        self._show()

    def _ask(self, *_: object) -> None:
        """Look for the ways of the verdict that is shown; only while the page is seen."""
        machine, compat = self._state.machine, self._state.compat
        if machine is None or compat is None or not self._is_entered:
            self._is_asked = False
            return
        places = self._state.workbench.places
        self._is_asked = True

        def work(control: JobControl) -> WaysOn | None:
            return find_ways_on(places, machine.report, compat, control)

        self._state.background.run(WAYS_ON, work, self._take)

    def _take(self, ways: WaysOn | None) -> None:
        self._ways = ways
        self._show()

    def _check_again(self) -> None:
        if self._state.is_recorded:
            self._ask()
        else:
            self._state.refresh()  # its new verdict asks for the ways

    def _look_again(self, state: Qt.ApplicationState) -> None:
        """Check the steps when the window comes to the front: the user has been doing one of them."""
        if state is Qt.ApplicationState.ApplicationActive and self._is_entered and not self._state.is_recorded:
            self._ask()

    def _show(self) -> None:
        ways = self._ways
        parts = (self._head, self._path, self._side)
        for part in parts:
            part.setVisible(ways is not None)
        self._copy.setEnabled(ways is not None)
        self._show_busy()
        if ways is None:
            self._source.hide()
            self.set_title(self.tr("Ways on"))
            self._show_nothing()
            return
        text = self._state.text
        self.set_title(text(ways.page_title))
        self._cause.show_cause("blocked", text(ways.title), text(ways.text), has_source=bool(ways.source.title))
        self._copy.set_copied_text(ways_as_text(ways, text))
        self._source.show_source(
            SourceShown(
                subject=text(ways.title),
                title=ways.source.title,
                address=ways.source.address or "",
                checked=self.tr("Checked on {date}").format(date=ways.source.checked_on),
            )
        )
        main = next((way for way in ways.ways if way.is_main), None)
        self._show_main(ways, main)
        self._show_others(ways, main)

    def _show_nothing(self) -> None:
        is_waiting = self._state.compat is None or not self._is_asked or self._state.background.is_busy(WAYS_ON)
        if is_waiting:
            self._cause.show_cause("neutral", self.tr("Looking…"), self.tr("Each step is being checked."))
            return
        self._cause.show_cause(
            "neutral",
            self.tr("There are no further ways here"),
            self.tr("What there is to do stands on the page Compatibility, with its command."),
        )

    def _show_main(self, ways: WaysOn, main: Way | None) -> None:
        self._head.setVisible(main is not None)
        self._path.setVisible(main is not None)
        if main is None:
            return
        text = self._state.text
        badge = confidence_badge(main.confidence)
        place = f"{ways.ways.index(main) + 1}  " if len(ways.ways) > 1 else ""
        self._way_title.setText(place + text(main.title))
        self._way_badge.show_state(badge.severity, badge.word, badge.icon)
        self._way_text.setText(text(main.summary))
        steps = steps_shown(main, text)
        self._bar.setRange(0, max(len(steps), 1))
        self._bar.setValue(main.done)
        done = self.tr("{done} of {count} done").format(done=main.done, count=len(steps))
        left = main.minutes_left
        hint = self.tr("Each step is checked when the window comes to the front. Nothing is run for you.")
        self._done.setText(" · ".join([done, *([self._left_text(left)] if left else []), hint]))
        self._done.setWordWrap(True)
        self._bar.setAccessibleName(done)
        self._path.show_steps(steps, has_primary=True)
        self._path.set_narrow(is_narrow=self.is_narrow)

    def _left_text(self, minutes: float) -> str:
        return self.tr("{time} left").format(time=minutes_text(minutes))

    def _show_others(self, ways: WaysOn, main: Way | None) -> None:
        _clear(self._side_column)
        text = self._state.text
        for number, way in enumerate(ways.ways, start=1):
            if way is not main:
                card = OtherWayCard(number, way, text)
                card.action_asked.connect(self._act)
                self._side_column.addWidget(card)
        if ways.will_not_help:
            self._side_column.addWidget(VainCard([text(item) for item in ways.will_not_help]))
        self._side_column.addStretch(1)

    def _show_busy(self, *_: object) -> None:
        is_busy = any(self._state.background.is_busy(topic) for topic in (WAYS_ON, SURVEY, ENVIRONMENTS, CHECK))
        self._again.setEnabled(not is_busy)

    def _flip_source(self) -> None:
        self._source.setVisible(not self._source.isVisible())

    def _act(self, step: StepShown) -> None:
        if step.action is StepAction.SCRIPT:
            self._state.navigate("new_script")
        elif step.action is StepAction.PROVE:
            self._state.navigate("compatibility", {"prove": True})
        elif step.action is StepAction.ENVIRONMENT:
            self._state.navigate("make_environment", {"release": step.tensorflow})

    @override
    def on_enter(self, arguments: Mapping[str, object]) -> None:
        self._is_entered = True
        self._ask()
        self._show()

    @override
    def on_leave(self) -> None:
        self._is_entered = False

    @override
    def on_width_changed(self) -> None:
        direction = QHBoxLayout.Direction
        self._columns.setDirection(direction.TopToBottom if self.is_narrow else direction.LeftToRight)
        self._side.setMinimumWidth(0 if self.is_narrow else _SIDE_WIDTH)
        self._side.setMaximumWidth(ANY_SIZE if self.is_narrow else _SIDE_WIDTH)
        self._columns.setAlignment(self._side, Qt.AlignmentFlag(0) if self.is_narrow else Qt.AlignmentFlag.AlignTop)
        self._path.set_narrow(is_narrow=self.is_narrow)


def _clear(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
