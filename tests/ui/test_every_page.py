"""Every page, in both themes and languages, on machines from none to sixteen cards and with their faults.

The window and everything behind it are the real ones; only the machines are recorded. That Qt warns, that an error is
logged or raised in a slot, and that a timer or window stays is a failure by ``tests/conftest.py`` and pytest-qt.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpuconfig_app.ui.pages import PAGES, SUB_PAGES
from tests.ui.page_audit import (
    cut_texts,
    group_neighbours,
    nameless_controls,
    shown_texts,
    tab_round,
    unreached_controls,
)
from tests.ui.real_window import RealWindow, machine_folder, settle, wait_until

SMALLEST = (960, 600)
MACHINES = (
    "no-gpu",
    "healthy-1x4090",
    "8xh100",
    "16xh100",
    "gpu-lost-halfway",
    "rtx5090-stock-wheels",
    "windows-native",
)
LOOKS = tuple(product(("en", "zh_CN"), ("light", "dark")))
PAGE_IDS = tuple(spec.id for spec in (*PAGES, *SUB_PAGES))

# Texts that may be cut at 960×600, as (page, beginning of the text): reason.
MAY_BE_CUT: dict[tuple[str, str], str] = {}


@pytest.fixture
def window(qapp: QApplication) -> Iterator[RealWindow]:
    """The real window at its smallest size on a workstation with one card."""
    made = RealWindow(machine_folder("healthy-1x4090"), SMALLEST)
    yield made
    made.close()


@pytest.mark.parametrize("machine", MACHINES)
def test_every_page_opens_in_every_look(window: RealWindow, machine: str) -> None:
    window.open_machine(machine_folder(machine))
    problems: list[str] = []

    for language, theme in LOOKS:
        window.choose_look(theme, language)
        for page_id in PAGE_IDS:
            page = window.open_page(page_id)
            window.state.bridge.empty()
            settle()
            where = f"{page_id} {language} {theme}: "
            if not page.isVisible() or not page.accessibleName() or window.window.page_id != page_id:
                problems.append(where + "not shown")
            problems += [where + text for text in cut_texts(window.window) if not _may_be_cut(page_id, text)]
            problems += [where + "no name: " + text for text in nameless_controls(window.window)]

    assert not problems


@pytest.mark.parametrize("size", [(1280, 800), (2560, 1440)], ids=["usual", "large"])
def test_nothing_is_cut_in_larger_windows(window: RealWindow, size: tuple[int, int]) -> None:
    window.window.resize(*size)
    problems: list[str] = []

    for machine, page_id in product(("8xh100", "rtx5090-stock-wheels"), PAGE_IDS):
        window.open_machine(machine_folder(machine))
        window.open_page(page_id)
        problems += [f"{machine} {page_id}: {text}" for text in cut_texts(window.window)]

    assert not problems


@pytest.mark.parametrize("page_id", PAGE_IDS)
def test_language_and_machine_change_while_the_page_is_open(window: RealWindow, page_id: str) -> None:
    window.open_page(page_id)
    before = shown_texts(window.window)

    for machine, (language, theme) in zip(MACHINES, LOOKS * 2, strict=False):
        window.state.select_machine(machine_folder(machine))  # not waited for: the survey is still on its way
        window.choose_look(theme, language)
        window.wait_for_verdict()
        settle()

    assert window.window.page_id == page_id
    assert window.open_page(page_id).isVisible()
    window.open_machine(machine_folder("healthy-1x4090"))
    window.choose_look("light", "zh_CN")
    assert not set(before) & {"Overview", "Monitor"} & set(shown_texts(window.window))
    window.choose_look("light", "en")
    assert window.window.page(page_id) is not None


@pytest.mark.parametrize("page_id", PAGE_IDS)
def test_tab_and_arrows_reach_every_control(window: RealWindow, page_id: str) -> None:
    problems: list[str] = []

    for machine in ("healthy-1x4090", "no-gpu", "16xh100", "rtx5090-stock-wheels"):
        window.open_machine(machine_folder(machine))
        window.open_page(page_id)
        problems += [f"{machine}: {text}" for text in unreached_controls(window.window)]

    assert not problems


def test_arrows_move_within_a_group_and_come_back(window: RealWindow) -> None:
    first = window.window.rail.item("overview")
    first.setFocus(Qt.FocusReason.TabFocusReason)

    seen = group_neighbours(first)

    assert [item.objectName() for item in seen] == [f"nav_{spec.id}" for spec in PAGES]
    assert window.window.page_id == "settings"


def test_number_keys_open_the_pages(window: RealWindow) -> None:
    keys = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5)
    opened = []

    for key in (*reversed(keys), Qt.Key.Key_Comma):
        QTest.keyClick(window.window, key, Qt.KeyboardModifier.ControlModifier)
        settle()
        opened.append(window.window.page_id)

    assert opened == ["runs", "new_script", "compatibility", "monitor", "overview", "settings"]


@pytest.mark.parametrize("page_id", PAGE_IDS)
def test_f5_looks_at_the_machine_again(window: RealWindow, page_id: str) -> None:
    window.open_page(page_id)
    seen: list[object] = []
    window.state.report_changed.connect(seen.append)

    QTest.keyClick(window.window, Qt.Key.Key_F5)

    wait_until(lambda: bool(seen), "no new report")
    window.wait_for_verdict()


def test_escape_ends_the_crosshair_and_closes_menus_but_not_the_window(window: RealWindow) -> None:
    window.open_machine(machine_folder("8xh100"))
    window.open_page("monitor")
    graphs = next(item for item in tab_round(window.window) if type(item).__name__ == "SmallMultiples")
    moved: list[object] = []
    graphs.crosshair_moved.connect(moved.append)
    QTest.keyClick(graphs, Qt.Key.Key_Left)
    QTest.keyClick(graphs, Qt.Key.Key_Escape)
    chooser = window.window.rail.chooser
    QTest.keyClick(chooser, Qt.Key.Key_Space)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    settle()

    assert len(moved) == 2
    assert moved[1] is None
    assert QApplication.activePopupWidget() is None
    for page_id in PAGE_IDS:
        page = window.open_page(page_id)
        QTest.keyClick(window.window.focusWidget() or page, Qt.Key.Key_Escape)
        settle()
        assert page.isVisible()


def test_closing_in_the_middle_of_everything_leaves_nothing(window: RealWindow) -> None:
    window.open_page("monitor")
    window.state.select_machine(machine_folder("16xh100"))
    window.state.refresh()
    window.state.update_settings(language="zh_CN")
    # the fixture closes it now, with the survey, the rebuild and the sampler on their way


def _may_be_cut(page_id: str, text: str) -> bool:
    return any(page_id == page and beginning in text for page, beginning in MAY_BE_CUT)
