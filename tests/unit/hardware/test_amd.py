"""AMD's back-end on folders laid out like ``/sys``, and with a stand-in for rocm-smi that replays a recorded answer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gpuconfig_app.core.gpu import GpuState, Vendor
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState
from gpuconfig_app.hardware.amd import AmdBackend
from gpuconfig_app.hardware.amd_files import read_card, read_compute_nodes, target_of
from gpuconfig_app.hardware.backend import DetectOptions
from gpuconfig_app.hardware.readings import REASONED_FIELDS
from tests.unit.hardware.layouts import lay_out
from tests.unit.hardware.stand_ins import put_tool

DATA = Path(__file__).resolve().parents[2] / "data" / "vendor_tools"
BUS = "00000000:07:00.0"
CARD = "sys/bus/pci/devices/0000:07:00.0"
NODE = "sys/class/kfd/kfd/topology/nodes/1"


def card_files(target: int = 100301) -> dict[str, str]:
    """Give the files of a Radeon RX 6700 XT as amdgpu shows them."""
    sensors = f"{CARD}/hwmon/hwmon3"
    return {
        f"{CARD}/vendor": "0x1002\n", f"{CARD}/device": "0x73df\n", f"{CARD}/class": "0x030000\n",
        f"{CARD}/gpu_busy_percent": "37\n", f"{CARD}/mem_busy_percent": "12\n",
        f"{CARD}/mem_info_vram_total": "12868124672\n", f"{CARD}/mem_info_vram_used": "1572745216\n",
        f"{CARD}/current_link_speed": "16.0 GT/s PCIe\n", f"{CARD}/current_link_width": "16\n",
        f"{CARD}/max_link_speed": "16.0 GT/s PCIe\n", f"{CARD}/max_link_width": "16\n",
        f"{sensors}/power1_average": "6000000\n", f"{sensors}/power1_cap": "211000000\n",
        f"{sensors}/temp1_input": "45000\n", f"{sensors}/temp1_label": "edge\n", f"{sensors}/temp1_crit": "100000\n",
        f"{sensors}/temp3_input": "46000\n", f"{sensors}/temp3_label": "mem\n",
        f"{sensors}/freq1_input": "2450000000\n", f"{sensors}/freq1_label": "sclk\n",
        f"{sensors}/freq2_input": "1000000000\n", f"{sensors}/freq2_label": "mclk\n",
        f"{sensors}/pwm1": "51\n", f"{sensors}/pwm1_max": "255\n",
        f"{NODE}/properties": f"simd_count 80\ngfx_target_version {target}\nlocation_id 1792\ndomain 0\n",
        f"{NODE}/gpu_id": "4242\n",
        "sys/class/kfd/kfd/topology/nodes/0/properties": "cpu_cores_count 16\nsimd_count 0\ngfx_target_version 0\n",
        "sys/class/kfd/kfd/proc/321/vram_4242": "734003200\n", "sys/class/kfd/kfd/proc/322/vram_4242": "0\n",
        "proc/321/comm": "python3\n",
        "dev/kfd": "", "opt/rocm/": "",
    }  # fmt: skip


def bind(root: Path, driver: str = "amdgpu", card: str = CARD) -> None:
    """Bind a card to a kernel driver."""
    target = root / "sys/bus/pci/drivers" / driver
    target.mkdir(parents=True, exist_ok=True)
    (root / card / "driver").symlink_to(target)


@pytest.fixture
def root(tmp_path):
    lay_out(tmp_path, card_files())
    bind(tmp_path)
    return tmp_path


def detect(root: Path, **options: object):
    return AmdBackend(root, str(root / "bin")).detect(DetectOptions(**({"pci_bus_ids": (BUS,)} | options)))


def test_everything_the_kernel_tells(root):
    result = detect(root)

    (gpu,) = result.gpus
    assert (result.status.state, result.status.source) == (BackendState.READY, "sysfs")
    assert (gpu.vendor, gpu.state, gpu.target, gpu.pci_bus_id) == (Vendor.AMD, GpuState.READY, "gfx1031", BUS)
    assert (gpu.memory_total_bytes, gpu.memory_used_bytes) == (12868124672, 1572745216)
    assert gpu.memory_free_bytes == 12868124672 - 1572745216
    assert (gpu.power_limit_w, gpu.temperature_slowdown_c) == (211.0, 100)
    assert (gpu.pcie.generation, gpu.pcie.width) == (4, 16)
    assert [(item.pid, item.name, item.memory_used_bytes) for item in gpu.processes] == [(321, "python3", 734003200)]
    assert not [name for name in REASONED_FIELDS if getattr(gpu, name) is None and name not in gpu.absent]
    assert result.driver.absent["version"].id == "hardware.driver-is-part-of-kernel"


def test_live_readings_in_base_units(root):
    node = read_compute_nodes(root)[BUS]

    readings = read_card(BUS, root, node, is_integrated=False).readings

    assert readings == {
        Metric.UTILIZATION_PCT: 37, Metric.MEMORY_UTILIZATION_PCT: 12, Metric.MEMORY_USED_BYTES: 1572745216,
        Metric.POWER_W: 6, Metric.TEMPERATURE_C: 45, Metric.MEMORY_TEMPERATURE_C: 46, Metric.CLOCK_SM_MHZ: 2450,
        Metric.CLOCK_MEMORY_MHZ: 1000, Metric.FAN_PCT: 20,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("version", "target"),
    [(110000, "gfx1100"), (90402, "gfx942"), (90010, "gfx90a"), (90008, "gfx908"), (100301, "gfx1031"),
     (120001, "gfx1201"), (0, None), (-1, None)],
)  # fmt: skip
def test_compute_target(version, target):
    assert target_of(version) == target


def test_without_a_card_nothing_is_started(root):
    put_tool(root / "bin", "rocm-smi", "{}", told=root / "asked")

    assert detect(root, pci_bus_ids=()).status.state is BackendState.NOT_PRESENT
    assert detect(root, pci_bus_ids=None).status.state is BackendState.NOT_PRESENT
    assert detect(root).status.state is BackendState.READY
    assert not (root / "asked").exists()


def test_the_tool_fills_what_the_kernel_does_not_tell(root):
    (root / CARD / "mem_info_vram_total").unlink()
    (root / NODE / "properties").unlink()
    put_tool(root / "bin", "rocm-smi", (DATA / "rocm-smi_6.1.2_rx6700xt.json").read_text(encoding="utf-8"))

    result = detect(root)

    (gpu,) = result.gpus
    assert (gpu.memory_total_bytes, gpu.target) == (12868124672, "gfx1031")
    assert "memory_total_bytes" not in gpu.absent
    assert "target" not in gpu.absent
    assert result.driver.version == "6.3.6"


def test_a_tool_that_hangs_costs_its_limit_only(root):
    (root / CARD / "mem_info_vram_total").unlink()
    put_tool(root / "bin", "rocm-smi", "{}", hangs=True)

    (gpu,) = detect(root, time_limit_s=0.3).gpus

    assert gpu.memory_total_bytes is None
    assert gpu.absent["memory_total_bytes"].id == "hardware.not-told-by-kernel"


def test_card_without_driver(tmp_path):
    lay_out(tmp_path, card_files())

    result = detect(tmp_path)

    assert (result.status.state, result.status.code) == (BackendState.DRIVER_MISSING, "driver_not_loaded")
    assert result.gpus == ()


@pytest.mark.parametrize(("gone", "reason"), [("dev/kfd", "kfd-missing"), ("opt/rocm", "rocm-not-found")])
def test_driver_without_its_computing_part_is_a_state_of_its_own(root, gone, reason):
    path = root / gone
    path.rmdir() if path.is_dir() else path.unlink()

    result = detect(root)

    assert (result.status.state, result.status.code) == (BackendState.DRIVER_MISSING, "library_not_found")
    assert result.status.reason.id == f"hardware.{reason}"
    assert [gpu.memory_total_bytes for gpu in result.gpus] == [12868124672]


def test_closed_device_is_no_permission(root, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)

    result = detect(root)

    assert (result.status.state, result.status.code) == (BackendState.FAILED, "no_permission")
    assert result.gpus[0].state is GpuState.NO_PERMISSION


def test_sleeping_card_is_not_touched(root):
    (root / CARD / "gpu_busy_percent").unlink()

    (gpu,) = detect(root, sleeping_bus_ids=frozenset({BUS})).gpus

    assert gpu.state is GpuState.ASLEEP
    assert gpu.memory_total_bytes is None
    assert gpu.absent["memory_total_bytes"].id == "hardware.asleep"


def test_graphics_of_the_processor_share_the_systems_memory(root):
    lay_out(root, {"sys/bus/pci/devices/0000:07:00.2/vendor": "0x1022\n"})

    (gpu,) = detect(root).gpus

    assert gpu.memory_is_shared is True
    assert gpu.memory_total_bytes is None
    assert gpu.absent["memory_total_bytes"].id == "hardware.memory-shared"


def test_unreadable_files_are_reasons_and_never_zero(root):
    for name in ("gpu_busy_percent", "mem_info_vram_used"):
        (root / CARD / name).write_text("Device or resource busy\n")
    (root / CARD / "hwmon/hwmon3/power1_average").write_text("0\n")
    (root / CARD / "hwmon/hwmon3/temp1_input").write_text("0\n")

    readings = read_card(BUS, root, None, is_integrated=False).device_readings(None)

    wanted = (Metric.UTILIZATION_PCT, Metric.MEMORY_USED_BYTES, Metric.POWER_W, Metric.TEMPERATURE_C)
    assert not set(wanted) & set(readings.values)
    assert all(readings.absent[metric] is not None for metric in wanted)
    assert readings.processes is None
