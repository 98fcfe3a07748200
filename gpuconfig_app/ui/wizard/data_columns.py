"""The columns of a table: what each holds and whether values are missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from gpuconfig_app.core.dataset import ColumnFacts
from gpuconfig_app.core.messages import Message
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import HeadedCard
from gpuconfig_app.ui.widgets.table import Index, PlainTable

_ROWS_SEEN = 9


class ColumnTableModel(QAbstractTableModel):
    """Columns of a table as rows of a table.

    Args:
        state: Gives sentences in the shown language.
    """

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._columns: tuple[ColumnFacts, ...] = ()
        self._heads = (self.tr("Column"), self.tr("Kind"), self.tr("Values"), self.tr("Missing"))

    def show_columns(self, columns: Sequence[ColumnFacts]) -> None:
        """Show these columns."""
        self.beginResetModel()
        self._columns = tuple(columns)
        self.endResetModel()

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self._columns)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self._heads)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self._heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int((Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter).value)
        return None

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole) or not index.isValid():
            return None
        column = self._columns[index.row()]
        texts = (
            column.name,
            self._state.text(Message(f"wizard.column-{column.kind.value}")),
            _values(column),
            str(column.missing_count) if column.missing_count else "–",
        )
        return texts[index.column()]


class ColumnTable(HeadedCard):
    """The table in its card."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title.setText(self.tr("Columns"))
        self.setAccessibleName(self.tr("Columns"))
        self._model = ColumnTableModel(state, self)
        self._view = PlainTable(row_height=current_theme().size("height.table_row_dense"), fits_rows=False)
        self._view.setModel(self._model)
        self._view.setAccessibleName(self.tr("Columns of the table"))
        self._view.set_columns({0: 180, 1: 170, 3: 80}, 2)
        self.body.addWidget(self._view)

    def show_columns(self, columns: Sequence[ColumnFacts]) -> None:
        """Show these columns; the table is as high as it needs, up to nine rows."""
        self._model.show_columns(columns)
        row = current_theme().size("height.table_row_dense")
        head = current_theme().size("height.table_head")
        self._view.setFixedHeight(head + row * min(len(columns), _ROWS_SEEN) + 2)


def _values(column: ColumnFacts) -> str:
    if column.minimum is not None and column.maximum is not None:
        return f"{column.minimum:g} … {column.maximum:g}"
    return ", ".join(column.examples[:3])
