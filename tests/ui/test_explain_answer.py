"""Explain an error: the answer beside the log, and how each leads to the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpuconfig_app.ui.pages.explain.cause_card import CauseCard
from gpuconfig_app.ui.pages.explain_page import ExplainPage
from gpuconfig_app.ui.widgets.buttons import PRIMARY, Button
from gpuconfig_app.ui.widgets.labels import TextLabel
from tests.ui.explaining import (
    CAUSE,
    HARMLESS,
    LOG,
    cause,
    folds,
    paste,
    rows,
)
from tests.ui.fakes_ui import FakeState, make_compat, make_gpu, make_report
from tests.ui.real_window import RealWindow, machine_folder, settle


@pytest.fixture
def window(qapp: QApplication) -> Iterator[RealWindow]:
    made = RealWindow(machine_folder("cudnn-shadowed"))
    yield made
    made.close()


@pytest.fixture
def page(window: RealWindow) -> ExplainPage:
    made = window.open_page("explain")
    window.window.activateWindow()
    assert isinstance(made, ExplainPage)
    return made


def test_main_cause_alone_has_the_filled_button(page: ExplainPage) -> None:
    paste(page, LOG)
    filled = [item for item in page.findChildren(Button) if item.property("kind") == PRIMARY and item.isVisible()]

    filled[0].click()

    assert len(filled) == 1
    assert QGuiApplication.clipboard().text() == "unset LD_LIBRARY_PATH"


def test_line_chosen_at_the_left_opens_its_card(page: ExplainPage) -> None:
    paste(page, LOG)
    view = page._log.view
    view.show_line(1)
    harmless = folds(page)["Harmless"]
    assert harmless.is_folded

    view.setCurrentIndex(view.model().index(3, 0))
    view.setCurrentIndex(view.model().index(1, 0))
    settle()

    assert not harmless.is_folded


def test_card_at_the_right_leads_to_its_line(page: ExplainPage) -> None:
    paste(page, "\n".join(["step"] * 3_000 + [CAUSE] + ["step"] * 3_000))
    view = page._log.view
    view.scrollToTop()

    page.findChild(Button, "show_line").click()
    settle()

    assert view.currentIndex().data() == CAUSE
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()).center())


def test_source_and_other_ways_are_shown_on_demand(page: ExplainPage) -> None:
    paste(page, LOG)
    card = page.findChild(CauseCard)
    links = {item.text(): item for item in card.findChildren(Button)}
    before = {label.text() for label in card.findChildren(TextLabel) if label.isVisible()}

    links["Where this comes from"].click()
    next(link for text, link in links.items() if text.endswith("other ways")).click()
    settle()

    after = {label.text() for label in card.findChildren(TextLabel) if label.isVisible()}
    assert any("Checked on" in text for text in after - before)
    assert len(after - before) > 2


def test_folded_lines_open_by_keys_and_by_a_press(page: ExplainPage) -> None:
    paste(page, LOG)
    view = page._log.view
    view.setFocus(Qt.FocusReason.TabFocusReason)
    view.setCurrentIndex(view.model().index(0, 0))

    QTest.keyClick(view, Qt.Key.Key_Return)
    assert rows(page)[:3] == ["1 harmless line", HARMLESS, "Epoch 1/30"]
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert rows(page)[:2] == ["1 harmless line", "Epoch 1/30"]
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert rows(page)[1] == HARMLESS

    place = view.visualRect(view.model().index(0, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert rows(page)[1] == "Epoch 1/30"


def test_chosen_lines_are_copied(page: ExplainPage) -> None:
    paste(page, LOG)
    view = page._log.view
    view.setFocus(Qt.FocusReason.TabFocusReason)
    view.selectAll()

    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    assert QGuiApplication.clipboard().text() == f"Epoch 1/30\n{CAUSE}\nthe end"


def test_screen_reader_hears_what_a_line_is(page: ExplainPage) -> None:
    paste(page, LOG)
    model = page._log.view.model()
    spoken = [model.index(at, 0).data(int(Qt.ItemDataRole.AccessibleTextRole)) for at in range(3)]

    assert spoken == ["1 harmless line, folded", "Line 2: Epoch 1/30", f"Line 3, main cause: {CAUSE}"]


def test_healthy_log_needs_nothing(page: ExplainPage) -> None:
    paste(page, f"{HARMLESS}\nEpoch 1/2\n")

    assert cause(page).startswith("Nothing to do. Healthy")


def test_unknown_log_says_so_and_what_to_collect(page: ExplainPage) -> None:
    paste(page, "Epoch 1/2\nfrobnicator error 17 at stage 3\n")
    texts = [label.text() for label in page.findChild(CauseCard).findChildren(TextLabel)]

    assert cause(page) == "Not recognised. I don't know this one"
    assert "What to collect" in texts
    assert not folds(page)["The lines that tell of it"].is_folded


def test_on_this_machine_it_can_be_proven_afterwards(state: FakeState, qtbot) -> None:
    report = make_report((make_gpu(),))
    state.show(report, make_compat(), environment=report.environments[0])
    made = ExplainPage(state)
    qtbot.addWidget(made)
    made.show()
    made.on_enter({"text": LOG})
    state.background.finish("explain")

    link = next(item for item in made.findChildren(Button) if item.text() == "Prove it afterwards")
    link.click()

    assert state.calls[-1] == ("navigate", ("compatibility", {"prove": True}))
