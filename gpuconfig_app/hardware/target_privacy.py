"""What of targets may leave the machine: distributions and images by names that the whole world uses, nothing else.

A distribution somebody named himself, an image of a company's registry and the user's name inside Linux are personal
and become stand-ins that still tell one from the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import HostInfo, SystemReport
from gpuconfig_app.core.target import Target
from gpuconfig_app.core.target_facts import TargetFacts, Wsl, WslDistribution

_DISTRIBUTION = re.compile(
    r"(?:Ubuntu(?:-\d\d\.\d\d)?|Debian|kali-linux|openSUSE-\S*|SUSE-\S*|SLES-\S*|Alpine|AlmaLinux\S*|Fedora\S*"
    r"|FedoraLinux\S*|OracleLinux\S*|archlinux|docker-desktop(?:-data)?|podman-machine-default)",
    re.IGNORECASE,
)
_IMAGE = re.compile(
    r"(?:docker\.io/)?(?:tensorflow/tensorflow|rocm/tensorflow|nvcr\.io/nvidia/tensorflow)(?::[\w.-]+)?"
)
_USER_HOME = re.compile(r"/home/[^/:]+|/root(?=[/:]|$)")


@dataclass(frozen=True)
class _Names:
    """Stand-ins by name."""

    distributions: Mapping[str, str]
    images: Mapping[str, str]

    def distribution(self, name: str | None) -> str | None:
        return self.distributions.get(name, name) if name is not None else None

    def image(self, name: str | None) -> str | None:
        return self.images.get(name, name) if name is not None else None


def hide_targets(report: SystemReport) -> SystemReport:
    """Give the report with stand-ins for what is personal about its targets; ``redact`` does the rest."""
    names = _Names(_distribution_names(report), _image_names(report))
    return replace(
        report,
        targets=_facts(report.targets, names) if report.targets is not None else None,
        environments=tuple(_environment(item, names) for item in report.environments),
        hosts_inside=_hosts(report.hosts_inside, names) if report.hosts_inside is not None else None,
    )


def _distribution_names(report: SystemReport) -> dict[str, str]:
    wsl = report.targets.wsl if report.targets is not None else None
    told = [item.name for item in wsl.distributions] if wsl is not None else []
    named = [item.target.distribution for item in report.environments if item.target is not None]
    known = dict.fromkeys([*told, *(name for name in named if name), *(report.hosts_inside or ())])
    own = [name for name in known if not _DISTRIBUTION.fullmatch(name)]
    return {name: f"distribution-{number}" for number, name in enumerate(own, start=1)}


def _image_names(report: SystemReport) -> dict[str, str]:
    engines = report.targets.engines if report.targets is not None else ()
    told = [image.name for engine in engines for image in engine.images]
    named = [item.target.image for item in report.environments if item.target is not None]
    own = [name for name in dict.fromkeys([*told, *(name for name in named if name)]) if not _IMAGE.fullmatch(name)]
    return {name: f"image-{number}" for number, name in enumerate(own, start=1)}


def _facts(facts: TargetFacts, names: _Names) -> TargetFacts:
    engines = tuple(
        replace(
            engine,
            images=tuple(replace(image, name=names.image(image.name) or "") for image in engine.images),
        )
        for engine in facts.engines
    )
    return replace(facts, engines=engines, wsl=_wsl(facts.wsl, names) if facts.wsl is not None else None)


def _wsl(wsl: Wsl, names: _Names) -> Wsl:
    hidden = tuple(_distribution(item, names.distribution(item.name) or "") for item in wsl.distributions)
    return replace(wsl, distributions=hidden)


def _distribution(item: WslDistribution, name: str) -> WslDistribution:
    problem = item.problem
    if problem is not None:
        problem = Message(problem.id, {**problem.params, "name": name})
    return replace(item, name=name, home=None, problem=problem)


def _environment(item: PythonEnvironment, names: _Names) -> PythonEnvironment:
    if item.target is None:
        return item
    target = _target(item.target, names)
    known = item.target.distribution or item.target.image or ""
    shown = names.distribution(known) if item.target.distribution else names.image(known)
    prefix = _without_home(item.prefix) if item.target.distribution else (shown or "")
    return replace(
        item,
        executable=target.name,
        prefix=prefix,
        name=item.name.replace(known, shown or "") if item.name and known else item.name,
        nvidia_library_folders=tuple(map(_without_home, item.nvidia_library_folders)),
        target=target,
    )


def _target(target: Target, names: _Names) -> Target:
    return replace(
        target,
        python=_without_home(target.python),
        distribution=names.distribution(target.distribution),
        image=names.image(target.image),
    )


def _hosts(hosts: Mapping[str, HostInfo], names: _Names) -> dict[str, HostInfo]:
    return {names.distribution(name) or name: _host(host) for name, host in hosts.items()}


def _host(host: HostInfo) -> HostInfo:
    libraries = {name: _without_home(path) for name, path in host.libraries.libraries.items()}
    return replace(
        host,
        host_name=None,
        libraries=replace(host.libraries, libraries=libraries),
        variables={name: _USER_HOME.sub("~", value) for name, value in host.variables.items()},
    )


def _without_home(path: str) -> str:
    """Write the user's home folder inside Linux as ``~``: its name there need not be the one in Windows."""
    return _USER_HOME.sub("~", path, count=1)
