"""One graphics card, or one of its slices, as far as the machine tells about it.

Every reading is optional; ``absent`` holds the reason of each missing one by field name. None is "not known", 0 is
really zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import Record, path_text, pseudonym, public_text


class Vendor(StrEnum):
    """Who made the accelerator."""

    NVIDIA = "nvidia"
    AMD = "amd"
    INTEL = "intel"
    APPLE = "apple"
    HUAWEI = "huawei"
    HYGON = "hygon"
    OTHER = "other"


class GpuState(StrEnum):
    """Whether the card can be used at all."""

    READY = "ready"
    ASLEEP = "asleep"
    DRIVER_MISSING = "driver_missing"
    LOST = "lost"
    NO_ANSWER = "no_answer"
    NO_PERMISSION = "no_permission"
    FAILED = "failed"


class ValueOrigin(StrEnum):
    """Where a value comes from that normally the card tells itself."""

    CARD = "card"
    CATALOGUE = "catalogue"
    ASSUMED = "assumed"


class ComputeMode(StrEnum):
    """NVIDIA compute mode; anything but DEFAULT restricts who may use the card."""

    DEFAULT = "default"
    EXCLUSIVE_THREAD = "exclusive_thread"
    EXCLUSIVE_PROCESS = "exclusive_process"
    PROHIBITED = "prohibited"


class DriverModel(StrEnum):
    """Windows driver model of a card."""

    WDDM = "wddm"
    TCC = "tcc"
    MCDM = "mcdm"


@dataclass(frozen=True, kw_only=True)
class GpuProcess(Record):
    """A process that uses a card.

    Attributes:
        kind: ``compute``, ``graphics`` or ``both``.
        memory_used_bytes: None where the driver does not tell (WDDM, no permission).
        mig_index: Slice it runs on, None for the whole card.
    """

    pid: int
    kind: str = public_text("compute")
    name: str | None = None
    user: str | None = None
    memory_used_bytes: int | None = None
    mig_index: int | None = None


@dataclass(frozen=True, kw_only=True)
class MigInstance(Record):
    """A MIG slice of a card.

    Attributes:
        index: Number of the slice on its card.
        profile: Like ``3g.40gb``, None when the driver does not tell.
        sm_count: Multiprocessors of the slice.
    """

    index: int
    uuid: str | None = pseudonym()
    profile: str | None = public_text()
    gpu_instance_id: int | None = None
    compute_instance_id: int | None = None
    memory_total_bytes: int | None = None
    memory_used_bytes: int | None = None
    sm_count: int | None = None


@dataclass(frozen=True, kw_only=True)
class PcieLink(Record):
    """The PCI Express link, now and at best; an idle card runs at a lower generation than it can."""

    generation: int | None = None
    width: int | None = None
    max_generation: int | None = None
    max_width: int | None = None


@dataclass(frozen=True, kw_only=True)
class NvLink(Record):
    """One NVLink port of a card."""

    index: int
    is_active: bool | None = None
    version: int | None = None
    remote_pci_bus_id: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class Gpu(Record):
    """One card.

    Attributes:
        index: Position in the vendor library's order (PCI bus order for NVIDIA), from 0.
        name: As the card or its PCI id tells; None when unknown.
        state: Whether it can be used; ``state_reason`` says why not.
        serial: Private, never leaves the machine.
        pci_bus_id: ``00000000:01:00.0``, lower case.
        pci_id: Vendor and device, ``10de:2684``, lower case.
        memory_total_bytes: What the driver reports; less than the name plate.
        memory_reserved_bytes: Held by the driver itself, not part of used.
        memory_is_shared: Memory is the system's own (integrated, GB10, Jetson).
        compute_capability: ``8.9``; for AMD the ``gfx`` target is in ``target`` instead.
        compute_capability_origin: CATALOGUE when the card could not be asked.
        catalogue_id: Row of the GPU catalogue, None when not listed.
        display_active: A screen is drawn by this card.
        absent: Reason by field name for readings that are None.
    """

    index: int
    vendor: Vendor
    state: GpuState = GpuState.READY
    state_reason: Message | None = None
    name: str | None = public_text()
    uuid: str | None = pseudonym()
    serial: str | None = None
    pci_bus_id: str | None = public_text()
    pci_id: str | None = public_text()
    pci_subsystem_id: str | None = public_text()
    memory_total_bytes: int | None = None
    memory_used_bytes: int | None = None
    memory_free_bytes: int | None = None
    memory_reserved_bytes: int | None = None
    memory_is_shared: bool = False
    compute_capability: str | None = public_text()
    compute_capability_origin: ValueOrigin | None = None
    target: str | None = public_text()
    architecture: str | None = public_text()
    catalogue_id: str | None = public_text()
    sm_count: int | None = None
    pcie: PcieLink | None = None
    nvlinks: tuple[NvLink, ...] = ()
    mig_enabled: bool | None = None
    mig_instances: tuple[MigInstance, ...] = ()
    compute_mode: ComputeMode | None = None
    ecc_enabled: bool | None = None
    persistence_enabled: bool | None = None
    driver_model: DriverModel | None = None
    power_limit_w: float | None = None
    power_limit_default_w: float | None = None
    power_limit_min_w: float | None = None
    power_limit_max_w: float | None = None
    temperature_slowdown_c: int | None = None
    temperature_shutdown_c: int | None = None
    display_active: bool | None = None
    bound_driver: str | None = public_text()
    processes: tuple[GpuProcess, ...] | None = None
    device_node: str | None = path_text()
    absent: Mapping[str, Message] = field(default_factory=dict)
