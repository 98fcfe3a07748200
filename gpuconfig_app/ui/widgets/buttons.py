"""Buttons: primary (one a page), outlined, flat, link, and square ones with only an icon and a name."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QPushButton, QWidget
from typing_extensions import override

from gpuconfig_app.ui.icons import make_icon
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.focus import RingsFocus

PRIMARY = "primary"
OUTLINED = "outlined"
FLAT = "flat"
LINK = "link"
SQUARE = "square"
_ICON_TOKENS = {PRIMARY: "on_accent", OUTLINED: "text", FLAT: "text_secondary", LINK: "accent_text", SQUARE: "text"}
_ICON_GAP = 4  # Qt itself leaves four
_COLOR_CHANGES = (QEvent.Type.PaletteChange, QEvent.Type.StyleChange)


class Button(RingsFocus, QPushButton):
    """A button of the product.

    Args:
        kind: ``primary``, ``outlined``, ``flat``, ``link`` or ``square``.
        icon_name: Lucide name, None for none.
        scale: ``normal`` 32, ``small`` 28 (in cards, tables, bars), ``large`` 36 (banner).
        icon_after: The icon stands behind the text.
        on_click: Called when pressed.
    """

    def __init__(
        self,
        text: str = "",
        kind: str = OUTLINED,
        icon_name: str | None = None,
        parent: QWidget | None = None,
        *,
        scale: str = "normal",
        icon_after: bool = False,
        on_click: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._icon_name = icon_name
        self._kind = kind
        self._icon_after = icon_after
        self.setProperty("kind", kind)
        self.setProperty("scale", scale)
        self.setFont(
            current_theme().font("small_strong" if scale == "small" else "body", 600 if kind == PRIMARY else 500)
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if kind == LINK else Qt.CursorShape.ArrowCursor)
        self.setAutoDefault(False)
        if icon_after:
            self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        if on_click is not None:
            self.clicked.connect(lambda *_: on_click())
        self._update_icon()

    def set_icon_name(self, name: str | None) -> None:
        """Change the icon."""
        self._icon_name = name
        self._update_icon()

    def set_kind(self, kind: str) -> None:
        """Change what kind of button it is."""
        if kind == self._kind:
            return
        self._kind = kind
        self.setProperty("kind", kind)
        self.style().unpolish(self)
        self.style().polish(self)
        self._update_icon()

    def _update_icon(self) -> None:
        if self._icon_name is None:
            self.setIcon(QIcon())
            return
        theme = current_theme()
        size = theme.size("icon.inline") if self.property("scale") == "small" else theme.size("icon.control")
        gap = _ICON_GAP if self.text() else 0
        self.setIconSize(QSize(size + gap, size))
        color, faded = theme.color(_ICON_TOKENS[self._kind]), theme.color("text_disabled")
        self.setIcon(make_icon(self._icon_name, size, color, faded, gap, is_after=self._icon_after))

    @override
    def setText(self, text: str) -> None:
        had_text = bool(self.text())
        super().setText(text)
        if had_text != bool(text):
            self._update_icon()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _COLOR_CHANGES and hasattr(self, "_icon_name"):
            self._update_icon()


def square_button(icon_name: str, name: str, on_click: Callable[[], object] | None = None) -> Button:
    """Give a button that shows only an icon.

    Args:
        name: What it does, for the tool tip and screen readers.
    """
    button = Button("", SQUARE, icon_name, scale="small", on_click=on_click)
    button.setToolTip(name)
    button.setAccessibleName(name)
    return button
