"""Sixth step: every choice with its value and its reason; a row leads to the step that changes it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Choice, ChoiceGroup
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard, Line
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.effect_panel import EffectPanel
from gpuconfig_app.ui.wizard.step_page import StepPage
from gpuconfig_app.ui.wizard.steps import Step

_SIDE = 310
_GROUP_WIDTH = 92
_NAME_WIDTH = 124
_VALUE_WIDTH = 190


class ReviewStep(StepPage):
    """Check each choice."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(state, draft, parent)
        row = QHBoxLayout()
        row.setSpacing(12)
        self._card = HeadedCard(self.tr("Every choice and its reason"))
        self._table = QWidget()
        self._card.body.addWidget(self._table)
        left = QVBoxLayout()
        left.addWidget(self._card)
        left.addStretch(1)
        row.addLayout(left, 1)
        side = EffectPanel(state, draft, shows_parts=False)
        side.setFixedWidth(_SIDE)
        row.addWidget(side, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(row)
        self.column.addStretch(1)
        draft.plan_changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        former, self._table = self._table, QWidget()
        grid = QGridLayout(self._table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(3, 1)
        choices = self.draft.plan.choices if self.draft.plan is not None else ()
        row = 0
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

    def _add_choice(self, grid: QGridLayout, row: int, choice: Choice) -> None:
        grid.addWidget(self._name(choice), row, 1)
        grid.addWidget(_cell(self.state.text(choice.shown), _VALUE_WIDTH, "text", role="body_strong"), row, 2)
        grid.addWidget(_cell(self.state.text(choice.reason), 0, "secondary", role="small"), row, 3)

    def _name(self, choice: Choice) -> QWidget:
        name = self.state.text(Message(f"wizard.choice-{choice.id.rstrip('-0123456789')}"))
        step = next((item for item in Step if item.value == choice.step), None)
        if step is None:
            return _cell(name, _NAME_WIDTH, "text")
        cell = QWidget()
        cell.setFixedWidth(_NAME_WIDTH)
        box = QHBoxLayout(cell)
        box.setContentsMargins(4, 4, 0, 4)
        link = Button(name, LINK, scale="small", on_click=partial(self.draft.go_to, step))
        link.setObjectName(f"choice_{choice.id}")
        link.setToolTip(self.tr("Change this"))
        box.addWidget(link)
        box.addStretch(1)
        return cell


def _cell(text: str, width: int, tone: str, *, role: str = "body", left: int = 8) -> TextLabel:
    label = TextLabel(text, role, tone, wraps=True)
    label.setContentsMargins(left, 8, 10, 8)
    if width:
        label.setFixedWidth(width)
    return label
