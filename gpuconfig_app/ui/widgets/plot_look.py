"""How pyqtgraph plots look here: axes whose outer marks stay whole, grid, frame and colours from the theme.

Imports pyqtgraph; only modules that are themselves imported late may import this one.
"""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import Theme

AXIS_WIDTH = 48
_ROOM_X, _ROOM_Y = 40.0, 10.0


class RoomyAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph carries no types
    """An axis that also writes the marks at its ends; pyqtgraph 0.14 drops them while a grid is shown."""

    @override
    def boundingRect(self) -> QRectF:
        inside: QRectF = super().boundingRect()
        return inside.adjusted(-_ROOM_X, -_ROOM_Y, _ROOM_X, _ROOM_Y)


def make_plot(name: str, parent: QWidget, *, room_right: int = 0) -> pg.PlotWidget:
    """Give an empty plot that neither zooms nor takes the focus.

    Args:
        name: Read out for it.
        room_right: Pixels right of the plot, for the last mark of the axis below.
    """
    plot = pg.PlotWidget(parent, axisItems={side: RoomyAxis(side) for side in ("left", "bottom")})
    plot.setMouseEnabled(x=False, y=False)
    plot.hideButtons()
    plot.setMenuEnabled(False)
    for part in (plot, plot.viewport()):
        part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    plot.setAccessibleName(name)
    plot.getAxis("left").setWidth(AXIS_WIDTH)
    plot.plotItem.layout.setContentsMargins(0, 6, room_right, 0)
    return plot


def style_plot(plot: pg.PlotWidget, theme: Theme) -> None:
    """Take the colours and fonts of the theme."""
    plot.setBackground(theme.color("chart.bg"))
    plot.showGrid(x=True, y=True, alpha=1.0)
    plot.plotItem.vb.setBorder(pg.mkPen(theme.color("chart.frame")))
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setPen(pg.mkPen(theme.color("chart.frame")))
        axis.setTickPen(pg.mkPen(theme.color("chart.grid")))
        axis.setTextPen(pg.mkPen(theme.color("chart.axis")))
        axis.setStyle(tickFont=theme.font("caption"))
