"""What every page is: a title line, a place for messages, and blocks below that scroll.

A page reacts to the state's signals and never fetches. It is thrown away and built again when the language changes, so
what must survive lives in ``AppState.drafts``. Texts belong into the subclasses, or their translation is lost.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.labels import TextLabel

NARROW_BELOW = 1100


class Page(QWidget):
    """Base of the pages.

    Subclasses build their blocks into ``body`` in ``__init__`` and set the title with ``set_title``.

    Args:
        scrolls: The blocks lie in a vertical scroll area; pages with own scrolling parts turn it off.

    Attributes:
        buttons: Layout at the right of the title, for buttons.
        notices: Layout under the title where the window puts message bars.
        body: Layout of the blocks.
        is_narrow: The window is below 1100 pixels wide: margins 20 and gaps 12 instead of 24 and 16.

    Signals:
        attention_changed(str): Severity the rail shows beside the page's name, empty for none.
    """

    attention_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None, *, scrolls: bool = True) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.is_narrow = False
        self._title = TextLabel("", "page_title")
        self._subtitle = TextLabel("", "small", "muted")
        self._subtitle.hide()
        self.buttons = QHBoxLayout()
        self.notices = QVBoxLayout()
        self.body = QVBoxLayout()
        self._outer = QVBoxLayout(self)
        self._head = self._build_head()
        self._outer.addLayout(self._head)
        self._outer.addLayout(self.notices)
        self._area: QScrollArea | None = self._build_area() if scrolls else None
        if self._area is not None:
            self._outer.addWidget(self._area, 1)
        else:
            self._outer.addLayout(self.body, 1)
        self._set_margins()

    def set_title(self, title: str, subtitle: str = "") -> None:
        """Show the title, and a 12 px line below it unless empty."""
        self._title.setText(title)
        self._subtitle.setText(subtitle)
        self._subtitle.setVisible(bool(subtitle))
        self.setAccessibleName(title)

    def set_footer(self, footer: QWidget) -> None:
        """Put a bar at the bottom edge that does not scroll."""
        self._outer.addWidget(footer)

    def on_enter(self, arguments: Mapping[str, object]) -> None:
        """Start what the page needs while it is seen.

        For page authors: ``arguments`` is what ``AppState.navigate`` was given, empty from the rail.
        """

    def on_leave(self) -> None:
        """Stop what ``on_enter`` started; also called before the page is thrown away."""

    def on_width_changed(self) -> None:
        """Arrange again; called when ``is_narrow`` changed."""

    def _build_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(8)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self._title)
        texts.addWidget(self._subtitle)
        head.addLayout(texts, 1)
        self.buttons.setSpacing(8)
        head.addLayout(self.buttons)
        head.setAlignment(self.buttons, Qt.AlignmentFlag.AlignVCenter)
        return head

    def _build_area(self) -> QScrollArea:
        content = QWidget()
        content.setObjectName("pageBody")
        content.setLayout(self.body)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(content)
        return area

    def _set_margins(self) -> None:
        theme = current_theme()
        side = 20 if self.is_narrow else theme.size("space.page_margin")
        gap = 12 if self.is_narrow else theme.size("space.card_gap")
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.setSpacing(0)
        self._head.setContentsMargins(side, 16 if self.is_narrow else 18, side, 12)
        self.notices.setContentsMargins(side, 0, side, 0)
        self.notices.setSpacing(8)
        self.body.setContentsMargins(side, 4 if self._area is not None else 0, side, side)
        self.body.setSpacing(gap)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.window().width() < NARROW_BELOW
        if is_narrow != self.is_narrow:
            self.is_narrow = is_narrow
            self._set_margins()
            self.on_width_changed()
