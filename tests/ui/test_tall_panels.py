"""One card in full, drawn by pyqtgraph: gaps stay gaps, marks at round ages, one crosshair through all panels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.units import GIB
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.theme import DARK
from gpuconfig_app.ui.widgets.curve_cell import Scale
from gpuconfig_app.ui.widgets.tall_panels import TallPanels, tick_text
from tests.fakes import FakeClock
from tests.ui.graphs import COLUMNS, fall_silent, fill, make_row


@pytest.fixture
def clock():
    return FakeClock(monotonic=1000.0)


@pytest.fixture
def history():
    made = History()
    fill(made, 0, range(401, 1001), lambda second: (second - 400) / 6)
    fill(made, 0, range(401, 1001), lambda _: 12 * GIB, Metric.MEMORY_USED_BYTES)
    return made


@pytest.fixture
def panels(show, clock, history):
    made = show(TallPanels(clock))
    made.window().resize(1000, 600)
    made.set_span(600.0, 1.0)
    made.show_row(history, make_row(0), COLUMNS)
    return made


def drawn(panels: TallPanels, number: int) -> tuple[np.ndarray, np.ndarray]:
    x, y = panels._panels[number].curve.getData()
    return x, y


def test_curve_is_in_shown_units_over_its_age(panels):
    ages, memory = drawn(panels, 1)

    assert ages[-1] == pytest.approx(0, abs=1)
    assert ages[0] == pytest.approx(-600, abs=1)
    assert np.nanmax(memory) == pytest.approx(12)


def test_what_was_not_read_is_a_gap_and_never_zero(show, clock):
    history = History()
    fill(history, 0, range(401, 600))
    fall_silent(history, 0, 600)
    fill(history, 0, range(800, 1001))
    made = show(TallPanels(clock))
    made.set_span(600.0, 1.0)

    made.show_row(history, make_row(0), COLUMNS)
    ages, values = drawn(made, 0)

    inside = (ages > -390) & (ages < -210)
    assert np.isnan(values[inside]).all()
    assert np.nanmin(values) == 50
    assert made._panels[0].curve.opts["connect"] == "finite"


def test_marks_are_at_round_ages_from_now_to_the_left_edge(panels):
    axis = panels._panels[-1].plot.getAxis("bottom")

    marks = axis._tickLevels[0]

    assert [text for _, text in marks] == ["now", "2 min ago", "4 min ago", "6 min ago", "8 min ago", "10 min ago"]
    assert [place for place, _ in marks] == [0, -120, -240, -360, -480, -600]


@pytest.mark.parametrize(
    ("span_s", "texts"),
    [
        (60.0, ["now", "10 s ago", "20 s ago", "30 s ago", "40 s ago", "50 s ago", "60 s ago"]),
        (3600.0, ["now", "10 min ago", "20 min ago", "30 min ago", "40 min ago", "50 min ago", "60 min ago"]),
        (21600.0, ["now", "60 min ago", "2 h ago", "3 h ago", "4 h ago", "5 h ago", "6 h ago"]),
        (86400.0, ["now", "4 h ago", "8 h ago", "12 h ago", "16 h ago", "20 h ago", "24 h ago"]),
    ],
)
def test_every_span_has_its_marks(panels, span_s, texts):
    panels.set_span(span_s, 1.0)

    assert [text for _, text in panels._panels[0].plot.getAxis("bottom")._tickLevels[0]] == texts


def test_marks_of_values_are_the_ends_and_the_middle(panels):
    ticks = panels._panels[1].plot.getAxis("left")._tickLevels[0]

    assert [text for _, text in ticks] == ["0", "12", "24"]


def test_age_of_nothing_is_now(theme):
    assert tick_text(0) == "now"
    assert tick_text(119) == "119 s ago"


def test_crosshair_goes_through_all_panels_and_reads_them(panels, qtbot):
    heard = []
    panels.crosshair_moved.connect(heard.append)
    box = panels._panels[0].plot.plotItem.vb

    panels._point_at(panels._panels[0], box.mapViewToScene(QPointF(-300, 50)))

    assert heard == [pytest.approx(300, abs=2)]
    assert all(panel.cross.isVisible() for panel in panels._panels)
    assert {round(panel.cross.value()) for panel in panels._panels} == {-300}
    assert panels._panels[0].number.text() == "50 %"
    assert panels._panels[1].number.text() == "12.0 GiB"


def test_leaving_the_graph_shows_the_newest_values_again(panels):
    panels.set_crosshair(300.0)

    panels._point_at(panels._panels[0], QPointF(-50, -50))

    assert not any(panel.cross.isVisible() for panel in panels._panels)
    assert panels._panels[0].number.text() == "100 %"


def test_keys_move_the_crosshair(panels, qtbot):
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Right):
        qtbot.keyClick(panels, key)
    at = panels._age_s
    qtbot.keyClick(panels, Qt.Key.Key_Escape)

    assert at == pytest.approx(6)
    assert panels._age_s is None


def test_crosshair_in_a_gap_reads_a_dash(show, clock):
    history = History()
    fill(history, 0, range(900, 1001))
    made = show(TallPanels(clock))
    made.set_span(600.0, 1.0)
    made.show_row(history, make_row(0), COLUMNS)

    made.set_crosshair(500.0)

    assert made._panels[0].number.text() == "–"
    assert made._panels[0].value_at(500.0, 600.0) is None


def test_card_that_was_lost_just_now_shows_no_old_number(show, clock):
    history = History()
    fill(history, 0, range(900, 1000))
    fall_silent(history, 0, 1000)
    made = show(TallPanels(clock))
    made.set_span(600.0, 1.0)

    made.show_row(history, make_row(0), COLUMNS)

    assert made._panels[0].number.text() == "–"


def test_missing_metric_says_why(show, clock):
    history = History()
    fill(history, 0, range(900, 1001))
    made = show(TallPanels(clock))

    made.show_row(history, make_row(0, missing={Metric.MEMORY_USED_BYTES: "no permission"}), COLUMNS)

    assert made._panels[1].number.text() == "–"
    assert made._panels[1].more.text() == "no permission"
    assert not [value for value in drawn(made, 1)[1] if not math.isnan(value)]


def test_limit_is_a_line_and_a_word(show, clock, history):
    made = show(TallPanels(clock))
    scales = {**make_row().scales, Metric.UTILIZATION_PCT: Scale(0, 100, limit=90)}

    made.show_row(history, make_row(0, scales=scales), COLUMNS)

    assert made._panels[0].limit.isVisible()
    assert made._panels[0].limit.value() == 90
    assert "limit 90" in made._panels[0].more.text()
    assert not made._panels[1].limit.isVisible()


def test_frozen_panels_stand_still(panels, clock):
    panels.set_frozen(1000.0)
    before = drawn(panels, 0)[1].copy()
    clock.advance(120)

    panels.refresh()

    assert np.array_equal(before, drawn(panels, 0)[1], equal_nan=True)


def test_panels_move_on_when_live(panels, clock):
    before = drawn(panels, 0)[1].copy()
    clock.advance(120)

    panels.refresh()

    assert not np.array_equal(before, drawn(panels, 0)[1], equal_nan=True)
    assert np.isnan(drawn(panels, 0)[1][-100:]).all()


def test_theme_changes_the_colors(panels, theme):
    before = panels._panels[0].curve.opts["pen"].color().name()

    theme.choose(DARK, is_chinese=False)

    assert panels._panels[0].curve.opts["pen"].color().name() == theme.color("metric.util").name() != before
