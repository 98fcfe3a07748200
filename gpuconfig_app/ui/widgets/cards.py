"""Frames of a page: card, card with head and lines, hairlines, and the icon of a place as a widget."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.icons import icon_pixmap
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.labels import TextLabel


class Card(QFrame):
    """A surface with hairline border and round corners.

    Args:
        severity: Colours the border; None for the plain one.
        padding: Inner margin of ``body``.
    """

    def __init__(self, parent: QWidget | None = None, severity: str | None = None, padding: int = 16) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        if severity is not None:
            self.setProperty("severity", severity)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(padding, padding, padding, padding)
        self.body.setSpacing(8)


class HeadedCard(QFrame):
    """A card with a title line, buttons at its right, and content below.

    Attributes:
        head: Layout of the title line; buttons are added at its end.
        body: Layout of the content, without margins.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setAccessibleName(title)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 1)
        outer.setSpacing(0)
        self.head = QHBoxLayout()
        self.head.setContentsMargins(16, 10, 12, 10)
        self.head.setSpacing(8)
        self.title = TextLabel(title, "heading")
        self.title.setMinimumHeight(current_theme().size("height.button_small"))
        self.head.addWidget(self.title)
        self.note = TextLabel("", "small", "muted")
        self.note.hide()
        self.head.addWidget(self.note)
        self.head.addStretch(1)
        outer.addLayout(self.head)
        self.body = QVBoxLayout()
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        outer.addLayout(self.body)

    def set_note(self, text: str) -> None:
        """Show a muted remark beside the title, empty for none."""
        self.note.setText(text)
        self.note.setVisible(bool(text))


class Line(QFrame):
    """A hairline across or down."""

    def __init__(self, parent: QWidget | None = None, *, is_vertical: bool = False) -> None:
        super().__init__(parent)
        self.setProperty("role", "line")
        if is_vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)


class IconLabel(QLabel):
    """An icon in a colour of the theme, kept right when the theme changes.

    Args:
        color: Colour by token, ``text_secondary`` or ``good.fg``.
    """

    def __init__(self, name: str, size: int = 16, color: str = "text_secondary", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._size, self._color = name, size, color
        self.setFixedSize(size, size)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._draw()

    def show_icon(self, name: str, color: str | None = None) -> None:
        """Show another icon."""
        self._name = name
        self._color = color or self._color
        self._draw()

    def _draw(self) -> None:
        self.setPixmap(icon_pixmap(self._name, self._size, current_theme().color(self._color)))

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_color"):
            self._draw()
