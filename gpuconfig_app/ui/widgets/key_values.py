"""Facts as a list: label in a column of its own, the value selectable."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel


class KeyValues(QWidget):
    """A grid of (label, value, remark).

    Args:
        label_width: Of the first column.
    """

    def __init__(self, parent: QWidget | None = None, label_width: int = 96) -> None:
        super().__init__(parent)
        self._rows: tuple[tuple[str, str, str], ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(16, 4, 16, 14)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnMinimumWidth(0, label_width)
        self._grid.setColumnStretch(1, 1)

    @property
    def rows(self) -> tuple[tuple[str, str, str], ...]:
        """What is shown."""
        return self._rows

    def show_rows(self, rows: Sequence[tuple[str, str, str]]) -> None:
        """Replace all rows; a remark stands muted behind its value."""
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for place, (label, value, remark) in enumerate(rows):
            for column, cell in enumerate((TextLabel(label, "body", "muted"), _value(label, value, remark))):
                self._grid.addWidget(cell, place, column)
                cell.show()  # a layout counts what is not shown yet as empty


def _value(label: str, value: str, remark: str) -> QWidget:
    cell = QWidget()
    row = QHBoxLayout(cell)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    shown = ElidedLabel(value)
    shown.setAccessibleName(f"{label}: {value} {remark}".strip())
    row.addWidget(shown, 0 if remark else 1)
    if remark:
        shown.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row.addWidget(ElidedLabel(remark, "body", "muted"), 1)
    return cell
