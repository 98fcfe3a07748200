"""Bottom of the rail: whether readings are live, how often, and since when none came."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from gpuconfig_app.ui.icons import icon_pixmap
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.labels import ElidedLabel

LIVE = "live"
WAITING = "waiting"
SILENT = "silent"
RECORDED = "recorded"
_DOT = 7


class SamplingLine(QWidget):
    """A dot or icon and a few words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("samplingLine")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 4, 0)
        row.setSpacing(6)
        self._mark = QLabel()
        self._mark.setFixedWidth(12)
        self._mark.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text = ElidedLabel("", "caption", "muted", mode=Qt.TextElideMode.ElideRight)
        row.addWidget(self._mark)
        row.addWidget(self._text, 1)
        self._state = WAITING
        current_theme().changed.connect(self._draw_mark)

    @property
    def text(self) -> str:
        """Words shown."""
        return self._text.text()

    def show_state(self, state: str, text: str) -> None:
        """Show ``live``, ``waiting``, ``silent`` or ``recorded`` and its words."""
        if (state, text) == (self._state, self._text.text()):
            return
        self._state = state
        self._text.setText(text)
        self.setAccessibleName(text)
        self._draw_mark()

    def _draw_mark(self) -> None:
        theme = current_theme()
        if self._state == RECORDED:
            self._mark.setPixmap(icon_pixmap("history", 12, theme.color("text_muted")))
        elif self._state == SILENT:
            self._mark.setPixmap(icon_pixmap("hourglass", 12, theme.color("warning.fg")))
        else:
            token = "good.fg" if self._state == LIVE else "text_muted"
            self._mark.setPixmap(_dot(token))


def _dot(token: str) -> QPixmap:
    theme = current_theme()
    ratio = 2
    picture = QPixmap(_DOT * ratio, _DOT * ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(token))
    painter.drawEllipse(0, 0, _DOT * ratio, _DOT * ratio)
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture
