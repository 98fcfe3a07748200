"""``gpuconfig memory``: the peak memory of one training step of any Keras model, by part, and where it fits."""

from __future__ import annotations

import argparse
from itertools import groupby

from gpuconfig_app.cli.output import ExitCode, Output
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.model_memory import CardFit, ModelMemory, NotPossibleError, PeakSource
from gpuconfig_app.core.paths import expanded, is_file
from gpuconfig_app.core.plan import Fit
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target import TargetKind, is_target_name
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.hardware.login_shell import read_user_variables
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.machine import NO_MACHINE, THIS_MACHINE, OpenMachine
from gpuconfig_app.workbench.model_memory import MemoryOrder, memory_order, predict_model_memory

SCHEMA = 1


def memory_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """Predict one training step of the model; its own code runs in the chosen Python only, and the user is told so."""
    order = memory_order(
        arguments.model,
        arguments.batch,
        precision=arguments.precision,
        optimizer=arguments.optimizer,
        jit=arguments.jit,
        input_shapes=tuple(arguments.input_shape),
        time_limit_s=arguments.time_limit,
    )
    try:
        memory = _predict(arguments, order, bench, output)
    except NotPossibleError as error:
        output.error(error)
        return ExitCode.BLOCKED
    if output.is_json:
        output.document(SCHEMA, memory)
    else:
        _print(memory, output)
    return _exit_code(memory)


def _predict(arguments: argparse.Namespace, order: MemoryOrder, bench: Workbench, output: Output) -> ModelMemory:
    here = None if arguments.python else bench.open_machine()
    python = _python(arguments.python, here, bench)
    machine = _machine(arguments.machine, here, bench)
    told = "memory.loads-your-file" if order.is_file else "memory.runs-your-code"
    output.remark(Message(told, {"name": order.model, "python": python}))

    def show(_: float | None, stage: Message) -> None:
        if output.has_live_terminal:
            output.remark_in_place(output.sentence(stage))

    try:
        variables = read_user_variables().values
        return predict_model_memory(order, python, machine, variables=variables, control=JobControl(show))
    finally:
        if output.has_live_terminal:
            output.remark_in_place("")


def _python(wanted: str | None, here: OpenMachine | None, bench: Workbench) -> str:
    """Give the interpreter the model's code runs in."""
    if wanted and is_target_name(wanted):
        raise NotPossibleError(Message("memory.python-elsewhere", {"name": wanted}))
    if wanted and is_file(expanded(wanted)):
        return str(expanded(wanted).absolute())
    report = here.report if here is not None else SystemReport()
    environment = bench.choose_environment(report, wanted)
    if environment is None or (wanted is None and environment.tensorflow_version is None):
        raise NotPossibleError(Message("memory.no-python"))
    _check_here(environment)
    return environment.executable


def _check_here(environment: PythonEnvironment) -> None:
    target = environment.target
    if target is not None and target.kind is not TargetKind.LOCAL:
        raise NotPossibleError(Message("memory.python-elsewhere", {"name": environment.executable}))


def _machine(name: str | None, here: OpenMachine | None, bench: Workbench) -> OpenMachine:
    """Open the machine whose cards are judged."""
    if name == NO_MACHINE:
        return OpenMachine(SystemReport(), name=NO_MACHINE)
    if here is not None and name in {None, THIS_MACHINE}:
        return here
    return bench.open_machine(name, include_environments=False)


def _exit_code(memory: ModelMemory) -> int:
    """Judge by the best card; without one the prediction alone was asked for. A rough estimate never is all good."""
    fits = {card.fit for card in memory.fit}
    if not fits or Fit.FITS in fits:
        return ExitCode.GOOD if memory.source is PeakSource.TRACE else ExitCode.RESERVATIONS
    return ExitCode.BLOCKED if fits == {Fit.TOO_BIG} else ExitCode.RESERVATIONS


def _print(memory: ModelMemory, output: Output) -> None:
    interval, needed = memory.interval_bytes, memory.needed_interval_bytes
    output.say(
        Message(
            "memory.headline" if memory.source is PeakSource.TRACE else "memory.headline-layers",
            {
                "name": memory.model,
                "batch": memory.batch,
                "precision": memory.precision.value,
                "optimizer": memory.optimizer.value,
                "expected_bytes": interval.expected,
                "low_bytes": interval.low,
                "high_bytes": interval.high,
            },
        )
    )
    parts = memory.parts
    for name in ("weights", "gradients", "slots", "activations", "temporaries"):
        _print_part(getattr(parts, name), f"memory.part-{name}", output)
    output.say(
        Message(
            "memory.needed-headline",
            {"expected_bytes": needed.expected, "low_bytes": needed.low, "high_bytes": needed.high},
        )
    )
    rest = memory.needed_parts
    for name in ("step", "layout", "allocator", "workspace", "context", "kept_free"):
        size = getattr(rest, f"{name}_bytes")
        if size:
            _print_part(size, f"memory.needed-{name.replace('_', '-')}", output)
    for _, alike in groupby(memory.fit, lambda card: (card.name, card.usable_bytes, card.fit, card.largest_batch)):
        _print_cards(tuple(alike), output)
    for warning in memory.warnings:
        output.say(warning)
    loss = output.sentence(Message("memory.loss-own")) if memory.loss == "own" else memory.loss
    versions = {"tensorflow": memory.tensorflow, "keras": memory.keras, "python": memory.python, "loss": loss}
    output.say(Message("memory.built-with", versions))


def _print_part(size_bytes: int, name: str, output: Output) -> None:
    output.line(f"  {format_bytes(size_bytes):>10}  {output.sentence(Message(name))}")


def _print_cards(cards: tuple[CardFit, ...], output: Output) -> None:
    """Print cards of one kind that have as much room, in one line."""
    card, last = cards[0], cards[-1]
    numbers = f"{card.index}" if last.index == card.index else f"{card.index}-{last.index}"
    name = f"GPU {numbers}: {card.name}"
    word = card.fit.value.replace("_", "-")
    output.say(Message(f"memory.card-{word}", {"name": name, "usable_bytes": card.usable_bytes or 0}))
    if card.largest_batch is not None:
        count = card.largest_batch
        message = Message("memory.largest-batch", {"count": count}) if count else Message("memory.largest-batch-none")
        output.say(message, indent=2)
