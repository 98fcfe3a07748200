"""Memory of one training step: parts from left to right, the limit, what is kept free, and the interval below.

A prediction that is a sliver of the card is drawn to a scale of its own, and the bar says so.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.core.plan import MemoryPrediction
from gpuconfig_app.core.units import GIB, MIB, format_bytes
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.painting import CENTER, LEFT, RIGHT, draw_hatch, draw_text, start_painter, text_width

_BAR = 36
_BAR_SUMMARY = 14
_ABOVE = 24
_BELOW = 32
_LABEL_FROM_PX = 36
_LIMIT_OVERHANG = 6
_WHISKER = 9
_SCALE_GAP = 10
_ENLARGED_BELOW = 0.15


class MemoryBar(QWidget):
    """The bar with its limit and interval.

    Args:
        is_summary: Low and without labels, for a side panel.
    """

    def __init__(self, parent: QWidget | None = None, *, is_summary: bool = False) -> None:
        super().__init__(parent)
        self._is_summary = is_summary
        self._memory: MemoryPrediction | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Memory by part"))

    def show_prediction(self, memory: MemoryPrediction | None) -> None:
        """Show a prediction; None leaves the bar empty."""
        self._memory = memory
        if memory is not None:
            parts = [f"{part_name(part.part.value)} {format_bytes(part.size_bytes, 2)}" for part in memory.parts]
            text = "; ".join(parts)
            self.setAccessibleDescription(text)
            self.setToolTip("\n".join(parts))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(320, _BAR_SUMMARY + 4 if self._is_summary else _ABOVE + _BAR + _BELOW)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        memory = self._memory
        top = 2.0 if self._is_summary else float(_ABOVE)
        bar = QRectF(0, top, self.width(), _BAR_SUMMARY if self._is_summary else _BAR)
        painter.save()
        path = QPainterPath()
        path.addRoundedRect(bar, 4, 4)
        painter.setClipPath(path)
        painter.fillRect(bar, theme.color("track"))
        if memory is not None:
            self._paint_parts(painter, theme, bar, memory)
        painter.restore()
        if memory is None or self._is_summary:
            return
        self._paint_limit(painter, theme, bar, memory)
        self._paint_interval(painter, theme, bar, memory)

    def _full_bytes(self, memory: MemoryPrediction) -> float:
        if is_enlarged(memory):
            return max(memory.total.high * 1.25, 1.0)
        known = [memory.device_total_bytes or 0, memory.usable_bytes or 0]
        return max(*known, memory.total.high * 1.02, 1.0)

    def _x(self, size_bytes: float, bar: QRectF, memory: MemoryPrediction) -> float:
        return bar.left() + bar.width() * min(size_bytes / self._full_bytes(memory), 1.0)

    def _paint_parts(self, painter: QPainter, theme: Theme, bar: QRectF, memory: MemoryPrediction) -> None:
        gap = theme.size("memory_bar.part_gap")
        start = 0
        for part in memory.parts:
            left, right = self._x(start, bar, memory), self._x(start + part.size_bytes, bar, memory)
            start += part.size_bytes
            place = QRectF(left, bar.top(), max(right - left, 1.0), bar.height())
            painter.fillRect(place, theme.color(f"part.{part.part.value}"))
            painter.fillRect(QRectF(right - gap, bar.top(), gap, bar.height()), theme.color("surface"))
            text = f"{part.size_bytes / memory_unit(memory)[0]:.1f}"
            if not self._is_summary and place.width() > _LABEL_FROM_PX:
                draw_text(painter, place, text, theme.font("small", 600), theme.color("part.label"), CENTER)
        if memory.usable_bytes is not None and memory.device_total_bytes is not None and not is_enlarged(memory):
            left = self._x(memory.usable_bytes, bar, memory)
            right = self._x(memory.device_total_bytes, bar, memory)
            if right - left > 1:
                place = QRectF(left, bar.top(), right - left, bar.height())
                draw_hatch(painter, place, theme.color("part.reserved"), theme.color("track"))

    def _paint_limit(self, painter: QPainter, theme: Theme, bar: QRectF, memory: MemoryPrediction) -> None:
        scale = _below(bar)
        draw_text(painter, scale, "0", theme.font("caption"), theme.color("text_muted"), LEFT)
        draw_text(painter, scale, self._scale_end(memory), theme.font("caption"), theme.color("text_muted"), RIGHT)
        if memory.usable_bytes is None:
            return
        if is_enlarged(memory):
            text = self.tr("drawn larger; usable are {n}").format(n=format_bytes(memory.usable_bytes))
            above = QRectF(bar.left(), 0, bar.width(), 16)
            draw_text(painter, above, text, theme.font("small"), theme.color("text_muted"), RIGHT)
            return
        x = self._x(memory.usable_bytes, bar, memory)
        painter.setPen(QPen(theme.color("text"), 1.5))
        top, bottom = bar.top() - _LIMIT_OVERHANG, bar.bottom() + _LIMIT_OVERHANG
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        text = self.tr("usable {n}").format(n=f"{memory.usable_bytes / GIB:.1f}")
        font = theme.font("small", 600)
        width = text_width(text, font) + 2
        left = min(max(x - width / 2, 0), self.width() - width)
        draw_text(painter, QRectF(left, 0, width, 16), text, font, theme.color("text"))

    def _paint_interval(self, painter: QPainter, theme: Theme, bar: QRectF, memory: MemoryPrediction) -> None:
        total, y = memory.total, bar.bottom() + _WHISKER
        low, mid, high = (self._x(value, bar, memory) for value in (total.low, total.expected, total.high))
        color = theme.color("text")
        painter.setPen(QPen(color, 1.5))
        painter.drawLine(QPointF(low, y), QPointF(high, y))
        for x in (low, high):
            painter.drawLine(QPointF(x, y - 4), QPointF(x, y + 4))
        painter.setBrush(color)
        painter.drawEllipse(QPointF(mid, y), 3, 3)
        factor, unit = memory_unit(memory)
        text = self.tr("{low} – {high}, nine times in ten").format(
            low=f"{total.low / factor:.1f}", high=f"{total.high / factor:.1f} {unit}"
        )
        font = theme.font("small")
        width = text_width(text, font) + 2
        ends = [text_width(end, theme.font("caption")) + _SCALE_GAP for end in ("0", self._scale_end(memory))]
        left = max(min((low + high - width) / 2, bar.width() - ends[1] - width), ends[0])
        place = _below(bar)
        draw_text(painter, QRectF(left, place.top(), width, place.height()), text, font, theme.color("text_secondary"))

    def _scale_end(self, memory: MemoryPrediction) -> str:
        return format_bytes(int(self._full_bytes(memory)))


def _below(bar: QRectF) -> QRectF:
    """The line of words below the whisker: both ends of the scale and the interval between them."""
    return QRectF(bar.left(), bar.bottom() + _WHISKER + 6, bar.width(), 16)


class Swatch(QWidget):
    """A small square in the colour of a part, hatched for ``reserved``, before its name in a table."""

    def __init__(self, part: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._part = part
        self.setFixedSize(10, 18)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        if self._part == "reserved":
            draw_hatch(painter, QRectF(0, 4, 10, 10), theme.color("part.reserved"), theme.color("track"))
            return
        painter.setPen(QColor(0, 0, 0, 0))
        painter.setBrush(theme.color(f"part.{self._part}"))
        painter.drawRoundedRect(QRectF(0, 4, 10, 10), 2, 2)


def part_name(part: str) -> str:
    """Give the name of a part of the memory in the shown language."""
    names = {
        "weights": QCoreApplication.translate("MemoryBar", "Weights"),
        "gradients": QCoreApplication.translate("MemoryBar", "Gradients"),
        "optimizer": QCoreApplication.translate("MemoryBar", "Optimizer"),
        "activations": QCoreApplication.translate("MemoryBar", "Activations"),
        "workspace": QCoreApplication.translate("MemoryBar", "Workspace and slack"),
        "reserved": QCoreApplication.translate("MemoryBar", "Kept free by TensorFlow"),
    }
    return names.get(part, part)


def is_enlarged(memory: MemoryPrediction) -> bool:
    """Whether the prediction is so small beside the limit that it is drawn to its own scale."""
    limit = max(memory.device_total_bytes or 0, memory.usable_bytes or 0)
    return memory.total.high < limit * _ENLARGED_BELOW


def memory_unit(memory: MemoryPrediction) -> tuple[int, str]:
    """Give the unit in which all parts of a prediction are written."""
    return (GIB, "GiB") if memory.total.expected >= GIB else (MIB, "MiB")
