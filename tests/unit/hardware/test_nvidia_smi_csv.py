"""Comma-separated answers from real machines; see tests/data/nvidia_smi/README.md."""

from __future__ import annotations

from pathlib import Path

from gpuconfig_app.core.gpu import DriverModel, ValueOrigin
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.nvidia_smi_apps import parse_compute_apps
from gpuconfig_app.hardware.nvidia_smi_csv import parse_nvidia_smi_csv, parse_nvidia_smi_csv_readings

DATA = Path(__file__).resolve().parents[2] / "data" / "nvidia_smi"
GTX_770_COLUMNS = (
    "name",
    "utilization.gpu",
    "utilization.memory",
    "temperature.gpu",
    "power.draw",
    "power.limit",
    "fan.speed",
    "pstate",
    "clocks.current.sm",
    "clocks.current.memory",
    "clocks.max.sm",
    "clocks.max.memory",
)


def answer(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def test_h100_tells_capability_and_reserved_memory() -> None:
    result = parse_nvidia_smi_csv(answer("h100-mig_load.csv"))

    (gpu,) = result.gpus
    assert result.driver is not None
    assert result.driver.version == "590.48.01"
    assert (gpu.compute_capability, gpu.compute_capability_origin) == ("9.0", ValueOrigin.CARD)
    assert (gpu.memory_used_bytes, gpu.memory_reserved_bytes) == (11125 * MIB, 479 * MIB)
    assert (gpu.mig_enabled, gpu.ecc_enabled, gpu.persistence_enabled) == (True, True, True)
    assert (gpu.pcie.generation, gpu.pcie.width, gpu.pcie.max_width) == (5, 16, None)


def test_use_of_a_mig_card_is_unknown() -> None:
    (readings,) = parse_nvidia_smi_csv_readings(answer("h100-mig_idle.csv"))

    assert readings.absent[Metric.UTILIZATION_PCT].id == "hardware.mig-not-for-whole-card"
    assert readings.absent[Metric.FAN_PCT].id == "hardware.not-supported"
    assert readings.values[Metric.MEMORY_TEMPERATURE_C] == 48


def test_windows_with_both_ways_to_write_nothing() -> None:
    text = answer("windows-rtx-2080-super_load.csv")

    (gpu,) = parse_nvidia_smi_csv(text).gpus
    (readings,) = parse_nvidia_smi_csv_readings(text)

    assert gpu.driver_model is DriverModel.WDDM
    assert gpu.persistence_enabled is None
    assert gpu.absent["persistence_enabled"].id == "hardware.not-supported"
    assert readings.absent[Metric.MEMORY_TEMPERATURE_C].id == "hardware.not-supported"
    assert readings.values[Metric.UTILIZATION_PCT] == 7


def test_nothing_of_a_gtx_770_becomes_zero() -> None:
    text = answer("gtx770_not_supported.csv")

    (gpu,) = parse_nvidia_smi_csv(text, GTX_770_COLUMNS).gpus
    (readings,) = parse_nvidia_smi_csv_readings(text, GTX_770_COLUMNS)

    assert gpu.name == "GeForce GTX 770"
    assert gpu.power_limit_w is None
    assert gpu.memory_is_shared is False
    assert readings.values == {Metric.TEMPERATURE_C: 52, Metric.FAN_PCT: 52}
    assert {reason.id for reason in readings.absent.values()} == {"hardware.not-supported"}


def test_rows_without_known_columns_are_a_failed_status() -> None:
    assert parse_nvidia_smi_csv(answer("gtx770_not_supported.csv")).status.state is BackendState.FAILED


def test_process_memory_of_gb10_is_available() -> None:
    columns = ("gpu_uuid", "pid", "process_name", "used_memory")

    found = parse_compute_apps(answer("gb10.txt"), columns)

    ((uuid, (process,)),) = found.items()
    assert uuid == "GPU-00000000-0000-4000-8000-000000000001"
    assert (process.pid, process.name) == (114687, "/usr/local/bin/python")
    assert process.memory_used_bytes == 19135 * MIB


def test_windows_processes_have_no_memory() -> None:
    found = parse_compute_apps(answer("windows-rtx-2080-super.txt"))

    (processes,) = found.values()
    assert len(processes) > 20
    assert {process.memory_used_bytes for process in processes} == {None}
