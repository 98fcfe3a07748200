"""A few choices side by side of which one holds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.focus import RingsFocus
from gpuconfig_app.ui.widgets.painting import CENTER, draw_box, draw_text, start_painter, text_width

_SIDE = 12


class SegmentedControl(RingsFocus, QWidget):
    """Choices by value; left and right move between them.

    Args:
        choices: Each (value, text).

    Signals:
        chosen(str): The user chose this value.
    """

    chosen = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices = tuple(choices)
        self._place = 0
        self._hovered = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(current_theme().size("height.button"))

    @property
    def value(self) -> str:
        """Chosen value."""
        return self._choices[self._place][0]

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """Values with their texts."""
        return self._choices

    def set_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """Offer other choices; the chosen value stays where it is among them, else the last one holds."""
        if tuple(choices) == self._choices:
            return
        value = self.value
        self._choices = tuple(choices)
        self._place = len(self._choices) - 1
        self.set_value(value)
        self.updateGeometry()
        self.update()

    def set_value(self, value: str) -> None:
        """Choose without a signal; an unknown value changes nothing."""
        for place, (own, text) in enumerate(self._choices):
            if own == value:
                self._place = place
                self.setAccessibleDescription(text)
                self.update()

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._choices) and place != self._place:
            self.set_value(self._choices[place][0])
            self.chosen.emit(self.value)

    def _widths(self) -> list[float]:
        font = current_theme().font("body", 600)
        return [text_width(text, font) + 2 * _SIDE for _, text in self._choices]

    def _place_at(self, x: float) -> int:
        left = 0.0
        for place, width in enumerate(self._widths()):
            left += width
            if x < left:
                return place
        return len(self._choices) - 1

    @override
    def sizeHint(self) -> QSize:
        return QSize(round(sum(self._widths())) + 2, self.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._choose(self._place_at(event.position().x()))

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hovered = self._place_at(event.position().x())
        self.update()

    @override
    def leaveEvent(self, event: object) -> None:
        self._hovered = -1
        self.update()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps:
            self._choose(self._place + steps[Qt.Key(event.key())])
            return
        super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = start_painter(self)
        whole = QRectF(self.rect())
        radius = theme.size("radius.control")
        border = theme.color("border_control" if self.isEnabled() else "border")
        draw_box(painter, whole, theme.color("surface"), border, radius)
        inside = QPainterPath()
        inside.addRoundedRect(whole.adjusted(1, 1, -1, -1), radius - 1, radius - 1)
        left = 0.0
        for place, (width, (_, text)) in enumerate(zip(self._widths(), self._choices, strict=True)):
            cell = QRectF(left, 0, width, whole.height())
            is_on = place == self._place
            if is_on or place == self._hovered:
                painter.save()
                painter.setClipPath(inside)
                painter.fillRect(cell, theme.color("selected" if is_on else "hover"))
                painter.restore()
            if place:
                painter.fillRect(QRectF(round(left), 1, 1, whole.height() - 2), theme.color("border"))
            self._paint_text(painter, cell, text, is_on=is_on)
            left += width

    def _paint_text(self, painter: QPainter, cell: QRectF, text: str, *, is_on: bool) -> None:
        theme = current_theme()
        token = "accent_text" if is_on else "text_secondary"
        color = theme.color(token if self.isEnabled() else "text_disabled")
        draw_text(painter, cell, text, theme.font("body", 600 if is_on else 400), color, CENTER)
