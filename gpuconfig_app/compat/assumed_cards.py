"""Cards by the name a person types (``RTX 4090``, ``A100 80GB``, ``MyCard:8.9``), for ``--assume gpu=…``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.gpu import Gpu, GpuState, ValueOrigin, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.units import GIB
from gpuconfig_app.knowledge.catalogue import CatalogueGpu, load_catalogue
from gpuconfig_app.knowledge.chips import chip_family, load_chips
from gpuconfig_app.knowledge.pci_ids import load_pci_ids

_WITH_CAPABILITY = re.compile(r"^(.*\S)\s*:\s*(\d{1,2}\.\d)$")
_WITH_TARGET = re.compile(r"^(.*\S)\s*:\s*(gfx[0-9a-f]{3,4})$", re.IGNORECASE)
_BRANDS = frozenset({"nvidia", "geforce", "quadro", "tesla", "amd", "radeon", "intel", "instinct", "huawei", "hygon"})
_NAMES_OF_MAKERS = (
    (Vendor.AMD, re.compile(r"\b(amd|radeon|instinct|rx \d{4}|mi\d{3})", re.IGNORECASE)),
    (Vendor.INTEL, re.compile(r"\b(intel|arc|iris|uhd)\b", re.IGNORECASE)),
    (Vendor.HUAWEI, re.compile(r"\b(ascend|huawei|910[abc])", re.IGNORECASE)),
    (Vendor.HYGON, re.compile(r"\b(hygon|dcu)\b", re.IGNORECASE)),
    (Vendor.APPLE, re.compile(r"\b(apple|m[1-9])\b", re.IGNORECASE)),
)


@dataclass(frozen=True)
class _Meant:
    """What a typed name may mean."""

    rows: tuple[CatalogueGpu, ...] = ()
    capabilities: frozenset[str] = frozenset()


def assumed_gpu(text: str, index: int) -> Gpu:
    """Make a card from a typed name.

    Args:
        text: ``NAME``, ``NAME:CC`` or, for AMD, ``NAME:gfx…``.
        index: Its number on the assumed machine.

    Raises:
        UsageError: The name is not known, or means several unlike cards.
    """
    if found := _WITH_CAPABILITY.match(text):
        return _make(found.group(1), index, Vendor.NVIDIA, capability=found.group(2))
    if found := _WITH_TARGET.match(text):
        return _make(found.group(1), index, Vendor.AMD, target=found.group(2).lower())
    meant = _look_up(text)
    vendor = meant.rows[0].vendor if meant.rows else _maker(text)
    if vendor is Vendor.NVIDIA and len(meant.capabilities) != 1:
        raise UsageError(Message("compat.assume-unknown-card", {"name": text, "bare": text.partition(":")[0].strip()}))
    capability = next(iter(meant.capabilities)) if vendor is Vendor.NVIDIA else None
    targets = {row.target for row in meant.rows}
    target = next(iter(targets)) if len(targets) == 1 else None
    return _make(text, index, vendor, capability=capability, target=target, rows=meant.rows)


def _make(
    name: str,
    index: int,
    vendor: Vendor,
    *,
    capability: str | None = None,
    target: str | None = None,
    rows: tuple[CatalogueGpu, ...] = (),
) -> Gpu:
    row = rows[0] if len(rows) == 1 else None
    rows = rows or _look_up(name).rows
    memory = {item.memory_gb for item in rows}
    return Gpu(
        index=index,
        vendor=vendor,
        state=GpuState.READY,
        name=(row.driver_name or row.name) if row else name,
        memory_total_bytes=int(memory.pop() * GIB) if len(memory) == 1 else None,
        compute_capability=capability,
        compute_capability_origin=ValueOrigin.ASSUMED if capability else None,
        target=target,
        catalogue_id=row.id if row else None,
        bound_driver="nvidia" if vendor is Vendor.NVIDIA else None,
    )


def _look_up(text: str) -> _Meant:
    """Find what a name means: the very name first, then names that contain all its words."""
    wanted = _words(text)
    exact = [row for row in load_catalogue() if wanted in {_words(row.name), _words(row.driver_name or row.name)}]
    listed = _listed(wanted, is_exact=True)
    if exact or listed:
        return _meaning(exact, listed)
    wider = [row for row in load_catalogue() if _covers(wanted, _words(row.name) | _words(row.driver_name or ""))]
    listed = _listed(wanted, is_exact=False) if not wider else set()
    if not wider and not listed and "laptop" in wanted:  # the list calls these cards Mobile
        listed = _listed((wanted - {"laptop", "gpu"}) | {"mobile"}, is_exact=False)
    return _meaning(wider, listed)


def _meaning(rows: list[CatalogueGpu], capabilities: set[str]) -> _Meant:
    from_rows = {row.compute_capability for row in rows if row.compute_capability is not None}
    return _Meant(rows=tuple(rows), capabilities=frozenset(from_rows or capabilities))


def _listed(wanted: frozenset[str], *, is_exact: bool) -> set[str]:
    """Give the capabilities of NVIDIA cards with this name in the PCI list."""
    found = {
        row.compute_capability
        for row in load_chips()
        for name in row.products
        if (_words(name) == wanted if is_exact else _covers(wanted, _words(name)))
    }
    for pci_id, entry in load_pci_ids().items():
        if not pci_id.startswith("10de:") or entry.chip is None:
            continue
        words = _words(entry.product)
        family = chip_family(entry.chip) if (words == wanted if is_exact else _covers(wanted, words)) else None
        if family is not None:
            found.add(family.compute_capability)
    return found


def _covers(wanted: frozenset[str], words: frozenset[str]) -> bool:
    return bool(wanted) and wanted <= words


def _words(text: str) -> frozenset[str]:
    """Give the words of a name without brands, so that ``RTX 4090`` is ``NVIDIA GeForce RTX 4090``."""
    joined = re.sub(r"(\d+)\s*(gb|gib)\b", r"\1gb", text.lower())
    joined = re.sub(r"\b(gtx|rtx|gt|rx)(\d)", r"\1 \2", joined)
    joined = re.sub(r"(\d)(ti|super)\b", r"\1 \2", joined)
    return frozenset(word for word in re.findall(r"[a-z0-9]+", joined) if word not in _BRANDS)


def _maker(text: str) -> Vendor:
    return next((vendor for vendor, pattern in _NAMES_OF_MAKERS if pattern.search(text)), Vendor.NVIDIA)
