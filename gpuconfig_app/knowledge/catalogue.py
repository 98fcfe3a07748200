"""The catalogue of accelerators (``gpus.toml``): figures no card tells about itself, and names by PCI id.

A number that a card tells itself always comes from the card; this table stands in only where it cannot be asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from gpuconfig_app.core.finding import Confidence
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.units import GB, GIB
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table

TABLE = "gpus"

# A driver reports up to 8 % less than the name plate (ECC, reserve) and the plate may mean GB or GiB.
_MEMORY_LOW, _MEMORY_HIGH = 0.88, 1.08


@dataclass(frozen=True, kw_only=True)
class CatalogueGpu:
    """One (name, memory) of an accelerator.

    Attributes:
        driver_name: What the driver calls it (``NVIDIA GeForce RTX 4090``), None when not known.
        segment: ``consumer``, ``workstation``, ``datacenter``, ``edge`` or ``npu``.
        memory_gb: As on the name plate; drivers report less.
        bandwidth_gbs: Memory bandwidth in 10⁹ bytes per second.
        compute_capability: NVIDIA only.
        target: Compiler target of other makers (``gfx1100``).
        fp32_tflops: Dense peaks in 10¹² operations per second; 16-bit rates with 32-bit accumulation.
        tdp_w: Board power.
        nvlink_gbs: Both directions together; 0 has none.
        pci_ids: ``10de:2684``; one id may stand for several products.
        same_name_memory_gb: Memory sizes sold under the same driver name; empty when there is only this one.
        unsure: Fields to be shown as approximate or left out.
    """

    id: str
    name: str
    vendor: Vendor
    segment: str
    architecture: str
    memory_gb: float
    certainty: Confidence
    source: tuple[FactSource, ...]
    checked_on: str
    driver_name: str | None = None
    memory_type: str | None = None
    bandwidth_gbs: float | None = None
    compute_capability: str | None = None
    target: str | None = None
    fp32_tflops: float | None = None
    tf32_tflops: float | None = None
    fp16_tflops: float | None = None
    bf16_tflops: float | None = None
    fp8_tflops: float | None = None
    has_tensor_cores: bool | None = None
    tdp_w: float | None = None
    mig_max_instances: int | None = None
    nvlink_gbs: float | None = None
    pcie: str | None = None
    release_year: int | None = None
    launch_price_usd: float | None = None
    pci_ids: tuple[str, ...] = ()
    same_name_memory_gb: tuple[float, ...] = ()
    unsure: tuple[str, ...] = field(default=())

    def fits_memory(self, memory_bytes: int) -> bool:
        """Whether a reported amount of memory is that of this row; namesakes differ by more than the tolerance."""
        return self.memory_gb * GB * _MEMORY_LOW <= memory_bytes <= self.memory_gb * GIB * _MEMORY_HIGH


def parse_catalogue(data: Mapping[str, JsonValue]) -> tuple[CatalogueGpu, ...]:
    """Turn the table into rows, sorted by id as in the file.

    Raises:
        UnusableFileError: A row cannot be used or an id occurs twice.
    """
    rows = read_rows(TABLE, data, "gpu", CatalogueGpu)
    check_unique(TABLE, [row.id for row in rows])
    return rows


@cache
def load_catalogue() -> tuple[CatalogueGpu, ...]:
    """Give every row of the catalogue.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return parse_catalogue(read_table(TABLE))


def catalogue_gpu(catalogue_id: str) -> CatalogueGpu | None:
    """Give the row with this id, None when there is none."""
    return next((row for row in load_catalogue() if row.id == catalogue_id), None)


def bare_name(name: str) -> str:
    """Give a product name without maker and blanks at the ends, in small letters, for exact comparison."""
    text = " ".join(name.split()).lower()
    return text.removeprefix("nvidia ").removeprefix("amd ").removeprefix("intel ").removeprefix("tesla ")


def identify(gpu: Gpu) -> CatalogueGpu | None:
    """Find the catalogue row of a card: by PCI id, else by its full name, in both cases checked by memory.

    A card whose memory is not known and whose name was sold with several sizes is not identified; a part of a name
    never is.
    """
    by_id = [row for row in load_catalogue() if gpu.pci_id is not None and gpu.pci_id.lower() in row.pci_ids]
    if by_id:
        return _by_memory(by_id, gpu)
    if gpu.name is None:
        return None
    wanted = bare_name(gpu.name)
    by_name = [
        row
        for row in load_catalogue()
        if row.vendor is gpu.vendor and wanted in {bare_name(row.driver_name or row.name), bare_name(row.name)}
    ]
    return _by_memory(by_name, gpu)


def _by_memory(rows: list[CatalogueGpu], gpu: Gpu) -> CatalogueGpu | None:
    if gpu.memory_total_bytes is not None and not gpu.memory_is_shared:
        rows = [row for row in rows if row.fits_memory(gpu.memory_total_bytes)]
    elif any(row.same_name_memory_gb for row in rows):
        return None
    return rows[0] if len(rows) == 1 else None
