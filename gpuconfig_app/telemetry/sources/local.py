"""This machine as a source: NVIDIA's cards through the driver's own library, others from ``/sys`` or their tool.

A card that is powered down is seen by the kernel's word alone and not woken; the library is not even started while all
cards sleep (design decision 6).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.live_readers import make_reader
from gpuconfig_app.hardware.nvidia_kernel import is_suspended
from gpuconfig_app.hardware.nvidia_reader import NvidiaReader
from gpuconfig_app.hardware.readings import CardReader, DeviceReadings
from gpuconfig_app.telemetry.liveness import SILENT_AFTER_S

_FROM_FILES = frozenset({Vendor.AMD, Vendor.INTEL})
_FROM_TOOLS = frozenset({Vendor.HUAWEI, Vendor.HYGON})
# Seen on the bus by a version that could not read the maker's cards.
_BUS_ALONE = Message("host.vendor-not-read")


class LocalSource:
    """Reads the cards that ``survey()`` found, and their slices.

    Args:
        report: This machine; a card whose driver is missing is left out.
        wakes_sleeping_gpus: Read cards that are powered down too, which wakes them.
        clock: Gives the times of the samples.
        reader: Asks NVIDIA's driver; a stand-in for tests.
        root: Where the file system begins, for tests.
    """

    def __init__(
        self,
        report: SystemReport,
        *,
        wakes_sleeping_gpus: bool = False,
        clock: Clock | None = None,
        reader: CardReader | None = None,
        root: Path = Path("/"),
    ) -> None:
        self._machine = report.machine_id
        self._wakes = wakes_sleeping_gpus
        self._clock = clock or SystemClock()
        # Whether a card sleeps is seen here, before the library is started; the reader need not look again.
        nvidia: CardReader = reader or NvidiaReader(wakes_sleeping_gpus=True, root=root)
        self._root = root
        cards = [gpu for gpu in report.gpus if _is_read(gpu)]
        self._vendors = {gpu.index: gpu.vendor for gpu in cards}
        self._readers = _readers(cards, nvidia, root)
        self._bus_ids = {gpu.index: gpu.pci_bus_id for gpu in cards if gpu.pci_bus_id is not None}
        self._keys = tuple(key for gpu in cards for key in _keys(self._machine, gpu))
        self._why_none = _why_none(report)
        self._locks = {vendor: threading.Lock() for vendor in self._readers}
        self._opened: set[Vendor] = set()
        self._asked_s: dict[int, float] = {}
        self._slices: dict[tuple[int, int], DeviceReadings] = {}

    @property
    def machine(self) -> str:
        """Give the machine's id."""
        return self._machine

    def open(self) -> Message | None:
        """Start the drivers' libraries unless all their cards sleep; the reason when there is no card to read."""
        if not self._keys:
            return self._why_none
        for vendor in dict.fromkeys(self._vendors.values()):
            if not all(self._is_asleep(index) for index, own in self._vendors.items() if own is vendor):
                self._start(vendor)
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
        vendor = self._vendors[index]
        trouble = self._start(vendor)
        if trouble is not None:
            return DeviceReadings(liveness=Liveness.LOST, error=trouble)
        reader = self._readers[vendor]
        return reader.read_slow(index) if is_slow else reader.read_fast(index)

    def _slice_readings(self, index: int, slice_index: int, *, is_slow: bool) -> DeviceReadings:
        asked_s = self._asked_s.get(index)
        if asked_s is not None and self._clock.monotonic() - asked_s >= SILENT_AFTER_S:
            return DeviceReadings(liveness=Liveness.SILENT)
        found = self._slices.get((index, slice_index), DeviceReadings(liveness=Liveness.WAITING))
        return DeviceReadings(liveness=found.liveness) if is_slow else found

    def _start(self, vendor: Vendor) -> Message | None:
        """Start a maker's library once; the reason when it can't be started now. The next call tries again."""
        with self._locks[vendor]:
            if vendor in self._opened:
                return None
            own = {index: bus_id for index, bus_id in self._bus_ids.items() if self._vendors.get(index) is vendor}
            trouble = self._readers[vendor].open(own)
            if trouble is None:
                self._opened.add(vendor)
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


def _is_read(gpu: Gpu) -> bool:
    """Whether a card can be read live; graphics of the processor tell too little to be worth a graph."""
    if gpu.state is GpuState.DRIVER_MISSING:
        return False
    if gpu.vendor in _FROM_FILES:
        return gpu.pci_bus_id is not None and not gpu.memory_is_shared and gpu.state_reason != _BUS_ALONE
    return gpu.vendor is Vendor.NVIDIA or (gpu.vendor in _FROM_TOOLS and gpu.state_reason != _BUS_ALONE)


def _readers(cards: Sequence[Gpu], nvidia: CardReader, root: Path) -> dict[Vendor, CardReader]:
    readers = {Vendor.NVIDIA: nvidia}
    for vendor in {gpu.vendor for gpu in cards}:
        reader = make_reader(vendor, [gpu for gpu in cards if gpu.vendor is vendor], root)
        if reader is not None:
            readers[vendor] = reader
    return readers


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
