"""TensorFlow can't use the cards yet: said where cards are chosen, with the way to the page that mends it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import Card, IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel

_FIX_FIRST = "planner.warning-fix-first"


class FixFirstCard(Card):
    """One line; hidden while the cards can be used."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent, severity="warning", padding=10)
        self._state = state
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(IconLabel("triangle-alert", 18, "warning.fg"))
        self._text = TextLabel("", "body", wraps=True)
        line.addWidget(self._text, 1)
        fix = Button(
            self.tr("Open Compatibility"),
            OUTLINED,
            "shield-check",
            scale="small",
            on_click=lambda: state.navigate("compatibility"),
        )
        fix.setObjectName("fix_first")
        line.addWidget(fix)
        self.body.addLayout(line)
        self.hide()

    def show_plan(self, plan: TrainingPlan | None) -> None:
        """Show what the plan says about it."""
        warnings = plan.warnings if plan is not None else ()
        found = next((message for message in warnings if message.id == _FIX_FIRST), None)
        self._text.setText(self._state.text(found))
        self.setVisible(found is not None)
