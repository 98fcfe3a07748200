"""The download as one bar of bytes, and the largest packages below it, each with a bar of its own."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.pages.make_environment.shown import LoadShown, PackageShown
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.painting import RIGHT, draw_bar, draw_reading, draw_text, start_painter, text_width

_HEAD = 28
_BAR = 10
_ROW = 24
_THIN = 6
_NAME_SHARE = 0.19
_NAME_LEAST = 150
_SIZE_WIDTH = 78
_CHECK_WIDTH = 22
_GAP = 12


class PackageBars(QWidget):
    """Painted, because it changes several times a second."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = LoadShown()
        self.setObjectName("packageBars")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def shown(self) -> LoadShown:
        """What is painted."""
        return self._shown

    def show_load(self, shown: LoadShown) -> None:
        """Show how far it is."""
        if shown == self._shown:
            return
        is_taller = len(shown.packages) != len(self._shown.packages)
        self._shown = shown
        words = (shown.number, shown.unit, shown.pace, shown.count)
        self.setAccessibleName(" ".join(word for word in words if word))
        self.setAccessibleDescription(", ".join(f"{item.name} {item.size}" for item in shown.packages))
        if is_taller:
            self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        rows = len(self._shown.packages)
        return QSize(520, _HEAD + 6 + _BAR + (10 + rows * _ROW if rows else 0))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(320, self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), start_painter(self)
        width = float(self.width())
        self._paint_head(painter, theme, width)
        bar = QRectF(0, _HEAD + 6, width, _BAR)
        draw_bar(painter, bar, self._shown.share, theme.color("accent"), theme.color("track"))
        top = bar.bottom() + 10
        for package in self._shown.packages:
            self._paint_package(painter, theme, QRectF(0, top, width, _ROW), package)
            top += _ROW

    def _paint_head(self, painter: QPainter, theme: Theme, width: float) -> None:
        shown = self._shown
        small = theme.font("small")
        count = text_width(shown.count, small)
        used = draw_reading(painter, theme, QRectF(0, 0, width, _HEAD), shown.number, shown.unit, theme.color("text"))
        room = QRectF(used + _GAP, 3, max(width - used - count - 2 * _GAP, 0), _HEAD - 3)
        draw_text(painter, room, shown.pace, theme.font("body"), theme.color("text_secondary"))
        draw_text(painter, QRectF(0, 3, width, _HEAD - 3), shown.count, small, theme.color("text_muted"), RIGHT)

    @staticmethod
    def _paint_package(painter: QPainter, theme: Theme, place: QRectF, package: PackageShown) -> None:
        name_width = max(place.width() * _NAME_SHARE, _NAME_LEAST)
        name = QRectF(place.left(), place.top(), name_width - _GAP, place.height())
        draw_text(painter, name, package.name, theme.font("mono"), theme.color("text"))
        right = place.right() - _SIZE_WIDTH - _CHECK_WIDTH
        bar = QRectF(name_width, place.center().y() - _THIN / 2, max(right - name_width - _GAP, 20), _THIN)
        color = theme.color("good.fg" if package.is_done else "accent")
        draw_bar(painter, bar, 1.0 if package.is_done else package.share, color, theme.color("track"))
        size = QRectF(right, place.top(), _SIZE_WIDTH, place.height())
        draw_text(painter, size, package.size, theme.font("small"), theme.color("text_muted"), RIGHT)
        if package.is_done:
            mark = QRectF(place.right() - 15, place.center().y() - 7, 14, 14)
            draw_icon(painter, "check", mark, theme.color("good.fg"))
