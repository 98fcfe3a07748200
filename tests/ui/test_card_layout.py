"""The curve that is shifted instead of redrawn, and the grid that never scrolls sideways."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gpuconfig_app.ui.widgets.card_grid import CardGrid
from gpuconfig_app.ui.widgets.gpu_card import GpuCard
from gpuconfig_app.ui.widgets.spark_curve import SparkCurve
from tests.ui.fakes_ui import make_minute

GREEN = QColor("#00ff00")
GREY = QColor("#808080")


def _painted(curve: SparkCurve, until_s: float | None = None, color: QColor = GREEN) -> QImage:
    image = QImage(120, 40, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    curve.paint(painter, QRectF(0, 0, 120, 40), color, GREY, until_s)
    painter.end()
    return image


def _has_line(image: QImage, x: int) -> bool:
    return any(image.pixelColor(x, y).green() > 200 > image.pixelColor(x, y).red() for y in range(1, image.height()))


def test_shifted_curve_looks_like_a_redrawn_one():
    points = [(float(second), 50.0 + second % 7 * 5) for second in range(90)]
    shifted = SparkCurve()
    shifted.set_points(points[:60])
    _painted(shifted)
    for moment, value in points[60:]:
        shifted.add(moment, value)
    redrawn = SparkCurve()
    redrawn.set_points(points)

    first, second = _painted(shifted), _painted(redrawn)

    columns = [x for x in range(2, 118) if _has_line(first, x) != _has_line(second, x)]
    assert len(columns) < 6


def test_curve_stops_where_readings_stop():
    curve = SparkCurve()
    curve.set_points([(float(second), 80.0) for second in range(60)])

    image = _painted(curve, until_s=59.0 + 20.0)

    assert _has_line(image, 60)
    assert not _has_line(image, 110)


def test_curve_has_a_gap_where_nothing_was_read():
    curve = SparkCurve()
    curve.set_points([(float(second), 80.0) for second in (*range(20), *range(40, 60))])

    image = _painted(curve)

    assert _has_line(image, 110)
    assert not _has_line(image, 60)


def test_curve_forgets_what_has_left_the_picture():
    curve = SparkCurve()
    for second in range(500):
        curve.add(float(second), 1.0)

    assert len(curve.points) <= 67


def test_older_points_are_ignored():
    curve = SparkCurve()
    curve.add(5.0, 1.0)
    curve.add(4.0, 2.0)

    assert curve.points == ((5.0, 1.0),)


def test_sync_takes_only_news_and_clears_on_nothing():
    curve = SparkCurve()
    points = [(float(second), 1.0) for second in range(10)]
    curve.sync(points[:8])
    curve.sync(points)
    whole = curve.points
    curve.sync([])

    assert whole == tuple(points)
    assert curve.points == ()


# --- grid


@pytest.mark.parametrize(
    ("count", "width", "columns"), [(2, 1056, 2), (8, 1056, 3), (16, 1376, 4), (16, 2400, 4), (8, 744, 2), (3, 250, 1)]
)
def test_columns_follow_from_the_width(theme, qtbot, count, width, columns):
    grid = CardGrid(300, 4, 12)
    qtbot.addWidget(grid)
    grid.resize(width, 100)

    cards = [GpuCard(str(index)) for index in range(count)]
    grid.set_cards(cards)

    assert grid.columns == columns
    assert max(card.geometry().right() for card in cards) < width
    assert grid.heightForWidth(width) == -(-count // columns) * (230 + 12) - 12


def test_grid_drops_cards_that_are_gone(theme, qtbot):
    grid = CardGrid()
    qtbot.addWidget(grid)
    first, second = GpuCard("0"), GpuCard("1")
    grid.set_cards([first, second])

    grid.set_cards([second])

    assert grid.cards == (second,)
    assert not first.isVisible()


def test_minute_of_samples_is_a_minute():
    assert len(make_minute()) == 60
