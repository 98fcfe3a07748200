"""What would need less memory, best first; one click answers so. Shown while memory is tight."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.plan import MemoryMeasure
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.changed_answers import changed_answers
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.layouts import clear_layout

_MOST = 6
# The first line of a row stands as high as the button's text.
_BUTTON_INSET = 5
_BETWEEN = " · "


class MeasureCard(Card):
    """A row for each measure: what it saves, which batch fits then and what it costs in time."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent, padding=18)
        self._state = state
        self._draft = draft
        self._shown: tuple[tuple[str, ...], ...] | None = None
        self.body.addWidget(TextLabel(self.tr("What would help"), "heading"))
        self._rows = QVBoxLayout()
        self._rows.setSpacing(5)
        self.body.addLayout(self._rows)

    def refresh(self) -> None:
        """Show what the newest plan says."""
        plan = self._draft.plan
        measures = plan.shown_measures[:_MOST] if plan is not None else ()
        shown = tuple((measure.id, *self._texts(measure), str(measure.change)) for measure in measures)
        if shown == self._shown:
            return
        self._shown = shown
        clear_layout(self._rows)
        for measure in measures:
            self._add(measure)
        self.setVisible(bool(measures))

    def _texts(self, measure: MemoryMeasure) -> tuple[str, str]:
        rest = (measure.effect, measure.price)
        return (
            self._state.text(measure.message),
            _BETWEEN.join(self._state.text(part) for part in rest if part is not None),
        )

    def _add(self, measure: MemoryMeasure) -> None:
        message, rest = self._texts(measure)
        texts = QVBoxLayout()
        texts.setContentsMargins(0, _BUTTON_INSET, 0, 0)
        texts.setSpacing(2)
        texts.addWidget(TextLabel(message, "small", "secondary", wraps=True))
        if rest:
            texts.addWidget(TextLabel(rest, "small", "muted", wraps=True))
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addLayout(texts, 1)
        answers = changed_answers(self._draft.template, measure.change) if self._draft.template is not None else None
        if answers is not None:
            row.addWidget(self._button(measure, message, answers), 0, Qt.AlignmentFlag.AlignTop)
        self._rows.addLayout(row)

    def _button(self, measure: MemoryMeasure, message: str, answers: dict[str, JsonValue]) -> Button:
        button = Button(self.tr("Do this"), LINK, scale="small", on_click=lambda: self._draft.answer_all(answers))
        button.setObjectName(f"measure_{measure.id}")
        button.setAccessibleName(self.tr("Do this: {what}").format(what=message))
        return button
