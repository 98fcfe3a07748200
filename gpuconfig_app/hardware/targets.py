"""Everything beside this machine's own Pythons in which TensorFlow could run: WSL on Windows, container engines.

Asked only when it is wanted: a machine without them pays for a look along PATH, one with them for a few short calls.
"""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from gpuconfig_app.command import CommandResult, run_command
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.system import HostInfo, SystemReport
from gpuconfig_app.core.target import CONTAINER_PYTHON, IMAGE_ID, Target, TargetKind
from gpuconfig_app.core.target_facts import ContainerEngine, EngineState, TargetFacts, Wsl, WslDistribution, WslState
from gpuconfig_app.hardware.container_engines import EngineSources, read_engines, read_toolkit_version
from gpuconfig_app.hardware.time_limit import PendingAnswer, answers_within
from gpuconfig_app.hardware.windows_facts import WindowsSources, read_windows_facts
from gpuconfig_app.hardware.wsl import PROGRAM, read_wsl
from gpuconfig_app.hardware.wsl_inside import START_LIMIT_S, Inside, look_inside

logger = logging.getLogger(__name__)
Run = Callable[..., CommandResult]
DISTRIBUTIONS_LOOKED_INTO = 8
# Beyond the time that the survey itself takes; a WSL that hangs must not hold up the verdict.
WSL_LIMIT_S = 10.0
_WAIT_STEP_S = 0.1


@dataclass(frozen=True)
class TargetSources:
    """Where targets are looked for; tests put stand-ins in.

    Attributes:
        platform: WSL is asked on ``win32`` only.
        run: Starts programs.
    """

    platform: str = sys.platform
    engines: EngineSources = field(default_factory=EngineSources)
    windows: WindowsSources = field(default_factory=WindowsSources)
    run: Run = run_command

    @property
    def wsl_program(self) -> str | None:
        """Path of ``wsl.exe``, None where there is none."""
        return shutil.which(PROGRAM, path=self.engines.path) if self.platform == "win32" else None


@dataclass(frozen=True, kw_only=True)
class TargetOptions:
    """What is wanted.

    Attributes:
        start: Names of WSL distributions that may be started to be looked into.
        with_engines: Ask container engines too.
        with_windows: Ask Windows what WSL2 needs; takes seconds.
        keeps_wsl: Take what the report holds of WSL, because it was asked just now.
        extra_prefixes: Folders inside the started distributions that hold an environment, wherever they lie.
    """

    start: frozenset[str] = frozenset()
    with_engines: bool = True
    with_windows: bool = True
    keeps_wsl: bool = False
    extra_prefixes: tuple[str, ...] = ()


def with_wsl(
    look: Callable[[], SystemReport], control: JobControl | None = None, sources: TargetSources | None = None
) -> SystemReport:
    """Give a machine together with what its running WSL distributions hold, both looked at side by side.

    Off Windows that is what ``look`` gives. Container engines and Windows itself are not asked.

    Args:
        look: Surveys the machine.

    Raises:
        JobCancelledError: The user ended it.
    """
    given = sources or TargetSources()
    if given.wsl_program is None:
        return look()
    options = TargetOptions(with_engines=False, with_windows=False)
    pending = PendingAnswer(partial(with_targets, SystemReport(), options, control, given), "survey-wsl")
    report = look()
    if not pending.wait(WSL_LIMIT_S):
        return replace(report, notes=(*report.notes, Message("targets.wsl-silent", {"limit_s": WSL_LIMIT_S})))
    found = pending.result()
    return replace(
        report,
        targets=found.targets,
        environments=(*report.environments, *found.environments),
        hosts_inside=found.hosts_inside,
    )


def with_targets(
    report: SystemReport,
    options: TargetOptions | None = None,
    control: JobControl | None = None,
    sources: TargetSources | None = None,
) -> SystemReport:
    """Give the report of this machine together with its targets; their Pythons stand among the environments.

    Args:
        report: As ``survey()`` gave it; what it knew of targets is asked anew.

    Raises:
        JobCancelledError: The user ended it.
    """
    wanted, given, job = options or TargetOptions(), sources or TargetSources(), control or JobControl()
    job.report(None, Message("targets.looking"))
    engines = PendingAnswer(lambda: _engines(wanted, given), "targets-engines")
    seen = _seen_in_wsl(report, wanted, given, job)
    windows = None
    if given.platform == "win32" and wanted.with_windows:
        job.report(None, Message("targets.asking-windows"))
        windows = read_windows_facts(seen.wsl, given.windows)
    job.report(None, Message("targets.asking-engines"))
    while not engines.wait(_WAIT_STEP_S):
        job.check()
    found, toolkit = engines.result()
    own = tuple(item for item in report.environments if item.target is None)
    return replace(
        report,
        targets=TargetFacts(wsl=seen.wsl, windows=windows, engines=found, toolkit_version=toolkit),
        environments=(*own, *seen.environments, *_image_environments(found)),
        hosts_inside=seen.hosts,
    )


@dataclass(frozen=True)
class _Seen:
    """What is known of WSL and of what is in it."""

    wsl: Wsl | None = None
    environments: tuple[PythonEnvironment, ...] = ()
    hosts: Mapping[str, HostInfo] | None = None


def _seen_in_wsl(report: SystemReport, wanted: TargetOptions, given: TargetSources, job: JobControl) -> _Seen:
    if wanted.keeps_wsl and report.targets is not None and report.targets.wsl is not None:
        inside = (item for item in report.environments if item.target is not None)
        kept = tuple(item for item in inside if item.target is not None and item.target.kind is TargetKind.WSL)
        return _Seen(report.targets.wsl, kept, report.hosts_inside)
    wsl, insides = _look_at_wsl(wanted, given, job)
    return _Seen(wsl, tuple(item for one in insides for item in one.environments), _hosts(insides))


def _engines(wanted: TargetOptions, given: TargetSources) -> tuple[tuple[ContainerEngine, ...], str | None]:
    """Give engines and the version of NVIDIA's toolkit; each call in there has its own limit."""
    if not wanted.with_engines:
        return (), None
    return read_engines(given.engines), read_toolkit_version(given.engines)


def _look_at_wsl(wanted: TargetOptions, given: TargetSources, job: JobControl) -> tuple[Wsl | None, tuple[Inside, ...]]:
    if given.platform != "win32":
        return None, ()
    program = given.wsl_program
    wsl = read_wsl(given.run, program) if program is not None else Wsl(state=WslState.ABSENT)
    job.check()
    chosen = wsl.usable[:DISTRIBUTIONS_LOOKED_INTO]
    starting = {name.lower() for name in wanted.start}
    works = [
        lambda item=item: look_inside(
            item,
            may_start=item.name.lower() in starting,
            extra_prefixes=wanted.extra_prefixes if item.name.lower() in starting else (),
            run=given.run,
            program=program or PROGRAM,
        )
        for item in chosen
    ]
    answers = answers_within(START_LIMIT_S + 5.0, works, "wsl-inside")
    insides = tuple(_result_of(answer, item) for answer, item in zip(answers, chosen, strict=True) if answer.is_done)
    known = {one.distribution.name: one.distribution for one in insides}
    return replace(wsl, distributions=tuple(known.get(item.name, item) for item in wsl.distributions)), insides


def _result_of(answer: PendingAnswer[Inside], distribution: WslDistribution) -> Inside:
    try:
        return answer.result()
    except Exception as error:  # what one distribution holds must not take the others along
        logger.exception("distribution %s", distribution.name)
        values = {"name": distribution.name, "detail": type(error).__name__}
        return Inside(distribution=replace(distribution, problem=Message("targets.distribution-failed", values)))


def _hosts(insides: tuple[Inside, ...]) -> Mapping[str, HostInfo] | None:
    return {one.distribution.name: one.host for one in insides if one.host is not None} or None


def _image_environments(engines: tuple[ContainerEngine, ...]) -> tuple[PythonEnvironment, ...]:
    """Give each image at hand as an environment; what it holds is only known by a proof, or by its name."""
    return tuple(
        image_environment(
            Target(kind=TargetKind.CONTAINER, engine=engine.name, image=image.name, python=CONTAINER_PYTHON), image.id
        )
        for engine in engines
        if engine.state is EngineState.READY
        for image in engine.images
    )


def image_environment(target: Target, image_id: str | None = None) -> PythonEnvironment:
    """Give a container's Python as an environment of which only the name is known.

    Args:
        image_id: What tells its content from another one of the same name; a proof of another one does not count.
    """
    extra: dict[str, JsonValue] = {IMAGE_ID: image_id} if image_id is not None else {}
    prefix = target.image or ""
    return PythonEnvironment(executable=target.name, prefix=prefix, name=target.name, target=target, extra=extra)
