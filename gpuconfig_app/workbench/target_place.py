"""From an environment to the place its proof is started in."""

from __future__ import annotations

import sys

from gpuconfig_app.compat.target_view import host_inside
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target import CONTAINER_PYTHON, Target, TargetKind
from gpuconfig_app.core.target_facts import ContainerEngine
from gpuconfig_app.hardware.container_engines import EngineSources, read_engines
from gpuconfig_app.hardware.targets import TargetSources
from gpuconfig_app.hardware.wsl_paths import DRIVES
from gpuconfig_app.runner.proof_place import ContainerPlace, ProofPlace, WslPlace


def place_of(
    report: SystemReport, environment: PythonEnvironment, sources: TargetSources | None = None
) -> ProofPlace | None:
    """Give the place to start a proof in; None for a Python of this machine.

    Args:
        report: With targets where they are known; else the engine is asked.

    Raises:
        UsageError: The target can't be reached from this machine.
    """
    target, given = environment.target, sources or TargetSources()
    if target is None or target.kind is TargetKind.LOCAL:
        return None
    if target.kind is TargetKind.WSL:
        return _wsl_place(report, target, given)
    return _container_place(report, target, given.engines)


def _wsl_place(report: SystemReport, target: Target, sources: TargetSources) -> ProofPlace:
    program = sources.wsl_program
    if program is None:
        raise UsageError(Message("targets.no-wsl", {"name": target.distribution or "?"}))
    known = report.targets.distribution(target.distribution) if report.targets is not None else None
    host = host_inside(report, target.distribution)
    return WslPlace(
        distribution=target.distribution or "",
        python=target.python,
        variables=host.variables if host is not None else {},
        drives=known.drives if known is not None and host is not None else DRIVES,
        program=program,
    )


def _container_place(report: SystemReport, target: Target, sources: EngineSources) -> ProofPlace:
    name = target.engine or ""
    program = sources.find(name) or (sources.find("singularity") if name == "apptainer" else None)
    if program is None:
        raise UsageError(Message("targets.no-engine", {"name": name}))
    known = report.targets.engine(name) if report.targets is not None else None
    engine = known or next((item for item in read_engines(sources) if item.name == name), None)
    return ContainerPlace(
        engine=name,
        image=_image_file(target.image or "") if name == "apptainer" else target.image or "",
        python=target.python or CONTAINER_PYTHON,
        program=program,
        devices=_devices(report, name, engine),
    )


def _image_file(image: str) -> str:
    """Give the absolute path of an image file; what would have to be fetched first is refused.

    Raises:
        UsageError: It is an address.
    """
    if "://" in image:
        raise UsageError(Message("targets.no-image-file", {"name": image}), Message("targets.no-image-file-hint"))
    return str(expanded(image).absolute())


def _devices(report: SystemReport, name: str, engine: ContainerEngine | None) -> tuple[str, ...]:
    """Give the words that pass on the cards; without a card of ours nothing is passed on."""
    vendors = {gpu.vendor for gpu in report.gpus}
    if Vendor.NVIDIA in vendors:
        if name == "apptainer":
            return ("--nv",)
        has_only_cdi = engine is not None and engine.has_cdi and not engine.has_nvidia_runtime
        return ("--device", "nvidia.com/gpu=all") if name == "podman" or has_only_cdi else ("--gpus", "all")
    if Vendor.AMD in vendors and sys.platform.startswith("linux"):
        return (
            ("--rocm",) if name == "apptainer" else ("--device=/dev/kfd", "--device=/dev/dri", "--group-add", "video")
        )
    return ()
