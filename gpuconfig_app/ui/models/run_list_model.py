"""Runs as a list: name, when, how it stands; newest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt
from typing_extensions import override

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.run_result import RunKind, RunRecord, RunResult, RunState
from gpuconfig_app.core.units import format_duration
from gpuconfig_app.ui.widgets.table import Index

SEVERITIES = {
    RunState.RUNNING: "loading",
    RunState.FINISHED: "good",
    RunState.FAILED: "blocked",
    RunState.CANCELLED: "idle",
    RunState.TIMED_OUT: "warning",
    RunState.VANISHED: "warning",
}


class RunRole(IntEnum):
    """What the delegate asks for beside the name."""

    WHEN = int(Qt.ItemDataRole.UserRole) + 1
    SEVERITY = int(Qt.ItemDataRole.UserRole) + 2
    STATE = int(Qt.ItemDataRole.UserRole) + 3
    REMARK = int(Qt.ItemDataRole.UserRole) + 4


@dataclass(frozen=True)
class RunShown:
    """A run with how it stands."""

    record: RunRecord
    result: RunResult


def run_name(record: RunRecord) -> str:
    """Give the name people know a run by: the folder of its script."""
    path = PurePath(record.bundle)
    return path.parent.name if path.name == "bundle" else path.name or record.id


class RunListModel(QAbstractListModel):
    """The list.

    Args:
        text: Renders a message in the shown language.
        when: Writes a moment for people.
    """

    def __init__(
        self, text: Callable[[Message], str], when: Callable[[float], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._text = text
        self._when = when
        self._runs: tuple[RunShown, ...] = ()

    @property
    def runs(self) -> tuple[RunShown, ...]:
        """Runs shown, newest first."""
        return self._runs

    def show_runs(self, runs: Sequence[RunShown]) -> None:
        """Replace the runs; the view keeps its selection where the runs are the same."""
        same = [run.record.id for run in runs] == [run.record.id for run in self._runs]
        if same and runs:
            self._runs = tuple(runs)
            self.dataChanged.emit(self.index(0), self.index(len(runs) - 1))
            return
        self.beginResetModel()
        self._runs = tuple(runs)
        self.endResetModel()

    def show_result(self, result: RunResult) -> None:
        """Take over how one run stands now."""
        row = self.row_of(result.run_id)
        if row >= 0 and self._runs[row].result != result:
            changed = RunShown(self._runs[row].record, result)
            self._runs = (*self._runs[:row], changed, *self._runs[row + 1 :])
            self.dataChanged.emit(self.index(row), self.index(row))

    def row_of(self, run_id: str) -> int:
        """Give the row of a run, -1 when it is not there."""
        return next((row for row, run in enumerate(self._runs) if run.record.id == run_id), -1)

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self._runs)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._runs):
            return None
        run = self._runs[index.row()]
        state = run.result.state
        word = self._text(Message(f"wizard.run-{state.value.replace('_', '-')}"))
        if role == Qt.ItemDataRole.DisplayRole:
            return run_name(run.record)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{run_name(run.record)}, {word}, {self._when(run.record.started_at)}"
        if role == RunRole.WHEN:
            return self._when(run.record.started_at)
        if role == RunRole.SEVERITY:
            return SEVERITIES[state]
        if role == RunRole.STATE:
            return f"{word} · {self._kind(run.record.kind)}"
        if role == RunRole.REMARK:
            return format_duration(run.result.duration_s) if run.result.duration_s is not None else ""
        return None

    def _kind(self, kind: RunKind) -> str:
        return self._text(Message(f"ui.run-kind-{kind.value}"))
