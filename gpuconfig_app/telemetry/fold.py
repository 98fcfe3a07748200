"""Fold readings to the lowest and highest value per pixel column, so that no spike is lost; pure functions.

Not-a-number marks a gap, in and out: an unknown reading is never drawn as 0.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Folded:
    """A curve, ready to draw.

    Attributes:
        lows: Lowest value in each column, NaN where there is none; 32-bit.
        highs: Highest value in each column.
    """

    lows: array[float]
    highs: array[float]

    def __len__(self) -> int:
        """Give the number of columns."""
        return len(self.lows)


def fold(
    times: Sequence[float],
    values: Sequence[float],
    start_s: float,
    end_s: float,
    columns: int,
    *,
    bridge_s: float = 0.0,
) -> Folded:
    """Fold a stretch of readings into columns of equal width.

    Args:
        times: Ascending, in seconds; of the same length as ``values``.
        values: NaN marks a gap.
        start_s: Left edge of the first column, inclusive.
        end_s: Right edge of the last column, exclusive.
        columns: At least 1.
        bridge_s: Columns without a reading between two readings at most this far apart are filled along the straight
            line between them; 0 leaves them empty. Give a little over twice the sampling interval.

    Raises:
        ValueError: No columns, or an empty stretch.
    """
    if columns < 1 or end_s <= start_s:
        raise ValueError("a fold needs at least one column and a stretch of time")
    width = (end_s - start_s) / columns
    lows = array("f", [math.nan]) * columns
    highs = array("f", [math.nan]) * columns
    first = bisect_left(times, start_s)
    for column in range(columns):
        last = bisect_left(times, start_s + (column + 1) * width, first)
        if last > first:
            lows[column], highs[column] = low_and_high(values[first:last])
        first = last
    if bridge_s > 0:
        _bridge(times, values, start_s, width, bridge_s, Folded(lows, highs))
    return Folded(lows, highs)


def low_and_high(values: Sequence[float]) -> tuple[float, float]:
    """Give the lowest and the highest value that is a number; NaN twice when there is none."""
    # min() and max() pass over a NaN that is not their first value, and they are far faster than a loop here.
    start = 0
    while start < len(values) and math.isnan(values[start]):
        start += 1
    kept = values[start:] if start else values
    return (min(kept), max(kept)) if len(kept) else (math.nan, math.nan)


def _bridge(
    times: Sequence[float], values: Sequence[float], start_s: float, width: float, bridge_s: float, into: Folded
) -> None:
    """Fill empty columns between neighbours that are close enough, also across both edges."""
    columns = len(into)
    left = max(bisect_left(times, start_s) - 1, 0)
    right = min(bisect_left(times, start_s + columns * width) + 1, len(times))
    for number in range(left + 1, right):
        before, after = times[number - 1], times[number]
        if after - before > bridge_s or after - before <= width:
            continue
        low, high = values[number - 1], values[number]
        if math.isnan(low) or math.isnan(high):
            continue
        from_column = max(math.floor((before - start_s) / width) + 1, 0)
        to_column = min(math.floor((after - start_s) / width), columns)
        for column in range(from_column, to_column):
            if math.isnan(into.lows[column]):
                share = (start_s + (column + 0.5) * width - before) / (after - before)
                into.lows[column] = into.highs[column] = low + (high - low) * share
