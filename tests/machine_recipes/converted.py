"""Machines whose cards come from public recordings; host and environments were added around them.

A reading that the recording does not hold stays absent. What belongs to a vendor whose back-end is not there yet says
so in the card's ``absent``.
"""

from __future__ import annotations

from gpuconfig_app.core.gpu import (
    ComputeMode,
    DriverModel,
    Gpu,
    GpuProcess,
    MigInstance,
    PcieLink,
    ValueOrigin,
    Vendor,
)
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState, BackendStatus, DriverInfo, HostInfo, MemoryInfo, SystemReport
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.recorded import MachineOrigin
from tests.machine_recipes.cards import uuid_of
from tests.machine_recipes.converted_vendors import vendor_machines
from tests.machine_recipes.environments import environment
from tests.machine_recipes.hosts import linux, nvidia_driver, windows
from tests.machine_recipes.readings import Course, Samples, training
from tests.machine_recipes.recipe import EXPORTER, MIT, TELEGRAF, Expected, Recipe

TAKEN_AT = 1763000000.0
SMI = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.READY, source="nvidia-smi")
_NOT_IN_SMI = Message("hardware.not-in-nvidia-smi")
_NO_ECC = Message("hardware.not-supported")


def _nvidia(
    name: str,
    title: LocalText,
    gpu: Gpu,
    driver: DriverInfo | None,
    host: HostInfo,
    env: PythonEnvironment,
    expected: Expected,
    samples: Samples,
    *,
    source: str = TELEGRAF.format(path="inputs/nvidia_smi/testdata"),
) -> Recipe:
    return Recipe(
        name=name,
        title=title,
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=host,
            gpus=(gpu,),
            drivers=(driver,) if driver else (),
            backends=(SMI,),
            environments=(env,),
        ),
        expected=expected,
        samples=samples,
        origin=MachineOrigin.CONVERTED,
        source=source,
        licence=MIT,
    )


def _rtx4000_sff() -> Recipe:
    gpu = Gpu(
        index=0, vendor=Vendor.NVIDIA, name="NVIDIA RTX 4000 SFF Ada Generation", uuid=uuid_of("b01"),
        pci_bus_id="00000000:06:00.0", pci_id="10de:27b0", pci_subsystem_id="10de:16fa",
        memory_total_bytes=20475 * MIB, memory_used_bytes=3534 * MIB, memory_free_bytes=16482 * MIB,
        memory_reserved_bytes=460 * MIB, compute_capability="8.9", compute_capability_origin=ValueOrigin.CATALOGUE,
        architecture="Ada Lovelace", pcie=PcieLink(generation=1, width=16, max_generation=4, max_width=16),
        compute_mode=ComputeMode.DEFAULT, ecc_enabled=False, persistence_enabled=True, power_limit_w=70.0,
        power_limit_default_w=70.0, power_limit_min_w=30.0, power_limit_max_w=70.0, display_active=True,
        processes=(
            GpuProcess(pid=1842, kind="graphics", memory_used_bytes=410 * MIB),
            GpuProcess(pid=3190, kind="graphics", memory_used_bytes=451 * MIB),
            GpuProcess(pid=4937, kind="compute", memory_used_bytes=160 * MIB),
            GpuProcess(pid=34626, kind="both", memory_used_bytes=183 * MIB),
        ),
        absent={"mig_enabled": _NO_ECC, "sm_count": _NOT_IN_SMI, "temperature_slowdown_c": _NOT_IN_SMI},
    )  # fmt: skip
    return _nvidia(
        "rtx4000-sff-ada",
        LocalText("Small workstation with an RTX 4000 SFF Ada, driver 595", "RTX 4000 SFF Ada 小型工作站，驱动 595"),
        gpu,
        nvidia_driver("595.84", "13.2"),
        linux("ubuntu-24.04", "7950X", 62.6, display="wayland"),
        environment("2.21.0"),
        Expected(verdict="ready", outcome="native", why="8.9 machine code is in the wheel"),
        training(
            {"0": Course(start_s=None, idle_w=8.6, limit_w=70, idle_mib=3534, idle_c=38, memory_clock_mhz=7001)},
            seconds=60,
        ),
    )


def _a100_slices() -> Recipe:
    slices = tuple(
        MigInstance(
            index=index, uuid=uuid_of(f"b02/{index}").replace("GPU-", "MIG-"), gpu_instance_id=index + 3,
            compute_instance_id=0, memory_total_bytes=19968 * MIB, memory_used_bytes=12 * MIB, sm_count=14,
        )
        for index in range(4)
    )  # fmt: skip
    hidden = Message("hardware.mig-not-for-whole-card")
    gpu = Gpu(
        index=0, vendor=Vendor.NVIDIA, name="NVIDIA A100-SXM4-80GB", uuid=uuid_of("b02"),
        pci_bus_id="00000000:01:00.0", pci_id="10de:20b2", pci_subsystem_id="10de:147f",
        memory_total_bytes=81920 * MIB, memory_used_bytes=50 * MIB, memory_free_bytes=80999 * MIB,
        memory_reserved_bytes=869 * MIB, compute_capability="8.0", compute_capability_origin=ValueOrigin.CATALOGUE,
        architecture="Ampere", pcie=PcieLink(generation=4, width=16, max_generation=4, max_width=16),
        mig_enabled=True, mig_instances=slices, compute_mode=ComputeMode.DEFAULT, ecc_enabled=True,
        persistence_enabled=False, power_limit_w=500.0, power_limit_default_w=500.0, power_limit_min_w=100.0,
        power_limit_max_w=500.0, temperature_slowdown_c=89, temperature_shutdown_c=92, display_active=False,
        processes=(), absent={"sm_count": _NOT_IN_SMI, "utilization_pct": hidden},
    )  # fmt: skip
    absent = frozenset({Metric.UTILIZATION_PCT, Metric.MEMORY_UTILIZATION_PCT, Metric.FAN_PCT})
    return _nvidia(
        "a100-four-slices",
        LocalText("A100 cut into four MIG slices", "A100，切成四个 MIG 实例"),
        gpu,
        nvidia_driver("535.54.03", "12.2"),
        linux("ubuntu-22.04", "7742", 503.7, display="none"),
        environment("2.17.1", python="3.11.9"),
        Expected(
            verdict="ready_with_notes", outcome="native", primary_code="MIG_ONE_INSTANCE_PER_PROCESS",
            why="8.0 machine code is in the wheel; a process gets one slice of 19.5 GiB, never the whole card",
        ),
        training(
            {"0": Course(start_s=None, idle_w=67, limit_w=500, idle_mib=50, idle_c=27, absent=absent)}, seconds=60
        ),
    )  # fmt: skip


def _gtx1070ti() -> Recipe:
    fields = (
        "pci_id",
        "memory_reserved_bytes",
        "power_limit_w",
        "ecc_enabled",
        "sm_count",
        "display_active",
        "processes",
    )
    gpu = Gpu(
        index=0, vendor=Vendor.NVIDIA, name="GeForce GTX 1070 Ti", uuid=uuid_of("b03"), pci_bus_id="00000000:01:00.0",
        memory_total_bytes=4096 * MIB, memory_used_bytes=42 * MIB, memory_free_bytes=4054 * MIB,
        compute_capability="6.1", compute_capability_origin=ValueOrigin.CATALOGUE,
        pcie=PcieLink(generation=1, width=16), compute_mode=ComputeMode.DEFAULT,
        absent=dict.fromkeys(fields, _NOT_IN_SMI),
    )  # fmt: skip
    driver = DriverInfo(vendor=Vendor.NVIDIA, absent={"version": _NOT_IN_SMI, "cuda_version": _NOT_IN_SMI})
    absent = frozenset({Metric.POWER_W})
    return _nvidia(
        "gtx1070ti-little-known",
        LocalText("GTX 1070 Ti of which hardly anything can be read", "GTX 1070 Ti，几乎读不到信息"),
        gpu,
        driver,
        linux("ubuntu-20.04", "8700K", 31.3),
        environment("2.17.1", python="3.10.13"),
        Expected(
            verdict="unknown", outcome="unknown", primary_code="FACTS_MISSING",
            why="the driver's version is not known; 6.0 machine code is in the wheel and cuDNN 8.9 has the card",
        ),
        training(
            {"0": Course(start_s=None, limit_w=180, idle_mib=42, idle_c=39, memory_clock_mhz=4004, absent=absent)},
            seconds=60,
        ),
    )  # fmt: skip


def _unnamed() -> Recipe:
    gpu = Gpu(
        index=0, vendor=Vendor.NVIDIA, uuid=uuid_of("b04"), pci_bus_id="00000000:43:00.0", pci_id="10de:2184",
        pci_subsystem_id="1458:3fc8", memory_total_bytes=5912 * MIB, memory_used_bytes=0, memory_free_bytes=5912 * MIB,
        pcie=PcieLink(generation=1, width=16, max_generation=3, max_width=16), compute_mode=ComputeMode.DEFAULT,
        persistence_enabled=False, power_limit_w=130.0, power_limit_default_w=130.0, power_limit_min_w=70.0,
        power_limit_max_w=130.0, temperature_slowdown_c=93, temperature_shutdown_c=96, display_active=False,
        processes=(),
        absent={
            "name": Message("hardware.no-marketing-name"), "compute_capability": _NOT_IN_SMI,
            "ecc_enabled": _NO_ECC, "memory_reserved_bytes": _NOT_IN_SMI, "sm_count": _NOT_IN_SMI,
        },
    )  # fmt: skip
    return _nvidia(
        "unnamed-card",
        LocalText("A card that its old driver has no name for", "旧驱动无法识别名称的显卡"),
        gpu,
        nvidia_driver("418.43", "10.1"),
        linux("ubuntu-20.04", "8700K", 31.3, display="none"),
        environment("2.18.0", python="3.10.13"),
        Expected(
            verdict="blocked", outcome="cpu_only", primary_code="DRIVER_TOO_OLD",
            why="CUDA 12.x needs 525.60.13; the driver here is 418.43",
        ),
        training({"0": Course(start_s=None, idle_w=8.9, limit_w=130, idle_mib=0, idle_c=40)}, seconds=60),
    )  # fmt: skip


def _p2000() -> Recipe:
    gpu = Gpu(
        index=0, vendor=Vendor.NVIDIA, name="Quadro P2000", uuid=uuid_of("b05"), pci_bus_id="00000000:17:00.0",
        pci_id="10de:1c30", pci_subsystem_id="1028:11b3", memory_total_bytes=5120 * MIB, memory_used_bytes=1 * MIB,
        memory_free_bytes=5051 * MIB, memory_reserved_bytes=66 * MIB, compute_capability="6.1",
        compute_capability_origin=ValueOrigin.CATALOGUE, architecture="Pascal",
        pcie=PcieLink(generation=1, width=8, max_generation=3, max_width=16), compute_mode=ComputeMode.DEFAULT,
        persistence_enabled=True, power_limit_w=75.0, power_limit_default_w=75.0, power_limit_min_w=75.0,
        power_limit_max_w=75.0, temperature_slowdown_c=101, temperature_shutdown_c=104, display_active=False,
        processes=(), absent={"ecc_enabled": _NO_ECC, "mig_enabled": _NO_ECC, "sm_count": _NOT_IN_SMI},
    )  # fmt: skip
    return _nvidia(
        "quadro-p2000",
        LocalText("Quadro P2000 with driver 525", "Quadro P2000，驱动 525"),
        gpu,
        nvidia_driver("525.125.06", "12.0"),
        linux("ubuntu-22.04", "8700K", 62.7, display="none"),
        environment("2.15.1", python="3.10.13"),
        Expected(
            verdict="ready", outcome="native",
            why="driver 525 meets the floor of CUDA 12.x, 6.0 machine code is in the wheel, cuDNN 8.9 has the card",
        ),
        training(
            {"0": Course(start_s=None, idle_w=4.6, limit_w=75, idle_mib=1, idle_c=34, memory_clock_mhz=3504)},
            seconds=60,
        ),
    )  # fmt: skip


def _h100_slices() -> Recipe:
    shapes = ((2, 40448, 26, 60, "3g.40gb"), (3, 20096, 17, 32, "2g.20gb"), (9, 9984, 9, 16, "1g.10gb"))
    shapes = (*shapes, (10, 9984, 9, 16, "1g.10gb"))
    slices = tuple(
        MigInstance(
            index=index, uuid=uuid_of(f"b08/{index}").replace("GPU-", "MIG-"), profile=profile,
            gpu_instance_id=instance, compute_instance_id=0,
            memory_total_bytes=total * MIB, memory_used_bytes=used * MIB, sm_count=sm_count,
        )
        for index, (instance, total, used, sm_count, profile) in enumerate(shapes)
    )  # fmt: skip
    hidden = Message("hardware.mig-not-for-whole-card")
    gpu = Gpu(
        index=0, vendor=Vendor.NVIDIA, name="NVIDIA H100 80GB HBM3", uuid=uuid_of("b08"),
        pci_bus_id="00000000:00:09.0", memory_total_bytes=81559 * MIB, memory_used_bytes=59 * MIB,
        memory_free_bytes=81022 * MIB, memory_reserved_bytes=479 * MIB, compute_capability="9.0",
        compute_capability_origin=ValueOrigin.CARD, pcie=PcieLink(generation=5, width=16, max_generation=5),
        mig_enabled=True, mig_instances=slices, compute_mode=ComputeMode.DEFAULT, ecc_enabled=True,
        persistence_enabled=True, power_limit_w=700.0, display_active=False, processes=(),
        absent={"pci_id": _NOT_IN_SMI, "sm_count": _NOT_IN_SMI, "utilization_pct": hidden},
    )  # fmt: skip
    absent = frozenset({Metric.UTILIZATION_PCT, Metric.MEMORY_UTILIZATION_PCT, Metric.FAN_PCT})
    return _nvidia(
        "h100-four-slices",
        LocalText("H100 cut into four unlike MIG slices", "H100，切成四个大小不同的 MIG 实例"),
        gpu,
        nvidia_driver("590.48.01", "13.1"),
        linux("ubuntu-22.04", "8480+", 251.5, display="none"),
        environment("2.21.0", python="3.11.9"),
        Expected(
            verdict="ready_with_notes", outcome="jit_at_first_start", primary_code="MIG_ONE_INSTANCE_PER_PROCESS",
            also=("WHEEL_LACKS_ARCH_SLOW_FIRST_START",),
            why="a process gets one slice; part of the kernels is compiled at first start on 9.0",
        ),
        training(
            {
                "0": Course(
                    start_s=15, idle_w=71, work_w=433, limit_w=700, idle_mib=59, memory_mib=11125, idle_c=42, work_c=53,
                    clock_mhz=1980, memory_clock_mhz=2619, absent=absent,
                )
            },
            seconds=60,
        ),
        source=EXPORTER,
    )  # fmt: skip


def _rtx2080_super() -> Recipe:
    untold = Message("hardware.not-supported")
    gpu = Gpu(
        index=0, vendor=Vendor.NVIDIA, name="NVIDIA GeForce RTX 2080 SUPER", uuid=uuid_of("b09"),
        pci_bus_id="00000000:0c:00.0", memory_total_bytes=8192 * MIB, memory_used_bytes=797 * MIB,
        memory_free_bytes=7191 * MIB, memory_reserved_bytes=205 * MIB, compute_capability="7.5",
        compute_capability_origin=ValueOrigin.CARD, pcie=PcieLink(generation=3, width=16, max_generation=3),
        compute_mode=ComputeMode.DEFAULT, driver_model=DriverModel.WDDM, power_limit_w=250.0, display_active=True,
        processes=tuple(GpuProcess(pid=pid, kind="both") for pid in (2140, 2164, 13092, 13160, 13264, 13504)),
        absent={
            "pci_id": _NOT_IN_SMI, "sm_count": _NOT_IN_SMI, "ecc_enabled": _NO_ECC, "mig_enabled": _NO_ECC,
            "persistence_enabled": untold,
        },
    )  # fmt: skip
    env = environment("2.21.0", python="3.12.8", cuda=False, folder="~\\tf\\.venv", windows=True)
    return _nvidia(
        "windows-rtx2080-super",
        LocalText("Windows with an RTX 2080 SUPER, driver 610", "Windows，RTX 2080 SUPER，驱动 610"),
        gpu,
        nvidia_driver("610.62", "13.3"),
        windows("8700K"),
        env,
        Expected(
            verdict="blocked", outcome="cpu_only", primary_code="WINDOWS_NATIVE_NO_GPU_BUILD",
            why="no release after 2.10 has a GPU build for native Windows; the way on is WSL2",
        ),
        training(
            {
                "0": Course(
                    start_s=15, idle_w=39, work_w=98, limit_w=250, idle_mib=797, memory_mib=1366, load_pct=7, idle_c=40,
                    work_c=44, clock_mhz=2040, memory_clock_mhz=7751,
                )
            },
            seconds=60,
        ),
        source=EXPORTER,
    )  # fmt: skip


def _gb10() -> Recipe:
    total, available = 127600748 * 1024, 118566368 * 1024
    shared = Message("hardware.memory-shared")
    gpu = Gpu(
        index=0, vendor=Vendor.NVIDIA, name="NVIDIA GB10", uuid=uuid_of("b12"), pci_bus_id="0000000f:01:00.0",
        pci_id="10de:2e12", memory_is_shared=True, compute_capability="12.1",
        compute_capability_origin=ValueOrigin.CATALOGUE, compute_mode=ComputeMode.DEFAULT, persistence_enabled=True,
        display_active=False, processes=(GpuProcess(pid=114687, kind="compute", memory_used_bytes=19135 * MIB),),
        absent={
            **dict.fromkeys(("memory_total_bytes", "memory_used_bytes", "memory_free_bytes"), shared),
            "power_limit_w": _NO_ECC, "ecc_enabled": _NO_ECC, "mig_enabled": _NO_ECC, "sm_count": _NOT_IN_SMI,
        },
    )  # fmt: skip
    host = linux(
        "ubuntu-24.04", "Grace", total / 1024**3, arch="aarch64", display="none",
        libcuda="/usr/lib/aarch64-linux-gnu/libcuda.so.1",
    )  # fmt: skip
    memory = MemoryInfo(total_bytes=total, available_bytes=available)
    host = HostInfo(
        os=host.os, cpu=host.cpu, memory=memory, disks=host.disks, libraries=host.libraries, model="NVIDIA DGX Spark"
    )
    absent = frozenset({Metric.MEMORY_USED_BYTES, Metric.MEMORY_UTILIZATION_PCT, Metric.FAN_PCT})
    return _nvidia(
        "gb10-dgx-spark",
        LocalText("DGX Spark with GB10 and shared memory", "DGX Spark，GB10，统一内存"),
        gpu,
        nvidia_driver("580.126.09", "13.0"),
        host,
        environment("2.21.0", cuda=False),
        Expected(
            verdict="blocked",
            outcome="cpu_only",
            primary_code="AARCH64_WHEEL_IS_CPU_ONLY",
            why="the aarch64 wheel of the package index has no CUDA; NVIDIA's container is the way on",
        ),
        training({"0": Course(start_s=None, idle_w=11, limit_w=140, idle_c=35, absent=absent)}, seconds=60),
        source="snowflakedb/ArcticTraining PR #345, XuehaiPan/nvitop PR #208, mostlygeek/llama-swap #782",
    )


def converted_machines() -> tuple[Recipe, ...]:
    """Give the machines whose cards were recorded by others."""
    return (
        _rtx4000_sff(), _a100_slices(), _gtx1070ti(), _unnamed(), _p2000(), _h100_slices(), _rtx2080_super(), _gb10(),
        *vendor_machines(),
    )  # fmt: skip
