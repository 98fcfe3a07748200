"""The GPU memory that a script takes, as the driver tells it, for scripts that do not tell it themselves."""

from __future__ import annotations

import threading
from collections.abc import Callable

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.sample import Sample
from gpuconfig_app.telemetry.sampler import Sampler
from gpuconfig_app.telemetry.sources import Source

LOOK_EVERY_S = 1.0


class GpuPeak:
    """Watches the largest use of one card's memory by a process tree; a driver that hangs delays nothing.

    Args:
        source: The machine's cards.
        pids: Gives the processes that count, at any time.
    """

    def __init__(
        self,
        source: Source,
        pids: Callable[[], frozenset[int]],
        clock: Clock,
        *,
        interval_s: float = LOOK_EVERY_S,
    ) -> None:
        self._pids = pids
        self._lock = threading.Lock()
        self._peak_bytes: int | None = None
        self._sampler = Sampler((source,), clock, self._take, interval_s=60.0, slow_interval_s=interval_s)

    @property
    def peak_bytes(self) -> int | None:
        """Largest use so far; None when the driver told nothing of these processes."""
        with self._lock:
            return self._peak_bytes

    def start(self) -> None:
        """Begin to look."""
        self._sampler.start()

    def stop(self) -> None:
        """End looking; returns at once."""
        self._sampler.stop()

    def _take(self, sample: Sample) -> None:
        if not sample.processes:
            return
        pids = self._pids()
        used = [
            process.memory_used_bytes
            for process in sample.processes
            if process.pid in pids and process.memory_used_bytes is not None
        ]
        if used:
            with self._lock:
                self._peak_bytes = max(self._peak_bytes or 0, sum(used))
