"""Plan, script and verdict: the time of each beside the start of a bare Python.

The bar for a complete verdict is 1.5 s. All run in one process that has warmed up, as the window does.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from gpuconfig_app.storage.places import user_places
from gpuconfig_app.workbench.bench import Workbench

MACHINE = "training-2x4090"
REPEATS = 5


def best_s(work: Callable[[], object]) -> float:
    """Give the shortest of some runs, the first one left out."""
    work()
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def bare_python_s() -> float:
    """Give the time of starting and ending a Python that does nothing."""
    return best_s(lambda: subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True))


def test_plan_and_script_of_every_template(private_home: Path, tell: Callable[[str], None]) -> None:
    bench = Workbench(user_places())
    machine = bench.open_machine(MACHINE)
    environment = bench.choose_environment(machine.report)
    compat = bench.check(machine.report, environment)
    bare_s = bare_python_s()
    ratios = []

    for template in bench.templates():
        answers = bench.example_answers(template)
        plan = bench.plan(template, answers, machine, environment, None, compat)
        plan_s = best_s(lambda: bench.plan(template, answers, machine, environment, None, compat))  # noqa: B023  # at once
        script_s = best_s(lambda: bench.generate(template, answers, plan))  # noqa: B023  # as above
        ratios.append((plan_s + script_s) / bare_s)
        tell(
            f"{template.id}: plan {plan_s * 1000:.1f} ms, script {script_s * 1000:.1f} ms, together "
            f"{ratios[-1]:.2f} of the start of a bare Python ({bare_s * 1000:.0f} ms)"
        )

    assert max(ratios) < 100


def test_verdict(private_home: Path, tell: Callable[[str], None]) -> None:
    bench = Workbench(user_places())
    machine = bench.open_machine(MACHINE)
    environment = bench.choose_environment(machine.report)
    bare_s = bare_python_s()

    one_s = best_s(lambda: bench.check(machine.report, environment))
    all_s = best_s(lambda: bench.check(machine.report, environment, all_releases=True))

    tell(
        f"verdict {one_s * 1000:.1f} ms, with all releases {all_s * 1000:.1f} ms, "
        f"{all_s / bare_s:.1f} times the start of a bare Python ({bare_s * 1000:.0f} ms)"
    )
    assert all_s / bare_s < 100


def test_complete_check_from_the_command_line(
    private_home: Path, screen: dict[str, str], tell: Callable[[str], None]
) -> None:
    """The whole program: start, survey of this machine, Python environments, verdict."""
    command = [sys.executable, "-m", "gpuconfig_app", "check", "--json"]
    environment = screen | {"PYTHONPYCACHEPREFIX": str(private_home / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    bare_s = bare_python_s()

    whole_s = best_s(lambda: subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False))

    tell(f"gpuconfig check on this machine {whole_s:.2f} s, {whole_s / bare_s:.0f} times the start of a bare Python")
    assert whole_s / bare_s < 500
