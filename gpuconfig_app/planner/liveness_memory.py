"""Buffers of one training step: who holds them, how much is alive, and what was alive at the worst moment."""

from __future__ import annotations

from gpuconfig_app.core.step_graph import StepGraph

# TensorFlow's allocator hands out multiples of this.
GRAIN = 256

NOTHING = -1


def rounded(size_bytes: int) -> int:
    """Give the bytes that the allocator hands out for a request."""
    return -(-size_bytes // GRAIN) * GRAIN


class Memory:
    """Counts holders of buffers; a buffer without a holder is released at once.

    Buffers are numbered from 0: first the variables, then the batch, then what the step allocates.

    Attributes:
        live_bytes: Of all buffers that are alive now.
        peak_bytes: Highest of those so far.
        peak_owner: Operation that allocated at the peak, ``NOTHING`` before the step.
        events: Allocations as (buffer, bytes), releases as (buffer, 0).
    """

    def __init__(self, graph: StepGraph) -> None:
        self.sizes: list[int] = []
        self.owners: list[int] = []
        self.types: list[str] = []
        self._holders: list[int] = []
        self._is_free: list[bool] = []
        self.events: list[tuple[int, int]] = []
        self.live_bytes = 0
        self.peak_bytes = 0
        self.peak_owner = NOTHING
        self._peak_event = 0
        self.of_variable = [self._resident(variable.size_bytes) for variable in graph.variables]
        self.of_data = [self._resident(size) for size in graph.data_bytes]
        self._peak_event = len(self.events)

    def _resident(self, size_bytes: int) -> int:
        return self.allocate(size_bytes, "", NOTHING)

    def allocate(self, size_bytes: int, kind: str, owner: int) -> int:
        """Make a buffer with one holder and give its number."""
        buffer = len(self.sizes)
        size = rounded(size_bytes)
        self.sizes.append(size)
        self.owners.append(owner)
        self.types.append(kind)
        self._holders.append(1)
        if size:
            self.events.append((buffer, size))
            self.live_bytes += size
            if self.live_bytes > self.peak_bytes:
                self.peak_bytes, self.peak_owner, self._peak_event = self.live_bytes, owner, len(self.events)
        return buffer

    def hold(self, buffer: int, times: int = 1) -> None:
        """Add holders."""
        if buffer >= 0:
            self._holders[buffer] += times

    def drop(self, buffer: int) -> None:
        """Take one holder away."""
        if buffer < 0:
            return
        self._holders[buffer] -= 1
        if not self._holders[buffer] and self.sizes[buffer]:
            self.live_bytes -= self.sizes[buffer]
            self.events.append((buffer, 0))

    def holders(self, buffer: int) -> int:
        """Give the number of holders."""
        return self._holders[buffer]

    def alive_at_peak(self) -> list[int]:
        """Give the buffers that were alive at the worst moment."""
        alive: dict[int, int] = {}
        for buffer, size in self.events[: self._peak_event]:
            if size:
                alive[buffer] = size
            else:
                alive.pop(buffer, None)
        return list(alive)
