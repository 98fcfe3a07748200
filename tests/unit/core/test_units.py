"""Numbers as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.core.units import GIB, KIB, MIB, TIB, format_bytes, format_count, format_duration, join_range


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1, "1 B"),
        (KIB - 1, "1023 B"),
        (KIB, "1 KiB"),
        (512 * MIB, "512 MiB"),
        (24 * GIB, "24.0 GiB"),
        (25_757_220_864, "24.0 GiB"),
        (-2 * GIB, "-2.0 GiB"),
        (3 * TIB // 2, "1.5 TiB"),
    ],
)
def test_bytes(count, text) -> None:
    assert format_bytes(count) == text


def test_digits_count_from_gibibytes_on() -> None:
    assert format_bytes(16 * GIB + 768 * MIB, digits=2) == "16.75 GiB"
    assert format_bytes(768 * MIB, digits=2) == "768 MiB"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 ms"),
        (0.0123, "12 ms"),
        (0.25, "0.25 s"),
        (0.2, "0.20 s"),
        (0.997, "1.0 s"),
        (9.94, "9.9 s"),
        (9.97, "10 s"),
        (45.2, "45 s"),
        (89.4, "89 s"),
        (22 * 60, "22 min"),
        (3 * 3600 + 5 * 60, "3 h 05 min"),
        (3600 * 100, "100 h 00 min"),
    ],
)
def test_durations(seconds, text) -> None:
    assert format_duration(seconds) == text


@given(st.floats(0, 1e7))
def test_every_duration_has_a_number_and_a_unit(seconds) -> None:
    number, unit = format_duration(seconds).split(" ", 1)

    assert float(number) >= 0
    assert unit.split(" ")[-1] in {"ms", "s", "min"}


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        ("0.20 s", "0.81 s", "0.20 – 0.81 s"),
        ("64 ms", "0.25 s", "64 ms – 0.25 s"),
        ("9.9 GiB", "12.7 GiB", "9.9 – 12.7 GiB"),
        ("31 ms", "31 ms", "31 ms"),
        ("3 h 05 min", "4 h 05 min", "3 h 05 min – 4 h 05 min"),
    ],
)
def test_a_range_names_its_unit_once_where_it_is_the_same(low, high, text) -> None:
    assert join_range(low, high) == text


def test_counts_are_grouped_by_a_narrow_space() -> None:
    assert format_count(1797) == "1\u202f797"
    assert format_count(50_469_130) == "50\u202f469\u202f130"
    assert format_count(-1234) == "-1\u202f234"
    assert format_count(7) == "7"
