"""A card that is chosen: icon, title, round mark, lines of text, a badge and a remark at the bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.focus import DrawsFocus
from gpuconfig_app.ui.widgets.painting import (
    LEFT,
    RIGHT,
    draw_box,
    draw_text,
    draw_wrapped,
    start_painter,
    text_width,
)
from gpuconfig_app.ui.widgets.severity_badge import badge_width, paint_badge

_NARROWEST = 200


@dataclass(frozen=True)
class CardContent:
    """What a card shows.

    Attributes:
        lines: The first in the text colour, the others muted.
        severity: Of the badge at the bottom; empty for none.
        badge: Word of the badge.
        remark: At the right of the badge, small and muted.
    """

    icon: str
    title: str
    lines: tuple[str, ...] = ()
    severity: str = ""
    badge: str = ""
    remark: str = ""


class ChoiceCard(DrawsFocus, QAbstractButton):
    """One of several; put them in an exclusive ``QButtonGroup``.

    Args:
        height: Fixed height; 172 for templates, 140 for ways to spread the work, 60 for a short choice.
    """

    def __init__(self, content: CardContent, height: int = 172, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.setCheckable(True)
        self.setFixedHeight(height)
        self.setMinimumWidth(_NARROWEST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.show_content(content)

    def show_content(self, content: CardContent) -> None:
        """Show other texts."""
        self._content = content
        self.setText(content.title)
        self.setAccessibleName(content.title)
        parts: Sequence[str] = (*content.lines, content.badge, content.remark)
        self.setAccessibleDescription(". ".join(part for part in parts if part))
        self.setToolTip("\n".join(part for part in (content.title, *parts) if part))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        theme, content = current_theme(), self._content
        head = 58 + text_width(content.title, theme.font("body", 600)) + 44
        foot = 40 + text_width(content.remark, theme.font("small"))
        if content.badge:
            foot += badge_width(theme, content.badge, is_boxed=False)
        return QSize(max(_NARROWEST, round(max(head, foot))), self.height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        place = QRectF(self.rect())
        is_on = self.isChecked()
        fill = theme.color("surface" if self.isEnabled() else "inset")
        if self.underMouse() and self.isEnabled() and not is_on:
            fill = theme.color("hover")
        border, width = (theme.color("accent"), 2) if is_on else (theme.color("border"), 1)
        if self.shows_focus:
            border, width = theme.color("focus"), 2
        draw_box(painter, place, fill, border, theme.size("radius.card"), width)
        self._paint_head(painter, theme, place)
        self._paint_lines(painter, theme, place)
        self._paint_foot(painter, theme, place)

    def _paint_head(self, painter: QPainter, theme: Theme, place: QRectF) -> None:
        tile = QRectF(16, 14, 32, 32)
        is_on = self.isChecked()
        tile_fill = theme.color("selected" if is_on else "inset")
        draw_box(painter, tile, tile_fill, tile_fill, theme.size("radius.badge"))
        color = theme.color("accent_text" if is_on else "text_secondary")
        draw_icon(painter, self._content.icon, tile.adjusted(7, 7, -7, -7), color)
        room = QRectF(58, 14, place.width() - 58 - 44, 32)
        title = theme.color("text" if self.isEnabled() else "text_disabled")
        draw_text(painter, room, self._content.title, theme.font("body", 600), title, LEFT)
        mark = QRectF(place.width() - 32, 22, 16, 16)
        painter.setBrush(theme.color("accent") if is_on else Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent" if is_on else "border_control"), 1))
        painter.drawEllipse(mark.adjusted(0.5, 0.5, -0.5, -0.5))
        if is_on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("on_accent"))
            painter.drawEllipse(mark.adjusted(5, 5, -5, -5))

    def _paint_lines(self, painter: QPainter, theme: Theme, place: QRectF) -> None:
        top = 54.0 if place.height() > 80 else 34.0
        left = 16.0 if place.height() > 80 else 58.0
        bottom = 44.0 if self._content.badge or self._content.remark else 8.0
        for number, line in enumerate(self._content.lines):
            room = QRectF(left, top, place.width() - left - 16, 18)
            is_last = number == len(self._content.lines) - 1
            color = theme.color("text_secondary" if number == 0 else "text_muted")
            if is_last and number:
                room.setBottom(place.height() - bottom)
                draw_wrapped(painter, room, line, theme.font("small"), color)
            else:
                draw_text(painter, room, line, theme.font("body" if number == 0 else "small"), color)
            top += 20

    def _paint_foot(self, painter: QPainter, theme: Theme, place: QRectF) -> None:
        room = QRectF(16, place.height() - 36, place.width() - 32, 24)
        beside = QRectF(room)
        if self._content.badge:
            beside.setLeft(room.left() + badge_width(theme, self._content.badge, is_boxed=False) + 8)
            paint_badge(painter, theme, room, self._content.severity, self._content.badge, is_boxed=False)
        if self._content.remark:
            draw_text(painter, beside, self._content.remark, theme.font("small"), theme.color("text_secondary"), RIGHT)
