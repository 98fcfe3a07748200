"""Huawei's Ascend chips: from the PCI bus and the device files, through ``npu-smi info`` where it can be asked."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import BackendStatus, DriverInfo
from gpuconfig_app.hardware import accelerators as shared
from gpuconfig_app.hardware.backend import BackendResult, DetectOptions
from gpuconfig_app.hardware.npu_smi import TOOL, NpuAnswer, parse_npu_smi
from gpuconfig_app.hardware.small_files import read_small
from gpuconfig_app.hardware.tool_text import plain_text

QUESTION = ("info",)
TOOL_PLACES = ("/usr/local/sbin", "/usr/local/bin", "/usr/local/Ascend/driver/tools")
_VERSION_FILE = "usr/local/Ascend/driver/version.info"
_VERSION = re.compile(r"^Version=(\d+(?:\.\w+)+)", re.MULTILINE)


class AscendBackend:
    """Finds Ascend chips.

    Args:
        root: Where the file system begins, for tests.
        search_path: Where to look for the tool, for tests; default the user's PATH.
    """

    vendor: Final = Vendor.HUAWEI

    def __init__(self, root: Path = Path("/"), search_path: str | None = None) -> None:
        self._root = root
        self._search_path = search_path

    def detect(self, options: DetectOptions) -> BackendResult:
        """Give the chips; see ``GpuBackend.detect``. Without one on the bus or in ``/dev`` nothing is started."""
        if not options.pci_bus_ids and not self._has_device_file():
            return BackendResult(status=shared.not_present(self.vendor, can_look=options.pci_bus_ids is not None))
        driver = self._driver()
        if options.sleeping_bus_ids and not options.wakes_sleeping_gpus:
            # The tool would wake them; the bus shows them asleep.
            return BackendResult(status=shared.ready(self.vendor, "pci"), driver=driver)
        tool = find_npu_smi(self._search_path)
        if tool is None:
            reason = Message("hardware.maker-tool-missing", {"maker": shared.MAKERS[self.vendor], "tool": TOOL})
            status = shared.driver_missing(self.vendor, shared.LIBRARY_NOT_FOUND, reason)
            return BackendResult(status=status, driver=driver)
        text = shared.ask_tool(self.vendor, tool, QUESTION, min(options.time_limit_s, shared.TOOL_LIMIT_S))
        if isinstance(text, BackendStatus):
            return BackendResult(status=text, driver=driver)
        result = result_of(text)
        return replace(result, driver=result.driver or driver)

    def _has_device_file(self) -> bool:
        try:
            return any((self._root / "dev").glob("davinci[0-9]*"))
        except OSError:
            return False

    def _driver(self) -> DriverInfo | None:
        found = _VERSION.search(read_small(self._root / _VERSION_FILE) or "")
        return driver_info(found.group(1)) if found else None


def find_npu_smi(search_path: str | None = None) -> Path | None:
    """Give the tool's path, None when it is not on this machine."""
    return shared.find_tool(TOOL, TOOL_PLACES if search_path is None else (), search_path)


def result_of(text: str) -> BackendResult:
    """Give what a whole answer of the tool tells; one that is no answer is a failed status."""
    answer = parse_npu_smi(plain_text(text))
    if answer is None:
        return BackendResult(status=shared.unreadable(Vendor.HUAWEI, TOOL, text))
    driver = driver_info(answer.version)
    if not answer.chips:
        status = shared.failed(
            Vendor.HUAWEI, shared.NO_DEVICES, Message("hardware.tool-lists-no-card", {"tool": TOOL}), TOOL
        )
        return BackendResult(status=status, driver=driver)
    return BackendResult(status=shared.ready(Vendor.HUAWEI, TOOL), gpus=gpus_of(answer), driver=driver)


def gpus_of(answer: NpuAnswer) -> tuple[Gpu, ...]:
    """Give the chips as cards, numbered by their position."""
    untold = shared.not_told_by(TOOL)
    return tuple(chip.facts.gpu(index, Vendor.HUAWEI, untold, *chip.state) for index, chip in enumerate(answer.chips))


def driver_info(version: str | None) -> DriverInfo:
    """Give the driver's record; the tool and the driver have one version."""
    absent = dict.fromkeys(("cuda_version", "is_open_kernel_module"), shared.NOT_OF_THIS_MAKER)
    absent["kernel_version"] = shared.not_told_by(TOOL)
    if version is None:
        absent["version"] = shared.not_told_by(TOOL)
    return DriverInfo(vendor=Vendor.HUAWEI, version=version, absent=absent)
