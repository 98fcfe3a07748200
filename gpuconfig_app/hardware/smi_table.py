"""The text table of ``rocm-smi`` and of its Hygon relative ``hy-smi``, old and new columns.

Columns are found by the head of the table; a row whose cells don't fit the head gives its card without values rather
than values in the wrong place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.hardware.accelerators import CardFacts, not_told_by, reading
from gpuconfig_app.hardware.tool_text import number_in, percent_in

_HEAD = re.compile(r"^\s*(?:GPU|DCU|HCU|Device)\s.*\b(?:Temp|AvgPwr|Power)\b.*%", re.IGNORECASE)
_ROW = re.compile(r"^\s*(\d{1,4})\s+\S")
_RULE = re.compile(r"^\s*[=\-]{5,}")
# From ROCm 6 on the table tells the device of the PCI id, "0x744c," and a number of the driver.
_DEVICE_ID = re.compile(r"0x([0-9a-f]{4})(?:,|$)", re.IGNORECASE)
_MOST_CHARACTERS = 500
_COLUMNS = {
    "temp": Metric.TEMPERATURE_C,
    "avgpwr": Metric.POWER_W,
    "power": Metric.POWER_W,
    "sclk": Metric.CLOCK_SM_MHZ,
    "mclk": Metric.CLOCK_MEMORY_MHZ,
    "fan": Metric.FAN_PCT,
    "gpu%": Metric.UTILIZATION_PCT,
    "dcu%": Metric.UTILIZATION_PCT,
    "hcu%": Metric.UTILIZATION_PCT,
}


def parse_smi_table(text: str, tool: str) -> dict[int, CardFacts] | None:
    """Read the cards by the tool's number; None when the text holds no such table with cards. The last table counts.

    Args:
        text: Plain (``tool_text.plain_text``).
        tool: Whose it is, for the reasons.
    """
    lines = [line for line in text.split("\n") if len(line) <= _MOST_CHARACTERS]
    heads = [number for number, line in enumerate(lines) if _HEAD.match(line)]
    if not heads:
        return None
    names = [name.lower() for name in _cells(lines[heads[-1]])]
    cards: dict[int, CardFacts] = {}
    for line in lines[heads[-1] + 1 :]:
        found = _ROW.match(line)
        if found:
            cards[int(found.group(1))] = _card(_by_name(names, line), tool)
        elif cards and (_RULE.match(line) or not line.strip()):
            break
    return dict(sorted(cards.items())) or None


def _cells(line: str) -> list[str]:
    """Part a line into cells; lists (``N/A, N/A, 0``) stay together, and so does "Temp (DieEdge)"."""
    line = re.sub(r",\s+", ",", line.strip())
    line = re.sub(r"(?<=\w) (?=\()", "", line)
    return line.split()


def _by_name(names: Sequence[str], line: str) -> Mapping[str, str]:
    cells = _cells(line)
    if len(cells) != len(names):
        return {}
    return {re.sub(r"\(.*", "", name): cell for name, cell in zip(names, cells, strict=True)}


def _card(cells: Mapping[str, str], tool: str) -> CardFacts:
    card = CardFacts()
    untold = not_told_by(tool)
    for column, metric in _COLUMNS.items():
        if column in cells:
            cell = cells[column]
            is_cut = column.endswith("%") and not cell.endswith("%")
            card.readings[metric] = reading(metric, None if is_cut else number_in(cell), _reason(cell, tool))
    device = _DEVICE_ID.match(cells.get("ids", ""))
    if device and tool == "rocm-smi":
        card.put("pci_id", f"1002:{device.group(1).lower()}")
    limit = number_in(cells.get("pwrcap"))
    card.put("power_limit_w", limit or None, untold)
    percent = percent_in(cells.get("vram%"))
    reason = untold
    if percent is not None:
        reason = Message("hardware.memory-only-in-percent", {"tool": tool, "percent": f"{percent:g}"})
    card.put_memory(None, None, reason)
    return card


def _reason(cell: str, tool: str) -> Message:
    is_none = cell.strip().lower() in ("n/a", "none", "-", "unknown", "unsupported")
    return not_told_by(tool) if is_none else Message("hardware.reading-failed", {"detail": cell[:80]})
