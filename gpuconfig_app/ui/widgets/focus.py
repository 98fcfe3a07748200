"""How a widget shows that it has the keyboard's focus: drawn by itself, or by the ring outside it.

Both classes stand before the widget's own class: ``class NavItem(DrawsFocus, QAbstractButton)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QFocusEvent

from gpuconfig_app.ui.overriding import override
from gpuconfig_app.ui.widgets.focus_ring import hide_focus_ring, show_focus_ring
from gpuconfig_app.ui.widgets.painting import is_keyboard_focus

# A widget class takes one Qt class only: at run time these stand beside it, for type checkers above it.
if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget as _Widget
else:
    _Widget = object


class DrawsFocus(_Widget):
    """A widget whose ``paintEvent`` draws the focus.

    Attributes:
        shows_focus: The focus came by the keyboard and is still here.
    """

    shows_focus = False

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self.shows_focus = is_keyboard_focus(event.reason())
        super().focusInEvent(event)
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.shows_focus = False
        super().focusOutEvent(event)
        self.update()


class RingsFocus(_Widget):
    """A widget around which the focus ring is shown."""

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if is_keyboard_focus(event.reason()):
            show_focus_ring(self)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        hide_focus_ring(self)
