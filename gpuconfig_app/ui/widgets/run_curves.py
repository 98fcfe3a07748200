"""Loss and quality of a run over its epochs, drawn by pyqtgraph; training solid, validation dashed with marks.

pyqtgraph and numpy are imported with this module, when the page Runs shows a run with epochs for the first time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.labels import TextLabel

_AXIS_WIDTH = 48
_HEIGHT = 150
_SIDE = 132
# Values of an epoch that are worth a graph, in order; the first two that exist are shown.
_WANTED = ("loss", "accuracy", "sparse_categorical_accuracy", "binary_accuracy", "mae", "mean_absolute_error", "mse")
Epochs = Sequence[Mapping[str, JsonValue]]


class RunCurves(QWidget):
    """Up to two graphs with their newest values beside them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._graphs: list[_Graph] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(8, 12, 16, 8)
        self._grid.setHorizontalSpacing(16)
        self._grid.setColumnStretch(0, 1)
        self.setAccessibleName(self.tr("Curves of the training"))
        current_theme().changed.connect(self._restyle)

    def show_epochs(self, epochs: Epochs) -> None:
        """Show what the script told of its epochs."""
        names = tuple(name for name in _WANTED if any(name in epoch for epoch in epochs))[:2]
        if names != self._names:
            self._names = names
            self._build()
        words = (self.tr("training"), self.tr("validation"))
        for graph in self._graphs:
            graph.show_epochs(epochs, words)

    def _build(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
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
        self.plot = pg.PlotWidget(parent)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.hideButtons()
        self.plot.setMenuEnabled(False)
        self.plot.setFixedHeight(_HEIGHT)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setAccessibleName(name)
        self.plot.getAxis("left").setWidth(_AXIS_WIDTH)
        self.training = self.plot.plot([], [])
        self.validation = self.plot.plot([], [], symbol="s", symbolSize=6)
        self.side = QWidget(parent)
        self.side.setFixedWidth(_SIDE)
        column = QVBoxLayout(self.side)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(TextLabel(name.replace("_", " ").capitalize(), "body_strong"))
        self._values = (TextLabel("", "small", "secondary"), TextLabel("", "small", "secondary"))
        for label in self._values:
            column.addWidget(label)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of the theme."""
        self.plot.setBackground(theme.color("chart.bg"))
        self.plot.showGrid(x=True, y=True, alpha=0.12)
        first, second = theme.series(0), theme.series(1)
        self.training.setPen(pg.mkPen(first, width=1))
        self.validation.setPen(pg.mkPen(second, width=1, style=Qt.PenStyle.DashLine))
        self.validation.setSymbolBrush(second)
        self.validation.setSymbolPen(pg.mkPen(second))
        for name in ("left", "bottom"):
            axis = self.plot.getAxis(name)
            axis.setPen(pg.mkPen(theme.color("chart.frame")))
            axis.setTextPen(pg.mkPen(theme.color("chart.axis")))
            axis.setStyle(tickFont=theme.font("caption"))

    def show_epochs(self, epochs: Epochs, words: tuple[str, str]) -> None:
        """Show both curves; an epoch without a value is a gap."""
        self.plot.getAxis("bottom").setTickSpacing(major=max(1, len(epochs) // 8), minor=max(1, len(epochs) // 8))
        for curve, label, name, word in zip(
            (self.training, self.validation), self._values, (self._name, f"val_{self._name}"), words, strict=True
        ):
            points = [
                (float(number), float(value))
                for number, value in ((epoch.get("epoch"), epoch.get(name)) for epoch in epochs)
                if isinstance(number, int | float) and isinstance(value, int | float)
            ]
            curve.setData([x for x, _ in points], [y for _, y in points])
            label.setText(f"{word}  {points[-1][1]:.4g}" if points else "")
