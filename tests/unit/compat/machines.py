"""Machines for the tests of the verdict: one healthy workstation, and the faults that can be put into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.gpu import ComputeMode, Gpu, GpuProcess, GpuState, Vendor
from gpuconfig_app.core.python_environment import EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.system import (
    BackendState,
    BackendStatus,
    CpuInfo,
    Disk,
    DriverInfo,
    HostInfo,
    LibraryFacts,
    OsFamily,
    OsInfo,
    SystemReport,
)
from gpuconfig_app.core.units import GIB

CUDA_12 = MappingProxyType(
    {
        "nvidia-cublas-cu12": "12.5.3.2", "nvidia-cuda-nvcc-cu12": "12.5.82", "nvidia-cuda-runtime-cu12": "12.5.82",
        "nvidia-cufft-cu12": "11.2.3.61", "nvidia-curand-cu12": "10.3.6.82", "nvidia-cusolver-cu12": "11.6.3.83",
        "nvidia-cusparse-cu12": "12.5.1.3", "nvidia-nccl-cu12": "2.27.7", "nvidia-nvjitlink-cu12": "12.5.82",
    }
)  # fmt: skip
PACKAGES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "2.15.1": {"numpy": "1.26.4", "keras": "2.15.0", "protobuf": "4.25.8", "nvidia-cudnn-cu12": "8.9.4.25"},
        "2.16.1": {"numpy": "1.26.4", "keras": "3.3.3", "protobuf": "4.25.8", "nvidia-cudnn-cu12": "8.9.7.29"},
        "2.17.1": {"numpy": "1.26.4", "keras": "3.6.0", "protobuf": "4.25.8", "nvidia-cudnn-cu12": "8.9.7.29"},
        "2.18.1": {"numpy": "2.0.2", "keras": "3.8.0", "protobuf": "5.29.5", "nvidia-cudnn-cu12": "9.3.0.75"},
        "2.19.1": {"numpy": "2.1.3", "keras": "3.8.0", "protobuf": "5.29.5", "nvidia-cudnn-cu12": "9.3.0.75"},
        "2.20.0": {"numpy": "2.3.2", "keras": "3.11.3", "protobuf": "6.32.0", "nvidia-cudnn-cu12": "9.10.2.21"},
        "2.21.0": {"numpy": "2.4.6", "keras": "3.15.1", "protobuf": "7.36.2", "nvidia-cudnn-cu12": "9.10.2.21"},
    }
)


def card(name: str = "NVIDIA GeForce RTX 4090", capability: str = "8.9", index: int = 0, memory_gib: int = 24) -> Gpu:
    """Give a healthy card."""
    return Gpu(
        index=index, vendor=Vendor.NVIDIA, name=name, compute_capability=capability, bound_driver="nvidia",
        memory_total_bytes=memory_gib * GIB, compute_mode=ComputeMode.DEFAULT, processes=(), uuid=f"GPU-0000000{index}",
    )  # fmt: skip


def python(
    tensorflow: str | None = "2.21.0", version: str = "3.11.9", packages: Mapping[str, str] | None = None
) -> PythonEnvironment:
    """Give an environment with what pip installs with a release."""
    held: dict[str, str] = {}
    if tensorflow is not None:
        held = {"tensorflow": tensorflow, **CUDA_12, **PACKAGES[tensorflow]}
    return PythonEnvironment(
        executable="/opt/anna/bin/python", prefix="/opt/anna", kind=EnvironmentKind.VENV, python_version=version,
        packages=held | dict(packages or {}), is_current=True,
    )  # fmt: skip


def machine(*gpus: Gpu, driver: str | None = "580.95.05", level: str | None = "13.0") -> SystemReport:
    """Give a healthy Linux workstation; without arguments with one RTX 4090."""
    drivers = (DriverInfo(vendor=Vendor.NVIDIA, version=driver, kernel_version=driver, cuda_version=level),)
    return SystemReport(
        host=HostInfo(
            os=OsInfo(
                family=OsFamily.LINUX, name="Ubuntu 24.04", id="ubuntu", version="24.04", architecture="x86_64",
                glibc_version="2.39",
            ),
            cpu=CpuInfo(name="Ryzen 9", flags=("avx", "avx2", "fma")),
            disks=(Disk(mount="/", free_bytes=900 * GIB),),
            libraries=LibraryFacts(libcuda="/usr/lib/x86_64-linux-gnu/libcuda.so.1", wsl_libcuda=False, has_dxg=False),
        ),
        gpus=gpus or (card(),),
        drivers=drivers if driver else (),
        backends=(BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.READY, source="nvml"),),
    )  # fmt: skip


def verdict_of(report: SystemReport, environment: PythonEnvironment | None = None, **options: object) -> CompatReport:
    """Judge a machine with an environment, by default the healthy one."""
    return check(report, CheckOptions(environment=environment or python(), **options))  # type: ignore[arg-type]  # passed on


def on_system(report: SystemReport, **changes: object) -> SystemReport:
    """Change the operating system of a machine."""
    return replace(report, host=replace(report.host, os=replace(report.host.os, **changes)))  # type: ignore[arg-type]


def on_cards(report: SystemReport, **changes: object) -> SystemReport:
    """Change every card of a machine."""
    return replace(report, gpus=tuple(replace(gpu, **changes) for gpu in report.gpus))  # type: ignore[arg-type]


def with_code(report: SystemReport, code: str, state: BackendState = BackendState.FAILED) -> SystemReport:
    """Let NVIDIA's back-end report a fault."""
    return replace(report, backends=(BackendStatus(vendor=Vendor.NVIDIA, state=state, code=code),))


def with_variables(report: SystemReport, **variables: str) -> SystemReport:
    """Set environment variables of the user."""
    return replace(report, host=replace(report.host, variables={**report.host.variables, **variables}))


def windows(report: SystemReport) -> SystemReport:
    """Give the same machine with native Windows."""
    system = OsInfo(family=OsFamily.WINDOWS, name="Windows 11", id="windows", architecture="x86_64")
    host = replace(report.host, os=system, libraries=LibraryFacts(libcuda="C:\\Windows\\System32\\nvcuda.dll"))
    return replace(report, host=host)


def wsl2(report: SystemReport, **libraries: object) -> SystemReport:
    """Give the same machine as an Ubuntu in WSL2."""
    facts = {"libcuda": "/usr/lib/wsl/lib/libcuda.so.1", "wsl_libcuda": True, "has_dxg": True, **libraries}
    changed = on_system(report, wsl_version=2)
    return replace(changed, host=replace(changed.host, libraries=LibraryFacts(**facts)))  # type: ignore[arg-type]


def _without_libraries(report: SystemReport) -> SystemReport:
    return on_cards(
        with_code(
            replace(
                report, drivers=(), host=replace(report.host, libraries=replace(report.host.libraries, libcuda=None))
            ),
            "library_not_found",
            BackendState.DRIVER_MISSING,
        ),
        state=GpuState.DRIVER_MISSING,
        bound_driver=None,
    )  # fmt: skip


def _old_driver(report: SystemReport) -> SystemReport:
    driver = DriverInfo(vendor=Vendor.NVIDIA, version="418.43", kernel_version="418.43", cuda_version="10.1")
    return replace(report, drivers=(driver,))


def _mismatch(report: SystemReport) -> SystemReport:
    driver = DriverInfo(vendor=Vendor.NVIDIA, version="580.95.05", kernel_version="570.26")
    return replace(report, drivers=(driver,))


def _no_avx(report: SystemReport) -> SystemReport:
    return replace(report, host=replace(report.host, cpu=CpuInfo(flags=("sse4_2",))))


def _taken(report: SystemReport) -> SystemReport:
    owner = (GpuProcess(pid=77, kind="compute"),)
    return on_cards(report, compute_mode=ComputeMode.EXCLUSIVE_PROCESS, processes=owner)


Fault = Callable[[SystemReport], SystemReport]

# Faults of the machine that no release, card or package can make good again.
FAULTS: Mapping[str, Fault] = MappingProxyType(
    {
        "no driver": _without_libraries,
        "old driver": _old_driver,
        "mismatch": _mismatch,
        "no avx": _no_avx,
        "old glibc": lambda report: on_system(report, glibc_version="2.12"),
        "alpine": lambda report: on_system(report, id="alpine", glibc_version=None),
        "nouveau": lambda report: on_cards(report, bound_driver="nouveau", state=GpuState.DRIVER_MISSING),
        "lost": lambda report: on_cards(report, state=GpuState.LOST),
        "failed": lambda report: on_cards(report, state=GpuState.FAILED),
        "silent": lambda report: on_cards(report, state=GpuState.NO_ANSWER),
        "no permission": lambda report: on_cards(report, state=GpuState.NO_PERMISSION),
        "prohibited": lambda report: on_cards(report, compute_mode=ComputeMode.PROHIBITED),
        "taken": _taken,
        "mig without slice": lambda report: on_cards(report, mig_enabled=True, mig_instances=()),
        "hidden": lambda report: with_variables(report, CUDA_VISIBLE_DEVICES="-1"),
        "arm": lambda report: on_system(report, architecture="aarch64"),
        "wsl1": lambda report: on_system(report, wsl_version=1),
        "unknown card": lambda report: on_cards(report, compute_capability=None, name="Graphics Device", pci_id=None),
        "no capability": lambda report: on_cards(report, compute_capability="2.1"),
        "blackwell": lambda report: on_cards(report, compute_capability="12.0", name="NVIDIA GeForce RTX 5090"),
        "windows": windows,
        "no cards": lambda report: replace(report, gpus=()),
    }
)

# Faults of the environment.
PACKAGE_FAULTS: Mapping[str, Callable[[PythonEnvironment], PythonEnvironment]] = MappingProxyType(
    {
        "no cuda": lambda env: replace(env, packages=_without(env, "nvidia-")),
        "no cublas": lambda env: replace(env, packages=_without(env, "nvidia-cublas")),
        "no cudnn": lambda env: replace(env, packages=_without(env, "nvidia-cudnn")),
        "old cudnn": lambda env: replace(env, packages={**env.packages, "nvidia-cudnn-cu12": "8.5.0.96"}),
        "no tensorflow": lambda env: replace(env, packages=_without(env, "tensorflow")),
        "cpu package": lambda env: replace(env, packages={**_without(env, "tensorflow"), "tensorflow-cpu": "2.18.0"}),
        "old python": lambda env: replace(env, python_version="3.6.15"),
        "new python": lambda env: replace(env, python_version="3.15.0"),
        "unknown python": lambda env: replace(env, python_version=None),
        "conda build": lambda env: replace(env, packages={**env.packages, "tensorflow-base": "2.18.0"}),
    }
)  # fmt: skip


def _without(environment: PythonEnvironment, prefix: str) -> dict[str, str]:
    return {name: version for name, version in environment.packages.items() if not name.startswith(prefix)}


def answer(report: CompatReport) -> tuple[str, str, str | None]:
    """Give verdict, outcome and primary code."""
    return report.verdict.value, report.outcome.value, report.primary.code if report.primary else None


def nvidia(version: str, level: str | None = None) -> DriverInfo:
    """Give an NVIDIA driver whose library and module agree."""
    return DriverInfo(vendor=Vendor.NVIDIA, version=version, kernel_version=version, cuda_version=level)


def all_text(report: CompatReport) -> str:
    """Give everything a report says in English, in small letters."""
    texts = [item.text.en + item.title.en for item in report.findings]
    texts += [fix.text.en + " ".join(fix.commands) for item in report.findings for fix in item.fixes]
    return " ".join(texts).lower()
