"""Machines on which TensorFlow does not use the GPU, or fails on it."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig_app.core.gpu import GpuState, Vendor
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import EnvironmentKind
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState, BackendStatus, DriverInfo, HostInfo, SystemReport
from tests.machine_recipes.cards import card, silent_card
from tests.machine_recipes.environments import environment, system_python
from tests.machine_recipes.healthy import NVML, READY, TAKEN_AT
from tests.machine_recipes.hosts import linux, nvidia_driver, windows
from tests.machine_recipes.readings import Course, lost_after, training
from tests.machine_recipes.recipe import Expected, Recipe
from tests.machine_recipes.targets import docker_without_toolkit, restart_pending


def _report(host: HostInfo, *environments: object, **fields: object) -> SystemReport:
    return SystemReport(taken_at=TAKEN_AT, host=host, environments=environments, **fields)  # type: ignore[arg-type]  # passed on


def _failed(code: str, reason: Message, state: BackendState = BackendState.FAILED) -> BackendStatus:
    return BackendStatus(vendor=Vendor.NVIDIA, state=state, code=code, reason=reason, source="pci")


def _rtx5090() -> Recipe:
    gpu = card("NVIDIA GeForce RTX 5090", used_mib=702, display=True, persistence=False)
    other = environment("2.21.0", folder="~/try/.venv", current=False)
    return Recipe(
        name="rtx5090-stock-wheels",
        title=LocalText("RTX 5090 with TensorFlow from the package index", "RTX 5090，使用官方 TensorFlow 安装包"),
        report=_report(
            linux(memory_gib=93.9, model="MS-7E51"),
            environment("2.20.0"), other, system_python(),
            gpus=(gpu,), drivers=(nvidia_driver(),), backends=(NVML,), targets=docker_without_toolkit(),
        ),
        expected=Expected(
            verdict="blocked", outcome="gpu_fails", primary_code="WHEEL_LACKS_ARCH_FATAL",
            why="no 12.x machine code in 2.20, and its sm_90a PTX cannot be compiled for the card",
        ),
        samples=training(
            {"0": Course(start_s=None, idle_w=21, idle_mib=702, limit_w=575, idle_c=38, memory_clock_mhz=14001)}
        ),
        is_shipped=True,
    )  # fmt: skip


def _gtx1080ti() -> Recipe:
    return Recipe(
        name="gtx1080ti-new-cudnn",
        title=LocalText("GTX 1080 Ti with a cuDNN that has dropped it", "GTX 1080 Ti，cuDNN 已不再支持该卡"),
        report=_report(
            linux("debian-12", "8700K", 31.3),
            environment("2.21.0", python="3.11.9", cudnn="9.28.0.42"), system_python("3.11", "/usr/bin/python3.11"),
            gpus=(card("NVIDIA GeForce GTX 1080 Ti", used_mib=244, display=True, persistence=False),),
            drivers=(nvidia_driver(),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="blocked", outcome="gpu_fails", primary_code="CUDNN_DROPPED_ARCH",
            why="TensorFlow has sm_60 code, cuDNN 9.28 starts at 7.5; cure: nvidia-cudnn-cu12==9.10.2.21",
        ),
        samples=training(
            {"0": Course(start_s=None, idle_w=11, idle_mib=244, limit_w=250, idle_c=41)}, seconds=60
        ),
    )  # fmt: skip


def _windows() -> Recipe:
    gpu = card("NVIDIA GeForce RTX 4080 SUPER", used_mib=1830, display=True, windows=True)
    gpu = replace(gpu, processes=None, absent={**gpu.absent, "processes": Message("hardware.not-told-by-driver")})
    env = environment("2.21.0", python="3.12.8", cuda=False, folder="~\\training\\.venv", windows=True)
    return Recipe(
        name="windows-native",
        title=LocalText("Windows 11 with an RTX 4080 SUPER", "Windows 11 台式机，RTX 4080 SUPER"),
        report=_report(
            windows(), env, gpus=(gpu,), drivers=(nvidia_driver("581.57", "13.0"),), backends=(NVML,),
            targets=restart_pending(),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="WINDOWS_NATIVE_NO_GPU_BUILD",
            why="no release after 2.10 has a GPU build for native Windows; the way on is WSL2",
        ),
        samples=training(
            {"0": Course(start_s=None, idle_w=24, idle_mib=1830, limit_w=320, load_pct=3, idle_c=40)}
        ),
        is_shipped=True,
    )  # fmt: skip


def _no_gpu() -> Recipe:
    none = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.NOT_PRESENT)
    return Recipe(
        name="no-gpu",
        title=LocalText("Office computer without a graphics card", "没有独立显卡的办公电脑"),
        report=_report(
            linux("ubuntu-24.04", "8700K", 15.5, libcuda=None), environment("2.21.0", cuda=False), system_python(),
            backends=(none,),
        ),
        expected=Expected(
            verdict="cpu_only", outcome="cpu_only", primary_code="NO_GPU", why="nothing usable on the PCI bus"
        ),
        is_shipped=True,
    )  # fmt: skip


def _nouveau() -> Recipe:
    reason = Message("host.bound-to-nouveau")
    gpu = silent_card("NVIDIA GeForce RTX 3060", GpuState.DRIVER_MISSING, reason, bound_driver="nouveau")
    status = _failed("driver_not_loaded", reason, BackendState.DRIVER_MISSING)
    return Recipe(
        name="card-with-nouveau",
        title=LocalText("RTX 3060 held by the nouveau driver", "RTX 3060 被 nouveau 驱动占用"),
        report=_report(
            linux("debian-12", "8700K", 31.3, libcuda=None), environment("2.21.0", python="3.11.9"),
            system_python("3.11", "/usr/bin/python3.11"), gpus=(gpu,), backends=(status,),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="NOUVEAU_BOUND", why="the bound driver proves it"
        ),
    )  # fmt: skip


def _no_driver() -> Recipe:
    reason = Message("host.no-driver-bound")
    gpu = silent_card("NVIDIA GeForce RTX 4070", GpuState.DRIVER_MISSING, reason)
    status = _failed("library_not_found", reason, BackendState.DRIVER_MISSING)
    return Recipe(
        name="card-without-driver",
        title=LocalText("RTX 4070, no driver installed yet", "RTX 4070，尚未安装驱动"),
        report=_report(
            linux("ubuntu-24.04", "7950X", 62.6, libcuda=None), environment("2.21.0"), system_python(),
            gpus=(gpu,), backends=(status,),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="NO_DRIVER",
            why="the card is on the bus, nothing is bound to it and no libcuda is there",
        ),
    )  # fmt: skip


def _mismatch() -> Recipe:
    reason = Message("hardware.driver-library-mismatch-versions", {"library": "470.57.02", "module": "460.91.03"})
    gpu = silent_card("NVIDIA GeForce RTX 3090", GpuState.FAILED, reason, bound_driver="nvidia")
    driver = DriverInfo(vendor=Vendor.NVIDIA, version="470.57.02", kernel_version="460.91.03")
    return Recipe(
        name="driver-library-mismatch",
        title=LocalText("Driver updated, old module still loaded", "驱动已升级，旧内核模块仍在内存中"),
        report=_report(
            linux("ubuntu-20.04", "8700K", 62.7), environment("2.11.0", python="3.10.13", cuda=False),
            system_python("3.8", "/usr/bin/python3.8"), gpus=(gpu,), drivers=(driver,),
            backends=(_failed("driver_library_mismatch", reason),),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="DRIVER_LIBRARY_MISMATCH",
            why="unattended upgrade; a restart cures it",
        ),
    )  # fmt: skip


def _lost() -> Recipe:
    name = "NVIDIA GeForce RTX 3090"
    gpus = (card(name, 0, bus="1a:00.0"), card(name, 1, bus="68:00.0"))
    course = Course(
        memory_mib=22104, work_w=338, limit_w=350, work_c=74, clock_mhz=1860, memory_clock_mhz=9751, start_s=4
    )
    return Recipe(
        name="gpu-lost-halfway",
        title=LocalText("Two RTX 3090, one falls off the bus", "两张 RTX 3090，其中一张中途掉卡"),
        report=_report(
            linux("ubuntu-22.04", "7950X", 125.6), environment("2.21.0", python="3.11.9"),
            gpus=gpus, drivers=(nvidia_driver(),), backends=(NVML,),
        ),
        expected=READY,
        samples=lost_after(training({"0": course, "1": replace(course, work_c=86)}, seconds=100), "1", 55),
        is_shipped=True,
    )  # fmt: skip


def _no_avx() -> Recipe:
    return Recipe(
        name="cpu-without-avx",
        title=LocalText("Mini computer whose processor lacks AVX", "处理器不支持 AVX 的迷你主机"),
        report=_report(
            linux("ubuntu-22.04", "N4505", 7.5, libcuda=None, display="none"),
            environment("2.21.0", python="3.11.9", cuda=False),
            backends=(BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.NOT_PRESENT),),
        ),
        expected=Expected(
            verdict="blocked", outcome="import_fails", primary_code="CPU_LACKS_AVX", why="the wheels need AVX"
        ),
    )  # fmt: skip


def _cpu_wheel() -> Recipe:
    return Recipe(
        name="cpu-only-wheel",
        title=LocalText("RTX 3060, TensorFlow without its CUDA libraries", "RTX 3060，TensorFlow 缺少 CUDA 库"),
        report=_report(
            linux("ubuntu-22.04", "8700K", 31.3), environment("2.21.0", python="3.11.9", cuda=False),
            system_python("3.10", "/usr/bin/python3.10"),
            gpus=(card("NVIDIA GeForce RTX 3060", used_mib=330, display=True, persistence=False),),
            drivers=(nvidia_driver(),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="CUDA_RUNTIME_MISSING",
            why="installed without the and-cuda extra, no system CUDA either; the driver is fine",
        ),
        samples=training({"0": Course(start_s=None, idle_w=13, idle_mib=330, limit_w=170)}, seconds=60),
    )  # fmt: skip


def _container() -> Recipe:
    reason = Message("host.container-without-gpu")
    gpu = silent_card("Tesla T4", GpuState.DRIVER_MISSING, reason, bus="00:1e.0", bound_driver="nvidia")
    host = linux(
        "ubuntu-22.04", "8480+", 15.4, libcuda=None, display="none", container="docker", limit_gib=12,
    )  # fmt: skip
    host = replace(host, cpu=replace(host.cpu, physical_cores=2, logical_cores=4, usable_threads=4))
    return Recipe(
        name="container-without-gpu",
        title=LocalText("Container that was started without its GPU", "启动时未分配 GPU 的容器"),
        report=_report(
            host, environment("2.21.0", python="3.11.9", folder="/opt/venv"), gpus=(gpu,),
            backends=(_failed("library_not_found", reason, BackendState.DRIVER_MISSING),),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="CONTAINER_TOOLKIT_MISSING",
            why="the card is on the bus and its module is loaded, but the container has no libcuda",
        ),
    )  # fmt: skip


def _old_driver() -> Recipe:
    return Recipe(
        name="driver-too-old",
        title=LocalText("V100 server with a driver of the CUDA 11 years", "V100 服务器，驱动停留在 CUDA 11 时代"),
        report=_report(
            linux("ubuntu-20.04", "7742", 503.7, display="none"), environment("2.18.0", python="3.10.13"),
            system_python("3.8", "/usr/bin/python3.8"),
            gpus=(card("Tesla V100-SXM2-16GB", bus="15:00.0"),),
            drivers=(nvidia_driver("470.256.02", "11.4"),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="DRIVER_TOO_OLD",
            why="CUDA 12.x needs a driver of 525.60.13 or later",
        ),
        samples=training(
            {"0": Course(start_s=None, idle_w=38, limit_w=300, absent=frozenset({Metric.FAN_PCT}))}, seconds=60
        ),
    )  # fmt: skip


def _old_glibc() -> Recipe:
    env = environment("2.20.0", python="3.11.9", folder="~/miniforge3/envs/tf", kind=EnvironmentKind.CONDA)
    return Recipe(
        name="centos7-old-glibc",
        title=LocalText("CentOS 7 with an RTX 3090", "CentOS 7 服务器，RTX 3090"),
        report=_report(
            linux("centos-7", "8700K", 62.7, display="none", libcuda="/usr/lib64/libcuda.so.1"), env,
            gpus=(card("NVIDIA GeForce RTX 3090"),), drivers=(nvidia_driver("550.163.01", "12.4"),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="ready", outcome="native", releases={"2.21": "GLIBC_TOO_OLD"},
            why="2.20 still runs on glibc 2.17 and 8.6 runs 8.0 code; 2.21 needs glibc 2.27",
        ),
        samples=training({"0": Course(start_s=None, idle_w=17, limit_w=350)}, seconds=60),
    )  # fmt: skip


def _new_python() -> Recipe:
    env = environment(None, python="3.14.0", folder="~/training/.venv")
    return Recipe(
        name="python-too-new",
        title=LocalText("Fedora 43 with Python 3.14 and an RTX 4090", "Fedora 43 工作站，Python 3.14，RTX 4090"),
        report=_report(
            linux("fedora-43", "7950X", 62.6, display="wayland", libcuda="/usr/lib64/libcuda.so.1"), env,
            system_python("3.14", "/usr/bin/python3.14"),
            gpus=(card("NVIDIA GeForce RTX 4090", used_mib=540, display=True),), drivers=(nvidia_driver(),),
            backends=(NVML,),
        ),
        expected=Expected(
            verdict="blocked", outcome="cannot_install", primary_code="PYTHON_NOT_SUPPORTED",
            why="stable TensorFlow stops at 3.13",
        ),
        samples=training({"0": Course(start_s=None, idle_mib=540)}, seconds=60),
    )  # fmt: skip


def troubled_machines() -> tuple[Recipe, ...]:
    """Give the machines on which something stands in the way."""
    return (
        _rtx5090(), _gtx1080ti(), _windows(), _no_gpu(), _nouveau(), _no_driver(), _mismatch(), _lost(), _no_avx(),
        _cpu_wheel(), _container(), _old_driver(), _old_glibc(), _new_python(),
    )  # fmt: skip
