"""Machines with cards of other makers: what their tools told, read by the product's own parsers.

Beside each maker's recording stands a machine whose card has no driver.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import BackendState, BackendStatus, HostInfo, SystemReport
from gpuconfig_app.hardware.amd import AmdBackend
from gpuconfig_app.hardware.ascend import AscendBackend
from gpuconfig_app.hardware.backend import BackendResult, DetectOptions, GpuBackend
from gpuconfig_app.hardware.hygon import HygonBackend
from gpuconfig_app.hardware.merge import merge_cards
from gpuconfig_app.hardware.pci import PciCard
from gpuconfig_app.hardware.recorded import MachineOrigin
from gpuconfig_app.hardware.tool_output import recognise_output
from tests.machine_recipes.environments import environment, system_python
from tests.machine_recipes.hosts import linux
from tests.machine_recipes.recipe import MIT, TELEGRAF, Expected, Recipe

TAKEN_AT = 1763000000.0
DATA = Path(__file__).resolve().parents[1] / "data" / "vendor_tools"
_NO_NVIDIA = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.NOT_PRESENT)
_NOWHERE = Path("/nowhere")
_ROCM_2_14 = {"tensorflow-rocm": "2.14.0.600", "numpy": "1.26.4"}


def _told(name: str) -> BackendResult:
    """Give what a recorded answer tells."""
    (output,) = recognise_output((DATA / name).read_text(encoding="utf-8"))
    return output.result


def _report(
    result: BackendResult,
    host: HostInfo,
    environments: Sequence[PythonEnvironment],
    cards: Sequence[PciCard] = (),
) -> SystemReport:
    gpus = merge_cards([result], cards)
    return SystemReport(
        taken_at=TAKEN_AT,
        host=host,
        gpus=tuple(sorted(gpus, key=lambda gpu: gpu.index)),
        drivers=(result.driver,) if result.driver else (),
        backends=(_NO_NVIDIA, result.status),
        environments=tuple(environments),
    )


def _rx6700xt() -> Recipe:
    return Recipe(
        name="radeon-rx6700xt",
        title=LocalText("Radeon RX 6700 XT with ROCm 6.1", "Radeon RX 6700 XT 工作站，ROCm 6.1"),
        report=_report(
            _told("rocm-smi_6.1.2_rx6700xt.json"),
            linux("ubuntu-22.04", "7950X", 31.3, libcuda=None),
            (
                environment(None, python="3.10.13", extra=_ROCM_2_14),
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
    return Recipe(
        name="4xinstinct-mi100",
        title=LocalText("Four Instinct MI100 with ROCm 6.0", "四张 Instinct MI100，ROCm 6.0"),
        report=_report(
            _told("rocm-smi_6.0.2_4xmi100.json"),
            linux("ubuntu-22.04", "7742", 251.7, libcuda=None, display="none"),
            (environment(None, python="3.10.13", extra=_ROCM_2_14),),
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
    return Recipe(
        name="ascend-910b3",
        title=LocalText("Three Ascend 910B3", "三张昇腾 910B3"),
        report=_report(
            _told("npu-smi_24_910B3.txt"),
            linux("ubuntu-22.04", "920", 1511.0, arch="aarch64", libcuda=None, display="none"),
            (environment("2.21.0", python="3.11.9", cuda=False),),
        ),
        expected=Expected(
            verdict="cpu_only", outcome="cpu_only", primary_code="ASCEND_NEEDS_TF_ADAPTER",
            why="this TensorFlow knows nothing of Ascend; the vendor's adapter serves 1.15 and 2.6.5 only",
        ),
        origin=MachineOrigin.CONVERTED,
        source="a launcher's test file in a public repository (machine output, retyped)",
    )  # fmt: skip


def _hygon() -> Recipe:
    return Recipe(
        name="8xhygon-dcu",
        title=LocalText("Eight Hygon DCU cards", "八张海光 DCU"),
        report=_report(
            _told("hy-smi_8cards.txt"),
            linux("ubuntu-22.04", "7742", 1007.6, libcuda=None, display="none"),
            (environment("2.21.0", python="3.11.9", cuda=False),),
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


def _without_driver(
    name: str,
    title: LocalText,
    backend: GpuBackend,
    card: PciCard,
    env: PythonEnvironment,
    expected: Expected,
    *,
    arch: str = "x86_64",
) -> Recipe:
    """Give a machine whose card is on the bus and nothing else of its maker is there."""
    result = backend.detect(DetectOptions(pci_bus_ids=(card.bus_id,)))
    host = linux("ubuntu-22.04", "920" if arch == "aarch64" else "7742", 251.7, arch=arch, libcuda=None, display="none")
    return Recipe(
        name=name, title=title, report=_report(result, host, (env,), (card,)), expected=expected,
        origin=MachineOrigin.CONSTRUCTED,
    )  # fmt: skip


def _missing_drivers() -> tuple[Recipe, ...]:
    nowhere = str(_NOWHERE)
    return (
        _without_driver(
            "radeon-without-driver",
            LocalText("Radeon Pro W7900 without AMD's driver", "Radeon Pro W7900，未安装 AMD 驱动"),
            AmdBackend(_NOWHERE, nowhere),
            PciCard(bus_id="00000000:03:00.0", vendor=Vendor.AMD, pci_id="1002:7448"),
            environment(None, python="3.10.13", extra=_ROCM_2_14),
            Expected(
                verdict="blocked", outcome="cpu_only", primary_code="AMD_DRIVER_MISSING",
                why="the card and TensorFlow for ROCm fit, but neither kernel driver nor ROCm is there",
            ),
        ),
        _without_driver(
            "ascend-without-driver",
            LocalText("Ascend 910B without its driver", "昇腾 910B，未安装驱动"),
            AscendBackend(_NOWHERE, nowhere),
            PciCard(bus_id="00000000:c1:00.0", vendor=Vendor.HUAWEI, pci_id="19e5:d802"),
            environment("2.21.0", python="3.11.9", cuda=False),
            Expected(
                verdict="cpu_only", outcome="cpu_only", primary_code="ASCEND_NEEDS_TF_ADAPTER",
                also=("MAKER_DRIVER_MISSING",),
                why="this TensorFlow would not use the chip with a driver either; the missing driver is said too",
            ),
            arch="aarch64",
        ),
        _without_driver(
            "hygon-without-driver",
            LocalText("Hygon K100_AI without its driver", "海光 K100_AI，未安装驱动"),
            HygonBackend(nowhere),
            PciCard(bus_id="00000000:41:00.0", vendor=Vendor.HYGON, pci_id="1d94:6211"),
            environment("2.21.0", python="3.11.9", cuda=False),
            Expected(
                verdict="cpu_only", outcome="cpu_only", primary_code="HYGON_NEEDS_VENDOR_WHEEL",
                also=("MAKER_DRIVER_MISSING",),
                why="this TensorFlow would not use the card with a driver either; the missing driver is said too",
            ),
        ),
    )  # fmt: skip


def vendor_machines() -> tuple[Recipe, ...]:
    """Give the machines with cards that are not NVIDIA's."""
    return (_rx6700xt(), _mi100(), _ascend(), _hygon(), *_missing_drivers())
