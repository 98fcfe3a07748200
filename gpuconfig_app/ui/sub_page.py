"""A page that opens inside another one: the way back before its title, and Escape takes it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from typing_extensions import override

from gpuconfig_app.ui.language import page_title
from gpuconfig_app.ui.page import Page
from gpuconfig_app.ui.pages import find_page
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import FLAT, Button
from gpuconfig_app.ui.widgets.cards import IconLabel

_BUTTON_SIDE = 12


class SubPage(Page):
    """Base of the pages inside a page; the rail keeps the mark of the outer one.

    For page authors: keep nothing that must survive in the page, and end nothing in ``on_leave`` that may be left
    running: a job goes on in ``AppState.background``.

    Args:
        state: State of the window.
        page_id: Id of this page; its ``PageSpec`` names the outer page.
        scrolls: See ``Page``.
        bleeds: See ``Page``.
    """

    def __init__(self, state: AppState, page_id: str, *, scrolls: bool = True, bleeds: bool = False) -> None:
        super().__init__(scrolls=scrolls, bleeds=bleeds)
        spec = find_page(page_id)
        outer = find_page(spec.parent) if spec is not None else None
        if outer is None:
            raise ValueError(f"{page_id} is no page inside another")
        self._sub_page_state = state
        self._outer_id = outer.id
        title = page_title(outer.title)
        self._back_title = title
        back = self._back = Button(title, FLAT, "arrow-left", on_click=self.go_back)
        back.setObjectName("back")
        back.setAccessibleName(QCoreApplication.translate("SubPage", "Back to {page}").format(page=title))
        back.setToolTip(QCoreApplication.translate("SubPage", "Back (Esc)"))
        self.crumbs.addSpacing(-_BUTTON_SIDE)  # its arrow stands where the blocks begin
        self.crumbs.setSpacing(0)
        self.crumbs.addWidget(back)
        self.crumbs.addWidget(IconLabel("chevron-right", 14, "text_muted"))
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.activated.connect(self.go_back)

    def go_back(self) -> None:
        """Show the outer page."""
        self._sub_page_state.navigate(self._outer_id)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._back.setText("" if self.is_narrow else self._back_title)
