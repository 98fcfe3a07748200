"""What every page is: a title line, a place for messages, and blocks below that scroll.

A page reacts to the state's signals and never fetches. It is thrown away and built again when the language changes, so
what must survive lives in ``AppState.drafts``. Texts belong into the subclasses, or their translation is lost.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.flowing_body import FlowingBody
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel

NARROW_BELOW = 1100


class Page(QWidget):
    """Base of the pages.

    Subclasses build their blocks into ``body`` in ``__init__`` and set the title with ``set_title``.

    Args:
        scrolls: The blocks lie in a vertical scroll area; pages with own scrolling parts turn it off.
        bleeds: ``body`` reaches the right and the bottom edge of the window; for pages that scroll by themselves.

    Attributes:
        crumbs: Layout at the left of the title, for the way back of a page inside another.
        buttons: Layout at the right of the title, for buttons.
        notices: Layout under the title where the window puts message bars.
        body: Layout of the blocks.
        is_narrow: The window is below 1100 pixels wide: margins 20 and gaps 12 instead of 24 and 16.

    Signals:
        attention_changed(str): Severity the rail shows beside the page's name, empty for none.
    """

    attention_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None, *, scrolls: bool = True, bleeds: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.is_narrow = False
        self._page_bleeds = bleeds
        self._page_title = ElidedLabel("", "page_title", mode=Qt.TextElideMode.ElideRight)
        self._page_subtitle = TextLabel("", "small", "muted")
        self._page_subtitle.hide()
        self.crumbs = QHBoxLayout()
        self.buttons = QHBoxLayout()
        self.notices = QVBoxLayout()
        self.body = QVBoxLayout()
        self._page_column = QVBoxLayout(self)
        self._page_head = self._make_page_head()
        self._page_column.addLayout(self._page_head)
        self._page_column.addLayout(self.notices)
        self._page_area: QScrollArea | None = self._make_page_area() if scrolls else None
        if self._page_area is not None:
            self._page_column.addWidget(self._page_area, 1)
        else:
            self._page_column.addLayout(self.body, 1)
        self._set_page_margins()

    def set_title(self, title: str, subtitle: str = "") -> None:
        """Show the title, and a 12 px line below it unless empty."""
        self._page_title.setText(title)
        self._page_subtitle.setText(subtitle)
        self._page_subtitle.setVisible(bool(subtitle))
        self.setAccessibleName(title)

    def set_footer(self, footer: QWidget) -> None:
        """Put a bar at the bottom edge that does not scroll."""
        self._page_column.addWidget(footer)

    def scroll_to(self, block: QWidget) -> None:
        """Bring a block into sight once the page is laid out."""
        area = self._page_area
        if area is not None:
            QTimer.singleShot(0, block, lambda: area.ensureWidgetVisible(block))

    def on_enter(self, arguments: Mapping[str, object]) -> None:
        """Start what the page needs while it is seen.

        For page authors: ``arguments`` is what ``AppState.navigate`` was given, empty from the rail.
        """

    def on_leave(self) -> None:
        """Stop what ``on_enter`` started; also called before the page is thrown away."""

    def on_width_changed(self) -> None:
        """Arrange again; called when ``is_narrow`` changed."""

    def _make_page_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(8)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        line = QHBoxLayout()
        line.setSpacing(8)
        self.crumbs.setSpacing(8)
        line.addLayout(self.crumbs)
        line.addWidget(self._page_title, 1)
        texts.addLayout(line)
        texts.addWidget(self._page_subtitle)
        head.addLayout(texts, 1)
        self.buttons.setSpacing(8)
        head.addLayout(self.buttons)
        head.setAlignment(self.buttons, Qt.AlignmentFlag.AlignVCenter)
        return head

    def _make_page_area(self) -> QScrollArea:
        content = FlowingBody()
        content.setObjectName("pageBody")
        content.setLayout(self.body)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(content)
        area.verticalScrollBar().rangeChanged.connect(self._set_page_margins)
        return area

    def _set_page_margins(self) -> None:
        theme = current_theme()
        side = 20 if self.is_narrow else theme.size("space.page_margin")
        gap = 12 if self.is_narrow else theme.size("space.card_gap")
        self._page_column.setContentsMargins(0, 0, 0, 0)
        self._page_column.setSpacing(0)
        self._page_head.setContentsMargins(side, 16 if self.is_narrow else 18, side, 8)
        self.notices.setContentsMargins(side, 0, side, 0)
        self.notices.setSpacing(8)
        if self._page_bleeds:
            self.body.setContentsMargins(side, 0, 0, 0)
        else:
            self.body.setContentsMargins(side, 0, side - self._scroll_bar_width(), side)
        self.body.setSpacing(gap)

    def _scroll_bar_width(self) -> int:
        """Room the scroll bar takes, so that blocks end where the title line ends."""
        bar = self._page_area.verticalScrollBar() if self._page_area is not None else None
        return bar.sizeHint().width() if bar is not None and bar.maximum() > 0 else 0

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.window().width() < NARROW_BELOW
        if is_narrow != self.is_narrow:
            self.is_narrow = is_narrow
            self._set_page_margins()
            self.on_width_changed()
