"""Comma-separated answers of nvidia-smi, parted into rows by column name; shared by cards and processes.

A file may hold several such tables, other text between them, and the separators a spreadsheet has put in. Where the
heading names a unit and the rows have none (``nounits``), the unit of the heading counts.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Row = Mapping[str, str]

# Other words for the same column, as older and newer drivers accept them.
_SAME = {
    "gpu_name": "name",
    "gpu_uuid": "uuid",
    "gpu_serial": "serial",
    "gpu_bus_id": "pci.bus_id",
    "clocks.sm": "clocks.current.sm",
    "clocks.mem": "clocks.current.memory",
    "pcie.link.gen.gpucurrent": "pcie.link.gen.current",
    "used_gpu_memory": "used_memory",
    "power.draw.average": "power.draw",
    "power.draw.instant": "power.draw",
    "enforced.power.limit": "power.limit",
}
_SINGLE_WORDS = frozenset({
    "index", "name", "uuid", "serial", "pstate", "count", "timestamp", "compute_cap", "compute_mode", "driver_version",
    "kmd_version", "display_active", "display_attached", "persistence_mode", "pid", "process_name", "used_memory",
    "vbios_version", "addressing_mode", "gpu_recovery_action", "accounting.mode",
})  # fmt: skip
_NAME = re.compile(r"([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*)(?: \[([A-Za-z%/]+)\])?")
_BARE_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WITH_UNIT = re.compile(r"-?\d+(?:\.\d+)? (?:MiB|KiB|GiB|W|%|MHz)")
_COMMAND = re.compile(r"nvidia-smi\b.{0,400}--query-(?:gpu|compute-apps)=[\"']?([A-Za-z0-9_.,]+)")
# Units of columns that have one, for answers that leave them out (``nounits``).
_UNITS = {
    **dict.fromkeys(("memory.total", "memory.used", "memory.free", "memory.reserved", "used_memory"), "MiB"),
}
_MOST_ROWS = 4096
_MOST_CHARACTERS = 20_000


@dataclass(frozen=True)
class ColumnTable:
    """One heading with its rows.

    Attributes:
        columns: In one spelling, without units.
    """

    columns: Sequence[str]
    rows: Sequence[Row]

    @property
    def is_of_processes(self) -> bool:
        """Whether its rows are processes."""
        return "pid" in self.columns


def read_tables(text: str, columns: Sequence[str] | None = None) -> list[ColumnTable]:
    """Give the tables of a text in its order.

    Args:
        columns: Names of the columns, when the answer has no heading (``noheader``); then there is one table.
    """
    lines = [
        line for line in text.splitlines()
        if line.strip() and (_command_in(line) or not line.lstrip().startswith(("$", "#")))
    ]  # fmt: skip
    if columns is not None:
        rows = [row for line in lines if (row := _row(line, ",", columns))]
        return [_table(list(columns), [None] * len(columns), rows)]
    return [_table(names, units, rows) for names, units, rows in _parted(lines)]


def split_line(line: str, separator: str) -> list[str]:
    """Give the cells of a line without blanks around them."""
    try:
        cells = next(csv.reader([line], skipinitialspace=True, delimiter=separator), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in cells]


def _asked(line: str) -> tuple[list[str], list[str | None], str] | None:
    """Give the columns that a command asks for, where its answer has no heading of its own (``noheader``)."""
    found = _command_in(line)
    if found is None or "noheader" not in line:
        return None
    names = [_SAME.get(name, name) for name in found.group(1).split(",")]
    units = [_UNITS.get(name) if "nounits" in line else None for name in names]
    return names, units, ","


def _command_in(line: str) -> re.Match[str] | None:
    return _COMMAND.search(line) if "--query-" in line and len(line) <= _MOST_CHARACTERS else None


def _parted(lines: Sequence[str]) -> Iterator[tuple[list[str], list[str | None], list[list[str]]]]:
    names: list[str] = []
    units: list[str | None] = []
    rows: list[list[str]] = []
    separator = ","
    for line in lines:
        heading = _asked(line) or _heading(line)
        if heading is not None:
            if names:
                yield names, units, rows
            names, units, separator, rows = *heading, []
        elif names and len(rows) < _MOST_ROWS and (row := _row(line, separator, names)):
            rows.append(row)
    if names:
        yield names, units, rows


def _heading(line: str) -> tuple[list[str], list[str | None], str] | None:
    if len(line) > _MOST_CHARACTERS:
        return None
    for separator in (",", ";", "\t"):
        found = [_NAME.fullmatch(cell) for cell in split_line(line, separator)]
        if found and all(found):
            raw = [one.group(1) for one in found if one]
            known = [_SAME.get(name, name) for name in raw]
            if any("." in name or name in _SINGLE_WORDS for name in known) and (len(known) > 1 or "." in known[0]):
                return known, [one.group(2) for one in found if one], separator
    return None


def _row(line: str, separator: str, names: Sequence[str]) -> list[str] | None:
    """Give the cells of a row; a comma inside a program's name is put together again."""
    cells = split_line(line, separator)
    extra = len(cells) - len(names)
    if extra > 0 and "process_name" in names:
        start = list(names).index("process_name")
        cells[start : start + extra + 1] = [", ".join(cells[start : start + extra + 1])]
    return cells if len(cells) == len(names) and len(cells) > 0 else None


def _table(names: list[str], units: Sequence[str | None], rows: Sequence[list[str]]) -> ColumnTable:
    # With units in the rows, a bare number under a heading with a unit was cut off.
    has_units = any(_WITH_UNIT.fullmatch(cell) for row in rows for cell in row)
    read = []
    for row in rows:
        cells: dict[str, str] = {}
        for name, unit, cell in zip(names, units, row, strict=True):
            value = cell
            if unit is not None and _BARE_NUMBER.fullmatch(cell):
                value = f"{cell}…" if has_units else f"{cell} {unit}"
            if name not in cells or not _is_told(cells[name]):
                cells[name] = value
        read.append(cells)
    return ColumnTable(tuple(dict.fromkeys(names)), tuple(read))


def _is_told(cell: str) -> bool:
    return cell.strip("[]").lower() not in ("n/a", "not supported", "")
