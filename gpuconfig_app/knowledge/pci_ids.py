"""Names of cards by PCI id, from the bundled list of the PCI ID Repository, so that a card without driver has a name.

The list may be older than a card; then the catalogue's own ids help (``identify.fill_from_catalogue``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from gpuconfig_app.resources import resource_path

_VENDOR = re.compile(r"^([0-9a-f]{4}) {2}(.+)$")
_DEVICE = re.compile(r"^\t([0-9a-f]{4}) {2}(.+)$")
_BRACKETS = re.compile(r"^(\S+).*\[(.+)\]$")
# Drivers say "Laptop GPU" and "with Max-Q Design" where the list says Mobile and Max-Q.
_LAPTOP = re.compile(r"^(?P<card>.+?) (?:laptop gpu|with max-q design)$")
_LAPTOP_WORDS = frozenset({"mobile", "max-q", "/", "refresh"})
# A part of a card that a hypervisor gave away: board, size in GB, series of the licence. A last letter tells its size.
_VIRTUAL = re.compile(r"^(?:grid )?(?P<board>[a-z]{1,3}\d{1,4})[a-z]{0,2}-\d{1,3}[abcq]$")
_NVIDIA_CHIP = re.compile(r"^([A-Z]{2}(?:\d{3}|\d{2}[A-Z]))")


@dataclass(frozen=True)
class PciName:
    """What the list says of one device.

    Attributes:
        text: The whole entry, ``AD102 [GeForce RTX 4090]``.
        product: The name people know, ``GeForce RTX 4090``.
        chip: ``AD102``; None when the entry names none.
    """

    text: str
    product: str
    chip: str | None


def parse_pci_ids(text: str) -> dict[str, PciName]:
    """Read the list: entry by ``vendor:device``; subsystems are left out."""
    names: dict[str, PciName] = {}
    vendor = ""
    for line in text.splitlines():
        if found := _VENDOR.match(line):
            vendor = found.group(1)
        elif line.startswith(("C ", "#")):
            vendor = "" if line.startswith("C ") else vendor
        elif vendor and (found := _DEVICE.match(line)):
            names[f"{vendor}:{found.group(1)}"] = _pci_name(found.group(2).strip())
    return names


@cache
def load_pci_ids() -> Mapping[str, PciName]:
    """Give the bundled list, read once; empty when the file is missing (names are then unknown, nothing else)."""
    try:
        text = resource_path("knowledge", "pci.ids").read_text(encoding="utf-8")
    except OSError:
        return MappingProxyType({})
    return MappingProxyType(parse_pci_ids(text))


def device_name(pci_id: str) -> str | None:
    """Give the product name of ``10de:2684``, None when the list does not have it."""
    entry = load_pci_ids().get(pci_id.lower())
    return entry.product if entry else None


def chip_name(pci_id: str) -> str | None:
    """Give the chip of ``10de:2684`` (``AD102``), None when the list does not tell."""
    entry = load_pci_ids().get(pci_id.lower())
    return entry.chip if entry else None


def chips_of_product(vendor_id: str, product: str) -> frozenset[str]:
    """Give the chips that were sold under exactly this name; the comparison ignores case, not parts."""
    wanted = product.lower()
    return frozenset(
        entry.chip
        for pci_id, entry in load_pci_ids().items()
        if entry.chip and pci_id.startswith(f"{vendor_id}:") and entry.product.lower() == wanted
    )


def chips_of_variant(vendor_id: str, product: str) -> frozenset[str]:
    """Give the chips behind a driver's name for a laptop's card or a virtual GPU, both of which the list words apart.

    Args:
        product: Without the maker: ``GeForce RTX 4060 Laptop GPU``, ``GRID T4-16C``, ``A40-48Q``.
    """
    wanted = product.lower()
    laptop, virtual = _LAPTOP.match(wanted), _VIRTUAL.match(wanted)
    if laptop is None and virtual is None:
        return frozenset()
    chips = set()
    for pci_id, entry in load_pci_ids().items():
        if entry.chip is None or not pci_id.startswith(f"{vendor_id}:"):
            continue
        name = entry.product.lower()
        if laptop is not None:
            card, rest = name[: len(laptop["card"])], name[len(laptop["card"]) :].split()
            is_meant = card == laptop["card"] and bool(rest) and _LAPTOP_WORDS.issuperset(rest)
        else:
            is_meant = virtual is not None and virtual["board"] in name.split()
        chips |= {entry.chip} if is_meant else set()
    return frozenset(chips)


def _pci_name(text: str) -> PciName:
    found = _BRACKETS.match(text)
    if found is None:
        return PciName(text=text, product=text, chip=None)
    chip = _NVIDIA_CHIP.match(found.group(1))
    return PciName(text=text, product=found.group(2), chip=chip.group(1) if chip else found.group(1))
