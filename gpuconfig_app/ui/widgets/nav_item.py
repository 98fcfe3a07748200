"""One line of the rail: icon, name, and the severity of a page that needs attention."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.overriding import override
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.focus import DrawsFocus
from gpuconfig_app.ui.widgets.painting import LEFT, draw_box, draw_text, start_painter
from gpuconfig_app.ui.widgets.severity_badge import severity_color

_ICON_LEFT = 10
_GAP = 10
_MARK = 15


class NavItem(DrawsFocus, QAbstractButton):
    """A checkable entry; up and down move between the entries of a group.

    Args:
        icon_name: Lucide name.
        is_in_card: Stands on a surface instead of the rail: filled with the colour of a selection.
    """

    def __init__(self, text: str, icon_name: str, parent: QWidget | None = None, *, is_in_card: bool = False) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._is_in_card = is_in_card
        self._severity = ""
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedHeight(current_theme().size("height.nav_item"))

    @property
    def severity(self) -> str:
        """Severity shown at the right, empty for none."""
        return self._severity

    def set_severity(self, severity: str, word: str = "") -> None:
        """Show a severity at the right; ``word`` names it for screen readers and as tool tip."""
        self._severity = severity
        self.setToolTip(word)
        self.setAccessibleName(f"{self.text()}, {word}" if word else self.text())
        self.update()

    def _move(self, step: int) -> None:
        """Go to the next or former entry of the group."""
        entries = self.group().buttons()
        place = entries.index(self) + step
        if 0 <= place < len(entries):
            entries[place].setFocus(Qt.FocusReason.TabFocusReason)
            entries[place].click()

    @override
    def sizeHint(self) -> QSize:
        return QSize(current_theme().size("width.rail") - 17, current_theme().size("height.nav_item"))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._move(1 if event.key() == Qt.Key.Key_Down else -1)
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = start_painter(self)
        place = QRectF(self.rect())
        is_on = self.isChecked()
        if is_on and self._is_in_card:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selected"))
            painter.drawRoundedRect(place, theme.size("radius.control"), theme.size("radius.control"))
        elif is_on:
            draw_box(painter, place, theme.color("surface"), theme.color("border"), theme.size("radius.control"))
            mark = QRectF(0, (place.height() - 16) / 2, theme.size("border.nav_marker"), 16)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(mark, 1.5, 1.5)
        elif self.underMouse() or self.isDown():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("pressed" if self.isDown() else "hover"))
            painter.drawRoundedRect(place, theme.size("radius.control"), theme.size("radius.control"))
        side = theme.size("icon.nav")
        top = (place.height() - side) / 2
        color = theme.color("accent_text" if is_on else "text_secondary")
        draw_icon(painter, self._icon_name, QRectF(_ICON_LEFT, top, side, side), color)
        left = _ICON_LEFT + side + _GAP
        room = QRectF(left, 0, place.width() - left - (30 if self._severity else 8), place.height())
        font = theme.font("body", 600 if is_on else 400)
        draw_text(painter, room, self.text(), font, theme.color("text" if is_on else "text_secondary"), LEFT)
        if self._severity:
            mark_place = QRectF(place.width() - _MARK - 10, (place.height() - _MARK) / 2, _MARK, _MARK)
            draw_icon(painter, theme.severity_icon(self._severity), mark_place, severity_color(theme, self._severity))
        if self.shows_focus:
            painter.setPen(QPen(theme.color("focus"), theme.size("border.focus_ring")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 7, 7)
