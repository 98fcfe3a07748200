"""WSL and container engines as such machines have them, and a Windows whose TensorFlow lives in WSL2."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import HostInfo, SystemReport
from gpuconfig_app.core.target import Target, TargetKind
from gpuconfig_app.core.target_facts import (
    ContainerEngine,
    EngineState,
    TargetFacts,
    WindowsFacts,
    Wsl,
    WslDistribution,
    WslState,
)
from gpuconfig_app.core.units import GIB
from tests.machine_recipes.cards import card
from tests.machine_recipes.environments import environment
from tests.machine_recipes.healthy import NVML, TAKEN_AT
from tests.machine_recipes.hosts import nvidia_driver, windows, wsl2
from tests.machine_recipes.readings import Course, training
from tests.machine_recipes.recipe import Expected, Recipe

UBUNTU = "Ubuntu-22.04"


def restart_pending() -> TargetFacts:
    """Windows has switched on its part of WSL2 and waits for a restart."""
    return TargetFacts(
        wsl=Wsl(state=WslState.READY, version="2.6.1.0", kernel="6.6.87.2-1", default_version=2),
        windows=WindowsFacts(
            build=26100,
            display_version="24H2",
            is_hypervisor_running=False,
            has_virtualization=True,
            has_vm_platform=True,
            has_wsl_feature=True,
            is_restart_pending=True,
        ),
    )


def docker_without_toolkit() -> TargetFacts:
    """Docker answers, and nothing of NVIDIA's is registered with it."""
    docker = ContainerEngine(
        name="docker",
        state=EngineState.READY,
        version="27.3.1",
        has_nvidia_runtime=False,
        has_cdi=False,
        is_rootless=False,
        storage="/var/lib/docker",
    )
    return TargetFacts(engines=(docker,))


def in_wsl(item: PythonEnvironment, distribution: str) -> PythonEnvironment:
    """Put an environment into a distribution."""
    target = Target(kind=TargetKind.WSL, distribution=distribution, python=item.executable)
    return replace(item, executable=target.name, name=f"{item.name} ({distribution})", target=target, is_current=False)


def linux_inside() -> HostInfo:
    """Give the Ubuntu in WSL2 as the survey of Windows reads it: no host name, no model."""
    host = wsl2()
    return replace(host, variables_origin="login_shell")


def target_machines() -> tuple[Recipe, ...]:
    """Give every machine whose TensorFlow lives elsewhere."""
    return (_windows_with_wsl(),)


def _windows_with_wsl() -> Recipe:
    gpu = card("NVIDIA GeForce RTX 4070", used_mib=1210, display=True, windows=True)
    gpu = replace(gpu, processes=None, absent={**gpu.absent, "processes": Message("hardware.not-told-by-driver")})
    native = environment("2.21.0", python="3.12.8", cuda=False, folder="~\\training\\.venv", windows=True)
    inside = in_wsl(environment("2.21.0", python="3.10.12", folder="~/tensorflow", current=False), UBUNTU)
    facts = TargetFacts(
        wsl=Wsl(
            state=WslState.READY,
            version="2.6.1.0",
            kernel="6.6.87.2-1",
            default_version=2,
            distributions=(
                WslDistribution(name=UBUNTU, version=2, is_default=True, is_running=True, drives="/mnt/"),
                WslDistribution(
                    name="Debian",
                    version=2,
                    is_running=False,
                    problem=Message("targets.distribution-stopped", {"name": "Debian"}),
                ),
            ),
        ),
        windows=WindowsFacts(
            build=22631,
            display_version="23H2",
            is_hypervisor_running=True,
            has_virtualization=True,
            has_vm_platform=True,
            has_wsl_feature=True,
            is_restart_pending=False,
            wslconfig="~\\.wslconfig",
            wslconfig_memory_bytes=48 * GIB,
        ),
    )
    return Recipe(
        name="windows-with-wsl",
        title=LocalText("Windows 11 whose TensorFlow lives in WSL2", "Windows 11，TensorFlow 位于 WSL2 中"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=windows(memory_gib=63.8, build="10.0.22631"),
            environments=(native, inside),
            gpus=(gpu,),
            drivers=(nvidia_driver("581.42", "13.0"),),
            backends=(NVML,),
            targets=facts,
            hosts_inside={UBUNTU: linux_inside()},
        ),
        expected=Expected(
            verdict="blocked",
            outcome="cpu_only",
            primary_code="WINDOWS_NATIVE_NO_GPU_BUILD",
            why="of the Python on Windows; the one in WSL2 is ready",
        ),
        samples=training({"0": Course(start_s=None, idle_w=14, idle_mib=1210, limit_w=200, load_pct=2, idle_c=36)}),
    )
