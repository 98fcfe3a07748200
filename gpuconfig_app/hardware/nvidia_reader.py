"""Live readings of NVIDIA's cards for telemetry: what is cheap in every round, what takes long in a slower one.

A card that fails gives its reason and is asked anew in the next round, so that readings go on by themselves when it
comes back. Threads, pace and history are telemetry's work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pynvml

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.hardware import nvidia_nvml as nvml
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware.backend import DetectOptions, normal_bus_id
from gpuconfig_app.hardware.nvidia_kernel import is_suspended, read_kernel_driver
from gpuconfig_app.hardware.nvidia_memory import MemoryFigures, read_memory
from gpuconfig_app.hardware.nvidia_mig import slice_handles
from gpuconfig_app.hardware.nvidia_nvml import Handle, Trouble, ask
from gpuconfig_app.hardware.nvidia_processes import ProcessNames, read_processes
from gpuconfig_app.hardware.readings import FAST_METRICS, DeviceReadings

# A reading that the card does not have is asked for again after so many rounds, in case the driver was changed.
_ROUNDS_BEFORE_ASKING_AGAIN = 120
_LASTING = (nvml.NOT_SUPPORTED, nvml.DRIVER_TOO_OLD)
# Bits of the clock event reasons that hold a card down. Idle and clocks chosen by the user are no throttling.
_THROTTLE_BITS = {
    0x0004: "power_cap",
    0x0008: "hw_slowdown",
    0x0010: "sync_boost",
    0x0020: "sw_thermal",
    0x0040: "hw_thermal",
    0x0080: "hw_power_brake",
}


class NvidiaReader:
    """Reads the cards of this machine again and again.

    ``read_fast`` and ``read_slow`` may be called from several threads; one card's call never waits for another's.

    Args:
        wakes_sleeping_gpus: Read cards that are powered down too, which wakes them.
        root: Where the file system begins, for tests.
    """

    def __init__(self, *, wakes_sleeping_gpus: bool = False, root: Path = Path("/")) -> None:
        self._wakes = wakes_sleeping_gpus
        self._root = root
        self._cards: dict[int, _LiveCard] = {}
        self._lock = threading.Lock()
        self._is_open = False

    def open(self, bus_ids: Mapping[int, str] | None = None) -> Message | None:
        """Start the library; may take seconds. None when there are cards, else the reason why there are none.

        Args:
            bus_ids: PCI address by index as ``survey()`` found it, used to tell a sleeping card; default from the
                kernel.
        """
        trouble = self._start()
        if trouble is not None:
            kernel = read_kernel_driver(self._root)
            options = DetectOptions(pci_bus_ids=kernel.card_bus_ids)
            return reasons.library_status(trouble, options, nvml.read_library_version(), kernel.version).reason
        count = ask("nvmlDeviceGetCount", int)
        if isinstance(count, Trouble) or count == 0:
            return reasons.why_missing(count) if isinstance(count, Trouble) else Message("hardware.no-nvidia-card")
        known = read_kernel_driver(self._root).card_bus_ids or ()
        places = dict(enumerate(known)) if len(known) == count else {}
        places |= {index: normal_bus_id(bus_id) for index, bus_id in (bus_ids or {}).items()}
        self._cards = {index: _LiveCard(index, places.get(index)) for index in range(count)}
        return None

    @property
    def device_count(self) -> int:
        """Number of cards found by ``open``."""
        return len(self._cards)

    def read_fast(self, index: int) -> DeviceReadings:
        """Read what costs microseconds: use, memory, heat, power, clocks."""
        return self._read(index, _LiveCard.read_fast)

    def read_slow(self, index: int) -> DeviceReadings:
        """Read what takes long: PCIe throughput (the driver watches the bus for 20 ms each way) and processes."""
        return self._read(index, _LiveCard.read_slow)

    def close(self) -> None:
        """Stop using the library. Not while a call hangs: then leave it open, the process's end closes it."""
        with self._lock:
            if self._is_open:
                self._is_open = False
                nvml.close_library()

    def _start(self) -> Trouble | None:
        with self._lock:
            trouble = nvml.open_library()
            self._is_open = self._is_open or trouble is None
            return trouble

    def _read(self, index: int, look: Callable[[_LiveCard, Handle], DeviceReadings]) -> DeviceReadings:
        card = self._cards.get(index)
        if card is None:
            return DeviceReadings(liveness=Liveness.LOST, error=Message("hardware.gpu-lost"))
        if not self._wakes and card.bus_id is not None and is_suspended(card.bus_id, self._root):
            return DeviceReadings(liveness=Liveness.ASLEEP, error=reasons.ASLEEP)
        handle = card.handle()
        if isinstance(handle, Trouble) and handle.code == nvml.UNINITIALIZED:  # the driver was unloaded meanwhile
            trouble = self._start()
            handle = card.handle() if trouble is None else trouble
        if isinstance(handle, Trouble):
            return _failed(handle)
        readings = look(card, handle)
        if readings.error is not None:
            card.forget_handle()
        return readings


class _LiveCard:
    """One card: its handle, and what it is known not to tell."""

    def __init__(self, index: int, bus_id: str | None) -> None:
        self.index = index
        self.bus_id = bus_id
        self._handle: Handle = None
        self._names = ProcessNames()
        self._never: dict[tuple[object, ...], tuple[Trouble, int]] = {}
        self._slices: dict[int, Handle] = {}
        self._instances: dict[int, int] = {}
        self._is_cut = False
        self._rounds = 0

    def handle(self) -> Handle | Trouble:
        """Give the card's handle, asked for anew after a fault."""
        if self._handle is None:
            found = ask("nvmlDeviceGetHandleByIndex", _as_is, self.index)
            if isinstance(found, Trouble):
                return found
            self._handle = found
            self._look_for_slices(found)
        return self._handle

    def forget_handle(self) -> None:
        """Ask for the handle anew next time."""
        self._handle = None
        self._never.clear()

    def read_fast(self, handle: Handle) -> DeviceReadings:
        """Read use, memory, heat, power, clocks."""
        self._rounds += 1
        got = _Round()
        use = self._ask("nvmlDeviceGetUtilizationRates", _use, handle)
        whole_card = reasons.MIG_NOT_FOR_WHOLE_CARD if self._is_cut else None
        got.put(Metric.UTILIZATION_PCT, use if isinstance(use, Trouble) else use[0], whole_card)
        got.put(Metric.MEMORY_UTILIZATION_PCT, use if isinstance(use, Trouble) else use[1], whole_card)
        memory = read_memory(handle)
        shared = reasons.MEMORY_SHARED if not self._is_cut else None
        got.put(Metric.MEMORY_USED_BYTES, memory if isinstance(memory, Trouble) else memory.used_bytes, shared)
        got.put(Metric.TEMPERATURE_C, self._ask("nvmlDeviceGetTemperature", float, handle, pynvml.NVML_TEMPERATURE_GPU))
        got.put(Metric.MEMORY_TEMPERATURE_C, self._ask("nvmlDeviceGetFieldValues", _field, handle, _MEMORY_TEMPERATURE))
        got.put(Metric.POWER_W, self._ask("nvmlDeviceGetPowerUsage", _watt, handle))
        got.put(Metric.FAN_PCT, self._ask("nvmlDeviceGetFanSpeed", float, handle))
        got.put(Metric.CLOCK_SM_MHZ, self._ask("nvmlDeviceGetClockInfo", float, handle, pynvml.NVML_CLOCK_SM))
        got.put(Metric.CLOCK_MEMORY_MHZ, self._ask("nvmlDeviceGetClockInfo", float, handle, pynvml.NVML_CLOCK_MEM))
        got.put(Metric.ENCODER_PCT, self._ask("nvmlDeviceGetEncoderUtilization", _first, handle), whole_card)
        got.put(Metric.DECODER_PCT, self._ask("nvmlDeviceGetDecoderUtilization", _first, handle), whole_card)
        slices = {index: _read_slice(one) for index, one in self._slices.items()}
        return got.readings(throttle_reasons=self._throttle(handle), slices=slices)

    def read_slow(self, handle: Handle) -> DeviceReadings:
        """Read PCIe throughput, processes, and whether the card was cut into slices meanwhile."""
        got = _Round()
        for metric, counter in ((Metric.PCIE_TX_BYTES_S, 0), (Metric.PCIE_RX_BYTES_S, 1)):
            got.put(metric, self._ask("nvmlDeviceGetPcieThroughput", _kilobytes, handle, counter))
        if got.fatal is None:
            self._look_for_slices(handle)
        listed = read_processes(handle, self._names, self._instances)
        processes = None if isinstance(listed, Trouble) else listed
        if isinstance(listed, Trouble) and listed.ends_the_card:
            got.fatal = listed
        return got.readings(processes=processes)

    def _look_for_slices(self, handle: Handle) -> None:
        mode = self._ask("nvmlDeviceGetMigMode", _first, handle)
        self._is_cut = not isinstance(mode, Trouble) and mode > 0
        self._slices = slice_handles(handle) if self._is_cut else {}
        instances = {index: ask("nvmlDeviceGetGpuInstanceId", int, one) for index, one in self._slices.items()}
        self._instances = {gi: index for index, gi in instances.items() if not isinstance(gi, Trouble)}

    def _throttle(self, handle: Handle) -> tuple[str, ...] | None:
        bits = self._ask("nvmlDeviceGetCurrentClocksEventReasons", int, handle)
        if isinstance(bits, Trouble):
            bits = self._ask("nvmlDeviceGetCurrentClocksThrottleReasons", int, handle)
        if isinstance(bits, Trouble):
            return None
        return tuple(word for bit, word in _THROTTLE_BITS.items() if bits & bit)

    def _ask(self, function: str, convert: Callable[[Any], float], *arguments: object) -> Any:  # Any: float or pair
        """Ask like ``nvml.ask``, but leave out for a while what this card does not have."""
        key = (function, *arguments[1:])
        known = self._never.get(key)
        if known is not None and self._rounds < known[1]:
            return known[0]
        answer = ask(function, convert, *arguments)
        if isinstance(answer, Trouble) and answer.code in _LASTING:
            self._never[key] = (answer, self._rounds + _ROUNDS_BEFORE_ASKING_AGAIN)
        return answer


class _Round:
    """Values and reasons of one look."""

    def __init__(self) -> None:
        self.fatal: Trouble | None = None
        self._values: dict[Metric, float] = {}
        self._absent: dict[Metric, Message] = {}

    def put(self, metric: Metric, answer: float | Trouble, unsupported: Message | None = None) -> None:
        """Keep a value, or its reason; ``unsupported`` replaces the general sentence for "does not have it"."""
        if not isinstance(answer, Trouble):
            self._values[metric] = float(answer)
            return
        if answer.ends_the_card:
            self.fatal = answer
        is_lasting = unsupported is not None and answer.code == nvml.NOT_SUPPORTED
        self._absent[metric] = unsupported if is_lasting and unsupported else reasons.why_missing(answer)

    def readings(
        self,
        throttle_reasons: tuple[str, ...] | None = None,
        processes: tuple[GpuProcess, ...] | None = None,
        slices: Mapping[int, DeviceReadings] | None = None,
    ) -> DeviceReadings:
        """Give the round's outcome: all of it, or the fault when the card failed on the way."""
        if self.fatal is not None:
            return _failed(self.fatal)
        return DeviceReadings(
            values=self._values,
            absent=self._absent,
            throttle_reasons=throttle_reasons,
            processes=processes,
            slices=slices or {},
        )


def _failed(trouble: Trouble) -> DeviceReadings:
    liveness, error = reasons.card_liveness(trouble)
    return DeviceReadings(liveness=liveness, error=error)


def _read_slice(handle: Handle) -> DeviceReadings:
    memory = read_memory(handle)
    absent = dict.fromkeys(FAST_METRICS, reasons.MIG_NOT_FOR_SLICES)
    if not isinstance(memory, MemoryFigures):
        return DeviceReadings(absent=absent | {Metric.MEMORY_USED_BYTES: reasons.why_missing(memory)})
    del absent[Metric.MEMORY_USED_BYTES]
    return DeviceReadings(values={Metric.MEMORY_USED_BYTES: float(memory.used_bytes)}, absent=absent)


_MEMORY_TEMPERATURE = (pynvml.NVML_FI_DEV_MEMORY_TEMP,)


def _as_is(value: Handle) -> Handle:
    return value


def _use(rates: Any) -> Any:  # Any: structure of pynvml; a pair of percentages comes back
    return float(rates.gpu), float(rates.memory)


def _first(pair: Any) -> float:  # Any: pynvml gives [value, sampling period] or [current, pending]
    return float(pair[0])


def _watt(milliwatt: Any) -> float:  # Any: int of pynvml
    return int(milliwatt) / 1000.0


def _kilobytes(kilobytes: Any) -> float:  # Any: int of pynvml, KB per second
    return int(kilobytes) * 1000.0


def _field(values: Any) -> float:  # Any: array of structures of pynvml
    if int(values[0].nvmlReturn) != pynvml.NVML_SUCCESS:
        raise pynvml.NVMLError(int(values[0].nvmlReturn))
    return float(values[0].value.uiVal)
