"""``gpuconfig plan``, ``generate`` and ``templates``: from answers to a script."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.cli.output import ExitCode, Output
from gpuconfig_app.core.codec import encode
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.disk_speed import DiskSpeed
from gpuconfig_app.core.errors import UnusableFileError, UsageError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit, MemoryPrediction, TrainingPlan
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.units import format_bytes, format_duration
from gpuconfig_app.scriptgen.manifest import Template
from gpuconfig_app.storage.places import read_text
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.data_speed import with_disk_speed
from gpuconfig_app.workbench.measure_text import measure_text
from gpuconfig_app.workbench.time_text import time_notes

SCHEMA = 1


@dataclass(frozen=True)
class _Planned:
    template: Template
    answers: dict[str, JsonValue]
    dataset: DatasetFacts | None
    plan: TrainingPlan

    @property
    def disk_speed(self) -> DiskSpeed | None:
        return self.dataset.disk_speed if self.dataset is not None else None


def plan_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """Print the TrainingPlan: every choice with its reason, memory and time as intervals."""
    planned = _plan(arguments, bench)
    if output.is_json:
        output.document(SCHEMA, planned.plan, disk_speed=planned.disk_speed)
    else:
        _print_plan(planned.plan, output)
        _print_disk_speed(planned.disk_speed, output)
    return _exit_code(planned.plan)


def generate_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """Write the script bundle."""
    if not arguments.out.strip():
        raise UsageError(Message("cli.no-folder", {"option": "--out"}))
    planned = _plan(arguments, bench)
    bundle = bench.generate(planned.template, planned.answers, planned.plan, planned.dataset)
    written = bench.write_bundle(bundle, Path(arguments.out), overwrite=arguments.overwrite)
    if output.is_json:
        output.document(SCHEMA, planned.plan, folder=arguments.out, files=[str(path) for path in written])
    else:
        for path in written:
            output.line(str(path))
        for warning in planned.plan.warnings:
            output.say(warning)
    return _exit_code(planned.plan)


def templates_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """List the templates, or one template's questions."""
    templates = (bench.template(arguments.id),) if arguments.id else bench.templates()
    if output.is_json:
        listed = [encode(item, keep_none=True, message=output.texts.as_json) for item in templates]
        output.raw_json({"schema": SCHEMA, "templates": listed})
        return ExitCode.GOOD
    for template in templates:
        output.line(f"{template.id}  {output.sentence(template.name)}")
        output.say(template.description, indent=4)
        if arguments.id:
            for question in template.questions:
                output.line(f"    {question.id} ({question.kind.value}): {output.sentence(question.label)}")
    return ExitCode.GOOD


def read_answers(path: Path) -> dict[str, JsonValue]:
    """Read an answers file.

    Raises:
        UnusableFileError: Not there, not JSON, not an object.
    """
    text = read_text(path)
    try:
        answers = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnusableFileError(Message("core.not-json", {"detail": str(error)})) from error
    if not isinstance(answers, dict):
        raise UnusableFileError(Message("workbench.answers-not-an-object", {"path": str(path)}))
    return answers


def _plan(arguments: argparse.Namespace, bench: Workbench) -> _Planned:
    template = bench.template(arguments.template)
    answers = read_answers(Path(arguments.answers))
    machine = bench.open_machine(arguments.machine)
    environment = bench.choose_environment(machine.report, arguments.python)
    devices = _devices(answers)
    python = environment.executable if environment is not None and not machine.is_recorded else None
    dataset = bench.scan_answers_data(template, answers, python=python)
    if dataset is not None and not machine.is_recorded and not arguments.no_disk_check:
        dataset = with_disk_speed(dataset)
    plan = bench.plan(template, answers, machine, environment, dataset, devices=devices)
    return _Planned(template, answers, dataset, plan)


def _devices(answers: dict[str, JsonValue]) -> tuple[int, ...] | None:
    """Take the key ``devices`` (card indexes) out of the answers: the one choice that is no template's question."""
    given = answers.pop("devices", None)
    if given is None:
        return None
    numbers = (
        [item for item in given if isinstance(item, int) and not isinstance(item, bool)]
        if isinstance(given, list)
        else []
    )
    if not isinstance(given, list) or len(numbers) != len(given):
        raise UsageError(Message("cli.bad-devices"))
    return tuple(numbers)


def _exit_code(plan: TrainingPlan) -> int:
    if plan.memory is not None and plan.memory.fit is Fit.TOO_BIG:
        return ExitCode.BLOCKED
    uncertain = plan.memory is not None and plan.memory.fit is Fit.MAY_FAIL
    return ExitCode.RESERVATIONS if uncertain or plan.warnings else ExitCode.GOOD


def _print_plan(plan: TrainingPlan, output: Output) -> None:
    for choice in plan.choices:
        output.line(f"{choice.id:<16} {output.sentence(choice.shown)}")
        output.say(choice.reason, indent=17)
    if plan.memory is not None:
        _print_memory(plan.memory, output)
    for name, interval in (("step", plan.time.step), ("epoch", plan.time.epoch), ("training", plan.time.training)):
        if interval is not None:
            low, high = format_duration(interval.low), format_duration(interval.high)
            output.say(Message(f"cli.time-{name}", {"low": low, "high": high}))
    for note in time_notes(plan):
        output.say(note, indent=4)
    _say_measured("time", plan.time.measured_at, output)
    for message in plan.warnings:
        output.say(message)
    for measure in plan.shown_measures:
        output.line(measure_text(measure, output.sentence))
    for message in plan.advice:
        output.say(message)


def _print_disk_speed(speed: DiskSpeed | None, output: Output) -> None:
    if speed is None:
        return
    numbers = {"rate_bytes": int(speed.read_bytes_per_s), "readers": speed.readers}
    name = "cli.disk-speed-cached" if speed.is_from_cache else "cli.disk-speed"
    output.say(Message(name, numbers))


def _print_memory(memory: MemoryPrediction, output: Output) -> None:
    total = memory.total
    output.say(
        Message(
            "cli.memory",
            {"expected_bytes": int(total.expected), "low_bytes": int(total.low), "high_bytes": int(total.high)},
        )
    )
    for part in memory.parts:
        output.line(f"    {part.part.value:<12} {format_bytes(part.size_bytes)}")
    _say_measured("memory", memory.measured_at, output)
    if memory.usable_bytes is not None:
        output.say(Message("cli.memory-usable", {"usable_bytes": memory.usable_bytes}))


def _say_measured(what: str, measured_at: str | None, output: Output) -> None:
    """Say that a run on this machine measured it, and on which day."""
    if measured_at is not None:
        output.say(Message(f"cli.measured-here-{what}", {"day": measured_at[:10]}), indent=4)
