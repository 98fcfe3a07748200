"""Processes on the cards as a table; one row a process, with all cards it uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from typing_extensions import override

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.sample import DeviceKey, Sample
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.ui.widgets.table import CellRole, Index

_RIGHT = int((Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter).value)
_LEFT = int((Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter).value)


@dataclass(frozen=True)
class ProcessRow:
    """A process.

    Attributes:
        devices: Numbers of its cards, in order.
        memory_used_bytes: On all of them; None when the driver does not tell.
        is_own: It may be ended here; None when that makes no sense (a recorded machine).
        started_at: Start time of an own one, tells it from a later one with the same number.
    """

    process: GpuProcess
    devices: tuple[str, ...]
    memory_used_bytes: int | None
    is_own: bool | None
    started_at: float | None = None


def process_rows(latest: Mapping[DeviceKey, Sample], own: Mapping[int, float] | None) -> tuple[ProcessRow, ...]:
    """Put the processes of all cards together, largest first.

    Args:
        own: Processes of this user on this machine with their start times; None for a recorded one.
    """
    found: dict[int, list[tuple[str, GpuProcess]]] = {}
    for key, sample in sorted(latest.items(), key=lambda item: (len(item[0].device), item[0].device)):
        if "/" not in key.device:
            for process in sample.processes or ():
                found.setdefault(process.pid, []).append((key.device, process))
    rows = []
    for pid, uses in found.items():
        amounts = [process.memory_used_bytes for _, process in uses if process.memory_used_bytes is not None]
        rows.append(
            ProcessRow(
                process=uses[0][1],
                devices=tuple(dict.fromkeys(device for device, _ in uses)),
                memory_used_bytes=sum(amounts) if amounts else None,
                is_own=pid in own if own is not None else None,
                started_at=own.get(pid) if own is not None else None,
            )
        )
    return tuple(sorted(rows, key=lambda row: (-(row.memory_used_bytes or 0), row.process.pid)))


def device_ranges(devices: Sequence[str]) -> str:
    """Write numbers of cards short: ``0–6, 8``."""
    parts: list[list[str]] = []
    for device in devices:
        before = parts[-1][-1] if parts else ""
        if before.isdecimal() and device.isdecimal() and int(device) == int(before) + 1:
            parts[-1].append(device)
        else:
            parts.append([device])
    return ", ".join(part[0] if len(part) == 1 else f"{part[0]}–{part[-1]}" for part in parts)


class ProcessModel(QAbstractTableModel):
    """The table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ProcessRow, ...] = ()
        self._heads = (
            self.tr("GPU"),
            self.tr("PID"),
            self.tr("User"),
            self.tr("Command"),
            self.tr("Memory"),
            "",
        )

    def show_rows(self, rows: Sequence[ProcessRow]) -> None:
        """Replace the rows; a selection stays where the processes are the same."""
        if tuple(rows) == self._rows:
            return
        same = [row.process.pid for row in rows] == [row.process.pid for row in self._rows]
        if same:
            self._rows = tuple(rows)
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self._heads) - 1))
            return
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, number: int) -> ProcessRow | None:
        """Give a row, None when it is gone."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self._heads)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in (1, 4) else _LEFT
        return None

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._text(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in (1, 4) else _LEFT
        if role == CellRole.TYPE and column == 3:
            return "mono"
        if role == CellRole.TONE and column in (2, 5):
            return "text_muted"
        return None

    def _text(self, row: ProcessRow, column: int) -> str:
        process = row.process
        memory = format_bytes(row.memory_used_bytes) if row.memory_used_bytes is not None else "–"
        return (
            device_ranges(row.devices),
            str(process.pid),
            process.user or "–",
            process.name or "–",
            memory,
            self._remark(row),
        )[column]

    def _remark(self, row: ProcessRow) -> str:
        if row.process.kind in ("graphics", "both"):
            return self.tr("desktop")
        return self.tr("not yours") if row.is_own is False else ""
