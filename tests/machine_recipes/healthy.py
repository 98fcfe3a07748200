"""Machines that train, from one card to sixteen, and those that train with a remark."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig_app.core.gpu import ComputeMode, GpuProcess, GpuState, MigInstance, NvLink, Vendor
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState, BackendStatus, DiskKind, DriverInfo, SystemReport
from gpuconfig_app.core.units import MIB
from tests.machine_recipes.cards import busy, card, processor_graphics, silent_card, uuid_of
from tests.machine_recipes.environments import environment, system_python
from tests.machine_recipes.hosts import disk, linux, nvidia_driver, wsl2
from tests.machine_recipes.readings import Course, training
from tests.machine_recipes.recipe import Expected, Recipe

TAKEN_AT = 1763000000.0  # 13 Nov 2025: the same in every run
NVML = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.READY, source="nvml")
READY = Expected(verdict="ready", outcome="native", why="machine code for this card is in the wheel")
_SERVER_DISKS = (
    disk("/", DiskKind.SSD, "ext4", 439, 301),
    disk("/raid", DiskKind.NVME, "xfs", 28600, 20412),
    disk("/home", DiskKind.NETWORK, "nfs4", 92160, 30441),
)
_NVLINKS = tuple(NvLink(index=index, is_active=True, version=4) for index in range(18))
_HBM = frozenset({Metric.FAN_PCT})


_DGX_A100 = ("07", "0f", "47", "4e", "87", "90", "b7", "bd")


def _one_4090() -> Recipe:
    process = GpuProcess(pid=24117, kind="compute", name="python", user="user", memory_used_bytes=21840 * MIB)
    gpu = busy(card("NVIDIA GeForce RTX 4090", used_mib=620, display=True, persistence=False), 22460, process)
    return Recipe(
        name="healthy-1x4090",
        title=LocalText("Workstation with one RTX 4090, ready", "单张 RTX 4090 工作站，就绪"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux(model="ASUS System Product Name"),
            gpus=(gpu,),
            drivers=(nvidia_driver(),),
            backends=(NVML,),
            environments=(environment("2.21.0"), system_python()),
        ),
        expected=READY,
        samples=training({"0": Course(idle_mib=620, memory_mib=22460, start_s=-1)}, seconds=120),
    )


def _training_2x4090() -> Recipe:
    name = "NVIDIA GeForce RTX 4090"
    first = GpuProcess(pid=31002, kind="compute", name="python", memory_used_bytes=21204 * MIB)
    gpus = (
        busy(card(name, 0, bus="01:00.0"), 21222, first),
        busy(card(name, 1, bus="41:00.0"), 21222, first),
    )
    return Recipe(
        name="training-2x4090",
        title=LocalText("Two RTX 4090 while training", "两张 RTX 4090，正在训练"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux(memory_gib=125.6, model="ProArt X670E-CREATOR"),
            gpus=gpus,
            drivers=(nvidia_driver(),),
            backends=(NVML,),
            environments=(environment("2.21.0"), system_python()),
        ),
        expected=READY,
        samples=training(
            {
                "0": Course(memory_mib=21222, start_s=8, work_w=392, work_c=71),
                "1": Course(memory_mib=21222, start_s=8, work_w=401, work_c=77),
            },
            seconds=120,
        ),
        is_shipped=True,
    )


def _unlike_cards() -> Recipe:
    return Recipe(
        name="2-unlike-cards",
        title=LocalText("An RTX 4090 beside an RTX 3060", "RTX 4090 与 RTX 3060 混插"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux("ubuntu-22.04", "14900K", 62.6),
            gpus=(
                card("NVIDIA GeForce RTX 4090", 0, bus="01:00.0"),
                card("NVIDIA GeForce RTX 3060", 1, bus="05:00.0", used_mib=412, display=True),
            ),
            drivers=(nvidia_driver("570.195.03", "12.8"),),
            backends=(NVML,),
            environments=(environment("2.21.0", python="3.11.9"), system_python("3.10", "/usr/bin/python3.10")),
        ),
        expected=Expected(
            verdict="ready_with_notes", outcome="native", also=("UNLIKE_CARDS",),
            why="both cards have machine code; a strategy over both runs at the slower one's pace and memory",
        ),
        samples=training(
            {"0": Course(memory_mib=20310), "1": Course(start_s=None, idle_mib=412, idle_w=14, limit_w=170)}
        ),
    )  # fmt: skip


def _mig_on_one() -> Recipe:
    name = "NVIDIA A100-SXM4-80GB"
    gpus = [card(name, number, bus=f"{bus}:00.0") for number, bus in enumerate(_DGX_A100)]
    slices = tuple(
        MigInstance(
            index=number, uuid=uuid_of(f"mig/{number}").replace("GPU-", "MIG-"), profile="1g.10gb",
            gpu_instance_id=7 + number, compute_instance_id=0, memory_total_bytes=9728 * MIB,
            memory_used_bytes=12 * MIB, sm_count=14,
        )
        for number in range(7)
    )  # fmt: skip
    reason = Message("hardware.mig-not-for-whole-card")
    gpus[3] = replace(
        gpus[3], mig_enabled=True, mig_instances=slices, absent={**gpus[3].absent, "utilization_pct": reason}
    )
    gpus = [replace(gpu, nvlinks=_NVLINKS[:12]) for gpu in gpus]
    courses = {
        str(number): Course(
            idle_w=58, work_w=352, limit_w=400, idle_mib=7, memory_mib=70210, idle_c=31, work_c=61, clock_mhz=1410,
            memory_clock_mhz=1593, start_s=None if number in (3, 6, 7) else 5, absent=_HBM,
        )
        for number in range(8)
    }  # fmt: skip
    return Recipe(
        name="8xa100-mig-on-one",
        title=LocalText("Eight A100, one of them cut into seven slices", "八张 A100，其中一张切成七个 MIG 实例"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux(
                "ubuntu-22.04", "7742", 1007.6, display="none", disks=_SERVER_DISKS, model="DGXA100 920-23687-2530"
            ),
            gpus=tuple(gpus),
            drivers=(nvidia_driver(),),
            backends=(NVML,),
            environments=(environment("2.21.0", python="3.11.9"), system_python("3.10", "/usr/bin/python3.10")),
        ),
        expected=Expected(
            verdict="ready_with_notes", outcome="native", primary_code="MIG_ONE_INSTANCE_PER_PROCESS",
            why="with one card in MIG mode CUDA lists one slice and none of the seven full cards",
        ),
        samples=training(courses),
    )  # fmt: skip


def _h100(count: int, *, nodes_name: str, title: LocalText, shipped: bool) -> Recipe:
    name = "NVIDIA H100 80GB HBM3"
    buses = ["19", "3b", "4c", "5d", "9b", "bb", "cb", "db", "1a", "3c", "4d", "5e", "9c", "bc", "cc", "dc"][:count]
    buses.sort()
    gpus = tuple(replace(card(name, number, bus=f"{bus}:00.0"), nvlinks=_NVLINKS) for number, bus in enumerate(buses))
    trainer = GpuProcess(pid=218604, kind="compute", name="python", memory_used_bytes=71812 * MIB)
    gpus = tuple(busy(gpu, 71830, trainer) for gpu in gpus)
    courses = {
        str(number): Course(
            idle_w=70, work_w=612 + 4 * (number % 5), limit_w=700, idle_mib=4, memory_mib=71830, load_pct=96, idle_c=29,
            work_c=60 + number % 4, clock_mhz=1980, memory_clock_mhz=2619, start_s=-1, epoch_s=45, absent=_HBM,
        )
        for number in range(count)
    }  # fmt: skip
    return Recipe(
        name=nodes_name,
        title=title,
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux(
                "ubuntu-22.04", "8480+", 2015.5, display="none", disks=_SERVER_DISKS, model="DGXH100 920-24387-2540"
            ),
            gpus=gpus,
            drivers=(nvidia_driver(),),
            backends=(NVML,),
            environments=(environment("2.21.0", python="3.12.8"), system_python("3.10", "/usr/bin/python3.10")),
        ),
        expected=Expected(
            verdict="ready_with_notes", outcome="jit_at_first_start", primary_code="WHEEL_LACKS_ARCH_SLOW_FIRST_START",
            why="only part of the kernels has sm_90 machine code, the rest is compiled from PTX at first start",
        ),
        samples=training(courses, seconds=90 if count <= 8 else 60),
        is_shipped=shipped,
    )  # fmt: skip


def _laptop() -> Recipe:
    reason = Message("hardware.asleep")
    gpu = silent_card("NVIDIA GeForce RTX 4060 Laptop GPU", GpuState.ASLEEP, reason, bound_driver="nvidia")
    driver = DriverInfo(
        vendor=Vendor.NVIDIA, version="580.126.09", kernel_version="580.126.09", absent={"cuda_version": reason}
    )
    status = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.READY, source="pci")
    return Recipe(
        name="laptop-hybrid-asleep",
        title=LocalText("Laptop whose RTX 4060 is powered down", "笔记本，RTX 4060 处于休眠"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux("ubuntu-24.04", "13700H", 31.1, display="wayland", model="ROG Zephyrus G16"),
            gpus=(gpu, processor_graphics(1)),
            drivers=(driver,),
            backends=(status,),
            environments=(environment("2.21.0"), system_python()),
        ),
        expected=Expected(
            verdict="ready_with_notes", outcome="native",
            why="the driver is loaded and the wheel has code for 8.9; CUDA wakes the card when it is used",
        ),
        samples=None,
        is_shipped=True,
    )  # fmt: skip


def _laptop_awake() -> Recipe:
    gpu = card("NVIDIA GeForce RTX 4060 Laptop GPU", used_mib=214, persistence=False)
    gpu = replace(gpu, pcie=replace(gpu.pcie, width=8, max_width=8) if gpu.pcie else None)
    return Recipe(
        name="laptop-rtx4060",
        title=LocalText("Laptop with an RTX 4060 that gets warm", "RTX 4060 笔记本，散热受限"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux("ubuntu-24.04", "13700H", 31.1, display="wayland", model="ROG Zephyrus G16"),
            gpus=(gpu, processor_graphics(1)),
            drivers=(nvidia_driver(),),
            backends=(NVML,),
            environments=(environment("2.21.0"), system_python()),
        ),
        expected=READY,
        samples=training(
            {
                "0": Course(
                    idle_w=3, work_w=112, limit_w=115, idle_mib=214, memory_mib=6810, idle_c=44, work_c=84,
                    clock_mhz=2370, memory_clock_mhz=8001,
                )
            },
            seconds=120,
        ),
        is_shipped=True,
    )  # fmt: skip


def _wsl() -> Recipe:
    gpu = card("NVIDIA GeForce RTX 4070", used_mib=1290, display=True)
    reason = Message("hardware.not-told-by-driver")
    gpu = replace(gpu, processes=None, bound_driver=None, absent={**gpu.absent, "processes": reason})
    return Recipe(
        name="wsl2",
        title=LocalText("Ubuntu in WSL2 with an RTX 4070", "WSL2 中的 Ubuntu，RTX 4070"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=wsl2(),
            gpus=(gpu,),
            drivers=(nvidia_driver("581.57", "13.0"),),
            backends=(NVML,),
            environments=(environment("2.21.0", python="3.11.9"), system_python("3.10", "/usr/bin/python3.10")),
        ),
        expected=Expected(verdict="ready", outcome="native", why="the Windows driver serves WSL2; 8.9 is in the wheel"),
        samples=training(
            {
                "0": Course(
                    idle_w=12, work_w=184, limit_w=200, idle_mib=1290, memory_mib=10510, work_c=64, clock_mhz=2745,
                    absent=frozenset({Metric.FAN_PCT}),
                )
            }
        ),
    )  # fmt: skip


def _exclusive() -> Recipe:
    gpus = [card("Tesla T4", number, bus=f"{bus}:00.0") for number, bus in enumerate(("3b", "d8"))]
    process = GpuProcess(pid=8123, kind="compute", name="python", memory_used_bytes=9022 * MIB)
    gpus[0] = busy(replace(gpus[0], compute_mode=ComputeMode.EXCLUSIVE_PROCESS), 9026, process)
    gpus[1] = replace(gpus[1], compute_mode=ComputeMode.EXCLUSIVE_PROCESS)
    return Recipe(
        name="2xt4-exclusive-mode",
        title=LocalText("Shared server, two T4 in exclusive mode", "共享服务器，两张 T4 处于独占模式"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux("rocky-9", "7742", 251.5, display="none", libcuda="/usr/lib64/libcuda.so.1"),
            gpus=tuple(gpus),
            drivers=(nvidia_driver("570.195.03", "12.8"),),
            backends=(NVML,),
            environments=(environment("2.20.0", python="3.12.8"), system_python("3.9", "/usr/bin/python3.9")),
        ),
        expected=Expected(
            verdict="ready_with_notes", outcome="native", primary_code="COMPUTE_MODE_EXCLUSIVE",
            why="7.5 runs 7.0 code; a second process on a card that is taken gets an error although memory is free",
        ),
        samples=training(
            {
                "0": Course(idle_w=10, work_w=66, limit_w=70, memory_mib=9026, work_c=72, clock_mhz=1590, start_s=-1,
                            memory_clock_mhz=5001, absent=_HBM),
                "1": Course(idle_w=9, limit_w=70, start_s=None, idle_c=33, absent=_HBM),
            },
            seconds=60,
        ),
    )  # fmt: skip


def healthy_machines() -> tuple[Recipe, ...]:
    """Give the machines on which TensorFlow uses the GPU."""
    eight = LocalText("Server with eight H100", "八张 H100 服务器")
    sixteen = LocalText("Sixteen H100 in one chassis", "单机十六张 H100")
    return (
        _one_4090(),
        _training_2x4090(),
        _unlike_cards(),
        _mig_on_one(),
        _h100(8, nodes_name="8xh100", title=eight, shipped=True),
        _h100(16, nodes_name="16xh100", title=sixteen, shipped=True),
        _laptop(),
        _laptop_awake(),
        _wsl(),
        _exclusive(),
    )
