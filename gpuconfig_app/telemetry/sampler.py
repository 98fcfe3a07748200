"""Reads all devices of all sources at their pace and tells how fresh the readings are.

Two daemon threads per device (fast and slow readings), one per source that opens it, one that notices silence. No
thread is ever waited for: a driver call that hangs delays no other device, no pause, no stop and no exit.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Sample
from gpuconfig_app.telemetry.device_loop import DeviceLoop, Pace
from gpuconfig_app.telemetry.liveness import SILENT_AFTER_S, Heard, judge
from gpuconfig_app.telemetry.sources import Source

logger = logging.getLogger(__name__)
RETRY_S = 5.0
LEAST_INTERVAL_S = 0.05
LOOK_AT_LIVENESS_S = 0.5


@dataclass(frozen=True)
class DeviceStatus:
    """How a device stands now.

    Attributes:
        age_s: Time since its last answer, None before the first.
    """

    key: DeviceKey
    liveness: Liveness
    age_s: float | None


class Sampler:
    """Live readings of one or more machines.

    Args:
        sources: Who is asked.
        clock: Time of liveness and pace.
        on_sample: Called with each sample, from the sampler's threads, so it must be quick and thread-safe. A device
            that becomes stale or silent gives a sample without values that says so; it comes once, and the next real
            answer ends that state.
        interval_s: Between two looks at the fast readings.
        slow_interval_s: Between two looks at the slow ones.
        retry_s: Least time between two looks at a lost device.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        clock: Clock,
        on_sample: Callable[[Sample], None],
        *,
        interval_s: float = 1.0,
        slow_interval_s: float = 5.0,
        retry_s: float = RETRY_S,
    ) -> None:
        self._sources = tuple(sources)
        self._clock = clock
        self._on_sample = on_sample
        self._pace = Pace(max(interval_s, LEAST_INTERVAL_S), max(slow_interval_s, LEAST_INTERVAL_S), retry_s)
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._fast: dict[DeviceKey, DeviceLoop] = {}
        self._slow: dict[DeviceKey, DeviceLoop] = {}
        self._opening_since_s: dict[str, float] = {}
        self._reasons: dict[str, Message | None] = {}
        self._told: dict[DeviceKey, Liveness] = {}

    def start(self) -> None:
        """Begin to open the sources and to read; returns at once."""
        now_s = self._clock.monotonic()
        for source in self._sources:
            self._opening_since_s[source.machine] = now_s
            self._start_thread(f"telemetry-open-{source.machine}", partial(self._open, source))
        self._start_thread("telemetry-liveness", self._notice_silence)

    def stop(self) -> None:
        """Ask all threads to end; returns at once, also while a call hangs. No sample is delivered afterwards."""
        self._stopped.set()
        for loop in self._loops():
            loop.stop()

    def set_paused(self, is_paused: bool) -> None:
        """Pause or go on; going on reads at once."""
        now_s = self._clock.monotonic()
        with self._lock:
            if is_paused == (self._pace.paused_since_s is not None):
                return
            since = now_s if is_paused else None
            resumed = self._pace.resumed_s if is_paused else now_s
            self._pace = replace(self._pace, paused_since_s=since, resumed_s=resumed)
        self._wake()

    def set_intervals(self, interval_s: float, slow_interval_s: float) -> None:
        """Change the pace; it counts at once."""
        with self._lock:
            self._pace = replace(
                self._pace,
                interval_s=max(interval_s, LEAST_INTERVAL_S),
                slow_interval_s=max(slow_interval_s, LEAST_INTERVAL_S),
            )
        self._wake()

    @property
    def is_paused(self) -> bool:
        """Whether the sampling is paused."""
        return self._pace.paused_since_s is not None

    def statuses(self) -> tuple[DeviceStatus, ...]:
        """Tell how every known device stands now; never blocks."""
        now_s = self._clock.monotonic()
        return tuple(self._status(source, key, now_s) for source in self._sources for key in _keys(source))

    def reasons(self) -> tuple[Message, ...]:
        """Give why sources have no devices, for those that were opened and have none."""
        return tuple(reason for reason in tuple(self._reasons.values()) if reason is not None)

    def _open(self, source: Source) -> None:
        try:
            reason = source.open()
        except Exception as error:  # thread border: a faulty source must not end unseen
            logger.exception("opening %s failed", source.machine)
            reason = Message("telemetry.reading-failed", {"detail": f"{type(error).__name__}: {error}"})
        with self._lock:
            self._reasons[source.machine] = reason
            self._opening_since_s.pop(source.machine, None)
            if self._stopped.is_set():
                return
            for key in _keys(source):
                self._fast[key] = self._loop(source, key, self._deliver_fast, is_slow=False)
                self._slow[key] = self._loop(source, key, self._deliver_slow, is_slow=True)
            loops = [loop for key, loop in self._fast.items() if key.machine == source.machine]
        for loop in loops:
            loop.start()

    def _loop(
        self, source: Source, key: DeviceKey, on_sample: Callable[[Sample], None], *, is_slow: bool
    ) -> DeviceLoop:
        return DeviceLoop(source, key, self._clock, lambda: self._pace, on_sample, is_slow=is_slow)

    def _loops(self) -> tuple[DeviceLoop, ...]:
        with self._lock:
            return (*self._fast.values(), *self._slow.values())

    def _wake(self) -> None:
        for loop in self._loops():
            loop.wake()

    def _deliver_fast(self, sample: Sample) -> None:
        """Hand a fast reading on; the first one lets the slow readings begin, so that they never come before it."""
        self._deliver(sample)
        slow = self._slow[sample.key]
        if not self._stopped.is_set():
            slow.start()

    def _deliver_slow(self, sample: Sample) -> None:
        """Hand a slow reading on, unless the fast ones hang: it would tell the device is well."""
        if self._told.get(sample.key) not in (Liveness.STALE, Liveness.SILENT):
            self._deliver(sample)

    def _deliver(self, sample: Sample) -> None:
        if self._stopped.is_set():
            return
        try:
            self._on_sample(sample)
        except Exception:  # thread border: a faulty receiver must not end the readings
            logger.exception("a receiver of samples failed")

    def _status(self, source: Source, key: DeviceKey, now_s: float) -> DeviceStatus:
        loop = self._fast.get(key)
        if loop is not None:
            heard = loop.heard()
        else:
            opening_since_s = self._opening_since_s.get(source.machine)
            heard = Heard(call_since_s=opening_since_s, paused_since_s=self._pace.paused_since_s)
        liveness = Liveness.ENDED if self._stopped.is_set() else judge(heard, now_s)
        age_s = None if heard.answered_s is None else max(now_s - heard.answered_s, 0.0)
        return DeviceStatus(key, liveness, age_s)

    def _notice_silence(self) -> None:
        while not self._stopped.wait(LOOK_AT_LIVENESS_S):
            now_s = self._clock.monotonic()
            for source in self._sources:
                for key in _keys(source):
                    self._tell_silence(source, key, now_s)

    def _tell_silence(self, source: Source, key: DeviceKey, now_s: float) -> None:
        """Say once that a device became stale or silent."""
        loop = self._fast.get(key)
        if loop is not None and loop.is_fresh(now_s):
            self._told.pop(key, None)
            return
        status = self._status(source, key, now_s)
        is_new = self._told.get(key) is not status.liveness
        self._told[key] = status.liveness
        if is_new and status.liveness in (Liveness.STALE, Liveness.SILENT):
            self._deliver(self._without_values(status))

    def _without_values(self, status: DeviceStatus) -> Sample:
        error = None
        if status.liveness is Liveness.SILENT:
            error = Message("telemetry.no-answer", {"waited_s": status.age_s or SILENT_AFTER_S})
        return Sample(
            key=status.key,
            taken_at=self._clock.now(),
            monotonic_s=self._clock.monotonic(),
            liveness=status.liveness,
            error=error,
        )

    def _start_thread(self, name: str, target: Callable[[], None]) -> None:
        threading.Thread(target=target, name=name, daemon=True).start()


def _keys(source: Source) -> tuple[DeviceKey, ...]:
    return source.keys()
