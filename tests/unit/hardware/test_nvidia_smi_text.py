"""Tables people paste, from real machines; see tests/data/nvidia_smi/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.gpu import ComputeMode, DriverModel
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.nvidia_smi_text import parse_nvidia_smi_text, parse_nvidia_smi_text_readings

DATA = Path(__file__).resolve().parents[2] / "data" / "nvidia_smi"


def answer(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def test_h100_with_mig_gives_slices() -> None:
    result = parse_nvidia_smi_text(answer("h100-mig.txt"))

    (gpu,) = result.gpus
    assert result.driver is not None
    assert (result.driver.version, result.driver.cuda_version) == ("590.48.01", "13.1")
    assert gpu.mig_enabled is True
    assert [one.memory_total_bytes for one in gpu.mig_instances] == [
        40448 * MIB,
        20096 * MIB,
        9984 * MIB,
        9984 * MIB,
    ]
    assert [one.profile for one in gpu.mig_instances] == ["3g.40gb", "2g.20gb", "1g.10gb", "1g.10gb"]
    assert [one.sm_count for one in gpu.mig_instances] == [60, 32, 16, 16]
    assert gpu.ecc_enabled is True


def test_the_last_table_counts() -> None:
    text = answer("h100-mig.txt")
    idle = text.partition("state: load")[0]

    assert parse_nvidia_smi_text(idle).gpus[0].processes == ()
    (gpu,) = parse_nvidia_smi_text(text).gpus
    assert [(one.pid, one.memory_used_bytes, one.mig_index) for one in gpu.processes] == [
        (21180, 2296 * MIB, 0),
        (21181, 1272 * MIB, 0),
        (21198, 7484 * MIB, 0),
    ]


def test_use_of_a_mig_card_is_unknown() -> None:
    (readings,) = parse_nvidia_smi_text_readings(answer("h100-mig.txt"))

    assert Metric.UTILIZATION_PCT not in readings.values
    assert readings.absent[Metric.UTILIZATION_PCT].id == "hardware.mig-not-for-whole-card"
    assert readings.values[Metric.POWER_W] == 432


def test_header_of_the_610_drivers() -> None:
    result = parse_nvidia_smi_text(answer("windows-rtx-2080-super.txt"))

    assert result.driver is not None
    assert (result.driver.version, result.driver.cuda_version) == ("610.62", "13.3")


def test_header_of_the_610_drivers_without_the_version_lines() -> None:
    table = answer("windows-rtx-2080-super.txt").partition("state: idle")[2]

    driver = parse_nvidia_smi_text(table).driver

    assert driver is not None
    assert (driver.version, driver.cuda_version) == ("610.62", "13.3")


def test_wddm_does_not_know_the_memory_of_processes() -> None:
    (gpu,) = parse_nvidia_smi_text(answer("windows-rtx-2080-super.txt")).gpus

    assert gpu.driver_model is DriverModel.WDDM
    assert gpu.name == "NVIDIA GeForce RTX 2080 SUPER"
    assert len(gpu.processes) == 21
    assert {process.memory_used_bytes for process in gpu.processes} == {None}
    assert gpu.absent["processes.memory_used_bytes"].id == "hardware.wddm-process-memory"
    assert gpu.memory_total_bytes == 8192 * MIB


def test_memory_of_gb10_is_the_systems() -> None:
    (gpu,) = parse_nvidia_smi_text(answer("gb10.txt")).gpus
    (readings,) = parse_nvidia_smi_text_readings(answer("gb10.txt"))

    assert gpu.memory_is_shared is True
    assert gpu.memory_total_bytes is None
    assert gpu.absent["memory_total_bytes"].id == gpu.absent["memory_free_bytes"].id == "hardware.memory-shared"
    assert gpu.pci_bus_id == "0000000f:01:00.0"
    assert gpu.power_limit_w is None
    assert Metric.MEMORY_USED_BYTES not in readings.values
    assert readings.values[Metric.UTILIZATION_PCT] == 0


def test_a_cut_off_name_is_no_name() -> None:
    (gpu,) = parse_nvidia_smi_text(answer("windows_wddm_old_table.txt")).gpus

    assert gpu.name is None
    assert gpu.absent["name"].id == "hardware.name-cut-off"
    assert gpu.absent["name"].params["shown"] == "GeForce GTX 108..."
    assert gpu.mig_enabled is None
    assert gpu.memory_total_bytes == 11264 * MIB
    assert gpu.compute_mode is ComputeMode.DEFAULT


@pytest.mark.parametrize("text", ["", "bash: nvidia-smi: command not found\n", "| | | |\n"])
def test_text_without_a_table_is_a_failed_status(text) -> None:
    result = parse_nvidia_smi_text(text)

    assert (result.status.state, result.gpus) == (BackendState.FAILED, ())


def test_exclusive_mode_and_ecc_off_are_read() -> None:
    table = answer("gb10.txt").replace("  0%      Default |", "  0%   E. Process |")
    table = table.replace(
        "0000000F:01:00.0 Off |                  N/A |", "0000000F:01:00.0 Off |                  Off |"
    )

    (gpu,) = parse_nvidia_smi_text(table).gpus

    assert gpu.compute_mode is ComputeMode.EXCLUSIVE_PROCESS
    assert gpu.ecc_enabled is False
