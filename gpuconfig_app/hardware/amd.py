"""AMD's cards: through what the kernel shows in ``/sys``, through rocm-smi where that is not enough."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import BackendStatus, DriverInfo
from gpuconfig_app.hardware import accelerators as shared
from gpuconfig_app.hardware.accelerators import CardFacts
from gpuconfig_app.hardware.amd_files import ComputeNode, bound_driver, read_card, read_compute_nodes
from gpuconfig_app.hardware.backend import BackendResult, DetectOptions, normal_bus_id
from gpuconfig_app.hardware.pci import is_part_of_processor
from gpuconfig_app.hardware.readings import REASONED_FIELDS
from gpuconfig_app.hardware.small_files import read_line
from gpuconfig_app.hardware.smi_json import SmiAnswer, parse_smi_json
from gpuconfig_app.hardware.tool_text import plain_text

KERNEL_DRIVER = "amdgpu"
PCI_VENDOR = "1002"
TOOL = "rocm-smi"
QUESTION = (
    "--showproductname", "--showbus", "--showid", "--showuse", "--showmemuse", "--showmeminfo", "vram", "--showpower",
    "--showmaxpower", "--showtemp", "--showdriverversion", "--json",
)  # fmt: skip
_SYSFS = "sysfs"
_ROCM_FOLDERS = ("opt/rocm",)
_TOOL_PLACES = ("/opt/rocm/bin",)


class AmdBackend:
    """Finds AMD's cards.

    Args:
        root: Where the file system begins, for tests.
        search_path: Where to look for tools, for tests; default the user's PATH.
    """

    vendor: Final = Vendor.AMD

    def __init__(self, root: Path = Path("/"), search_path: str | None = None) -> None:
        self._root = root
        self._search_path = search_path

    def detect(self, options: DetectOptions) -> BackendResult:
        """Give AMD's cards; see ``GpuBackend.detect``. Without a card on the bus nothing is started."""
        on_bus = tuple(sorted(map(normal_bus_id, options.pci_bus_ids or ())))
        if not on_bus:
            return BackendResult(status=shared.not_present(self.vendor, can_look=options.pci_bus_ids is not None))
        asleep: frozenset[str] = frozenset()
        if not options.wakes_sleeping_gpus:
            asleep = frozenset(map(normal_bus_id, options.sleeping_bus_ids)).intersection(on_bus)
        served = [bus_id for bus_id in on_bus if bus_id in asleep or bound_driver(bus_id, self._root) == KERNEL_DRIVER]
        if not served:
            missing = Message("hardware.maker-driver-not-loaded", {"maker": "AMD", "driver": KERNEL_DRIVER})
            return BackendResult(status=shared.driver_missing(self.vendor, shared.DRIVER_NOT_LOADED, missing))
        nodes = read_compute_nodes(self._root)
        facts = {bus_id: self._read(bus_id, nodes) for bus_id in served if bus_id not in asleep}
        answer = self._ask_tool(facts, nodes, options) if not asleep else None
        status = self._status()
        gpus = tuple(
            _sleeping(index, bus_id, nodes.get(bus_id))
            if bus_id in asleep
            else facts[bus_id].gpu(index, self.vendor, shared.NOT_TOLD_BY_KERNEL, *_state(status))
            for index, bus_id in enumerate(served)
        )
        return BackendResult(status=status, gpus=gpus, driver=self._driver(answer))

    def _read(self, bus_id: str, nodes: Mapping[str, ComputeNode]) -> CardFacts:
        is_integrated = is_part_of_processor(bus_id, self._root)
        return read_card(bus_id, self._root, nodes.get(bus_id), is_integrated=is_integrated)

    def _status(self) -> BackendStatus:
        device = self._root / "dev/kfd"
        if not device.exists():
            return shared.driver_missing(self.vendor, shared.LIBRARY_NOT_FOUND, Message("hardware.kfd-missing"), _SYSFS)
        if not os.access(device, os.R_OK | os.W_OK):
            return shared.failed(self.vendor, shared.NO_PERMISSION, Message("hardware.kfd-no-permission"), _SYSFS)
        if not self._has_rocm():
            return shared.driver_missing(
                self.vendor, shared.LIBRARY_NOT_FOUND, Message("hardware.rocm-not-found"), _SYSFS
            )
        return shared.ready(self.vendor, _SYSFS)

    def _has_rocm(self) -> bool:
        """Whether the user-space part is installed: AMD's own folder, or a distribution's runtime."""
        if any((self._root / folder).is_dir() for folder in _ROCM_FOLDERS):
            return True
        if any((self._root / "opt").glob("rocm-*")):
            return True
        libraries = (self._root / folder for folder in ("usr/lib64", "usr/lib", "usr/lib/x86_64-linux-gnu"))
        if any(next(folder.glob("libhsa-runtime64.so*"), None) is not None for folder in libraries):
            return True
        return shared.find_tool("rocminfo", (), self._search_path) is not None

    def _ask_tool(
        self, facts: dict[str, CardFacts], nodes: dict[str, ComputeNode], options: DetectOptions
    ) -> SmiAnswer | None:
        """Ask rocm-smi for what the kernel did not tell, and fill it in; nothing is started when nothing is missing."""
        needed = [
            card for bus_id, card in facts.items()
            if not card.found.get("memory_is_shared")
            and (card.found.get("memory_total_bytes") is None or bus_id not in nodes)
        ]  # fmt: skip
        tool = shared.find_tool(TOOL, _TOOL_PLACES if self._search_path is None else (), self._search_path)
        if not needed or tool is None:
            return None
        text = shared.ask_tool(self.vendor, tool, QUESTION, min(options.time_limit_s, shared.TOOL_LIMIT_S))
        answer = None if isinstance(text, BackendStatus) else parse_smi_json(plain_text(text), TOOL, PCI_VENDOR)
        for told in answer.cards.values() if answer is not None else ():
            own = facts.get(str(told.found.get("pci_bus_id")))
            if own is not None:
                fill(own, told)
        return answer

    def _driver(self, answer: SmiAnswer | None) -> DriverInfo:
        version = read_line(self._root / "sys/module/amdgpu/version") or (answer.driver if answer else None)
        return driver_info(version, Message("hardware.driver-is-part-of-kernel"))


def driver_info(version: str | None, reason: Message) -> DriverInfo:
    """Give the driver's record; AMD's kernel driver and its version are one."""
    absent = dict.fromkeys(("cuda_version", "is_open_kernel_module"), shared.NOT_OF_THIS_MAKER)
    absent |= {} if version else dict.fromkeys(("version", "kernel_version"), reason)
    return DriverInfo(vendor=Vendor.AMD, version=version, kernel_version=version, absent=absent)


def fill(own: CardFacts, told: CardFacts) -> None:
    """Take over what another source tells and the first did not."""
    for name, value in told.found.items():
        if own.found.get(name) is None:
            own.put(name, value)
            own.absent.pop(name, None)
    for metric, value in told.readings.items():
        if isinstance(own.readings.get(metric, value), Message) and not isinstance(value, Message):
            own.readings[metric] = value


def gpus_of(answer: SmiAnswer, otherwise: Message) -> tuple[Gpu, ...]:
    """Give the cards of a recorded answer of rocm-smi."""
    return tuple(
        replace(card.gpu(index, Vendor.AMD, otherwise), bound_driver=KERNEL_DRIVER)
        for index, card in enumerate(answer.cards.values())
    )


def _state(status: BackendStatus) -> tuple[GpuState, Message | None]:
    """A card that may not be used says so; one without ROCm can still be watched."""
    if status.code == shared.NO_PERMISSION:
        return GpuState.NO_PERMISSION, status.reason
    return GpuState.READY, None


def _sleeping(index: int, bus_id: str, node: ComputeNode | None) -> Gpu:
    known: Sequence[str] = ("pci_bus_id",)
    return Gpu(
        index=index,
        vendor=Vendor.AMD,
        state=GpuState.ASLEEP,
        state_reason=shared.ASLEEP,
        pci_bus_id=bus_id,
        target=node.target if node else None,
        bound_driver=KERNEL_DRIVER,
        absent={name: shared.ASLEEP for name in REASONED_FIELDS if name not in known},
    )
