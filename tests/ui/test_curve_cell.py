"""The picture of one curve: when it is drawn anew, gaps, hatching, values under the crosshair."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize

from gpuconfig_app.core.sample import Metric
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.theme import DARK
from gpuconfig_app.ui.widgets.curve_cell import CurveCell, Scale, Window, window_at
from tests.ui.graphs import fall_silent, fill, has_color, key_of

SIZE = QSize(60, 40)


@pytest.fixture
def cell(theme):
    return CurveCell(key_of(0), Metric.UTILIZATION_PCT, Scale(0, 100, limit=90), "metric.util")


@pytest.fixture
def history():
    return History()


def draw(cell: CurveCell, history: History, window: Window, theme):
    cell.redraw(history, window, SIZE, theme, 1.0)
    assert cell.picture is not None
    return cell.picture.toImage()


def at(now_s: float) -> Window:
    return window_at(now_s, 60.0, SIZE.width(), 1.0)


def test_picture_stays_until_the_next_pixel_column(cell, history, theme):
    draw(cell, history, at(1000.2), theme)

    assert not cell.is_due(at(1000.9), SIZE, theme)
    assert cell.is_due(at(1001.1), SIZE, theme)


def test_long_span_is_drawn_seldom(cell, history, theme):
    hour = window_at(1000.0, 3600.0, 60, 1.0)
    cell.redraw(history, hour, SIZE, theme, 1.0)

    assert not cell.is_due(window_at(1019.0, 3600.0, 60, 1.0), SIZE, theme)
    assert cell.is_due(window_at(1020.0, 3600.0, 60, 1.0), SIZE, theme)


def test_other_size_scale_span_or_theme_make_it_due(cell, history, theme):
    window = at(1000.0)
    draw(cell, history, window, theme)

    assert cell.is_due(window, QSize(61, 40), theme)
    assert cell.is_due(window_at(1000.0, 600.0, 60, 1.0), SIZE, theme)
    cell.scale = Scale(0, 50)
    assert cell.is_due(window, SIZE, theme)
    cell.scale = Scale(0, 100, limit=90)
    assert not cell.is_due(window, SIZE, theme)
    theme.choose(DARK, is_chinese=False)
    assert cell.is_due(window, SIZE, theme)


def test_unknown_is_left_out_and_not_drawn_as_zero(cell, history, theme):
    fill(history, 0, range(941, 961))
    fall_silent(history, 0, 961)
    fill(history, 0, range(981, 1000))

    image = draw(cell, history, at(999.5), theme)

    color = theme.color("metric.util")
    assert has_color(image, 10, color, tolerance=60)
    assert not has_color(image, 30, color, tolerance=60)
    assert has_color(image, 50, color, tolerance=60)


def test_zero_is_drawn(cell, history, theme):
    fill(history, 0, range(941, 1000), lambda _: 0.0)

    image = draw(cell, history, at(999.5), theme)

    assert has_color(image, 30, theme.color("metric.util"), tolerance=40)


def test_hatched_after_the_last_reading(cell, history, theme):
    fill(history, 0, range(941, 971))
    fall_silent(history, 0, 971)

    image = draw(cell, history, at(999.5), theme)

    assert cell.gap_left == pytest.approx(30, abs=1.5)
    assert has_color(image, 45, theme.color("chart.gap"), tolerance=2)
    assert not has_color(image, 15, theme.color("chart.gap"), tolerance=2)


def test_nothing_read_is_neither_curve_nor_hatch(cell, history, theme):
    image = draw(cell, history, at(999.5), theme)

    assert cell.has_readings is False
    assert cell.gap_left is None
    assert not has_color(image, 30, theme.color("metric.util"), tolerance=60)
    assert not has_color(image, 30, theme.color("border_control"), tolerance=2)


def test_missed_look_is_bridged_a_long_one_is_not(cell, history, theme):
    fill(history, 0, [*range(941, 955), *range(956, 975), *range(980, 1000)])

    image = draw(cell, history, at(999.5), theme)

    color = theme.color("metric.util")
    assert has_color(image, 15, color, tolerance=60)
    assert not has_color(image, 37, color, tolerance=60)
    assert cell.gap_left is None


def test_value_now_and_at_a_column(cell, history, theme):
    fill(history, 0, range(941, 1000), lambda second: second - 900)

    window = at(999.5)

    assert cell.value_at(history, window, None) == 99
    assert cell.value_at(history, window, 59) == 99
    assert cell.value_at(history, window, 10) == 50


def test_value_now_does_not_vanish_when_a_column_begins(cell, history):
    """Ten minutes in 60 columns: ten seconds each; the newest reading lies in the column before."""
    fill(history, 0, [999.4])

    assert cell.value_at(history, window_at(1000.1, 600.0, 60, 1.0), None) == 50


def test_value_before_a_gap_is_not_now(cell, history):
    """At one day a column is minutes wide; a card lost a second ago must not keep its number for so long."""
    fill(history, 0, range(900, 999))
    fall_silent(history, 0, 999.0)

    assert cell.value_at(history, window_at(1000.0, 86_400.0, 60, 1.0), None) is None


def test_value_of_a_column_is_its_peak(cell, history, theme):
    fill(history, 0, [990.1, 990.4, 990.8], {990.1: 10.0, 990.4: 95.0, 990.8: 12.0}.__getitem__)
    window = at(999.5)

    column = int((990.4 - window.start_s) / window.column_s)

    assert cell.value_at(history, window, column) == pytest.approx(95)


def test_there_is_no_value_where_nothing_was_read(cell, history, theme):
    fill(history, 0, range(941, 971))
    fall_silent(history, 0, 971)
    window = at(999.5)

    assert cell.value_at(history, window, None) is None
    assert cell.value_at(history, window, 45) is None
    assert cell.value_at(history, window, 20) == 50


def test_line_of_the_limit_is_drawn_only_inside_the_range(history, theme):
    inside = CurveCell(key_of(0), Metric.TEMPERATURE_C, Scale(0, 100, limit=90), "metric.temp")
    outside = CurveCell(key_of(0), Metric.TEMPERATURE_C, Scale(0, 80, limit=90), "metric.temp")

    def is_dotted(cell: CurveCell) -> bool:
        image = draw(cell, history, at(999.5), theme)
        return any(has_color(image, x, theme.color("blocked.fg"), tolerance=90) for x in range(image.width()))

    assert is_dotted(inside)
    assert not is_dotted(outside)


def test_share_never_leaves_the_graph():
    scale = Scale(20, 100)

    assert (scale.share(0), scale.share(60), scale.share(500)) == (0, 0.5, 1)
    assert Scale(5, 5).share(5) == 0


def test_columns_lie_on_a_fixed_grid():
    early, late = window_at(1000.01, 60, 60, 1.0), window_at(1000.99, 60, 60, 1.0)

    assert early == late
    assert window_at(1001.0, 60, 60, 1.0).start_s - early.start_s == pytest.approx(1.0)
    assert window_at(10.0, 60, 0, 1.0).columns == 1
