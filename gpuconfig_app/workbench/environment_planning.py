"""Puts the plan of an environment together; verdict, interpreter, installer and sizes each come from their room."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath, PureWindowsPath

from gpuconfig_app.compat.environment_release import (
    JudgedMachine,
    ReleaseDecision,
    best_version,
    decide_release,
    fitting_pythons,
    judge_machine,
    release_choices,
)
from gpuconfig_app.core.environment_plan import (
    EnvironmentOrder,
    EnvironmentPlan,
    Installer,
    PlanGoal,
    PythonOrigin,
)
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import Fix, Outcome, Severity
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import LocalText, Message, MessageValue
from gpuconfig_app.core.paths import expanded, is_folder, is_there
from gpuconfig_app.core.python_environment import EnvironmentKind
from gpuconfig_app.core.system import OsFamily, SystemReport
from gpuconfig_app.core.versions import parse_version, release_series
from gpuconfig_app.hardware.login_shell import read_user_variables
from gpuconfig_app.knowledge.tensorflow_releases import TensorflowRelease
from gpuconfig_app.runner.environment_commands import Recipe, make_steps, masked, new_interpreter
from gpuconfig_app.runner.environment_index import is_index_address, read_lock
from gpuconfig_app.runner.environment_python import PythonDecision, choose_python, here_series
from gpuconfig_app.runner.environment_sizes import step_times, time_assumption, total_time
from gpuconfig_app.runner.environment_tools import Tools, ask_python, breaking_variables, find_tools
from gpuconfig_app.workbench.environment_sources import Sources, look_at_sources

_OWN_REMARKS = frozenset({"NUMPY_1_NEEDED", "CUDNN_DROPPED_ARCH"})  # the plan's pins say it


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """The order, understood.

    Attributes:
        version: Exact release that was asked for or locked, None for the best.
        is_lock_hashed: Every line of the lock file has a hash.
        python_series: Series that was asked for, None for any.
    """

    order: EnvironmentOrder
    version: str | None
    is_lock_hashed: bool
    python_series: str | None


def make_plan(
    report: SystemReport, order: EnvironmentOrder, control: JobControl, *, asks_index: bool
) -> EnvironmentPlan:
    """Decide and check; see ``make_environment.plan_environment``."""
    is_here = report.recorded_from is None
    tools = find_tools(read_user_variables().values) if is_here else _recorded_tools(report)
    control.report(0.1, Message("environment.planning-release"))
    machine = judge_machine(report)
    asked = _understand(order, report, machine, tools, is_here=is_here)
    version = asked.version or best_version(machine, _series_filter(asked))
    if version is None:
        if asked.python_series is not None and best_version(machine) is not None:
            raise UsageError(Message("environment.python-without-release", {"version": asked.python_series}))
        return _impossible(report, machine, asked)
    row = _row_of(machine, version)
    control.report(0.3, Message("environment.planning-python"))
    python = choose_python(report, fitting_pythons(machine, row), tools, asked.order.python)
    if python.taken is None and asked.version is None:
        row, python = _what_is_here(report, machine, tools, row, python)
        version = row.newest
    if python.taken is None:
        return _impossible(report, machine, asked, python.reason)
    decision = decide_release(machine, version, python.taken.version)
    if decision.goal is PlanGoal.IMPOSSIBLE:
        return _impossible(report, machine, asked, decision=decision)
    control.report(0.5, Message("environment.planning-index"))
    sources = look_at_sources(
        asked.order, decision, python, tools, report, machine.platform, asks_index=asks_index and is_here
    )
    control.check()
    return _whole(report, machine, asked, decision, python, tools, sources)


def _understand(
    order: EnvironmentOrder, report: SystemReport, machine: JudgedMachine, tools: Tools, *, is_here: bool
) -> _Asked:
    """Check what was typed.

    Raises:
        UsageError: Something can't be meant.
        UnusableFileError: The lock file can't be read.
    """
    if "\0" in "".join(filter(None, (order.folder, order.index_url, order.wheelhouse, order.lock_file))):
        raise UsageError(Message("environment.nul-character"))
    if order.index_url is not None and order.wheelhouse is not None:
        raise UsageError(Message("environment.index-and-wheelhouse"))
    if order.index_url is not None and not is_index_address(order.index_url):
        raise UsageError(Message("environment.no-index-address", {"address": masked(order.index_url)}))
    version, is_hashed = _asked_version(order, machine), False
    if order.lock_file is not None:
        locked, is_hashed = read_lock(expanded(order.lock_file))
        if version is not None and locked != version:
            raise UsageError(Message("environment.lock-other-release", {"locked": locked, "wanted": version}))
        version = locked
    if order.wheelhouse is not None and not is_folder(expanded(order.wheelhouse)):
        raise UsageError(Message("environment.no-wheelhouse", {"path": order.wheelhouse}))
    cleaned = replace(
        order,
        folder=_folder(order.folder, report.host.os.family, is_here=is_here),
        wheelhouse=_absolute(order.wheelhouse),
        lock_file=_absolute(order.lock_file),
    )
    series = _asked_series(order.python, tools)
    return _Asked(order=cleaned, version=version, is_lock_hashed=is_hashed, python_series=series)


def _asked_version(order: EnvironmentOrder, machine: JudgedMachine) -> str | None:
    """Give the exact release for ``2.20`` or ``2.20.0``."""
    text = (order.tensorflow or "").strip()
    if not text:
        return None
    rows = machine.rows()
    known = {version: version for row in rows for version in row.versions}
    known |= {row.series: row.newest for row in rows}
    if parse_version(text) is None or text not in known:
        offered = ", ".join(row.newest for row in reversed(rows)) or "0"
        raise UsageError(Message("environment.no-such-release", {"version": text, "known": offered}))
    return known[text]


def _asked_series(python: str | None, tools: Tools) -> str | None:
    if python is None:
        return None
    text = python.strip()
    if re.fullmatch(r"[1-9]\.[0-9][0-9a-z.+]*", text) and parse_version(text) is not None:
        return release_series(text)
    answer = ask_python(_as_interpreter(text), tools.variables) if tools.are_known else None
    return release_series(answer.version) if answer is not None else None


def _as_interpreter(text: str) -> str:
    place = expanded(text)
    inside = ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe")
    found = next((place / name for name in inside if is_there(place / name)), place) if is_folder(place) else place
    return str(found.absolute())


def _series_filter(asked: _Asked) -> frozenset[str] | None:
    return frozenset({asked.python_series}) if asked.python_series is not None else None


def _row_of(machine: JudgedMachine, version: str) -> TensorflowRelease:
    row = next((item for item in machine.rows() if version in item.versions), None)
    if row is None:
        offered = ", ".join(item.newest for item in reversed(machine.rows()))
        raise UsageError(Message("environment.no-such-release", {"version": version, "known": offered}))
    return row


def _what_is_here(
    report: SystemReport, machine: JudgedMachine, tools: Tools, row: TensorflowRelease, python: PythonDecision
) -> tuple[TensorflowRelease, PythonDecision]:
    """Take an older release for the Pythons that are here, when the best one can't be had."""
    version = best_version(machine, here_series(report))
    if version is None or version == row.newest:
        return row, python
    other = _row_of(machine, version)
    found = choose_python(report, fitting_pythons(machine, other), tools)
    return (other, found) if found.taken is not None else (row, python)


def _whole(
    report: SystemReport,
    machine: JudgedMachine,
    asked: _Asked,
    decision: ReleaseDecision,
    python: PythonDecision,
    tools: Tools,
    sources: Sources,
) -> EnvironmentPlan:
    taken = python.taken
    if taken is None:
        raise ValueError("a whole plan has an interpreter")
    releases = release_choices(machine)
    family = report.host.os.family.value
    compiles = decision.compat.outcome is Outcome.JIT_AT_FIRST_START
    times = step_times(sources.size, fetches_python=taken.origin is not PythonOrigin.FOUND, compiles=compiles)
    home = tools.variables.get("HOME") if report.recorded_from is None else "~"
    recipe = Recipe(
        order=asked.order,
        platform=family,
        origin=taken.origin,
        installer=sources.installer,
        base=taken.executable or taken.version,
        requirements=decision.requirements,
        uv=tools.uv,
        conda=tools.conda,
        is_lock_hashed=asked.is_lock_hashed,
        unset=tuple(item.name for item in breaking_variables(tools.variables)),
        given=sources.given,
        home=home,
        with_cuda=decision.with_cuda,
        tensorflow=None if asked.order.lock_file is not None else decision.version,
        times=times,
    )
    return EnvironmentPlan(
        order=asked.order,
        is_here=report.recorded_from is None,
        goal=decision.goal,
        headline=_headline(decision, report),
        remarks=_remarks(decision),
        tensorflow=decision.version,
        requirements=decision.requirements if asked.order.lock_file is None else (),
        pins=decision.pins if asked.order.lock_file is None else (),
        installer=sources.installer,
        release_reason=next(
            (item.reason for item in release_choices(machine) if item.version == decision.version), None
        ),
        python=taken,
        python_reason=python.reason,
        interpreter=new_interpreter(asked.order.folder, family, taken.origin),
        steps=make_steps(recipe),
        size=replace(sources.size, time_s=total_time(times), time_text=time_assumption(sources.size)),
        checks=sources.checks,
        releases=releases,
        pythons=python.choices,
        packages_from=_packages_from(asked.order, sources),
        neutralised=breaking_variables(tools.variables),
        ways_on=_ways_on(decision),
        platform=family,
    )


def _impossible(
    report: SystemReport,
    machine: JudgedMachine,
    asked: _Asked,
    reason: Message | None = None,
    decision: ReleaseDecision | None = None,
) -> EnvironmentPlan:
    """Give the plan of what can't be made: why, and where it goes on."""
    if decision is None and reason is None and machine.judged:
        newest = [item.row for item in machine.judged if not item.row.is_preview][-1]
        decision = decide_release(machine, newest.newest, newest.python[-1])
    return EnvironmentPlan(
        order=asked.order,
        is_here=report.recorded_from is None,
        goal=PlanGoal.IMPOSSIBLE,
        headline=reason or Message("environment.headline-impossible"),
        remarks=_remarks(decision) if decision is not None else (),
        tensorflow=asked.version,
        releases=release_choices(machine),
        ways_on=_ways_on(decision) if decision is not None else (),
        platform=report.host.os.family.value,
    )


def _headline(decision: ReleaseDecision, report: SystemReport) -> Message:
    params: dict[str, MessageValue] = {"version": decision.version}
    if decision.goal is PlanGoal.GPU:
        return Message("environment.headline-gpu", params)
    if decision.goal is PlanGoal.GPU_TO_BE_PROVEN:
        return Message("environment.headline-to-be-proven", params)
    if decision.with_cuda:
        return Message("environment.headline-cuda-later", params)
    return Message("environment.headline-cpu-with-card" if report.gpus else "environment.headline-cpu", params)


def _remarks(decision: ReleaseDecision) -> tuple[LocalText, ...]:
    compat = decision.compat
    said: list[LocalText] = []
    if compat.primary is not None and decision.goal is not PlanGoal.GPU:
        said.append(compat.primary.text)
    for finding in compat.findings:
        is_remark = finding.severity in {Severity.WARNING, Severity.NOTE} and finding.code not in _OWN_REMARKS
        if is_remark and finding.text not in said:
            said.append(finding.text)
    return tuple(said)


def _ways_on(decision: ReleaseDecision) -> tuple[Fix, ...]:
    """Give the ways out of what keeps the GPU away; another environment here is what is being made anyway."""
    primary = decision.compat.primary
    if primary is None or decision.goal is PlanGoal.GPU:
        return ()
    return tuple(fix for fix in primary.fixes if fix.leads_to != "local" or not fix.commands)


def _packages_from(order: EnvironmentOrder, sources: Sources) -> Message:
    if order.wheelhouse is not None:
        return Message("environment.from-folder", {"path": order.wheelhouse})
    if order.index_url is not None:
        return Message("environment.from-index", {"address": masked(order.index_url)})
    if sources.settings:
        return Message("environment.from-pip-settings", {"names": ", ".join(sources.settings)})
    return Message("environment.from-uv-settings" if sources.installer is Installer.UV else "environment.from-default")


def _recorded_tools(report: SystemReport) -> Tools:
    base = next(
        (item for item in report.environments if item.kind is EnvironmentKind.CONDA and item.name == "base"), None
    )
    conda = f"{base.prefix}/bin/conda" if base is not None else None
    return Tools(uv=None, conda=conda, variables={}, are_known=False)


def _folder(text: str, family: OsFamily, *, is_here: bool) -> str:
    """Make a folder absolute; of a machine that is not here it stays as typed, but is never taken for an option."""
    if not text.strip():
        raise UsageError(Message("environment.no-folder"))
    if is_here:
        typed = expanded(text)
        if text.startswith("~") and str(typed).startswith("~"):
            raise UsageError(Message("environment.no-such-home", {"name": typed.parts[0]}))
        place = Path(os.path.abspath(typed))  # noqa: PTH100  # links above stay links
        is_link = os.path.islink(place)  # noqa: PTH114  # the one of pathlib raises
        return str(place.resolve() if is_link and is_there(place) else place)
    pure = PureWindowsPath(text) if family is OsFamily.WINDOWS else PurePosixPath(text)
    return f"./{pure}" if str(pure).startswith("-") else str(pure)


def _absolute(text: str | None) -> str | None:
    return os.path.abspath(expanded(text)) if text is not None else None  # noqa: PTH100  # as above
