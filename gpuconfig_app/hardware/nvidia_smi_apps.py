"""What ``nvidia-smi --query-compute-apps=… --format=csv`` tells: processes of all cards, by the card's UUID.

It knows the memory of processes even where the card has no memory of its own to report (GB10).
"""

from __future__ import annotations

import csv
from collections.abc import Sequence

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import Message
from gpuconfig_app.hardware import nvidia_smi_words as words

_MEMORY_COLUMNS = ("used_memory", "used_gpu_memory")


def parse_compute_apps(text: str, columns: Sequence[str] | None = None) -> dict[str, tuple[GpuProcess, ...]]:
    """Read the processes by card; rows that are no such rows are left out.

    Args:
        columns: Names of the columns, when the answer has no head (``noheader``).
    """
    lines = [line for line in text.splitlines() if not line.startswith(("$", "#"))]
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, skipinitialspace=True)]
    found: dict[str, list[GpuProcess]] = {}
    for row in rows:
        if "pid" in row:
            columns = [name.partition(" [")[0] for name in row]
            continue
        if columns is None or len(row) != len(columns):
            continue
        cells = dict(zip(columns, row, strict=True))
        pid = words.whole(cells.get("pid"))
        if isinstance(pid, Message):
            continue
        name = words.value_of(cells.get("process_name"))
        memory = next((cells[column] for column in _MEMORY_COLUMNS if column in cells), None)
        process = GpuProcess(
            pid=pid, name=name if isinstance(name, str) else None, memory_used_bytes=_memory_bytes(memory)
        )
        found.setdefault(cells.get("gpu_uuid", ""), []).append(process)
    return {uuid: tuple(processes) for uuid, processes in found.items()}


def _memory_bytes(raw: str | None) -> int | None:
    """Give bytes; with ``nounits`` the number is MiB."""
    value = words.whole(f"{raw} MiB" if raw and raw.isdigit() else raw)
    return None if isinstance(value, Message) else value
