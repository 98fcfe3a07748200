"""Closing the window while a training runs: it is asked, never ended silently."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from gpuconfig_app.core.run_result import RunKind, RunState
from gpuconfig_app.runner.training import RunRequest, find_runs, read_result, start_run, stop_run
from gpuconfig_app.storage.places import Places, user_places
from gpuconfig_app.ui.application import Shell, make_application
from gpuconfig_app.ui.first_look import FirstLook

WAITING_SCRIPT = "import threading\nthreading.Event().wait(600)\n"
LIMIT_MS = 20_000


@pytest.fixture
def shell(qapp, qtbot) -> Iterator[Shell]:
    made = Shell(make_application([]), FirstLook(language="en"))
    made.window.show()
    made.bring_to_life("training-2x4090")
    qtbot.waitUntil(lambda: made.state is not None and made.state.compat is not None, timeout=LIMIT_MS)
    yield made
    made.end()
    made.window.close_now()
    made.window.deleteLater()
    made.deleteLater()
    qapp.processEvents()


@pytest.fixture
def places(private_home: Path) -> Places:
    return user_places()


def start(places: Places, folder: Path, kind: RunKind) -> None:
    folder.mkdir()
    (folder / "train.py").write_text(WAITING_SCRIPT, encoding="utf-8")
    start_run(RunRequest(bundle=folder, python=sys.executable, kind=kind), places)


def question(shell: Shell) -> QMessageBox | None:
    return shell.window.findChild(QMessageBox, "close_question")


def press(shell: Shell, text: str) -> None:
    box = question(shell)
    assert box is not None
    next(button for button in box.buttons() if button.text() == text).click()


def test_nothing_running_closes_without_a_question(shell, qtbot):
    shell.window.close()

    qtbot.waitUntil(lambda: not shell.window.isVisible(), timeout=LIMIT_MS)
    assert question(shell) is None


@pytest.mark.parametrize(
    ("answer", "closes", "state"),
    [
        ("Keep running", True, RunState.RUNNING),
        ("Stop and close", True, RunState.CANCELLED),
        ("Back to the window", False, RunState.RUNNING),
    ],
)
def test_running_training_is_asked_for(shell, places, qtbot, tmp_path, answer, closes, state):
    start(places, tmp_path / "mine", RunKind.TRAINING)
    record = find_runs(places)[0]

    shell.window.close()
    qtbot.waitUntil(lambda: question(shell) is not None, timeout=LIMIT_MS)
    assert shell.window.isVisible()
    assert "mine" in question(shell).text()
    press(shell, answer)
    qtbot.waitUntil(lambda: shell.window.isVisible() is not closes, timeout=LIMIT_MS)

    assert read_result(places.runs / record.id).state is state
    stop_run(record, places, grace_s=0.5)
