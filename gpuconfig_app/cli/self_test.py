"""``gpuconfig self-test``: start everything once on recorded machines; also run on the installed bundle."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gpuconfig_app.cli.output import ExitCode, Output
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.machine import list_shipped_machines


def self_test_command(
    arguments: argparse.Namespace, bench: Workbench, output: Output, open_window: Callable[[], None]
) -> int:
    """Survey, check, plan, generate and open the window; exit 0 when everything worked."""
    del arguments
    failed: list[JsonValue] = []
    steps = _steps(bench) | {"window": open_window}
    for name, step in steps.items():
        problem = _problem(step)
        if problem is not None:
            failed.append({"step": name, "problem": problem})
        if output.is_json:
            continue
        output.line(f"{'ok  ' if problem is None else 'FAIL'} {name}{'' if problem is None else f': {problem}'}")
    if output.is_json:
        output.raw_json({"schema": 1, "steps": len(steps), "failures": len(failed), "failed": failed})
    else:
        output.say(Message("cli.self-test-bad", {"count": len(failed)}) if failed else Message("cli.self-test-good"))
    return ExitCode.BLOCKED if failed else ExitCode.GOOD


def _steps(bench: Workbench) -> dict[str, Callable[[], None]]:
    steps: dict[str, Callable[[], None]] = {"survey of this machine": lambda: _survey(bench)}
    for machine in list_shipped_machines():
        steps[f"check {machine.name}"] = partial(_check, bench, machine.name)
    for template in bench.templates():
        steps[f"script {template.id}"] = partial(_generate, bench, template.id)
    return steps


def _problem(step: Callable[[], None]) -> str | None:
    try:
        step()
    except Exception as error:  # noqa: BLE001  # the test reports whatever breaks
        return f"{type(error).__name__}: {error}"
    return None


def _survey(bench: Workbench) -> None:
    bench.open_machine(include_environments=False)


def _check(bench: Workbench, name: str) -> None:
    machine = bench.open_machine(name)
    bench.check(machine.report, bench.choose_environment(machine.report), all_releases=True)


def _generate(bench: Workbench, template_id: str) -> None:
    machine = bench.open_machine(list_shipped_machines()[0].name)
    template = bench.template(template_id)
    answers = bench.example_answers(template)
    plan = bench.plan(template, answers, machine, bench.choose_environment(machine.report))
    bundle = bench.generate(template, answers, plan)
    with tempfile.TemporaryDirectory() as folder:
        bench.write_bundle(bundle, Path(folder) / "bundle")
        bench.open_bundle(Path(folder) / "bundle")
