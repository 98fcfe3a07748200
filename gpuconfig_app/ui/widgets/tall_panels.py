"""One card in full: four panels on one time axis, drawn by pyqtgraph, with a crosshair through all of them.

pyqtgraph and numpy are imported with this module, which happens when Monitor shows a single card for the first time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QGridLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.age_text import age_text
from gpuconfig_app.ui.widgets.curve_cell import Window, newest_value, window_at
from gpuconfig_app.ui.widgets.graph_rows import GraphColumn, GraphRow
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.plot_look import make_plot, style_plot

_FILL_ALPHA = 34
_COLUMNS = 800
_TICKS_S = (10, 120, 600, 3600, 14400)
_MOST_TICKS = 6
_RIGHT_ROOM = 22
_TIMES_HEIGHT = 24
_NO_TIMES_HEIGHT = 8


class TallPanels(QWidget):
    """Four graphs of one device, the readings beside them.

    Args:
        clock: The sampler's clock.

    Signals:
        crosshair_moved(object): Age in seconds under the crosshair, None when it is gone.
    """

    crosshair_moved = Signal(object)

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._history = History()
        self._row: GraphRow | None = None
        self._columns: tuple[GraphColumn, ...] = ()
        self._panels: list[_Panel] = []
        self._span_s, self._interval_s = 60.0, 1.0
        self._frozen_s: float | None = None
        self._age_s: float | None = None
        self._edge: tuple[object, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(8, 12, 16, 8)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Graphs of the GPU"))
        current_theme().changed.connect(self._restyle)

    def show_row(self, history: History, row: GraphRow, columns: Sequence[GraphColumn]) -> None:
        """Show this device; panels are made once per set of metrics."""
        self._history, self._row = history, row
        if tuple(columns) != self._columns:
            self._columns = tuple(columns)
            self._build()
        self._edge = ()
        self.refresh()

    def set_span(self, span_s: float, interval_s: float) -> None:
        """Show another stretch of time."""
        self._span_s, self._interval_s = span_s, interval_s
        for panel in self._panels:
            panel.space_ticks(span_s)
        self.refresh()

    def set_frozen(self, at_s: float | None) -> None:
        """Hold the picture at a monotonic time, or go on with None."""
        self._frozen_s = at_s
        self.refresh()

    def set_crosshair(self, age_s: float | None) -> None:
        """Show the line and the values at an age."""
        self._age_s = age_s
        for panel in self._panels:
            panel.show_crosshair(age_s)
        self._show_values()

    def refresh(self) -> None:
        """Redraw when the newest pixel column changed."""
        row = self._row
        if row is None or not self._panels:
            return
        window = self._window()
        edge = (window.edge, window.span_s, row, current_theme().name)
        if edge != self._edge:
            self._edge = edge
            ages = (np.arange(_COLUMNS) - (_COLUMNS - 1)) * window.column_s
            for panel, column in zip(self._panels, self._columns, strict=True):
                folded = self._history.folded(
                    row.key, column.metric, window.start_s, window.end_s, window.columns, bridge_s=window.bridge_s
                )
                highs = np.frombuffer(folded.highs, dtype=np.float32).astype(float) / column.divisor
                panel.show_curve(ages, highs, row, column, self._span_s)
        self._show_values()

    def _build(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self._panels = [_Panel(column, self) for column in self._columns]
        for number, panel in enumerate(self._panels):
            self._grid.addWidget(panel.plot, number, 0)
            self._grid.addWidget(panel.reading, number, 1, Qt.AlignmentFlag.AlignTop)
            panel.plot.scene().sigMouseMoved.connect(lambda place, panel=panel: self._point_at(panel, place))
            if number:
                panel.plot.setXLink(self._panels[0].plot)
            panel.show_times(is_shown=number == len(self._panels) - 1)
            panel.space_ticks(self._span_s)
        self._restyle()

    def _restyle(self) -> None:
        for panel in self._panels:
            panel.restyle(current_theme())
        self._edge = ()
        self.refresh()

    def _point_at(self, panel: _Panel, place: QPointF) -> None:
        box = panel.plot.plotItem.vb
        if not box.sceneBoundingRect().contains(place):
            self._move_crosshair(None)
            return
        age_s = -float(box.mapSceneToView(place).x())
        self._move_crosshair(min(max(age_s, 0.0), self._span_s))

    def _move_crosshair(self, age_s: float | None) -> None:
        self.set_crosshair(age_s)
        self.crosshair_moved.emit(age_s)

    def _show_values(self) -> None:
        row = self._row
        if row is None:
            return
        for panel, column in zip(self._panels, self._columns, strict=True):
            reason = (row.missing or {}).get(column.metric, "")
            limit = row.scales[column.metric].limit
            panel.show_reading(column, self._value(panel, row, column), reason, limit, self._texts())

    def _value(self, panel: _Panel, row: GraphRow, column: GraphColumn) -> float | None:
        if self._age_s is not None:
            return panel.value_at(self._age_s, self._span_s)
        newest = newest_value(self._history, row.key, column.metric, self._window())
        return None if newest is None else newest / column.divisor

    def _window(self) -> Window:
        now_s = self._clock.monotonic() if self._frozen_s is None else self._frozen_s
        return window_at(now_s, self._span_s, _COLUMNS, self._interval_s)

    def _texts(self) -> tuple[str, str]:
        return self.tr("peak {n}"), self.tr("limit {n}")

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: 1, Qt.Key.Key_Right: -1}.get(Qt.Key(event.key()))
        if step is not None:
            age_s = (self._age_s or 0.0) + step * self._span_s / 100
            self._move_crosshair(min(max(age_s, 0.0), self._span_s))
        elif event.key() == Qt.Key.Key_Escape:
            self._move_crosshair(None)
        else:
            super().keyPressEvent(event)


class _Panel:
    """One graph with the label of its reading."""

    def __init__(self, column: GraphColumn, parent: QWidget) -> None:
        self.plot = make_plot(column.title, parent, room_right=_RIGHT_ROOM)
        self.plot.setMinimumHeight(110)
        self.curve = self.plot.plot([], [])
        self.cross = pg.InfiniteLine(angle=90, movable=False)
        self.limit = pg.InfiniteLine(angle=0, movable=False)
        self.plot.addItem(self.cross, ignoreBounds=True)
        self.plot.addItem(self.limit, ignoreBounds=True)
        self.cross.hide()
        self.reading = QWidget(parent)
        self.reading.setFixedWidth(120)
        box = QGridLayout(self.reading)
        box.setContentsMargins(0, 4, 0, 0)
        box.setSpacing(2)
        self.title = TextLabel(column.title, "small", "muted")
        self.number = TextLabel("–", "number")
        self.number.setTextFormat(Qt.TextFormat.PlainText)
        self.more = TextLabel("", "small", "muted")
        self.more.setWordWrap(True)
        for line, label in enumerate((self.title, self.number, self.more)):
            box.addWidget(label, line, 0)
        self._color_name = column.color_name
        self._values = np.empty(0)

    def space_ticks(self, span_s: float) -> None:
        """Put a tick at round ages, five to seven of them."""
        spacing_s = next((step for step in _TICKS_S if span_s / step <= _MOST_TICKS), _TICKS_S[-1])
        ages = [number * spacing_s for number in range(int(span_s / spacing_s) + 1)]
        self.plot.getAxis("bottom").setTicks([[(-age, tick_text(age)) for age in ages]])

    def show_times(self, *, is_shown: bool) -> None:
        """Write the ages below this graph; the lowest one speaks for all."""
        axis = self.plot.getAxis("bottom")
        axis.setStyle(showValues=is_shown)
        axis.setHeight(_TIMES_HEIGHT if is_shown else _NO_TIMES_HEIGHT)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of the theme."""
        line = theme.color(self._color_name)
        fill = QColor(line)
        fill.setAlpha(_FILL_ALPHA)
        style_plot(self.plot, theme)
        self.curve.setPen(pg.mkPen(line, width=1))
        self.curve.setBrush(fill)
        self.cross.setPen(pg.mkPen(theme.color("chart.cross"), width=1))
        self.limit.setPen(pg.mkPen(theme.color("blocked.fg"), width=1, style=Qt.PenStyle.DashLine))

    def show_curve(
        self, ages: np.ndarray, values: np.ndarray, row: GraphRow, column: GraphColumn, span_s: float
    ) -> None:
        """Show values (in shown units, NaN for gaps) over ages (seconds, 0 is now, negative before)."""
        scale = row.scales[column.metric]
        self._values = values
        self.plot.setXRange(-span_s, 0, padding=0.002)
        low, high = scale.low / column.divisor, scale.high / column.divisor
        self.plot.setYRange(low, high, padding=0.02)
        self.plot.getAxis("left").setTicks([[(value, f"{value:.0f}") for value in (low, (low + high) / 2, high)]])
        self.curve.setData(ages, values, connect="finite", fillLevel=low)
        self.limit.setVisible(scale.limit is not None)
        if scale.limit is not None:
            self.limit.setValue(scale.limit / column.divisor)

    def show_crosshair(self, age_s: float | None) -> None:
        """Move the line, or hide it."""
        self.cross.setVisible(age_s is not None)
        if age_s is not None:
            self.cross.setValue(-age_s)

    def value_at(self, age_s: float, span_s: float) -> float | None:
        """Give the value at an age; None when there is none."""
        if not len(self._values):
            return None
        number = min(max(int((1 - age_s / span_s) * len(self._values)), 0), len(self._values) - 1)
        value = float(self._values[number])
        return None if math.isnan(value) else value

    def show_reading(
        self, column: GraphColumn, value: float | None, reason: str, limit: float | None, texts: tuple[str, str]
    ) -> None:
        """Show the number beside the graph, its peak and limit, or why there is none."""
        shown = "–" if value is None else f"{value:.{column.digits}f} {column.unit}"
        self.number.setText(shown)
        lines = [reason] if reason else []
        known = self._values[~np.isnan(self._values)]
        if len(known):
            lines.append(texts[0].format(n=f"{float(known.max()):.{column.digits}f}"))
        if limit is not None:
            lines.append(texts[1].format(n=f"{limit / column.divisor:.{column.digits}f}"))
        self.more.setText(", ".join(lines))


def tick_text(age_s: float) -> str:
    """Write an age below the time axis, ``now`` for none."""
    return age_text(age_s) if age_s else QCoreApplication.translate("AgeText", "now")
