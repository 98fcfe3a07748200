"""Sixth step: every choice with its value and its reason; a row leads to the step that changes it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Choice, ChoiceGroup
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import ANY_SIZE
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard, Line
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.effect_panel import EffectPanel
from gpuconfig_app.ui.wizard.plan_text import choice_name
from gpuconfig_app.ui.wizard.progress import problem_of
from gpuconfig_app.ui.wizard.step_page import StepPage
from gpuconfig_app.ui.wizard.steps import Step

_SIDE = 310
_SIDE_BY_SIDE_FROM = 940
_GROUP_WIDTH = 92
_NAME_WIDTH = 124
_VALUE_WIDTH = 190


class ReviewStep(StepPage):
    """Check each choice."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(state, draft, parent)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(12)
        self._card = HeadedCard(self.tr("Every choice and its reason"))
        self._table = QWidget()
        self._card.body.addWidget(self._table)
        left = QVBoxLayout()
        left.addWidget(self._card)
        left.addStretch(1)
        self._row.addLayout(left, 1)
        self._side = EffectPanel(state, draft, None)
        self._row.addWidget(self._side, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(self._row)
        self.column.addStretch(1)
        draft.plan_changed.connect(self._take_news)
        self._refresh()

    def on_enter(self) -> None:
        """Show the newest plan."""
        self._refresh()

    def _take_news(self) -> None:
        if self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        had_focus = self._focused_choice()
        former, self._table = self._table, QWidget()
        grid = QGridLayout(self._table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(3, 1)
        choices = self.draft.plan.choices if self.draft.plan is not None else ()
        self._card.set_note("" if choices else self.state.text(problem_of(self.draft, Step.REVIEW)))
        heads = ("", self.tr("Choice"), self.tr("Value"), self.tr("Reason"))
        for column, head in enumerate(heads if choices else ()):
            grid.addWidget(_cell(head, 0, "muted", role="small_strong"), 0, column)
        row = 1
        for group in ChoiceGroup:
            for number, choice in enumerate(item for item in choices if item.group is group):
                grid.addWidget(Line(), row, 0 if number == 0 else 1, 1, -1)
                if number == 0:
                    name = self.state.text(Message(f"wizard.group-{group.value}"))
                    grid.addWidget(_cell(name, _GROUP_WIDTH, "muted", left=16), row + 1, 0)
                self._add_choice(grid, row + 1, choice)
                row += 2
        self._card.body.replaceWidget(former, self._table)
        former.deleteLater()
        link = self._table.findChild(Button, had_focus) if had_focus else None
        if isinstance(link, Button):
            link.setFocus(Qt.FocusReason.OtherFocusReason)

    def _focused_choice(self) -> str:
        focused = QApplication.focusWidget()
        return focused.objectName() if focused is not None and self._table.isAncestorOf(focused) else ""

    def _add_choice(self, grid: QGridLayout, row: int, choice: Choice) -> None:
        grid.addWidget(self._name(choice), row, 1)
        shown = self.state.text(choice.shown)
        grid.addWidget(_cell(shown, _VALUE_WIDTH, "text", role="body_strong"), row, 2)
        grid.addWidget(_cell(self.state.text(choice.reason), 0, "secondary", role="small"), row, 3)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = event.size().width() >= _SIDE_BY_SIDE_FROM
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.BottomToTop)
        self._side.set_narrow(is_narrow=is_wide)
        self._side.setMinimumWidth(_SIDE if is_wide else 0)
        self._side.setMaximumWidth(_SIDE if is_wide else ANY_SIZE)

    def _name(self, choice: Choice) -> QWidget:
        name = self.state.text(choice_name(choice.id))
        step = next((item for item in Step if item.value == choice.step), None)
        if step is None:
            return _cell(name, _NAME_WIDTH, "text")
        cell = QWidget()
        cell.setFixedWidth(_NAME_WIDTH)
        box = QHBoxLayout(cell)
        box.setContentsMargins(4, 4, 0, 4)
        link = Button(name, LINK, scale="small", on_click=partial(self.draft.go_to, step))
        link.setObjectName(f"choice_{choice.id}")
        link.setToolTip(self.tr("Change this in step {n}").format(n=list(Step).index(step) + 1))
        link.setAccessibleDescription(self.state.text(choice.shown))
        box.addWidget(link)
        box.addStretch(1)
        return cell


def _cell(text: str, width: int, tone: str, *, role: str = "body", left: int = 8) -> TextLabel:
    label = TextLabel(text, role, tone, wraps=True)
    label.setContentsMargins(left, 8, 10, 8)
    if width:
        label.setFixedWidth(width)
    return label
