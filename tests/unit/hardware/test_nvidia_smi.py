"""Answers of ``nvidia-smi -q -x`` from real machines; see tests/data/nvidia_smi/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.gpu import ComputeMode
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.nvidia_smi import parse_nvidia_smi_readings, parse_nvidia_smi_xml

DATA = Path(__file__).resolve().parents[2] / "data" / "nvidia_smi"


def answer(name: str) -> str:
    return (DATA / f"{name}.xml").read_text(encoding="utf-8")


def only_gpu(name: str):
    result = parse_nvidia_smi_xml(answer(name))
    assert result.status.state is BackendState.READY
    (gpu,) = result.gpus
    return gpu


def test_ada_v13_tells_memory_driver_and_display() -> None:
    result = parse_nvidia_smi_xml(answer("rtx-4000-sff-ada-v13"))

    (gpu,) = result.gpus
    assert result.driver is not None
    assert (result.driver.version, result.driver.cuda_version) == ("595.84", "13.2")
    assert gpu.memory_total_bytes == 20475 * MIB
    assert gpu.memory_used_bytes == 3534 * MIB
    assert gpu.memory_free_bytes == 16482 * MIB
    assert gpu.memory_reserved_bytes == 460 * MIB
    assert gpu.display_active is True
    assert (gpu.pci_id, gpu.pci_bus_id) == ("10de:27b0", "00000000:06:00.0")
    assert (gpu.pcie.generation, gpu.pcie.max_generation, gpu.pcie.width) == (1, 4, 16)


def test_ada_v13_lists_four_processes_with_their_kinds() -> None:
    gpu = only_gpu("rtx-4000-sff-ada-v13")

    assert [(process.name, process.kind) for process in gpu.processes] == [
        ("cosmic-comp", "graphics"),
        ("/usr/bin/code", "graphics"),
        ("python", "compute"),
        ("/usr/lib/chromium/chromium", "both"),
    ]


def test_v13_power_comes_from_its_new_place() -> None:
    (readings,) = parse_nvidia_smi_readings(answer("rtx-4000-sff-ada-v13"))

    assert readings.values[Metric.POWER_W] == 8.44
    assert readings.throttle_reasons == ()


def test_a_sentence_instead_of_a_value_is_no_value() -> None:
    text = answer("rtx-4000-sff-ada-v13").replace(
        "<compute_mode>Default</compute_mode>",
        "<compute_mode>Requested functionality has been deprecated</compute_mode>",
    )

    (gpu,) = parse_nvidia_smi_xml(text).gpus

    assert gpu.compute_mode is None
    assert gpu.absent["compute_mode"].id == "hardware.reading-deprecated"


def test_mig_card_gives_its_slices_and_no_invented_cards() -> None:
    gpu = only_gpu("a100-sxm4-mig-v12")

    assert gpu.mig_enabled is True
    assert [one.index for one in gpu.mig_instances] == [0, 1, 2, 3]
    assert [one.gpu_instance_id for one in gpu.mig_instances] == [3, 4, 5, 6]
    assert {one.memory_total_bytes for one in gpu.mig_instances} == {19968 * MIB}
    assert {one.sm_count for one in gpu.mig_instances} == {14}


def test_use_of_a_mig_card_is_unknown_and_not_zero() -> None:
    (readings,) = parse_nvidia_smi_readings(answer("a100-sxm4-mig-v12"))

    for metric in (Metric.UTILIZATION_PCT, Metric.MEMORY_UTILIZATION_PCT):
        assert metric not in readings.values
        assert readings.absent[metric].id == "hardware.mig-not-for-whole-card"


def test_minimal_answer_shows_what_is_there() -> None:
    result = parse_nvidia_smi_xml(answer("gtx-1070-ti-minimal"))

    (gpu,) = result.gpus
    assert (gpu.name, gpu.memory_total_bytes) == ("GeForce GTX 1070 Ti", 4096 * MIB)
    assert result.driver is not None
    assert (result.driver.version, result.driver.cuda_version) == (None, None)
    assert set(result.driver.absent) == {"version", "cuda_version", "kernel_version", "is_open_kernel_module"}
    assert gpu.processes is None
    assert parse_nvidia_smi_readings(answer("gtx-1070-ti-minimal"))[0].values[Metric.TEMPERATURE_C] == 39


def test_card_without_marketing_name_keeps_its_pci_id() -> None:
    gpu = only_gpu("unnamed-gtx-1660-ti")
    (readings,) = parse_nvidia_smi_readings(answer("unnamed-gtx-1660-ti"))

    assert gpu.name is None
    assert gpu.absent["name"].id == "hardware.no-marketing-name"
    assert gpu.pci_id == "10de:2184"
    assert gpu.compute_capability is None
    assert gpu.memory_total_bytes == 5912 * MIB
    assert readings.values[Metric.POWER_W] == 8.93


def test_pascal_on_driver_525() -> None:
    result = parse_nvidia_smi_xml(answer("quadro-p2000-v12"))

    (gpu,) = result.gpus
    assert result.driver is not None
    assert result.driver.cuda_version == "12.0"
    assert gpu.architecture == "Pascal"
    assert (gpu.ecc_enabled, gpu.mig_enabled) == (None, None)
    assert gpu.absent["ecc_enabled"].id == gpu.absent["mig_enabled"].id == "hardware.not-supported"
    assert gpu.compute_mode is ComputeMode.DEFAULT
    assert (gpu.temperature_slowdown_c, gpu.temperature_shutdown_c) == (101, 104)


def test_a_remark_of_the_610_drivers_is_taken_off() -> None:
    remark = " [Deprecated; will be removed in CUDA 14.0. Use KMD Version instead]"
    text = answer("quadro-p2000-v12").replace("525.125.06</driver_version>", f"610.57.04{remark}</driver_version>")

    driver = parse_nvidia_smi_xml(text).driver

    assert driver is not None
    assert driver.version == "610.57.04"


def test_a_remark_does_not_hide_a_word() -> None:
    text = answer("quadro-p2000-v12").replace(
        "<compute_mode>Default</compute_mode>", "<compute_mode>Default [Deprecated; will be removed]</compute_mode>"
    )

    assert parse_nvidia_smi_xml(text).gpus[0].compute_mode is ComputeMode.DEFAULT


def test_the_new_words_of_the_610_drivers_count_before_the_old() -> None:
    text = answer("quadro-p2000-v12").replace(
        "<driver_version>525.125.06</driver_version>",
        '<driver_version>Deprecated, see "KMD version" instead</driver_version>'
        "<kmd_version>610.62</kmd_version><cuda_umd_version>13.3</cuda_umd_version>",
    )

    driver = parse_nvidia_smi_xml(text).driver

    assert driver is not None
    assert (driver.version, driver.cuda_version) == ("610.62", "13.3")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Failed to initialize NVML: Driver/library version mismatch",
        "<nvidia_smi_log><gpu>",
        "<other/>",
        '<!DOCTYPE nvidia_smi_log [<!ENTITY a "b">]><nvidia_smi_log><gpu><uuid>&a;</uuid></gpu></nvidia_smi_log>',
    ],
    ids=["empty", "refusal", "cut off", "something else", "entity"],
)
def test_what_is_no_answer_is_a_failed_status(text) -> None:
    result = parse_nvidia_smi_xml(text)

    assert (result.status.state, result.status.code) == (BackendState.FAILED, "failed")
    assert result.status.reason is not None
    assert result.status.reason.id == "hardware.nvidia-smi-unreadable"
    assert parse_nvidia_smi_readings(text) == ()


def test_warnings_before_the_document_do_no_harm() -> None:
    noise = "WARNING: infoROM is corrupted at gpu 0000:17:00.0\n"

    assert parse_nvidia_smi_xml(noise + answer("quadro-p2000-v12")).gpus[0].name == "Quadro P2000"


def test_no_card_at_all_is_not_a_fault() -> None:
    result = parse_nvidia_smi_xml("<nvidia_smi_log><attached_gpus>0</attached_gpus></nvidia_smi_log>")

    assert (result.status.state, result.status.code) == (BackendState.NOT_PRESENT, None)


@pytest.mark.parametrize("path", sorted(DATA.glob("*.xml")), ids=lambda path: path.stem)
def test_everything_that_is_missing_has_a_reason(path) -> None:
    text = path.read_text(encoding="utf-8")

    (gpu,) = parse_nvidia_smi_xml(text).gpus
    (readings,) = parse_nvidia_smi_readings(text)

    assert all(gpu.absent.get(name) for name in ("sm_count", "compute_capability") if getattr(gpu, name) is None)
    assert readings.values.keys() | readings.absent.keys() == set(Metric)
    assert not readings.values.keys() & readings.absent.keys()
