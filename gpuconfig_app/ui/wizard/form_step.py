"""Third and fifth step: the form of a step at the left, what its answers lead to at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.scriptgen.manifest import WizardStep
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.effect_panel import EffectPanel
from gpuconfig_app.ui.wizard.question_form import QuestionForm
from gpuconfig_app.ui.wizard.step_page import StepPage


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
        row = QHBoxLayout()
        row.setSpacing(16)
        card = Card(padding=18)
        card.setMinimumWidth(form_width)
        card.setMaximumWidth(form_width + 180)
        head = QHBoxLayout()
        head.addWidget(TextLabel(title, "heading"), 1)
        reset = Button(self.tr("Back to recommended"), LINK, scale="small", on_click=lambda: draft.reset_step(step))
        reset.setToolTip(self.tr("Takes every answer of this step back to the recommended one"))
        head.addWidget(reset)
        card.body.addLayout(head)
        card.body.addWidget(QuestionForm(state, draft, step))
        left = QVBoxLayout()
        left.addWidget(card)
        left.addStretch(1)
        row.addLayout(left, 2)
        row.addWidget(EffectPanel(state, draft, shows_parts=step is WizardStep.MODEL), 3, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(row)
        self.column.addStretch(1)
