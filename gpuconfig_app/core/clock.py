"""Time as a dependency, so that tests and replays can hand in their own.

Two readings: ``now`` is wall time (seconds since the epoch, for what is written down), ``monotonic`` is for
intervals. They must not be mixed.
"""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> float:
        """Give wall time in seconds since the epoch."""
        ...

    def monotonic(self) -> float:
        """Give seconds that never run backwards, from an arbitrary start."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> float:
        """Give wall time in seconds since the epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Give seconds that never run backwards, from an arbitrary start."""
        return time.monotonic()
