"""What was read lately, per device and metric, bounded; safe to use from any thread.

Times are monotonic seconds (``Sample.monotonic_s``), so a changed wall clock never bends a curve.
"""

from __future__ import annotations

import threading

from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.telemetry.fold import Folded, fold
from gpuconfig_app.telemetry.ring import Series, empty_series
from gpuconfig_app.telemetry.tiers import TieredRing

SECONDS_PER_HOUR = 3600
# One row a second for a day: 8 devices with 12 metrics then take about 40 MB, whatever the interval.
MOST_ROWS = 24 * SECONDS_PER_HOUR


class History:
    """Readings of the last hours.

    Args:
        hours: Time to keep, up to 24.
        interval_s: Expected time between two readings. What does not fit into ``MOST_ROWS`` is kept as low and high
            per ten seconds.
    """

    def __init__(self, hours: float = 1.0, interval_s: float = 1.0) -> None:
        self._lock = threading.Lock()
        self._keep_s = hours * SECONDS_PER_HOUR
        # A quarter more than exact: the rows of a faster stretch, of slow readings and of gaps count as well.
        rows = hours * SECONDS_PER_HOUR / max(min(interval_s, 1.0), 0.1) * 1.25
        self._capacity = int(min(max(rows, 60.0), MOST_ROWS))
        self._rings: dict[DeviceKey, list[TieredRing]] = {}

    @property
    def keys(self) -> tuple[DeviceKey, ...]:
        """Devices that were read, in order of their names."""
        with self._lock:
            return tuple(sorted(self._rings))

    @property
    def size_bytes(self) -> int:
        """Memory that the readings take."""
        with self._lock:
            return sum(ring.size_bytes for rings in self._rings.values() for ring in rings)

    def metrics(self, key: DeviceKey) -> tuple[Metric, ...]:
        """Give the metrics a device has readings of."""
        with self._lock:
            return tuple(metric for ring in self._rings.get(key, ()) for metric in ring.metrics)

    def add(self, sample: Sample) -> None:
        """Keep a sample's values; one that says the device is not live marks a gap in every curve of its device."""
        with self._lock:
            rings = self._rings.setdefault(sample.key, [])
            if not sample.values:
                if sample.liveness is not Liveness.LIVE:
                    for ring in rings:
                        ring.append(sample.monotonic_s, {})
                return
            home = next((ring for ring in rings if any(ring.has(metric) for metric in sample.values)), None)
            if home is None:
                home = TieredRing(self._capacity, self._keep_s)
                rings.append(home)
            touched = [home]
            for metric in sample.values:
                owner = next((ring for ring in rings if ring.has(metric)), None)
                if owner is None:
                    home.add_column(metric)
                elif owner not in touched:
                    touched.append(owner)
            for ring in touched:
                ring.append(sample.monotonic_s, sample.values)

    def series(
        self, key: DeviceKey, metric: Metric, since_s: float | None = None, until_s: float | None = None
    ) -> Series:
        """Copy the readings of a metric, oldest first; empty when there are none.

        Args:
            since_s: Earliest monotonic time wanted, None for all.
            until_s: First time not wanted, None for all. One reading more is given on either side where there is one.
        """
        with self._lock:
            for ring in self._rings.get(key, ()):
                if ring.has(metric):
                    return ring.series(metric, since_s, until_s)
        return empty_series()

    def folded(
        self, key: DeviceKey, metric: Metric, start_s: float, end_s: float, columns: int, *, bridge_s: float = 0.0
    ) -> Folded:
        """Fold a stretch of a metric to the lowest and highest value per pixel column.

        Args:
            start_s: Left edge in monotonic seconds.
            columns: Pixel columns, at least 1.
            bridge_s: See ``telemetry.fold.fold``.

        Raises:
            ValueError: No columns, or an empty stretch.
        """
        series = self.series(key, metric, start_s - bridge_s, end_s + bridge_s)
        return fold(series.times, series.values, start_s, end_s, columns, bridge_s=bridge_s)

    def newest_s(self, key: DeviceKey, metric: Metric) -> float | None:
        """Give the time of the newest row of a metric, None when there is none."""
        series = self.series(key, metric, since_s=float("inf"))
        return series.times[-1] if len(series) else None

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._rings.clear()
