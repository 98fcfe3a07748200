"""What the answers lead to, beside the form; kept in step with the newest plan."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.scriptgen.manifest import WizardStep
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.wizard.advice_card import AdviceCard
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.expected_card import ExpectedCard
from gpuconfig_app.ui.wizard.measure_card import MeasureCard
from gpuconfig_app.ui.wizard.memory_card import MemoryCard
from gpuconfig_app.ui.wizard.rate_curve import RateCard


class EffectPanel(QWidget):
    """Cards that fit the step.

    Args:
        step: The model step shows memory in full, the training step the learning rate; None is the review.
    """

    def __init__(
        self, state: AppState, draft: WizardDraft, step: WizardStep | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        is_model = step is WizardStep.MODEL
        self._cards: list[MemoryCard | ExpectedCard | MeasureCard | RateCard | AdviceCard] = []
        if is_model:
            self._cards.append(MemoryCard(state, draft))
        self._cards.append(ExpectedCard(state, draft, is_narrow=step is None, has_memory=not is_model))
        if not is_model:
            self._cards.append(MeasureCard(state, draft))
        if step is WizardStep.TRAINING:
            self._cards.append(RateCard(draft))
        self._cards.append(AdviceCard(state, draft))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for card in self._cards:
            column.addWidget(card)
        column.addStretch(1)
        self._is_stale = True
        draft.plan_changed.connect(self._take_news)
        draft.step_changed.connect(self._take_news)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Show numbers below their names, for a panel at the side, or beside them."""
        for card in self._cards:
            if isinstance(card, ExpectedCard):
                card.set_narrow(is_narrow=is_narrow)

    def refresh(self) -> None:
        """Show the newest plan, or why there is none."""
        self._is_stale = False
        for card in self._cards:
            card.refresh()

    def _take_news(self, *_: object) -> None:
        """Show news at once, or when the step is shown."""
        self._is_stale = True
        if self.isVisible():
            self.refresh()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.refresh()
