"""The window: rail, page stack, message bars, keyboard. It knows the list of pages and no page itself.

It paints before the state exists; ``attach`` brings the state and opens the first page.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QPaintEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from gpuconfig_app.ui.overriding import override
from gpuconfig_app.ui.pages import PAGES, find_page
from gpuconfig_app.ui.rail import Rail

if TYPE_CHECKING:
    from gpuconfig_app.ui.messages import Messages
    from gpuconfig_app.ui.page import Page
    from gpuconfig_app.ui.state import AppState
    from gpuconfig_app.ui.widgets.message_bar import MessageArea
    from gpuconfig_app.ui.widgets.recorded_bar import RecordedBar
    from gpuconfig_app.ui.window_facts import WindowFacts

logger = logging.getLogger(__name__)
_FIRST_SIZE = (1280, 800)


class MainWindow(QMainWindow):
    """The one window.

    Args:
        first_page: Page to open when the state is there.

    Signals:
        first_painted(): The window has been on the screen once.
        closing(): The window is about to close; its geometry can still be read.

    Attributes:
        ask_first: Asked when the user closes the window; it calls ``close_now`` when it may. None closes at once.
    """

    first_painted = Signal()
    closing = Signal()

    def __init__(self, first_page: str | None = None) -> None:
        super().__init__()
        self.state: AppState | None = None
        self.ask_first: Callable[[], None] | None = None
        first = find_page(first_page) if first_page is not None else None
        self._first_page = (first.parent or first.id) if first is not None else PAGES[0].id
        self._pages: dict[str, Page] = {}
        self._page_id = ""
        self._has_painted = False
        self._messages: Messages | None = None
        self._facts: WindowFacts | None = None
        self.setObjectName("mainWindow")
        self.setWindowTitle("GPUConfig")
        self.setMinimumSize(960, 600)
        self.resize(*_FIRST_SIZE)
        self._build()
        self._add_shortcuts()
        self.rail.show_page(self._first_page)

    @property
    def page_id(self) -> str:
        """Page that is shown, empty before ``attach``."""
        return self._page_id

    def page(self, page_id: str) -> Page | None:
        """Give a page that has been opened."""
        return self._pages.get(page_id)

    def attach(self, state: AppState) -> None:
        """Bring the state in and open the first page."""
        from gpuconfig_app.ui.tab_order import TabOrder  # noqa: PLC0415  # not before the first paint
        from gpuconfig_app.ui.window_facts import WindowFacts  # noqa: PLC0415  # not before the first paint

        self.state = state
        TabOrder(self)
        self._facts = WindowFacts(state, self)
        self._facts.changed.connect(self._show_facts)
        state.navigation_requested.connect(self.open_page)
        self._fill(state, self._first_page)

    def open_page(self, page_id: str, arguments: Mapping[str, object] | None = None) -> None:
        """Show a page; it is built when it is opened first."""
        from gpuconfig_app.ui.tab_order import FocusHandover  # noqa: PLC0415  # not before the first paint

        spec = find_page(page_id)
        if spec is None or self.state is None:
            logger.warning("no page %s", page_id)
            return
        if page_id not in self._pages:
            module, _, name = spec.factory.partition(":")
            page: Page = getattr(importlib.import_module(module), name)(self.state)
            if not spec.parent:
                page.attention_changed.connect(partial(self.rail.set_severity, page_id))
            self._pages[page_id] = page
            self._stack.addWidget(page)
        page, former = self._pages[page_id], self._pages.get(self._page_id)
        handover = FocusHandover(self, former, page)
        if former is not None and former is not page:
            former.on_leave()
        page.notices.addWidget(self._bars)
        place, former_place = (found.parent or found.id for found in (spec, find_page(self._page_id) or spec))
        if place != former_place:
            self.state.judge_as_installed()  # what was chosen there would stand for the machine elsewhere
        self._page_id = page_id
        self._stack.setCurrentWidget(page)
        self.rail.show_page(place)
        page.on_enter(arguments or {})
        handover.finish()

    def rebuild(self) -> None:
        """Build everything again in the language that is shown now."""
        page_id = self._page_id
        self.close_pages()
        self._page_id = ""
        self._pages = {}
        former = self.takeCentralWidget()
        self._build()
        if former is not None:
            former.deleteLater()
        if self.state is not None:
            self._fill(self.state, page_id)

    def close_pages(self) -> None:
        """Let the shown page stop what it started."""
        if self._page_id:
            self._pages[self._page_id].on_leave()

    def close_now(self) -> None:
        """Close without asking."""
        self.ask_first = None
        self.close()

    def geometry_text(self) -> str:
        """Give size and place as text for the settings."""
        return bytes(self.saveGeometry().toBase64().data()).decode("ascii")

    def restore_geometry_text(self, text: str | None) -> None:
        """Take size and place from the settings; unusable text leaves the first size."""
        if text:
            self.restoreGeometry(QByteArray.fromBase64(text.encode("ascii", "replace")))

    def _build(self) -> None:
        self.rail = Rail()
        self.rail.page_asked.connect(self.open_page)
        self.rail.chooser.machine_chosen.connect(self._choose_machine)
        self.rail.chooser.folder_asked.connect(self._ask_for_machine)
        self.rail.chooser.output_asked.connect(self._ask_for_output)
        self._stack = QStackedWidget()
        self._stack.setObjectName("pages")
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(self._stack, 1)
        self.setCentralWidget(whole)

    def _build_bars(self) -> None:
        """Make the bars that stand under the title of the shown page; not needed for the first paint."""
        from gpuconfig_app.ui.widgets.message_bar import MessageArea  # noqa: PLC0415  # not before the first paint
        from gpuconfig_app.ui.widgets.recorded_bar import RecordedBar  # noqa: PLC0415  # as above

        self.messages: MessageArea = MessageArea()
        self.messages.hide()
        self.recorded: RecordedBar = RecordedBar()
        self.recorded.hide()
        self.recorded.back_asked.connect(lambda: self._choose_machine(None))
        self.recorded.other_asked.connect(self._ask_for_machine)
        self._bars = QWidget()
        bars = QVBoxLayout(self._bars)
        bars.setContentsMargins(0, 0, 0, 10)
        bars.addWidget(self.recorded)
        bars.addWidget(self.messages)

    def _fill(self, state: AppState, page_id: str) -> None:
        from gpuconfig_app.ui.messages import Messages  # noqa: PLC0415  # not before the first paint

        self._build_bars()
        former = self._messages
        self._messages = Messages(state, self.messages, self)
        if former is not None:
            self._messages.take_over(former)
        self._show_facts()
        self.open_page(page_id)

    def _add_shortcuts(self) -> None:
        for number, spec in enumerate(PAGES, start=1):
            self._shortcut(f"Ctrl+{number}", partial(self.open_page, spec.id))
        self._shortcut("Ctrl+,", partial(self.open_page, "settings"))
        self._shortcut("F5", self._refresh)
        self._shortcut("Ctrl+R", self._refresh)
        self._shortcut("Ctrl+Q", self.close)

    def _shortcut(self, keys: str, action: Callable[[], object]) -> None:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.activated.connect(action)

    def _show_facts(self) -> None:
        if self._facts is not None:
            self._facts.show_in(self.rail, self.recorded)

    def _choose_machine(self, name: str | None) -> None:
        if self.state is not None and name != self.state.machine_name:
            self.state.select_machine(name)

    def _ask_for_machine(self) -> None:
        from PySide6.QtWidgets import QFileDialog  # noqa: PLC0415  # a big class that the first paint does not need

        folder = QFileDialog.getExistingDirectory(self, self.tr("Open a recorded machine"))
        if folder:
            self._choose_machine(folder)

    def _ask_for_output(self) -> None:
        from PySide6.QtWidgets import QFileDialog  # noqa: PLC0415  # as above

        path, _ = QFileDialog.getOpenFileName(self, self.tr("Open the output of a tool"))
        if path:
            self._choose_machine(path)

    def _refresh(self) -> None:
        if self.state is not None:
            self.state.refresh()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._has_painted:
            self._has_painted = True
            QTimer.singleShot(0, self, self.first_painted.emit)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if self.ask_first is not None:
            event.ignore()
            self.ask_first()
            return
        self.close_pages()
        self.closing.emit()
        super().closeEvent(event)
