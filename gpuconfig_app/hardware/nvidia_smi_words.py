"""How nvidia-smi writes values, and its many ways to write that there is none; shared by its three formats."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from gpuconfig_app.core.gpu import ComputeMode, DriverModel, Gpu, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.units import KIB, MIB
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware.nvidia_card import NO_NAMES
from gpuconfig_app.hardware.readings import REASONED_FIELDS

T = TypeVar("T")

# Whole values without brackets, in lower case. "Not Supported" is the old and the table's word, "N/A" the usual one.
_REASONS: Mapping[str, Message] = {
    "": reasons.NOT_IN_NVIDIA_SMI,
    "n/a": reasons.NOT_SUPPORTED,
    "not supported": reasons.NOT_SUPPORTED,
    "not available": reasons.NOT_SUPPORTED,
    "none": reasons.NOT_SUPPORTED,
    "not found": reasons.NOT_SUPPORTED,
    "requested functionality has been deprecated": Message("hardware.reading-deprecated"),
    "insufficient permissions": Message("hardware.reading-no-permission"),
    "gpu is lost": Message("hardware.gpu-lost"),
    "gpu requires reset": Message("hardware.reset-required"),
    "unknown error": Message("hardware.reading-failed", {"detail": "Unknown Error"}),
    "err!": Message("hardware.reading-failed", {"detail": "ERR!"}),
}
# Drivers from 610 glue a remark to values they will drop: "610.57.04 [Deprecated; will be removed in CUDA 14.0. …]".
_REMARK = re.compile(r"\s*\[deprecated[^\]]*\]\s*$", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(%|[A-Za-z]+(?:/s)?)?\s*")
_UNITS = {"kib": KIB, "mib": MIB, "gib": MIB * 1024, "kb/s": 1000.0, "mb/s": 1e6}
_SWITCHES = {"enabled": True, "on": True, "yes": True, "disabled": False, "off": False, "no": False}
COMPUTE_MODES = {
    "default": ComputeMode.DEFAULT,
    "exclusive_thread": ComputeMode.EXCLUSIVE_THREAD,
    "e. thread": ComputeMode.EXCLUSIVE_THREAD,
    "exclusive_process": ComputeMode.EXCLUSIVE_PROCESS,
    "e. process": ComputeMode.EXCLUSIVE_PROCESS,
    "prohibited": ComputeMode.PROHIBITED,
}
DRIVER_MODELS = {"wddm": DriverModel.WDDM, "tcc": DriverModel.TCC, "wdm": DriverModel.TCC, "mcdm": DriverModel.MCDM}
PROCESS_KINDS = {"C": "compute", "G": "graphics", "C+G": "both", "M+C": "compute"}
MEMORY_FIELDS = ("memory_total_bytes", "memory_used_bytes", "memory_free_bytes", "memory_reserved_bytes")
_WITHOUT_MEMORY = re.compile(r"\b(?:GB10|GB20B|Orin|Xavier|Thor|Tegra|GA10B|GV11B)\b")
_HEX_PAIR = re.compile(r"[0-9a-f]{8}")
_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)?")


def value_of(raw: str | None) -> str | Message:
    """Give a value without remarks, or the reason why there is none."""
    plain = _REMARK.sub("", (raw or "").strip())
    bare = plain[1:-1] if plain.startswith("[") and plain.endswith("]") else plain
    reason = _REASONS.get(bare.strip().lower())
    if reason is not None:
        return reason
    return Message("hardware.reading-deprecated") if bare.lower().startswith("deprecated") else plain


def amount(raw: str | None) -> float | Message:
    """Give a number in base units: MiB become bytes, KB/s bytes per second; W, C, % and MHz stay."""
    value = value_of(raw)
    if isinstance(value, Message):
        return value
    found = _NUMBER.fullmatch(value)
    if found is None:
        return Message("hardware.reading-failed", {"detail": value})
    return float(found.group(1)) * _UNITS.get((found.group(2) or "").lower(), 1.0)


def whole(raw: str | None) -> int | Message:
    """Give a whole number; ``16x`` is 16."""
    value = amount(raw)
    return value if isinstance(value, Message) else round(value)


def shares_memory(name: str | None) -> bool:
    """Whether a chip uses the system's memory; of any other card "N/A" is a reading that failed."""
    return name is not None and _WITHOUT_MEMORY.search(name) is not None


def positive(raw: str | None) -> float | Message:
    """Give a number above 0: a limit of nothing is none."""
    value = amount(raw)
    if isinstance(value, Message) or value > 0:
        return value
    return Message("hardware.reading-failed", {"detail": (raw or "")[:80]})


def memory(raw: str | None) -> int | Message:
    """Give an amount of memory in bytes; a number without its unit is none, as it may be cut off."""
    value = value_of(raw)
    if isinstance(value, Message):
        return value
    found = _NUMBER.fullmatch(value)
    unit = _UNITS.get((found.group(2) or "").lower()) if found else None
    if found is None or unit is None or value.startswith("-"):
        return Message("hardware.reading-failed", {"detail": value[:80]})
    return round(float(found.group(1)) * unit)


def switch(raw: str | None) -> bool | Message:
    """Give a mode that is on or off."""
    return word(raw, _SWITCHES)


def word(raw: str | None, known: Mapping[str, T]) -> T | Message:
    """Give what one of a closed list of words stands for."""
    value = value_of(raw)
    if isinstance(value, Message):
        return value
    found = known.get(value.lower())
    return Message("hardware.reading-failed", {"detail": value}) if found is None else found


def version(*raws: str | None) -> str | Message:
    """Give the first of several fields that holds a version: the new word first, then the old one."""
    answers = [value_of(raw) for raw in raws]
    for answer in answers:
        found = None if isinstance(answer, Message) else _VERSION.match(answer)
        if found:
            return found.group(0)
    return next((answer for answer in answers if isinstance(answer, Message)), reasons.NOT_TOLD)


def pci_pair(raw: str | None) -> str | Message:
    """Give ``268410DE`` or ``0x268410DE`` as ``10de:2684``."""
    value = value_of(raw)
    if isinstance(value, Message):
        return value
    digits = value.lower().removeprefix("0x").rjust(8, "0")
    if not _HEX_PAIR.fullmatch(digits):
        return Message("hardware.reading-failed", {"detail": value[:80]})
    return f"{digits[4:]}:{digits[:4]}"


class Collected:
    """Fields of one ``Gpu`` as they are found, each with its reason when it is not."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}  # Any: values of Gpu's fields
        self.absent: dict[str, Message] = {}

    def put(self, name: str, value: Any | Message) -> None:  # Any: as above
        """Keep a field, or its reason."""
        if isinstance(value, Message):
            self.absent[name] = value
        else:
            self.found[name] = value
            self.absent.pop(name, None)

    def put_name(self, raw: str | None) -> None:
        """Keep the product's name unless the driver has none for it."""
        value = value_of(raw)
        is_none = isinstance(value, str) and value.lower() in NO_NAMES
        self.put("name", reasons.NO_MARKETING_NAME if is_none else value)

    def put_memory(self, raws: Mapping[str, str | None], *, knows_reserved: bool) -> None:
        """Keep the memory fields; a card whose total is "not supported" uses the system's memory.

        Args:
            raws: Raw value by field of ``Gpu``.
            knows_reserved: Whether this kind of answer has a place for the reserved part; where that place is empty,
                the driver counts it as used.
        """
        for name, raw in raws.items():
            self.put(name, memory(raw))
        if self.found.get("memory_total_bytes") == 0:
            self.put("memory_total_bytes", Message("hardware.reading-failed", {"detail": "0"}))
            self.found.pop("memory_total_bytes")
        total = raws.get("memory_total_bytes")
        is_untold = total is not None and value_of(total) == reasons.NOT_SUPPORTED
        if is_untold and shares_memory(self.found.get("name")):
            self.found["memory_is_shared"] = True
            self.absent |= dict.fromkeys(MEMORY_FIELDS, reasons.MEMORY_SHARED)
        elif knows_reserved and raws.get("memory_reserved_bytes") is None and "memory_used_bytes" in self.found:
            self.absent["memory_reserved_bytes"] = reasons.RESERVED_INSIDE_USED

    def gpu(self, index: int) -> Gpu:
        """Give the card, with a reason for every reading that was not mentioned at all."""
        absent = dict(self.absent)
        for name in REASONED_FIELDS:
            if self.found.get(name) is None:
                absent.setdefault(name, reasons.NOT_IN_NVIDIA_SMI)
        known = {item.name for item in fields(Gpu)}
        values = {name: value for name, value in self.found.items() if name in known}
        bound = None if "driver_model" in values else "nvidia"  # only Windows has driver models
        return Gpu(index=index, vendor=Vendor.NVIDIA, bound_driver=bound, absent=absent, **values)
