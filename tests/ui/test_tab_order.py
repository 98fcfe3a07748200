"""Tab walks in reading order, also over parts that came later than those below them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuconfig_app.ui.tab_order import lay_tab_order
from tests.ui.page_audit import tab_round
from tests.ui.real_window import RealWindow, machine_folder, settle


@pytest.fixture
def window(qapp: QApplication) -> Iterator[RealWindow]:
    made = RealWindow(machine_folder("rtx5090-stock-wheels"), (960, 600))
    yield made
    made.close()


def places(window: RealWindow, page_id: str) -> list[str]:
    window.open_page(page_id)
    settle()
    page = window.window.page(page_id)
    assert page is not None
    return [item.accessibleName() or getattr(item, "text", str)() for item in tab_round(window.window)]


def test_the_main_action_of_the_overview_comes_before_what_is_below_it(window: RealWindow) -> None:
    names = places(window, "overview")

    assert names.index("Fix…") < names.index("Requirements") < names.index("Python environments")


def test_the_main_cause_comes_before_the_requirements(window: RealWindow) -> None:
    names = places(window, "compatibility")

    assert names.index("TensorFlow release") < names.index("Where this comes from") < names.index("Copy the command")
    assert names.index("Copy the command") < names.index("Requirements")


def test_columns_are_walked_one_after_the_other_and_a_tall_mark_makes_no_line(show, qapp) -> None:
    whole = QWidget()
    row = QHBoxLayout(whole)
    mark = QFrame()  # as high as everything, and nothing to stop at
    mark.setFixedSize(10, 200)
    row.addWidget(mark)
    columns = []
    for _ in range(2):
        column = QWidget()
        inside = QVBoxLayout(column)
        columns.append((column, inside))
        row.addWidget(column)
    late = [QPushButton(name) for name in ("d", "b", "c", "a")]
    for button, (place, at) in zip(late, ((1, 0), (0, 0), (1, 0), (0, 0)), strict=True):
        columns[place][1].insertWidget(at, button)
    shown = show(whole)
    qapp.processEvents()

    lay_tab_order(shown.window())

    late[3].setFocus()
    walked = []
    for _ in late:
        focused = qapp.focusWidget()
        walked.append(focused.text())
        shown.window().focusNextChild()
    assert walked == ["a", "b", "c", "d"]
