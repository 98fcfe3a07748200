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
        self.body.addWidget(TextLabel(self.tr("What would help"), "heading"))
        self._column = QVBoxLayout()
        self._column.setSpacing(5)
        self._rows: list[_Row] = []
        self.body.addLayout(self._column)
        self._note = TextLabel("", "small", "muted", wraps=True)
        self.body.addWidget(self._note)
        self.hide()

    def refresh(self) -> None:
        """Show what the newest plan says."""
        plan = self._draft.plan
        measures = plan.shown_measures[:_MOST] if plan is not None else ()
        # Said once below instead of in every row.
        lacks_times = {measure.price.id for measure in measures if measure.price is not None} == {_UNKNOWN_TIME}
        while len(self._rows) < len(measures):
            row = _Row(self._draft, is_first=not self._rows)
            self._rows.append(row)
            self._column.addWidget(row)
        for measure, row in zip(measures, self._rows, strict=False):
            self._show(row, measure, has_price=not lacks_times)
        for number, row in enumerate(self._rows):
            row.setVisible(number < len(measures))
        self._note.setText(self._state.text(Message("measures.times-unknown")) if lacks_times else "")
        self._note.setVisible(lacks_times)
        self.setVisible(bool(measures))

    def _show(self, row: _Row, measure: MemoryMeasure, *, has_price: bool) -> None:
        rest = (measure.effect, measure.price if has_price else None)
        template = self._draft.template
        row.show_measure(
            measure.id,
            self._state.text(measure.message),
            _BETWEEN.join(self._state.text(part) for part in rest if part is not None),
            changed_answers(template, measure.change) if template is not None else None,
        )


class _Row(QWidget):
    """One measure; it stays while plans come, so that the keyboard stays on its button.

    Args:
        is_first: The best measure; its button stands out.
    """

    def __init__(self, draft: WizardDraft, *, is_first: bool) -> None:
        super().__init__()
        self._draft = draft
        self._answers: dict[str, JsonValue] = {}
        texts = QVBoxLayout()
        texts.setContentsMargins(0, _BUTTON_INSET, 0, 0)
        texts.setSpacing(2)
        self._message = TextLabel("", "small", "secondary", wraps=True)
        self._rest = TextLabel("", "small", "muted", wraps=True)
        texts.addWidget(self._message)
        texts.addWidget(self._rest)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(12)
        line.addLayout(texts, 1)
        kind = OUTLINED if is_first else LINK
        self._button = Button(self.tr("Do this"), kind, scale="small", on_click=self._do)
        line.addWidget(self._button, 0, Qt.AlignmentFlag.AlignTop)

    def show_measure(self, measure_id: str, message: str, rest: str, answers: dict[str, JsonValue] | None) -> None:
        """Show a measure.

        Args:
            answers: What a press answers; None where no answer does it.
        """
        self._answers = answers or {}
        self._message.setText(message)
        self._rest.setText(rest)
        self._rest.setVisible(bool(rest))
        self._button.setVisible(answers is not None)
        self._button.setObjectName(f"measure_{measure_id}")
        self._button.setAccessibleName(self.tr("Do this: {what}").format(what=message))

    def _do(self) -> None:
        self._draft.answer_all(self._answers)
