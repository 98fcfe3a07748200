"""Measured beside predicted: one row for each quantity, with the interval and whether it was kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.run_result import Compared
from gpuconfig_app.core.units import format_bytes, format_duration, join_range
from gpuconfig_app.ui.widgets.cards import Line
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge

Render = Callable[[Message | LocalText | None], str]
_DASH = "–"


class ComparedTable(QWidget):
    """The table.

    Args:
        text: Renders a sentence in the shown language.
        nothing: Stands below the heads while nothing was measured.
    """

    def __init__(self, text: Render, nothing: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._nothing = nothing
        self._rows: tuple[Compared, ...] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._table = QWidget()
        self._column.addWidget(self._table)
        self._column.addStretch(1)
        self.setAccessibleName(self.tr("Measured beside predicted"))
        self.show_compared(())

    def show_compared(self, rows: Sequence[Compared]) -> None:
        """Show these rows."""
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        former, self._table = self._table, QWidget()
        grid = QGridLayout(self._table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(2, 1)
        heads = (self.tr("Quantity"), self.tr("Predicted"), self.tr("Measured"), "")
        for column, head in enumerate(heads):
            grid.addWidget(_cell(TextLabel(head, "small_strong", "secondary"), column), 0, column)
        for number, row in enumerate(self._rows):
            grid.addWidget(Line(), 2 * number + 1, 0, 1, 4)
            self._add(grid, 2 * number + 2, row)
        if not self._rows and self._nothing:
            grid.addWidget(Line(), 1, 0, 1, 4)
            grid.addWidget(_cell(TextLabel(self._nothing, "small", "muted", wraps=True), 0), 2, 0, 1, 4)
        self._column.replaceWidget(former, self._table)
        former.hide()
        former.deleteLater()
        self.setAccessibleDescription("; ".join(self._in_words(row) for row in self._rows))

    def _add(self, grid: QGridLayout, place: int, row: Compared) -> None:
        grid.addWidget(_cell(TextLabel(self._name(row), "body"), 0), place, 0)
        grid.addWidget(_cell(TextLabel(predicted_text(row), "small", "secondary"), 1), place, 1)
        if row.measured is None:
            reason = TextLabel(self._text(row.reason) or _DASH, "small", "muted", wraps=True)
            grid.addWidget(_cell(reason, 2), place, 2, 1, 2)
            return
        grid.addWidget(_cell(TextLabel(_shown(row.id, row.measured), "body_strong"), 2), place, 2)
        if row.is_inside is not None:
            word = self.tr("Within") if row.is_inside else self.tr("Outside")
            badge = SeverityBadge("good" if row.is_inside else "warning", word, is_boxed=False)
            cell = QWidget()  # a badge paints over its own margins
            inside = QHBoxLayout(cell)
            inside.setContentsMargins(8, 7, 16, 7)
            inside.addWidget(badge)
            grid.addWidget(cell, place, 3)

    def _name(self, row: Compared) -> str:
        return self._text(Message(f"wizard.measured-{row.id.replace('_', '-')}"))

    def _in_words(self, row: Compared) -> str:
        measured = self._text(row.reason) if row.measured is None else _shown(row.id, row.measured)
        return f"{self._name(row)}: {predicted_text(row)}, {measured}"


def predicted_text(row: Compared) -> str:
    """Write what was predicted with its interval, ``16.8 GiB (14.9 – 19.1 GiB)``; a dash without a prediction."""
    predicted = row.predicted
    if predicted is None:
        return _DASH
    low, high = _shown(row.id, predicted.low), _shown(row.id, predicted.high)
    return f"{_shown(row.id, predicted.expected)} ({join_range(low, high)})"


def _shown(name: str, value: float) -> str:
    return format_bytes(int(value)) if name.endswith("_bytes") else format_duration(value)


def _cell(widget: QWidget, column: int) -> QWidget:
    widget.setContentsMargins(16 if column == 0 else 8, 7, 16 if column == 3 else 8, 7)
    if isinstance(widget, TextLabel):
        widget.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return widget
