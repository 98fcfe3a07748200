"""The live readings of the window: which source is sampled, where samples go, and how it stops.

The sampler's threads are daemons; stopping asks them to end and never waits for a driver call.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.sample import DeviceKey, Liveness, Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.storage.settings import Settings
from gpuconfig_app.telemetry.alarms import DeviceLimits
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.telemetry.sampler import Sampler
from gpuconfig_app.telemetry.sources import Source
from gpuconfig_app.telemetry.sources.local import LocalSource
from gpuconfig_app.telemetry.sources.recorded import RecordedSource, part_of
from gpuconfig_app.workbench.machine import OpenMachine

logger = logging.getLogger(__name__)


class LiveSampling:
    """Sampling of the machine that is looked at.

    Args:
        put: Takes each sample, from the sampler's threads.

    Attributes:
        history: Readings of this machine since it was opened.
    """

    def __init__(self, clock: Clock, put: Callable[[Sample], None]) -> None:
        self._clock = clock
        self._put = put
        self._sampler: Sampler | None = None
        self.history = History()
        self.is_paused = False

    def open(self, machine: OpenMachine, settings: Settings, *, keeps_history: bool = False) -> None:
        """Begin to sample a machine; the former one is stopped.

        Args:
            keeps_history: It is the same machine, only its devices are others now.
        """
        self.stop()
        if not keeps_history:
            self._begin_history(machine, settings)
        self._sampler = Sampler(
            (self._source(machine, settings),),
            self._clock,
            self._take,
            interval_s=settings.sampling_interval_s,
            slow_interval_s=settings.slow_interval_s,
        )
        self._sampler.set_paused(self.is_paused)
        self._sampler.start()

    def _begin_history(self, machine: OpenMachine, settings: Settings) -> None:
        self.history = History(settings.history_hours, settings.sampling_interval_s)
        for sample in as_past(machine.samples, self._clock.monotonic()):
            self.history.add(part_of(sample, is_slow=False))
            self.history.add(part_of(sample, is_slow=True))

    def set_paused(self, is_paused: bool) -> None:  # the one thing it sets
        """Pause or go on; the history keeps what it has."""
        self.is_paused = is_paused
        if self._sampler is not None:
            self._sampler.set_paused(is_paused)

    def set_intervals(self, settings: Settings) -> None:
        """Take over changed intervals at once."""
        if self._sampler is not None:
            self._sampler.set_intervals(settings.sampling_interval_s, settings.slow_interval_s)

    def stop(self) -> None:
        """Ask the threads to end; returns at once."""
        if self._sampler is not None:
            self._sampler.stop()
            self._sampler = None

    def _take(self, sample: Sample) -> None:
        self.history.add(sample)
        self._put(sample)

    def _source(self, machine: OpenMachine, settings: Settings) -> Source:
        if machine.is_recorded:
            return RecordedSource(machine.report, machine.samples, self._clock)
        return LocalSource(machine.report, wakes_sleeping_gpus=settings.wakes_sleeping_gpus)


def as_past(samples: Sequence[Sample], now_s: float) -> list[Sample]:
    """Move recorded samples so that the last one is now: a recorded machine opens with the stretch it carries."""
    if not samples:
        return []
    shift_s = now_s - max(sample.monotonic_s for sample in samples)
    moved = (replace(sample, monotonic_s=sample.monotonic_s + shift_s) for sample in samples)
    return sorted(moved, key=lambda sample: sample.monotonic_s)


def devices_of(report: SystemReport | None) -> tuple[object, ...] | None:
    """Give what decides which devices are sampled; None when no machine is known yet.

    Other cards or slices, or a driver that answers now, need a new look at the source.
    """
    if report is None:
        return None
    return tuple(
        (gpu.index, gpu.pci_bus_id, gpu.state is GpuState.DRIVER_MISSING, tuple(one.index for one in gpu.mig_instances))
        for gpu in report.gpus
    )


def limits_of(report: SystemReport) -> dict[DeviceKey, DeviceLimits]:
    """Give the limits that the alarms of a machine compare with."""
    return {DeviceKey(report.machine_id, str(gpu.index)): DeviceLimits.of(gpu) for gpu in report.gpus}


def merged(older: Sample | None, newer: Sample) -> Sample:
    """Give the newest readings of a device: fast and slow looks come apart and complete each other.

    A sample that says the device is not live stands alone, so that no old number is shown as new.
    """
    if older is None or newer.liveness is not Liveness.LIVE or older.liveness is not Liveness.LIVE:
        return newer
    absent = {metric: reason for metric, reason in older.absent.items() if metric not in newer.values}
    kept = {metric: value for metric, value in older.values.items() if metric not in newer.absent}
    return replace(
        newer,
        values={**kept, **newer.values},
        absent={**absent, **newer.absent},
        throttle_reasons=newer.throttle_reasons if newer.throttle_reasons is not None else older.throttle_reasons,
        processes=newer.processes if newer.processes is not None else older.processes,
    )
