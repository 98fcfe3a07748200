"""Loss and quality of a run over its epochs, drawn by pyqtgraph; training solid, validation dashed with marks.

pyqtgraph and numpy are imported with this module, when the page Runs shows a run with epochs for the first time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.painting import RIGHT, draw_text, start_painter
from gpuconfig_app.ui.widgets.plot_look import make_plot, style_plot

_HEIGHT = 132
_RIGHT_ROOM = 22
_SIDE = 140
_MOST_TICKS = 8
_TICK_PX = 64
# Values of an epoch that are worth a graph, in order; the first two that exist are shown.
_WANTED = ("loss", "accuracy", "sparse_categorical_accuracy", "binary_accuracy", "mae", "mean_absolute_error", "mse")
Epochs = Sequence[Mapping[str, JsonValue]]


class RunCurves(QWidget):
    """Up to two graphs with their newest values beside them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._epochs: tuple[Mapping[str, JsonValue], ...] = ()
        self._graphs: list[_Graph] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(8, 12, 16, 8)
        self._grid.setHorizontalSpacing(16)
        self._grid.setColumnStretch(0, 1)
        self.setAccessibleName(self.tr("Curves of the training"))
        current_theme().changed.connect(self._restyle)

    def show_epochs(self, epochs: Epochs) -> None:
        """Show what the script told of its epochs."""
        self._epochs = tuple(epochs)
        names = tuple(name for name in _WANTED if any(name in epoch for epoch in epochs))[:2]
        if names != self._names:
            self._names = names
            self._build()
        words = (self.tr("training"), self.tr("validation"))
        for graph in self._graphs:
            graph.show_epochs(epochs, words, self.tr("epoch {n}"))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._graphs:
            QTimer.singleShot(0, self, lambda: self.show_epochs(self._epochs))

    def _build(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._graphs = [_Graph(name, self) for name in self._names]
        for row, graph in enumerate(self._graphs):
            self._grid.addWidget(graph.plot, row, 0)
            self._grid.addWidget(graph.side, row, 1, Qt.AlignmentFlag.AlignTop)
        self._restyle()

    def _restyle(self) -> None:
        for graph in self._graphs:
            graph.restyle(current_theme())


class _Graph:
    def __init__(self, name: str, parent: QWidget) -> None:
        self._name = name
        self.plot = make_plot(name, parent, room_right=_RIGHT_ROOM)
        self.plot.setFixedHeight(_HEIGHT)
        self.training = self.plot.plot([], [])
        self.validation = self.plot.plot([], [], symbol="s", symbolSize=6)
        self.side = QWidget(parent)
        self.side.setFixedWidth(_SIDE)
        column = QVBoxLayout(self.side)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(TextLabel(name.replace("_", " ").capitalize(), "body_strong"))
        self.legend = tuple(_LegendLine(place) for place in range(2))
        for line in self.legend:
            column.addWidget(line)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of the theme."""
        style_plot(self.plot, theme)
        first, second = theme.series(0), theme.series(1)
        self.training.setPen(pg.mkPen(first, width=1))
        self.validation.setPen(pg.mkPen(second, width=1, style=Qt.PenStyle.DashLine))
        self.validation.setSymbolBrush(second)
        self.validation.setSymbolPen(pg.mkPen(second))

    def show_epochs(self, epochs: Epochs, words: tuple[str, str], epoch: str) -> None:
        """Show both curves; an epoch without a value is a gap.

        Args:
            words: What training and validation are called.
            epoch: Text of a mark on the axis, with ``{n}``.
        """
        most = min(max((self.plot.width() - 80) // _TICK_PX, 1), _MOST_TICKS)
        step = max(1, math.ceil(len(epochs) / most))
        ticks = [(number, epoch.format(n=number)) for number in range(1, len(epochs) + 1, step)]
        self.plot.getAxis("bottom").setTicks([ticks])
        for curve, line, name, word in zip(
            (self.training, self.validation), self.legend, (self._name, f"val_{self._name}"), words, strict=True
        ):
            points = [
                (float(number), float(value))
                for number, value in ((epoch.get("epoch"), epoch.get(name)) for epoch in epochs)
                if isinstance(number, int | float) and isinstance(value, int | float)
            ]
            curve.setData([x for x, _ in points], [y for _, y in points])
            line.show_value(word, f"{points[-1][1]:.4g}" if points else "")


class _LegendLine(QWidget):
    """How a curve is drawn, its name, its newest value."""

    def __init__(self, place: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place = place
        self._word, self._value = "", ""
        self.setFixedHeight(20)

    @property
    def text(self) -> str:
        """Name and value."""
        return f"{self._word} {self._value}".strip()

    def show_value(self, word: str, value: str) -> None:
        """Show the newest value; without one the line is hidden."""
        self._word, self._value = word, value
        self.setAccessibleName(self.text)
        self.setVisible(bool(value))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        color, middle = theme.series(self._place), self.height() / 2
        painter.setPen(QPen(color, 2, Qt.PenStyle.DashLine if self._place else Qt.PenStyle.SolidLine))
        painter.drawLine(QPointF(0, middle), QPointF(16, middle))
        if self._place:
            painter.fillRect(QRectF(5, middle - 3, 6, 6), color)
        room = QRectF(22, 0, self.width() - 22, self.height())
        used = draw_text(painter, room, self._value, theme.font("body_strong"), theme.color("text"), RIGHT)
        name = room.adjusted(0, 0, -used - 6, 0)
        draw_text(painter, name, self._word, theme.font("small"), theme.color("text_secondary"))
