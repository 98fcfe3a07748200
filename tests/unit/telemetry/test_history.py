from __future__ import annotations

import math
import threading

import pytest

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.telemetry.history import MOST_ROWS, History
from gpuconfig_app.telemetry.ring import Ring

KEY = DeviceKey("this", "0")
OTHER = DeviceKey("recorded", "0")


def sample(time_s: float, key: DeviceKey = KEY, liveness: Liveness = Liveness.LIVE, **values: float) -> Sample:
    return Sample(
        key=key,
        taken_at=1e9 + time_s,
        monotonic_s=time_s,
        values={Metric(name): value for name, value in values.items()},
        liveness=liveness,
    )


def test_readings_come_back_oldest_first() -> None:
    history = History()
    for second in range(5):
        history.add(sample(second, power_w=100.0 + second))

    series = history.series(KEY, Metric.POWER_W)

    assert list(series.times) == [0, 1, 2, 3, 4]
    assert list(series.values) == [100, 101, 102, 103, 104]


def test_machines_never_mix() -> None:
    history = History()
    history.add(sample(0, KEY, power_w=1.0))
    history.add(sample(0, OTHER, power_w=2.0))

    assert list(history.series(KEY, Metric.POWER_W).values) == [1.0]
    assert history.keys == (OTHER, KEY)


def test_old_readings_are_overwritten_and_order_is_kept() -> None:
    ring = Ring(4)
    ring.add_column(Metric.POWER_W)
    for second in range(10):
        ring.append(float(second), {Metric.POWER_W: float(second)})

    assert list(ring.series(Metric.POWER_W).values) == [6, 7, 8, 9]
    assert list(ring.series(Metric.POWER_W, since_s=8.0).values) == [7, 8, 9]
    assert list(ring.series(Metric.POWER_W, until_s=7.0).values) == [6, 7]


def test_slow_readings_make_no_gaps_in_fast_ones() -> None:
    history = History()
    history.add(sample(0.0, power_w=1.0))
    history.add(sample(0.5, pcie_tx_bytes_s=9.0))
    history.add(sample(1.0, power_w=2.0))

    assert list(history.series(KEY, Metric.POWER_W).values) == [1.0, 2.0]
    assert list(history.series(KEY, Metric.PCIE_TX_BYTES_S).values) == [9.0]
    assert set(history.metrics(KEY)) == {Metric.POWER_W, Metric.PCIE_TX_BYTES_S}


@pytest.mark.parametrize("liveness", [Liveness.LOST, Liveness.ASLEEP, Liveness.SILENT, Liveness.STALE])
def test_a_device_without_readings_leaves_a_gap_not_a_zero(liveness: Liveness) -> None:
    history = History()
    history.add(sample(0, power_w=1.0))
    history.add(sample(1, liveness=liveness))
    history.add(sample(2, power_w=3.0))

    values = history.series(KEY, Metric.POWER_W).values

    assert values[0] == 1.0
    assert math.isnan(values[1])
    assert values[2] == 3.0


def test_a_metric_that_is_missing_for_a_while_leaves_a_gap() -> None:
    history = History()
    history.add(sample(0, power_w=1.0, temperature_c=50.0))
    history.add(
        Sample(
            key=KEY,
            taken_at=0.0,
            monotonic_s=1.0,
            values={Metric.POWER_W: 2.0},
            absent={Metric.TEMPERATURE_C: Message("telemetry.not-recorded")},
        )
    )
    history.add(sample(2, power_w=3.0, temperature_c=52.0, fan_pct=30.0))

    assert math.isnan(history.series(KEY, Metric.TEMPERATURE_C).values[1])
    fan = history.series(KEY, Metric.FAN_PCT).values
    assert [math.isnan(value) for value in fan] == [True, True, False]


def test_a_wall_clock_set_back_bends_no_curve() -> None:
    history = History()
    history.add(sample(10.0, power_w=1.0))
    history.add(sample(9.0, power_w=2.0))

    assert list(history.series(KEY, Metric.POWER_W).times) == [10.0, 10.0]


def test_a_day_of_eight_cards_with_twelve_metrics_takes_at_most_64_mb() -> None:
    history = History(hours=24.0)
    metrics = tuple(Metric)[:12]
    row = dict.fromkeys(metrics, 1.5)
    for second in range(MOST_ROWS + 100):
        history.add(Sample(key=KEY, taken_at=0.0, monotonic_s=float(second), values=row))

    assert len(history.series(KEY, metrics[0])) == MOST_ROWS
    assert history.size_bytes * 8 <= 64_000_000


def test_folding_keeps_a_spike_of_one_reading() -> None:
    history = History()
    for second in range(600):
        history.add(sample(second, utilization_pct=100.0 if second == 321 else 5.0))

    folded = history.folded(KEY, Metric.UTILIZATION_PCT, 0.0, 600.0, 60, bridge_s=2.5)

    assert folded.highs[32] == 100.0
    assert folded.lows[32] == 5.0
    assert max(folded.highs[:32]) == 5.0


def test_unknown_devices_and_metrics_give_empty_curves() -> None:
    history = History()

    assert len(history.series(KEY, Metric.POWER_W)) == 0
    assert math.isnan(history.folded(KEY, Metric.POWER_W, 0.0, 1.0, 1).lows[0])
    assert history.newest_s(KEY, Metric.POWER_W) is None


def test_newest_reading_after_wrapping_round() -> None:
    history = History(hours=0.0001)
    for second in range(130):
        history.add(sample(second, power_w=1.0))

    assert history.newest_s(KEY, Metric.POWER_W) == 129.0


def test_reading_while_writing_never_gives_unequal_columns() -> None:
    history = History(hours=0.0001)
    has_begun, is_over = threading.Event(), threading.Event()

    def write() -> None:
        second = 0
        while not is_over.is_set():
            history.add(sample(second, power_w=1.0, temperature_c=1.0))
            has_begun.set()
            second += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert has_begun.wait(30)
        for _ in range(300):
            series = history.series(KEY, Metric.POWER_W)
            assert len(series.times) == len(series.values)
            assert list(series.times) == sorted(series.times)
    finally:
        is_over.set()
        thread.join()


def test_at_a_fast_pace_older_readings_are_thinned_and_no_spike_is_lost() -> None:
    history = History(hours=1.0, interval_s=1.0)
    for number in range(30_000):  # 50 minutes at 10 Hz, more than is kept as it is
        value = 99.0 if number == 1_234 else 1.0 if number == 2_345 else 50.0
        history.add(sample(number / 10, utilization_pct=value))

    series = history.series(KEY, Metric.UTILIZATION_PCT)
    folded = history.folded(KEY, Metric.UTILIZATION_PCT, 0.0, 3000.0, 100, bridge_s=0.25)

    assert series.times[0] == 0.0
    assert list(series.times) == sorted(series.times)
    assert len(series) < 6000
    assert not any(math.isnan(value) for value in folded.lows)
    assert max(folded.highs) == folded.highs[4] == 99.0
    assert min(folded.lows) == folded.lows[7] == 1.0
    assert folded.highs[50] == folded.lows[50] == 50.0


def test_nothing_older_than_the_hours_is_kept_thinned() -> None:
    history = History(hours=0.05)
    for second in range(2000):
        history.add(sample(second, power_w=1.0))

    assert history.series(KEY, Metric.POWER_W).times[0] >= 2000 - 0.05 * 3600 * 1.25 - 20


def test_a_gap_stays_a_gap_when_it_is_thinned() -> None:
    history = History(hours=1.0, interval_s=1.0)
    for number in range(10_000):
        is_lost = 1000 <= number < 3000
        history.add(sample(number / 10, liveness=Liveness.LOST) if is_lost else sample(number / 10, power_w=1.0))

    folded = history.folded(KEY, Metric.POWER_W, 0.0, 500.0, 5)

    assert [math.isnan(value) for value in folded.lows] == [False, True, True, False, False]
