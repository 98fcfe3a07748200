"""A machine as seen from inside a target: Linux in WSL on Windows, a container; so that one verdict serves them all."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import CpuInfo, HostInfo, LibraryFacts, MemoryInfo, OsFamily, OsInfo, SystemReport
from gpuconfig_app.core.target import Target, TargetKind

# Stands for "some build that is in the image": a local version, so that no table of stock wheels is applied to it.
UNKNOWN_BUILD = "0+container"


def report_in_target(report: SystemReport, environment: PythonEnvironment | None) -> SystemReport:
    """Give the machine as TensorFlow in an environment sees it; itself for a Python of the machine.

    Args:
        report: The machine.
        environment: Where TensorFlow would run; None for nowhere in particular.
    """
    target = environment.target if environment is not None else None
    if target is None or target.kind is TargetKind.LOCAL:
        return report
    if target.kind is TargetKind.WSL:
        return replace(report, host=_host_in_wsl(report, target))
    return replace(report, host=_host_in_container(report.host))


def environment_in_target(environment: PythonEnvironment | None) -> PythonEnvironment | None:
    """Give an environment as rules take it: named as inside; an image nobody has looked into holds some build."""
    if environment is None or environment.target is None:
        return environment
    inside = replace(environment, executable=environment.target.python)
    if not is_unseen_image(environment):
        return inside
    return replace(inside, packages={**environment.packages, "tensorflow": UNKNOWN_BUILD})


def settled(
    report: SystemReport, environment: PythonEnvironment | None
) -> tuple[SystemReport, PythonEnvironment | None]:
    """Give machine and environment as they are inside the target, as if nothing else existed.

    For what writes down paths and amounts of memory, and for assumptions about the system.
    """
    if environment is None or environment.target is None:
        return report, environment
    python = environment.target.python
    return report_in_target(report, environment), replace(environment, executable=python, target=None)


def is_unseen_image(environment: PythonEnvironment | None) -> bool:
    """Whether an environment is a container's of which only the name is known."""
    target = environment.target if environment is not None else None
    is_container = target is not None and target.kind is TargetKind.CONTAINER
    return is_container and environment is not None and environment.tensorflow_version is None


def host_inside(report: SystemReport, distribution: str | None) -> HostInfo | None:
    """Give the system inside a distribution, by its name in any case; None when nobody has looked into it."""
    wanted = (distribution or "").lower()
    return next((host for name, host in (report.hosts_inside or {}).items() if name.lower() == wanted), None)


def _host_in_wsl(report: SystemReport, target: Target) -> HostInfo:
    known = host_inside(report, target.distribution)
    if known is None:
        return _unknown_linux(report.host, wsl_version=_wsl_version(report, target))
    # The processor is the same one, and Windows' reader may have told more of it.
    cpu = known.cpu if known.cpu.flags is not None else replace(known.cpu, flags=report.host.cpu.flags)
    return replace(known, cpu=cpu, os=replace(known.os, wsl_version=known.os.wsl_version or 2))


def _wsl_version(report: SystemReport, target: Target) -> int:
    found = report.targets.distribution(target.distribution) if report.targets is not None else None
    return found.version or 2 if found is not None else 2


def _host_in_container(host: HostInfo) -> HostInfo:
    """The driver, its kernel side and the processor are the machine's; libraries and variables are the image's own."""
    if host.os.family is not OsFamily.LINUX:
        return _unknown_linux(host, wsl_version=2)
    unseen = {"libraries.libraries": Message("targets.inside-image")}
    libraries = replace(host.libraries, libraries={})
    return replace(host, libraries=libraries, variables={}, absent={**host.absent, **unseen})


def _unknown_linux(host: HostInfo, wsl_version: int) -> HostInfo:
    """Linux inside Windows of which nothing more is known."""
    reason = Message("targets.not-looked-into")
    return HostInfo(
        os=OsInfo(family=OsFamily.LINUX, architecture=host.os.architecture, wsl_version=wsl_version),
        cpu=CpuInfo(name=host.cpu.name, flags=host.cpu.flags, logical_cores=host.cpu.logical_cores),
        memory=MemoryInfo(),
        libraries=LibraryFacts(),
        absent=dict.fromkeys(("libraries.libraries", "libraries.libcuda", "memory.total_bytes", "os.name"), reason),
    )
