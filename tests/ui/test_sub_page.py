"""A page inside another: way back by button and Escape, the rail's mark, and where the window opens next time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from gpuconfig_app.ui import pages
from gpuconfig_app.ui.first_look import FirstLook
from gpuconfig_app.ui.pages import PageSpec
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.sub_page import SubPage
from gpuconfig_app.ui.widgets.buttons import Button


class InnerPage(SubPage):
    """A page with one field."""

    def __init__(self, state: AppState) -> None:
        super().__init__(state, "inner")
        self.set_title("Inner")
        self.field = QLineEdit()
        self.body.addWidget(self.field)


@pytest.fixture
def window(open_shell, monkeypatch):
    spec = PageSpec("inner", "search", "Inner", f"{__name__}:InnerPage", parent="compatibility")
    monkeypatch.setattr(pages, "SUB_PAGES", (*pages.SUB_PAGES, spec))
    return open_shell(FirstLook(theme="light", language="en", last_page="inner")).window


def test_window_closed_on_an_inner_page_opens_on_the_outer_one(window):
    assert window.page_id == "compatibility"


def test_rail_keeps_the_mark_of_the_outer_page(window):
    window.open_page("inner")

    assert window.page("inner").isVisible()
    assert window.rail.item("compatibility").isChecked()


def test_rail_leads_back_from_an_inner_page(window):
    window.open_page("inner")

    window.rail.item("compatibility").click()

    assert window.page_id == "compatibility"


def test_button_and_escape_lead_back(window, qtbot):
    window.open_page("inner")
    page = window.page("inner")
    back = page.findChild(Button, "back")
    assert back.accessibleName() == "Back to Compatibility"

    back.click()
    assert window.page_id == "compatibility"

    window.open_page("inner")
    window.activateWindow()
    page.field.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(page.field, Qt.Key.Key_Escape)
    assert window.page_id == "compatibility"


def test_page_of_the_rail_is_no_inner_page(state):
    with pytest.raises(ValueError, match="overview"):
        SubPage(state, "overview")


def test_a_chosen_release_lasts_on_inner_pages_and_ends_with_the_outer_one(window):
    def ended():
        return window.state.calls.count(("judge_as_installed", None))

    window.open_page("compatibility")
    before = ended()
    window.open_page("inner")
    window.open_page("compatibility")
    assert ended() == before

    window.open_page("overview")
    assert ended() == before + 1


def test_escape_leads_back_wherever_the_focus_is(window, qtbot):
    window.open_page("inner")
    window.activateWindow()
    window.rail.item("runs").setFocus(Qt.FocusReason.TabFocusReason)

    QTest.keyClick(window.rail.item("runs"), Qt.Key.Key_Escape)

    assert window.page_id == "compatibility"


def test_focus_follows_into_an_inner_page_and_comes_back_to_where_it_was(window, qtbot):
    window.open_page("compatibility")
    window.activateWindow()
    opener = window.page("compatibility").findChild(Button, "explain")
    opener.setFocus(Qt.FocusReason.TabFocusReason)

    window.open_page("inner")
    back = window.page("inner").findChild(Button, "back")
    assert window.focusWidget() is back

    QTest.keyClick(back, Qt.Key.Key_Escape)
    assert window.focusWidget() is opener

    item = window.rail.item("runs")  # who is in the rail stays there
    item.setFocus(Qt.FocusReason.TabFocusReason)
    window.open_page("inner")
    assert window.focusWidget() is item
