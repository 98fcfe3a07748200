"""One small graph: a stretch of one metric of one device, kept as a picture and redrawn only when it has to be.

A picture is out of date when its newest pixel column is another one than before, or when size, colours, scale or span
changed (design decision 7). Times are ages on a fixed grid of columns, so that a live curve moves by whole pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap

from gpuconfig_app.core.sample import DeviceKey, Metric
from gpuconfig_app.telemetry.fold import Folded
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.theme import Theme
from gpuconfig_app.ui.widgets.painting import draw_hatch

_FILL_SHARE = 0.13
_LINE_WIDTH = 1.5
_BRIDGED_INTERVALS = 2.5
_LEAST_HATCHED_PX = 6


@dataclass(frozen=True)
class Scale:
    """Vertical range of a graph.

    Attributes:
        low: Value at the bottom.
        high: Value at the top.
        limit: Drawn as a dotted line, None without one.
        is_assumed: The card does not tell its range; this is a usual one and is never written beside the graph.
    """

    low: float
    high: float
    limit: float | None = None
    is_assumed: bool = False

    def share(self, value: float) -> float:
        """Give the height of a value, 0 at the bottom and 1 at the top, never outside."""
        return min(max((value - self.low) / ((self.high - self.low) or 1.0), 0.0), 1.0)


@dataclass(frozen=True)
class Window:
    """The stretch of time that is shown.

    Attributes:
        span_s: Length in seconds.
        columns: Pixel columns.
        edge: Number of the newest column, counted from the clock's zero.
        bridge_s: Readings at most this far apart belong together.
    """

    span_s: float
    columns: int
    edge: int
    bridge_s: float

    @property
    def column_s(self) -> float:
        """Seconds in one pixel column."""
        return self.span_s / self.columns

    @property
    def start_s(self) -> float:
        """Monotonic time of the left edge."""
        return (self.edge + 1 - self.columns) * self.column_s

    @property
    def end_s(self) -> float:
        """Monotonic time of the right edge."""
        return (self.edge + 1) * self.column_s


def window_at(now_s: float, span_s: float, columns: int, interval_s: float) -> Window:
    """Give the stretch that ends now, on the fixed grid of columns."""
    columns = max(columns, 1)
    edge = math.floor(now_s / (span_s / columns))
    return Window(span_s, columns, edge, interval_s * _BRIDGED_INTERVALS)


def newest_value(history: History, key: DeviceKey, metric: Metric, window: Window) -> float | None:
    """Give the newest reading up to the window's end; None when it is too old to be called now, or a gap came after."""
    since_s = window.end_s - window.column_s - window.bridge_s
    series = history.series(key, metric, since_s, window.end_s)
    inside = [v for t, v in zip(series.times, series.values, strict=True) if since_s <= t < window.end_s]
    return None if not inside or math.isnan(inside[-1]) else inside[-1]


class CurveCell:
    """The picture of one metric of one device.

    Args:
        color_name: Token of the metric's colour.

    Attributes:
        picture: What was drawn last, None before the first drawing.
        has_readings: The picture shows at least one reading; None before the first drawing.
        gap_left: Where readings ended and hatching begins, in pixels from the left; None when they reach to now.
    """

    def __init__(self, key: DeviceKey, metric: Metric, scale: Scale, color_name: str) -> None:
        self.key = key
        self.metric = metric
        self.scale = scale
        self.color_name = color_name
        self.picture: QPixmap | None = None
        self.has_readings: bool | None = None
        self.gap_left: float | None = None
        self._drawn: tuple[object, ...] = ()

    def is_due(self, window: Window, size: QSize, theme: Theme) -> bool:
        """Whether the picture no longer shows what it should."""
        return self._drawn != self._state(window, size, theme)

    def redraw(self, history: History, window: Window, size: QSize, theme: Theme, ratio: float) -> None:
        """Draw the picture anew; at most a few per turn of the window's thread."""
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(theme.color("chart.bg"))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_frame(painter, size, theme)
        folded = history.folded(
            self.key, self.metric, window.start_s, window.end_s, window.columns, bridge_s=window.bridge_s
        )
        draw_folded(painter, folded, self.scale, size, theme.color(self.color_name))
        self.gap_left = gap_left(folded, size.width())
        self.has_readings = any(not math.isnan(high) for high in folded.highs)
        if self.gap_left is not None:
            place = QRectF(self.gap_left, 0, size.width() - self.gap_left, size.height())
            draw_hatch(painter, place, theme.color("border_control"), theme.color("chart.gap"))
        painter.end()
        self.picture = picture
        self._drawn = self._state(window, size, theme)

    def value_at(self, history: History, window: Window, column: int | None) -> float | None:
        """Give the highest value in a column, or the newest one for None; None when there is no reading."""
        if column is None:
            return newest_value(history, self.key, self.metric, window)
        start_s = window.start_s + column * window.column_s
        end_s = start_s + window.column_s
        series = history.series(self.key, self.metric, start_s, end_s)
        inside = [v for t, v in zip(series.times, series.values, strict=True) if start_s <= t < end_s]
        known = [value for value in inside if not math.isnan(value)]
        if known:
            return max(known)
        if len(series) < 2 or series.times[-1] - series.times[0] > window.bridge_s:
            return None
        last = series.values[-1]
        return None if math.isnan(last) else last

    def _state(self, window: Window, size: QSize, theme: Theme) -> tuple[object, ...]:
        return (window.edge, window.span_s, window.columns, size.width(), size.height(), theme.name, self.scale)

    def _draw_frame(self, painter: QPainter, size: QSize, theme: Theme) -> None:
        middle = size.height() / 2
        painter.setPen(QPen(theme.color("chart.grid"), 1))
        painter.drawLine(QPointF(0, middle), QPointF(size.width(), middle))
        if self.scale.limit is not None and self.scale.low < self.scale.limit <= self.scale.high:
            y = _y_of(self.scale.share(self.scale.limit), size.height())
            pen = QPen(theme.color("blocked.fg"), 1, Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawLine(QPointF(0, y), QPointF(size.width(), y))


def gap_left(folded: Folded, width: float) -> float | None:
    """Give where the stretch without readings up to now begins; None for none, a small one, or no readings at all."""
    known = [column for column, high in enumerate(folded.highs) if not math.isnan(high)]
    if not known:
        return None
    left = (known[-1] + 1) * width / len(folded)
    return left if width - left >= _LEAST_HATCHED_PX else None


def draw_folded(painter: QPainter, folded: Folded, scale: Scale, size: QSize, color: QColor) -> None:
    """Draw a folded curve: the area below its highs, a line along them, and the reach down to the lows."""
    step = size.width() / len(folded)
    fill = QColor(color)
    fill.setAlphaF(_FILL_SHARE)
    for first, last in _runs(folded):
        line, reach = QPainterPath(), QPainterPath()
        for column in range(first, last):
            x = (column + 0.5) * step
            top = _y_of(scale.share(folded.highs[column]), size.height())
            bottom = _y_of(scale.share(folded.lows[column]), size.height())
            line.moveTo(x, top) if column == first else line.lineTo(x, top)
            if bottom - top > 1:
                reach.moveTo(x, top)
                reach.lineTo(x, bottom)
        if last - first == 1:
            line.lineTo((last + 0.5) * step, _y_of(scale.share(folded.highs[first]), size.height()))
        area = QPainterPath(line)
        area.lineTo(area.currentPosition().x(), size.height())
        area.lineTo((first + 0.5) * step, size.height())
        area.closeSubpath()
        painter.fillPath(area, fill)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, 1))
        painter.drawPath(reach)
        painter.setPen(QPen(color, _LINE_WIDTH))
        painter.drawPath(line)


def _runs(folded: Folded) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for column, high in enumerate(folded.highs):
        if math.isnan(high):
            if start is not None:
                runs.append((start, column))
                start = None
        elif start is None:
            start = column
    if start is not None:
        runs.append((start, len(folded)))
    return runs


def _y_of(share: float, height: float) -> float:
    return 1.5 + (1.0 - share) * (height - 3.0)
