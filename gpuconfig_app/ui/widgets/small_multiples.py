"""Many devices side by side: one row a device, one column a metric, one time axis and one crosshair for all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.age_text import age_text
from gpuconfig_app.ui.widgets.curve_cell import CurveCell, Window, window_at
from gpuconfig_app.ui.widgets.graph_rows import GraphColumn, GraphRow
from gpuconfig_app.ui.widgets.painting import CENTER, RIGHT, draw_box, draw_text, start_painter, text_width
from gpuconfig_app.ui.widgets.redraw_queue import RedrawQueue
from gpuconfig_app.ui.widgets.severity_badge import severity_color

_HEAD = 34
_FOOT = 30
_CELL_GAP = 7
_TALL_ROWS = {1: 180, 2: 140, 3: 100, 4: 78, 5: 62, 6: 54}
_LABELS = 105
_VALUE = 46
_GAP = 12
_MARGIN = 12
_PLAIN = ("good", "neutral", "idle")
_WRAPPED = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextWordWrap.value


class SmallMultiples(QWidget):
    """Graphs of up to some twelve devices.

    Args:
        clock: The sampler's clock.
    Signals:
        crosshair_moved(object): Age in seconds under the crosshair, None when it is gone.
    """

    crosshair_moved = Signal(object)

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._is_alone = True
        self._history = History()
        self._rows: tuple[GraphRow, ...] = ()
        self._columns: tuple[GraphColumn, ...] = ()
        self._cells: dict[tuple[int, int], CurveCell] = {}
        self._span_s = 60.0
        self._interval_s = 1.0
        self._frozen_s: float | None = None
        self._age_s: float | None = None
        self._queue = RedrawQueue(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Graphs of the GPUs"))
        self.setAccessibleDescription(
            self.tr("Left and right arrow keys move the time that is read off; Escape ends it.")
        )

    def show_rows(self, history: History, rows: Sequence[GraphRow], columns: Sequence[GraphColumn]) -> None:
        """Show these devices and metrics; pictures of those that stay are kept."""
        if history is not self._history:
            self._cells.clear()
            self._queue.clear()
        kept = {(cell.key, cell.metric): cell for cell in self._cells.values()}
        self._history, self._rows, self._columns = history, tuple(rows), tuple(columns)
        self._cells = {}
        for r, row in enumerate(self._rows):
            for c, column in enumerate(self._columns):
                scale = row.scales[column.metric]
                cell = kept.get((row.key, column.metric))
                if cell is None or cell.color_name != column.color_name:
                    cell = CurveCell(row.key, column.metric, scale, column.color_name)
                cell.scale = scale
                self._cells[r, c] = cell
        self.updateGeometry()
        self.refresh()

    def set_alone(self, *, is_alone: bool) -> None:
        """Give few devices taller rows when nothing else needs the room."""
        self._is_alone = is_alone

    def set_span(self, span_s: float, interval_s: float) -> None:
        """Show another stretch of time."""
        self._span_s, self._interval_s = span_s, interval_s
        self.refresh()

    def set_frozen(self, at_s: float | None) -> None:
        """Hold the picture at a monotonic time, or go on with None."""
        self._frozen_s = at_s
        self.refresh()

    def set_crosshair(self, age_s: float | None) -> None:
        """Show the values at an age, in step with other graphs."""
        if age_s != self._age_s:
            self._age_s = age_s
            self.update()

    def refresh(self) -> None:
        """Redraw what is out of date, a few pictures at a time."""
        window, size, theme = self._window(), self._plot_size(), current_theme()
        if size.width() < 8:
            return
        due = (
            (place, partial(self._redraw, place, window, size, theme))
            for place, cell in self._cells.items()
            if cell.is_due(window, size, theme)
        )
        self._queue.add(due)
        self.update()

    def _redraw(self, place: tuple[int, int], window: Window, size: QSize, theme: Theme) -> None:
        cell = self._cells.get(place)
        if cell is not None:
            cell.redraw(self._history, window, size, theme, self.devicePixelRatioF())
            self.update(self._cell_place(*place).toAlignedRect())

    def _window(self) -> Window:
        now_s = self._clock.monotonic() if self._frozen_s is None else self._frozen_s
        return window_at(now_s, self._span_s, self._plot_size().width(), self._interval_s)

    def _column_width(self) -> float:
        count = max(len(self._columns), 1)
        return (self.width() - _MARGIN * 2 - _LABELS - _GAP * (count - 1)) / count

    def _plot_size(self) -> QSize:
        return QSize(max(int(self._column_width() - _VALUE), 1), self._cell_height() - 2)

    def _pitch(self) -> int:
        usual = current_theme().size("height.small_multiple_row")
        return _TALL_ROWS.get(len(self._rows), usual) if self._is_alone else usual

    def _cell_height(self) -> int:
        return self._pitch() - _CELL_GAP

    def _cell_place(self, row: int, column: int) -> QRectF:
        width = self._column_width()
        pitch = self._pitch()
        left = _MARGIN + _LABELS + column * (width + _GAP)
        return QRectF(round(left), _HEAD + row * pitch, int(width), self._cell_height())

    def _crosshair_column(self, window: Window) -> int | None:
        if self._age_s is None:
            return None
        return min(max(window.columns - 1 - int(self._age_s / window.column_s), 0), window.columns - 1)

    @override
    def sizeHint(self) -> QSize:
        return QSize(640, _HEAD + len(self._rows) * self._pitch() + _FOOT)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(560, self.sizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(event.position())

    @override
    def leaveEvent(self, event: object) -> None:
        self._move_crosshair(None)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        window = self._window()
        step = {Qt.Key.Key_Left: 4, Qt.Key.Key_Right: -4}.get(Qt.Key(event.key()))
        if step is not None:
            age = (self._age_s if self._age_s is not None else 0.0) + step * window.column_s
            self._move_crosshair(min(max(age, 0.0), window.span_s))
        elif event.key() == Qt.Key.Key_Escape and self._age_s is not None:
            self._move_crosshair(None)
        else:
            super().keyPressEvent(event)

    def _point_at(self, place: QPointF) -> None:
        plot = self._plot_size().width()
        for c in range(len(self._columns)):
            left = self._cell_place(0, c).left() + 1
            if left <= place.x() < left + plot and place.y() >= _HEAD:
                self._move_crosshair((plot - 1 - (place.x() - left)) * self._span_s / plot)
                return
        self._move_crosshair(None)

    def _move_crosshair(self, age_s: float | None) -> None:
        if age_s != self._age_s:
            self._age_s = age_s
            self.update()
            self.crosshair_moved.emit(age_s)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, window = start_painter(self), current_theme(), self._window()
        column = self._crosshair_column(window)
        for c, head in enumerate(self._columns):
            self._paint_head(painter, theme, c, head)
        for r, row in enumerate(self._rows):
            paint_label(painter, theme, self._cell_place(r, 0), row)
            if row.reason and self._is_empty(r):
                whole = self._cell_place(r, 0).united(self._cell_place(r, len(self._columns) - 1))
                _paint_reason(painter, theme, whole, row.reason)
                continue
            for c, head in enumerate(self._columns):
                self._paint_cell(painter, theme, (r, c), head, window, column)
        for c in range(len(self._columns)):
            self._paint_axis(painter, theme, c, window, column)

    def _is_empty(self, r: int) -> bool:
        return all(self._cells[r, c].has_readings is False for c in range(len(self._columns)))

    def _paint_head(self, painter: QPainter, theme: Theme, c: int, head: GraphColumn) -> None:
        place = self._cell_place(0, c)
        line = QRectF(place.left(), 8, place.width(), 20)
        draw_text(painter, line, head.title, theme.font("body_strong"), theme.color("text"))
        scales = {row.scales[head.metric] for row in self._rows}
        if len({(scale.low, scale.high, scale.is_assumed) for scale in scales}) == 1:
            text = head.range_text(next(iter(scales)))
            draw_text(painter, line, text, theme.font("caption"), theme.color("text_muted"), RIGHT)

    def _paint_cell(
        self,
        painter: QPainter,
        theme: Theme,
        place: tuple[int, int],
        head: GraphColumn,
        window: Window,
        column: int | None,
    ) -> None:
        row, cell, box = self._rows[place[0]], self._cells[place], self._cell_place(*place)
        is_alarm = head.metric in row.alarms
        border = severity_color(theme, "warning", "border") if is_alarm else theme.color("chart.frame")
        draw_box(painter, box, theme.color("chart.bg"), border, 0)
        plot = self._plot_size()
        reason = (row.missing or {}).get(head.metric)
        if reason and not cell.has_readings:
            _paint_reason(painter, theme, box, reason)
            return
        if cell.picture is not None:
            painter.drawPixmap(QPointF(box.left() + 1, box.top() + 1), cell.picture)
        if cell.gap_left is not None and row.gap_text:
            gap = QRectF(box.left() + cell.gap_left, box.top(), plot.width() - cell.gap_left, box.height())
            paint_gap_text(painter, theme, gap, row.gap_text)
        if column is not None:
            x = box.left() + 1 + column * plot.width() / window.columns
            painter.setPen(QPen(theme.color("chart.cross"), 1))
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
        value = cell.value_at(self._history, window, column)
        color = severity_color(theme, "warning") if is_alarm else theme.color("text")
        if value is None:
            color = theme.color("text_muted")
        room = QRectF(box.left() + plot.width(), box.top(), _VALUE - 8, box.height())
        draw_text(painter, room, head.shown(value), theme.font("body_strong"), color, RIGHT)

    def _paint_axis(self, painter: QPainter, theme: Theme, c: int, window: Window, column: int | None) -> None:
        place = self._cell_place(max(len(self._rows) - 1, 0), c)
        plot = self._plot_size().width()
        line = QRectF(place.left(), place.bottom() + 4, plot, 18)
        font, color = theme.font("caption"), theme.color("chart.axis")
        draw_text(painter, line, age_text(self._span_s), font, color)
        draw_text(painter, line, self.tr("now"), font, color, RIGHT)
        if column is None or self._age_s is None:
            return
        _paint_time(painter, theme, line, column * plot / window.columns, self._wall_s() - self._age_s)

    def _wall_s(self) -> float:
        behind = 0.0 if self._frozen_s is None else self._clock.monotonic() - self._frozen_s
        return self._clock.now() - behind


def _paint_time(painter: QPainter, theme: Theme, axis: QRectF, x: float, moment: float) -> None:
    """Write the time under the crosshair, in a chip that stays on its axis."""
    text = datetime.fromtimestamp(moment).astimezone().strftime("%H:%M:%S")
    strong = theme.font("caption", 600)
    width = text_width(text, strong) + 12
    left = min(max(axis.left() + 1 + x - width / 2, axis.left()), axis.right() - width)
    chip = QRectF(left, axis.top(), width, 18)
    draw_box(painter, chip, theme.color("chart.cross"), theme.color("chart.cross"), 4)
    draw_text(painter, chip, text, strong, theme.color("surface"), CENTER)


def _paint_reason(painter: QPainter, theme: Theme, place: QRectF, reason: str) -> None:
    """Write in place of a graph why there is none."""
    draw_box(painter, place, theme.color("chart.bg"), theme.color("chart.frame"), 0)
    painter.setFont(theme.font("caption"))
    painter.setPen(theme.color("text_muted"))
    painter.drawText(place.adjusted(8, 2, -8, -2), _WRAPPED, f"– {reason}")


def paint_gap_text(painter: QPainter, theme: Theme, gap: QRectF, text: str) -> None:
    """Write into the hatched end of a curve since when there is no answer; left out where it has no room."""
    font = theme.font("caption")
    wide = text_width(text, font) + 12
    if wide > gap.width():
        return
    chip = QRectF(gap.center().x() - wide / 2, gap.center().y() - 8, wide, min(16.0, gap.height()))
    chip.moveCenter(gap.center())
    painter.fillRect(chip, theme.color("chart.gap"))
    draw_text(painter, chip, text, font, theme.color("text_secondary"), CENTER)


def paint_label(painter: QPainter, theme: Theme, place: QRectF, row: GraphRow) -> None:
    """Write number, state and remark of a device; ``place`` is its first graph."""
    pill = QRectF(
        _MARGIN, place.center().y() - 11, max(22.0, text_width(row.label, theme.font("small_strong")) + 10), 22
    )
    draw_box(painter, pill, theme.color("inset"), theme.color("border"), theme.size("radius.badge"))
    draw_text(painter, pill, row.label, theme.font("small_strong"), theme.color("text_secondary"), CENTER)
    is_plain = row.severity in _PLAIN
    color = theme.color("text_secondary") if is_plain else severity_color(theme, row.severity)
    font = theme.font("small") if is_plain else theme.font("small", 600)
    left = pill.right() + 8
    room = QRectF(left, place.top(), _MARGIN + _LABELS - left - 4, place.height())
    if row.remark:
        middle = place.center().y()
        lower = QRectF(room.left(), middle, room.width(), 15)
        draw_text(painter, lower, row.remark, theme.font("caption"), theme.color("text_muted"))
        room = QRectF(room.left(), middle - 17, room.width(), 18)
    draw_text(painter, room, row.word, font, color)
