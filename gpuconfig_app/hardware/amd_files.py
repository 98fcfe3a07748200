"""What Linux tells about AMD's cards in ``/sys``: identity, memory, sensors, compute target, processes; without ROCm.

Everything here is readable without root. Reading a card that is powered down wakes it: ask ``is_suspended`` first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gpuconfig_app.core.gpu import GpuProcess, PcieLink
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.hardware.accelerators import MEMORY_SHARED, NOT_TOLD_BY_KERNEL, CardFacts, reading
from gpuconfig_app.hardware.backend import kernel_bus_id, normal_bus_id
from gpuconfig_app.hardware.small_files import read_line, read_number, read_small

_NODES = "sys/class/kfd/kfd/topology/nodes"
_USERS = "sys/class/kfd/kfd/proc"
_GENERATIONS = {"2.5": 1, "5.0": 2, "8.0": 3, "16.0": 4, "32.0": 5, "64.0": 6}
_SPEED = re.compile(r"(\d+(?:\.\d+)?)\s*GT/s")
_MOST_MICROWATTS = 10_000_000_000


@dataclass(frozen=True)
class ComputeNode:
    """A card as the compute part of the driver (KFD) lists it.

    Attributes:
        target: ``gfx942``.
        gpu_id: The driver's own number of it, names its files of processes; None when not readable.
    """

    target: str
    gpu_id: int | None = None


def card_folder(bus_id: str, root: Path) -> Path:
    """Give the folder of a card on the PCI bus."""
    return root / "sys/bus/pci/devices" / kernel_bus_id(bus_id)


def bound_driver(bus_id: str, root: Path) -> str | None:
    """Give the kernel driver that holds a card, None when none does."""
    try:
        return (card_folder(bus_id, root) / "driver").readlink().name
    except (OSError, ValueError):
        return None


def read_compute_nodes(root: Path) -> dict[str, ComputeNode]:
    """Give the cards that can compute, by PCI address; empty without ``/sys/class/kfd``."""
    try:
        folders = sorted((root / _NODES).iterdir())
    except OSError:
        return {}
    found = {}
    for folder in folders:
        values = _properties(read_small(folder / "properties") or "")
        target = target_of(values.get("gfx_target_version", 0))
        if target is None or not values.get("simd_count"):
            continue
        place, domain = values.get("location_id", 0), values.get("domain", 0)
        bus_id = f"{domain:08x}:{place >> 8 & 0xFF:02x}:{place >> 3 & 0x1F:02x}.{place & 7}"
        found[bus_id] = ComputeNode(target, read_number(folder / "gpu_id"))
    return found


def target_of(version: int) -> str | None:
    """Turn ``90402`` into ``gfx942``: major, minor and a step that is written in hex; None for 0."""
    if not 0 < version < 1_000_000:
        return None
    major, minor, step = version // 10000, version // 100 % 100, version % 100
    return f"gfx{major}{minor}{step:x}"


def read_card(bus_id: str, root: Path, node: ComputeNode | None, *, is_integrated: bool) -> CardFacts:
    """Read one card once, identity and readings alike.

    Args:
        is_integrated: Its memory is the system's.
    """
    folder = card_folder(bus_id, root)
    card = CardFacts()
    card.put("pci_bus_id", normal_bus_id(bus_id))
    card.put("name", read_line(folder / "product_name"))
    card.put("bound_driver", bound_driver(bus_id, root))
    card.put("target", node.target if node else None)
    card.put("pcie", _link(folder))
    if is_integrated:
        card.found["memory_is_shared"] = True
        card.put_memory(None, None, MEMORY_SHARED)
    else:
        total, used = (read_number(folder / f"mem_info_vram_{part}") for part in ("total", "used"))
        card.put_memory(total, used, NOT_TOLD_BY_KERNEL)
    _put_sensors(card, folder)
    card.put("processes", _processes(root, node))
    return card


def _put_sensors(card: CardFacts, folder: Path) -> None:
    sensors = _sensor_folder(folder)
    read = partial(_scaled, sensors)
    found = {
        Metric.UTILIZATION_PCT: read_number(folder / "gpu_busy_percent"),
        Metric.MEMORY_UTILIZATION_PCT: read_number(folder / "mem_busy_percent"),
        Metric.POWER_W: _first(read("power1_average", 1e6), read("power1_input", 1e6)),
        Metric.TEMPERATURE_C: _first(_labelled(sensors, "temp", "edge", 1e3), read("temp1_input", 1e3)),
        Metric.MEMORY_TEMPERATURE_C: _labelled(sensors, "temp", "mem", 1e3),
        Metric.CLOCK_SM_MHZ: _labelled(sensors, "freq", "sclk", 1e6),
        Metric.CLOCK_MEMORY_MHZ: _labelled(sensors, "freq", "mclk", 1e6),
        Metric.FAN_PCT: _fan(sensors),
    }
    for metric, value in found.items():
        card.readings[metric] = reading(metric, value, NOT_TOLD_BY_KERNEL)
    limits = {"power_limit_w": "cap", "power_limit_default_w": "cap_default", "power_limit_max_w": "cap_max"}
    for name, end in limits.items():
        watts = read(f"power1_{end}", 1e6)
        card.put(name, watts if watts is not None and watts > 0 else None)
    least = read("power1_cap_min", 1e6)
    card.put("power_limit_min_w", least or None)
    for name, end in (("temperature_slowdown_c", "crit"), ("temperature_shutdown_c", "emergency")):
        limit = read(f"temp1_{end}", 1e3)
        card.put(name, round(limit) if limit is not None and limit > 0 else None)


def _sensor_folder(folder: Path) -> Path | None:
    try:
        return next(iter(sorted((folder / "hwmon").glob("hwmon*"))), None)
    except OSError:
        return None


def _scaled(sensors: Path | None, name: str, divisor: float) -> float | None:
    value = read_number(sensors / name) if sensors is not None else None
    return value / divisor if value is not None and abs(value) <= _MOST_MICROWATTS else None


def _labelled(sensors: Path | None, kind: str, label: str, divisor: float) -> float | None:
    """Give the input whose label file says what it is; its number differs between generations."""
    for number in range(1, 9):
        if sensors is not None and read_line(sensors / f"{kind}{number}_label") == label:
            return _scaled(sensors, f"{kind}{number}_input", divisor)
    return None


def _fan(sensors: Path | None) -> float | None:
    now, most = _scaled(sensors, "pwm1", 1), _scaled(sensors, "pwm1_max", 1)
    return None if now is None or not most else round(100 * now / most, 1)


def _first(*values: float | None) -> float | None:
    return next((value for value in values if value is not None), None)


def _link(folder: Path) -> PcieLink | None:
    speed, most = (_generation(read_line(folder / f"{which}_link_speed")) for which in ("current", "max"))
    width, widest = (_width(read_number(folder / f"{which}_link_width")) for which in ("current", "max"))
    if speed is None and width is None:
        return None
    return PcieLink(generation=speed, width=width, max_generation=most, max_width=widest)


def _generation(text: str | None) -> int | None:
    found = _SPEED.match(text or "")
    return _GENERATIONS.get(f"{float(found.group(1)):.1f}") if found else None


def _width(value: int | None) -> int | None:
    return value if value and 0 < value <= 32 else None


def _properties(text: str) -> Mapping[str, int]:
    values = {}
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if value.strip().isdigit():
            values[name] = int(value)
    return values


def _processes(root: Path, node: ComputeNode | None) -> tuple[GpuProcess, ...] | None:
    """Give the compute processes of a card; those that only draw are not listed by the kernel."""
    if node is None or node.gpu_id is None:
        return None
    try:
        folders = sorted((root / _USERS).iterdir())
    except OSError:
        return None
    found = []
    for folder in folders:
        memory = read_number(folder / f"vram_{node.gpu_id}")
        if folder.name.isdigit() and memory is not None and memory > 0:
            name = read_line(root / "proc" / folder.name / "comm")
            found.append(GpuProcess(pid=int(folder.name), name=name, memory_used_bytes=memory))
    return tuple(found)
