"""The commands that make an environment, in their order, each as words and as a person would type it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath
from types import MappingProxyType

from gpuconfig_app.core.environment_plan import (
    CommandLine,
    EnvironmentOrder,
    EnvironmentPlan,
    Installer,
    PlanStep,
    PythonOrigin,
    Range,
    StepKind,
)
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.shell_quoting import POSIX, POWERSHELL, command_text

PROGRAM = "gpuconfig"
# Without it uv also puts a program named python3.12 among the user's own.
_GIVEN_TO_PYTHON = MappingProxyType({"UV_PYTHON_INSTALL_BIN": "0"})
WINDOWS = "windows"
MASK = "****"
_PASSWORD = re.compile(r"(?<=://)[^/@\s]+(?=@)")


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """All that the commands are made of.

    Attributes:
        order: Its folder is absolute.
        platform: ``windows`` or another.
        base: Interpreter for ``FOUND``, else the version that is downloaded.
        uv: Program as it is called; ``conda`` alike.
        is_lock_hashed: Every line of the lock file has a hash.
            unset: Variables the commands run without; ``given`` are those the installation gets.
        home: To write paths short.
    """

    order: EnvironmentOrder
    platform: str
    origin: PythonOrigin
    installer: Installer
    base: str
    requirements: tuple[str, ...] = ()
    uv: str | None = None
    conda: str | None = None
    is_lock_hashed: bool = False
    unset: tuple[str, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    home: str | None = None
    with_cuda: bool = False
    tensorflow: str | None = None
    times: Mapping[StepKind, Range] = field(default_factory=dict)


def new_interpreter(folder: str, platform: str, origin: PythonOrigin) -> str:
    """Give the interpreter that the new environment will have."""
    if platform == WINDOWS:
        place = PureWindowsPath(folder)
        return str(place / "python.exe" if origin is PythonOrigin.CONDA else place / "Scripts" / "python.exe")
    return str(PurePosixPath(folder) / "bin" / "python")


def make_steps(recipe: Recipe) -> tuple[PlanStep, ...]:
    """Give the steps with their commands."""
    steps: list[PlanStep] = []
    if recipe.origin is PythonOrigin.UV_MANAGED:
        title = Message("environment.step-fetch-python", {"version": recipe.base})
        steps.append(_step(recipe, StepKind.FETCH_PYTHON, title, [recipe.uv or "uv", "python", "install", recipe.base]))
    steps.append(_step(recipe, StepKind.MAKE, Message("environment.step-make"), _make_words(recipe)))
    steps.append(_step(recipe, StepKind.INSTALL, _install_title(recipe), _install_words(recipe)))
    python = new_interpreter(recipe.order.folder, recipe.platform, recipe.origin)
    prove = [PROGRAM, "check", "--prove", "--python", python]
    steps.append(_step(recipe, StepKind.PROVE, Message("environment.step-prove"), prove))
    return tuple(steps)


def shown_command(
    words: Sequence[str], *, unset: Sequence[str] = (), given: Mapping[str, str] | None = None, home: str | None = None
) -> CommandLine:
    """Give a command in both shells' writing."""
    values = dict(given or {})
    return CommandLine(
        words=tuple(words),
        unset=tuple(unset),
        set=values,
        posix=command_text(words, POSIX, unset=unset, set=values, home=home),
        powershell=command_text(words, POWERSHELL, unset=unset, set=values),
    )


def run_words(plan: EnvironmentPlan, step: PlanStep) -> tuple[str, ...]:
    """Give the words to start; the password of an index address is put back."""
    words = step.command.words if step.command is not None else ()
    index = plan.order.index_url
    if index is None:
        return words
    return tuple(f"--index-url={index}" if word == f"--index-url={masked(index)}" else word for word in words)


def masked(address: str) -> str:
    """Write an address without the name and password in it."""
    return _PASSWORD.sub(MASK, address)


def script_text(plan: EnvironmentPlan, shell: str) -> str:
    """Give all commands of a plan as a script that stops at the first failure."""
    commands = [step.command for step in plan.steps if step.command is not None]
    if shell == POWERSHELL:
        lines = ["$ErrorActionPreference = 'Stop'"]
        for command in commands:
            lines += [command.powershell, "if ($LASTEXITCODE) { exit $LASTEXITCODE }"]
        return "\r\n".join(lines) + "\r\n"
    return "\n".join(["#!/bin/sh", "set -e", *(command.posix for command in commands)]) + "\n"


def activation(folder: str, platform: str, origin: PythonOrigin, home: str | None) -> CommandLine:
    """Give the line that makes an environment the active one in a terminal."""
    if origin is PythonOrigin.CONDA:
        return shown_command(["conda", "activate", folder], home=home)
    if platform == WINDOWS:
        place = PureWindowsPath(folder) / "Scripts"
        activate = shown_command([str(place / "Activate.ps1")])
        return CommandLine(words=activate.words, posix=activate.posix, powershell=activate.powershell)
    posix = PurePosixPath(folder) / "bin"
    line = shown_command([".", str(posix / "activate")], home=home)
    return CommandLine(
        words=line.words,
        posix="source " + line.posix.removeprefix(". "),
        powershell=command_text([str(posix / "Activate.ps1")], POWERSHELL),
    )


def _step(recipe: Recipe, kind: StepKind, title: Message, words: Sequence[str]) -> PlanStep:
    unset = recipe.unset if kind is not StepKind.PROVE else ()
    given = _GIVEN_TO_PYTHON if kind is StepKind.FETCH_PYTHON else recipe.given if kind is StepKind.INSTALL else {}
    command = shown_command(words, unset=unset, given=given, home=recipe.home)
    return PlanStep(kind=kind, title=title, command=command, time_s=recipe.times.get(kind))


def _make_words(recipe: Recipe) -> list[str]:
    folder = recipe.order.folder
    if recipe.origin is PythonOrigin.CONDA:
        return [recipe.conda or "conda", "create", "--yes", "--prefix", folder, f"python={recipe.base}", "pip"]
    if recipe.origin is PythonOrigin.UV_MANAGED:
        return [recipe.uv or "uv", "venv", "--managed-python", "--python", recipe.base, folder]
    if recipe.installer is Installer.UV:
        return [recipe.uv or "uv", "venv", "--python", recipe.base, folder]
    return [recipe.base, "-m", "venv", folder]


def _install_words(recipe: Recipe) -> list[str]:
    python = new_interpreter(recipe.order.folder, recipe.platform, recipe.origin)
    if recipe.installer is Installer.UV:
        front = [recipe.uv or "uv", "pip", "install", "--python", python]
    else:
        front = [python, "-m", "pip", "install"]
    order = recipe.order
    if order.wheelhouse is not None:
        front += ["--no-index", f"--find-links={order.wheelhouse}"]
    elif order.index_url is not None:
        front.append(f"--index-url={masked(order.index_url)}")
    if order.lock_file is not None:
        hashes = ["--require-hashes"] if recipe.is_lock_hashed else []
        return [*front, *hashes, f"--requirement={order.lock_file}"]
    return [*front, *recipe.requirements]


def _install_title(recipe: Recipe) -> Message:
    if recipe.tensorflow is None:
        return Message("environment.step-install-lock")
    name = "environment.step-install-cuda" if recipe.with_cuda else "environment.step-install"
    return Message(name, {"version": recipe.tensorflow})
