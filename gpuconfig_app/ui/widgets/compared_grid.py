"""Measured beside predicted: one row a quantity, with the predicted range and whether the measured value lies in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.run_result import Compared
from gpuconfig_app.core.units import format_bytes, format_duration
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge

Render = Callable[[Message | LocalText | None], str]


class ComparedGrid(QWidget):
    """The rows.

    Args:
        text: Renders a text in the shown language.

    Attributes:
        rows: What is shown.
    """

    def __init__(self, text: Render, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.rows: tuple[Compared, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(16, 12, 16, 12)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(10)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 1)
        self.setAccessibleName(self.tr("Measured beside predicted"))

    def show_rows(self, rows: Sequence[Compared], none: str = "") -> None:
        """Show these quantities, or ``none`` in their place when there are none."""
        self.rows = tuple(rows)
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for column, head in enumerate((self.tr("Quantity"), self.tr("Predicted"), self.tr("Measured"))):
            self._grid.addWidget(TextLabel(head, "small", "muted"), 0, column)
        for number, row in enumerate(rows, start=1):
            self._add(number, row)
        if not rows:
            self._grid.addWidget(TextLabel(none, "small", "muted", wraps=True), 1, 0, 1, 4)
        self._grid.setRowStretch(len(rows) + 2, 1)

    def _add(self, number: int, row: Compared) -> None:
        name = self._text(Message(f"wizard.measured-{row.id.replace('_', '-')}"))
        self._grid.addWidget(TextLabel(name, "body"), number, 0)
        self._grid.addWidget(TextLabel(predicted_text(row), "small", "secondary"), number, 1)
        if row.measured is None:
            reason = TextLabel(self._text(row.reason) or "–", "small", "muted", wraps=True)
            self._grid.addWidget(reason, number, 2, 1, 2)
            return
        self._grid.addWidget(TextLabel(_shown(row.id, row.measured), "body_strong"), number, 2)
        if row.is_inside is not None:
            word = self.tr("Within") if row.is_inside else self.tr("Outside")
            badge = SeverityBadge("good" if row.is_inside else "warning", word, is_boxed=False)
            self._grid.addWidget(badge, number, 3, Qt.AlignmentFlag.AlignRight)


def predicted_text(row: Compared) -> str:
    """Write the predicted range, a dash without one."""
    predicted = row.predicted
    if predicted is None:
        return "–"
    return f"{_shown(row.id, predicted.low)} – {_shown(row.id, predicted.high)}"


def _shown(name: str, value: float) -> str:
    return format_bytes(int(value)) if name.endswith("_bytes") else format_duration(value)
