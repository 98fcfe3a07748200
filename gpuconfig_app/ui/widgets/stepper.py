"""The steps of the wizard in one card: done, now, and to come; done steps are buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.focus import DrawsFocus
from gpuconfig_app.ui.widgets.painting import CENTER, draw_box, draw_text, start_painter, text_width

_HEIGHT = 46
_CIRCLE = 22
_GAP = 8
_SIDE = 20


class Stepper(DrawsFocus, QWidget):
    """Where the user is; left and right arrow keys move, Enter goes there.

    Args:
        names: Of the steps, in order.

    Signals:
        chosen(int): A step that can be reached was chosen.
    """

    chosen = Signal(int)

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = tuple(names)
        self._now = 0
        self._reachable = 0
        self._pointed = 0
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Steps"))

    def show_step(self, now: int, reachable: int) -> None:
        """Show the current step; steps up to ``reachable`` can be chosen."""
        self._now, self._reachable, self._pointed = now, reachable, now
        text = self.tr("Step {n} of {count}: {name}")
        self.setAccessibleDescription(text.format(n=now + 1, count=len(self._names), name=self._names[now]))
        self.update()

    def _places(self) -> list[QRectF]:
        font = current_theme().font("body", 600)
        widths = [_CIRCLE + _GAP + text_width(name, font) for name in self._names]
        room = self.width() - 2 * _SIDE - sum(widths)
        gap = room / max(len(widths) - 1, 1)
        places, left = [], float(_SIDE)
        for width in widths:
            places.append(QRectF(left, 0, width, _HEIGHT))
            left += width + gap
        return places

    @override
    def sizeHint(self) -> QSize:
        return QSize(900, _HEIGHT)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(600, _HEIGHT)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        for number, place in enumerate(self._places()):
            if place.contains(event.position()) and number <= self._reachable:
                self.chosen.emit(number)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None:
            self._pointed = min(max(self._pointed + step, 0), self._reachable)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self._pointed)
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        draw_box(painter, QRectF(self.rect()), theme.color("surface"), theme.color("border"), theme.size("radius.card"))
        places = self._places()
        for number, (name, place) in enumerate(zip(self._names, places, strict=True)):
            self._paint_step(painter, theme, number, name, place)
            if number + 1 < len(places):
                line = QRectF(place.right() + 8, _HEIGHT / 2, places[number + 1].left() - place.right() - 16, 1)
                if line.width() > 4:
                    painter.fillRect(line, theme.color("border"))

    def _paint_step(self, painter: QPainter, theme: Theme, number: int, name: str, place: QRectF) -> None:
        circle = QRectF(place.left(), (_HEIGHT - _CIRCLE) / 2, _CIRCLE, _CIRCLE)
        is_now, is_done = number == self._now, number < self._now
        if is_now:
            draw_box(painter, circle, theme.color("accent"), theme.color("accent"), _CIRCLE / 2)
        else:
            border = theme.color("good.fg" if is_done else "border_control")
            draw_box(painter, circle, theme.color("surface"), border, _CIRCLE / 2)
        if is_done:
            draw_icon(painter, "check", circle.adjusted(4, 4, -4, -4), theme.color("good.fg"))
        else:
            color = theme.color("on_accent" if is_now else "text_muted")
            draw_text(painter, circle, str(number + 1), theme.font("small", 600), color, CENTER)
        room = QRectF(circle.right() + _GAP, 0, place.width() - _CIRCLE, _HEIGHT)
        can_go = number <= self._reachable
        color = theme.color("text" if is_now else "text_secondary" if can_go else "text_muted")
        draw_text(painter, room, name, theme.font("body", 600 if is_now else 400), color)
        if self.shows_focus and number == self._pointed:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(-6, 7, 8, -7), 8, 8)
