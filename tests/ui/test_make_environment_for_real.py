"""An environment made by clicking, with the real engine: real venv, real pip, small wheels, and the proof in them."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit, QWidget

from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.python_environment import EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.storage.makings import load_makings
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.ui.application import Shell, make_application
from gpuconfig_app.ui.environment_making import MAKING, making_of
from gpuconfig_app.ui.first_look import FirstLook
from gpuconfig_app.ui.pages.make_environment.plan_desk import PLANNING, desk_of
from gpuconfig_app.ui.pages.make_environment.plan_form import WHEELS
from gpuconfig_app.ui.pages.make_environment_page import MakeEnvironmentPage, Stage
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.machine import OpenMachine
from tests.source_files import ROOT
from tests.ui.real_window import settle, wait_until
from tests.unit.runner.tiny_wheels import write_wheelhouse

LIMIT_MS = 120_000


class HereBench(Workbench):
    """The real workbench on a recorded machine without a GPU, taken as if it were this one."""

    def open_machine(
        self, name: str | None = None, control: JobControl | None = None, *, include_environments: bool = True
    ) -> OpenMachine:
        report = load_machine(ROOT / "resources" / "machines" / "no-gpu").report
        return OpenMachine(replace(report, recorded_from=None, environments=()))

    def find_environments(self, control: JobControl | None = None) -> SystemReport:
        version = ".".join(str(part) for part in sys.version_info[:3])
        ours = PythonEnvironment(
            executable=sys.executable, prefix=sys.prefix, kind=EnvironmentKind.VENV, name="ours", python_version=version
        )
        found = super().find_environments(control)
        others = (item for item in found.environments if item.executable != ours.executable)
        return replace(found, environments=(ours, *others))


class Hand:
    """Uses the page as a person does: by what is seen, never past a disabled control."""

    def __init__(self, shell: Shell, ground: Path) -> None:
        self.shell, self.ground = shell, ground
        assert shell.state is not None
        self.state = shell.state
        self.folder = ground / "work" / "tf 中文"

    @property
    def page(self) -> MakeEnvironmentPage:
        page = self.shell.window.page("make_environment")
        assert isinstance(page, MakeEnvironmentPage)
        return page

    def find(self, kind: type[QWidget], name: str) -> QWidget:
        found = [item for item in self.page.findChildren(kind, name) if item.isVisible()]
        assert len(found) == 1, f"{name}: {len(found)} visible"
        return found[0]

    def click(self, name: str) -> None:
        button = self.find(QAbstractButton, name)
        assert button.isEnabled(), f"{name} is disabled: {self.texts()}"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        settle()

    def type_into(self, name: str, text: str) -> None:
        line = self.find(QLineEdit, name)
        assert isinstance(line, QLineEdit)
        line.setFocus()
        line.selectAll()
        line.insert(text)  # as pasted
        line.textEdited.emit(text)
        settle()

    def choose(self, name: str, value: str) -> None:
        box = self.find(QComboBox, name)
        assert isinstance(box, QComboBox)
        row = box.findData(value)
        assert row >= 0, f"{value} is not offered"
        box.setCurrentIndex(row)
        box.activated.emit(row)
        settle()

    def wait(self, stage: Stage) -> None:
        wait_until(lambda: self.page.stage is stage, f"never {stage.name}: {self.texts()}", LIMIT_MS)
        settle()

    def plan(self) -> None:
        """Ask for an environment from the small wheels, and wait for its plan."""
        wait_until(lambda: desk_of(self.state).plan is not None, "no first plan", LIMIT_MS)
        self.choose("source", WHEELS)
        self.type_into("place", str(self.ground / "wheels"))
        self.type_into("folder", str(self.folder))
        wait_until(lambda: not desk_of(self.state).is_planning, "the plan is never ready", LIMIT_MS)
        settle()

    def texts(self) -> str:
        return "\n".join(item.text() for item in self.page.findChildren(QLabel) if item.isVisible())


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for everything a making may touch."""
    for name in ("work", "temporary", "cache"):
        (tmp_path / name).mkdir()
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("PIP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PRETENDED", "gpus=0")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(tempfile, "tempdir", None)
    write_wheelhouse(tmp_path / "wheels")
    return tmp_path


@pytest.fixture
def hand(qapp: QApplication, ground: Path) -> Iterator[Hand]:
    shell = Shell(make_application(["tests"]), FirstLook(theme="light", language="en"))
    shell.window.show()
    shell.bring_to_life(None, lambda: AppState(HereBench()))
    assert shell.state is not None
    shell.state.update_settings(theme="light", language="en")
    made = Hand(shell, ground)
    wait_until(lambda: made.state.compat is not None, "no verdict")
    shell.window.open_page("make_environment")
    settle()
    yield made
    making_of(made.state).cancel()
    wait_until(lambda: not making_of(made.state).is_running, "it is never cleaned up", LIMIT_MS)
    shell.end()
    wait_until(lambda: all(PLANNING not in item.name for item in threading.enumerate()), "a plan never ends", LIMIT_MS)
    shell.window.close_now()
    shell.window.deleteLater()
    shell.deleteLater()
    settle()


def test_planned_made_proven_used_and_removed_by_clicking(hand: Hand) -> None:
    hand.plan()
    assert "processor" in hand.texts()
    hand.click("copy_script")
    script = QGuiApplication.clipboard().text()
    assert "pip install" in script
    assert str(hand.folder) in script

    hand.click("make")
    hand.wait(Stage.PROOF)
    assert "No GPU took part" in hand.texts()
    hand.click("use_environment")
    python = str(hand.folder / "bin" / "python")
    state = hand.state
    wait_until(lambda: state.environment is not None and state.environment.executable == python, "not used")
    assert (hand.folder / "bin" / "python").exists()
    assert state.settings.python == python
    wait_until(
        lambda: state.report is not None and python in {item.executable for item in state.report.environments},
        "the new environment is in no list",
    )

    hand.click("remove_environment")
    hand.click("remove_yes")
    hand.wait(Stage.PLAN)

    assert not hand.folder.exists()
    assert load_makings(user_places()) == ()
    wait_until(lambda: state.environment is not None and state.environment.executable != python, "it is still chosen")
    assert state.settings.python is None


def test_it_goes_on_behind_another_page_in_another_language_and_tells_its_end(hand: Hand) -> None:
    hand.plan()
    hand.click("make")
    hand.shell.window.open_page("overview")
    hand.state.update_settings(language="zh_CN")
    settle()

    wait_until(lambda: not making_of(hand.state).is_running, "it never ends", LIMIT_MS)
    settle()

    assert hand.shell.window.page_id == "overview"
    bar = hand.shell.window.messages.bar(MAKING)
    assert bar is not None
    assert not bar.is_leaving
    button = next(item for item in bar.findChildren(QAbstractButton) if item.text() == "查看")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert hand.page.stage is Stage.PROOF
    assert hand.shell.window.messages.bar(MAKING) is None


def test_cancelled_by_its_button_it_leaves_nothing(hand: Hand) -> None:
    hand.plan()
    hand.click("make")
    wait_until(lambda: bool(making_of(hand.state).lines), "the installer says nothing", LIMIT_MS)
    settle()

    hand.click("end_making")
    hand.wait(Stage.PLAN)

    assert not hand.folder.exists()
    assert list((hand.ground / "temporary").iterdir()) == []
    assert load_makings(user_places()) == ()
    assert hand.find(QAbstractButton, "make").isVisible()


def test_folder_in_use_and_missing_wheels_are_said_before_anything_is_made(hand: Hand) -> None:
    hand.plan()
    hand.folder.mkdir()
    (hand.folder / "mine.txt").write_text("mine", encoding="utf-8")

    hand.type_into("folder", f"{hand.folder}/")
    wait_until(lambda: not desk_of(hand.state).is_planning, "the plan is never ready", LIMIT_MS)
    settle()
    assert "is not empty" in hand.texts()
    assert not hand.find(QAbstractButton, "make").isEnabled()

    hand.type_into("place", str(hand.ground / "nowhere"))
    wait_until(lambda: not desk_of(hand.state).is_planning, "the plan is never ready", LIMIT_MS)
    settle()
    assert "is not a folder" in hand.texts()
    assert (hand.folder / "mine.txt").exists()


def test_failed_install_is_explained_with_its_log_and_leaves_nothing(hand: Hand) -> None:
    hand.plan()
    next((hand.ground / "wheels").glob("keras-*.whl")).unlink()  # gone since it was checked

    hand.click("make")
    hand.wait(Stage.FAILED)

    assert "could not be made" in hand.texts()
    assert "No matching distribution found for keras" in hand.texts()
    assert "I don't know this one" not in hand.texts()
    assert "keras" in hand.page._failure.log.text
    assert not hand.folder.exists()
    hand.click("back_to_plan")
    assert hand.page.stage is Stage.PLAN
    wait_until(lambda: not desk_of(hand.state).is_planning, "the plan is never ready", LIMIT_MS)
    settle()
    assert "keras" in hand.texts()
    assert not hand.find(QAbstractButton, "make").isEnabled()
