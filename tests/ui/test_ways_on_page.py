"""Ways on over recorded machines: the next step is open, done ones are folded, buttons lead where they say."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from gpuconfig_app.core.messages import Language
from gpuconfig_app.ui.pages.ways_on.step_path import StepRow
from gpuconfig_app.ui.pages.ways_on.way_card import OtherWayCard
from gpuconfig_app.ui.pages.ways_on.ways_on_page import WAYS_ON, WaysOnPage
from gpuconfig_app.ui.widgets.buttons import PRIMARY, Button
from gpuconfig_app.ui.widgets.command_line import CommandLine
from tests.ui.fakes_ui import FakeState
from tests.ui.real_window import RealWindow, machine_folder, wait_until
from tests.ui.verdicts import show


@pytest.fixture
def page(state: FakeState, qtbot):
    made = WaysOnPage(state)
    qtbot.addWidget(made)
    made.resize(1104, 900)
    made.show()
    made.on_enter({})
    return made


@pytest.fixture
def open_on(page, state, judged):
    def run(machine: str) -> WaysOnPage:
        show(state, judged(machine))
        state.background.finish(WAYS_ON)
        QApplication.processEvents()
        return page

    return run


def rows(page: WaysOnPage) -> dict[str, StepRow]:
    return {row.step.name: row for row in page._path.rows}


def filled(page: WaysOnPage) -> list[Button]:
    return [item for item in page.findChildren(Button) if item.property("kind") == PRIMARY and item.isVisible()]


def test_before_an_answer_it_says_that_it_looks(page):
    assert page._cause.title == "Looking…"
    assert not page._path.isVisible()


def test_native_windows_leads_to_wsl_with_the_next_step_open(open_on):
    page = open_on("windows-native")

    assert page.accessibleName() == "TensorFlow on Windows, by WSL2"
    opened = [name for name, row in rows(page).items() if row.is_open]
    assert opened == ["Windows part for WSL2"]
    assert rows(page)["Windows part for WSL2"].step.badge.word == "Needs restart"
    assert page._bar.value() == 3
    assert len(filled(page)) == 1


def test_copy_of_the_next_step_is_the_one_filled_button(open_on):
    page = open_on("rtx5090-stock-wheels")

    (button,) = filled(page)
    button.click()

    assert QGuiApplication.clipboard().text() == "sudo apt install nvidia-container-toolkit"


def test_step_unfolded_by_hand_stays_open_when_the_steps_are_checked_again(open_on, state):
    page = open_on("windows-native")
    row = rows(page)["Linux distribution"]
    assert not row.is_open

    row._toggle.click()
    page._again.click()
    state.background.finish(WAYS_ON)
    QApplication.processEvents()

    again = rows(page)["Linux distribution"]
    assert again is not row
    assert again.is_open
    assert any(line.isVisible() for line in again.findChildren(CommandLine))


def test_done_steps_have_nothing_to_unfold(open_on):
    page = open_on("windows-native")

    assert rows(page)["Windows"]._toggle is None


def test_other_ways_lead_to_their_pages(open_on, state):
    page = open_on("windows-native")
    cards = {card.way.id: card for card in page.findChildren(OtherWayCard)}

    cards["processor"].findChild(Button).click()
    assert state.calls[-1] == ("navigate", ("new_script", {}))
    button = next(item for item in cards["windows-210"].findChildren(Button) if item.text().startswith("Make"))
    button.click()
    assert state.calls[-1] == ("navigate", ("make_environment", {"release": "2.10.1"}))


def test_source_is_shown_when_asked_for(open_on):
    page = open_on("rtx5090-stock-wheels")
    assert not page._source.isVisible()

    page._cause._link.click()

    assert page._source.isVisible()
    assert page._source.shown.title


def test_everything_is_copied_as_text(open_on):
    page = open_on("windows-native")

    page._copy.click()

    text = QGuiApplication.clipboard().text()
    assert "[Needs restart] Windows part for WSL2" in text
    assert "shutdown /r /t 0" in text
    assert "Editing PATH" in text
    assert text.count("WSL2: Linux inside Windows") == 1


def test_ready_machine_needs_no_way(open_on):
    page = open_on("training-2x4090")

    assert page._cause.title == "There are no further ways here"
    assert not page._path.isVisible()
    assert not page._copy.isEnabled()


def test_other_machine_takes_the_ways_away(open_on, page, state, judged):
    open_on("windows-native")

    show(state, judged("training-2x4090"))

    assert not page._path.isVisible()


def test_hidden_page_asks_for_nothing(page, state, judged):
    page.on_leave()

    show(state, judged("windows-native"))

    assert WAYS_ON not in state.background.jobs


def test_steps_are_checked_when_the_window_comes_to_the_front(page, state, judged):
    report, environment, compat = judged("windows-native")
    state.show(report, compat, environment=environment)
    state.background.jobs.clear()

    page._look_again(Qt.ApplicationState.ApplicationActive)

    assert WAYS_ON in state.background.jobs


def test_names_are_said_in_chinese(page, state, judged):
    state.language = Language.CHINESE
    show(state, judged("windows-native"))
    state.background.finish(WAYS_ON)

    assert "固件中的虚拟化" in rows(page)


def test_ways_are_there_after_the_language_has_changed_on_their_page(qapp):
    window = RealWindow(machine_folder("rtx5090-stock-wheels"))
    try:
        for language in ("en", "zh_CN"):
            window.choose_look("light", language)
            shown = window.open_page(WAYS_ON) if language == "en" else window.window.page(WAYS_ON)
            assert isinstance(shown, WaysOnPage)
            wait_until(shown._path.isVisible, f"no ways in {language}")
    finally:
        window.close()
