"""A turning circle for work whose length is not known; it appears only after 300 ms."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, QTimer
from PySide6.QtGui import QHideEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.painting import start_painter

_APPEARS_AFTER_MS = 300
_STEPS = 12


class Spinner(QWidget):
    """Turns while it is started and visible.

    Args:
        size: Side in pixels.
    """

    def __init__(self, size: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size = size
        self._step = -1
        self._is_started = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._turn)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Working"))

    @property
    def is_turning(self) -> bool:
        """Whether it is visible to the user by now."""
        return self._step >= 0

    def start(self) -> None:
        """Begin; the circle appears when the work is not over soon."""
        self._is_started = True
        self._step = -1
        if self.isVisible():
            self._timer.start(_APPEARS_AFTER_MS)

    def stop(self) -> None:
        """End."""
        self._is_started = False
        self._step = -1
        self._timer.stop()
        self.update()

    def _turn(self) -> None:
        self._step = (self._step + 1) % _STEPS
        self._timer.setInterval(current_theme().size("motion.progress_spin_ms") // _STEPS)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        if self._is_started:
            self._timer.start(_APPEARS_AFTER_MS)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._step < 0:
            return
        theme = current_theme()
        place = QRectF(0, 0, self._size, self._size)
        angle = self._step * 360 // _STEPS
        draw_icon(start_painter(self), "loader-circle", place, theme.color("text_secondary"), angle)
