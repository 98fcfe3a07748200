"""The ring two pixels outside a button that has the keyboard's focus; a style sheet cannot draw outside its box."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollArea, QWidget

from gpuconfig_app.ui.overriding import override
from gpuconfig_app.ui.theme import current_theme

_OUTSIDE = 4
_MOVES = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Hide, QEvent.Type.Show)


class FocusRing(QWidget):
    """One per scrolling page or window; it follows the widget it was last shown around."""

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self.setObjectName("focusRing")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        self._target: QWidget | None = None
        self._watched: list[QWidget] = []

    def follow(self, target: QWidget) -> None:
        """Show the ring around a widget below the same host."""
        self.leave()
        self._target = target
        widget: QWidget | None = target
        while widget is not None and widget is not self.parentWidget():
            widget.installEventFilter(self)
            self._watched.append(widget)
            widget = widget.parentWidget()
        self._place()

    def leave(self) -> None:
        """Hide the ring."""
        for widget in self._watched:
            widget.removeEventFilter(self)
        self._watched.clear()
        self._target = None
        self.hide()

    def _place(self) -> None:
        target, host = self._target, self.parentWidget()
        if target is None or host is None or not target.isVisible():
            self.hide()
            return
        corner = target.mapTo(host, QPoint(0, 0))
        self.setGeometry(QRect(corner, target.size()).adjusted(-_OUTSIDE, -_OUTSIDE, _OUTSIDE, _OUTSIDE))
        self.raise_()
        self.show()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            self._place()
        return False

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("focus"), theme.size("border.focus_ring")))
        radius = theme.size("radius.control") + theme.size("border.focus_gap")
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)


def show_focus_ring(target: QWidget) -> None:
    """Show the ring around a widget."""
    _ring_for(target).follow(target)


def hide_focus_ring(target: QWidget) -> None:
    """Hide the ring of a widget."""
    _ring_for(target).leave()


def _ring_for(target: QWidget) -> FocusRing:
    host = _host_of(target)
    ring = host.findChild(FocusRing, "focusRing", Qt.FindChildOption.FindDirectChildrenOnly)
    return ring if ring is not None else FocusRing(host)


def _host_of(target: QWidget) -> QWidget:
    widget = target
    while (parent := widget.parentWidget()) is not None and not widget.isWindow():
        area = parent.parentWidget()
        if isinstance(area, QScrollArea) and area.widget() is widget:
            return widget
        widget = parent
    return widget
