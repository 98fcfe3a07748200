"""Explain an error, as a person uses it: paste, drop, file, the machine's part, and every state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QFileDialog

from gpuconfig_app.core.messages import Language
from gpuconfig_app.ui.pages.explain.explain_desk import EXPLAIN
from gpuconfig_app.ui.pages.explain.machine_card import MachineCard
from gpuconfig_app.ui.pages.explain.reading_bar import ReadingBar
from gpuconfig_app.ui.pages.explain_page import ExplainPage
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.labels import TextLabel
from tests.ui.explaining import (
    CAUSE,
    HARMLESS,
    ILLEGAL,
    LOG,
    cause,
    desk,
    drop,
    folds,
    paste,
    problem,
    rows,
    wait_for_answer,
)
from tests.ui.page_audit import cut_texts, nameless_controls, unreached_controls
from tests.ui.real_window import RealWindow, machine_folder, settle, wait_until
from tests.ui.test_stray_windows import WindowWatch


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


# --- how a log comes in


def test_pasted_log_is_explained(page: ExplainPage) -> None:
    paste(page, LOG)

    assert cause(page) == "Main cause. An older cuDNN is loaded first"
    assert rows(page) == ["1 harmless line", "Epoch 1/30", CAUSE, "the end"]
    assert "pasted" in page._log._about.text()
    assert "4 lines" in page._log._about.text()


def test_paste_works_wherever_the_focus_is_and_by_its_button(page: ExplainPage) -> None:
    paste(page, LOG)
    page._log.view.setFocus(Qt.FocusReason.TabFocusReason)
    QGuiApplication.clipboard().setText(ILLEGAL)
    QTest.keyClick(page._log.view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    wait_for_answer(page)
    assert rows(page) == [ILLEGAL.strip()]

    QGuiApplication.clipboard().setText(LOG)
    page.findChild(Button, "paste_another").click()
    wait_for_answer(page)
    assert len(rows(page)) == 4


def test_file_of_another_encoding_is_dropped(page: ExplainPage, tmp_path: Path) -> None:
    path = tmp_path / "训练.log"
    path.write_bytes(f"\x1b[31m{LOG}\x1b[0m".replace("\n", "\r\n").encode("utf-16"))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])

    drop(page, data)
    wait_for_answer(page)

    assert cause(page) == "Main cause. An older cuDNN is loaded first"
    assert page._log._about.text().startswith("训练.log")


def test_text_is_dropped(page: ExplainPage) -> None:
    data = QMimeData()
    data.setText(LOG)

    drop(page, data)
    wait_for_answer(page)

    assert len(rows(page)) == 4


def test_file_is_chosen(page: ExplainPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "train.log"
    path.write_text(LOG, encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))

    page.findChild(Button, "open_file").click()
    wait_for_answer(page)

    assert cause(page) == "Main cause. An older cuDNN is loaded first"


def test_log_is_handed_over_by_another_page(window: RealWindow) -> None:
    window.state.navigate("explain", {"text": LOG, "name": "Proof"})
    page = window.window.page("explain")
    assert isinstance(page, ExplainPage)
    wait_for_answer(page)

    assert page._log._about.text().startswith("Proof · 4 lines")


# --- what can't be read


def test_what_is_no_log_is_said_in_a_sentence(page: ExplainPage, tmp_path: Path) -> None:
    picture, large = tmp_path / "picture.png", tmp_path / "large.log"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)
    with large.open("wb") as file:
        file.truncate(51 * 1024 * 1024)
    said = []

    for urls in ([picture], [large], [tmp_path], [tmp_path / "gone.log"], [picture, large]):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in urls])
        drop(page, data)
        wait_for_answer(page)
        said.append(problem(page))
        assert page._empty is not None

    assert len(set(said)) == len(said)
    assert all(said)
    assert "50" in said[1]


def test_empty_clipboard_and_an_address_are_refused(page: ExplainPage) -> None:
    QGuiApplication.clipboard().clear()
    page.findChild(Button, "paste").click()
    assert problem(page).startswith("There is no text to paste.")

    data = QMimeData()
    data.setUrls([QUrl("https://example.org/train.log")])
    drop(page, data)
    settle()

    assert page._desk.problem is not None or page._desk.origin is not None


def test_good_log_takes_the_complaint_away(page: ExplainPage) -> None:
    QGuiApplication.clipboard().clear()
    page.findChild(Button, "paste").click()

    paste(page, LOG)

    assert problem(page) == ""


# --- the machine


def test_machine_says_what_decided_and_can_be_left_out(page: ExplainPage) -> None:
    paste(page, ILLEGAL)
    assert cause(page) == "Main cause. The processor lacks an instruction"
    told = [label.text() for label in page.findChild(MachineCard).findChildren(TextLabel)]
    assert "The processor has AVX." in told
    assert any("1 other cause prints" in text or "1 other cause" in text for text in told)

    page.findChild(QCheckBox, "uses_machine").click()
    wait_for_answer(page)

    assert cause(page) == "Main cause. The processor lacks an instruction, most likely AVX"
    assert not page.findChild(QCheckBox, "uses_machine").isChecked()
    assert rows(page) == [ILLEGAL.strip()]


def test_log_is_explained_again_for_another_machine(window: RealWindow, page: ExplainPage) -> None:
    paste(page, ILLEGAL)

    window.open_machine(machine_folder("cpu-without-avx"))
    wait_until(lambda: cause(page) == "Main cause. The processor has no AVX", "not explained again")

    assert "recorded machine" in page.findChild(QCheckBox, "uses_machine").accessibleName()


def test_log_of_another_system_says_that_this_machine_was_left_out(window: RealWindow, page: ExplainPage) -> None:
    paste(page, "Epoch 1/2\n")
    found = desk(window)
    assert found.explained is not None

    found.explained = replace(found.explained, report=replace(found.explained.report, has_machine=False))
    found.changed.emit()
    settle()

    told = [label.text() for label in page.findChildren(TextLabel) if label.isVisible()]
    assert any("another system than this machine" in text for text in told)


def test_recorded_machine_cannot_be_proven(page: ExplainPage) -> None:
    paste(page, LOG)

    assert "Prove it afterwards" not in {button.text() for button in page.findChildren(Button)}


# --- states


def test_answer_shows_no_window_of_its_own(window: RealWindow, page: ExplainPage, qapp: QApplication) -> None:
    watch = WindowWatch()
    qapp.installEventFilter(watch)

    for text in (LOG, ILLEGAL, "frobnicator error 17\n", HARMLESS):
        paste(page, text)
    qapp.removeEventFilter(watch)

    assert watch.seen == []


def test_reading_is_shown_and_can_be_ended(window: RealWindow, page: ExplainPage, tmp_path: Path) -> None:
    path = tmp_path / "large.log"
    path.write_bytes(b"step 17, loss 0.31, nothing to see here, and so on until the line is long enough\n" * 300_000)
    window.state.navigate("explain", {"path": str(path)})
    bar = page.findChild(ReadingBar)
    assert bar.isVisible()
    wait_until(lambda: bar._bar.value() > 0, "no progress")

    page.findChild(Button, "cancel_reading").click()
    settle()

    assert not bar.isVisible()
    assert not window.state.background.is_busy(EXPLAIN)
    assert page._empty is not None
    assert page._empty.isVisible()


def test_clear_begins_anew(page: ExplainPage) -> None:
    paste(page, LOG)

    page.findChild(Button, "clear").click()
    settle()

    assert page._empty is not None
    assert not page._both.isVisible()
    assert not page.findChild(Button, "clear").isVisible()


def test_language_change_loses_nothing(window: RealWindow, page: ExplainPage) -> None:
    paste(page, LOG)
    explained = desk(window).explained

    window.choose_look("dark", "zh_CN")
    again = window.window.page("explain")
    assert isinstance(again, ExplainPage)

    assert window.state.language is Language.CHINESE
    assert desk(window).explained is explained
    assert cause(again).startswith("主要原因")
    assert len(rows(again)) == 4


def test_language_change_while_reading_loses_nothing(window: RealWindow, page: ExplainPage) -> None:
    QGuiApplication.clipboard().setText(LOG)
    page.findChild(Button, "paste").click()

    window.choose_look("light", "zh_CN")
    again = window.window.page("explain")
    assert isinstance(again, ExplainPage)
    wait_for_answer(again)

    assert cause(again).startswith("主要原因")


def test_escape_leads_back_and_the_log_waits(window: RealWindow, page: ExplainPage) -> None:
    paste(page, LOG)

    QTest.keyClick(page._log.view, Qt.Key.Key_Escape)
    settle()
    assert window.window.page_id == "compatibility"

    window.open_page("explain")
    assert cause(page).startswith("Main cause")


@pytest.mark.parametrize("size", [(960, 600), (1280, 800), (1920, 1080)], ids=["smallest", "usual", "large"])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_filled_page_is_whole_named_and_reachable(window: RealWindow, size: tuple[int, int], language: str) -> None:
    window.window.resize(*size)
    window.choose_look("light", language)
    for text in (LOG, ILLEGAL, "frobnicator error 17\n", f"{CAUSE}\nIllegal instruction\n{HARMLESS}"):
        window.state.navigate("explain", {"text": text})
        page = window.window.page("explain")
        assert isinstance(page, ExplainPage)
        wait_for_answer(page)
        for card in folds(page).values():
            card.set_folded(is_folded=False)
        settle()
        assert cut_texts(window.window) == []
        assert nameless_controls(window.window) == []
    assert unreached_controls(window.window) == []


def test_ended_second_look_leaves_the_first_answer(window: RealWindow, page: ExplainPage) -> None:
    paste(page, ILLEGAL)
    found = desk(window)

    found.use_machine(uses_machine=False)
    found.cancel()
    settle()

    assert found.uses_machine
    assert found.had_machine
    assert cause(page) == "Main cause. The processor lacks an instruction"
