"""The rows of an explained log as a list model; what a screen reader says of each stands here too."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from gpuconfig_app.core.log_report import LogReport
from gpuconfig_app.core.units import format_count
from gpuconfig_app.ui.pages.explain.log_rows import LineRole, LogRow, LogRows
from gpuconfig_app.workbench.log_lines import LogLines

_ROOT = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class RowRole(IntEnum):
    """What the model tells the delegate."""

    ROW = int(Qt.ItemDataRole.UserRole) + 1  # LogRow


class LogModel(QAbstractListModel):
    """Rows of one log; empty before the first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: LogRows | None = None

    def show_log(self, report: LogReport | None, lines: LogLines | None) -> None:
        """Replace the log; None for none."""
        self.beginResetModel()
        self._rows = LogRows(report, lines) if report is not None and lines is not None else None
        self.endResetModel()

    @property
    def has_folds(self) -> bool:
        """Whether lines are folded."""
        return self._rows is not None and any(row.is_fold for row in self._rows.rows)

    def row(self, place: int) -> LogRow | None:
        """Give a row, None when there is none."""
        rows = self._rows.rows if self._rows is not None else []
        return rows[place] if 0 <= place < len(rows) else None

    def toggle(self, place: int) -> bool:
        """Fold or unfold a row; False when nothing changed."""
        if self._rows is None or (row := self.row(place)) is None or not row.is_fold or row.is_full:
            return False
        self.layoutAboutToBeChanged.emit()
        self._rows.toggle(place)
        self.layoutChanged.emit()
        return True

    def place_of(self, number: int) -> int:
        """Give the row that shows a line, -1 when there is none."""
        if self._rows is None:
            return -1
        self.layoutAboutToBeChanged.emit()
        place = self._rows.row_of(number)
        self.layoutChanged.emit()
        return place

    def fold_text(self, row: LogRow) -> str:
        """Say what a folded row stands for."""
        count = format_count(row.folded)
        if row.role is LineRole.HARMLESS:
            return self.tr("%n harmless line(s)", "", row.folded)
        if row.is_full:
            return self.tr("{count} further lines; to see them, open the log in an editor").format(count=count)
        if row.folded >= 10_000:  # Qt writes numbers of a plural without grouping
            return self.tr("{count} further lines").format(count=count)
        return self.tr("%n further line(s)", "", row.folded)

    def _spoken(self, row: LogRow) -> str:
        if row.is_fold:
            state = self.tr("unfolded") if row.is_open else self.tr("folded")
            return f"{self.fold_text(row)}, {state}"
        names = {
            LineRole.MAIN: self.tr("main cause"),
            LineRole.FURTHER: self.tr("further finding"),
            LineRole.CONSEQUENCE: self.tr("follows from it"),
            LineRole.UNEXPLAINED: self.tr("not recognised"),
            LineRole.HARMLESS: self.tr("harmless"),
        }
        where = self.tr("Line {number}").format(number=row.number)
        name = names.get(row.role, "")
        return f"{where}, {name}: {row.text}" if name else f"{where}: {row.text}"

    @override
    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self._rows is None else len(self._rows.rows)

    @override
    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:  # Any: Qt's own signature
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == RowRole.ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return self.fold_text(row) if row.is_fold else row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row)
        return None
