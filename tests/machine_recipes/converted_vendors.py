"""Machines with cards of other makers, as far as their own tools tell about them."""

from __future__ import annotations

from gpuconfig_app.core.gpu import Gpu, GpuProcess, Vendor
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.system import BackendState, BackendStatus, DriverInfo, SystemReport
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.recorded import MachineOrigin
from tests.machine_recipes.environments import environment, system_python
from tests.machine_recipes.hosts import linux
from tests.machine_recipes.recipe import MIT, TELEGRAF, Expected, Recipe

TAKEN_AT = 1763000000.0
_NOT_TOLD = Message("hardware.not-told-by-driver")
_NO_NVIDIA = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.NOT_PRESENT)


def _status(vendor: Vendor, source: str) -> BackendStatus:
    return BackendStatus(vendor=vendor, state=BackendState.READY, source=source)


def _rx6700xt() -> Recipe:
    gpu = Gpu(
        index=0, vendor=Vendor.AMD, name="Navi 22 [Radeon RX 6700/6700 XT / 6800M]", pci_bus_id="00000000:07:00.0",
        pci_id="1002:73df", memory_total_bytes=12868124672, memory_used_bytes=1572745216,
        memory_free_bytes=12868124672 - 1572745216, target="gfx1031", power_limit_w=211.0, bound_driver="amdgpu",
        absent={"uuid": _NOT_TOLD, "processes": _NOT_TOLD},
    )  # fmt: skip
    return Recipe(
        name="radeon-rx6700xt",
        title=LocalText("Radeon RX 6700 XT with ROCm 6.1", "Radeon RX 6700 XT 工作站，ROCm 6.1"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux("ubuntu-22.04", "7950X", 31.3, libcuda=None),
            gpus=(gpu,),
            drivers=(DriverInfo(vendor=Vendor.AMD, version="6.3.6"),),
            backends=(_NO_NVIDIA, _status(Vendor.AMD, "rocm-smi")),
            environments=(
                environment(None, python="3.10.13", extra={"tensorflow-rocm": "2.14.0.600", "numpy": "1.26.4"}),
                system_python("3.10", "/usr/bin/python3.10"),
            ),
        ),
        expected=Expected(
            verdict="blocked", outcome="cpu_only", primary_code="ROCM_ARCH_UNSUPPORTED",
            why="gfx1031 is not on the list of the ROCm build, which passes the card over; there is an unofficial way",
        ),
        origin=MachineOrigin.CONVERTED,
        source=TELEGRAF.format(path="inputs/amd_rocm_smi/testdata"),
        licence=MIT,
    )  # fmt: skip


def _mi100() -> Recipe:
    total, used = 34342961152, 6750208
    gpus = tuple(
        Gpu(
            index=index, vendor=Vendor.AMD, name="Arcturus GL-XL [Instinct MI100]", pci_bus_id=f"00000000:{bus}:00.0",
            pci_id="1002:738c", memory_total_bytes=total, memory_used_bytes=used, memory_free_bytes=total - used,
            power_limit_w=290.0, bound_driver="amdgpu",
            absent={"uuid": _NOT_TOLD, "target": _NOT_TOLD, "processes": _NOT_TOLD},
        )
        for index, bus in enumerate(("83", "a3", "c3", "e3"))
    )  # fmt: skip
    return Recipe(
        name="4xinstinct-mi100",
        title=LocalText("Four Instinct MI100 with ROCm 6.0", "四张 Instinct MI100，ROCm 6.0"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux("ubuntu-22.04", "7742", 251.7, libcuda=None, display="none"),
            gpus=gpus,
            drivers=(DriverInfo(vendor=Vendor.AMD, version="6.3.6"),),
            backends=(_NO_NVIDIA, _status(Vendor.AMD, "rocm-smi")),
            environments=(
                environment(None, python="3.10.13", extra={"tensorflow-rocm": "2.14.0.600", "numpy": "1.26.4"}),
            ),
        ),
        expected=Expected(
            verdict="unknown",
            outcome="unknown",
            primary_code="ROCM_NEEDS_PROOF",
            why="gfx908 is a ROCm target; whether it runs is for the proof to say",
        ),
        origin=MachineOrigin.CONVERTED,
        source=TELEGRAF.format(path="inputs/amd_rocm_smi/testdata"),
        licence=MIT,
    )


def _ascend() -> Recipe:
    used = (65521, 65330, 3401)
    processes = (
        GpuProcess(pid=201837, kind="compute", memory_used_bytes=42204 * MIB),
        GpuProcess(pid=201838, kind="compute", memory_used_bytes=20042 * MIB),
    )
    gpus = tuple(
        Gpu(
            index=index, vendor=Vendor.HUAWEI, name="910B3", pci_bus_id=f"00000000:{bus}:00.0",
            memory_total_bytes=65536 * MIB, memory_used_bytes=used[index] * MIB,
            memory_free_bytes=(65536 - used[index]) * MIB,
            processes=processes if index == 0 else None if index == 1 else (),
            absent={
                "pci_id": _NOT_TOLD, "uuid": _NOT_TOLD, "power_limit_w": _NOT_TOLD,
                **({"processes": _NOT_TOLD} if index == 1 else {}),
            },
        )
        for index, bus in enumerate(("c1", "01", "c2"))
    )  # fmt: skip
    return Recipe(
        name="ascend-910b3",
        title=LocalText("Three Ascend 910B3", "三张昇腾 910B3"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux("ubuntu-22.04", "920", 1511.0, arch="aarch64", libcuda=None, display="none"),
            gpus=gpus,
            drivers=(DriverInfo(vendor=Vendor.HUAWEI, version="24.1.0.3"),),
            backends=(_NO_NVIDIA, _status(Vendor.HUAWEI, "npu-smi")),
            environments=(environment("2.21.0", python="3.11.9", cuda=False),),
        ),
        expected=Expected(
            verdict="cpu_only", outcome="cpu_only", primary_code="ASCEND_NEEDS_TF_ADAPTER",
            why="this TensorFlow knows nothing of Ascend; the vendor's adapter serves 1.15 and 2.6.5 only",
        ),
        origin=MachineOrigin.CONVERTED,
        source="a launcher's test file in a public repository (machine output, retyped)",
    )  # fmt: skip


def _hygon() -> Recipe:
    fields = ("name", "uuid", "pci_id", "pci_bus_id", "memory_total_bytes", "memory_used_bytes", "memory_free_bytes")
    gpus = tuple(
        Gpu(
            index=index, vendor=Vendor.HYGON, power_limit_w=400.0,
            absent=dict.fromkeys((*fields, "processes"), _NOT_TOLD),
        )
        for index in range(8)
    )  # fmt: skip
    return Recipe(
        name="8xhygon-dcu",
        title=LocalText("Eight Hygon DCU cards", "八张海光 DCU"),
        report=SystemReport(
            taken_at=TAKEN_AT,
            host=linux("ubuntu-22.04", "7742", 1007.6, libcuda=None, display="none"),
            gpus=gpus,
            drivers=(DriverInfo(vendor=Vendor.HYGON, absent={"version": _NOT_TOLD}),),
            backends=(_NO_NVIDIA, _status(Vendor.HYGON, "hy-smi")),
            environments=(environment("2.21.0", python="3.11.9", cuda=False),),
        ),
        expected=Expected(
            verdict="cpu_only",
            outcome="cpu_only",
            primary_code="HYGON_NEEDS_VENDOR_WHEEL",
            why="the installed wheel of the package index cannot use a DCU; the vendor has wheels of its own",
        ),
        origin=MachineOrigin.CONVERTED,
        source="notes of a user in a public repository (machine output, retyped)",
    )


def vendor_machines() -> tuple[Recipe, ...]:
    """Give the machines with cards that are not NVIDIA's."""
    return (_rx6700xt(), _mi100(), _ascend(), _hygon())
