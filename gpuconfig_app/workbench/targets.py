"""A Python elsewhere by its name (``wsl:…``, ``docker:…``): found, described, put beside its machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import OsFamily, SystemReport
from gpuconfig_app.core.target import Target, TargetKind, parse_target
from gpuconfig_app.hardware.container_engines import read_image_id
from gpuconfig_app.hardware.targets import TargetOptions, TargetSources, image_environment, with_targets
from gpuconfig_app.knowledge.ways_on import known_image
from gpuconfig_app.workbench.environment_choice import choose_environment, find_environment

Judge = Callable[[SystemReport, PythonEnvironment], CompatReport]


def target_environment(
    report: SystemReport,
    name: str,
    judge: Judge,
    control: JobControl | None = None,
    sources: TargetSources | None = None,
) -> tuple[SystemReport, PythonEnvironment]:
    """Find the Python that a target's name means; a distribution that is named may be started to look into it.

    Args:
        report: The machine.
        name: As ``--python`` takes it; of a distribution without a Python the best one in it is taken.
        judge: Gives the verdict of an environment of a report.

    Returns:
        The machine with what was learned of its targets, and the environment.

    Raises:
        UsageError: The name can't be understood, or there is no such distribution or Python.
        JobCancelledError: The user ended it.
    """
    target = _with_full_path(parse_target(name))
    found = find_environment(report, target.name)
    if found is not None and found.target is not None:
        return report, found
    if target.kind is TargetKind.CONTAINER:
        engines = (sources or TargetSources()).engines
        is_here = report.recorded_from is None
        image_id = read_image_id(target.engine or "", target.image or "", engines) if is_here else None
        return report, _with_known_image(image_environment(target, image_id))
    return _in_distribution(report, target, judge, control, sources)


def _with_full_path(target: Target) -> Target:
    """Name an image file by its full path, so that its proof is found again from any folder."""
    if target.engine != "apptainer" or target.image is None or "://" in target.image:
        return target
    return replace(target, image=str(expanded(target.image).absolute()))


def with_known_images(report: SystemReport) -> SystemReport:
    """Fill in what well-known images hold, by their names."""
    return replace(report, environments=tuple(_with_known_image(item) for item in report.environments))


def _with_known_image(environment: PythonEnvironment) -> PythonEnvironment:
    target = environment.target
    row = known_image(target.image) if target is not None and target.image else None
    if row is None or environment.packages:
        return environment
    # A local version: NVIDIA's own build, which the tables of stock wheels say nothing about.
    return replace(environment, packages={"tensorflow": f"{row.tensorflow}+nv{row.id.rpartition('-')[2]}"})


def _in_distribution(
    report: SystemReport,
    target: Target,
    judge: Judge,
    control: JobControl | None,
    sources: TargetSources | None,
) -> tuple[SystemReport, PythonEnvironment]:
    name = target.distribution or ""
    if report.recorded_from is not None or report.host.os.family is not OsFamily.WINDOWS:
        if report.host.os.family is not OsFamily.WINDOWS:
            raise UsageError(Message("targets.no-wsl", {"name": name}))
        return _chosen(report, target, judge)
    options = TargetOptions(
        start=frozenset({name}),
        with_engines=False,
        with_windows=False,
        extra_prefixes=(target.python.rsplit("/", 2)[0],) if target.python.count("/") >= 3 else (),
    )
    return _chosen(with_targets(report, options, control, sources), target, judge)


def _chosen(report: SystemReport, target: Target, judge: Judge) -> tuple[SystemReport, PythonEnvironment]:
    name = target.distribution or ""
    known = report.targets.distribution(name) if report.targets is not None else None
    if known is None:
        raise UsageError(Message("targets.no-distribution", {"name": name}), Message("targets.no-distribution-hint"))
    if known.problem is not None:
        raise UsageError(known.problem)
    inside = tuple(item for item in report.environments if _is_in(item, known.name))
    if target.python:
        wanted = replace(target, distribution=known.name).name
        found = next((item for item in inside if item.executable == wanted), None) or _by_folder(inside, target.python)
        if found is None:
            raise UsageError(Message("targets.no-such-python", {"path": target.python, "name": known.name}))
        return report, found
    here = replace(report, environments=inside)
    best = choose_environment(here, lambda item: judge(report, item))
    if best is None:
        raise UsageError(Message("targets.no-python-inside", {"name": known.name}))
    return report, best


def _is_in(item: PythonEnvironment, distribution: str) -> bool:
    return item.target is not None and item.target.distribution == distribution


def _by_folder(inside: tuple[PythonEnvironment, ...], python: str) -> PythonEnvironment | None:
    """Find an environment by its folder, or by another name of its interpreter (``python3``, ``python3.12``)."""
    prefix, name = python.rsplit("/bin/", 1) if "/bin/python" in python else (python, "")
    found = next((item for item in inside if item.prefix == prefix), None)
    if found is None or found.target is None or not name:
        return found
    target = replace(found.target, python=python)
    return replace(found, executable=target.name, target=target) if found.kind.value != "system" else None
