"""What every step of the wizard is: a widget over the draft that says what it is about."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit, TrainingPlan
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.wizard.draft import WizardDraft

FIT_SEVERITY = {Fit.FITS: "good", Fit.MAY_FAIL: "warning", Fit.TOO_BIG: "blocked", Fit.UNKNOWN: "neutral"}


class StepPage(QWidget):
    """Base of the steps.

    Attributes:
        state: State of the window.
        draft: Answers so far.
        column: Layout of the step's blocks.
    """

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.draft = draft
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(12)

    def on_enter(self) -> None:
        """Start what the step needs while it is seen."""

    def on_leave(self) -> None:
        """Stop what ``on_enter`` started."""


def fit_of(plan: TrainingPlan | None) -> Fit:
    """Give whether a plan fits; UNKNOWN without one, and on a processor."""
    if plan is None or plan.memory is None:
        return Fit.UNKNOWN
    return plan.memory.fit


def fit_word(state: AppState, fit: Fit) -> str:
    """Give the word on a badge that says whether a plan fits."""
    return state.text(Message(f"wizard.fit-{fit.value.replace('_', '-')}"))
