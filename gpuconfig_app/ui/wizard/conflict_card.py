"""Two answers that exclude each other, with one button for each way out."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.manifest import Question
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import Card, IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.painting import paint_card_edge
from gpuconfig_app.ui.wizard.conflicts import Conflict, WayOut, conflict_at
from gpuconfig_app.ui.wizard.draft import WizardDraft

_BUTTONS_WIDTH = 250


class ConflictCard(Card):
    """The card; hidden while there is nothing to settle on the step that is shown.

    Signals:
        shown(bool): It appeared or went away.
    """

    shown = Signal(bool)

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent, severity="blocked")
        self._state = state
        self._draft = draft
        self._conflict: Conflict | None = None
        self.setObjectName("conflict")
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(IconLabel("octagon-x", 22, "blocked.fg"), 0, Qt.AlignmentFlag.AlignTop)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        lead = TextLabel(self.tr("These answers can't go together"), "small", "blocked")
        lead.setFont(current_theme().font("small", 600))
        self._title = TextLabel("", "heading", wraps=True)
        self._reason = TextLabel("", "body", "secondary", wraps=True)
        for label in (lead, self._title, self._reason):
            texts.addWidget(label)
        row.addLayout(texts, 1)
        self._ways = QVBoxLayout()
        self._ways.setSpacing(8)
        row.addLayout(self._ways)
        self.body.addLayout(row)
        self.hide()

    def refresh(self) -> None:
        """Show the conflict of the step that is shown, or nothing."""
        conflict = conflict_at(self._draft, self._draft.step)
        if conflict == self._conflict:
            return
        self._conflict = conflict
        while (item := self._ways.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        if conflict is not None:
            self._show(conflict)
        self.setVisible(conflict is not None)
        self.shown.emit(conflict is not None)

    def _show(self, conflict: Conflict) -> None:
        parts = [self._answer(question, value) for question, value in conflict.answers]
        if conflict.is_about_devices:
            parts.append(self.tr("several GPUs"))
        self._title.setText(self.tr(", and ").join(parts))
        self._reason.setText(self._state.text(conflict.reason))
        self.setAccessibleName(f"{self._title.text()}. {self._reason.text()}")
        for number, way in enumerate(conflict.ways):
            button = Button(self._way(way), OUTLINED, on_click=partial(self._go, way))
            button.setObjectName(f"way_out_{number}")
            button.setMinimumWidth(_BUTTONS_WIDTH)
            self._ways.addWidget(button)
        self._ways.addStretch(1)

    def _go(self, way: WayOut) -> None:
        if way.question is not None:
            self._draft.answer(way.question.id, way.value)
        else:
            self._draft.choose_devices(way.devices)

    def _way(self, way: WayOut) -> str:
        if way.question is None:
            return self.tr("Use one GPU")
        return self._answer(way.question, way.value)

    def _answer(self, question: Question, value: JsonValue) -> str:
        option = next((item for item in question.options if item.value == value), None)
        switch = self.tr("on") if value else self.tr("off")
        shown = self._state.text(option.label) if option is not None else switch
        return self.tr("{question}: {answer}").format(question=self._state.text(question.label), answer=shown)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint_card_edge(self, current_theme().color("blocked.fg"))
