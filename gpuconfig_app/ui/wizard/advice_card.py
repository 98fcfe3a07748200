"""What may go wrong with the plan and what would change it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.cards import Card, IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.layouts import clear_layout

_MOST = 5
# Advice that only says what the plan rests on.
_REMARKS = frozenset({"planner.advice-recorded-use"})


class AdviceCard(Card):
    """Warnings first, then advice; hidden when there is neither."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent, padding=18)
        self._state = state
        self._shown: tuple[list[str], list[str]] | None = None
        self._draft = draft
        self._title = TextLabel("", "heading")
        self.body.addWidget(self._title)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(6)
        self.body.addLayout(self._lines)

    def refresh(self) -> None:
        """Show what the newest plan says."""
        plan = self._draft.plan
        text = self._state.text
        warnings = [text(message) for message in plan.warnings] if plan is not None else []
        advice = [text(message) for message in plan.advice] if plan is not None else []
        if (warnings, advice) == self._shown:
            return
        self._shown = (warnings, advice)
        clear_layout(self._lines)
        has_remarks = plan is not None and any(message.id in _REMARKS for message in plan.advice)
        is_more = bool(warnings) or has_remarks
        self._title.setText(self.tr("Good to know") if is_more else self.tr("Would change the plan"))
        for line in warnings[:_MOST]:
            self._add(line, "triangle-alert", "warning.fg")
        for line in advice[: max(_MOST - len(warnings), 0)]:
            self._add(line, "lightbulb", "text_muted")
        self.setVisible(bool(warnings or advice))

    def _add(self, text: str, icon: str, color: str) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(IconLabel(icon, 16, color), 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(TextLabel(text, "small", "secondary", wraps=True), 1)
        self._lines.addLayout(line)
