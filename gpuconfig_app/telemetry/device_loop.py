"""One thread that looks at one device again and again; part of the sampler.

The thread is a daemon and is never joined: a driver call that hangs must delay neither the end of the program nor
anything else (design decision 6).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Sample
from gpuconfig_app.telemetry.liveness import MISSED_INTERVALS, SILENT_AFTER_S, Heard, next_look_s
from gpuconfig_app.telemetry.sources import Source

logger = logging.getLogger(__name__)
# A slice waits for the first look at its card.
ASK_AGAIN_S = 0.1


@dataclass(frozen=True)
class Pace:
    """How often devices are looked at; replaced as a whole when it changes.

    Attributes:
        interval_s: Between two looks at the fast readings.
        slow_interval_s: Between two looks at the slow ones.
        retry_s: Least time between two looks at a lost device.
        paused_since_s: Monotonic time of the pause, None while running.
        resumed_s: Monotonic time of the last going on.
    """

    interval_s: float
    slow_interval_s: float
    retry_s: float
    paused_since_s: float | None = None
    resumed_s: float | None = None


class DeviceLoop:
    """Looks at one device on a thread of its own.

    Args:
        source: Who is asked.
        is_slow: Whether this loop reads the slow readings.
        pace: Gives the pace that counts now.
        on_sample: Called with every answer, on this loop's thread.
    """

    def __init__(
        self,
        source: Source,
        key: DeviceKey,
        clock: Clock,
        pace: Callable[[], Pace],
        on_sample: Callable[[Sample], None],
        *,
        is_slow: bool,
    ) -> None:
        self.key = key
        self._source = source
        self._clock = clock
        self._pace = pace
        self._on_sample = on_sample
        self._is_slow = is_slow
        self._wake = threading.Event()
        self._is_started = False
        self._stopped = threading.Event()
        self._asked_first_s: float | None = None
        self._answered_s: float | None = None
        self._call_since_s: float | None = None
        self._said: Liveness | None = None

    def start(self) -> None:
        """Begin to look; once started it goes on until it is stopped."""
        if self._is_started:
            return
        self._is_started = True
        name = f"telemetry-{self.key.machine}-{self.key.device}-{'slow' if self._is_slow else 'fast'}"
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def stop(self) -> None:
        """Ask the thread to end; returns at once, also while a call hangs. Later answers are dropped."""
        self._stopped.set()
        self._wake.set()

    def wake(self) -> None:
        """Let a changed pace count at once."""
        self._wake.set()

    def heard(self) -> Heard:
        """Give what was heard of the device so far."""
        pace = self._pace()
        return Heard(
            asked_first_s=self._asked_first_s,
            answered_s=self._answered_s,
            call_since_s=self._call_since_s,
            said=self._said,
            interval_s=self._interval(pace),
            paused_since_s=pace.paused_since_s,
            resumed_s=pace.resumed_s,
        )

    def is_fresh(self, now_s: float) -> bool:
        """Tell cheaply that the last answer is new and no call has been under way for long; False asks for a look."""
        if self._said is not Liveness.LIVE or self._answered_s is None:
            return False
        return now_s - self._answered_s <= min(self._interval(self._pace()) * MISSED_INTERVALS, SILENT_AFTER_S)

    def _run(self) -> None:
        due_s = self._clock.monotonic()
        while not self._stopped.is_set():
            self._wake.clear()
            if self._pace().paused_since_s is not None:
                if not self._stopped.is_set():
                    self._wake.wait()
                continue
            # Reckoned anew after every waking, so that a changed pace or a short pause can't be missed.
            now_s = self._clock.monotonic()
            next_s = self._next_look_s(due_s, now_s)
            if next_s > now_s and not self._stopped.is_set() and self._wake.wait(next_s - now_s):
                continue
            due_s = min(next_s, self._clock.monotonic())
            self._look()
            if self._said is Liveness.ENDED:
                return

    def _next_look_s(self, due_s: float, now_s: float) -> float:
        """Give when to look next: at once for the first time and after a pause, else at the pace."""
        pace = self._pace()
        if self._said is Liveness.WAITING:
            return due_s + ASK_AGAIN_S
        if self._answered_s is None or (pace.resumed_s is not None and due_s < pace.resumed_s):
            return now_s
        interval_s = self._interval(pace)
        if self._said is Liveness.LOST:
            interval_s = max(interval_s, pace.retry_s)
        return next_look_s(due_s, self._answered_s, interval_s)

    def _look(self) -> None:
        asked_s = self._clock.monotonic()
        if self._asked_first_s is None:
            self._asked_first_s = asked_s
        self._call_since_s = asked_s
        sample = self._read()
        self._said = sample.liveness
        self._call_since_s = None
        if sample.liveness is Liveness.WAITING:
            return
        self._answered_s = self._clock.monotonic()
        if not self._stopped.is_set():
            self._on_sample(sample)

    def _read(self) -> Sample:
        try:
            return self._source.read(self.key, is_slow=self._is_slow)
        except Exception as error:  # thread border: a faulty source must not end the readings unseen
            logger.exception("reading %s failed", self.key)
            return Sample(
                key=self.key,
                taken_at=self._clock.now(),
                monotonic_s=self._clock.monotonic(),
                liveness=Liveness.LOST,
                error=Message("telemetry.reading-failed", {"detail": f"{type(error).__name__}: {error}"}),
            )

    def _interval(self, pace: Pace) -> float:
        return pace.slow_interval_s if self._is_slow else pace.interval_s
