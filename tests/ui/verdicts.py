"""Recorded machines with their real verdicts, for tests of the page Compatibility."""

from __future__ import annotations

from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.workbench.bench import Workbench
from tests.ui.fakes_ui import FakeState
from tests.ui.real_window import machine_folder

Judged = tuple[SystemReport, PythonEnvironment | None, CompatReport]


class Judge:
    """Judges each machine once."""

    def __init__(self) -> None:
        self._bench = Workbench()
        self._known: dict[str, Judged] = {}

    def __call__(self, name: str) -> Judged:
        """Give the report of a recorded machine, the environment chosen in it, and the verdict."""
        if name not in self._known:
            report = self._bench.open_machine(machine_folder(name)).report
            environment = self._bench.choose_environment(report, None)
            self._known[name] = (report, environment, self._bench.check(report, environment, all_releases=True))
        return self._known[name]


def show(state: FakeState, judged: Judged) -> CompatReport:
    """Open a judged machine; gives its verdict."""
    report, environment, compat = judged
    state.show(report, compat, environment=environment, recorded=LocalText("lab", "lab"))
    return compat
