"""Which cards are judged, chosen on the page Compatibility."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gpuconfig_app.ui.pages.compatibility_page import CompatibilityPage
from gpuconfig_app.ui.question import Question
from tests.ui.fakes_ui import FakeState
from tests.ui.verdicts import show


@pytest.fixture
def page(state: FakeState, qtbot):
    made = CompatibilityPage(state)
    qtbot.addWidget(made)
    made.resize(1104, 800)
    made.show()
    return made


def test_one_card_is_named_and_not_chosen(page, state, judged):
    show(state, judged("cudnn-shadowed"))

    assert page._choice.card_text.text() == "1× RTX 3060"
    assert not page._choice.cards.isVisible()


@pytest.mark.parametrize(
    ("machine", "text"), [("2-unlike-cards", "GPU 0, GPU 1"), ("8xh100", "all 8 cards"), ("16xh100", "all 16 cards")]
)
def test_several_cards_can_be_chosen(page, state, judged, machine, text):
    show(state, judged(machine))

    assert page._choice.cards.text() == text
    assert page._choice.cards.accessibleName() == f"Cards that are judged: {text}"


def test_chosen_cards_are_judged_and_one_is_always_left(page, state, judged, qtbot):
    show(state, judged("2-unlike-cards"))
    qtbot.mouseClick(page._choice.cards, Qt.MouseButton.LeftButton)
    menu = page._choice._menu
    first, second = menu.actions()

    for action in (first, second):
        menu.setActiveAction(action)
        QTest.keyClick(menu, Qt.Key.Key_Space)
    QTest.keyClick(menu, Qt.Key.Key_Escape)

    assert (first.isChecked(), second.isChecked()) == (False, True)
    assert state.question == Question(devices=(1,))
    state.compat_changed.emit(state.compat)
    assert page._choice.cards.text() == "GPU 1"


def test_menu_closed_without_a_change_asks_nothing(page, state, judged, qtbot):
    show(state, judged("2-unlike-cards"))
    qtbot.mouseClick(page._choice.cards, Qt.MouseButton.LeftButton)

    QTest.keyClick(page._choice._menu, Qt.Key.Key_Escape)

    assert ("check", None) not in state.calls


def test_card_is_ticked_by_a_press_and_the_menu_stays(page, state, judged, qtbot):
    show(state, judged("8xh100"))
    qtbot.mouseClick(page._choice.cards, Qt.MouseButton.LeftButton)
    menu = page._choice._menu

    for action in menu.actions()[:3]:
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())

    assert menu.isVisible()
    menu.close()
    assert state.question.devices == (3, 4, 5, 6, 7)


def test_a_choice_that_has_no_room_ends_in_an_ellipsis_and_tells_all_as_a_tool_tip(page, state, judged):
    show(state, judged("2-unlike-cards"))
    release = page._choice.versions
    whole = release.currentText()
    assert whole.endswith("installed")

    release.resize(400, 32)
    assert release.shown_text() == whole
    release.resize(140, 32)
    assert release.shown_text().endswith("…")
    assert release.toolTip() == whole
