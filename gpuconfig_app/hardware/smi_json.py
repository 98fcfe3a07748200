"""What ``rocm-smi`` and its Hygon relative ``hy-smi`` tell by key and value: as JSON, as rows, or as text lines.

Keys were renamed between releases ("Card series" and "Card Series", "GPU use (%)" and "HCU use (%)"), so they are
compared without case and by their meaning. Keys that are bare numbers are clock levels, and "system" is no card.
Each card's object is read on its own: noise around the document, or a file cut off, costs no whole card.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.units import GIB, KIB, MIB
from gpuconfig_app.hardware.accelerators import NOT_SUPPORTED, CardFacts, not_told_by, reading
from gpuconfig_app.hardware.backend import normal_bus_id
from gpuconfig_app.hardware.nvidia_smi_columns import split_line
from gpuconfig_app.hardware.tool_text import number_in, percent_in

_MEMBER = re.compile(r'"(card(?P<index>\d{1,4})|system)"\s*:\s*(?=\{)', re.IGNORECASE)
_ROW = re.compile(r"(?:card(\d{1,4})|system)")
_LINE = re.compile(r"\s*(?:GPU|DCU|HCU)\[(?P<index>\d{1,4})\]\s*:\s*(?P<key>[^:]{2,80}?)\s*:\s*(?P<value>\S.*)")
_DRIVER_LINE = re.compile(r"\s*Driver version:\s*(\d+\.\S+)")
# Objects that can't be read before the text is given up; a file that was cut off has one.
_MOST_FAILURES = 64
_MOST_CHARACTERS = 2_000
_NO_VALUES = frozenset({"", "n/a", "none", "unknown", "null", "not supported", "-"})
_OTHER_HALF = "secondary die"
_MEMORY_UNITS = {"b": 1, "kb": KIB, "kib": KIB, "mb": MIB, "mib": MIB, "gb": GIB, "gib": GIB}
_BUS_ID = re.compile(r"(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", re.IGNORECASE)
_TARGET = re.compile(r"gfx[0-9a-f]{3,5}", re.IGNORECASE)
_HEX = re.compile(r"(?:0x)?([0-9a-f]{4})", re.IGNORECASE)

# What a key means, whatever the release and the maker call the processor (GPU, DCU, HCU).
_NAME = (r"card series", r"device name", r"product name", r"card model")
_BUS = (r"pci bus(?: id)?",)
_DEVICE_ID = (r"device id", r"(?:gpu|dcu|hcu) id")
_TOTAL = (r"vram total memory \((\w+)\)",)
_USED = (r"vram total used memory \((\w+)\)",)
_USED_PCT = (r"(?:gpu|dcu|hcu) memory allocated \(vram%\)", r"(?:gpu|dcu|hcu) memory use \(%\)", r"vram ?%")
_POWER_LIMIT = (r"max graphics package power \(w\)", r"max(?:imum)? power \(w\)", r"power ?cap \(w\)")
_TARGET_KEYS = (r"gfx version", r"target graphics version")
_DRIVER = (r"driver version",)
_READINGS = {
    Metric.UTILIZATION_PCT: (r"(?:gpu|dcu|hcu) use \(%\)",),
    Metric.TEMPERATURE_C: (
        r"temperature \(sensor edge\) \(c\)",
        r"temperature \(sensor core\) \(c\)",
        r"temperature \(sensor junction\) \(c\)",
        r"temperature \(c\)",
    ),
    Metric.MEMORY_TEMPERATURE_C: (r"temperature \(sensor (?:memory|mem)\) \(c\)",),
    Metric.POWER_W: (
        r"average graphics package power \(w\)",
        r"current socket graphics package power \(w\)",
        r"(?:average|current) (?:socket )?power \(w\)",
    ),
    # From 6.1 on the load of the memory controller has a key of its own; older ones say "memory use" and mean either.
    Metric.MEMORY_UTILIZATION_PCT: (r"gpu memory read/write activity \(%\)",),
    Metric.FAN_PCT: (r"fan speed \(%\)",),
    Metric.CLOCK_SM_MHZ: (r"sclk clock speed:?",),
    Metric.CLOCK_MEMORY_MHZ: (r"mclk clock speed:?",),
}


@dataclass(frozen=True)
class SmiAnswer:
    """What the document holds.

    Attributes:
        cards: By the tool's number of the card.
        driver: Version of the kernel driver, None when not told.
    """

    cards: Mapping[int, CardFacts] = field(default_factory=dict)
    driver: str | None = None


def parse_smi_json(text: str, tool: str, vendor_id: str) -> SmiAnswer | None:
    """Read the cards; None when this is no such document.

    Args:
        text: Plain (``tool_text.plain_text``).
        tool: Whose it is, for the reasons.
        vendor_id: PCI vendor of the cards, ``1002``.
    """
    told: dict[int | None, dict[str, object]] = {}
    for index, values in (*_members(text), *_rows(text), *_lines(text)):
        told.setdefault(index, {}).update(values)
    if not told:
        return None
    cards = {
        index: _card(_Keys(values), tool, vendor_id)
        for index, values in told.items()
        if index is not None and _is_card(values)
    }
    return SmiAnswer(dict(sorted(cards.items())), _Keys(told.get(None, {})).text(_DRIVER))


def _members(text: str) -> Iterator[tuple[int | None, dict[str, object]]]:
    """Give the objects of a document, also of one that is cut off or has noise around it."""
    failures = 0
    for found in _MEMBER.finditer(text):
        values = _object_at(text, found.end())
        failures += values is None
        if failures > _MOST_FAILURES:
            return
        if values is not None:
            yield None if found.group("index") is None else int(found.group("index")), values


def _rows(text: str) -> Iterator[tuple[int | None, dict[str, object]]]:
    """Give the rows of ``--csv``: a heading that begins with "device", rows that begin with "card0"."""
    names: list[str] = []
    for line in text.split("\n"):
        cells = split_line(line, ",") if line.startswith(("device,", "card", "system")) else []
        if cells and cells[0] == "device":
            names = cells
        elif len(cells) > 1 and len(cells) == len(names) and (found := _ROW.fullmatch(cells[0])):
            index = int(found.group(1)) if found.group(1) else None
            yield index, dict(zip(names[1:], cells[1:], strict=True))


def _lines(text: str) -> Iterator[tuple[int | None, dict[str, object]]]:
    """Give the lines of the plain text, ``GPU[0] : GPU use (%): 12``."""
    for line in text.split("\n"):
        if len(line) > _MOST_CHARACTERS:
            continue
        found = _LINE.match(line)
        if found:
            yield int(found["index"]), {found["key"]: found["value"].strip()}
        elif found := _DRIVER_LINE.match(line):
            yield None, {"Driver version": found.group(1)}


def _object_at(text: str, start: int) -> dict[str, object] | None:
    try:
        value, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _is_card(values: Mapping[str, object]) -> bool:
    """A card tells something in words; an object of topology or clock levels alone is none."""
    return any(not name.strip().isdigit() and not name.startswith("(Topology)") for name in values)


class _Keys:
    """Values of one card by the meaning of their key."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = {" ".join(str(name).lower().split()): value for name, value in values.items()}

    def match(self, patterns: tuple[str, ...]) -> tuple[str, re.Match[str]] | Message | None:
        """Give the first value that is one, with its key; a reason where the tool said that there is none."""
        reason: Message | None = None
        for pattern in patterns:
            for name, value in self._values.items():
                found = re.fullmatch(pattern, name)
                if found is None or isinstance(value, dict | list):
                    continue
                said = str(value).strip()
                if _OTHER_HALF in said.lower():
                    reason = Message("hardware.other-half-tells")
                elif value is None or said.lower() in _NO_VALUES:
                    reason = reason or NOT_SUPPORTED
                else:
                    return said, found
        return reason

    def text(self, patterns: tuple[str, ...]) -> str | None:
        """Give a value as it stands."""
        answer = self.match(patterns)
        return answer[0] if isinstance(answer, tuple) else None

    def number(self, patterns: tuple[str, ...]) -> float | Message | None:
        """Give a number, a reason, or None when there is no such key."""
        answer = self.match(patterns)
        if not isinstance(answer, tuple):
            return answer
        value = number_in(answer[0])
        return Message("hardware.reading-failed", {"detail": answer[0][:80]}) if value is None else value

    def bytes_of(self, patterns: tuple[str, ...]) -> int | None:
        """Give an amount of memory; its unit stands in the key."""
        answer = self.match(patterns)
        if not isinstance(answer, tuple):
            return None
        value, unit = number_in(answer[0]), _MEMORY_UNITS.get(answer[1].group(1).lower())
        return None if value is None or unit is None or value < 0 else round(value * unit)


def _card(keys: _Keys, tool: str, vendor_id: str) -> CardFacts:
    card = CardFacts()
    untold = not_told_by(tool)
    card.put("name", _name(keys), untold)
    bus = keys.text(_BUS)
    card.put("pci_bus_id", normal_bus_id(bus) if bus and _BUS_ID.fullmatch(bus) else None, untold)
    device = _HEX.fullmatch(keys.text(_DEVICE_ID) or "")
    card.put("pci_id", f"{vendor_id}:{device.group(1).lower()}" if device else None, untold)
    target = keys.text(_TARGET_KEYS)
    card.put("target", target.lower() if target and _TARGET.fullmatch(target) else None, untold)
    limit = keys.number(_POWER_LIMIT)
    card.put("power_limit_w", limit if isinstance(limit, float) and limit > 0 else None, untold)
    total, used = keys.bytes_of(_TOTAL), keys.bytes_of(_USED)
    percent = percent_in(keys.text(_USED_PCT))
    reason = untold
    if total is None and percent is not None:
        reason = Message("hardware.memory-only-in-percent", {"tool": tool, "percent": f"{percent:g}"})
    card.put_memory(total, used, reason)
    for metric, patterns in _READINGS.items():
        value = keys.number(patterns)
        card.readings[metric] = value if isinstance(value, Message) else reading(metric, value, untold)
    return card


def _name(keys: _Keys) -> str | None:
    """Give the first value that is a name; without its list the tool writes the bare number (``0x73df``) instead."""
    for pattern in _NAME:
        text = keys.text((pattern,))
        if text is not None and not re.fullmatch(r"(?:0x)?[0-9a-f]+", text, re.IGNORECASE):
            return " ".join(text.split())[:120]
    return None
