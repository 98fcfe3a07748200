"""Requirements of TensorFlow on a machine: needed beside found beside verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from gpuconfig_app.core.finding import Requirement, Severity
from gpuconfig_app.core.messages import Message
from gpuconfig_app.ui.widgets.table import CellRole

_ROOT = QModelIndex()
_NAME, _NEEDS, _FOUND, _VERDICT = range(4)
_DASH = "—"
_ROW_COLORS = (Severity.BLOCKED, Severity.WARNING)


class RequirementModel(QAbstractTableModel):
    """One row for each requirement.

    Args:
        text: Renders a message in the shown language.
    """

    def __init__(self, text: Callable[[Message | None], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._rows: tuple[Requirement, ...] = ()
        self._heads = (self.tr("Requirement"), self.tr("Needs"), self.tr("Found"), self.tr("Verdict"))
        self._names = {
            "driver": self.tr("GPU driver"),
            "cuda_libraries": self.tr("CUDA libraries"),
            "cudnn": "cuDNN",
            "machine_code": self.tr("Machine code"),
            "python": "Python",
            "glibc": self.tr("C library (glibc)"),
            "processor": self.tr("Processor"),
            "disk": self.tr("Free disk"),
            "toolkit": self.tr("nvcc, CUDA toolkit"),
            "os": self.tr("Operating system"),
            "tensorflow": "TensorFlow",
            "gpu": self.tr("Graphics card"),
            "numpy": "NumPy",
            "packages": self.tr("Python packages"),
        }

    def set_requirements(self, requirements: Sequence[Requirement]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._rows = tuple(requirements)
        self.endResetModel()

    def name(self, item: Requirement) -> str:
        """Give what a requirement is called."""
        return self._shown(item, _NAME)

    def row_of(self, requirement_id: str) -> int:
        """Give the row of a requirement, -1 when there is none."""
        return next((row for row, item in enumerate(self._rows) if item.id == requirement_id), -1)

    def requirement(self, row: int) -> Requirement:
        """Give the requirement of a row."""
        return self._rows[row]

    def _shown(self, item: Requirement, column: int) -> str:
        if column == _NAME:
            return self._names.get(item.id, item.id)
        if column == _NEEDS:
            return self._text(item.needs) or self._when_nothing_is_said(item, column)
        if column == _FOUND:
            return self._text(item.found) or self._when_nothing_is_said(item, column)
        return self._text(item.verdict)

    def _when_nothing_is_said(self, item: Requirement, column: int) -> str:
        is_needed = item.verdict.id != "compat.requirement-not-needed"
        if item.id == "packages" and item.severity is Severity.GOOD:
            return self.tr("fit together") if column == _NEEDS else self.tr("no conflict")
        if column == _NEEDS:
            return _DASH if is_needed else self.tr("not needed")
        return self.tr("not known") if is_needed and item.severity is not Severity.GOOD else _DASH

    @override
    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._heads)

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> Any:  # Any: Qt's own signature
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        return None

    @override
    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> Any:  # Any: Qt's own signature
        if not index.isValid():
            return None
        item, column = self._rows[index.row()], index.column()
        failing = item.severity in _ROW_COLORS
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._shown(item, column)
        if role == CellRole.ROW_SEVERITY:
            return item.severity.value if failing else None
        if role == CellRole.SEVERITY and column == _VERDICT:
            return "idle" if item.severity is Severity.NEUTRAL else item.severity.value
        if role == CellRole.TYPE and column == _NAME:
            return "body_strong" if failing else "body"
        if role == CellRole.TONE and column == _NEEDS:
            return "text_secondary"
        return None
