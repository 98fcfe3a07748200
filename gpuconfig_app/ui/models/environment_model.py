"""Python environments of a machine with their verdicts, and the proxy that sorts them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from typing_extensions import override

from gpuconfig_app.core.finding import CompatReport, Proven, Verdict
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.target import TargetKind
from gpuconfig_app.ui.widgets.table import CellRole

_ROOT = QModelIndex()
ENVIRONMENT, PYTHON, TENSORFLOW, VERDICT = range(4)
_DASH = "—"
_SEVERITIES = {
    Verdict.READY: "good",
    Verdict.READY_WITH_NOTES: "warning",
    Verdict.CPU_ONLY: "warning",
    Verdict.BLOCKED: "blocked",
    Verdict.UNKNOWN: "neutral",
}
_ORDER = (Verdict.READY, Verdict.READY_WITH_NOTES, Verdict.UNKNOWN, Verdict.CPU_ONLY, Verdict.BLOCKED)


class EnvironmentModel(QAbstractTableModel):
    """One row for each environment.

    Args:
        text: Renders a text in the shown language.
    """

    def __init__(self, text: Callable[[Message | LocalText | None], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._rows: tuple[PythonEnvironment, ...] = ()
        self._verdicts: Mapping[str, CompatReport] = {}
        self._chosen: str | None = None
        self._heads = (self.tr("Environment"), "Python", "TensorFlow", self.tr("Verdict"))

    def show_environments(
        self,
        environments: Sequence[PythonEnvironment],
        verdicts: Mapping[str, CompatReport],
        chosen: str | None,
    ) -> None:
        """Replace all rows.

        Args:
            verdicts: By interpreter; one that is missing is still being made.
            chosen: Interpreter of the chosen environment.
        """
        self.beginResetModel()
        self._rows = tuple(environments)
        self._verdicts = dict(verdicts)
        self._chosen = chosen
        self.endResetModel()

    def environment(self, row: int) -> PythonEnvironment:
        """Give the environment of a row."""
        return self._rows[row]

    def verdict_words(self, environment: PythonEnvironment) -> tuple[str, str]:
        """Give severity and word of an environment's verdict."""
        if environment.problem is not None:
            return "warning", self.tr("Cannot be read")
        if environment.tensorflow_version is None:
            return "idle", self.tr("No TensorFlow")
        report = self._verdicts.get(environment.executable)
        if report is None:
            return "loading", self.tr("Checking…")
        return self._words_of(report)

    def _words_of(self, report: CompatReport) -> tuple[str, str]:
        if report.verdict is Verdict.READY:
            if report.proven is Proven.TRUE:
                return "good", self.tr("Proven on GPU")
            if report.proven is Proven.STALE:
                return "note", self.tr("Proof is out of date")
            return "note", self.tr("Should be ready")
        if report.primary is not None:
            return _SEVERITIES[report.verdict], self._text(report.primary.title)
        words = {
            Verdict.READY_WITH_NOTES: self.tr("Ready, with notes"),
            Verdict.CPU_ONLY: self.tr("Processor only"),
            Verdict.BLOCKED: self.tr("Not ready"),
        }
        return _SEVERITIES[report.verdict], words.get(report.verdict, self.tr("Not known"))

    def _shown(self, item: PythonEnvironment, column: int) -> str:
        if column == ENVIRONMENT:
            return shown_path(item)
        if column == PYTHON:
            return item.python_version or _DASH
        if column == TENSORFLOW:
            return item.tensorflow_version or _DASH
        return self.verdict_words(item)[1]

    def _sort_value(self, item: PythonEnvironment, column: int) -> Any:  # Any: numbers and texts, one kind a column
        if column == VERDICT:
            report = self._verdicts.get(item.executable)
            place = _ORDER.index(report.verdict) if report is not None else len(_ORDER)
            return place + (10 if item.tensorflow_version is None else 0)
        return self._shown(item, column)

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
        if role == Qt.ItemDataRole.DisplayRole:
            return self._shown(item, column)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return item.executable if column == ENVIRONMENT else self._shown(item, column)
        if role == CellRole.SEVERITY:
            return self.verdict_words(item)[0] if column == VERDICT else None
        if role == CellRole.RADIO:
            return item.executable == self._chosen if column == ENVIRONMENT else None
        if role == CellRole.TYPE:
            return "body_strong" if column == ENVIRONMENT and item.executable == self._chosen else "body"
        if role == CellRole.SORT:
            return self._sort_value(item, column)
        return None


class EnvironmentOrder(QSortFilterProxyModel):
    """The chosen environment first, then by verdict; may be cut to the first rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setSortRole(int(CellRole.SORT))
        self.setDynamicSortFilter(True)
        self.sort(VERDICT)

    @override
    def lessThan(self, left: QModelIndex | QPersistentModelIndex, right: QModelIndex | QPersistentModelIndex) -> bool:
        model = self.sourceModel()
        first, second = (model.index(item.row(), ENVIRONMENT).data(CellRole.RADIO) for item in (left, right))
        if first != second:
            return bool(first)
        return super().lessThan(left, right)


def shown_path(environment: PythonEnvironment) -> str:
    """Give an environment's folder as people write it, the home folder as ``~``; elsewhere with where that is."""
    target = environment.target
    if target is not None and target.kind is TargetKind.WSL:
        return f"{environment.prefix or target.python} · WSL {target.distribution or ''}".rstrip()
    if target is not None and target.kind is TargetKind.CONTAINER:
        return target.name
    path = environment.prefix or environment.executable
    if environment.kind.value == "system" and environment.executable:
        path = environment.executable
    try:
        home = str(Path.home())
    except RuntimeError:  # no home folder can be told
        return path
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path
