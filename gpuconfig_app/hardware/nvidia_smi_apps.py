"""What ``nvidia-smi --query-compute-apps=… --format=csv`` tells: processes of all cards, by the card's UUID.

It knows the memory of processes even where the card has no memory of its own to report (GB10).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware import nvidia_smi_words as words
from gpuconfig_app.hardware.nvidia_smi_columns import read_tables, split_line

# Rows without a heading: UUID, process, program, memory in this order, as everybody asks for them.
_BARE_ROW = ("uuid", "pid", "process_name", "used_memory")
_UUID = re.compile(r"GPU-[0-9a-fA-F-]{8,36}")


def parse_compute_apps(text: str, columns: Sequence[str] | None = None) -> dict[str, tuple[GpuProcess, ...]]:
    """Read the processes by card; rows that are no such rows are left out. The last table of a text counts.

    Args:
        columns: Names of the columns, when the answer has no head (``noheader``).
    """
    tables = [table for table in read_tables(text, columns) if table.is_of_processes]
    rows = tables[-1].rows if tables else _bare_rows(text)
    found: dict[str, list[GpuProcess]] = {}
    for cells in rows:
        pid = words.whole(cells.get("pid"))
        if isinstance(pid, Message) or pid <= 0:
            continue
        name = words.value_of(cells.get("process_name"))
        process = GpuProcess(
            pid=pid,
            name=name if isinstance(name, str) else None,
            memory_used_bytes=_memory_bytes(cells.get("used_memory")),
        )
        card = cells.get("uuid", cells.get("gpu_uuid", cells.get("pci.bus_id", "")))
        found.setdefault(card, []).append(process)
    return {card: tuple(processes) for card, processes in found.items()}


def _bare_rows(text: str) -> list[Mapping[str, str]]:
    """Give the rows of an answer without a heading, known by the card's UUID before a number."""
    rows: list[Mapping[str, str]] = []
    for line in text.splitlines():
        cells = split_line(line, ",")
        if len(cells) == len(_BARE_ROW) and _UUID.fullmatch(cells[0]) and cells[1].isdigit():
            rows.append(dict(zip(_BARE_ROW, cells, strict=True)))
    return rows


def _memory_bytes(raw: str | None) -> int | None:
    """Give bytes; with ``nounits`` the number is MiB."""
    if raw is not None and raw.isdigit():
        return int(raw) * MIB
    value = words.memory(raw)
    return None if isinstance(value, Message) else value
