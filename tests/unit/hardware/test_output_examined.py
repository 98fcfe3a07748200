"""An examiner's outputs of the tools: drivers from 340 to 620, faults, systems, virtual cards, other makers."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.gpu import ComputeMode, DriverModel, GpuState
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import OsFamily
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.output_file import load_output_file
from gpuconfig_app.knowledge.identify import fill_from_catalogue

DATA = Path(__file__).resolve().parents[2] / "data"
NVIDIA = DATA / "nvidia_smi"
VENDORS = DATA / "vendor_tools"


def opened(path: Path):
    machine = load_output_file(path)
    return machine, fill_from_catalogue(machine.report)


def test_driver_340_knows_no_cuda_and_a_second_card_tells_half():
    machine, report = opened(NVIDIA / "table_340_two_cards.txt")
    kepler, maxwell = report.gpus

    assert (report.drivers[0].version, report.drivers[0].cuda_version) == ("340.29", None)
    assert (kepler.name, kepler.compute_capability, kepler.memory_total_bytes) == ("Tesla K20c", "3.5", 4799 * MIB)
    assert maxwell.compute_capability is None  # two chips were sold as GTX 750 Ti
    assert maxwell.memory_used_bytes == 135 * MIB
    assert Metric.UTILIZATION_PCT not in machine.samples[1].values


def test_card_whose_readings_are_all_errors_is_not_ready():
    machine, report = opened(NVIDIA / "table_550_laptop_err.txt")
    (gpu,) = report.gpus

    assert gpu.state is GpuState.FAILED
    assert gpu.state_reason.id == "hardware.card-answers-errors"
    assert gpu.name is None  # cut off: RTX 3050, its Ti, its laptop kinds
    assert set(machine.samples[0].values) == {Metric.MEMORY_USED_BYTES}


def test_one_failed_reading_leaves_a_card_ready(tmp_path):
    text = (NVIDIA / "table_550_laptop_err.txt").read_text(encoding="utf-8")
    path = tmp_path / "fan.txt"
    path.write_text(
        text.replace(
            "| N/A   ERR!   ERR!         ERR! / ERR!   |       3MiB /   4096MiB |     ERR!     Default |",
            "| ERR!   41C    P8             5W /  60W  |       3MiB /   4096MiB |      0%      Default |",
        ),
        encoding="utf-8",
    )

    assert opened(path)[1].gpus[0].state is GpuState.READY


def test_wsl_is_told_by_a_tool_and_a_driver_of_two_numbers():
    _, report = opened(NVIDIA / "table_560_wsl.txt")

    assert (report.host.os.family, report.host.os.wsl_version) == (OsFamily.LINUX, 2)
    assert report.drivers[0].version == "560.94"


@pytest.mark.parametrize(
    "name", ["table_340_two_cards.txt", "table_472_tcc_and_wddm.txt", "table_550_laptop_err.txt",
             "table_620_two_h200.txt", "windows-rtx-2080-super.txt", "windows_wddm_old_table.txt", "gb10.txt"],
)  # fmt: skip
def test_other_tables_are_not_of_wsl(name):
    assert opened(NVIDIA / name)[1].host.os.wsl_version is None


def test_virtual_gpu_has_the_capability_of_its_board_and_its_own_memory():
    _, report = opened(NVIDIA / "table_525_grid_t4.txt")
    (gpu,) = report.gpus

    assert (gpu.name, gpu.compute_capability, gpu.memory_total_bytes) == ("GRID T4-16C", "7.5", 16384 * MIB)


def test_driver_620_with_an_exclusive_card_and_two_errors_counted():
    _, report = opened(NVIDIA / "table_620_two_h200.txt")
    first, second = report.gpus

    assert (report.drivers[0].version, report.drivers[0].cuda_version) == ("620.11", "13.4")
    assert (first.compute_mode, second.compute_mode) == (ComputeMode.DEFAULT, ComputeMode.EXCLUSIVE_PROCESS)
    assert first.ecc_enabled is second.ecc_enabled is True
    assert [process.pid for process in second.processes] == [1771234]


def test_jetson_is_a_card_without_an_address_that_shares_memory():
    machine, report = opened(NVIDIA / "table_540_jetson_orin.txt")
    (gpu,) = report.gpus

    assert (gpu.name, gpu.state, gpu.pci_bus_id) == ("Orin (nvgpu)", GpuState.READY, None)
    assert gpu.memory_is_shared
    assert gpu.memory_total_bytes is None
    assert report.host.os.architecture == "aarch64"
    assert not machine.samples[0].values


def test_windows_with_a_card_for_computing_and_one_for_the_screen():
    _, report = opened(NVIDIA / "table_472_tcc_and_wddm.txt")

    assert report.host.os.family is OsFamily.WINDOWS
    assert [gpu.driver_model for gpu in report.gpus] == [DriverModel.TCC, DriverModel.WDDM]
    assert [gpu.compute_capability for gpu in report.gpus] == ["6.1", "7.5"]


def test_long_text_of_a_card_in_a_cloud():
    machine, report = opened(NVIDIA / "query_535_t4.txt")
    (gpu,) = report.gpus

    assert (gpu.name, gpu.memory_free_bytes, gpu.memory_reserved_bytes) == ("Tesla T4", 15100 * MIB, 257 * MIB)
    assert machine.samples[0].values[Metric.POWER_W] == 13.46


def test_names_of_laptops_virtual_and_new_cards():
    _, report = opened(NVIDIA / "names.csv")

    assert [gpu.compute_capability for gpu in report.gpus] == [
        "8.9", "7.5", "7.5", None, "12.0", "8.6", "6.1", None, "8.6", "8.9", "8.9", "9.0",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "temperatures", "use"),
    [
        ("rocm-smi_5_concise.txt", [37.0, 40.0], [0.0, 99.0]),
        ("rocm-smi_6_concise.txt", [43.0], [1.0]),
        ("npu-smi_23_310P3.txt", [46.0, 47.0], [0.0, 0.0]),
        ("hy-smi_2cards.txt", [51.0, None], [88.0, 0.0]),
    ],
)
def test_tables_of_other_makers(name, temperatures, use):
    machine, report = opened(VENDORS / name)

    assert [sample.values.get(Metric.TEMPERATURE_C) for sample in machine.samples] == temperatures
    assert [sample.values.get(Metric.UTILIZATION_PCT) for sample in machine.samples] == use
    if "310P3" not in name:  # percentages are no bytes
        assert [gpu.memory_total_bytes for gpu in report.gpus] == [None] * len(use)


def test_ascend_310p_has_two_chips_on_one_board():
    _, report = opened(VENDORS / "npu-smi_23_310P3.txt")

    assert [gpu.memory_total_bytes for gpu in report.gpus] == [21527 * MIB] * 2
    assert [gpu.memory_used_bytes for gpu in report.gpus] == [1697 * MIB, 1446 * MIB]


def test_radeon_is_known_by_the_device_in_the_table_of_rocm_6():
    _, report = opened(VENDORS / "rocm-smi_6_concise.txt")
    (gpu,) = report.gpus

    assert (gpu.pci_id, gpu.target) == ("1002:744c", "gfx1100")
    assert "7900 XTX" in gpu.name
