"""Unused cycles are found on the window's thread only: widgets in them must never be destroyed by another one."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from gpuconfig_app.ui.garbage import GarbageTimer


class Cycle(QObject):
    """Refers to itself, as a page does with the functions it connects."""

    def __init__(self) -> None:
        super().__init__()
        self.me = self


@pytest.fixture
def timer(qapp: QApplication) -> Iterator[GarbageTimer]:
    made = GarbageTimer()
    yield made
    made.stop()
    made.deleteLater()


def allocate() -> list[list[int]]:
    """Give so many objects that Python would search by itself."""
    return [[number] for number in range(20_000)]


def test_another_thread_never_destroys_what_the_window_left(timer: GarbageTimer) -> None:
    gone = weakref.ref(Cycle())
    thread = threading.Thread(target=allocate)

    thread.start()
    thread.join()

    assert gone() is not None


def test_the_timer_finds_it_on_the_windows_thread(timer: GarbageTimer) -> None:
    gone = weakref.ref(Cycle())

    kept = allocate()
    timer.look()

    assert gone() is None
    assert kept


def test_python_searches_by_itself_after_the_window_is_closed(qapp: QApplication) -> None:
    made = GarbageTimer()
    during = gc.isenabled()

    made.stop()
    made.deleteLater()

    assert not during
    assert gc.isenabled()
