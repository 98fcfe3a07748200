"""Keeps the newest readings as they are and older ones as low and high per ten seconds, so that no spike is lost.

At one look a second a day fits as it is; the second tier is for faster paces.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping

from gpuconfig_app.core.sample import Metric
from gpuconfig_app.telemetry.ring import Ring, Series

BUCKET_S = 10.0


class TieredRing:
    """A bounded table of readings of metrics that are read together; not thread-safe, ``History`` guards it.

    Args:
        rows: Newest rows kept as they are.
        keep_s: Age up to which older rows are kept thinned.
    """

    def __init__(self, rows: int, keep_s: float) -> None:
        self._fine = Ring(rows)
        self._keep_s = keep_s
        # Two rows a bucket: one with the low values, one with the high ones, so that folding finds both.
        self._coarse = Ring(2 * math.ceil(keep_s / BUCKET_S) + 2)
        self._bucket_s: float | None = None
        self._lows: dict[Metric, float] = {}
        self._highs: dict[Metric, float] = {}

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Metrics with a column."""
        return self._fine.metrics

    @property
    def size_bytes(self) -> int:
        """Memory of the columns of both tiers."""
        return self._fine.size_bytes + self._coarse.size_bytes

    def has(self, metric: Metric) -> bool:
        """Whether there is a column for a metric."""
        return self._fine.has(metric)

    def add_column(self, metric: Metric) -> None:
        """Begin a column; the rows before hold gaps."""
        self._fine.add_column(metric)

    def append(self, time_s: float, values: Mapping[Metric, float]) -> None:
        """Add a row; the row that has to go is kept thinned while it is young enough."""
        if self._fine.is_full:
            old_s, old = self._fine.oldest_row()
            if time_s - old_s < self._keep_s:
                self._thin(old_s, old)
        self._fine.append(time_s, values)

    def series(self, metric: Metric, since_s: float | None = None, until_s: float | None = None) -> Series:
        """Copy a metric's readings out, oldest first, with at least one row more on either side where there is one."""
        fine = self._fine.series(metric, since_s, until_s)
        if self._bucket_s is None:
            return fine
        coarse = self._coarse.series(metric, since_s, until_s)
        times, values = array("d", coarse.times), array("f", coarse.values)
        if until_s is None or self._bucket_s < until_s:
            times.extend((self._bucket_s, self._bucket_s))
            values.extend((self._lows.get(metric, math.nan), self._highs.get(metric, math.nan)))
        times.extend(fine.times)
        values.extend(fine.values)
        return Series(times, values)

    def _thin(self, time_s: float, values: Mapping[Metric, float]) -> None:
        if self._bucket_s is None or time_s >= self._bucket_s + BUCKET_S:
            self._flush()
            self._bucket_s = time_s
        for metric, value in values.items():
            if not math.isnan(value):
                self._lows[metric] = min(value, self._lows.get(metric, value))
                self._highs[metric] = max(value, self._highs.get(metric, value))

    def _flush(self) -> None:
        if self._bucket_s is not None:
            for metric in self._fine.metrics:
                self._coarse.add_column(metric)
            self._coarse.append(self._bucket_s, self._lows)
            self._coarse.append(self._bucket_s, self._highs)
        self._lows, self._highs = {}, {}
