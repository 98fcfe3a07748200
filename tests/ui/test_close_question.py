"""Closing the window while a training runs or an environment is made: it is asked, never ended silently."""

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
from gpuconfig_app.ui.environment_making import MAKING, EnvironmentMaking
from gpuconfig_app.ui.first_look import FirstLook
from tests.ui.environment_plans import FakeMaker, make_failed, make_plan

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


@pytest.fixture
def making(shell, qtbot) -> Iterator[EnvironmentMaking]:
    """An environment that is being made."""
    maker = FakeMaker()
    made = EnvironmentMaking(shell.state, maker)
    shell.state.drafts[MAKING] = made
    made.start(make_plan())
    qtbot.waitUntil(lambda: bool(maker.plans), timeout=LIMIT_MS)
    yield made
    maker.news.put(make_failed())


def test_making_is_ended_and_cleaned_up_before_the_window_closes(shell, making, qtbot):
    shell.window.close()
    qtbot.waitUntil(lambda: question(shell) is not None, timeout=LIMIT_MS)
    assert "removed" in question(shell).informativeText()
    running: list[bool] = []
    shell.window.closing.connect(lambda: running.append(making.is_running))

    press(shell, "End it and close")
    qtbot.waitUntil(lambda: not shell.window.isVisible(), timeout=LIMIT_MS)

    assert running == [False]


def test_making_goes_on_when_the_window_stays(shell, making, qtbot):
    shell.window.close()
    qtbot.waitUntil(lambda: question(shell) is not None, timeout=LIMIT_MS)

    press(shell, "Back to the window")

    assert shell.window.isVisible()
    assert (making.is_running, making.is_ending) == (True, False)


def test_training_goes_on_while_the_making_is_ended(shell, making, places, qtbot, tmp_path):
    start(places, tmp_path / "mine", RunKind.TRAINING)
    record = find_runs(places)[0]
    shell.window.close()
    qtbot.waitUntil(lambda: question(shell) is not None, timeout=LIMIT_MS)

    press(shell, "Keep running")
    qtbot.waitUntil(lambda: not shell.window.isVisible(), timeout=LIMIT_MS)

    assert not making.is_running
    assert read_result(places.runs / record.id).state is RunState.RUNNING
    stop_run(record, places, grace_s=0.5)


def test_impatient_second_close_asks_nothing_while_it_is_cleaned_up(shell, making, qtbot):
    making._make.cleans = False
    shell.window.close()
    qtbot.waitUntil(lambda: question(shell) is not None, timeout=LIMIT_MS)
    press(shell, "End it and close")

    shell.window.close()

    assert shell.window.isVisible()
    assert question(shell) is None or not question(shell).isVisible()
    making._make.cleans = True
    qtbot.waitUntil(lambda: not shell.window.isVisible(), timeout=LIMIT_MS)
