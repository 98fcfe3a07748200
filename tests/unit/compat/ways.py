"""Machines and their ways, for the tests of the steps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.ways_on import find_ways
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target_facts import (
    ContainerEngine,
    EngineState,
    TargetFacts,
    WindowsFacts,
    Wsl,
    WslState,
)
from gpuconfig_app.core.way_on import Way, WaysOn, WayStep
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.knowledge.identify import fill_from_catalogue

MACHINES = Path(__file__).resolve().parents[2] / "machines"
IMAGE = "nvcr.io/nvidia/tensorflow:25.02-tf2-py3"
READY_WSL = Wsl(state=WslState.READY, version="2.6.1.0", default_version=2)
ON = WindowsFacts(
    build=22631, has_virtualization=True, has_vm_platform=True, has_wsl_feature=True, is_restart_pending=False
)
PODMAN = ContainerEngine(name="podman", state=EngineState.READY, has_cdi=False)
DOCKER = ContainerEngine(name="docker", state=EngineState.READY, version="27.3.1", storage="/var/lib/docker")


def machine(name: str, **changes: object) -> SystemReport:
    return replace(fill_from_catalogue(load_machine(MACHINES / name).report), **changes)


def ways_of(report: SystemReport, proven: frozenset[str] = frozenset(), number: int = 0) -> WaysOn | None:
    environment = report.environments[number] if report.environments else None
    return find_ways(report, check(report, CheckOptions(environment=environment)), proven)


def way(report: SystemReport, name: str, **more: object) -> Way:
    return next(item for item in ways_of(report, **more).ways if item.id == name)


def step(report: SystemReport, way_name: str, name: str, **more: object) -> WayStep:
    return next(item for item in way(report, way_name, **more).steps if item.id == name)


def windows(wsl: Wsl | None = READY_WSL, facts: WindowsFacts = ON, **changes: object) -> SystemReport:
    return machine("windows-native", targets=TargetFacts(wsl=wsl, windows=facts), **changes)


def blackwell(*engines: ContainerEngine, toolkit: str | None = None, **changes: object) -> SystemReport:
    facts = TargetFacts(engines=engines, toolkit_version=toolkit)
    return machine("rtx5090-stock-wheels", targets=facts, **changes)


def states(report: SystemReport, name: str = "wsl2", **more: object) -> dict[str, str]:
    return {item.id: item.state.value for item in way(report, name, **more).steps}
