"""An on/off switch of 36 × 20."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.focus import RingsFocus
from gpuconfig_app.ui.widgets.painting import start_painter


class Switch(RingsFocus, QAbstractButton):
    """Checkable; space toggles.

    Args:
        name: What it turns on, for screen readers.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        return QSize(36, 20)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = start_painter(self)
        place = QRectF(0.5, 0.5, 35, 19)
        if not self.isEnabled():
            fill, edge, knob = "inset", "border", "text_disabled"
        elif self.isChecked():
            fill, edge, knob = "accent", "accent", "on_accent"
        else:
            fill, edge, knob = "track", "border_control", "text_secondary"
        painter.setPen(QPen(theme.color(edge), 1))
        painter.setBrush(theme.color(fill))
        painter.drawRoundedRect(place, 9.5, 9.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(knob))
        painter.drawEllipse(QPointF(26 if self.isChecked() else 10, 10), 7, 7)
