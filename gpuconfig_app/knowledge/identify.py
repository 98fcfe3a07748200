"""Gives a report the names and figures that its cards could not tell, each marked as coming from the catalogue.

Only gaps are filled: what a card told itself stays as it is. A part of a name is never taken for a name, so a card
called "Graphics Device" stays unknown unless its PCI id is known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gpuconfig_app.core.gpu import Gpu, ValueOrigin, Vendor
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.knowledge.amd_chips import amd_chip
from gpuconfig_app.knowledge.catalogue import CatalogueGpu, bare_name, identify, load_catalogue
from gpuconfig_app.knowledge.chips import ChipFamily, chip_family, family_of_product
from gpuconfig_app.knowledge.pci_ids import chip_name, chips_of_product, chips_of_variant, device_name

__all__ = ["Recognition", "fill_from_catalogue", "fill_gpu", "identify", "recognise"]

_NVIDIA_PCI = "10de"
_GENERIC_NAMES = frozenset({"graphics device", "nvidia graphics device", "device"})


@dataclass(frozen=True)
class Recognition:
    """What is known of a card without asking it.

    Attributes:
        name: Product name, None when unknown.
        row: Catalogue row, None when it is not listed or cannot be told from a namesake.
        compute_capability: NVIDIA only; None when unknown.
        architecture: Family only, ``Ada``; None when unknown.
        target: AMD's compiler target, ``gfx1031``; None when unknown.
    """

    name: str | None = None
    row: CatalogueGpu | None = None
    compute_capability: str | None = None
    architecture: str | None = None
    target: str | None = None


def recognise(gpu: Gpu) -> Recognition:
    """Look a card up by PCI id, else by its full name."""
    row = identify(gpu)
    namesakes = [item for item in load_catalogue() if gpu.pci_id and gpu.pci_id.lower() in item.pci_ids]
    family = _family(gpu) if gpu.vendor is Vendor.NVIDIA else None
    capability, architecture = _capability(row, namesakes, family)
    listed = device_name(gpu.pci_id) if gpu.pci_id else None
    name = listed or (row.name if row else None) or (namesakes[0].name if len(namesakes) == 1 else None)
    target = row.target if row is not None else None
    chip = amd_chip(gpu.pci_id, gpu.name) if gpu.vendor is Vendor.AMD else None
    if chip is not None:
        target, architecture = target or chip.target, architecture or chip.architecture
    return Recognition(name=name, row=row, compute_capability=capability, architecture=architecture, target=target)


def fill_gpu(gpu: Gpu) -> Gpu:
    """Fill what one card could not tell: name, catalogue row, architecture, and compute capability."""
    known = recognise(gpu)
    changes: dict[str, object] = {}
    if known.name and (gpu.name is None or gpu.name.lower() in _GENERIC_NAMES):
        changes["name"] = _with_maker(known.name, gpu.vendor)
    if gpu.catalogue_id is None and known.row is not None:
        changes["catalogue_id"] = known.row.id
    if gpu.architecture is None and known.architecture is not None:
        changes["architecture"] = known.architecture
    if gpu.target is None and known.target is not None:
        changes["target"] = known.target
    if gpu.compute_capability is None and known.compute_capability is not None:
        changes["compute_capability"] = known.compute_capability
        changes["compute_capability_origin"] = ValueOrigin.CATALOGUE
    if changes:
        changes["absent"] = {key: why for key, why in gpu.absent.items() if key not in changes}
    return replace(gpu, **changes) if changes else gpu  # type: ignore[arg-type]  # keys are field names of Gpu


def fill_from_catalogue(report: SystemReport) -> SystemReport:
    """Fill the gaps of every card of a report; the report itself when there is none."""
    gpus = tuple(fill_gpu(gpu) for gpu in report.gpus)
    return report if gpus == report.gpus else replace(report, gpus=gpus)


def _family(gpu: Gpu) -> ChipFamily | None:
    """Give the chip family by PCI id, or by the full name when all chips sold under it agree."""
    if gpu.pci_id:
        chip = chip_name(gpu.pci_id)
        return chip_family(chip) if chip else None
    if gpu.name is None or gpu.name.lower() in _GENERIC_NAMES:
        return None
    product = " ".join(gpu.name.split())
    product = product[7:] if product.lower().startswith("nvidia ") else product
    chips = chips_of_product(_NVIDIA_PCI, product) or chips_of_variant(_NVIDIA_PCI, product)
    families = {chip_family(chip) for chip in chips} or {family_of_product(product)}
    return next(iter(families)) if len(families) == 1 else None


def _capability(
    row: CatalogueGpu | None, namesakes: list[CatalogueGpu], family: ChipFamily | None
) -> tuple[str | None, str | None]:
    if row is not None:
        return row.compute_capability, _family_word(row.architecture)
    if family is not None:
        return family.compute_capability, family.architecture
    if namesakes and len({(item.compute_capability, item.architecture) for item in namesakes}) == 1:
        return namesakes[0].compute_capability, _family_word(namesakes[0].architecture)
    return None, None


def _family_word(architecture: str) -> str:
    """Leave out chip and companion: ``Ampere GA10x`` and ``Hopper + Grace`` are Ampere and Hopper."""
    return architecture.split(maxsplit=1)[0]


def _with_maker(name: str, vendor: Vendor) -> str:
    """Write a product name as drivers do, with the maker in front."""
    if vendor is Vendor.NVIDIA and bare_name(name) == name.lower():
        return f"NVIDIA {name}"
    return name
