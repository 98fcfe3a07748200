"""The memory of a training step over the batch: lines between a few traced batches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise


@dataclass(frozen=True, kw_only=True)
class StepCurve:
    """Bytes that live at the worst moment of a step, beside weights, slots and kernels' scratch.

    They are the largest of many straight lines, so they bend upwards: between two knots the straight connection is
    never too low, and after the last one it goes on.

    Attributes:
        knots: (batch, bytes), both growing; at least one.
        gradients: Bytes of weights' gradients at each knot.
        lows: Bytes at the lower end of the interval at each knot.
        highs: Bytes at its upper end.
        extent: What the allocator's region spans, as a share of what lives, weights and slots included.
        basis: ``traced``, ``scaled`` or ``rules``.
    """

    knots: tuple[tuple[float, float], ...]
    gradients: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    extent: float
    basis: str

    def at(self, batch: float) -> float:
        """Give the bytes for a batch."""
        return self._between(batch, tuple(size for _, size in self.knots))

    def gradients_at(self, batch: float) -> float:
        """Give the bytes of weights' gradients among them."""
        return min(self.at(batch), max(0.0, self._between(batch, self.gradients)))

    def low_at(self, batch: float) -> float:
        """Give the lower end of the interval for a batch."""
        return min(self.at(batch), max(0.0, self._between(batch, self.lows)))

    def high_at(self, batch: float) -> float:
        """Give the upper end of the interval for a batch."""
        return max(self.at(batch), self._between(batch, self.highs))

    @property
    def errors(self) -> tuple[float, float]:
        """Largest relative distance of the interval's lower and upper end at any knot."""
        sizes = [max(size, 1.0) for _, size in self.knots]
        low = max(1 - end / size for end, size in zip(self.lows, sizes, strict=True))
        return low, max(end / size - 1 for end, size in zip(self.highs, sizes, strict=True))

    @property
    def sample_bytes(self) -> float:
        """Growth with each sample where the batch is large."""
        if len(self.knots) < 2:
            return 0.0
        (before, low), (after, high) = self.knots[-2:]
        return (high - low) / (after - before)

    def for_samples(self, factor: float) -> StepCurve:
        """Give the curve of samples that need ``factor`` times as much each."""
        return replace(self, knots=tuple((batch / factor, size) for batch, size in self.knots))

    def raised(self, size_bytes: float) -> StepCurve:
        """Give the curve with so many bytes of gradients more at every batch."""
        return replace(
            self,
            knots=tuple((batch, size + size_bytes) for batch, size in self.knots),
            gradients=tuple(size + size_bytes for size in self.gradients),
            lows=tuple(size + size_bytes for size in self.lows),
            highs=tuple(size + size_bytes for size in self.highs),
        )

    def widened(self, share: float, basis: str) -> StepCurve:
        """Give the curve with an interval that is wider by a share on both sides."""
        lows = tuple(size * (1 - share) for size in self.lows)
        return replace(self, lows=lows, highs=tuple(size * (1 + share) for size in self.highs), basis=basis)

    def _between(self, batch: float, sizes: tuple[float, ...]) -> float:
        places = [place for place, _ in self.knots]
        if len(places) < 2 or batch <= places[0]:
            return sizes[0]
        numbered = list(enumerate(pairwise(places)))
        number, (before, after) = next((item for item in numbered if batch <= item[1][1]), numbered[-1])
        low, high = sizes[number], sizes[number + 1]
        return low + (high - low) * (batch - before) / (after - before)
