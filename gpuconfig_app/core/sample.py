"""Live readings: one sample is one look at one device at one time.

Samples are keyed by machine and device so that a recorded or remote machine never mixes with this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import Message


class Metric(StrEnum):
    """What is measured, with its unit in the name."""

    UTILIZATION_PCT = "utilization_pct"
    MEMORY_UTILIZATION_PCT = "memory_utilization_pct"
    MEMORY_USED_BYTES = "memory_used_bytes"
    TEMPERATURE_C = "temperature_c"
    MEMORY_TEMPERATURE_C = "memory_temperature_c"
    POWER_W = "power_w"
    FAN_PCT = "fan_pct"
    CLOCK_SM_MHZ = "clock_sm_mhz"
    CLOCK_MEMORY_MHZ = "clock_memory_mhz"
    PCIE_TX_BYTES_S = "pcie_tx_bytes_s"
    PCIE_RX_BYTES_S = "pcie_rx_bytes_s"
    ENCODER_PCT = "encoder_pct"
    DECODER_PCT = "decoder_pct"


@dataclass(frozen=True, order=True)
class DeviceKey:
    """A device of a machine.

    Attributes:
        machine: ``SystemReport.machine_id``.
        device: ``0`` for a card, ``0/1`` for slice 1 of card 0.
    """

    machine: str
    device: str


class Liveness(StrEnum):
    """How fresh the readings of a device are."""

    WAITING = "waiting"
    LIVE = "live"
    STALE = "stale"
    SILENT = "silent"
    LOST = "lost"
    ASLEEP = "asleep"
    ENDED = "ended"


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Readings of one device at one moment.

    Attributes:
        taken_at: Wall time in seconds since the epoch, when the last call returned.
        monotonic_s: Monotonic time of the same moment.
        values: Only what was really read; a missing metric has its reason in ``absent``.
        throttle_reasons: Why the clocks are held down (``thermal``, ``power_cap``, ``hw_slowdown`` …), empty when they
            are not, None when not known.
        processes: None when they were not asked in this round or can't be read.
        error: The device failed as a whole (lost, no permission); values are then empty.
    """

    key: DeviceKey
    taken_at: float
    monotonic_s: float
    values: Mapping[Metric, float] = field(default_factory=dict)
    absent: Mapping[Metric, Message] = field(default_factory=dict)
    throttle_reasons: tuple[str, ...] | None = None
    processes: tuple[GpuProcess, ...] | None = None
    liveness: Liveness = Liveness.LIVE
    error: Message | None = None
