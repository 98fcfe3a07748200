"""Pictures of the window for looking at: any page, theme, language, machine and size, off the screen.

    python -m tests.ui.screenshots OUT [--page ID]… [--theme light|dark]… [--language en|zh_CN]…
                                       [--machine NAME_OR_FOLDER|fake:CASE]… [--size 1280x800]…
                                       [--argument KEY=VALUE]…

``fake:CASE`` uses a made-up state (see ``CASES``); any other machine is opened by the real workbench. With ``--machine
list`` the cases are named; ``--argument`` is what the page is opened with (``path=train.log`` for ``explain``).
Nothing is compared: a person looks.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from gpuconfig_app.core.environment_made import MadeEnvironment, MakeOutcome
from gpuconfig_app.core.environment_plan import EnvironmentPlan
from gpuconfig_app.core.finding import Proven, Verdict
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.messages import Language, LocalText
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.ui.application import Shell, make_application
from gpuconfig_app.ui.environment_making import MAKING, EnvironmentMaking, making_of
from gpuconfig_app.ui.first_look import FirstLook
from gpuconfig_app.ui.pages.make_environment.plan_desk import PlanDesk, desk_of
from gpuconfig_app.ui.state import AppState
from tests.ui import environment_plans as plans
from tests.ui.fakes_ui import (
    FakeState,
    lost_gpu,
    make_compat,
    make_gpu,
    make_minute,
    make_report,
    make_sample,
    make_silence,
)

_WAIT_MS = 20_000
_SETTLE_MS = 2500


def _healthy(state: FakeState, count: int) -> None:
    report = make_report(tuple(make_gpu(index) for index in range(count)))
    verdicts = {
        report.environments[0].executable: make_compat(),
        report.environments[1].executable: make_compat(Verdict.CPU_ONLY),
        report.environments[2].executable: make_compat(proven=Proven.FALSE),
        report.environments[4].executable: make_compat(Verdict.BLOCKED),
    }
    compat = make_compat(gpu_indexes=tuple(range(count)))
    state.show(report, compat, environment=report.environments[0], verdicts=verdicts)
    for index in range(count):
        state.give(make_minute(index))


def _sixteen(state: FakeState) -> None:
    _healthy(state, 16)
    report = state.report
    if report is None:
        return
    gpus = tuple(
        replace(gpu, name="NVIDIA A100-SXM4-40GB", memory_total_bytes=40 * 1024**3, power_limit_w=400.0)
        for gpu in report.gpus
    )
    gpus = (*gpus[:11], replace(lost_gpu(11), name="NVIDIA A100-SXM4-40GB"), *gpus[12:])
    state.clock.advance(68)
    state.show(make_report(gpus), make_compat(Verdict.READY_WITH_NOTES, gpu_indexes=tuple(range(16))))
    for index in range(16):
        if index != 11:
            state.give(make_minute(index))
    state.give([make_silence(6, 60.0)])
    hot = {Metric.UTILIZATION_PCT: 96.0, Metric.TEMPERATURE_C: 90.0, Metric.POWER_W: 331.0}
    state.give([make_sample(7, 60.0, values=hot, throttle_reasons=("thermal",))])
    idle = {
        Metric.UTILIZATION_PCT: 1.0,
        Metric.MEMORY_USED_BYTES: 5e8,
        Metric.TEMPERATURE_C: 33.0,
        Metric.POWER_W: 53.0,
    }
    state.give([make_sample(index, 60.0, values=idle, processes=()) for index in (8, 9, 14)])


def _blocked(state: FakeState) -> None:
    report = make_report((make_gpu(0, name="NVIDIA GeForce RTX 5090", compute_capability="12.0", processes=()),))
    state.show(report, make_compat(Verdict.BLOCKED), environment=report.environments[0])
    state.give(make_minute(0))


def _silent(state: FakeState) -> None:
    _healthy(state, 2)
    state.clock.advance(74)
    state.give([make_silence(0, 63.0, Liveness.SILENT), make_silence(1, 63.0, Liveness.SILENT)])


def _no_driver(state: FakeState) -> None:
    gpu = make_gpu(0, state=GpuState.DRIVER_MISSING, memory_used_bytes=None, processes=None)
    state.show(make_report((gpu,), drivers=()), make_compat(Verdict.BLOCKED))


def _recorded(state: FakeState) -> None:
    gpus = tuple(make_gpu(index, name="NVIDIA A100-SXM4-80GB") for index in range(8))
    title = LocalText("lab-a100", "lab-a100")
    state.show(make_report(gpus), make_compat(proven=Proven.FALSE, gpu_indexes=tuple(range(8))), recorded=title)
    state.give([make_sample(index) for index in range(8)])


def _making(state: FakeState, show: Callable[[PlanDesk, EnvironmentMaking], None]) -> None:
    """The page that makes an environment, in the middle of things."""
    _healthy(state, 2)
    real = cast("AppState", state)
    desk, making = desk_of(real), making_of(real)
    desk.set_watched(is_watched=False)
    desk.plan_again()  # nobody looks: the made-up plan stays
    desk.plan, desk.is_thorough = plans.make_plan(), True
    show(desk, making)
    desk.changed.emit()
    making.changed.emit()


def _plan_with(plan: EnvironmentPlan) -> Callable[[FakeState], None]:
    return lambda state: _making(state, lambda desk, _: setattr(desk, "plan", plan))


def _made_as(made: MadeEnvironment) -> Callable[[FakeState], None]:
    def show(_: PlanDesk, making: EnvironmentMaking) -> None:
        making.plan, making.made, making.lines = made.plan, made, list(plans.make_lines())

    return lambda state: _making(state, show)


def _under_way(state: FakeState) -> None:
    def show(_: PlanDesk, making: EnvironmentMaking) -> None:
        state.background.busy.add(MAKING)
        making.plan, making.progress, making.lines = plans.make_plan(), plans.make_progress(), list(plans.make_lines())
        making.progress_at = state.clock.monotonic()

    _making(state, show)


CASES: dict[str, Callable[[FakeState], object]] = {
    "loading": lambda state: state.show(None),
    "reading": lambda state: state.show(make_report((make_gpu(memory_used_bytes=None, processes=None),))),
    "empty": lambda state: state.show(make_report(), make_compat(Verdict.CPU_ONLY)),
    "one": lambda state: _healthy(state, 1),
    "two": lambda state: _healthy(state, 2),
    "three": lambda state: _healthy(state, 3),
    "eight": lambda state: _healthy(state, 8),
    "sixteen": _sixteen,
    "blocked": _blocked,
    "silent": _silent,
    "no-driver": _no_driver,
    "recorded": _recorded,
    "make-plan": _plan_with(plans.make_plan()),
    "make-cpu": _plan_with(plans.make_cpu_plan()),
    "make-impossible": _plan_with(plans.make_impossible_plan()),
    "make-no-room": _plan_with(plans.make_full_disk_plan()),
    "make-progress": _under_way,
    "make-proven": _made_as(plans.make_made()),
    "make-on-cpu": _made_as(plans.make_made(MakeOutcome.CPU_PROVEN)),
    "make-not-proven": _made_as(plans.make_made(MakeOutcome.NOT_PROVEN)),
    "make-failed": _made_as(plans.make_failed()),
}


def take(  # one picture in every respect
    out: Path,
    page: str,
    theme: str,
    language: str,
    machine: str,
    size: tuple[int, int],
    arguments: Mapping[str, object] | None = None,
) -> Path:
    """Take one picture.

    Args:
        arguments: What the page is opened with.

    Returns:
        Its file.
    """
    app = make_application(["screenshots"])
    shell = Shell(app, FirstLook(theme=theme, language=language))
    window = shell.window
    window.resize(*size)
    window.show()
    if machine.startswith("fake:"):
        state = FakeState(user_places())
        state.settings = replace(state.settings, theme=theme, language=language)
        state.language = Language(language)
        shell.bring_to_life(None, lambda: state)
        window.open_page(page, arguments)
        CASES[machine.removeprefix("fake:")](state)
        _settle(50)
    else:
        shell.bring_to_life(None if machine == "this" else machine)
        if shell.state is not None:
            shell.state.update_settings(theme=theme, language=language)
        window.open_page(page, arguments)
        _wait_for_verdict(shell)
        _settle(_SETTLE_MS)
    name = f"{page}-{machine.replace('fake:', '').replace('/', '_')}-{theme}-{language}-{size[0]}x{size[1]}.png"
    out.mkdir(parents=True, exist_ok=True)
    window.grab().save(str(out / name))
    shell.end()
    shell._language.clear()  # the application lives on: the next window begins in its own language
    window.close_now()
    window.deleteLater()
    shell.deleteLater()
    QApplication.processEvents()
    return out / name


def _wait_for_verdict(shell: Shell) -> None:
    if shell.state is None or shell.state.compat is not None:
        return
    loop = QEventLoop()
    shell.state.compat_changed.connect(lambda compat: loop.quit() if compat is not None else None)
    QTimer.singleShot(_WAIT_MS, loop, loop.quit)
    loop.exec()


def _settle(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop, loop.quit)
    loop.exec()


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


def main() -> int:
    """Take all pictures that were asked for."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("GPUCONFIG_HOME", tempfile.mkdtemp(prefix="gpuconfig-shots-"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("out", type=Path)
    parser.add_argument("--page", action="append")
    parser.add_argument("--theme", action="append", choices=("light", "dark"))
    parser.add_argument("--language", action="append", choices=("en", "zh_CN"))
    parser.add_argument("--machine", action="append")
    parser.add_argument("--size", action="append", type=_size)
    parser.add_argument("--argument", action="append", default=[])
    asked = parser.parse_args()
    arguments = dict(text.partition("=")[::2] for text in asked.argument)
    if asked.machine == ["list"]:
        sys.stdout.write("\n".join(f"fake:{name}" for name in CASES) + "\n")
        return 0
    for page, theme, language, machine, size in product(
        asked.page or ["overview"],
        asked.theme or ["light"],
        asked.language or ["en"],
        asked.machine or ["fake:two"],
        asked.size or [(1280, 800)],
    ):
        sys.stdout.write(f"{take(asked.out, page, theme, language, machine, size, arguments)}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
