"""The last minute of one reading as a small curve, kept as a picture that is shifted with each new reading.

Redrawn whole only when size, colours or state change (facts: a shifted picture costs a tenth of a redrawn one).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

FILL_SHARE = 0.13
LINE_WIDTH = 1.5
_GAP_S = 5.0


class SparkCurve:
    """Curve of values from 0 to 100 over a span of time.

    Args:
        span_s: Seconds from the left to the right edge.
    """

    def __init__(self, span_s: float = 60.0) -> None:
        self._span_s = span_s
        self._points: deque[tuple[float, float]] = deque()
        self._picture: QPixmap | None = None
        self._key: tuple[object, ...] = ()
        self._right_s = 0.0

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """All points, oldest first, as (seconds, value)."""
        return tuple(self._points)

    def set_points(self, points: Iterable[tuple[float, float]]) -> None:
        """Replace all points."""
        self._points = deque(points)
        self._picture = None

    def add(self, moment: float, value: float) -> None:
        """Add the newest point and shift the picture."""
        if self._points and moment <= self._points[-1][0]:
            return
        self._points.append((moment, value))
        while self._points and self._points[0][0] < moment - self._span_s - _GAP_S:
            self._points.popleft()
        if self._picture is not None:
            self._shift(moment)

    def sync(self, points: Sequence[tuple[float, float]]) -> None:
        """Add those of these points that are newer than the newest; an empty sequence clears the curve."""
        if not points:
            self.set_points(())
            return
        newest = self._points[-1][0] if self._points else float("-inf")
        news = [point for point in points if point[0] > newest]
        if len(news) > len(self._points):
            self.set_points(points)
            return
        for moment, value in news:
            self.add(moment, value)

    def paint(self, painter: QPainter, place: QRectF, line: QColor, grid: QColor, until_s: float | None = None) -> None:
        """Draw the curve.

        Args:
            place: Where, in device-independent pixels.
            line: Colour of the line; the area below gets a share of it.
            grid: Colour of the top line.
            until_s: Time of the right edge, None for the newest point; later than that leaves a gap at the right.
        """
        ratio = painter.device().devicePixelRatioF()
        size = QSize(max(1, round(place.width() * ratio)), max(1, round(place.height() * ratio)))
        right_s = until_s if until_s is not None else (self._points[-1][0] if self._points else 0.0)
        key = (size.width(), size.height(), ratio, line.rgba(), grid.rgba(), until_s)
        if self._picture is None or key != self._key:
            self._key = key
            self._right_s = right_s
            self._redraw(size, ratio, line, grid)
        if self._picture is not None:
            painter.drawPixmap(place.topLeft(), self._picture)

    def _redraw(self, size: QSize, ratio: float, line: QColor, grid: QColor) -> None:
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        picture.setDevicePixelRatio(ratio)
        self._picture = picture
        self._line, self._grid, self._ratio = line, grid, ratio
        painter = QPainter(picture)
        self._draw(painter, 0.0, size.width() / ratio, tuple(self._points))
        painter.end()

    def _shift(self, moment: float) -> None:
        picture = self._picture
        if picture is None:
            return
        width, height = picture.width() / self._ratio, picture.height() / self._ratio
        per_second = picture.width() / self._span_s
        pixels = math.floor((moment - self._right_s) * per_second)
        if pixels <= 0:
            return
        if pixels >= picture.width():
            self._picture = None
            return
        self._right_s += pixels / per_second
        picture.scroll(-pixels, 0, QRect(0, 0, picture.width(), picture.height()))
        left = width - pixels / self._ratio - 1.5
        painter = QPainter(picture)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
        painter.fillRect(QRectF(left, 0, width - left, height), Qt.GlobalColor.transparent)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.setClipRect(QRectF(left, 0, width - left, height))
        self._draw(painter, left, width, tuple(self._points)[-4:])
        painter.end()

    def _draw(self, painter: QPainter, left: float, right: float, points: tuple[tuple[float, float], ...]) -> None:
        """Draw the part between two x positions, from the points that reach into it."""
        if self._picture is None:
            return
        width, height = self._picture.width() / self._ratio, self._picture.height() / self._ratio
        painter.fillRect(QRectF(left, 0, right - left, 1), self._grid)
        per_second = width / self._span_s
        for part in _runs(points):
            line = QPolygonF(
                [
                    QPointF(
                        width - (self._right_s - moment) * per_second,
                        1 + (1 - min(max(value, 0.0), 100.0) / 100) * (height - 2.5),
                    )
                    for moment, value in part
                ]
            )
            self._draw_run(painter, line, height)

    def _draw_run(self, painter: QPainter, line: QPolygonF, height: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QPolygonF(line)
        area.append(QPointF(line.last().x(), height))
        area.append(QPointF(line.first().x(), height))
        fill = QColor(self._line)
        fill.setAlphaF(FILL_SHARE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawPolygon(area)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._line, LINE_WIDTH))
        painter.drawPolyline(line)


def _runs(points: tuple[tuple[float, float], ...]) -> list[list[tuple[float, float]]]:
    """Part points where no reading came for a while, or none was there (NaN, which Qt takes seconds to draw)."""
    runs: list[list[tuple[float, float]]] = []
    is_gap = True
    for point in points:
        if math.isnan(point[1]):
            is_gap = True
            continue
        if is_gap or point[0] - runs[-1][-1][0] > _GAP_S * 2:
            runs.append([])
        runs[-1].append(point)
        is_gap = False
    return [run for run in runs if len(run) > 1]
