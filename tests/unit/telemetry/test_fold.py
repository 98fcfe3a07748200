from __future__ import annotations

import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.telemetry.fold import fold, low_and_high

NAN = math.nan


def test_every_column_keeps_its_lowest_and_highest_value() -> None:
    folded = fold([0.0, 0.4, 0.9, 1.0, 1.5], [5.0, 1.0, 9.0, 2.0, 3.0], 0.0, 2.0, 2)

    assert list(folded.lows) == [1.0, 2.0]
    assert list(folded.highs) == [9.0, 3.0]


def test_the_right_edge_is_not_part_of_the_stretch() -> None:
    folded = fold([0.0, 2.0], [5.0, 99.0], 0.0, 2.0, 1)

    assert list(folded.highs) == [5.0]


def test_a_gap_is_no_zero() -> None:
    folded = fold([0.5, 1.5, 2.5], [1.0, NAN, 3.0], 0.0, 3.0, 3, bridge_s=10.0)

    assert folded.lows[0] == 1.0
    assert math.isnan(folded.lows[1])
    assert folded.lows[2] == 3.0


def test_close_readings_are_joined_and_distant_ones_are_not() -> None:
    times, values = [0.5, 3.5, 9.5], [0.0, 3.0, 9.0]

    folded = fold(times, values, 0.0, 10.0, 10, bridge_s=4.0)

    assert list(folded.lows[:4]) == [0.0, 1.0, 2.0, 3.0]
    assert all(math.isnan(value) for value in folded.lows[4:9])
    assert folded.lows[9] == 9.0


def test_a_line_is_drawn_up_to_both_edges() -> None:
    folded = fold([-1.0, 3.0], [0.0, 4.0], 0.0, 2.0, 2, bridge_s=5.0)

    assert list(folded.lows) == [1.5, 2.5]


@pytest.mark.parametrize("values", [[], [NAN], [NAN, NAN]])
def test_no_number_gives_no_low_and_no_high(values: list[float]) -> None:
    low, high = low_and_high(array("f", values))

    assert math.isnan(low)
    assert math.isnan(high)


def test_a_stretch_without_width_is_refused() -> None:
    with pytest.raises(ValueError, match="stretch"):
        fold([], [], 1.0, 1.0, 5)


@given(
    readings=st.lists(
        st.tuples(st.floats(0, 100, width=32), st.one_of(st.just(NAN), st.floats(-1000, 1000, width=32))), max_size=60
    ),
    columns=st.integers(1, 40),
)
def test_no_spike_is_lost_and_none_is_made_up(readings: list[tuple[float, float]], columns: int) -> None:
    readings.sort(key=lambda item: item[0])
    times = [time for time, _ in readings]
    values = [value for _, value in readings]

    folded = fold(times, values, 0.0, 100.0, columns, bridge_s=7.0)

    inside = [value for time, value in readings if time < 100.0 and not math.isnan(value)]
    drawn = [value for value in folded.highs if not math.isnan(value)]
    if inside:
        assert max(inside) in drawn
        assert min(inside) in folded.lows
        numbers = [value for value in values if not math.isnan(value)]
        assert all(min(numbers) - 0.01 <= value <= max(numbers) + 0.01 for value in drawn)
