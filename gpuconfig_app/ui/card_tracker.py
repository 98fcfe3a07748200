"""The last good readings of each device, put together from samples that carry only a part of them.

Fast and slow readings come in samples of their own, and a device that falls silent sends one without values: what was
read before must stay visible, with its age.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Liveness, Metric, Sample

CURVE_S = 60.0


@dataclass(frozen=True)
class DeviceReadings:
    """What is known of one device now.

    Attributes:
        values: Newest value of each metric, however old.
        absent: Why a metric has no value.
        read_at: Wall time of the last values, None before the first.
        read_s: The same in monotonic seconds.
        said: Liveness of the last sample.
        error: Sentence of the last sample that failed.
    """

    values: Mapping[Metric, float] = field(default_factory=dict)
    absent: Mapping[Metric, Message] = field(default_factory=dict)
    processes: tuple[GpuProcess, ...] | None = None
    throttle_reasons: tuple[str, ...] | None = None
    read_at: float | None = None
    read_s: float | None = None
    said: Liveness = Liveness.WAITING
    error: Message | None = None


class CardTracker:
    """Readings and the last minute of utilisation, by device (``0``, ``0/1``)."""

    def __init__(self) -> None:
        self._readings: dict[str, DeviceReadings] = {}
        self._curves: dict[str, deque[tuple[float, float]]] = {}

    def clear(self) -> None:
        """Forget everything; another machine is open."""
        self._readings.clear()
        self._curves.clear()

    def take(self, samples: Iterable[Sample]) -> set[str]:
        """Take samples in; gives the devices that have news."""
        changed = set()
        for sample in samples:
            device = sample.key.device
            self._readings[device] = _merged(self.readings(device), sample)
            utilization = sample.values.get(Metric.UTILIZATION_PCT)
            if utilization is not None:
                self._add_point(device, sample.monotonic_s, utilization)
            changed.add(device)
        return changed

    def readings(self, device: str) -> DeviceReadings:
        """Give what is known of a device."""
        return self._readings.get(device, DeviceReadings())

    def curve(self, device: str) -> tuple[tuple[float, float], ...]:
        """Give the last minute of utilisation as (monotonic seconds, percent), oldest first."""
        return tuple(self._curves.get(device, ()))

    def preload(self, device: str, points: Iterable[tuple[float, float]]) -> None:
        """Begin a curve with points that were read before the page was opened."""
        for moment, value in points:
            self._add_point(device, moment, value)

    def _add_point(self, device: str, moment: float, value: float) -> None:
        points = self._curves.setdefault(device, deque())
        if points and moment <= points[-1][0]:
            return
        points.append((moment, value))
        while points and points[0][0] < moment - CURVE_S - 5:
            points.popleft()


def _merged(known: DeviceReadings, sample: Sample) -> DeviceReadings:
    kept = {metric: value for metric, value in known.values.items() if metric not in sample.absent}
    if not sample.values:
        return replace(
            known,
            values=kept,
            said=sample.liveness,
            error=sample.error,
            absent={**known.absent, **sample.absent},
            processes=sample.processes if sample.processes is not None else known.processes,
        )
    missing = {metric: reason for metric, reason in known.absent.items() if metric not in sample.values}
    return DeviceReadings(
        values={**kept, **sample.values},
        absent={**missing, **sample.absent},
        processes=sample.processes if sample.processes is not None else known.processes,
        throttle_reasons=(sample.throttle_reasons if sample.throttle_reasons is not None else known.throttle_reasons),
        read_at=sample.taken_at,
        read_s=sample.monotonic_s,
        said=sample.liveness,
        error=sample.error,
    )
