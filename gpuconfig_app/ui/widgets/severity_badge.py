"""Severity as icon, word and colour: one painter for the widget and for table cells."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.overriding import override
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.painting import LEFT, draw_box, draw_text, start_painter, text_width

_GAP = 5
_LEFT = 6
_RIGHT = 8
_COLORS = {
    "idle": "neutral", "stale": "note", "loading": "neutral", "recorded": "neutral", "to_do": "neutral",
    "restart": "warning", "silent": "warning", "try": "note",
}  # fmt: skip


def severity_color(theme: Theme, severity: str, part: str = "fg") -> QColor:
    """Give a colour of a severity or state; ``part`` is ``fg``, ``bg`` or ``border``."""
    return theme.color(f"{_COLORS.get(severity, severity)}.{part}")


def badge_width(theme: Theme, text: str, *, is_boxed: bool = True) -> float:
    """Width a badge needs."""
    sides = _LEFT + _RIGHT if is_boxed else 0
    return sides + theme.size("icon.inline") + _GAP + text_width(text, theme.font("small_strong")) + 1


def paint_badge(  # place, severity and words of one badge
    painter: QPainter,
    theme: Theme,
    place: QRectF,
    severity: str,
    text: str,
    *,
    is_boxed: bool = True,
    icon_name: str | None = None,
) -> None:
    """Paint a badge at the left of its place, in the middle of its height.

    Args:
        is_boxed: With background and border; without in tables.
        icon_name: Other icon than the severity's own.
    """
    color = severity_color(theme, severity)
    left = place.left()
    if is_boxed:
        height = float(theme.size("height.badge"))
        width = min(badge_width(theme, text), place.width())
        box = QRectF(left, place.center().y() - height / 2, width, height)
        fill, border = severity_color(theme, severity, "bg"), severity_color(theme, severity, "border")
        draw_box(painter, box, fill, border, theme.size("radius.badge"))
        left += _LEFT
    size = theme.size("icon.inline")
    icon = icon_name or theme.severity_icon(severity)
    draw_icon(painter, icon, QRectF(left, place.center().y() - size / 2, size, size), color)
    left += size + _GAP
    room = QRectF(left, place.top(), place.right() - left - (_RIGHT if is_boxed else 0) + 1, place.height())
    draw_text(painter, room, text, theme.font("small_strong"), color, LEFT)


class SeverityBadge(QWidget):
    """A badge on a page.

    Args:
        severity: ``good``, ``note``, ``warning``, ``blocked``, ``neutral``, or a state: ``idle``, ``stale``,
            ``loading``, ``recorded``, ``to_do``, ``restart``, ``silent``, ``try``.
        is_boxed: With background and border.
    """

    def __init__(
        self,
        severity: str = "neutral",
        text: str = "",
        parent: QWidget | None = None,
        *,
        is_boxed: bool = True,
        icon_name: str | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_boxed = is_boxed
        self._severity = severity
        self._text = ""
        self._icon_name = icon_name
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.show_state(severity, text, icon_name)

    @property
    def severity(self) -> str:
        """Severity shown."""
        return self._severity

    @property
    def text(self) -> str:
        """Word shown."""
        return self._text

    def show_state(self, severity: str, text: str, icon_name: str | None = None) -> None:
        """Show another severity and word."""
        self._severity, self._text, self._icon_name = severity, text, icon_name
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        theme = current_theme()
        return QSize(int(badge_width(theme, self._text, is_boxed=self._is_boxed) + 0.99), theme.size("height.badge"))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = start_painter(self)
        paint_badge(
            painter,
            current_theme(),
            QRectF(self.rect()),
            self._severity,
            self._text,
            is_boxed=self._is_boxed,
            icon_name=self._icon_name,
        )
