"""The table of ``npu-smi info`` for Ascend chips: two lines a chip, several layouts of its columns.

The first line of a chip has number, name, health, power and heat; the second its address, its load and one or two
pairs "used / total". Where there are two pairs, the second is the chip's own memory (HBM) and the first the memory of
the processor on the board, which reads "0 / 0" on most cards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from gpuconfig_app.core.gpu import GpuProcess, GpuState
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.accelerators import CardFacts, not_told_by, reading
from gpuconfig_app.hardware.backend import normal_bus_id
from gpuconfig_app.hardware.tool_text import number_in

TOOL = "npu-smi"
_HEAD = re.compile(r"^\s*\|?\s*npu-smi\s+(\d+(?:\.\w+)*)", re.IGNORECASE)
_VERSION = re.compile(r"\bVersion:\s*(\d+(?:\.\w+)+)", re.IGNORECASE)
_COLUMN_HEADS = re.compile(r"\|\s*(?:NPU|Chip)\b", re.IGNORECASE)
_BUS_ID = re.compile(r"(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", re.IGNORECASE)
_CHIP = re.compile(r"(?P<npu>\d{1,4})\s+(?P<name>\S.*)")
_PLACE = re.compile(r"(?P<chip>\d{1,4})(?:\s+(?P<device>\d{1,4}|-|NA))?", re.IGNORECASE)
_PAIR = re.compile(r"(\d{1,9}|N/?A|-)\s*/\s*(\d{1,9}|N/?A|-)", re.IGNORECASE)
_HEALTH = re.compile(r"[A-Za-z][A-Za-z ]{0,20}")
_IDLE = re.compile(r"No running processes found in NPU\s+(\d{1,4})", re.IGNORECASE)
_GOOD_HEALTH = frozenset({"ok", "warning", "unknown", "na", "n/a"})
_MOST_CHIPS = 1024
_MOST_CHARACTERS = 500


@dataclass
class NpuChip:
    """One chip.

    Attributes:
        npu: Number of the card, ``chip`` the chip's on it.
        health: Word of the tool, None when not told.
    """

    npu: int
    chip: int | None = None
    health: str | None = None
    facts: CardFacts = field(default_factory=CardFacts)

    @property
    def state(self) -> tuple[GpuState, Message | None]:
        """Give the state that follows from the health."""
        if self.health is None or self.health.lower() in _GOOD_HEALTH:
            return GpuState.READY, None
        return GpuState.FAILED, Message("hardware.card-unhealthy", {"tool": TOOL, "health": self.health})


@dataclass(frozen=True)
class NpuAnswer:
    """What the table holds.

    Attributes:
        chips: In the tool's order.
        version: Of the tool, which is the driver's.
    """

    chips: Sequence[NpuChip] = ()
    version: str | None = None


def parse_npu_smi(text: str) -> NpuAnswer | None:
    """Read the chips; None when the text holds no such table. When it holds several tables, the last one counts.

    Args:
        text: Plain (``tool_text.plain_text``).
    """
    lines = text.split("\n")
    heads = [number for number, line in enumerate(lines) if _HEAD.match(line)]
    table = lines[heads[-1] :] if heads else lines
    has_columns = any("AICore" in line or "Hugepages" in line for line in table)
    if not heads and not has_columns:
        return None
    chips = _chips(table)
    _put_processes(chips, table)
    return NpuAnswer(tuple(chips), _version(table))


def _version(lines: Sequence[str]) -> str | None:
    for line in lines[:4]:
        found = _VERSION.search(line) or _HEAD.match(line)
        if found:
            return found.group(1)
    return None


def _cells(line: str) -> list[str]:
    """Give the cells of a whole line; one that was cut off has none, as its last number may be cut too."""
    line = line.strip() if len(line) <= _MOST_CHARACTERS else ""
    return [cell.strip() for cell in line[1:-1].split("|")] if line[:1] == "|" and line[-1:] == "|" else []


def _chips(lines: Sequence[str]) -> list[NpuChip]:
    chips: list[NpuChip] = []
    pending: NpuChip | None = None
    for line in lines:
        cells = _cells(line)
        if len(cells) != 3 or _COLUMN_HEADS.match(line.strip()) or len(chips) >= _MOST_CHIPS:
            continue
        place = _PLACE.fullmatch(cells[0])
        if pending is not None and place and (_BUS_ID.fullmatch(cells[1]) or cells[1].upper() in ("NA", "N/A")):
            _put_second_line(pending, place, cells)
            pending = None
        elif (chip := _CHIP.fullmatch(cells[0])) and _HEALTH.fullmatch(cells[1]):
            pending = _first_line(chip, cells)
            chips.append(pending)
    return chips


def _first_line(found: re.Match[str], cells: Sequence[str]) -> NpuChip:
    untold = not_told_by(TOOL)
    chip = NpuChip(npu=int(found["npu"]), health=cells[1])
    chip.facts.put("name", _name(found["name"]))
    words = cells[2].split()
    power, heat = (number_in(words[place]) if len(words) > place else None for place in (0, 1))
    chip.facts.readings[Metric.POWER_W] = reading(Metric.POWER_W, power, untold)
    chip.facts.readings[Metric.TEMPERATURE_C] = reading(Metric.TEMPERATURE_C, heat, untold)
    return chip


def _name(text: str) -> str:
    """Write the product as people know it: the tool says only ``910B3``."""
    name = " ".join(text.split())[:60]
    return f"Ascend {name}" if name[:1].isdigit() else name


def _put_second_line(chip: NpuChip, place: re.Match[str], cells: Sequence[str]) -> None:
    untold = not_told_by(TOOL)
    facts = chip.facts
    chip.chip = int(place["chip"])
    facts.put("pci_bus_id", normal_bus_id(cells[1]) if _BUS_ID.fullmatch(cells[1]) else None, untold)
    load = cells[2].split()
    facts.readings[Metric.UTILIZATION_PCT] = reading(
        Metric.UTILIZATION_PCT, number_in(load[0]) if load and "/" not in load[0] else None, untold
    )
    pairs = [(number_in(used), number_in(total)) for used, total in _PAIR.findall(cells[2])]
    told = [(used, total) for used, total in pairs if total]
    used, total = told[-1] if told else (None, None)
    facts.put_memory(_bytes(total), _bytes(used), untold)


def _bytes(mebibytes: float | None) -> int | None:
    return None if mebibytes is None else round(mebibytes * MIB)


def _put_processes(chips: Sequence[NpuChip], lines: Sequence[str]) -> None:
    """Give each chip its processes: those listed, or none where the tool says that there are none."""
    idle: set[int] = set()
    listed: dict[tuple[int, int], list[GpuProcess]] = {}
    for line in lines:
        none = _IDLE.search(line)
        if none:
            idle.add(int(none.group(1)))
            continue
        row = _process(line)
        if row is not None:
            listed.setdefault(row[0], []).append(row[1])
    for chip in chips:
        own = listed.get((chip.npu, chip.chip if chip.chip is not None else -1))
        if own is None and sum(other.npu == chip.npu for other in chips) == 1:
            own = next((found for (npu, _), found in listed.items() if npu == chip.npu), None)
        if own is not None:
            chip.facts.put("processes", tuple(own))
        elif chip.npu in idle:
            chip.facts.put("processes", ())


def _process(line: str) -> tuple[tuple[int, int], GpuProcess] | None:
    cells = _cells(line)
    if len(cells) != 4 or not cells[1].isdigit() or len(cells[1]) > 10:
        return None
    place = _PLACE.fullmatch(cells[0])
    if place is None:
        return None
    device = place["device"]
    chip = int(device) if device and device.isdigit() else -1
    memory = number_in(cells[3])
    used = _bytes(memory) if memory is not None and memory >= 0 else None
    process = GpuProcess(pid=int(cells[1]), name=cells[2] or None, memory_used_bytes=used)
    return (int(place["chip"]), chip), process
