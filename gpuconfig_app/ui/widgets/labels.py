"""Text on a page: a label in a role of the type scale, and one that shortens itself in the middle."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gpuconfig_app.ui.overriding import override
from gpuconfig_app.ui.theme import current_theme


class TextLabel(QLabel):
    """A label set in a role of the type scale.

    Args:
        tone: ``text``, ``secondary``, ``muted``, ``disabled``, ``accent`` or a severity.
        wraps: Breaks lines at words.
        is_selectable: Text can be selected with mouse and keyboard.
    """

    def __init__(
        self,
        text: str = "",
        role: str = "body",
        tone: str = "text",
        parent: QWidget | None = None,
        *,
        wraps: bool = False,
        is_selectable: bool = False,
    ) -> None:
        super().__init__(text, parent)
        self.setFont(current_theme().font(role))
        self.setProperty("tone", tone)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wraps)
        if wraps:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        if is_selectable:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def set_tone(self, tone: str) -> None:
        """Change the colour by its name."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)


class ElidedLabel(QLabel):
    """One line that shortens itself in the middle and shows all of it as a tool tip.

    Args:
        mode: Where text is left out; paths and names in the middle.
    """

    def __init__(
        self,
        text: str = "",
        role: str = "body",
        tone: str = "text",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setFont(current_theme().font(role))
        self.setProperty("tone", tone)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setText(text)

    @override
    def setText(self, text: str) -> None:
        super().setText(text)
        self._update_tip()

    @override
    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(QFontMetrics(self.font()).horizontalAdvance("x") * 8, hint.width()), hint.height())

    @override
    def resizeEvent(self, event: object) -> None:
        self._update_tip()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = QFontMetrics(self.font()).elidedText(self.text(), self._mode, self.width())
        painter.drawText(self.rect(), int(self.alignment().value) | int(Qt.TextFlag.TextSingleLine.value), text)

    def _update_tip(self) -> None:
        is_short = QFontMetrics(self.font()).horizontalAdvance(self.text()) <= self.width()
        self.setToolTip("" if is_short else self.text())
