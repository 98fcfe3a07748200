"""Many cards at one glance: choosing rows by mouse and keys, colours, what is not known."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from gpuconfig_app.core.sample import Metric
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.widgets.curve_cell import Scale
from gpuconfig_app.ui.widgets.heat_strip import MOST_SELECTED, HeatStrip, heat_color
from tests.fakes import FakeClock
from tests.ui.graphs import MEMORY, UTILIZATION, colors_at, fall_silent, fill, key_of, make_row, work_off


@pytest.fixture
def clock():
    return FakeClock(monotonic=1000.0)


@pytest.fixture
def history():
    made = History()
    for device in range(16):
        fill(made, device, range(940, 1001), lambda _, device=device: device * 100 / 15)
    return made


@pytest.fixture
def strip(show, clock, history):
    made = show(HeatStrip(clock))
    made.window().resize(1000, 500)
    made.set_span(60.0, 1.0)
    made.show_rows(history, [make_row(device) for device in range(16)], UTILIZATION)
    work_off(made)
    return made


def row_middle(strip: HeatStrip, number: int) -> QPoint:
    return strip._row_place(number).center().toPoint()


def test_press_selects_and_deselects(strip, qtbot):
    heard = []
    strip.selection_changed.connect(heard.append)

    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=row_middle(strip, 7))
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=row_middle(strip, 11))
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=row_middle(strip, 7))

    assert heard == [(key_of(7),), (key_of(7), key_of(11)), (key_of(11),)]


def test_press_beside_the_rows_selects_nothing(strip, qtbot):
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(100, 4))
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(100, strip.height() - 2))

    assert strip.selected == ()


def test_keys_move_and_select(strip, qtbot):
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Up, Qt.Key.Key_Return):
        qtbot.keyClick(strip, key)

    assert strip.selected == (key_of(2), key_of(1))


def test_keys_stop_at_both_ends(strip, qtbot):
    qtbot.keyClick(strip, Qt.Key.Key_Up)
    qtbot.keyClick(strip, Qt.Key.Key_Space)
    for _ in range(40):
        qtbot.keyClick(strip, Qt.Key.Key_Down)
    qtbot.keyClick(strip, Qt.Key.Key_Space)

    assert strip.selected == (key_of(0), key_of(15))


def test_current_row_is_read_out(strip, qtbot, clock, history):
    rows = [make_row(0), make_row(1, word="Lost", severity="blocked", remark="since 11:02")]
    strip.show_rows(history, rows, UTILIZATION)

    qtbot.keyClick(strip, Qt.Key.Key_Down)

    assert strip.accessibleDescription().startswith("GPU 1: Lost. since 11:02")


def test_fifth_choice_pushes_out_the_first(strip, qtbot):
    for number in range(5):
        qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=row_middle(strip, number))

    assert MOST_SELECTED == 4
    assert strip.selected == tuple(key_of(number) for number in (1, 2, 3, 4))


def test_chosen_card_that_is_gone_is_no_longer_chosen(strip, history):
    strip.select([key_of(3), key_of(15)])

    strip.show_rows(history, [make_row(device) for device in range(10)], UTILIZATION)

    assert strip.selected == (key_of(3),)


def test_colors_are_six_steps_of_the_metric(theme):
    scale = Scale(0, 100)
    colors = [heat_color(theme, "metric.util", scale, value).name() for value in range(101)]

    assert len(set(colors)) == 6
    assert colors[0] != colors[100]
    assert heat_color(theme, "metric.util", scale, 500) == heat_color(theme, "metric.util", scale, 100)


def test_cells_have_the_color_of_their_value(strip, theme):
    idle, full = (strip._pictures[key_of(device)].picture.toImage() for device in (0, 15))

    assert heat_color(theme, "metric.util", Scale(0, 100), 0).name() in colors_at(idle, 300)
    assert heat_color(theme, "metric.util", Scale(0, 100), 100).name() in colors_at(full, 300)


def test_lost_card_is_hatched_and_has_no_value(strip, history, clock, theme, texts_drawn):
    fall_silent(history, 11, 1001)
    clock.advance(30)
    rows = [make_row(device) for device in range(16)]
    rows[11] = make_row(11, word="Lost", severity="blocked", remark="since 11:02", gap_text="no answer since 11:02")

    strip.show_rows(history, rows, UTILIZATION)
    work_off(strip)
    texts_drawn.clear()
    strip.grab()

    kept = strip._pictures[key_of(11)]
    assert kept.gap_left == pytest.approx(kept.picture.width() / 2, rel=0.05)
    assert theme.color("chart.gap").name() in colors_at(kept.picture.toImage(), kept.picture.width() - 4)
    assert "no answer since 11:02" in texts_drawn
    row = texts_drawn.index("Lost")
    assert "–" in texts_drawn[row : row + 4]


def test_card_that_was_lost_just_now_shows_no_old_number(strip, history, texts_drawn):
    rows = [make_row(device) for device in range(16)]
    rows[11] = make_row(11, word="Lost", severity="blocked")

    strip.show_rows(history, rows, UTILIZATION)
    strip.grab()

    row = texts_drawn.index("Lost")
    assert texts_drawn[row + 1] == "–"


def test_card_that_was_never_read_is_empty_not_idle(show, clock, theme):
    made = show(HeatStrip(clock))
    made.window().resize(1000, 400)
    made.show_rows(History(), [make_row(device) for device in range(9)], UTILIZATION)
    work_off(made)

    kept = made._pictures[key_of(0)]

    assert kept.is_empty
    assert heat_color(theme, "metric.util", Scale(0, 100), 0).name() not in colors_at(kept.picture.toImage(), 300)


def test_other_metric_is_drawn_anew(strip, history):
    before = strip._pictures[key_of(3)].picture.cacheKey()

    strip.show_rows(history, [make_row(device) for device in range(16)], MEMORY)
    work_off(strip)

    assert strip._pictures[key_of(3)].picture.cacheKey() != before
    assert strip._pictures[key_of(3)].is_empty


def test_rows_stay_until_the_next_column_of_cells(strip, clock):
    before = {key: kept.picture.cacheKey() for key, kept in strip._pictures.items()}
    clock.advance(0.01)

    strip.refresh()
    work_off(strip)

    assert {key: kept.picture.cacheKey() for key, kept in strip._pictures.items()} == before


def test_many_cards_get_thin_rows(show, clock):
    made = show(HeatStrip(clock))
    made.window().resize(1000, 800)

    made.show_rows(History(), [make_row(device) for device in range(72)], UTILIZATION)

    assert made.sizeHint().height() < 800
    assert {Metric.UTILIZATION_PCT} <= set(made._rows[0].scales)
