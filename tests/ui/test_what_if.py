"""What if, on the page Compatibility: choosing, typing, wrong input, what is shown, and every way it ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox

from gpuconfig_app.ui.pages.compatibility.what_if_bar import WhatIfBar
from gpuconfig_app.ui.pages.compatibility.what_if_desk import WHAT_IF
from gpuconfig_app.ui.pages.compatibility.what_if_panel import MOST_CARDS, WhatIfPanel, cards_of
from gpuconfig_app.ui.pages.compatibility_page import CompatibilityPage
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.finding_card import FindingCard
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from tests.ui.page_audit import cut_texts, nameless_controls, unreached_controls
from tests.ui.real_window import RealWindow, machine_folder, settle, wait_until
from tests.ui.test_stray_windows import WindowWatch


@pytest.fixture
def window(qapp: QApplication) -> Iterator[RealWindow]:
    made = RealWindow(machine_folder("driver-too-old"))
    yield made
    made.close()


@pytest.fixture
def page(window: RealWindow) -> CompatibilityPage:
    made = window.open_page("compatibility")
    assert isinstance(made, CompatibilityPage)
    open_panel(made)
    return made


def open_panel(page: CompatibilityPage) -> None:
    page.findChild(Button, "what_if").click()
    wait_until(lambda: combo(page, "gpu").count() > 10, "no choices")
    settle()


def combo(page: CompatibilityPage, key: str) -> QComboBox:
    return page.findChild(QComboBox, f"assume_{key}")


def choose(page: CompatibilityPage, key: str, value: str) -> None:
    """Choose a row of a list, as a press does."""
    box = combo(page, key)
    row = box.findData(value)
    assert row >= 0, value
    box.setCurrentIndex(row)
    box.activated.emit(row)
    wait_for_answer(page)


def type_text(page: CompatibilityPage, key: str, text: str) -> None:
    line = combo(page, key).lineEdit()
    line.setFocus(Qt.FocusReason.TabFocusReason)
    line.selectAll()
    QTest.keyClicks(line, text) if text else QTest.keyClick(line, Qt.Key.Key_Delete)
    wait_for_answer(page)


def wait_for_answer(page: CompatibilityPage) -> None:
    panel, background = page.findChild(WhatIfPanel), page._state.background
    wait_until(lambda: not panel._timer.isActive() and not background.is_busy(WHAT_IF), "no answer")
    settle()


def bar(page: CompatibilityPage) -> WhatIfBar:
    return page.findChild(WhatIfBar)


def said(page: CompatibilityPage) -> str:
    return bar(page)._sentence.text() if bar(page).isVisible() else ""


def verdicts(page: CompatibilityPage) -> list[str]:
    return [badge.text for badge in bar(page).findChildren(SeverityBadge) if badge.isVisible()]


def complaint(page: CompatibilityPage, key: str) -> str:
    label = page._panel.fields[key]._wrong
    return label.text() if label.isVisible() else ""


# --- what would be


def test_other_driver_shows_its_verdict_beside_the_present_one(page: CompatibilityPage) -> None:
    choose(page, "driver", "580")

    assert said(page) == "You see what would be, with driver 580 instead of 470.256.02."
    assert verdicts(page) == ["Not ready for TensorFlow", "Should be ready for TensorFlow"]
    assert bar(page)._changes.text() == "GPU driver: Too old → Fits"
    assert page._findings.banner.word == "Should be ready for TensorFlow"


def test_panel_itself_changes_nothing(page: CompatibilityPage) -> None:
    assert said(page) == ""
    assert page._findings.cards


def test_card_is_typed_and_several_are_understood(page: CompatibilityPage) -> None:
    choose(page, "driver", "580")

    type_text(page, "gpu", "2x RTX 4090")

    assert said(page) == (
        "You see what would be, with 2× RTX 4090 instead of 1× V100 16 GB, driver 580 instead of 470.256.02."
    )


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("os", "windows", "Windows instead of Linux"),
        ("os", "wsl", "WSL2 instead of Linux"),
        ("python", "3.14", "Python 3.14 instead of 3.10.13"),
        ("tensorflow", "2.15", "TensorFlow 2.15.1 instead of 2.18.0"),
        ("tensorflow", "none", "no TensorFlow"),
        ("cuda_libs", "none", "no CUDA libraries"),
        ("xla", "on", "XLA on"),
        ("driver", "none", "no driver"),
        ("gpu", "none", "no graphics card"),
    ],
)
def test_everything_that_can_be_assumed(page: CompatibilityPage, key: str, value: str, words: str) -> None:
    choose(page, key, value)

    assert said(page) == f"You see what would be, with {words}."
    assert len(verdicts(page)) == 2


def test_machine_that_is_not_here(page: CompatibilityPage) -> None:
    type_text(page, "gpu", "RTX 5090")
    page.findChild(QCheckBox, "assume_alone").click()
    wait_for_answer(page)

    assert said(page).startswith("You see a machine that is not here: 1× RTX 5090. Taken as ordinary: ")
    assert "Python 3." in said(page)
    assert len(verdicts(page)) == 1


def test_release_of_the_strip_is_assumed_too(page: CompatibilityPage) -> None:
    choose(page, "driver", "580")

    page._releases.strip.release_chosen.emit("2.15")
    wait_for_answer(page)

    assert "TensorFlow 2.15.1 instead of 2.18.0" in said(page)
    assert page._state.question.tensorflow is None


# --- wrong input


def test_wrong_input_is_told_at_its_field(page: CompatibilityPage) -> None:
    choose(page, "driver", "580")

    type_text(page, "python", "banana")
    assert complaint(page, "python").startswith("“banana” is no version")
    assert combo(page, "python").property("wrong") is True
    assert said(page) == ""

    type_text(page, "gpu", "RTX 99999")
    assert "RTX 99999:8.9" in complaint(page, "gpu")

    type_text(page, "python", "3.12")
    type_text(page, "gpu", "")
    assert complaint(page, "python") == complaint(page, "gpu") == ""
    assert said(page) != ""


def test_cards_of_a_text() -> None:
    assert cards_of("2x RTX 4090, RTX 3060") == ("RTX 4090", "RTX 4090", "RTX 3060")
    assert cards_of("A100；H100") == ("A100", "H100")
    assert cards_of("3 × MyCard:8.9") == ("MyCard:8.9",) * 3
    assert cards_of(" , ") == ()
    assert len(cards_of("999x RTX 4090")) == MOST_CARDS


# --- the real machine meanwhile


def test_nothing_acts_on_the_real_machine_meanwhile(page: CompatibilityPage) -> None:
    own = Button("Fix…")
    page.buttons.addWidget(own)
    page.real_actions.append(own)
    held = (page._choice.environments, page._choice.versions, page._again, own)
    before = [part.isEnabled() for part in held]

    choose(page, "driver", "580")
    during = [part.isEnabled() for part in held]
    hidden = not page._proof_place.isVisible()
    page.findChild(Button, "end_what_if").click()
    settle()

    assert (before, during) == ([True] * 4, [False] * 4)
    assert hidden
    assert [part.isEnabled() for part in held] == [True] * 4
    assert page._proof_place.isVisible()


def test_rail_and_overview_keep_the_real_verdict(window: RealWindow, page: CompatibilityPage) -> None:
    real = window.state.compat
    marks: list[str] = []
    page.attention_changed.connect(marks.append)

    choose(page, "driver", "580")

    assert window.state.compat is real
    assert set(marks) == {"blocked"}


def test_what_was_assumed_is_not_called_seen(page: CompatibilityPage) -> None:
    choose(page, "driver", "580")

    heads = [label.text() for label in page._side.findChildren(TextLabel) if label.isVisible()]

    assert "Under these assumptions" in heads
    assert "Seen on this machine" not in heads


# --- how it ends


def check_ended(page: CompatibilityPage) -> None:
    assert said(page) == ""
    assert not page._panel.isVisible()
    assert page._panel.assumptions() == {}
    assert not page._what_if.is_asked
    assert [card.accessibleName() for card in page._findings.cards if isinstance(card, FindingCard)]


@pytest.mark.parametrize("name", ["end_what_if", "close_what_if", "what_if"])
def test_buttons_end_it(page: CompatibilityPage, name: str) -> None:
    choose(page, "driver", "580")

    page.findChild(Button, name).click()
    settle()

    check_ended(page)


def test_leaving_the_page_ends_it(window: RealWindow, page: CompatibilityPage) -> None:
    choose(page, "driver", "580")

    window.open_page("overview")
    window.open_page("compatibility")

    check_ended(page)


def test_another_machine_ends_it(window: RealWindow, page: CompatibilityPage) -> None:
    choose(page, "driver", "580")

    window.open_machine(machine_folder("cudnn-shadowed"))
    settle()

    check_ended(page)
    assert page._findings.cards[0].accessibleName().endswith("An older cuDNN is loaded first")


def test_machine_looked_at_again_is_asked_again(window: RealWindow, page: CompatibilityPage) -> None:
    choose(page, "driver", "580")
    answer = page._what_if.answer

    window.state.refresh()
    wait_until(lambda: page._what_if.answer is not answer, "not asked again")

    assert said(page) != ""


# --- looks


@pytest.mark.parametrize("size", [(960, 600), (1280, 800)], ids=["smallest", "usual"])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_panel_is_whole_named_and_reachable(window: RealWindow, size: tuple[int, int], language: str) -> None:
    window.window.resize(*size)
    window.choose_look("dark", language)
    page = window.open_page("compatibility")
    assert isinstance(page, CompatibilityPage)
    watch = WindowWatch()
    window.app.installEventFilter(watch)
    open_panel(page)
    choose(page, "driver", "580")
    page.findChild(Button, "all_reasons").click()
    settle()
    window.app.removeEventFilter(watch)

    assert watch.seen == []
    assert cut_texts(window.window) == []
    assert nameless_controls(window.window) == []
    assert unreached_controls(window.window) == []
