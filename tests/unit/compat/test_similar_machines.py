"""Machines like those of the public cases, but of another version, card, distribution or order.

Each says what decides, which first remedy is right, and what must not be said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from gpuconfig_app.compat.assume import apply_assumptions
from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.gpu import GpuState, Vendor
from gpuconfig_app.core.python_environment import EnvironmentKind
from gpuconfig_app.core.system import BackendState, BackendStatus, SystemReport
from tests.unit.compat.machines import (
    FAULTS,
    PACKAGE_FAULTS,
    all_text,
    card,
    machine,
    nvidia,
    on_cards,
    on_system,
    python,
    verdict_of,
    windows,
    with_code,
    with_variables,
    wsl2,
)

BLACKWELL = ("NVIDIA GeForce RTX 5070", "12.0")
PASCAL = ("NVIDIA GeForce GTX 1070", "6.1")
HOPPER = ("NVIDIA H100 PCIe", "9.0")


@dataclass(frozen=True, kw_only=True)
class Similar:
    """One machine with what is to be said of it.

    Attributes:
        remedy: Part of the first fix, of its text or its commands.
        never: Words that no text or command may hold.
    """

    make: Callable[[], CompatReport]
    code: str | None
    outcome: str
    remedy: str = ""
    never: tuple[str, ...] = ()


def unserved(report: SystemReport, *, is_open: bool, driver: str) -> SystemReport:
    """Let the driver run without taking the cards."""
    loaded = replace(nvidia(driver), is_open_kernel_module=is_open)
    status = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.FAILED, code="no_devices")
    changed = on_cards(report, state=GpuState.DRIVER_MISSING, bound_driver=None)
    return replace(changed, drivers=(loaded,), backends=(status,))


def with_driver(report: SystemReport, version: str) -> SystemReport:
    """Give a machine another driver."""
    return replace(report, drivers=(nvidia(version),))


def unloaded(report: SystemReport, **system: object) -> SystemReport:
    """Leave the driver's module out."""
    changed = on_system(on_cards(report, state=GpuState.DRIVER_MISSING, bound_driver=None), **system)
    return with_code(changed, "driver_not_loaded", BackendState.DRIVER_MISSING)


def assumed(line: str) -> CompatReport:
    """Judge a machine of assumptions, words parted by two blanks."""
    made = apply_assumptions(None, line.split("  "))
    return check(made.report, CheckOptions(environment=made.environment, tensorflow=made.tensorflow))


def conda_cpu_build() -> CompatReport:
    """Judge what ``conda install tensorflow`` gives where conda saw no driver."""
    environment = python("2.18.1")
    conda = {"conda_builds": {"tensorflow": "cpu_py311h3c6d2e9_1"}}
    return verdict_of(machine(), replace(environment, kind=EnvironmentKind.CONDA, extra=conda))


def one_of_two(first: tuple[str, str], second: tuple[str, str]) -> SystemReport:
    """Give a machine with two cards."""
    return machine(card(*first), card(*second, index=1))


SIMILAR = {
    # P-A01, P-A02: wheels not found, or not there
    "2.16.1 in conda": Similar(
        make=lambda: verdict_of(machine(), replace(python("2.16.1"), kind=EnvironmentKind.CONDA)),
        code="CUDA_WHEELS_NOT_ON_LOADER_PATH", outcome="cpu_only", remedy="2.16.2", never=("driver-", "toolkit"),
    ),
    "no CUDA wheels on Rocky": Similar(
        make=lambda: verdict_of(on_system(machine(), id="rocky", version="9.4"), PACKAGE_FAULTS["no cuda"](python())),
        code="CUDA_RUNTIME_MISSING", outcome="cpu_only", remedy="and-cuda", never=("nvidia-driver", "dnf", "tensorrt"),
    ),
    "conda's build for the processor": Similar(
        make=conda_cpu_build, code="CUDA_RUNTIME_MISSING", outcome="cpu_only", remedy="and-cuda", never=("dnf", "apt"),
    ),
    # P-A03: native Windows
    "Windows with the nightly": Similar(
        make=lambda: verdict_of(windows(machine()), replace(python(), packages={"tf-nightly": "2.23.0.dev20261026"})),
        code="WINDOWS_NATIVE_NO_GPU_BUILD", outcome="cpu_only", remedy="wsl --install", never=("cudnn_", "path="),
    ),
    "Windows, 2.10 and a Python too new for it": Similar(
        make=lambda: assumed("os=windows  gpu=RTX 3060  driver=551.61  tensorflow=2.10  python=3.11"),
        code="PYTHON_NOT_SUPPORTED", outcome="cannot_install", remedy="py -3.10", never=("tensorflow==2.21",),
    ),
    "Windows, 2.10 and a Blackwell card": Similar(
        make=lambda: assumed("os=windows  gpu=RTX 5070  driver=581.57  tensorflow=2.10  python=3.10  cuda_libs=system"),
        code="WHEEL_LACKS_ARCH_FATAL", outcome="gpu_fails", remedy="wsl --install",
    ),
    # P-A04, P-A05: machine code
    "Blackwell in WSL2": Similar(
        make=lambda: assumed("gpu=RTX 5080  wsl=2  driver=581.57  tensorflow=2.18"),
        code="WHEEL_LACKS_ARCH_FATAL", outcome="gpu_fails", remedy="docker run", never=("wait 30", "downgrade"),
    ),
    "Hopper on Debian's driver": Similar(
        make=lambda: verdict_of(on_system(with_driver(machine(card(*HOPPER)), "550.163"), id="debian", version="13")),
        code="DRIVER_TOO_OLD", outcome="gpu_fails", remedy="nvidia-open", never=("install nvidia-driver",),
    ),
    "Hopper with a driver just new enough": Similar(
        make=lambda: verdict_of(replace(machine(card(*HOPPER)), drivers=(nvidia("555.42.02", "12.5"),))),
        code="WHEEL_LACKS_ARCH_SLOW_FIRST_START", outcome="jit_at_first_start", remedy="first start",
    ),
    # P-A07, P-A08, P-A09: the driver's module
    "module and library differ on Arch": Similar(
        make=lambda: verdict_of(FAULTS["mismatch"](on_system(machine(), id="arch", version=None))),
        code="DRIVER_LIBRARY_MISMATCH", outcome="cpu_only", remedy="reboot", never=("forward compat", "pip install"),
    ),
    "numbers of two kinds in WSL2 are no mismatch": Similar(
        make=lambda: verdict_of(wsl2(FAULTS["mismatch"](machine()))), code=None, outcome="native",
    ),
    "Secure Boot on Fedora": Similar(
        make=lambda: verdict_of(unloaded(machine(card(*BLACKWELL)), id="fedora", version="43", secure_boot=True)),
        code="SECURE_BOOT_MODULE_REJECTED", outcome="cpu_only", remedy="kmodgenca", never=("dnf install akmod",),
    ),
    "open modules and a Pascal card": Similar(
        make=lambda: verdict_of(unserved(machine(card(*PASCAL)), is_open=True, driver="580.95.05"), python("2.19.1")),
        code="DRIVER_FLAVOUR_WRONG", outcome="cpu_only", remedy="nvidia-driver-580", never=("580-open",),
    ),
    "proprietary modules and a Blackwell card": Similar(
        make=lambda: verdict_of(unserved(machine(card(*BLACKWELL)), is_open=False, driver="575.64.03")),
        code="DRIVER_FLAVOUR_WRONG", outcome="cpu_only", remedy="nvidia-driver-580-open",
    ),
    "Pascal card after an update to 590": Similar(
        make=lambda: verdict_of(unserved(machine(card(*PASCAL)), is_open=True, driver="590.48.01"), python("2.19.1")),
        code="DRIVER_DROPPED_CARD", outcome="cpu_only", remedy="nvidia-driver-580", never=("not installed",),
    ),
    "driver that takes no card": Similar(
        make=lambda: verdict_of(unserved(machine(), is_open=True, driver="580.95.05")),
        code="DRIVER_LEAVES_CARD_OUT", outcome="cpu_only", remedy="dmesg", never=("is not installed",),
    ),
    "cards without a driver in common": Similar(
        make=lambda: verdict_of(FAULTS["no driver"](one_of_two(BLACKWELL, PASCAL))),
        code="NO_DRIVER", outcome="cpu_only", remedy="Decide which cards", never=("apt install",),
    ),
    # P-A15: containers
    "container on a host with an old driver": Similar(
        make=lambda: verdict_of(on_system(with_driver(machine(), "470.82.01"), container="podman")),
        code="DRIVER_TOO_OLD", outcome="cpu_only", remedy="host", never=("apt install",),
    ),
    "container on a host that dropped the card": Similar(
        make=lambda: verdict_of(
            on_system(replace(machine(card(*PASCAL)), drivers=(nvidia("595.71.05", "13.2"),)), container="docker"),
            python("2.19.1"),
        ),
        code="DRIVER_DROPPED_CARD", outcome="cpu_only", remedy="back to branch R580", never=("apt install", "or later"),
    ),
    # P-A16: hidden cards
    "variable with a word": Similar(
        make=lambda: verdict_of(with_variables(machine(), CUDA_VISIBLE_DEVICES="none")),
        code="VISIBLE_DEVICES_EXCLUDES_ALL", outcome="cpu_only", remedy="unset CUDA_VISIBLE_DEVICES", never=("apt",),
    ),
    "variable that hides the second card": Similar(
        make=lambda: verdict_of(with_variables(one_of_two(PASCAL, PASCAL), CUDA_VISIBLE_DEVICES="0"), python("2.19.1")),
        code=None, outcome="native",
    ),
    # P-A12, P-A13, P-A30: packages and Pythons
    "NumPy 2 with 2.17": Similar(
        make=lambda: verdict_of(machine(), python("2.17.1", packages={"numpy": "2.2.0"})),
        code="NUMPY2_WITH_OLD_TF", outcome="import_fails", remedy="numpy<2", never=("driver", "cuda toolkit"),
    ),
    "free-threaded Python": Similar(
        make=lambda: verdict_of(machine(), replace(python(), implementation="CPython without GIL")),
        code="PYTHON_NOT_SUPPORTED", outcome="cannot_install", remedy="uv venv", never=("driver",),
    ),
    # P-A27: Jetson
    "Jetson whose module is not loaded": Similar(
        make=lambda: verdict_of(
            unloaded(machine(card("Jetson AGX Orin", "8.7")), architecture="aarch64", id="ubuntu", version="22.04")
        ),
        code="JETSON_NEEDS_NVIDIA_WHEEL", outcome="cpu_only", remedy="JetPack", never=("nvidia-driver",),
    ),
    # P-A29: WSL2
    "WSL2 on a Windows without driver": Similar(
        make=lambda: assumed("gpu=RTX 3090  driver=none  wsl=2  tensorflow=2.21"),
        code="WSL_LIBCUDA_PATH", outcome="cpu_only", remedy="wsl --update", never=("apt install",),
    ),
    # nothing there at all
    "no Python": Similar(
        make=lambda: check(machine(), CheckOptions()),
        code="NO_SUITABLE_ENVIRONMENT", outcome="import_fails", remedy="uv venv",
    ),
    "release before the table": Similar(
        make=lambda: assumed("gpu=RTX 4090  driver=580.95.05  tensorflow=2.9.1"),
        code="TENSORFLOW_BUILD_NOT_LISTED", outcome="unknown", remedy="Prove it",
    ),
}  # fmt: skip


@pytest.mark.parametrize("similar", SIMILAR.values(), ids=SIMILAR)
def test_similar_machine_gets_its_cause_and_its_remedy(similar):
    found = similar.make()

    primary = found.primary
    assert (primary.code if primary else None, found.outcome.value) == (similar.code, similar.outcome)
    if primary is not None:
        first = primary.fixes[0]
        assert similar.remedy in " ".join((first.text.en, *first.commands))
    for words in similar.never:
        assert words not in all_text(found), words
