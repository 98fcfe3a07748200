"""``gpuconfig run``: test-run a bundle and print measured against predicted."""

from __future__ import annotations

import argparse
from pathlib import Path

from gpuconfig_app.cli.output import ExitCode, Output
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded, is_file
from gpuconfig_app.core.run_result import Compared, RunKind, RunResult, RunState
from gpuconfig_app.core.units import format_bytes, format_duration
from gpuconfig_app.runner.test_run import test_run
from gpuconfig_app.runner.training import RunRequest
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.machine import OpenMachine
from gpuconfig_app.workbench.measured_runs import Kept, about_plan, is_as_generated, keep_measured

SCHEMA = 1


def run_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """Run the script of a bundle for a few steps (or on made-up data with ``--smoke``) and wait for its end."""
    if not arguments.time_limit > 0:
        raise UsageError(Message("cli.bad-time-limit"))
    folder = Path(arguments.folder)
    recipe = bench.open_bundle(folder)
    machine = bench.open_machine(include_environments=not arguments.python)
    is_unchanged = is_as_generated(folder)
    request = RunRequest(
        bundle=folder,
        python=_python(arguments, bench, machine),
        report=machine.report,
        kind=RunKind.SMOKE if arguments.smoke else RunKind.TEST,
        plan=recipe.plan,
        template_id=recipe.template_id,
        time_limit_s=arguments.time_limit,
        about=about_plan(recipe.plan, machine.report) if is_unchanged else None,
    )
    result = test_run(request, bench.places, JobControl())
    kept = keep_measured(bench.places, result.run_id)
    if kept is None and not is_unchanged and not arguments.smoke:
        kept = Kept(None, Message("workbench.measured-script-changed"))
    if output.is_json:
        output.document(SCHEMA, result, measured=kept)
    else:
        _print_result(result, kept, output)
    if result.state is not RunState.FINISHED:
        return ExitCode.BLOCKED
    outside = any(item.is_inside is False for item in result.compared)
    return ExitCode.RESERVATIONS if outside else ExitCode.GOOD


def _python(arguments: argparse.Namespace, bench: Workbench, machine: OpenMachine) -> str:
    if arguments.python:
        path = expanded(arguments.python)
        if not is_file(path):
            raise UsageError(Message("workbench.no-such-python", {"path": arguments.python}))
        return str(path.absolute())
    environment = bench.choose_environment(machine.report)
    if environment is None:
        raise UsageError(Message("cli.no-python"))
    return environment.executable


def _print_result(result: RunResult, kept: Kept | None, output: Output) -> None:
    output.say(Message(f"cli.run-{result.state.value.replace('_', '-')}"))
    if result.meaning is not None:
        output.say(result.meaning)
    for name, value in result.metrics.items():
        output.line(f"  {name}: {value:.4g}")
    for item in result.compared:
        name = output.sentence(Message(f"wizard.measured-{item.id.replace('_', '-')}"))
        output.line(f"  {name}: {_compared(item, output)}")
    if kept is not None:
        _print_kept(kept, output)
    if result.state is not RunState.FINISHED:
        for line in result.last_lines:
            output.line(f"  | {line}")
    output.say(Message("cli.run-log", {"path": result.log}))


def _print_kept(kept: Kept, output: Output) -> None:
    run = kept.run
    if run is not None and run.first_peak_bytes is not None and run.peak_bytes is not None:
        sizes = {"first_bytes": run.first_peak_bytes, "peak_bytes": run.peak_bytes}
        output.say(Message("cli.measured-warm-up", sizes), indent=2)
    if run is not None and run.driver_bytes is not None:
        output.say(Message("cli.measured-driver", {"driver_bytes": run.driver_bytes}), indent=2)
    output.say(kept.message)


def _compared(item: Compared, output: Output) -> str:
    why = output.sentence(item.reason) if item.reason is not None else "-"
    measured = why if item.measured is None else _shown(item.id, item.measured)
    if item.predicted is None:
        return measured
    values = {"low": _shown(item.id, item.predicted.low), "high": _shown(item.id, item.predicted.high)}
    if item.measured is None:
        return output.sentence(Message("cli.compared-not-measured", values | {"reason": why}))
    return output.sentence(Message("cli.compared", values | {"measured": measured}))


def _shown(name: str, value: float) -> str:
    return format_bytes(int(value)) if name.endswith("_bytes") else format_duration(value)
