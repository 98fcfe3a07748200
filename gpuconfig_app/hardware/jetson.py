"""The GPU inside NVIDIA's Jetson chips where NVML can't be loaded: known by the device tree, read from ``/sys``.

It is no card on the PCI bus, shares the system's memory, and its driver (``nvgpu``) comes with JetPack.
"""

from __future__ import annotations

import re
from pathlib import Path

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState, BackendStatus, DriverInfo
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware.accelerators import MEMORY_SHARED, NOT_TOLD_BY_KERNEL, CardFacts, reading
from gpuconfig_app.hardware.backend import BackendResult
from gpuconfig_app.hardware.readings import REASONED_FIELDS
from gpuconfig_app.hardware.small_files import read_line, read_number, read_small

DRIVER = "nvgpu"
_SOURCE = "sysfs"
_RELEASE = re.compile(r"# R(\d+) \(release\), REVISION: (\d+(?:\.\d+)?)")
# The GPU of each chip by the name the driver gives it.
_CHIPS = {
    "nvidia,tegra234": "Orin",
    "nvidia,tegra194": "Xavier",
    "nvidia,tegra186": "Tegra X2",
    "nvidia,tegra210": "Tegra X1",
}
_LOAD_FILES = ("sys/devices/platform/gpu.0/load", "sys/devices/platform/tegra-soc/gpu.0/load", "sys/devices/gpu.0/load")


def read_jetson(root: Path = Path("/")) -> BackendResult | None:
    """Give the chip's GPU and driver; None when this is no Jetson."""
    model = read_line(root / "proc/device-tree/model") or ""
    release = _RELEASE.search(read_small(root / "etc/nv_tegra_release") or "")
    if "jetson" not in model.lower() and release is None:
        return None
    chips = (read_small(root / "proc/device-tree/compatible") or "").split("\0")
    chip = next((name for key, name in _CHIPS.items() if key in chips), None)
    absent = dict.fromkeys(REASONED_FIELDS, reasons.NOT_TOLD)
    absent |= {name: MEMORY_SHARED for name in REASONED_FIELDS if name.startswith("memory_")}
    absent |= dict.fromkeys(("pci_bus_id", "pci_id", "pci_subsystem_id", "mig_enabled"), reasons.NOT_SUPPORTED)
    if chip is not None:
        absent.pop("name")
    gpu = Gpu(
        index=0,
        vendor=Vendor.NVIDIA,
        name=f"{chip} (nvgpu)" if chip else None,
        memory_is_shared=True,
        bound_driver=DRIVER,
        absent=absent,
    )
    version = ".".join(release.groups()) if release else None
    untold = ["version", "cuda_version", "is_open_kernel_module", *([] if version else ["kernel_version"])]
    driver = DriverInfo(vendor=Vendor.NVIDIA, kernel_version=version, absent=dict.fromkeys(untold, reasons.NOT_TOLD))
    status = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.READY, source=_SOURCE)
    return BackendResult(status=status, gpus=(gpu,), driver=driver)


def read_live(root: Path) -> CardFacts:
    """Read load, clock and heat once."""
    card = CardFacts()
    card.put("bound_driver", DRIVER)
    card.put_memory(None, None, MEMORY_SHARED)
    card.readings[Metric.UTILIZATION_PCT] = reading(Metric.UTILIZATION_PCT, _load(root), NOT_TOLD_BY_KERNEL)
    card.readings[Metric.CLOCK_SM_MHZ] = reading(Metric.CLOCK_SM_MHZ, _clock(root), NOT_TOLD_BY_KERNEL)
    card.readings[Metric.TEMPERATURE_C] = reading(Metric.TEMPERATURE_C, _heat(root), NOT_TOLD_BY_KERNEL)
    return card


def _load(root: Path) -> float | None:
    """Give the load; the kernel tells it in tenths of a percent."""
    places = [root / name for name in _LOAD_FILES]
    places += sorted((root / "sys/class/devfreq").glob("*.gpu/device/load"))
    tenths = next((value for place in places if (value := read_number(place)) is not None), None)
    return None if tenths is None else tenths / 10


def _clock(root: Path) -> float | None:
    places = sorted((root / "sys/class/devfreq").glob("*.gpu/cur_freq"))
    hertz = next((value for place in places if (value := read_number(place)) is not None), None)
    return None if hertz is None else hertz / 1e6


def _heat(root: Path) -> float | None:
    for zone in sorted((root / "sys/class/thermal").glob("thermal_zone*")):
        if (read_line(zone / "type") or "").lower().startswith("gpu"):
            value = read_number(zone / "temp")
            return None if value is None else value / 1000
    return None


def is_jetson_gpu(gpu: Gpu) -> bool:
    """Whether a GPU of the report was found by this module and is read by it."""
    return gpu.bound_driver == DRIVER
