"""What would need less memory, best first; one click answers so. Shown while memory is tight.

On the model step it lies inside the memory card, right below the bar that says that something must be done.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import MemoryMeasure
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.changed_answers import changed_answers
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import LINK, OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.layouts import clear_layout

_MOST = 6
# The first line of a row stands as high as the button's text.
_BUTTON_INSET = 5
_BETWEEN = " · "
_UNKNOWN_TIME = "measures.time-unknown"


class MeasureCard(Card):
    """A row for each measure: what it saves, which batch fits then and what it costs in time.

    Args:
        is_inside: Part of another card, set off by its ground only.
    """

    def __init__(
        self, state: AppState, draft: WizardDraft, parent: QWidget | None = None, *, is_inside: bool = False
    ) -> None:
        super().__init__(parent, padding=14 if is_inside else 18)
        if is_inside:
            self.setProperty("role", "inset")
        self._state = state
        self._draft = draft
        self._shown: tuple[tuple[str, ...], ...] | None = None
        self._lacks_times = False
        self.body.addWidget(TextLabel(self.tr("What would help"), "heading"))
        self._rows = QVBoxLayout()
        self._rows.setSpacing(5)
        self.body.addLayout(self._rows)
        self._note = TextLabel("", "small", "muted", wraps=True)
        self.body.addWidget(self._note)
        self.hide()

    def refresh(self) -> None:
        """Show what the newest plan says."""
        plan = self._draft.plan
        measures = plan.shown_measures[:_MOST] if plan is not None else ()
        # Said once below instead of in every row.
        prices = {measure.price.id for measure in measures if measure.price is not None}
        self._lacks_times = prices == {_UNKNOWN_TIME}
        shown = tuple((measure.id, *self._texts(measure), str(measure.change)) for measure in measures)
        if shown == self._shown:
            return
        self._shown = shown
        clear_layout(self._rows)
        for number, measure in enumerate(measures):
            self._add(measure, is_first=number == 0)
        self._note.setText(self._state.text(Message("measures.times-unknown")) if self._lacks_times else "")
        self._note.setVisible(self._lacks_times)
        self.setVisible(bool(measures))

    def _texts(self, measure: MemoryMeasure) -> tuple[str, str]:
        rest = (measure.effect, None if self._lacks_times else measure.price)
        return (
            self._state.text(measure.message),
            _BETWEEN.join(self._state.text(part) for part in rest if part is not None),
        )

    def _add(self, measure: MemoryMeasure, *, is_first: bool) -> None:
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
            button = self._button(OUTLINED if is_first else LINK, message, answers)
            button.setObjectName(f"measure_{measure.id}")
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._rows.addLayout(row)

    def _button(self, kind: str, message: str, answers: dict[str, JsonValue]) -> Button:
        button = Button(self.tr("Do this"), kind, scale="small", on_click=lambda: self._draft.answer_all(answers))
        button.setAccessibleName(self.tr("Do this: {what}").format(what=message))
        return button
