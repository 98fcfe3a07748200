"""Machines and workloads for the planner's tests, with the figures real drivers report."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig_app.core.gpu import Gpu, PcieLink, Vendor
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.system import CpuInfo, Disk, DiskKind, HostInfo, MemoryInfo, OsFamily, OsInfo, SystemReport
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.core.workload import Optimizer, Requests, Workload
from gpuconfig_app.planner.make_plan import PlanRequest, make_plan

HOST = HostInfo(
    os=OsInfo(family=OsFamily.LINUX),
    cpu=CpuInfo(logical_cores=24, usable_threads=24),
    memory=MemoryInfo(total_bytes=128 * GIB, available_bytes=96 * GIB),
    disks=(Disk(mount="/", kind=DiskKind.NVME, total_bytes=2000 * GIB, free_bytes=1200 * GIB),),
)

# Name, compute capability, MiB as the driver reports, multiprocessors.
CARDS = {
    "1080ti": ("NVIDIA GeForce GTX 1080 Ti", "6.1", 11178, 28),
    "1660ti": ("NVIDIA GeForce GTX 1660 Ti", "7.5", 5944, 24),
    "t4": ("Tesla T4", "7.5", 15360, 40),
    "p100": ("Tesla P100-PCIE-16GB", "6.0", 16280, 56),
    "v100": ("Tesla V100-SXM2-32GB", "7.0", 32510, 80),
    "3060": ("NVIDIA GeForce RTX 3060", "8.6", 12288, 28),
    "4090": ("NVIDIA GeForce RTX 4090", "8.9", 24564, 128),
    "a100": ("NVIDIA A100-SXM4-80GB", "8.0", 81920, 108),
    "h100": ("NVIDIA H100 80GB HBM3", "9.0", 81559, 132),
    "mx150": ("NVIDIA GeForce MX150", "6.1", 2002, 3),
}


def card(kind: str, index: int = 0, **changes: object) -> Gpu:
    """Give an idle card."""
    name, capability, mib, count = CARDS[kind]
    made = Gpu(
        index=index,
        vendor=Vendor.NVIDIA,
        name=name,
        uuid=f"GPU-00000000-0000-0000-0000-{index:012d}",
        memory_total_bytes=mib * MIB,
        memory_used_bytes=1 * MIB,
        memory_free_bytes=(mib - 1) * MIB,
        compute_capability=capability,
        sm_count=count,
        pcie=PcieLink(max_generation=4, max_width=16),
        processes=(),
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # keys are field names


def machine(*gpus: Gpu, host: HostInfo = HOST) -> SystemReport:
    """Give a machine with these cards."""
    return SystemReport(host=host, gpus=gpus)


def images(model: str = "resnet50", side: int = 224, **changes: object) -> Workload:
    """Give a picture classification with 20 691 training pictures."""
    made = Workload(
        template_id="image_classification",
        task="image_classification",
        model_id=model,
        input_shape=(side, side, 3),
        output_units=37,
        optimizer=Optimizer.ADAMW,
        epochs=30,
        sample_count=20_691,
        sample_bytes=120_000,
        decoded_sample_bytes=side * side * 3,
        data_path="/data/pets",
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # keys are field names


def table(rows: int = 353, **changes: object) -> Workload:
    """Give a table regression."""
    made = Workload(
        template_id="tabular",
        task="tabular_regression",
        model_id="mlp",
        input_shape=(10,),
        epochs=30,
        sample_count=rows,
        decoded_sample_bytes=44,
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # keys are field names


def plan(workload: Workload, *gpus: Gpu, requests: Requests | None = None, **fields: object) -> TrainingPlan:
    """Plan a workload on a machine with these cards."""
    if requests is not None:
        workload = replace(workload, requests=requests)
    host = fields.pop("host", HOST)
    report = machine(*gpus, host=host)  # type: ignore[arg-type]  # given by the test
    return make_plan(PlanRequest(workload=workload, report=report, **fields))  # type: ignore[arg-type]  # field names
