"""Cards as their drivers report them: figures of the catalogue's sources, and of NVML for memory.

``memory_mib`` is what NVML reports for such a card (less than the name plate).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from gpuconfig_app.core.gpu import ComputeMode, DriverModel, Gpu, GpuProcess, GpuState, PcieLink, ValueOrigin, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.units import MIB


@dataclass(frozen=True, kw_only=True)
class CardKind:
    """What all cards of one model have in common.

    Attributes:
        has_ecc: True is on, False is off but offered, None is not offered.
    """

    name: str
    pci_id: str
    capability: str
    architecture: str
    memory_mib: int
    reserved_mib: int
    sm_count: int
    power_w: float
    power_min_w: float
    power_max_w: float
    generation: int
    has_ecc: bool | None = None
    has_mig: bool = False
    slowdown_c: int = 92


KINDS = {
    kind.name: kind
    for kind in (
        CardKind(
            name="NVIDIA GeForce GTX 1080 Ti", pci_id="10de:1b06", capability="6.1", architecture="Pascal",
            memory_mib=11264, reserved_mib=91, sm_count=28, power_w=250, power_min_w=125, power_max_w=300, generation=3,
        ),
        CardKind(
            name="Tesla V100-SXM2-16GB", pci_id="10de:1db1", capability="7.0", architecture="Volta",
            memory_mib=16384, reserved_mib=245, sm_count=80, power_w=300, power_min_w=150, power_max_w=300,
            generation=3,
            has_ecc=True,
        ),
        CardKind(
            name="Tesla T4", pci_id="10de:1eb8", capability="7.5", architecture="Turing",
            memory_mib=15360, reserved_mib=446, sm_count=40, power_w=70, power_min_w=60, power_max_w=70, generation=3,
            has_ecc=True,
        ),
        CardKind(
            name="NVIDIA GeForce RTX 3060", pci_id="10de:2504", capability="8.6", architecture="Ampere",
            memory_mib=12288, reserved_mib=209, sm_count=28, power_w=170, power_min_w=100, power_max_w=212,
            generation=4,
        ),
        CardKind(
            name="NVIDIA GeForce RTX 3090", pci_id="10de:2204", capability="8.6", architecture="Ampere",
            memory_mib=24576, reserved_mib=337, sm_count=82, power_w=350, power_min_w=100, power_max_w=385,
            generation=4,
        ),
        CardKind(
            name="NVIDIA A100-SXM4-80GB", pci_id="10de:20b2", capability="8.0", architecture="Ampere",
            memory_mib=81920, reserved_mib=869, sm_count=108, power_w=400, power_min_w=100, power_max_w=400,
            generation=4, has_ecc=True, has_mig=True, slowdown_c=89,
        ),
        CardKind(
            name="NVIDIA GeForce RTX 4060 Laptop GPU", pci_id="10de:28e0", capability="8.9",
            architecture="Ada Lovelace",
            memory_mib=8188, reserved_mib=264, sm_count=24, power_w=115, power_min_w=5, power_max_w=140, generation=4,
        ),
        CardKind(
            name="NVIDIA GeForce RTX 4070", pci_id="10de:2786", capability="8.9", architecture="Ada Lovelace",
            memory_mib=12282, reserved_mib=299, sm_count=46, power_w=200, power_min_w=100, power_max_w=215,
            generation=4,
        ),
        CardKind(
            name="NVIDIA GeForce RTX 4080 SUPER", pci_id="10de:2702", capability="8.9", architecture="Ada Lovelace",
            memory_mib=16376, reserved_mib=362, sm_count=80, power_w=320, power_min_w=150, power_max_w=352,
            generation=4,
        ),
        CardKind(
            name="NVIDIA GeForce RTX 4090", pci_id="10de:2684", capability="8.9", architecture="Ada Lovelace",
            memory_mib=24564, reserved_mib=352, sm_count=128, power_w=450, power_min_w=150, power_max_w=600,
            generation=4, has_ecc=False,
        ),
        CardKind(
            name="NVIDIA H100 80GB HBM3", pci_id="10de:2330", capability="9.0", architecture="Hopper",
            memory_mib=81559, reserved_mib=479, sm_count=132, power_w=700, power_min_w=200, power_max_w=700,
            generation=5, has_ecc=True, has_mig=True, slowdown_c=87,
        ),
        CardKind(
            name="NVIDIA GeForce RTX 5090", pci_id="10de:2b85", capability="12.0", architecture="Blackwell",
            memory_mib=32607, reserved_mib=495, sm_count=170, power_w=575, power_min_w=400, power_max_w=600,
            generation=5, has_ecc=False,
            slowdown_c=90,
        ),
    )
}  # fmt: skip


def uuid_of(text: str) -> str:
    """Give a made-up card UUID that is the same in every run."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"GPU-{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"


def card(
    name: str,
    index: int = 0,
    *,
    bus: str = "01:00.0",
    used_mib: int = 18,
    display: bool = False,
    persistence: bool | None = True,
    windows: bool = False,
    processes: tuple[GpuProcess, ...] = (),
) -> Gpu:
    """Give a healthy NVIDIA card, idle but for ``used_mib``."""
    kind = KINDS[name]
    free_mib = kind.memory_mib - kind.reserved_mib - used_mib
    absent = {}
    if kind.has_ecc is None:
        absent["ecc_enabled"] = Message("hardware.not-supported")
    if not kind.has_mig:
        absent["mig_enabled"] = Message("hardware.not-supported")
    return Gpu(
        index=index,
        vendor=Vendor.NVIDIA,
        name=name,
        uuid=uuid_of(f"{name}/{index}/{bus}"),
        pci_bus_id=f"00000000:{bus}",
        pci_id=kind.pci_id,
        memory_total_bytes=kind.memory_mib * MIB,
        memory_used_bytes=used_mib * MIB,
        memory_free_bytes=free_mib * MIB,
        memory_reserved_bytes=kind.reserved_mib * MIB,
        compute_capability=kind.capability,
        compute_capability_origin=ValueOrigin.CARD,
        architecture=kind.architecture,
        sm_count=kind.sm_count,
        pcie=PcieLink(generation=1, width=16, max_generation=kind.generation, max_width=16),
        mig_enabled=False if kind.has_mig else None,
        compute_mode=ComputeMode.DEFAULT,
        ecc_enabled=kind.has_ecc,
        persistence_enabled=None if windows else persistence,
        driver_model=DriverModel.WDDM if windows else None,
        power_limit_w=kind.power_w,
        power_limit_default_w=kind.power_w,
        power_limit_min_w=kind.power_min_w,
        power_limit_max_w=kind.power_max_w,
        temperature_slowdown_c=kind.slowdown_c,
        temperature_shutdown_c=kind.slowdown_c + 5,
        display_active=display,
        bound_driver=None if windows else "nvidia",
        processes=processes,
        absent=absent,
    )


def silent_card(
    name: str,
    state: GpuState,
    reason: Message,
    *,
    index: int = 0,
    bus: str = "01:00.0",
    bound_driver: str | None = None,
) -> Gpu:
    """Give a card that could only be seen on the PCI bus: no reading, name and capability from the tables."""
    kind = KINDS[name]
    absent = dict.fromkeys(("uuid", "memory_total_bytes", "power_limit_w"), reason)
    return Gpu(
        index=index,
        vendor=Vendor.NVIDIA,
        state=state,
        state_reason=reason,
        name=name.removeprefix("NVIDIA "),
        pci_bus_id=f"00000000:{bus}",
        pci_id=kind.pci_id,
        compute_capability=kind.capability,
        compute_capability_origin=ValueOrigin.CATALOGUE,
        architecture=kind.architecture,
        bound_driver=bound_driver,
        absent=absent,
    )


def processor_graphics(index: int) -> Gpu:
    """Give the graphics of a laptop's processor as the PCI bus shows them."""
    reason = Message("host.vendor-not-read")
    return Gpu(
        index=index,
        vendor=Vendor.INTEL,
        state_reason=reason,
        name="Raptor Lake-P [Iris Xe Graphics]",
        pci_bus_id="00000000:00:02.0",
        pci_id="8086:a7a0",
        memory_is_shared=True,
        bound_driver="i915",
        absent=dict.fromkeys(("uuid", "memory_total_bytes", "power_limit_w", "processes"), reason),
    )


def busy(gpu: Gpu, used_mib: int, *processes: GpuProcess) -> Gpu:
    """Give the same card with memory in use by a training."""
    total = (gpu.memory_total_bytes or 0) - (gpu.memory_reserved_bytes or 0)
    return replace(
        gpu,
        memory_used_bytes=used_mib * MIB,
        memory_free_bytes=total - used_mib * MIB,
        pcie=replace(gpu.pcie, generation=gpu.pcie.max_generation) if gpu.pcie else None,
        processes=processes or gpu.processes,
    )
