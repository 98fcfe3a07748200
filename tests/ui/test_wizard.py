"""The wizard as a user clicks it, on real pictures, with real TensorFlow at the end."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QListWidget, QPushButton, QSpinBox, QWidget

from gpuconfig_app.core.run_result import RunState
from gpuconfig_app.runner.training import find_runs, read_result
from gpuconfig_app.ui.application import Shell, make_application
from gpuconfig_app.ui.first_look import FirstLook
from gpuconfig_app.ui.pages.new_script_page import NewScriptPage
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.wizard import script_step
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.steps import Step

LIMIT_MS = 20_000
TRAINING_LIMIT_MS = 240_000


class Clicker:
    """Finds what is seen on the page and uses it as a person does."""

    def __init__(self, shell: Shell, qtbot) -> None:
        self.shell = shell
        self.qtbot = qtbot

    @property
    def state(self) -> AppState:
        assert self.shell.state is not None
        return self.shell.state

    @property
    def page(self) -> NewScriptPage:
        page = self.shell.window.page("new_script")
        assert isinstance(page, NewScriptPage)
        return page

    @property
    def draft(self) -> WizardDraft:
        draft = self.state.drafts["wizard"]
        assert isinstance(draft, WizardDraft)
        return draft

    def find(self, kind: type, name: str):
        """Give the visible control of that name."""
        found = [item for item in self.shell.window.findChildren(kind, name) if item.isVisible()]
        assert len(found) == 1, f"{name}: {len(found)} visible"
        return found[0]

    def click(self, name: str, kind: type = QWidget) -> None:
        control = self.find(kind, name)
        assert control.isEnabled(), f"{name} is disabled"
        self.qtbot.mouseClick(control, Qt.MouseButton.LeftButton)

    def next(self, expected: Step) -> None:
        self.qtbot.waitUntil(lambda: self.find(QPushButton, "next").isEnabled(), timeout=LIMIT_MS)
        self.click("next", QPushButton)
        self.qtbot.waitUntil(lambda: self.draft.step is expected, timeout=LIMIT_MS)

    def type_into(self, name: str, text: str) -> None:
        line = self.find(QLineEdit, name)
        line.setFocus()
        line.selectAll()
        self.qtbot.keyClicks(line, text)
        self.qtbot.keyClick(line, Qt.Key.Key_Return)

    def choose(self, question: str, value: str) -> None:
        box = self.find(QComboBox, f"answer_{question}")
        row = box.findData(value)
        assert row >= 0, value
        box.setCurrentIndex(row)
        box.activated.emit(row)

    def enter_number(self, question: str, number: int) -> None:
        box = self.find(QSpinBox, f"answer_{question}")
        box.setFocus()
        box.selectAll()
        self.qtbot.keyClicks(box, str(number))
        self.qtbot.keyClick(box, Qt.Key.Key_Return)


@pytest.fixture
def clicker(qtbot, qapp) -> Iterator[Clicker]:
    shell = Shell(make_application([]), FirstLook(language="en", theme="light"))
    shell.window.show()
    made = Clicker(shell, qtbot)
    yield made
    shell.end()
    shell.window.close_now()
    shell.window.deleteLater()
    shell.deleteLater()
    qapp.processEvents()


def open_wizard(clicker: Clicker, machine: str | None, python: Path | None = None) -> None:
    clicker.shell.bring_to_life(machine)
    clicker.qtbot.waitUntil(lambda: clicker.state.compat is not None, timeout=LIMIT_MS)
    if python is not None:
        clicker.state.select_python(str(python))
        clicker.qtbot.waitUntil(
            lambda: (
                clicker.state.environment is not None
                and clicker.state.environment.executable == str(python)
                and clicker.state.compat is not None
            ),
            timeout=LIMIT_MS,
        )
    clicker.shell.window.open_page("new_script")


def walk_to_script(clicker: Clicker, data: Path) -> None:
    clicker.click("template_image_classification")
    clicker.next(Step.DATA)
    clicker.type_into("data_path", str(data))
    clicker.qtbot.waitUntil(lambda: clicker.draft.dataset is not None, timeout=LIMIT_MS)
    clicker.next(Step.MODEL)
    clicker.choose("model", "small_cnn")
    clicker.next(Step.HARDWARE)
    clicker.next(Step.TRAINING)
    clicker.enter_number("epochs", 15)
    clicker.next(Step.REVIEW)
    clicker.next(Step.SCRIPT)
    clicker.qtbot.waitUntil(lambda: clicker.draft.bundle is not None, timeout=LIMIT_MS)


@pytest.fixture(scope="module")
def digits(tensorflow_python: Path, tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """All 1,797 digits of scikit-learn as a folder of class folders."""
    folder = tmp_path_factory.mktemp("digits of mine")
    writer = root / "tests" / "templates" / "children" / "write_digits.py"
    subprocess.run([tensorflow_python, writer, folder], check=True, capture_output=True)
    return folder


def test_digits_from_the_first_click_to_a_trained_model(
    clicker, qtbot, digits, tensorflow_python, tmp_path, monkeypatch
):
    open_wizard(clicker, None, tensorflow_python)
    walk_to_script(clicker, digits)
    assert clicker.draft.dataset is not None
    assert clicker.draft.dataset.sample_count == 1797
    assert len(clicker.draft.dataset.classes) == 10
    folder = tmp_path / "my first script"
    monkeypatch.setattr(script_step.QFileDialog, "getExistingDirectory", lambda *_, **__: str(folder))
    clicker.click("save_bundle")
    qtbot.waitUntil(lambda: clicker.draft.folder == folder, timeout=LIMIT_MS)

    clicker.click("run_smoke")
    qtbot.waitUntil(lambda: clicker.state.background.is_busy("test-run"), timeout=LIMIT_MS)
    qtbot.waitUntil(lambda: not clicker.state.background.is_busy("test-run"), timeout=TRAINING_LIMIT_MS)
    clicker.click("next")
    qtbot.waitUntil(lambda: clicker.shell.window.page_id == "runs", timeout=LIMIT_MS)
    places = clicker.state.workbench.places
    training, smoke = find_runs(places)
    qtbot.waitUntil(
        lambda: read_result(places.runs / training.id).state is not RunState.RUNNING, timeout=TRAINING_LIMIT_MS
    )

    result = read_result(places.runs / training.id)
    assert read_result(places.runs / smoke.id).state is RunState.FINISHED
    assert result.state is RunState.FINISHED, result.last_lines
    assert result.metrics["test_accuracy"] >= 0.95
    assert (folder / "out" / "saved_model").is_dir()


def test_going_back_keeps_every_answer_and_a_saved_bundle_opens_again(clicker, qtbot, tmp_path, monkeypatch):
    pictures = tmp_path / "pictures"
    for name in ("cats", "dogs"):
        (pictures / name).mkdir(parents=True)
        for number in range(4):
            (pictures / name / f"{number}.bmp").write_bytes(bitmap(8, number))
    open_wizard(clicker, "training-2x4090")
    walk_to_script(clicker, pictures)
    before = dict(clicker.draft.answers)
    script = clicker.draft.bundle.file("train.py").content

    for expected in (Step.REVIEW, Step.TRAINING, Step.HARDWARE, Step.MODEL, Step.DATA, Step.TASK):
        clicker.click("back", QPushButton)
        qtbot.waitUntil(lambda expected=expected: clicker.draft.step is expected)
    assert dict(clicker.draft.answers) == before

    for expected in (Step.DATA, Step.MODEL, Step.HARDWARE, Step.TRAINING, Step.REVIEW, Step.SCRIPT):
        clicker.next(expected)
    qtbot.waitUntil(lambda: clicker.draft.bundle is not None, timeout=LIMIT_MS)
    folder = tmp_path / "saved"
    monkeypatch.setattr(script_step.QFileDialog, "getExistingDirectory", lambda *_, **__: str(folder))
    clicker.click("save_bundle")
    qtbot.waitUntil((folder / "plan.json").exists, timeout=LIMIT_MS)
    clicker.click("start_over", QPushButton)
    assert clicker.draft.template is None
    clicker.click("open_bundle", QPushButton)
    qtbot.waitUntil(lambda: clicker.draft.step is Step.REVIEW, timeout=LIMIT_MS)
    clicker.next(Step.SCRIPT)
    qtbot.waitUntil(lambda: clicker.draft.bundle is not None, timeout=LIMIT_MS)

    assert clicker.draft.bundle.file("train.py").content == script
    assert json.loads((folder / "plan.json").read_text(encoding="utf-8"))["answers"]["model"] == "small_cnn"


def test_data_that_cannot_be_used_are_named_and_stop_the_way(clicker, qtbot, tmp_path):
    open_wizard(clicker, "training-2x4090")
    clicker.click("template_image_classification")
    clicker.next(Step.DATA)

    clicker.type_into("data_path", str(tmp_path / "not there"))
    qtbot.waitUntil(lambda: clicker.draft.scan_error is not None, timeout=LIMIT_MS)

    assert not clicker.find(QPushButton, "next").isEnabled()


def test_script_files_are_shown_and_a_language_change_loses_nothing(clicker, qtbot):
    open_wizard(clicker, "training-2x4090")
    clicker.click("template_image_classification")
    for expected in (Step.DATA, Step.MODEL, Step.HARDWARE, Step.TRAINING, Step.REVIEW, Step.SCRIPT):
        clicker.next(expected)
    qtbot.waitUntil(lambda: clicker.draft.bundle is not None, timeout=LIMIT_MS)
    before = clicker.page

    clicker.state.update_settings(language="zh_CN")
    qtbot.waitUntil(lambda: clicker.shell.window.page("new_script") not in (None, before), timeout=LIMIT_MS)
    qtbot.waitUntil(clicker.page.isVisible, timeout=LIMIT_MS)

    files = clicker.find(QListWidget, "bundle_files")
    assert clicker.draft.step is Step.SCRIPT
    assert files.item(0).text() == "train.py"
    assert clicker.find(QPushButton, "back").text() != "Back"


def bitmap(side: int, shade: int) -> bytes:
    """A grey BMP picture, 24 bits."""
    row = bytes([shade * 40] * 3 * side)
    body = row * side
    head = b"BM" + (54 + len(body)).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    info = (40).to_bytes(4, "little") + side.to_bytes(4, "little") * 2 + (1).to_bytes(2, "little")
    info += (24).to_bytes(2, "little") + bytes(4) + len(body).to_bytes(4, "little") + bytes(16)
    return head + info + body
