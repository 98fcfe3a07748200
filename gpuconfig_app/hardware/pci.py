"""The PCI bus as Linux shows it: which cards are there, whatever their driver says; nothing here wakes a card.

Names come later from the bundled list (``knowledge``); here a card has only its ids. Other systems have no such
folder, so nothing is known of the bus there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.hardware.backend import kernel_bus_id, normal_bus_id
from gpuconfig_app.hardware.small_files import read_line

PCI_DEVICES = Path("/sys/bus/pci/devices")

# Classes after the PCI Code and ID Assignment Specification: 0x0300 VGA, 0x0302 3D, 0x0380 other display,
# 0x1200 processing accelerator. Intel's 0x1200 is its NPU, Huawei's 0x0300 its server management chip.
_DISPLAY = frozenset({0x0300, 0x0302, 0x0380})
_ACCELERATOR = frozenset({0x1200})
_CLASSES = {
    "10de": (Vendor.NVIDIA, _DISPLAY | _ACCELERATOR),
    "1002": (Vendor.AMD, _DISPLAY | _ACCELERATOR),
    "8086": (Vendor.INTEL, _DISPLAY),
    "19e5": (Vendor.HUAWEI, _ACCELERATOR),
    "1d94": (Vendor.HYGON, _DISPLAY | _ACCELERATOR),
}
# Drivers with which a card of that maker can compute.
COMPUTE_DRIVERS = {
    Vendor.NVIDIA: frozenset({"nvidia"}),
    Vendor.AMD: frozenset({"amdgpu"}),
    Vendor.INTEL: frozenset({"i915", "xe"}),
}
_VM_DRIVERS = frozenset({"vfio-pci", "pci-stub", "pciback"})
_UNREAD_FIELDS = (
    "uuid", "memory_total_bytes", "memory_used_bytes", "memory_free_bytes", "memory_reserved_bytes",
    "compute_capability", "pcie", "power_limit_w", "display_active", "processes",
)  # fmt: skip
_HEX = re.compile(r"0x([0-9a-f]{4,8})", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class PciCard:
    """A card on the bus.

    Attributes:
        bus_id: ``00000000:01:00.0``.
        pci_id: ``10de:2684``.
        subsystem_id: Of the board's maker, None when not told.
        driver: Kernel driver that is bound to it, None when none is.
        is_asleep: It is powered down now (``power/runtime_status`` is ``suspended``).
        is_integrated: It is part of the processor.
    """

    bus_id: str
    vendor: Vendor
    pci_id: str
    subsystem_id: str | None = None
    driver: str | None = None
    is_asleep: bool = False
    is_integrated: bool = False


def scan_pci(root: Path = PCI_DEVICES) -> tuple[PciCard, ...] | None:
    """Give the graphics cards and accelerators on the bus, in bus order.

    Args:
        root: Folder with one folder per device.

    Returns:
        None when the bus can't be seen at all (Windows, macOS, some containers): then nothing is known.
    """
    try:
        folders = sorted(root.iterdir(), key=lambda folder: normal_bus_id(folder.name))
    except OSError:
        return None
    cards = (_read_card(folder) for folder in folders)
    return tuple(card for card in cards if card is not None)


def bus_tells_all(root: Path = Path("/")) -> bool:
    """Tell whether a card that can compute must be on the bus.

    In WSL2 it is not (``/dev/dxg`` leads to Windows' card), on a Jetson the GPU is part of the chip.
    """
    model = read_line(root / "proc/device-tree/model") or ""
    is_tegra = (root / "etc/nv_tegra_release").exists() or "jetson" in model.lower()
    return not (root / "dev/dxg").exists() and not is_tegra


def state_of(card: PciCard, *, has_backend: bool) -> tuple[GpuState, Message]:
    """Tell in what state a card is that no back-end listed.

    Args:
        has_backend: There is a back-end of its maker, which did not list it.
    """
    if card.is_asleep:
        return GpuState.ASLEEP, Message("host.card-asleep")
    if card.driver is None:
        return GpuState.DRIVER_MISSING, Message("host.no-driver-bound")
    if card.driver == "nouveau":
        return GpuState.DRIVER_MISSING, Message("host.bound-to-nouveau")
    if card.driver in _VM_DRIVERS:
        return GpuState.DRIVER_MISSING, Message("host.bound-to-vfio", {"driver": card.driver})
    known = COMPUTE_DRIVERS.get(card.vendor)
    if known is not None and card.driver not in known:
        return GpuState.DRIVER_MISSING, Message("host.driver-cannot-compute", {"driver": card.driver})
    if has_backend:
        return GpuState.FAILED, Message("host.driver-without-library", {"driver": card.driver})
    return GpuState.READY, Message("host.vendor-not-read")


def gpu_of(card: PciCard, index: int, state: GpuState, reason: Message) -> Gpu:
    """Give a card that was only seen on the bus: ids and driver, everything else absent with ``reason``."""
    return Gpu(
        index=index,
        vendor=card.vendor,
        state=state,
        state_reason=reason,
        pci_bus_id=card.bus_id,
        pci_id=card.pci_id,
        pci_subsystem_id=card.subsystem_id,
        memory_is_shared=card.is_integrated,
        bound_driver=card.driver,
        absent=dict.fromkeys(_UNREAD_FIELDS, reason),
    )


def _read_card(folder: Path) -> PciCard | None:
    vendor_id, device_id = _hex(folder / "vendor"), _hex(folder / "device")
    class_code = _hex(folder / "class")
    if vendor_id not in _CLASSES or device_id is None or class_code is None:
        return None
    vendor, classes = _CLASSES[vendor_id]
    if int(class_code, 16) >> 8 not in classes or (folder / "physfn").exists():
        return None
    bus_id = normal_bus_id(folder.name)
    board, maker = _hex(folder / "subsystem_device"), _hex(folder / "subsystem_vendor")
    return PciCard(
        bus_id=bus_id,
        vendor=vendor,
        pci_id=f"{vendor_id}:{device_id}",
        subsystem_id=f"{maker}:{board}" if maker and board and maker != "0000" else None,
        driver=_driver(folder),
        is_asleep=read_line(folder / "power/runtime_status") == "suspended",
        is_integrated=_is_integrated(vendor, bus_id, folder),
    )


def is_part_of_processor(bus_id: str, root: Path = Path("/")) -> bool:
    """Tell whether the card at a PCI address is the graphics of a processor."""
    card = _read_card(root / PCI_DEVICES.relative_to("/") / kernel_bus_id(bus_id))
    return card is not None and card.is_integrated


def _is_integrated(vendor: Vendor, bus_id: str, folder: Path) -> bool:
    """Intel puts the processor's own graphics at 00:02.0 and its cards behind a bridge; so did AMD's older ones.

    Newer AMD processors give their graphics a slot that it shares with other parts of the processor (its security
    processor and USB, of AMD's processor vendor 1022); a card's other functions are of the card's vendor.
    """
    if vendor is Vendor.INTEL:
        return bus_id.startswith("00000000:00:02.")
    if vendor is not Vendor.AMD:
        return False
    if bus_id.startswith("00000000:00:01."):
        return True
    slot = folder.name.rpartition(".")[0]
    return any(_hex(folder.parent / f"{slot}.{number}" / "vendor") == "1022" for number in range(1, 8))


def _hex(path: Path) -> str | None:
    found = _HEX.fullmatch(read_line(path) or "")
    return found.group(1).lower() if found else None


def _driver(folder: Path) -> str | None:
    try:
        return (folder / "driver").readlink().name
    except (OSError, ValueError):
        return None
