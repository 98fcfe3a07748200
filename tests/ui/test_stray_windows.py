"""Opening a page shows only the page: a widget shown before it has a parent flashes up as a window of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from gpuconfig_app.ui.pages import PAGES, SUB_PAGES
from tests.ui.real_window import RealWindow, machine_folder, settle


class WindowWatch(QObject):
    """Notes every window that comes up."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(f"{type(watched).__name__} {watched.objectName()}")
        return False


@pytest.fixture
def window(qapp: QApplication) -> Iterator[RealWindow]:
    made = RealWindow(machine_folder("healthy-1x4090"), (960, 600))
    yield made
    made.close()


def test_opening_pages_shows_no_other_window(window: RealWindow, qapp: QApplication) -> None:
    watch = WindowWatch()
    qapp.installEventFilter(watch)

    for spec in (*PAGES, *SUB_PAGES):
        window.open_page(spec.id)
        settle()
    window.choose_look("dark", "zh_CN")
    settle()
    qapp.removeEventFilter(watch)

    assert watch.seen == []
    assert window.window.isActiveWindow()
