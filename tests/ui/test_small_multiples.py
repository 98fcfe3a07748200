"""One row a card: what is redrawn, crosshair by mouse and keys, reasons in place of graphs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest

from gpuconfig_app.core.sample import Metric
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.widgets.curve_cell import CurveCell, Scale
from gpuconfig_app.ui.widgets.redraw_queue import RedrawQueue
from gpuconfig_app.ui.widgets.small_multiples import SmallMultiples
from tests.fakes import FakeClock
from tests.ui.graphs import COLUMNS, fall_silent, fill, make_row, work_off


@pytest.fixture
def clock():
    return FakeClock(monotonic=1000.0)


@pytest.fixture
def history():
    made = History()
    for device in range(8):
        fill(made, device, range(940, 1001))
        fill(made, device, range(940, 1001), lambda second: (second - 940) * 1e8, Metric.MEMORY_USED_BYTES)
    return made


@pytest.fixture
def graphs(show, clock, history):
    made = show(SmallMultiples(clock))
    made.window().resize(1000, 500)
    made.set_span(60.0, 1.0)
    made.show_rows(history, [make_row(device) for device in range(8)], COLUMNS)
    work_off(made)
    return made


@pytest.fixture
def drawn(monkeypatch):
    """Names of the pictures that are drawn from now on."""
    seen: list[tuple[str, Metric]] = []
    draw = CurveCell.redraw

    def count(cell: CurveCell, *arguments: object) -> None:
        seen.append((cell.key.device, cell.metric))
        draw(cell, *arguments)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(CurveCell, "redraw", count)
    return seen


def test_nothing_is_drawn_before_the_next_column(graphs, clock, drawn):
    clock.advance(0.05)

    graphs.refresh()
    work_off(graphs)

    assert drawn == []


def test_every_picture_is_drawn_once_a_column_four_a_turn(graphs, clock, drawn):
    clock.advance(1.0)

    graphs.refresh()
    graphs.refresh()
    turns = work_off(graphs)

    assert len(drawn) == len(set(drawn)) == 16
    assert turns == 4


def test_pictures_of_cards_that_stay_are_kept(graphs, history, drawn):
    graphs.show_rows(history, [make_row(device) for device in (2, 3, 4, 5, 6)], COLUMNS)
    graphs.set_alone(is_alone=False)
    before = graphs._cells[0, 0].picture

    graphs.show_rows(history, [make_row(device) for device in (3, 4)], COLUMNS)

    assert graphs._cells[0, 0].key.device == "3"
    assert before is not None


def test_another_machine_begins_with_empty_graphs(graphs):
    graphs.show_rows(History(), [make_row(0)], COLUMNS)

    assert graphs._cells[0, 0].picture is None


def test_frozen_picture_does_not_move(graphs, clock, drawn):
    graphs.set_frozen(clock.monotonic())
    work_off(graphs)
    drawn.clear()
    clock.advance(30)

    graphs.refresh()
    work_off(graphs)

    assert drawn == []


def test_mouse_moves_the_crosshair_and_leaving_ends_it(graphs, qtbot):
    moved = []
    graphs.crosshair_moved.connect(moved.append)
    place = graphs._cell_place(1, 0)
    plot = graphs._plot_size().width()

    QTest.mouseMove(graphs, QPoint(int(place.left() + 1 + plot / 2), int(place.center().y())))
    graphs.leaveEvent(QEvent(QEvent.Type.Leave))

    assert moved[0] == pytest.approx(30, abs=1)
    assert moved[-1] is None


def test_arrow_keys_move_the_crosshair_escape_ends_it(graphs, qtbot):
    moved = []
    graphs.crosshair_moved.connect(moved.append)

    qtbot.keyClick(graphs, Qt.Key.Key_Left)
    qtbot.keyClick(graphs, Qt.Key.Key_Left)
    qtbot.keyClick(graphs, Qt.Key.Key_Right)
    for _ in range(3):
        qtbot.keyClick(graphs, Qt.Key.Key_Right)
    qtbot.keyClick(graphs, Qt.Key.Key_Escape)

    assert moved[0] == pytest.approx(moved[2])
    assert moved[1] == pytest.approx(2 * moved[0])
    assert 0.0 in moved
    assert moved[-1] is None


def test_crosshair_reads_each_card_at_that_age(graphs, history):
    window = graphs._window()
    graphs.set_crosshair(30.0)
    column = graphs._crosshair_column(window)

    memory = graphs._cells[0, 1].value_at(history, window, column)

    assert memory == pytest.approx(30e8, rel=0.05)
    assert COLUMNS[1].shown(memory) in ("2.8", "2.9")


def test_range_stands_above_a_column_only_when_all_share_it(graphs, history):
    other = make_row(1, scales={**make_row().scales, Metric.MEMORY_USED_BYTES: Scale(0, 80e9)})
    alike = graphs.grab().toImage()

    graphs.show_rows(history, [make_row(0), other], COLUMNS)

    assert COLUMNS[0].range_text(Scale(0, 100)) == "0 – 100 %"
    assert COLUMNS[0].range_text(Scale(0, 100, is_assumed=True)) == ""
    assert graphs.grab().toImage() != alike


def test_unknown_reading_is_a_dash():
    assert COLUMNS[0].shown(None) == "–"
    assert COLUMNS[0].shown(0.0) == "0"


def test_card_without_readings_says_why_across_its_row(show, clock, history, texts_drawn):
    made = show(SmallMultiples(clock))
    made.window().resize(1000, 500)
    asleep = make_row(9, word="Asleep", reason="The card is asleep.")

    made.show_rows(history, [asleep, make_row(0)], COLUMNS)
    work_off(made)
    made.grab()

    assert texts_drawn.count("– The card is asleep.") == 1


def test_one_missing_metric_says_why_in_its_place(show, clock, texts_drawn):
    history = History()
    fill(history, 0, range(940, 1001))
    made = show(SmallMultiples(clock))
    made.window().resize(1000, 500)
    row = make_row(0, missing={Metric.MEMORY_USED_BYTES: "no permission"})

    made.show_rows(history, [row], COLUMNS)
    work_off(made)
    made.grab()

    assert texts_drawn.count("– no permission") == 1


def test_gap_tells_since_when(show, clock, texts_drawn):
    history = History()
    fill(history, 0, range(400, 500))
    fall_silent(history, 0, 500)
    made = show(SmallMultiples(clock))
    made.window().resize(1200, 500)
    made.set_span(600.0, 1.0)
    row = make_row(0, word="Lost", severity="blocked", gap_text="no answer since 11:02")

    made.show_rows(history, [row], COLUMNS)
    work_off(made)
    made.grab()

    assert "no answer since 11:02" in texts_drawn


def test_queue_ends_with_the_widget(show, clock):
    made = SmallMultiples(clock)

    assert len(made.findChildren(RedrawQueue)) == 1
    made.deleteLater()
