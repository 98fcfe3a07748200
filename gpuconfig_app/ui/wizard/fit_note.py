"""Whether the plan fits, in the footer: seen at every size of the window and wherever the step is scrolled."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QWidget

from gpuconfig_app.core.plan import Fit, MemoryPrediction
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.measure_card import MeasureCard
from gpuconfig_app.ui.wizard.step_page import FIT_SEVERITY, StepPage, fit_word
from gpuconfig_app.ui.wizard.steps import Step

TOO_BIG = "wizard.too-big"
_STEPS = (Step.MODEL, Step.HARDWARE, Step.TRAINING, Step.REVIEW)


class FitNote(QWidget):
    """A badge with the memory, and where it does not surely fit the way to what would help."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state, self._draft = state, draft
        self._page: StepPage | None = None
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 8, 0)
        line.setSpacing(12)
        self._help = Button(self.tr("What would help"), LINK, scale="small", on_click=self._show_help)
        self._help.setObjectName("show_help")
        self._badge = SeverityBadge()
        line.addWidget(self._help)
        line.addWidget(self._badge)
        self.hide()

    def refresh(self, page: StepPage | None) -> None:
        """Show what the newest plan says.

        Args:
            page: The step that is shown.
        """
        self._page = page
        plan = self._draft.plan
        memory = plan.memory if plan is not None else None
        is_shown = memory is not None and self._draft.step in _STEPS
        self.setVisible(is_shown)
        if memory is None or plan is None or not is_shown:
            return
        self._badge.show_state(FIT_SEVERITY[memory.fit], self._words(memory))
        is_tight = memory.fit in (Fit.TOO_BIG, Fit.MAY_FAIL)
        has_card = page is not None and page.findChild(MeasureCard) is not None
        self._help.setVisible(is_tight and bool(plan.shown_measures) and has_card)

    def take_focus(self) -> bool:
        """Take the keyboard when there is something to press; True when it did."""
        if self._help.isVisible():
            self._help.setFocus(Qt.FocusReason.TabFocusReason)
        return self._help.isVisible()

    def _words(self, memory: MemoryPrediction) -> str:
        word = fit_word(self._state, memory.fit)
        if memory.usable_bytes is None:
            return word
        needed, usable = format_bytes(int(memory.total.expected)), format_bytes(memory.usable_bytes)
        number, _, unit = needed.partition(" ")
        return self.tr("{fit}: {n} of {usable}").format(
            fit=word, n=number if usable.endswith(unit) else needed, usable=usable
        )

    def _show_help(self) -> None:
        """Bring the measures into view, the first of them under the keyboard."""
        if self._page is None:
            return
        card = next((item for item in self._page.findChildren(MeasureCard) if item.isVisible()), None)
        area = self._area_of(card)
        if card is None or area is None:
            return
        area.ensureWidgetVisible(card, 0, 16)
        button = next((item for item in card.findChildren(Button) if item.isVisible()), None)
        if button is not None:
            button.setFocus(Qt.FocusReason.TabFocusReason)

    def _area_of(self, widget: QWidget | None) -> QScrollArea | None:
        while widget is not None and not isinstance(widget, QScrollArea):
            widget = widget.parentWidget()
        return widget
