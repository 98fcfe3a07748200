"""Every state of the page that makes an environment: nothing cut, everything named, everything in reach of Tab."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpuconfig_app.core.environment_made import Leftover, MakeOutcome
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.ui.first_look import FirstLook
from gpuconfig_app.ui.pages.make_environment.plan_form import LOCK, SOURCE
from tests.ui.environment_plans import (
    make_cpu_plan,
    make_failed,
    make_full_disk_plan,
    make_impossible_plan,
    make_made,
    make_plan,
    make_progress,
)
from tests.ui.fakes_ui import make_gpu, make_report
from tests.ui.make_environment_window import Window
from tests.ui.page_audit import cut_texts, nameless_controls, unreached_controls
from tests.ui.real_window import settle
from tests.ui.test_stray_windows import WindowWatch


def leave(window: Window) -> None:
    window.desk.leftovers = (Leftover(id="a", folder="/data/projects/tensorflow/environments/half", started_at=1.0),)
    window.desk.changed.emit()


def ask_for_removal(window: Window) -> None:
    window.made(make_made())
    window.button("remove_environment").click()


STATES: dict[str, Callable[[Window], None]] = {
    "plan": lambda window: window.plan(make_plan()),
    "cpu": lambda window: window.plan(make_cpu_plan()),
    "impossible": lambda window: window.plan(make_impossible_plan()),
    "no room": lambda window: window.plan(make_full_disk_plan()),
    "lock file": lambda window: window.desk.answer(SOURCE, LOCK),
    "leftover": leave,
    "begun": lambda window: window.begin(),
    "progress": lambda window: window.begin(make_progress()),
    "proven": lambda window: window.made(make_made()),
    "on cpu": lambda window: window.made(make_made(MakeOutcome.CPU_PROVEN)),
    "not proven": lambda window: window.made(make_made(MakeOutcome.NOT_PROVEN)),
    "removal": ask_for_removal,
    "failed": lambda window: window.made(make_failed()),
}


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("name", STATES)
def test_state_holds_in_the_smallest_window(state, open_shell, qapp, name: str, language: str) -> None:
    state.show(make_report((make_gpu(0, state=GpuState.ASLEEP), make_gpu(1))))
    window = Window(state, open_shell(FirstLook(theme="light", language=language)))
    window.shell.window.resize(960, 600)
    settle()

    watch = WindowWatch()
    qapp.installEventFilter(watch)
    STATES[name](window)
    settle()
    qapp.removeEventFilter(watch)

    assert watch.seen == []  # a part shown before it has a parent flashes up as a window of its own
    assert cut_texts(window.shell.window) == []
    assert nameless_controls(window.shell.window) == []
    assert unreached_controls(window.shell.window) == []
