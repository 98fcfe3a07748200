"""This machine as a source: NVIDIA's cards through the driver's own library.

A card that is powered down is seen by the kernel's word alone and not woken; the library is not even started while all
cards sleep (design decision 6).
"""

from __future__ import annotations

import threading
from pathlib import Path

from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.nvidia_kernel import is_suspended
from gpuconfig_app.hardware.nvidia_reader import NvidiaReader
from gpuconfig_app.hardware.readings import DeviceReadings
from gpuconfig_app.telemetry.liveness import SILENT_AFTER_S


class LocalSource:
    """Reads the cards that ``survey()`` found, and their slices.

    Args:
        report: This machine; a card whose driver is missing is left out.
        wakes_sleeping_gpus: Read cards that are powered down too, which wakes them.
        clock: Gives the times of the samples.
        reader: Asks the driver; a stand-in for tests.
        root: Where the file system begins, for tests.
    """

    def __init__(
        self,
        report: SystemReport,
        *,
        wakes_sleeping_gpus: bool = False,
        clock: Clock | None = None,
        reader: NvidiaReader | None = None,
        root: Path = Path("/"),
    ) -> None:
        self._machine = report.machine_id
        self._wakes = wakes_sleeping_gpus
        self._clock = clock or SystemClock()
        # Whether a card sleeps is seen here, before the library is started; the reader need not look again.
        self._reader = reader or NvidiaReader(wakes_sleeping_gpus=True, root=root)
        self._root = root
        cards = [gpu for gpu in report.gpus if gpu.vendor is Vendor.NVIDIA and gpu.state is not GpuState.DRIVER_MISSING]
        self._bus_ids = {gpu.index: gpu.pci_bus_id for gpu in cards if gpu.pci_bus_id is not None}
        self._keys = tuple(key for gpu in cards for key in _keys(self._machine, gpu))
        self._why_none = _why_none(report)
        self._lock = threading.Lock()
        self._is_open = False
        self._asked_s: dict[int, float] = {}
        self._slices: dict[tuple[int, int], DeviceReadings] = {}

    @property
    def machine(self) -> str:
        """Give the machine's id."""
        return self._machine

    def open(self) -> Message | None:
        """Start the driver's library unless all cards sleep; the reason when there is no card to read."""
        if not self._keys:
            return self._why_none
        if not all(self._is_asleep(index) for index in {_index(key) for key in self._keys}):
            self._start()
        return None

    def keys(self) -> tuple[DeviceKey, ...]:
        """Give the cards in the driver's order, each followed by its slices."""
        return self._keys

    def read(self, key: DeviceKey, *, is_slow: bool) -> Sample:
        """Look at one card once. A slice's readings come with its card's and cost no call of their own."""
        index, slice_index = _index(key), _slice_index(key)
        if slice_index is not None:
            return self._sample(key, self._slice_readings(index, slice_index, is_slow=is_slow))
        if not is_slow:
            self._asked_s[index] = self._clock.monotonic()
        readings = self._card_readings(index, is_slow=is_slow)
        if not is_slow:
            self._asked_s.pop(index, None)
            for number in {number for card, number in self._slices if card == index} | set(readings.slices):
                self._slices[index, number] = readings.slices.get(number, DeviceReadings(liveness=readings.liveness))
        return self._sample(key, readings)

    def _card_readings(self, index: int, *, is_slow: bool) -> DeviceReadings:
        if self._is_asleep(index):
            return DeviceReadings(liveness=Liveness.ASLEEP, error=Message("telemetry.asleep"))
        trouble = self._start()
        if trouble is not None:
            return DeviceReadings(liveness=Liveness.LOST, error=trouble)
        return self._reader.read_slow(index) if is_slow else self._reader.read_fast(index)

    def _slice_readings(self, index: int, slice_index: int, *, is_slow: bool) -> DeviceReadings:
        asked_s = self._asked_s.get(index)
        if asked_s is not None and self._clock.monotonic() - asked_s >= SILENT_AFTER_S:
            return DeviceReadings(liveness=Liveness.SILENT)
        found = self._slices.get((index, slice_index), DeviceReadings(liveness=Liveness.WAITING))
        return DeviceReadings(liveness=found.liveness) if is_slow else found

    def _start(self) -> Message | None:
        """Start the library once; the reason when it can't be started now. The next call tries again."""
        with self._lock:
            trouble = None if self._is_open else self._reader.open(self._bus_ids)
            self._is_open = trouble is None
            return trouble

    def _is_asleep(self, index: int) -> bool:
        bus_id = self._bus_ids.get(index)
        return not self._wakes and bus_id is not None and is_suspended(bus_id, self._root)

    def _sample(self, key: DeviceKey, readings: DeviceReadings) -> Sample:
        return Sample(
            key=key,
            taken_at=self._clock.now(),
            monotonic_s=self._clock.monotonic(),
            values=readings.values,
            absent=readings.absent,
            throttle_reasons=readings.throttle_reasons,
            processes=readings.processes,
            liveness=readings.liveness,
            error=readings.error,
        )


def _keys(machine: str, gpu: Gpu) -> tuple[DeviceKey, ...]:
    slices = (DeviceKey(machine, f"{gpu.index}/{instance.index}") for instance in gpu.mig_instances)
    return (DeviceKey(machine, str(gpu.index)), *slices)


def _index(key: DeviceKey) -> int:
    return int(key.device.partition("/")[0])


def _slice_index(key: DeviceKey) -> int | None:
    _, slash, number = key.device.partition("/")
    return int(number) if slash else None


def _why_none(report: SystemReport) -> Message:
    """Give why nothing can be read live: the card's own reason, the back-end's, or a vendor that is not read."""
    for gpu in report.gpus:
        if gpu.vendor is Vendor.NVIDIA and gpu.state_reason is not None:
            return gpu.state_reason
    status = report.backend(Vendor.NVIDIA)
    if status is not None and status.reason is not None:
        return status.reason
    other = next((gpu.vendor.value for gpu in report.gpus if gpu.vendor is not Vendor.NVIDIA), None)
    return Message("telemetry.vendor-not-read", {"vendor": other}) if other else Message("telemetry.no-devices")
