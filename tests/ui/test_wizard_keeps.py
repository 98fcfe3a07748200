"""The wizard never loses an answer: back, another task, another machine, another language, saved and opened again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton

from gpuconfig_app.ui.wizard.steps import STEPS, Step
from tests.ui.clicker import Clicker, write_pictures, write_table
from tests.ui.real_window import machine_folder


@pytest.fixture
def clicker(qapp) -> Iterator[Clicker]:
    made = Clicker("training-2x4090")
    yield made
    made.close()


@pytest.fixture
def save_to(monkeypatch):
    """Answers the folder dialog."""

    def choose(folder: Path) -> None:
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: str(folder))

    return choose


def test_another_task_and_back_keeps_answers_and_data(clicker, tmp_path):
    pictures = write_pictures(tmp_path / "pictures")
    clicker.choose_task("image_classification")
    clicker.next()
    clicker.give_data(pictures)
    clicker.walk_to(Step.TRAINING)
    clicker.enter_number("epochs", "12")
    before, dataset = dict(clicker.draft.answers), clicker.draft.dataset

    clicker.draft.go_to(Step.TASK)
    clicker.choose_task("tabular")

    assert clicker.draft.dataset is None
    assert clicker.draft.answers == {"epochs": 12}  # how long is trained is no matter of the task
    clicker.choose_task("image_classification")
    assert clicker.draft.answers == before
    assert clicker.draft.dataset is dataset


def test_cards_are_kept_for_each_machine(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.HARDWARE)
    clicker.click("way_one")
    clicker.wait_for_plan()
    assert clicker.draft.devices == (0,)

    clicker.real.open_machine(machine_folder("8xh100"))
    clicker.wait_for_plan()

    assert clicker.draft.devices is None
    assert len(clicker.draft.plan.devices) == 8
    clicker.real.open_machine(machine_folder("training-2x4090"))
    clicker.wait_for_plan()
    assert clicker.draft.devices == (0,)
    assert clicker.draft.step is Step.HARDWARE


def test_a_plan_of_the_former_machine_is_never_shown_for_the_new_one(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.REVIEW)

    clicker.state.select_machine(machine_folder("8xh100"))

    assert clicker.draft.plan is None
    assert not clicker.find("next", QPushButton).isEnabled()
    clicker.real.wait_for_verdict()
    clicker.wait_for_plan()
    assert {device.name for device in clicker.draft.plan.devices} == {"NVIDIA H100 80GB HBM3"}


def test_language_change_keeps_step_data_and_cards(clicker, tmp_path):
    clicker.choose_task("image_classification")
    clicker.next()
    clicker.give_data(write_pictures(tmp_path / "pictures"))
    clicker.walk_to(Step.HARDWARE)
    clicker.click("way_one")
    clicker.wait_for_plan()
    answers, dataset = dict(clicker.draft.answers), clicker.draft.dataset

    clicker.real.choose_look("dark", "zh_CN")
    clicker.wait(clicker.page.isVisible, "the page is gone")

    assert clicker.draft.step is Step.HARDWARE
    assert clicker.draft.answers == answers
    assert clicker.draft.dataset is dataset
    assert clicker.draft.devices == (0,)
    assert clicker.find("way_one").isChecked()
    clicker.draft.go_to(Step.DATA)
    assert clicker.find("data_path", QLineEdit).text() == str(tmp_path / "pictures")


def test_a_saved_bundle_opens_with_data_and_cards_and_other_data_bring_their_own_defaults(clicker, tmp_path, save_to):
    clicker.choose_task("tabular")
    clicker.next()
    clicker.give_data(write_table(tmp_path / "first.csv"))
    clicker.walk_to(Step.HARDWARE)
    clicker.click("way_one")
    clicker.walk_to(Step.SCRIPT)
    script = clicker.wait_for_script()
    dataset = clicker.draft.dataset
    save_to(tmp_path / "saved")
    clicker.click("save_bundle")
    clicker.wait(lambda: clicker.draft.folder is not None, "not saved")
    clicker.click("start_over")
    assert clicker.draft.template is None

    clicker.click("open_bundle")
    clicker.wait(lambda: clicker.draft.step is Step.REVIEW, "not opened")
    clicker.wait_for_plan()

    assert clicker.draft.dataset == dataset
    assert clicker.draft.devices == (0,)
    clicker.next()
    assert clicker.wait_for_script() == script
    assert clicker.draft.is_saved
    other = tmp_path / "other.csv"
    other.write_text((tmp_path / "first.csv").read_text(encoding="utf-8").replace("kind", "sort"), encoding="utf-8")
    clicker.draft.go_to(Step.DATA)
    clicker.give_data(other)
    assert clicker.draft.checked.problems == ()
    assert clicker.draft.checked.values["target"] == "sort"


@pytest.mark.parametrize("template", ["image_classification", "tabular"])
def test_made_up_data_lead_to_a_script(clicker, template):
    clicker.choose_task(template)
    clicker.next()
    clicker.click("made_up")

    clicker.walk_to(Step.SCRIPT)

    compile(clicker.wait_for_script(), "train.py", "exec")
    assert "epochs" not in clicker.draft.answers  # the example's one epoch is for tests, not for people


def test_real_data_after_made_up_ones_leave_nothing_of_the_example_behind(clicker, tmp_path):
    clicker.choose_task("tabular")
    clicker.next()
    clicker.click("made_up")
    assert clicker.draft.checked.values["target"] == "label"

    clicker.give_data(write_table(tmp_path / "real.csv"))

    assert clicker.draft.checked.problems == ()
    assert clicker.draft.checked.values["target"] == "kind"
    assert clicker.draft.checked.values["number_columns"] == ["length", "weight"]


def test_a_table_task_does_not_go_on_before_data_are_chosen_or_declined(clicker):
    clicker.choose_task("tabular")
    clicker.next()

    assert not clicker.find("next", QPushButton).isEnabled()
    assert "made-up data" in clicker.texts()


def test_data_of_another_kind_are_refused_with_what_is_needed(clicker, tmp_path):
    clicker.choose_task("image_classification")
    clicker.next()

    clicker.give_data(write_table(tmp_path / "table.csv"))

    assert "one sub-folder of pictures for each class" in clicker.texts()
    assert not clicker.find("next", QPushButton).isEnabled()
    clicker.give_data(write_pictures(tmp_path / "pictures"))
    assert clicker.find("next", QPushButton).isEnabled()


def test_a_column_with_a_new_role_leaves_its_old_one(clicker, tmp_path):
    clicker.choose_task("tabular")
    clicker.next()
    clicker.give_data(write_table(tmp_path / "table.csv"))
    clicker.draft.answer_all({"number_columns": ["length", "weight"], "category_columns": ["colour"]})

    clicker.choose("target", "weight")

    assert clicker.draft.checked.values["number_columns"] == ["length"]
    assert clicker.draft.checked.problems == ()


def test_files_that_are_there_are_replaced_only_when_asked_for(clicker, tmp_path, save_to):
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "train.py").write_text("mine\n", encoding="utf-8")
    save_to(folder)
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.SCRIPT)
    script = clicker.wait_for_script()

    clicker.click("save_bundle")
    clicker.wait(lambda: bool(clicker.visible("replace_files")), "not asked")

    assert (folder / "train.py").read_text(encoding="utf-8") == "mine\n"
    assert not clicker.draft.is_saved
    save_to(tmp_path / "empty")
    clicker.click("other_folder")
    clicker.wait(lambda: clicker.draft.folder == tmp_path / "empty", "not saved")
    assert (folder / "train.py").read_text(encoding="utf-8") == "mine\n"
    save_to(folder)
    clicker.click("save_bundle")
    clicker.wait(lambda: bool(clicker.visible("replace_files")), "not asked")
    clicker.click("replace_files")
    clicker.wait(lambda: clicker.draft.folder == folder, "not saved")
    assert (folder / "train.py").read_text(encoding="utf-8") == script


def test_a_script_that_changed_since_it_was_saved_says_so(clicker, tmp_path, save_to):
    save_to(tmp_path / "saved")
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.SCRIPT)
    clicker.wait_for_script()
    clicker.click("save_bundle")
    clicker.wait(lambda: clicker.draft.is_saved, "not saved")
    assert not clicker.visible("save_again")

    clicker.draft.answer("epochs", 5)
    clicker.wait_for_plan()
    clicker.wait_for_script()

    assert not clicker.draft.is_saved
    assert clicker.visible("save_again")
    clicker.click("save_again")
    clicker.wait(lambda: bool(clicker.visible("replace_files")), "not asked")


def test_everything_by_keyboard_alone(clicker):
    clicker.find("template_tabular").setFocus(Qt.FocusReason.TabFocusReason)
    clicker.press(Qt.Key.Key_Return)
    assert clicker.draft.step is Step.DATA
    clicker.find("made_up").setFocus(Qt.FocusReason.TabFocusReason)
    clicker.press(Qt.Key.Key_Space)
    clicker.wait_for_plan()

    for expected in STEPS[2:]:
        clicker.wait(lambda: clicker.find("next", QPushButton).isEnabled(), f"no way to {expected}")
        clicker.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        assert clicker.draft.step is expected
    for expected in reversed(STEPS[:-1]):
        clicker.press(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert clicker.draft.step is expected


def test_enter_in_a_field_ends_the_input_and_stays_on_the_step(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.MODEL)

    clicker.enter_number("batch_size", "24")

    assert clicker.draft.step is Step.MODEL
    assert clicker.draft.answers["batch_size"] == 24


def test_start_over_forgets_everything(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.MODEL)
    clicker.enter_number("batch_size", "24")

    clicker.click("start_over")

    assert clicker.draft.step is Step.TASK
    assert not clicker.find("template_image_classification").isChecked()
    assert not clicker.find("next", QPushButton).isEnabled()
    clicker.choose_task("image_classification")
    assert clicker.draft.answers == {}
