"""The state of the window: what belongs to one machine stays with it, and the newest settings are what is kept."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from gpuconfig_app.core.finding import Verdict
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.ui import state as state_module
from gpuconfig_app.ui.question import Question
from gpuconfig_app.ui.state import CHECK, ENVIRONMENTS, VERDICTS, AppState
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.machine import OpenMachine


@pytest.fixture
def app_state(theme, qtbot):
    made = AppState(Workbench())
    yield made
    made.stop()
    made.deleteLater()


@pytest.mark.parametrize("topic", [ENVIRONMENTS, CHECK, VERDICTS])
def test_what_was_asked_of_the_former_machine_never_arrives(app_state, qtbot, topic):
    has_ended = threading.Event()
    arrived: list[object] = []

    def ask(control):
        control.wait_cancelled(30)
        has_ended.set()

    app_state.background.run(topic, ask, arrived.append)
    with qtbot.waitSignal(app_state.compat_changed, check_params_cb=lambda report: report is not None, timeout=20_000):
        app_state.select_machine("training-2x4090")
        assert not app_state.background.is_busy(topic)

    assert has_ended.wait(10)
    assert arrived == []


def test_what_was_found_in_wsl_stands_beside_the_cards(app_state, qtbot, monkeypatch, root):
    known = load_machine(root / "tests" / "machines" / "windows-with-wsl").report
    found = SystemReport(environments=known.environments, targets=known.targets, hosts_inside=known.hosts_inside)
    monkeypatch.setattr(app_state.workbench, "find_environments", lambda _: found)
    monkeypatch.setattr(
        app_state.workbench, "open_machine", lambda *_, **__: OpenMachine(replace(known, recorded_from=None))
    )

    with qtbot.waitSignal(app_state.compat_changed, check_params_cb=lambda report: report is not None, timeout=20_000):
        app_state.select_machine(None)

    with qtbot.waitSignal(app_state.compat_changed, timeout=20_000):
        app_state.check(known.environments[1].executable)

    assert app_state.machine.report.targets == known.targets
    assert app_state.compat.verdict is Verdict.READY


def test_a_slow_write_of_older_settings_does_not_win(app_state, qtbot, monkeypatch):
    has_begun, may_end, has_written = threading.Event(), threading.Event(), threading.Event()
    written: list[str] = []

    def write(_, settings):
        if settings.theme == "dark":
            has_begun.set()
            may_end.wait(10)
        written.append(settings.theme)
        has_written.set()

    monkeypatch.setattr(state_module, "save_settings", write)
    app_state.update_settings(theme="dark")
    assert has_begun.wait(10)
    app_state.update_settings(theme="light")
    overtakes = has_written.wait(0.3)
    may_end.set()
    qtbot.waitUntil(lambda: len(written) == 2)

    assert not overtakes
    assert written == ["dark", "light"]


def _open(app_state, qtbot, name):
    with qtbot.waitSignal(app_state.compat_changed, check_params_cb=lambda report: report is not None, timeout=20_000):
        app_state.select_machine(name)


def test_a_python_just_chosen_outlives_a_look_at_the_machine(app_state, qtbot, root):
    _open(app_state, qtbot, str(root / "tests" / "machines" / "windows-with-wsl"))
    here, in_wsl = app_state.report.environments
    assert app_state.environment == here

    app_state.select_python(in_wsl.executable)  # its verdict is still being made when the look ends
    with qtbot.waitSignal(app_state.compat_changed, timeout=20_000):
        app_state.check()

    assert app_state.environment == in_wsl
    assert app_state.compat.verdict is Verdict.READY


def test_an_environment_that_is_gone_makes_room_for_another(app_state, qtbot, monkeypatch, root):
    _open(app_state, qtbot, str(root / "tests" / "machines" / "windows-with-wsl"))
    here, in_wsl = app_state.report.environments
    with qtbot.waitSignal(app_state.compat_changed, timeout=20_000):
        app_state.select_python(in_wsl.executable)
    fewer = replace(app_state.report, environments=(here,))
    app_state.machine = replace(app_state.machine, report=fewer)
    told = []
    app_state.notice_posted.connect(told.append)

    with qtbot.waitSignal(app_state.compat_changed, timeout=20_000):
        app_state.check()

    assert app_state.environment == here
    assert app_state.question == Question(python=here.executable)
    assert told == []


def test_a_chosen_release_ends_and_its_verdict_never_stands_for_the_machine(app_state, qtbot):
    _open(app_state, qtbot, "training-2x4090")
    with qtbot.waitSignal(app_state.compat_changed, timeout=20_000):
        app_state.check(question=Question("2.16.2", (1,)))
    assert app_state.compat.tensorflow == "2.16.2"
    said = []
    app_state.compat_changed.connect(said.append)

    with qtbot.waitSignal(app_state.compat_changed, check_params_cb=lambda report: report is not None, timeout=20_000):
        app_state.judge_as_installed()

    assert said[0] is None
    assert app_state.compat.tensorflow == app_state.environment.tensorflow_version
    app_state.judge_as_installed()
    assert not app_state.background.is_busy(CHECK)
