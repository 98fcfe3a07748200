"""Tiles side by side in one card, split by hairlines: a label over a number with unit over a remark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.painting import (
    draw_box,
    draw_hairline,
    draw_reading,
    draw_text,
    start_painter,
)
from gpuconfig_app.ui.widgets.severity_badge import severity_color

_PADDING = 18


@dataclass(frozen=True)
class Metric:
    """One tile.

    Attributes:
        unit: Smaller and muted behind the number.
        remark: Behind the unit in a strip of one line, below the number in a tall one.
        severity: Colours the number, empty for plain text.
    """

    label: str
    number: str
    unit: str = ""
    remark: str = ""
    severity: str = ""


class MetricStrip(QWidget):
    """Up to six tiles.

    Args:
        is_tall: Remarks stand below the numbers.
    """

    def __init__(self, parent: QWidget | None = None, *, is_tall: bool = False) -> None:
        super().__init__(parent)
        self._is_tall = is_tall
        self._metrics: tuple[Metric, ...] = ()
        self.setObjectName("metricStrip")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(82 if is_tall else 64)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Tiles shown."""
        return self._metrics

    def show_metrics(self, metrics: Sequence[Metric]) -> None:
        """Replace the tiles."""
        if tuple(metrics) == self._metrics:
            return
        self._metrics = tuple(metrics)
        words = (f"{item.label} {item.number} {item.unit} {item.remark}".strip() for item in metrics)
        self.setAccessibleName(", ".join(words))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(480, self.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = start_painter(self)
        whole = QRectF(self.rect())
        draw_box(painter, whole, theme.color("surface"), theme.color("border"), theme.size("radius.card"))
        if not self._metrics:
            return
        width = whole.width() / len(self._metrics)
        small, muted = theme.font("small"), theme.color("text_muted")
        for place, item in enumerate(self._metrics):
            left = place * width + _PADDING
            room = width - _PADDING - 10
            if place:
                x = place * width
                draw_hairline(painter, QPointF(x, 11), QPointF(x, whole.height() - 11), theme.color("border"))
            draw_text(painter, QRectF(left, 10, room, 17), item.label, small, muted)
            color = severity_color(theme, item.severity) if item.severity else theme.color("text")
            line = QRectF(left, 27, room, 26)
            used = draw_reading(painter, theme, line, item.number, item.unit, color)
            if self._is_tall:
                remark = QRectF(left, 54, room, 17)
            else:
                remark = QRectF(left + used + 8, 31, max(room - used - 8, 0), 20)
            draw_text(painter, remark, item.remark, small, muted)
