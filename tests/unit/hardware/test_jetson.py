from __future__ import annotations

import pytest

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric
from gpuconfig_app.core.system import BackendState, SystemReport
from gpuconfig_app.hardware import nvidia
from gpuconfig_app.hardware.backend import DetectOptions
from gpuconfig_app.hardware.jetson import read_jetson
from gpuconfig_app.hardware.nvidia import NvidiaBackend
from gpuconfig_app.hardware.nvidia_nvml import Trouble
from gpuconfig_app.hardware.readings import REASONED_FIELDS
from gpuconfig_app.telemetry.sources.local import LocalSource
from tests.unit.hardware.layouts import lay_out
from tests.unit.telemetry.test_local_source import FakeReader

ORIN = {
    "proc/device-tree/model": "NVIDIA Jetson AGX Orin Developer Kit\0",
    "proc/device-tree/compatible": "nvidia,p3737-0000+p3701-0000\0nvidia,tegra234\0",
    "etc/nv_tegra_release": "# R35 (release), REVISION: 4.1, GCID: 33958178, BOARD: t186ref, EABI: aarch64\n",
    "sys/class/devfreq/17000000.gpu/device/load": "655\n",
    "sys/class/devfreq/17000000.gpu/cur_freq": "1300500000\n",
    "sys/class/thermal/thermal_zone0/type": "CPU-therm\n",
    "sys/class/thermal/thermal_zone0/temp": "51000\n",
    "sys/class/thermal/thermal_zone1/type": "GPU-therm\n",
    "sys/class/thermal/thermal_zone1/temp": "45500\n",
}


def test_orin_without_nvml(tmp_path, monkeypatch):
    monkeypatch.setattr(nvidia.nvml, "open_library", lambda: Trouble(nvidia.nvml.LIBRARY_NOT_FOUND))
    monkeypatch.setattr(nvidia, "ask_nvidia_smi", lambda limit_s: None)

    result = NvidiaBackend(lay_out(tmp_path, ORIN)).detect(DetectOptions(time_limit_s=5.0))

    (gpu,) = result.gpus
    assert (result.status.state, result.status.source) == (BackendState.READY, "sysfs")
    assert (gpu.name, gpu.memory_is_shared, gpu.memory_total_bytes) == ("Orin (nvgpu)", True, None)
    assert gpu.absent["memory_total_bytes"].id == "hardware.memory-shared"
    assert result.driver.kernel_version == "35.4.1"
    assert not [name for name in REASONED_FIELDS if getattr(gpu, name) is None and name not in gpu.absent]


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"proc/device-tree/model": "NVIDIA Jetson Thor\0", "proc/device-tree/compatible": "nvidia,tegra264\0"}, None),
        ({"etc/nv_tegra_release": "# R32 (release), REVISION: 7.1\n",
          "proc/device-tree/compatible": "nvidia,jetson-nano\0nvidia,tegra210\0"}, "Tegra X1 (nvgpu)"),
    ],
)  # fmt: skip
def test_other_jetsons(files, name, tmp_path):
    assert read_jetson(lay_out(tmp_path, files)).gpus[0].name == name


def test_other_machines_are_none(tmp_path):
    assert read_jetson(lay_out(tmp_path, {"proc/device-tree/model": "Raspberry Pi 5\0"})) is None
    assert read_jetson(tmp_path / "nothing") is None


def test_live_readings(tmp_path):
    gpu = read_jetson(lay_out(tmp_path, ORIN)).gpus[0]
    source = LocalSource(SystemReport(machine_id="desk", gpus=(gpu,)), root=tmp_path)
    assert source.open() is None

    sample = source.read(DeviceKey("desk", "0"), is_slow=False)

    assert sample.liveness is Liveness.LIVE
    assert sample.values == {
        Metric.UTILIZATION_PCT: 65.5, Metric.CLOCK_SM_MHZ: 1300.5, Metric.TEMPERATURE_C: 45.5,
    }  # fmt: skip
    assert sample.absent[Metric.MEMORY_USED_BYTES].id == "hardware.memory-shared"
    assert Metric.POWER_W in sample.absent


def test_a_card_with_nvml_is_not_read_that_way(tmp_path):
    gpu = Gpu(index=0, vendor=Vendor.NVIDIA, bound_driver="nvidia", pci_bus_id="00000000:01:00.0")
    reader = FakeReader()
    source = LocalSource(SystemReport(machine_id="desk", gpus=(gpu,)), reader=reader, root=lay_out(tmp_path, ORIN))

    source.read(DeviceKey("desk", "0"), is_slow=False)

    assert reader.asked == [(0, False)]
