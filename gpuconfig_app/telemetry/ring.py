"""One table of readings of one device: a time column, a value column per metric, old rows overwritten.

Metrics that are read together share a time column; that is what keeps a day of eight cards within 64 MB.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gpuconfig_app.core.sample import Metric


@dataclass(frozen=True)
class Series:
    """Readings of one metric, oldest first.

    Attributes:
        times: Monotonic seconds, ascending.
        values: NaN where there was no reading; 32-bit, so large byte counts are rounded to about 1 in 10 million.
    """

    times: array[float]
    values: array[float]

    def __len__(self) -> int:
        """Give the number of readings, gaps included."""
        return len(self.times)


def empty_series() -> Series:
    """Give a series without readings."""
    return Series(array("d"), array("f"))


class Ring:
    """A bounded table of readings; not thread-safe, ``History`` guards it.

    Args:
        capacity: Rows kept, at least 1.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = max(capacity, 1)
        self._oldest = 0
        self._times = array("d")
        self._columns: dict[Metric, array[float]] = {}

    def __len__(self) -> int:
        """Give the number of rows."""
        return len(self._times)

    @property
    def is_full(self) -> bool:
        """Whether the next row overwrites the oldest one."""
        return len(self._times) >= self._capacity

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Metrics with a column."""
        return tuple(self._columns)

    @property
    def size_bytes(self) -> int:
        """Memory of the columns, spare room of the arrays included."""
        arrays: Iterable[array[float]] = (self._times, *self._columns.values())
        return sum(column.__sizeof__() for column in arrays)

    def has(self, metric: Metric) -> bool:
        """Whether there is a column for a metric."""
        return metric in self._columns

    def add_column(self, metric: Metric) -> None:
        """Begin a column; the rows before hold gaps."""
        self._columns.setdefault(metric, array("f", [math.nan]) * len(self._times))

    def append(self, time_s: float, values: Mapping[Metric, float]) -> None:
        """Add a row; columns without a value get a gap. A time before the newest row counts as that row's."""
        if len(self._times) < self._capacity:
            self._times.append(max(time_s, self._times[-1]) if self._times else time_s)
            for metric, column in self._columns.items():
                column.append(values.get(metric, math.nan))
            return
        place = self._oldest
        self._times[place] = max(time_s, self._times[place - 1])
        for metric, column in self._columns.items():
            column[place] = values.get(metric, math.nan)
        self._oldest = (place + 1) % self._capacity

    def oldest_row(self) -> tuple[float, dict[Metric, float]]:
        """Give time and values of the oldest row, gaps as NaN.

        Raises:
            IndexError: There is no row.
        """
        place = self._oldest
        return self._times[place], {metric: column[place] for metric, column in self._columns.items()}

    def series(self, metric: Metric, since_s: float | None = None, until_s: float | None = None) -> Series:
        """Copy a metric's readings out, with one row more on either side where there is one.

        Args:
            since_s: Earliest time wanted, None for all.
            until_s: First time not wanted, None for all.
        """
        column = self._columns.get(metric)
        if column is None:
            return empty_series()
        low = 0 if since_s is None else max(self._rows_before(since_s) - 1, 0)
        high = len(self) if until_s is None else min(self._rows_before(until_s) + 1, len(self))
        return Series(self._cut(self._times, low, high), self._cut(column, low, high))

    def _rows_before(self, time_s: float) -> int:
        """Count the rows older than a moment."""
        older = bisect_left(self._times, time_s, self._oldest) - self._oldest
        if older < len(self) - self._oldest:
            return older
        return older + bisect_left(self._times, time_s, 0, self._oldest)

    def _cut(self, column: array[float], low: int, high: int) -> array[float]:
        """Copy rows ``low`` to ``high``, counted from the oldest one."""
        wrap = len(self) - self._oldest
        kept = column[self._oldest + min(low, wrap) : self._oldest + min(high, wrap)]
        kept.extend(column[max(low - wrap, 0) : max(high - wrap, 0)])
        return kept
