"""The wizard as a user clicks it, on real pictures, with real TensorFlow at the end."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QListWidget, QPushButton

from gpuconfig_app.core.run_result import RunState
from gpuconfig_app.runner.training import find_runs, read_result
from gpuconfig_app.ui.wizard.steps import STEPS, Step
from tests.ui.clicker import Clicker, write_pictures
from tests.ui.real_window import wait_until

TRAINING_LIMIT_MS = 240_000


@pytest.fixture
def clicker(qapp) -> Iterator[Clicker]:
    made = Clicker("training-2x4090")
    yield made
    made.close()


@pytest.fixture(scope="module")
def digits(tensorflow_python: Path, tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """All 1,797 digits of scikit-learn as a folder of class folders."""
    folder = tmp_path_factory.mktemp("digits of mine")
    writer = root / "tests" / "templates" / "children" / "write_digits.py"
    subprocess.run([tensorflow_python, writer, folder], check=True, capture_output=True)
    return folder


def walk_to_script(clicker: Clicker, data: Path) -> None:
    """Choose pictures and a small network, and go through every step."""
    clicker.choose_task("image_classification")
    clicker.next()
    clicker.give_data(data)
    clicker.next()
    clicker.choose("model", "small_cnn")
    clicker.walk_to(Step.TRAINING)
    clicker.enter_number("epochs", "15")
    clicker.walk_to(Step.SCRIPT)
    clicker.wait_for_script()


def test_digits_from_the_first_click_to_a_trained_model(clicker, digits, tensorflow_python, tmp_path, monkeypatch):
    clicker.state.select_machine(None)
    clicker.real.wait_for_verdict()
    clicker.state.select_python(str(tensorflow_python))
    clicker.wait(
        lambda: clicker.state.environment is not None and clicker.state.environment.executable == str(tensorflow_python)
    )
    walk_to_script(clicker, digits)
    assert clicker.draft.dataset is not None
    assert clicker.draft.dataset.sample_count == 1797
    assert len(clicker.draft.dataset.classes) == 10
    folder = tmp_path / "my first script"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: str(folder))
    clicker.click("save_bundle")
    clicker.wait(lambda: clicker.draft.is_saved, "not saved")

    clicker.click("run_smoke")
    wait_until(lambda: not clicker.draft.trial.is_running, "the test run never ends", TRAINING_LIMIT_MS)
    assert clicker.draft.trial.result is not None
    assert clicker.draft.trial.result.state is RunState.FINISHED, clicker.draft.trial.result.last_lines
    clicker.click("next")
    clicker.wait(lambda: clicker.real.window.page_id == "runs", "the training was not started")
    places = clicker.state.workbench.places
    training, smoke = find_runs(places)
    ended = places.runs / training.id
    wait_until(lambda: read_result(ended).state is not RunState.RUNNING, "it trains for ever", TRAINING_LIMIT_MS)

    result = read_result(ended)
    assert smoke.id == clicker.draft.trial.folder.name
    assert result.state is RunState.FINISHED, result.last_lines
    assert result.metrics["test_accuracy"] >= 0.95
    assert (folder / "out" / "saved_model").is_dir()


def test_going_back_keeps_every_answer_and_a_saved_bundle_opens_again(clicker, tmp_path, monkeypatch):
    walk_to_script(clicker, write_pictures(tmp_path / "pictures"))
    before = dict(clicker.draft.answers)
    script = clicker.wait_for_script()

    for expected in reversed(STEPS[:-1]):
        clicker.click("back")
        assert clicker.draft.step is expected
    assert dict(clicker.draft.answers) == before

    clicker.walk_to(Step.SCRIPT)
    assert clicker.wait_for_script() == script
    folder = tmp_path / "saved"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: str(folder))
    clicker.click("save_bundle")
    clicker.wait((folder / "plan.json").exists, "not saved")
    clicker.click("start_over")
    assert clicker.draft.template is None
    clicker.click("open_bundle")
    clicker.wait(lambda: clicker.draft.step is Step.REVIEW, "not opened")
    clicker.next()

    assert clicker.wait_for_script() == script
    assert json.loads((folder / "plan.json").read_text(encoding="utf-8"))["answers"]["model"] == "small_cnn"


def test_data_that_cannot_be_used_are_named_and_stop_the_way(clicker, tmp_path):
    clicker.choose_task("image_classification")
    clicker.next()

    clicker.give_data(tmp_path / "not there")

    assert clicker.draft.scan_error is not None
    assert "not there" in clicker.texts()
    assert not clicker.find("next", QPushButton).isEnabled()


def test_script_files_are_shown_and_a_language_change_loses_nothing(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.SCRIPT)
    script = clicker.wait_for_script()
    before = clicker.page

    clicker.real.choose_look("light", "zh_CN")

    files = clicker.find("bundle_files", QListWidget)
    assert clicker.page is not before
    assert clicker.draft.step is Step.SCRIPT
    assert files.item(0).text() == "train.py"
    assert clicker.wait_for_script() == script
    assert clicker.find("back", QPushButton).text() != "Back"
