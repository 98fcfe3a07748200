"""Where the keyboard goes: Tab walks a window in reading order, and the focus follows into a page that opens.

Parts of a page are made anew while it is shown (a finding, a banner's buttons), and Qt puts them at the end of its
chain; so the chain is laid again whenever Tab is pressed and whenever the focus has moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from gpuconfig_app.ui.widgets.focus_ring import FocusRing

_TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class TabOrder(QObject):
    """Keeps the order of a window that is on the screen.

    It listens at the window of the system: a filter on the application would see every event of every widget.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._shown = window
        if (handle := window.windowHandle()) is not None:
            handle.installEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not None and now.window() is self._shown:
            lay_tab_order(self._shown)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() in _TABS:
            lay_tab_order(self._shown)
        return False


def lay_tab_order(window: QWidget) -> None:
    """Let Tab go from the top down and, on a line, from left to right; a card is finished before the next begins."""
    for before, after in pairwise(list(_stops(window))):
        QWidget.setTabOrder(before, after)


class FocusHandover:
    """Lets the focus follow from a page into the one that opens; who is elsewhere, as in the rail, stays there.

    Args:
        former: Page that is left, None for none.
        page: Page that opens.
    """

    def __init__(self, window: QWidget, former: QWidget | None, page: QWidget) -> None:
        self._window, self._page = window, page
        self._is_due = former is not page and _is_inside(former, window.focusWidget())
        # a ring is shown only for who uses the keyboard
        self._is_by_keyboard = any(ring.isVisible() for ring in window.findChildren(FocusRing))

    def finish(self) -> None:
        """Give the focus to what had it last on the page, else to its first control; call it when the page is shown."""
        if not self._is_due or _is_inside(self._page, self._window.focusWidget()):
            return
        target = _usable(self._page.focusWidget()) or next(_stops(self._page), None)
        if target is not None:
            reason = Qt.FocusReason.TabFocusReason if self._is_by_keyboard else Qt.FocusReason.OtherFocusReason
            target.setFocus(reason)


def _is_inside(page: QWidget | None, part: QWidget | None) -> bool:
    return page is not None and part is not None and page.isAncestorOf(part)


def _usable(part: QWidget | None) -> QWidget | None:
    return part if part is not None and part.isVisible() and part.isEnabled() else None


def _stops(widget: QWidget) -> Iterator[QWidget]:
    """Give what Tab can stop at, in reading order."""
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isEnabled() and not widget.isWindow():
        yield widget
    for _, stops in _in_reading_order(widget):
        yield from stops


def _in_reading_order(widget: QWidget) -> list[tuple[QWidget, list[QWidget]]]:
    """Give the parts with stops inside, line by line: who begins above the end of the one before is on its line."""
    shown = [child for child in widget.children() if isinstance(child, QWidget) and child.isVisible()]
    parts = [(child, stops) for child in shown if not child.isWindow() and (stops := list(_stops(child)))]
    parts.sort(key=lambda part: (part[0].y(), part[0].x()))
    lines: list[list[tuple[QWidget, list[QWidget]]]] = []
    for child, stops in parts:
        line = lines[-1] if lines else []
        if line and child.y() + child.height() / 2 < max(other.y() + other.height() for other, _ in line):
            line.append((child, stops))
        else:
            lines.append([(child, stops)])
    return [part for line in lines for part in sorted(line, key=lambda part: (part[0].x(), part[0].y()))]
