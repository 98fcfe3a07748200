"""Many GPUs at one glance: a row of coloured cells a device, one metric, check boxes for those shown below in full.

Six steps of the metric's own colour; no reading is hatched with words, never drawn as 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.sample import DeviceKey
from gpuconfig_app.telemetry.fold import Folded
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.age_text import age_text
from gpuconfig_app.ui.widgets.curve_cell import Scale, Window, gap_left, newest_value, window_at
from gpuconfig_app.ui.widgets.graph_rows import GraphColumn, GraphRow
from gpuconfig_app.ui.widgets.painting import CENTER, LEFT, RIGHT, draw_box, draw_hatch, draw_text, mix, start_painter
from gpuconfig_app.ui.widgets.redraw_queue import RedrawQueue
from gpuconfig_app.ui.widgets.severity_badge import severity_color
from gpuconfig_app.ui.widgets.small_multiples import paint_gap_text

MOST_SELECTED = 4
_HEAD = 34
_FOOT = 24
_LABELS = 118
_VALUE = 40
_REMARK = 96
_CELL_PX = 5
_PLAIN = ("good", "neutral", "idle")
_TIGHT_FROM = 33


@dataclass(frozen=True)
class _Strip:
    """A row as it was drawn last: of which state, where its hatching begins, and whether it shows any reading."""

    state: tuple[object, ...]
    picture: QPixmap
    gap_left: float | None
    is_empty: bool


class HeatStrip(QWidget):
    """Rows of cells; space or a click selects a row, up and down move.

    Signals:
        selection_changed(object): ``tuple[DeviceKey, ...]`` of the selected rows, at most ``MOST_SELECTED``.
    """

    selection_changed = Signal(object)

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._history = History()
        self._rows: tuple[GraphRow, ...] = ()
        self._column: GraphColumn | None = None
        self._pictures: dict[DeviceKey, _Strip] = {}
        self._selected: list[DeviceKey] = []
        self._current = 0
        self._span_s, self._interval_s = 60.0, 1.0
        self._frozen_s: float | None = None
        self._age_s: float | None = None
        self._queue = RedrawQueue(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("All GPUs at one glance"))
        self._describe()

    @property
    def selected(self) -> tuple[DeviceKey, ...]:
        """Devices shown in full, in order of selection."""
        return tuple(self._selected)

    def show_rows(self, history: History, rows: Sequence[GraphRow], column: GraphColumn) -> None:
        """Show these devices in one metric."""
        if history is not self._history or column != self._column:
            self._pictures.clear()
        self._history, self._rows, self._column = history, tuple(rows), column
        known = {row.key for row in rows}
        self._selected = [key for key in self._selected if key in known]
        self._current = min(self._current, max(len(rows) - 1, 0))
        self._describe()
        self.updateGeometry()
        self.refresh()

    def select(self, keys: Sequence[DeviceKey]) -> None:
        """Select these devices, at most ``MOST_SELECTED``."""
        wanted = list(keys)[:MOST_SELECTED]
        if wanted != self._selected:
            self._selected = wanted
            self.update()
            self.selection_changed.emit(self.selected)

    def set_span(self, span_s: float, interval_s: float) -> None:
        """Show another stretch of time."""
        self._span_s, self._interval_s = span_s, interval_s
        self.refresh()

    def set_frozen(self, at_s: float | None) -> None:
        """Hold the picture at a monotonic time, or go on with None."""
        self._frozen_s = at_s
        self.refresh()

    def set_crosshair(self, age_s: float | None) -> None:
        """Show the line at an age, in step with other graphs."""
        if age_s != self._age_s:
            self._age_s = age_s
            self.update()

    def refresh(self) -> None:
        """Redraw rows that are out of date, a few at a time."""
        window = self._window()
        due = []
        for row in self._rows:
            kept = self._pictures.get(row.key)
            if kept is None or kept.state != self._state(window, row):
                due.append((row.key, lambda row=row: self._redraw(row)))
        self._queue.add(due)
        self.update()

    def _redraw(self, row: GraphRow) -> None:
        if self._column is None:
            return
        window, theme = self._window(), current_theme()
        size, ratio = self._strip_size(), self.devicePixelRatioF()
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(theme.color("chart.bg"))
        painter = QPainter(picture)
        folded = self._history.folded(
            row.key, self._column.metric, window.start_s, window.end_s, window.columns, bridge_s=window.bridge_s
        )
        left = _paint_cells(painter, theme, folded, row.scales[self._column.metric], self._column.color_name, size)
        painter.end()
        is_empty = all(math.isnan(high) for high in folded.highs)
        self._pictures[row.key] = _Strip(self._state(window, row), picture, left, is_empty)
        self.update()

    def _state(self, window: Window, row: GraphRow) -> tuple[object, ...]:
        column = self._column
        metric = column.metric if column is not None else None
        scale = row.scales[metric] if metric is not None else Scale(0, 1)
        size = self._strip_size()
        return (window.edge, window.span_s, size.width(), size.height(), metric, scale, current_theme().name)

    def _window(self) -> Window:
        now_s = self._clock.monotonic() if self._frozen_s is None else self._frozen_s
        return window_at(now_s, self._span_s, max(self._strip_size().width() // _CELL_PX, 1), self._interval_s)

    def _row_height(self) -> int:
        return 9 if len(self._rows) >= _TIGHT_FROM else current_theme().size("heat.row")

    def _pitch(self) -> int:
        return self._row_height() + (1 if len(self._rows) >= _TIGHT_FROM else 2)

    def _strip_size(self) -> QSize:
        return QSize(max(self.width() - _LABELS - _VALUE - _REMARK - 12, 1), self._row_height())

    def _row_place(self, number: int) -> QRectF:
        return QRectF(8, _HEAD + number * self._pitch(), self.width() - 16, self._row_height())

    @override
    def sizeHint(self) -> QSize:
        return QSize(640, _HEAD + len(self._rows) * self._pitch() + _FOOT)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(480, self.sizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = int((event.position().y() - _HEAD) // self._pitch())
        if 0 <= number < len(self._rows):
            self._current = number
            self._toggle(self._rows[number].key)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is not None and self._rows:
            self._current = min(max(self._current + step, 0), len(self._rows) - 1)
            self._describe()
            self.update()
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._rows:
            self._toggle(self._rows[self._current].key)
        else:
            super().keyPressEvent(event)

    def _describe(self) -> None:
        text = self.tr("Up and down move, the space bar shows a GPU in full below.")
        if self._rows:
            row = self._rows[self._current]
            text = f"GPU {row.label}: {row.word}. {row.reason or row.remark} {text}"
        self.setAccessibleDescription(text)

    def _toggle(self, key: DeviceKey) -> None:
        if key in self._selected:
            self._selected.remove(key)
        else:
            self._selected = [*self._selected, key][-MOST_SELECTED:]
        self.update()
        self.selection_changed.emit(self.selected)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        column = self._column
        if column is None:
            return
        painter, theme = start_painter(self), current_theme()
        self._paint_head(painter, theme, column)
        for number, row in enumerate(self._rows):
            self._paint_row(painter, theme, number, row, column)
        self._paint_foot(painter, theme)

    def _paint_head(self, painter: QPainter, theme: Theme, column: GraphColumn) -> None:
        title = self.tr("{metric}, all {n} GPUs").format(metric=column.title, n=len(self._rows))
        draw_text(painter, QRectF(14, 6, 360, 20), title, theme.font("body_strong"), theme.color("text"))
        right = self.width() - _REMARK - _VALUE
        draw_text(
            painter,
            QRectF(right, 6, _VALUE, 20),
            self.tr("now"),
            theme.font("caption"),
            theme.color("text_muted"),
            RIGHT,
        )
        if self._rows:
            _paint_legend(painter, theme, right - 250, self._rows[0].scales[column.metric], column)

    def _paint_row(self, painter: QPainter, theme: Theme, number: int, row: GraphRow, column: GraphColumn) -> None:
        place, is_selected = self._row_place(number), row.key in self._selected
        if is_selected:
            painter.fillRect(place.adjusted(0, -1, 0, 1), theme.color("selected"))
        if number == self._current and self.hasFocus():
            painter.setPen(QPen(theme.color("focus"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(0.5, -0.5, -0.5, 0.5))
        _paint_check_box(painter, theme, place, is_selected=is_selected)
        font = theme.font("caption" if self._row_height() < 12 else "small")
        text = theme.color("text_secondary")
        draw_text(painter, QRectF(28, place.top(), 24, place.height()), row.label, font, theme.color("text"), RIGHT)
        is_plain = row.severity in _PLAIN
        color = text if is_plain else severity_color(theme, row.severity)
        draw_text(painter, QRectF(62, place.top(), _LABELS - 60, place.height()), row.word, font, color)
        self._paint_strip(painter, theme, place, row)
        shown = column.shown(self._newest(row, column))
        right = QRectF(self.width() - _REMARK - _VALUE, place.top(), _VALUE, place.height())
        draw_text(painter, right, shown, theme.font("small", 600), theme.color("text"), RIGHT)
        if row.remark:
            _paint_remark(painter, theme, place, row)

    def _paint_strip(self, painter: QPainter, theme: Theme, place: QRectF, row: GraphRow) -> None:
        kept = self._pictures.get(row.key)
        if kept is None:
            return
        strip = QRectF(QPointF(_LABELS + 8, place.top()), QSizeF(self._strip_size()))
        painter.drawPixmap(strip.topLeft(), kept.picture)
        if kept.gap_left is not None and row.gap_text:
            paint_gap_text(painter, theme, strip.adjusted(kept.gap_left, 0, 0, 0), row.gap_text)
        elif kept.gap_left is None and kept.is_empty and row.reason:
            draw_text(painter, strip, f"–  {row.reason}", theme.font("caption"), theme.color("text_muted"))
        if self._age_s is not None:
            x = strip.left() + strip.width() * (1 - self._age_s / self._span_s)
            painter.fillRect(QRectF(round(x), place.top() - 2, 1, place.height() + 3), theme.color("chart.cross"))

    def _paint_foot(self, painter: QPainter, theme: Theme) -> None:
        top = _HEAD + len(self._rows) * self._pitch() + 2
        line = QRectF(_LABELS + 8, top, self._strip_size().width(), 18)
        draw_text(painter, line, age_text(self._span_s), theme.font("caption"), theme.color("chart.axis"))
        draw_text(painter, line, self.tr("now"), theme.font("caption"), theme.color("chart.axis"), RIGHT)
        if not self._selected:
            hint = self.tr("Select up to four rows to see them in full below")
            draw_text(painter, line, hint, theme.font("caption"), theme.color("text_muted"), CENTER)

    def _newest(self, row: GraphRow, column: GraphColumn) -> float | None:
        if row.severity in ("stale", "silent", "blocked"):
            return None
        return newest_value(self._history, row.key, column.metric, self._window())


def heat_color(theme: Theme, color_name: str, scale: Scale, value: float) -> QColor:
    """Give the step of a metric's colour for a value."""
    steps = theme.tokens.heat_mix
    number = min(int(scale.share(value) * len(steps)), len(steps) - 1)
    return mix(theme.color(color_name), steps[number], theme.color("chart.bg"))


def _paint_legend(painter: QPainter, theme: Theme, left: float, scale: Scale, column: GraphColumn) -> None:
    """Paint the six steps between the ends of the range."""
    font, color = theme.font("caption"), theme.color("text_muted")
    low, high = (f"{value / column.divisor:.0f} {column.unit}" for value in (scale.low, scale.high))
    draw_text(painter, QRectF(left - 70, 6, 64, 20), low, font, color, RIGHT)
    for number in range(6):
        value = scale.low + (number + 0.5) * (scale.high - scale.low) / 6
        painter.fillRect(QRectF(left + number * 26, 11, 24, 10), heat_color(theme, column.color_name, scale, value))
    draw_text(painter, QRectF(left + 162, 6, 80, 20), high, font, color, LEFT)


def _paint_check_box(painter: QPainter, theme: Theme, place: QRectF, *, is_selected: bool) -> None:
    side = min(12.0, place.height())
    box = QRectF(place.left() + 6, place.center().y() - side / 2, side, side)
    fill = theme.color("accent") if is_selected else theme.color("surface")
    draw_box(painter, box, fill, theme.color("accent" if is_selected else "border_control"), 3)
    if is_selected:
        draw_icon(painter, "check", box.adjusted(1, 1, -1, -1), theme.color("on_accent"))


def _paint_remark(painter: QPainter, theme: Theme, place: QRectF, row: GraphRow) -> None:
    left = place.right() - _REMARK + 16
    if row.severity not in _PLAIN:
        icon = QRectF(left, place.center().y() - 7, 14, 14)
        draw_icon(painter, theme.severity_icon(row.severity), icon, severity_color(theme, row.severity))
        left += 18
    room = QRectF(left, place.top(), place.right() - left - 2, place.height())
    color = theme.color("text_muted") if row.severity in _PLAIN else severity_color(theme, row.severity)
    draw_text(painter, room, row.remark, theme.font("caption"), color)


def _paint_cells(
    painter: QPainter, theme: Theme, folded: Folded, scale: Scale, color_name: str, size: QSize
) -> float | None:
    """Paint the cells of one row; hatched behind its last reading.

    Returns:
        Where the hatching begins, in pixels; None without.
    """
    step = size.width() / len(folded)
    painter.fillRect(QRectF(0, size.height() - 1, size.width(), 1), theme.color("chart.grid"))
    for number, high in enumerate(folded.highs):
        if not math.isnan(high):
            place = QRectF(number * step, 0, math.ceil(step), size.height())
            painter.fillRect(place, heat_color(theme, color_name, scale, high))
    left = gap_left(folded, size.width())
    if left is not None:
        place = QRectF(left, 0, size.width() - left, size.height())
        draw_hatch(painter, place, theme.color("border_control"), theme.color("chart.gap"))
    return left
