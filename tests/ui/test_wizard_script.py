"""Data, review and script step: what was found, lines that lead to their step, a test run that outlives the page."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QFileDialog, QListWidget, QPushButton

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.run_result import RunState
from gpuconfig_app.ui.widgets.code_view import CodeView
from gpuconfig_app.ui.wizard.steps import Step
from tests.ui.clicker import Clicker, write_pictures, write_table


@pytest.fixture
def clicker(qapp) -> Iterator[Clicker]:
    made = Clicker("training-2x4090")
    yield made
    made.close()


def test_broken_files_are_all_listed_on_demand_with_the_reason(clicker, tmp_path):
    pictures = write_pictures(tmp_path / "pictures")
    for number in range(6):
        (pictures / "cats" / f"broken {number}.png").write_bytes(b"" if number % 2 else b"<html>gone</html>")
    clicker.choose_task("image_classification")
    clicker.next()

    clicker.give_data(pictures)

    assert "6 broken files are left out" in clicker.texts()
    assert clicker.texts().count("broken ") == 4  # three of them and the title
    assert "are empty files" in clicker.texts()
    clicker.click("all_broken")
    assert all(f"broken {number}.png" in clicker.texts() for number in range(6))


def test_the_split_is_shown_with_counts_and_can_be_chosen(clicker, tmp_path):
    clicker.choose_task("tabular")
    clicker.next()
    clicker.give_data(write_table(tmp_path / "table.csv", rows=400))
    assert "320" in clicker.texts().splitlines()
    box = clicker.find("split", QComboBox)

    row = box.findText("60 / 20 / 20")
    box.setCurrentIndex(row)
    box.activated.emit(row)
    clicker.wait_for_plan()

    assert clicker.draft.checked.values["validation_share"] == 0.2
    assert clicker.draft.plan.workload.sample_count == 240
    assert {"240", "80"} <= set(clicker.texts().splitlines())


def test_remarks_on_unbalanced_classes_come_first_and_every_class_can_be_seen(clicker, tmp_path):
    pictures = write_pictures(tmp_path / "pictures", tuple("abcdefghij"), 6)
    write_pictures(pictures, ("k",), 60)
    clicker.choose_task("image_classification")
    clicker.next()

    clicker.give_data(pictures)

    assert "class weights" in clicker.texts().lower()
    assert "All 11 classes" in clicker.texts()
    clicker.click("all_classes")
    assert "Fewer" in clicker.texts()


def test_other_previews_are_other_pictures(clicker, tmp_path):
    pictures = write_pictures(tmp_path / "pictures")
    clicker.choose_task("image_classification")
    clicker.next()
    clicker.give_data(pictures)
    step = clicker.page.step_page
    clicker.wait(lambda: len(step.previews) == 2, "no previews")
    before = [preview.image for preview in step.previews]

    clicker.click("other_previews")
    clicker.wait(lambda: not clicker.state.background.is_busy("wizard-previews"), "no others")

    assert [preview.image for preview in step.previews] != before


def test_rows_of_the_review_lead_to_their_step(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.REVIEW)

    clicker.click("choice_batch")

    assert clicker.draft.step is Step.MODEL


def test_the_plan_is_copied_as_text_with_every_choice_and_reason(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.REVIEW)

    clicker.click("copy_plan")

    copied = QGuiApplication.clipboard().text()
    plan = clicker.draft.plan
    assert len(plan.choices) > 8
    for choice in plan.choices:
        assert f"{clicker.state.text(choice.shown)} ({clicker.state.text(choice.reason)})" in copied
    assert clicker.state.text(Message("wizard.group-numbers")) in copied


def test_a_line_made_from_an_answer_leads_to_its_step(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.SCRIPT)
    clicker.wait_for_script()
    line = next(line for line, question in clicker.draft.bundle.line_answers.items() if question == "epochs")
    code = clicker.find("code", CodeView)

    code.setTextCursor(_cursor_at(code, line))

    assert f"line {line}: Epochs" in clicker.texts()
    clicker.click("go_to_answer")
    assert clicker.draft.step is Step.TRAINING


def test_every_file_tells_its_lines(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.SCRIPT)
    clicker.wait_for_script()

    files = clicker.find("bundle_files", QListWidget)

    shown = {files.item(row).text(): files.item(row).toolTip() for row in range(files.count())}
    assert shown == {file.name: f"{file.content.count(chr(10))} lines" for file in clicker.draft.bundle.files}


def test_a_test_run_goes_on_while_other_pages_and_languages_are_shown(clicker, tmp_path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: str(tmp_path / "saved"))
    clicker.state.select_machine(None)
    clicker.real.wait_for_verdict()
    clicker.state.environment = PythonEnvironment(
        executable=sys.executable, prefix=sys.prefix, python_version="3.12.3", packages={"tensorflow": "2.21.0"}
    )
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.SCRIPT)
    clicker.wait_for_script()
    clicker.click("save_bundle")
    clicker.wait(lambda: clicker.draft.is_saved, "not saved")
    endless = "import threading\nprint('step 1 of many', flush=True)\nthreading.Event().wait()\n"
    (tmp_path / "saved" / "train.py").write_text(endless, encoding="utf-8")

    clicker.click("run_smoke")
    clicker.wait(lambda: "step 1 of many" in clicker.find_log(), "no log")
    clicker.real.open_page("overview")
    clicker.real.choose_look("light", "zh_CN")
    clicker.real.open_page("new_script")

    assert clicker.draft.trial.is_running, clicker.draft.trial.result
    clicker.wait(lambda: "step 1 of many" in clicker.find_log(), "the log is gone")
    assert not clicker.find("run_smoke", QPushButton).isEnabled()
    clicker.click("run_stop")
    clicker.wait(lambda: not clicker.draft.trial.is_running, "it can't be stopped")
    assert clicker.draft.trial.result is not None
    assert clicker.draft.trial.result.state is RunState.CANCELLED
    assert clicker.find("run_smoke", QPushButton).isEnabled()


def test_nothing_can_be_tried_for_a_recorded_machine_and_it_says_why(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.SCRIPT)
    clicker.wait_for_script()

    assert not clicker.find("run_smoke", QPushButton).isEnabled()
    assert not clicker.find("next", QPushButton).isEnabled()
    assert "for a recorded machine" in clicker.texts()


def _cursor_at(code: CodeView, line: int):
    cursor = code.textCursor()
    cursor.setPosition(code.document().findBlockByNumber(line - 1).position())
    return cursor
