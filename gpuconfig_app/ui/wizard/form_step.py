"""Third and fifth step: the form of a step at the left, what its answers lead to at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.scriptgen.manifest import WizardStep
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import ANY_SIZE
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.effect_panel import EffectPanel
from gpuconfig_app.ui.wizard.kept_answers import taken_back
from gpuconfig_app.ui.wizard.question_form import QuestionForm
from gpuconfig_app.ui.wizard.step_page import StepPage

_SIDE_BY_SIDE_FROM = 940


class FormStep(StepPage):
    """Questions of one step with their live effect.

    Args:
        step: Whose questions are asked.
        title: Over the form, already translated.
        form_width: Pixels.
    """

    def __init__(
        self,
        state: AppState,
        draft: WizardDraft,
        step: WizardStep,
        title: str,
        form_width: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(state, draft, parent)
        self._step = step
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(16)
        card = Card(padding=18)
        self._card, self._form_width = card, form_width
        head = QHBoxLayout()
        head.addWidget(TextLabel(title, "heading"), 1)
        reset = Button(self.tr("Back to recommended"), LINK, scale="small", on_click=self._take_back)
        reset.setObjectName("back_to_recommended")
        reset.setToolTip(self.tr("Takes every answer of this step back to the recommended one"))
        head.addWidget(reset)
        card.body.addLayout(head)
        card.body.addWidget(QuestionForm(state, draft, step))
        left = QVBoxLayout()
        left.addWidget(card)
        left.addStretch(1)
        self._row.addLayout(left)
        self._row.addWidget(EffectPanel(state, draft, step), 1, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(self._row)
        self.column.addStretch(1)

    def _take_back(self) -> None:
        self.draft.answer_all(taken_back(self.draft.template, self._step))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = event.size().width()
        is_wide = width >= _SIDE_BY_SIDE_FROM
        direction = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        self._row.setDirection(direction)
        self._card.setMinimumWidth(self._form_width if is_wide else 0)
        self._card.setMaximumWidth(max(self._form_width, round(width * 0.4)) if is_wide else ANY_SIZE)
