"""A card, or a MIG slice, as the planner sees it: memory that is free, speed that the catalogue tells, special cases.

What a card can do well is listed by model where its compute capability lies: cards of capability 7.5 without tensor
cores, and 16-bit arithmetic that exists but crawls.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from gpuconfig_app.core.gpu import Gpu, MigInstance, Vendor
from gpuconfig_app.core.plan import PlannedDevice
from gpuconfig_app.core.units import GIB
from gpuconfig_app.core.versions import ComputeCapability
from gpuconfig_app.knowledge.catalogue import CatalogueGpu, catalogue_gpu, identify

# Turing chips TU116 and TU117 have compute capability 7.5 and no tensor cores (NVIDIA Turing GPU Architecture white
# paper; product pages of the GTX 16 series, T400-T1200, Quadro T1000/T2000 and MX450/MX550). "T4" has them.
_NO_TENSOR_CORES = re.compile(
    r"\b(GTX 16\d\d|T400|T500|T550|T600|T1000|T1200|Quadro T1000|Quadro T2000|Quadro T400|Quadro T600|MX450|MX550)\b"
)
_SLICE = re.compile(r"^(\d+)(?:c\.\d+)?g\.")
_SLICES_OF_A_CARD = 7
_GPCS_OF = {"A30": 4}

# PCI Express: usable bytes per second and lane by generation, after encoding (PCI-SIG base specifications 3.0-6.0).
_LANE_BYTES_PER_S = {1: 0.25e9, 2: 0.5e9, 3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.563e9}


class Arithmetic(StrEnum):
    """Kinds of arithmetic the efficiency table tells apart."""

    FP32 = "fp32"
    TF32 = "tf32"
    FP16 = "fp16"


@dataclass(frozen=True)
class Card:
    """One device that TensorFlow could use.

    Attributes:
        gpu: The card.
        slice: The MIG slice on it, None for the whole card.
    """

    gpu: Gpu
    slice: MigInstance | None = None

    @cached_property
    def facts(self) -> CatalogueGpu | None:
        """Row of the catalogue, None when the card is not listed."""
        if self.gpu.catalogue_id is not None:
            return catalogue_gpu(self.gpu.catalogue_id) or identify(self.gpu)
        return identify(self.gpu)

    @property
    def name(self) -> str:
        """Name for people, with the slice's profile."""
        name = self.gpu.name or (self.facts.name if self.facts else None) or f"GPU {self.gpu.index}"
        if self.slice is None:
            return name
        return f"{name} MIG {self.slice.profile or self.slice.index}"

    @property
    def memory_total_bytes(self) -> int | None:
        """Memory of the card or slice, from the catalogue when the card can't be asked."""
        if self.slice is not None:
            return self.slice.memory_total_bytes
        if self.gpu.memory_total_bytes is not None:
            return self.gpu.memory_total_bytes
        return round(self.facts.memory_gb * GIB) if self.facts else None

    @property
    def memory_free_bytes(self) -> int | None:
        """Memory that is free now by the card's own reading, None when it was not read."""
        if self.slice is not None:
            if self.slice.memory_total_bytes is None or self.slice.memory_used_bytes is None:
                return None
            return max(0, self.slice.memory_total_bytes - self.slice.memory_used_bytes)
        if self.gpu.memory_free_bytes is not None:
            return self.gpu.memory_free_bytes
        if self.gpu.memory_total_bytes is None or self.gpu.memory_used_bytes is None:
            return None
        reserved = self.gpu.memory_reserved_bytes or 0
        return max(0, self.gpu.memory_total_bytes - self.gpu.memory_used_bytes - reserved)

    @property
    def compute_capability(self) -> ComputeCapability | None:
        """Compute capability, from the catalogue when the card can't be asked."""
        text = self.gpu.compute_capability or (self.facts.compute_capability if self.facts else None)
        try:
            return None if text is None else ComputeCapability(text)
        except ValueError:
            return None

    @property
    def share(self) -> float:
        """Part of the card that a slice is, 1 for the whole card."""
        if self.slice is None:
            return 1.0
        found = _SLICE.match(self.slice.profile or "")
        if found is not None:
            name = self.gpu.name or ""
            parts = next((count for word, count in _GPCS_OF.items() if word in name), _SLICES_OF_A_CARD)
            return min(1.0, int(found.group(1)) / parts)
        for part, whole in (
            (self.slice.sm_count, self.gpu.sm_count),
            (self.slice.memory_total_bytes, self.gpu.memory_total_bytes),
        ):
            if part and whole:
                return min(1.0, part / whole)
        return 1 / _SLICES_OF_A_CARD

    @property
    def has_tensor_cores(self) -> bool | None:
        """Whether 16-bit matrix work is really fast; None when nothing is known of the card."""
        if _NO_TENSOR_CORES.search(self.gpu.name or ""):
            return False
        capability = self.compute_capability
        if self.gpu.vendor is Vendor.NVIDIA and capability is not None:
            return capability.major >= 7
        return self.facts.has_tensor_cores if self.facts else None

    @property
    def bandwidth_bytes_per_s(self) -> float | None:
        """Memory bandwidth; a slice has its share of it."""
        if self.facts is None or self.facts.bandwidth_gbs is None:
            return None
        return self.facts.bandwidth_gbs * 1e9 * self.share

    def peak_flops(self, arithmetic: Arithmetic) -> float | None:
        """Dense peak rate in operations per second, None when the catalogue has none."""
        facts = self.facts
        if facts is None:
            return None
        rates = {
            Arithmetic.FP32: facts.fp32_tflops,
            Arithmetic.TF32: facts.tf32_tflops,
            Arithmetic.FP16: facts.fp16_tflops or facts.bf16_tflops,
        }
        rate = rates[arithmetic]
        return None if rate is None else rate * 1e12 * self.share

    @property
    def best_peak_flops(self) -> float:
        """Highest rate a training can use, 0 when nothing is known; only for comparing cards."""
        kinds = [Arithmetic.TF32, Arithmetic.FP32]
        if self.has_tensor_cores:
            kinds.insert(0, Arithmetic.FP16)
        return max((self.peak_flops(kind) or 0.0) for kind in kinds)

    @property
    def link_bytes_per_s(self) -> float | None:
        """How fast gradients leave the card: NVLink when active, else PCI Express; None when neither was read."""
        active = [link for link in self.gpu.nvlinks if link.is_active]
        if active and self.facts is not None and self.facts.nvlink_gbs:
            return self.facts.nvlink_gbs * 1e9 / 2
        pcie = self.gpu.pcie
        if pcie is None:
            return None
        lane = _LANE_BYTES_PER_S.get(pcie.max_generation or pcie.generation or 0)
        width = pcie.max_width or pcie.width
        return None if lane is None or width is None else lane * width

    @property
    def has_nvlink(self) -> bool:
        """Whether an NVLink port is in use."""
        return any(link.is_active for link in self.gpu.nvlinks)

    @property
    def kind(self) -> tuple[str, str, int]:
        """What must be equal for two cards to work side by side: name, capability and memory in whole GiB."""
        return (self.name, str(self.compute_capability), round((self.memory_total_bytes or 0) / GIB))

    def planned(self, *, is_for_this_machine: bool) -> PlannedDevice:
        """Give the card as it goes into a plan; its UUID only when the script may name it."""
        uuid = self.slice.uuid if self.slice is not None else self.gpu.uuid
        capability = self.compute_capability
        return PlannedDevice(
            index=self.gpu.index,
            name=self.name,
            uuid=uuid if is_for_this_machine else None,
            mig_index=self.slice.index if self.slice is not None else None,
            memory_total_bytes=self.memory_total_bytes,
            compute_capability=None if capability is None else str(capability),
        )
