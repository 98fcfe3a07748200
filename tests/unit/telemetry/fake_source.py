"""A source that tests steer: answers, faults, and calls that hang until the test lets them go."""

from __future__ import annotations

import threading
from collections.abc import Callable

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample

WAIT_S = 20.0


class FakeSource:
    """Devices that answer as told.

    Attributes:
        gate: While it is cleared, reads of ``hanging`` devices do not return.
        lost: Devices that say they are lost.
        broken: Devices whose read raises.
        waiting: Devices that have nothing to tell yet.
    """

    def __init__(self, count: int = 1, machine: str = "this") -> None:
        self.machine = machine
        self.gate = threading.Event()
        self.gate.set()
        self.open_gate = threading.Event()
        self.open_gate.set()
        self.hanging: set[str] = set()
        self.hanging_slow: set[str] = set()
        self.lost: set[str] = set()
        self.broken: set[str] = set()
        self.waiting: set[str] = set()
        self.waited = threading.Event()
        self.entered = threading.Event()
        self.reads = 0
        self._keys = tuple(DeviceKey(machine, str(number)) for number in range(count))

    def open(self) -> Message | None:
        self.open_gate.wait(WAIT_S)
        return None if self._keys else Message("telemetry.no-devices")

    def keys(self) -> tuple[DeviceKey, ...]:
        return self._keys

    def read(self, key: DeviceKey, *, is_slow: bool) -> Sample:
        self.reads += 1
        if key.device in (self.hanging_slow if is_slow else self.hanging) and not self.gate.is_set():
            self.entered.set()
            self.gate.wait(WAIT_S)
        if key.device in self.waiting:
            self.waited.set()
            return Sample(key=key, taken_at=0.0, monotonic_s=0.0, liveness=Liveness.WAITING)
        if key.device in self.broken:
            raise RuntimeError("a bug of this source")
        if key.device in self.lost:
            return Sample(key=key, taken_at=0.0, monotonic_s=0.0, liveness=Liveness.LOST, error=Message("x.lost"))
        metric = Metric.PCIE_TX_BYTES_S if is_slow else Metric.UTILIZATION_PCT
        return Sample(key=key, taken_at=0.0, monotonic_s=0.0, values={metric: 50.0})


class Receiver:
    """Keeps samples and waits for one of a kind, without sleeping."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self._arrived = threading.Condition()

    def __call__(self, sample: Sample) -> None:
        with self._arrived:
            self.samples.append(sample)
            self._arrived.notify_all()

    def wait(self, fits: Callable[[Sample], bool], *, count: int = 1, after: int = 0) -> list[Sample]:
        """Wait until ``count`` fitting samples came after the first ``after`` ones."""
        with self._arrived:
            is_there = self._arrived.wait_for(lambda: len(self._found(fits, after)) >= count, WAIT_S)
            assert is_there, f"never came; there were {self.samples[-5:]}"
            return self._found(fits, after)

    def is_quiet_for(self, seconds: float) -> bool:
        """Wait for a sample to come; True when none did."""
        with self._arrived:
            count = len(self.samples)
            return not self._arrived.wait_for(lambda: len(self.samples) > count, seconds)

    def mark(self) -> int:
        """Give the number of samples so far."""
        with self._arrived:
            return len(self.samples)

    def _found(self, fits: Callable[[Sample], bool], after: int) -> list[Sample]:
        return [sample for sample in self.samples[after:] if fits(sample)]
