"""What one look at one card gives, whatever its vendor: the parts of a ``Sample`` that need no key and no clock.

And which readings owe a reason when they are missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Liveness, Metric

# PCIe counters watch the bus for 20 ms each; they are read apart from everything else.
SLOW_METRICS = (Metric.PCIE_TX_BYTES_S, Metric.PCIE_RX_BYTES_S)
FAST_METRICS = tuple(metric for metric in Metric if metric not in SLOW_METRICS)
# Fields of Gpu that describe a reading of the card and therefore need a reason when they are None.
REASONED_FIELDS = (
    "name",
    "uuid",
    "serial",
    "pci_bus_id",
    "pci_id",
    "pci_subsystem_id",
    "memory_total_bytes",
    "memory_used_bytes",
    "memory_free_bytes",
    "memory_reserved_bytes",
    "compute_capability",
    "architecture",
    "sm_count",
    "pcie",
    "mig_enabled",
    "compute_mode",
    "ecc_enabled",
    "persistence_enabled",
    "driver_model",
    "power_limit_w",
    "power_limit_default_w",
    "power_limit_min_w",
    "power_limit_max_w",
    "temperature_slowdown_c",
    "temperature_shutdown_c",
    "display_active",
    "processes",
)


@dataclass(frozen=True, kw_only=True)
class DeviceReadings:
    """Readings of one card, or of one of its slices.

    Attributes:
        values: In the unit of each metric's name.
        absent: Reason for every metric of this look that is not in ``values``.
        throttle_reasons: ``power_cap``, ``hw_thermal`` …; None when not known or not asked in this look.
        processes: None when they were not asked in this look or can't be read.
        slices: Readings of MIG slices by index, as far as there are any.
        error: The card failed as a whole; ``liveness`` says how, and there are no values.
    """

    values: Mapping[Metric, float] = field(default_factory=dict)
    absent: Mapping[Metric, Message] = field(default_factory=dict)
    throttle_reasons: tuple[str, ...] | None = None
    processes: tuple[GpuProcess, ...] | None = None
    slices: Mapping[int, DeviceReadings] = field(default_factory=dict)
    liveness: Liveness = Liveness.LIVE
    error: Message | None = None


class CardReader(Protocol):
    """Reads the cards of one maker again and again, by the index the report gives them.

    For authors: may be called from several threads. A missing reading has its reason; nothing is ever 0 for unknown.
    """

    def open(self, bus_ids: Mapping[int, str] | None = None) -> Message | None:
        """Make ready; the reason when there is no card to read.

        Args:
            bus_ids: PCI address by index.
        """
        ...

    def read_fast(self, index: int) -> DeviceReadings:
        """Read what costs little."""
        ...

    def read_slow(self, index: int) -> DeviceReadings:
        """Read what takes long."""
        ...
