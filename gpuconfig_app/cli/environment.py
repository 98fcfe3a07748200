"""``gpuconfig env``: makes a TensorFlow environment, every command shown first; removes it, or what a crash left."""

from __future__ import annotations

import argparse
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from gpuconfig_app.cli.check import print_fixes
from gpuconfig_app.cli.output import ExitCode, Output
from gpuconfig_app.cli.proof import print_proof
from gpuconfig_app.core.environment_made import MadeEnvironment, MakeOutcome, MakeProgress
from gpuconfig_app.core.environment_plan import (
    CheckState,
    EnvironmentOrder,
    EnvironmentPlan,
    PlanGoal,
    PythonChoice,
    Range,
    SizeEstimate,
)
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import Verdict
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.core.units import format_bytes, format_duration
from gpuconfig_app.runner.environment_commands import masked
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.machine import NO_MACHINE, THIS_MACHINE
from gpuconfig_app.workbench.make_environment import (
    clean_leftover,
    find_leftovers,
    make_environment,
    plan_environment,
    remove_environment,
)
from gpuconfig_app.workbench.prove import ProveOptions

SCHEMA = 1
_MARKS = {CheckState.GOOD: "+", CheckState.WARNING: "!", CheckState.BAD: "x", CheckState.UNKNOWN: "?"}
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))


def environment_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """Run one of ``env``'s actions."""
    if arguments.action == "create":
        return _create(arguments, bench, output)
    if arguments.action == "remove":
        removal = remove_environment(bench.places, arguments.folder)
        if output.is_json:
            output.document(SCHEMA, removal)
        else:
            name = "cli.env-removed" if removal.is_gone else "cli.env-removed-partly"
            output.say(Message(name, {"path": removal.folder, "count": len(removal.kept)}))
            _print_kept(removal.kept, output)
        return ExitCode.GOOD if removal.is_gone else ExitCode.RESERVATIONS
    return _leftovers(arguments, bench, output)


def _create(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    if arguments.machine == NO_MACHINE:
        raise UsageError(Message("cli.env-needs-machine"))
    is_elsewhere = arguments.machine not in {None, THIS_MACHINE}
    if is_elsewhere and not arguments.dry_run:
        raise UsageError(Message("cli.env-only-here"))
    control = _Control()
    with _ending(control):
        report = bench.open_machine(arguments.machine, control).report
        order = EnvironmentOrder(
            folder=arguments.folder,
            tensorflow=arguments.tensorflow,
            python=arguments.python,
            index_url=arguments.index_url,
            wheelhouse=arguments.wheelhouse,
            lock_file=arguments.lock,
        )
        plan = plan_environment(bench.places, report, order, control)
        if arguments.dry_run or plan.goal is PlanGoal.IMPOSSIBLE or plan.blockers:
            _show_plan(plan, output)
            return _plan_code(plan)
        if not output.is_json:
            _print_plan(plan, output)
            _print_leftovers(bench, output)
            output.line()
        control.ends_at_once = False
        shown = _Shown(output)
        options = ProveOptions(may_wake=arguments.wake)
        made = make_environment(
            bench.places, bench.clock, bench.texts, report, plan, control, None if output.is_json else shown, options
        )
    if output.is_json:
        output.document(SCHEMA, replace(made, plan=public_plan(made.plan)))
    else:
        _print_made(made, output)
    return _made_code(made)


class _Control(JobControl):
    """The making's control; while only questions are asked, nothing has to be cleaned up and the end is at once."""

    ends_at_once = True


def public_plan(plan: EnvironmentPlan) -> EnvironmentPlan:
    """Give a plan to be shown: without the password of an index address and the values of the user's variables."""
    order = plan.order
    address = masked(order.index_url) if order.index_url is not None else None
    neutralised = tuple(replace(item, value=None) for item in plan.neutralised)
    return replace(plan, order=replace(order, index_url=address), neutralised=neutralised)


def _show_plan(plan: EnvironmentPlan, output: Output) -> None:
    if output.is_json:
        output.document(SCHEMA, public_plan(plan), can_start=plan.can_start)
    else:
        _print_plan(plan, output)


def _plan_code(plan: EnvironmentPlan) -> int:
    if plan.goal is PlanGoal.IMPOSSIBLE or plan.blockers:
        return ExitCode.BLOCKED
    return ExitCode.GOOD if plan.goal is PlanGoal.GPU else ExitCode.RESERVATIONS


def _made_code(made: MadeEnvironment) -> int:
    if made.outcome is MakeOutcome.CANCELLED:
        return 130
    if made.outcome is MakeOutcome.FAILED:
        return ExitCode.BLOCKED
    if made.outcome is MakeOutcome.PROVEN:
        notes = made.compat is not None and made.compat.verdict is not Verdict.READY
        return ExitCode.RESERVATIONS if notes else ExitCode.GOOD
    is_blocked = made.compat is not None and made.compat.verdict is Verdict.BLOCKED
    return ExitCode.BLOCKED if is_blocked and made.outcome is MakeOutcome.NOT_PROVEN else ExitCode.RESERVATIONS


def _print_plan(plan: EnvironmentPlan, output: Output) -> None:
    output.say(plan.headline)
    for remark in plan.remarks:
        output.say(remark, indent=2)
    for number, fix in enumerate(plan.ways_on):
        output.say(Message("cli.fix-first" if number == 0 else "cli.fix-other", {"text": output.sentence(fix.text)}))
        for command in fix.commands:
            output.line(f"    {command}")
    if plan.python is not None:
        _print_choices(plan, plan.python, output)
    if plan.steps:
        _print_size(plan.size, output)
        _print_steps(plan, output)
    for check in plan.checks:
        output.line(f"{_MARKS[check.state]} {output.sentence(check.title)}: {output.sentence(check.text)}")
    for variable in plan.neutralised:
        output.say(Message("cli.env-without-variable", {"reason": output.sentence(variable.reason)}))


def _print_choices(plan: EnvironmentPlan, python: PythonChoice, output: Output) -> None:
    """Print what is made, with the reason of each choice."""
    output.line()
    output.say(Message("cli.env-folder", {"path": plan.order.folder}))
    output.say(Message("cli.env-python", {"label": output.sentence(python.label)}))
    if plan.python_reason is not None:
        output.say(plan.python_reason, indent=2)
    if plan.packages_from is not None:
        output.say(Message("cli.env-packages", {"where": output.sentence(plan.packages_from)}))
    for pin in plan.pins:
        output.line(f"  {pin.requirement}: {output.sentence(pin.reason)}")


def _print_steps(plan: EnvironmentPlan, output: Output) -> None:
    output.line()
    for number, step in enumerate(plan.steps, start=1):
        time_words = f" ({_duration(step.time_s)})" if step.time_s is not None else ""
        output.line(f"{number}. {output.sentence(step.title)}{time_words}")
        if step.command is not None:
            line = step.command.powershell if plan.platform == "windows" else step.command.posix
            prompt = "PS>" if plan.platform == "windows" else "$"
            output.line(f"   {prompt} {line}")
    output.line()


def _print_size(size: SizeEstimate, output: Output) -> None:
    unknown = output.sentence(Message("cli.env-unknown"))
    words = {
        "download": _amount(size.download_bytes) or unknown,
        "disk": _amount(size.disk_bytes) or unknown,
        "time": _duration(size.time_s) if size.time_s is not None else unknown,
    }
    output.say(Message("cli.env-size", words))
    for text in (size.source_text, size.time_text):
        if text is not None:
            output.say(text, indent=2)


def _amount(amount: Range | None) -> str | None:
    if amount is None:
        return None
    low, high = format_bytes(round(amount.low)), format_bytes(round(amount.high))
    return low if low == high else f"{low} – {high}"


def _duration(time_s: Range) -> str:
    return f"{format_duration(time_s.low)} – {format_duration(time_s.high)}"


class _Shown:
    """Prints a making as it goes on: each step once, the installer's lines, a line of figures now and then."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._step: object = None
        self._printed = 0.0
        self._figures_at = time.monotonic()

    def __call__(self, progress: MakeProgress) -> None:
        """Print what is new."""
        if progress.current is not None and progress.current is not self._step:
            self._step = progress.current
            if progress.message is not None:
                self._output.line(f"> {self._output.sentence(progress.message)}")
        fresh = [line for line in progress.lines if line.at > self._printed]
        for line in fresh:
            self._output.line(f"  {line.text}")
        if fresh:
            self._printed = fresh[-1].at
        now = time.monotonic()
        if progress.downloaded_bytes and progress.rate_bytes_per_s and now - self._figures_at >= 5.0:
            self._figures_at = now
            done, rate = format_bytes(progress.downloaded_bytes), format_bytes(round(progress.rate_bytes_per_s))
            left = f", {format_duration(progress.left_s)}" if progress.left_s is not None else ""
            self._output.line(f"  … {done}, {rate}/s{left}")


def _print_made(made: MadeEnvironment, output: Output) -> None:
    output.line()
    output.say(made.headline)
    if made.failure is not None:
        output.say(made.failure.sentence, indent=2)
        explained = made.failure.explained
        if explained is not None and explained.findings:
            output.say(explained.primary.title, indent=2)
            output.say(explained.primary.text, indent=2)
            print_fixes(explained.primary, output)
    _print_kept(made.left_behind, output)
    if made.interpreter:
        figures: dict[str, MessageValue] = {"duration_s": made.duration_s, "disk": format_bytes(made.disk_bytes or 0)}
        output.say(Message("cli.env-made-in", figures))
        if made.activate is not None:
            line = made.activate.powershell if made.plan.platform == "windows" else made.activate.posix
            output.line(f"    {line}")
    compat = made.compat
    if compat is not None and compat.primary is not None and made.outcome is MakeOutcome.NOT_PROVEN:
        output.say(compat.primary.title)
        output.say(compat.primary.text, indent=2)
        print_fixes(compat.primary, output)
    if compat is not None and compat.proof is not None:
        print_proof(compat.proof, output)
    if made.log is not None:
        output.say(Message("cli.env-log", {"path": made.log}))


def _print_kept(kept: tuple[str, ...], output: Output) -> None:
    for path in kept:
        output.line(f"  {path}")


def _print_leftovers(bench: Workbench, output: Output) -> None:
    for leftover in find_leftovers(bench.places):
        output.say(Message("cli.env-leftover", {"path": leftover.folder}))


def _leftovers(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    found = find_leftovers(bench.places)
    if not arguments.clean:
        if output.is_json:
            output.document(SCHEMA, {"leftovers": found})
        elif not found:
            output.say(Message("cli.env-no-leftovers"))
        else:
            _print_leftovers(bench, output)
        return ExitCode.RESERVATIONS if found else ExitCode.GOOD
    removals = [clean_leftover(bench.places, leftover) for leftover in found]
    if output.is_json:
        output.document(SCHEMA, {"removals": removals})
    elif not removals:
        output.say(Message("cli.env-no-leftovers"))
    for removal in [] if output.is_json else removals:
        name = "cli.env-removed" if removal.is_gone else "cli.env-removed-partly"
        output.say(Message(name, {"path": removal.folder, "count": len(removal.kept)}))
        _print_kept(removal.kept, output)
    return ExitCode.GOOD if all(removal.is_gone for removal in removals) else ExitCode.RESERVATIONS


@contextmanager
def _ending(control: _Control) -> Iterator[None]:
    """Turn Ctrl-C and the system's wish to end us into a cancellation, so that everything is cleaned up."""

    def cancel(_: int, __: FrameType | None) -> None:
        control.cancel()
        if control.ends_at_once:
            raise JobCancelledError

    is_main = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, cancel) for number in _SIGNALS} if is_main else {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
