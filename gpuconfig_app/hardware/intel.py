"""Intel's graphics: what the PCI bus and the kernel's driver (i915, xe) show without any library.

The memory in use is not among it: that needs Intel's own library with more rights, so it stays unknown.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import DriverInfo
from gpuconfig_app.hardware import accelerators as shared
from gpuconfig_app.hardware.accelerators import CardFacts, reading
from gpuconfig_app.hardware.amd_files import bound_driver, card_folder
from gpuconfig_app.hardware.backend import BackendResult, DetectOptions, normal_bus_id
from gpuconfig_app.hardware.pci import COMPUTE_DRIVERS, is_part_of_processor
from gpuconfig_app.hardware.readings import REASONED_FIELDS
from gpuconfig_app.hardware.small_files import read_number

_SOURCE = "sysfs"


class IntelBackend:
    """Finds Intel's cards and processor graphics.

    Args:
        root: Where the file system begins, for tests.
    """

    vendor: Final = Vendor.INTEL

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def detect(self, options: DetectOptions) -> BackendResult:
        """Give the cards whose driver is loaded; see ``GpuBackend.detect``."""
        on_bus = tuple(sorted(map(normal_bus_id, options.pci_bus_ids or ())))
        if not on_bus:
            return BackendResult(status=shared.not_present(self.vendor, can_look=options.pci_bus_ids is not None))
        asleep = frozenset() if options.wakes_sleeping_gpus else frozenset(map(normal_bus_id, options.sleeping_bus_ids))
        drivers = {bus_id: bound_driver(bus_id, self._root) for bus_id in on_bus}
        served = [bus_id for bus_id in on_bus if bus_id in asleep or drivers[bus_id] in COMPUTE_DRIVERS[self.vendor]]
        if not served:
            reason = Message("hardware.maker-driver-not-loaded", {"maker": "Intel", "driver": "xe, i915"})
            return BackendResult(status=shared.driver_missing(self.vendor, shared.DRIVER_NOT_LOADED, reason))
        gpus = tuple(
            _sleeping(index, bus_id, drivers[bus_id])
            if bus_id in asleep
            else read_card(bus_id, self._root).gpu(index, self.vendor, shared.NOT_TOLD_BY_KERNEL)
            for index, bus_id in enumerate(served)
        )
        absent = dict.fromkeys(("cuda_version", "is_open_kernel_module"), shared.NOT_OF_THIS_MAKER)
        absent |= dict.fromkeys(("version", "kernel_version"), Message("hardware.driver-is-part-of-kernel"))
        driver = DriverInfo(vendor=self.vendor, absent=absent)
        return BackendResult(status=shared.ready(self.vendor, _SOURCE), gpus=gpus, driver=driver)


def read_card(bus_id: str, root: Path) -> CardFacts:
    """Read one card once."""
    folder = card_folder(bus_id, root)
    card = CardFacts()
    card.put("pci_bus_id", normal_bus_id(bus_id))
    card.put("bound_driver", bound_driver(bus_id, root))
    is_shared = is_part_of_processor(bus_id, root)
    if is_shared:
        card.found["memory_is_shared"] = True
    card.put_memory(None, None, shared.MEMORY_SHARED if is_shared else shared.NOT_TOLD_BY_KERNEL)
    sensors = next(iter(sorted(folder.glob("hwmon/hwmon*"))), None)
    heat = _scaled(sensors, "temp1_input", 1e3) or _scaled(sensors, "temp2_input", 1e3)
    card.readings[Metric.TEMPERATURE_C] = reading(Metric.TEMPERATURE_C, heat, shared.NOT_TOLD_BY_KERNEL)
    card.readings[Metric.CLOCK_SM_MHZ] = reading(Metric.CLOCK_SM_MHZ, _clock(folder), shared.NOT_TOLD_BY_KERNEL)
    limit = _scaled(sensors, "power1_max", 1e6)
    card.put("power_limit_w", limit or None)
    return card


def read_energy_j(bus_id: str, root: Path) -> float | None:
    """Give the energy a card has used since it was started, in joules; the power is the difference by time."""
    sensors = next(iter(sorted(card_folder(bus_id, root).glob("hwmon/hwmon*"))), None)
    return _scaled(sensors, "energy1_input", 1e6)


def _clock(folder: Path) -> float | None:
    """Give the clock in MHz; a clock of 0 is a card at rest, which the kernel tells so."""
    for pattern in ("tile0/gt0/freq0/cur_freq", "drm/card*/gt_cur_freq_mhz"):
        for path in sorted(folder.glob(pattern)):
            value = read_number(path)
            if value is not None:
                return float(value)
    return None


def _scaled(sensors: Path | None, name: str, divisor: float) -> float | None:
    value = read_number(sensors / name) if sensors is not None else None
    return value / divisor if value is not None else None


def _sleeping(index: int, bus_id: str, driver: str | None) -> Gpu:
    return Gpu(
        index=index, vendor=Vendor.INTEL, state=GpuState.ASLEEP, state_reason=shared.ASLEEP, pci_bus_id=bus_id,
        bound_driver=driver, absent={name: shared.ASLEEP for name in REASONED_FIELDS if name != "pci_bus_id"},
    )  # fmt: skip
