"""Machines after troubles that people reported, as far as they can be seen from outside.

The threads are named in ``why``; hosts and versions are those of the reports where they are told.
"""

from __future__ import annotations

from dataclasses import replace

from gpuconfig_app.core.gpu import Gpu, GpuState, ValueOrigin, Vendor
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import EnvironmentKind
from gpuconfig_app.core.system import BackendState, BackendStatus, HostInfo, LibraryFacts, SystemReport
from tests.machine_recipes.cards import card, silent_card
from tests.machine_recipes.environments import environment, system_python
from tests.machine_recipes.healthy import NVML, TAKEN_AT
from tests.machine_recipes.hosts import linux, nvidia_driver, windows, wsl2
from tests.machine_recipes.readings import Course, Samples, training
from tests.machine_recipes.recipe import Expected, Recipe


def _idle(watts: float, limit_w: float, mib: int = 18) -> Samples:
    return training({"0": Course(start_s=None, idle_w=watts, limit_w=limit_w, idle_mib=mib)}, seconds=60)


def _report(host: HostInfo, *environments: object, **fields: object) -> SystemReport:
    return SystemReport(taken_at=TAKEN_AT, host=host, environments=environments, **fields)  # type: ignore[arg-type]  # passed on


def _failed(code: str, reason: Message, state: BackendState = BackendState.FAILED) -> BackendStatus:
    return BackendStatus(vendor=Vendor.NVIDIA, state=state, code=code, reason=reason, source="nvml")


def _wheels_off_the_path() -> Recipe:
    return Recipe(
        name="cuda-wheels-not-found",
        title=LocalText("RTX 3060 and the release that misses its own wheels", "RTX 3060，找不到自带 CUDA 库的版本"),
        report=_report(
            linux("ubuntu-22.04", "8700K", 31.3), environment("2.16.1", python="3.10.12"),
            system_python("3.10", "/usr/bin/python3.10"), gpus=(card("NVIDIA GeForce RTX 3060"),),
            drivers=(nvidia_driver("550.163.01", "12.4"),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="CUDA_WHEELS_NOT_ON_LOADER_PATH",
            why="tensorflow issues 63362, 65842: 2.16.1 does not find the nvidia wheels beside it; driver 12.4 is fine",
        ),
        samples=_idle(13, 170),
    )  # fmt: skip


def _secure_boot() -> Recipe:
    reason = Message("hardware.driver-not-loaded")
    host = linux("ubuntu-22.04", "8700K", 31.3)
    host = replace(host, os=replace(host.os, secure_boot=True), absent={})
    return Recipe(
        name="secure-boot-rejects-module",
        title=LocalText("Driver installed, Secure Boot refuses its module", "驱动已安装，但安全启动拒绝加载模块"),
        report=_report(
            host, environment("2.21.0", python="3.11.9"),
            gpus=(silent_card("NVIDIA GeForce RTX 3060", GpuState.DRIVER_MISSING, reason),),
            backends=(_failed("driver_not_loaded", reason, BackendState.DRIVER_MISSING),),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="SECURE_BOOT_MODULE_REJECTED",
            why="canonical/nvidia-graphics-drivers 61: library there, no module, Secure Boot on",
        ),
    )  # fmt: skip


def _cudnn_shadowed() -> Recipe:
    old = "/usr/local/cuda-12.2/lib64"
    host = linux(
        "ubuntu-22.04", "8700K", 31.3, libraries={"libcudnn.so.9": f"{old}/libcudnn.so.9.1.0"},
        variables={"LD_LIBRARY_PATH": old},
    )  # fmt: skip
    return Recipe(
        name="cudnn-shadowed",
        title=LocalText("A system cuDNN stands before the right one", "系统 cuDNN 抢在正确版本之前"),
        report=_report(
            host, environment("2.18.0", python="3.11.9"), gpus=(card("NVIDIA GeForce RTX 3060"),),
            drivers=(nvidia_driver(),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="blocked", outcome="gpu_fails", primary_code="CUDNN_SHADOWED",
            why="LD_LIBRARY_PATH is searched before the wheels; 2.18 needs cuDNN 9.3 or later",
        ),
        samples=_idle(13, 170),
    )  # fmt: skip


def _numpy_2() -> Recipe:
    env = environment("2.17.1", python="3.10.12", extra={"numpy": "2.0.0"}, folder="~/miniconda3/envs/tf",
                      kind=EnvironmentKind.CONDA)  # fmt: skip
    return Recipe(
        name="numpy2-with-old-tensorflow",
        title=LocalText("TensorFlow 2.17 with NumPy 2", "TensorFlow 2.17 搭配 NumPy 2"),
        report=_report(
            linux("ubuntu-22.04", "14900K", 62.6), env, gpus=(card("NVIDIA GeForce RTX 4070"),),
            drivers=(nvidia_driver(),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="blocked", outcome="import_fails", primary_code="NUMPY2_WITH_OLD_TF",
            why="CameronBodine/PINGMapper 123: built for NumPy 1; not a GPU fault",
        ),
        samples=_idle(12, 200),
    )  # fmt: skip


def _hidden_card() -> Recipe:
    return Recipe(
        name="visible-devices-hide-the-card",
        title=LocalText("CUDA_VISIBLE_DEVICES names a second card", "CUDA_VISIBLE_DEVICES 指向不存在的第二张卡"),
        report=_report(
            linux(memory_gib=62.6, variables={"CUDA_VISIBLE_DEVICES": "1"}), environment("2.21.0"),
            gpus=(card("NVIDIA GeForce RTX 4090"),), drivers=(nvidia_driver(),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="VISIBLE_DEVICES_EXCLUDES_ALL",
            why="kuku-sichuan/FPN_Faster_RCNN 3: indexes start at 0",
        ),
        samples=_idle(18, 450),
    )  # fmt: skip


def _jetson() -> Recipe:
    told = Message("hardware.not-told-by-driver")
    gpu = Gpu(
        index=0, vendor=Vendor.NVIDIA, name="Orin (nvgpu)", memory_is_shared=True, compute_capability="8.7",
        compute_capability_origin=ValueOrigin.CATALOGUE, architecture="Ampere",
        absent={
            **dict.fromkeys(("uuid", "pci_id", "pci_bus_id", "power_limit_w", "processes"), told),
            "memory_total_bytes": Message("hardware.memory-shared"),
        },
    )  # fmt: skip
    host = linux(
        "ubuntu-20.04", "Orin", 30.5, arch="aarch64", libcuda="/usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1",
        model="Jetson AGX Orin",
    )  # fmt: skip
    host = replace(host, os=replace(host.os, kernel="5.10.104-tegra"))
    return Recipe(
        name="jetson-agx-orin",
        title=LocalText("Jetson AGX Orin with the generic wheel", "Jetson AGX Orin，使用通用安装包"),
        report=_report(
            host, environment("2.18.0", python="3.10.12", cuda=False), gpus=(gpu,),
            drivers=(nvidia_driver("540.4.0", "12.6"),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="JETSON_NEEDS_NVIDIA_WHEEL",
            why="tensorflow issues 62711, 54446: the aarch64 wheel of the package index has no CUDA",
        ),
        samples=None,
    )  # fmt: skip


def _wsl_path() -> Recipe:
    host = wsl2()
    host = replace(host, libraries=LibraryFacts(libcuda=None, wsl_libcuda=True, has_dxg=True))
    reason = Message("hardware.library-not-found")
    return Recipe(
        name="wsl2-libcuda-off-the-path",
        title=LocalText("WSL2 whose driver library is not on the path", "WSL2，驱动库不在加载路径上"),
        report=_report(
            host, environment("2.21.0", python="3.11.9", folder="~/miniconda3/envs/tf", kind=EnvironmentKind.CONDA),
            backends=(_failed("library_not_found", reason, BackendState.NOT_PRESENT),),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="WSL_LIBCUDA_PATH",
            why="ANTsX/ANTsRNet 37: /usr/lib/wsl/lib holds libcuda but the loader does not look there",
        ),
    )  # fmt: skip


def _v100_new_cudnn() -> Recipe:
    return Recipe(
        name="v100-new-cudnn",
        title=LocalText("V100 with a cuDNN that has dropped it", "V100，cuDNN 已不再支持该卡"),
        report=_report(
            linux("rocky-9", "7742", 503.7, display="none", libcuda="/usr/lib64/libcuda.so.1"),
            environment("2.20.0", cudnn="9.28.0.42"), gpus=(card("Tesla V100-SXM2-16GB", bus="15:00.0"),),
            drivers=(nvidia_driver(),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="blocked", outcome="gpu_fails", primary_code="CUDNN_DROPPED_ARCH",
            why="7.0 code is in the wheel, cuDNN 9.28 starts at 7.5",
        ),
        samples=_idle(38, 300),
    )  # fmt: skip


def _rtx5090_new_release() -> Recipe:
    return Recipe(
        name="rtx5090-newest-release",
        title=LocalText("RTX 5090 with TensorFlow 2.21", "RTX 5090 工作站，TensorFlow 2.21"),
        report=_report(
            linux(memory_gib=93.9, model="MS-7E51"), environment("2.21.0"),
            gpus=(card("NVIDIA GeForce RTX 5090", used_mib=512, display=True),), drivers=(nvidia_driver(),),
            backends=(NVML,),
        ),
        expected=Expected(
            verdict="unknown", outcome="jit_at_first_start", primary_code="WHEEL_LACKS_ARCH_SLOW_FIRST_START",
            why="plain sm_90 PTX compiles for 12.0 with XLA off, not seen running: never ready, the proof decides",
        ),
        samples=_idle(21, 575, 512),
    )  # fmt: skip


def _silent_driver() -> Recipe:
    reason = Message("hardware.driver-no-answer", {"limit_s": 10.0})
    return Recipe(
        name="driver-silent",
        title=LocalText("A driver that does not answer", "驱动没有响应"),
        report=_report(
            linux("ubuntu-22.04", "7950X", 125.6), environment("2.21.0", python="3.11.9"),
            gpus=(silent_card("NVIDIA GeForce RTX 3090", GpuState.NO_ANSWER, reason, bound_driver="nvidia"),),
            drivers=(replace(nvidia_driver(), version=None, cuda_version=None),),
            backends=(_failed("no_answer", reason),),
        ),
        expected=Expected(
            verdict="unknown", outcome="unknown", primary_code="DRIVER_NO_ANSWER",
            why="nothing can be told of a driver that keeps silent",
        ),
    )  # fmt: skip


def _no_permission() -> Recipe:
    reason = Message("hardware.no-permission")
    return Recipe(
        name="no-permission",
        title=LocalText("Server whose GPU this account may not use", "当前账户无权使用 GPU 的服务器"),
        report=_report(
            linux("rocky-9", "7742", 251.5, display="none", libcuda="/usr/lib64/libcuda.so.1"), environment("2.20.0"),
            gpus=(silent_card("Tesla T4", GpuState.NO_PERMISSION, reason, bus="3b:00.0", bound_driver="nvidia"),),
            drivers=(replace(nvidia_driver(), cuda_version=None),), backends=(_failed("no_permission", reason),),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="NO_GPU_PERMISSION", why="no access to /dev/nvidia*"
        ),
    )  # fmt: skip


def _windows_210() -> Recipe:
    gpu = card("NVIDIA GeForce GTX 1080 Ti", used_mib=900, display=True, windows=True)
    gpu = replace(gpu, processes=None, absent={**gpu.absent, "processes": Message("hardware.not-told-by-driver")})
    host = windows("8700K")
    root = "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.2\\bin"
    names = ("cublas64_11", "cudart64_110", "cudnn64_8", "cufft64_10", "cusolver64_11", "cusparse64_11")
    libraries = {f"{name}.dll": f"{root}\\{name}.dll" for name in names}
    host = replace(host, libraries=replace(host.libraries, libraries=libraries))
    return Recipe(
        name="windows-last-gpu-release",
        title=LocalText("Windows with the last release that uses GPUs there", "Windows，最后一个支持 GPU 的版本"),
        report=_report(
            host, environment("2.10.1", python="3.10.11", cuda=False, folder="~\\tf210\\.venv", windows=True),
            gpus=(gpu,), drivers=(nvidia_driver("551.86", "12.4"),), backends=(NVML,),
        ),
        expected=Expected(
            verdict="unknown", outcome="unknown", primary_code="FACTS_MISSING", also=("WINDOWS_LAST_RELEASE",),
            why="2.10 with CUDA 11.2; cudnn64_8.dll names its major version only, and 2.10 needs 8.1 or later",
        ),
        samples=_idle(14, 170, 900),
    )  # fmt: skip


def field_machines() -> tuple[Recipe, ...]:
    """Give the machines after reported troubles."""
    return (
        _wheels_off_the_path(), _secure_boot(), _cudnn_shadowed(), _numpy_2(), _hidden_card(), _jetson(), _wsl_path(),
        _v100_new_cudnn(), _rtx5090_new_release(), _silent_driver(), _no_permission(), _windows_210(),
    )  # fmt: skip
