"""The tests of a proof as a table: what was computed, how long it took, where it really ran."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from gpuconfig_app.ui.widgets.proof_card import ProofRow
from gpuconfig_app.ui.widgets.table import CellRole

Index = QModelIndex | QPersistentModelIndex
TEST, TIME, DEVICE, RESULT = range(4)
_ROOT = QModelIndex()


class ProofModel(QAbstractTableModel):
    """One row for each test."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ProofRow, ...] = ()
        self._heads = (self.tr("Test"), self.tr("Time"), self.tr("Device it really ran on"), self.tr("Result"))

    def show_rows(self, rows: Sequence[ProofRow]) -> None:
        """Replace the rows."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    @override
    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._heads)

    @override
    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        texts = (row.name, row.time or "–", row.device or "–", row.word)
        if role == Qt.ItemDataRole.DisplayRole:
            return texts[column]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._heads[column]}: {texts[column]}"
        if role == CellRole.SEVERITY and column == RESULT:
            return row.severity
        if role == CellRole.TONE and column == DEVICE:
            return "text_secondary"
        if role == Qt.ItemDataRole.TextAlignmentRole and column == TIME:
            return int((Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter).value)
        return None

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section == TIME:
            return int((Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter).value)
        return None
