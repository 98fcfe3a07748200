"""The state of the window: what belongs to one machine stays with it, and the newest settings are what is kept."""

from __future__ import annotations

import threading

import pytest

from gpuconfig_app.ui import state as state_module
from gpuconfig_app.ui.state import CHECK, ENVIRONMENTS, VERDICTS, AppState
from gpuconfig_app.workbench.bench import Workbench


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
