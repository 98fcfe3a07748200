"""Hygon's DCU cards: from the PCI bus, through ``hy-smi`` (older DTK: ``rocm-smi``) where it can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import BackendStatus, DriverInfo
from gpuconfig_app.hardware import accelerators as shared
from gpuconfig_app.hardware.accelerators import CardFacts
from gpuconfig_app.hardware.amd import fill
from gpuconfig_app.hardware.backend import BackendResult, DetectOptions, normal_bus_id
from gpuconfig_app.hardware.smi_json import parse_smi_json
from gpuconfig_app.hardware.smi_table import parse_smi_table
from gpuconfig_app.hardware.tool_text import plain_text

PCI_VENDOR = "1d94"
TOOL = "hy-smi"
# What the tool is asked: everything first; older ones refuse options they don't know and are asked for less.
_EVERYTHING = "--showproductname --showbus --showmeminfo vram --showuse --showmemuse --showpower --showtemp"
QUESTIONS = (
    (*_EVERYTHING.split(), "--showdriverversion", "--json"),
    ("--showtemp", "--showpower", "--showuse", "--showmemuse", "--json"),
    (),
)
LIVE_QUESTIONS = QUESTIONS[1:]
_TOOLS = (TOOL, "rocm-smi")
_TOOL_PLACES = ("/opt/hyhal/bin", "/opt/dtk/bin", "/opt/rocm/bin")


class HygonBackend:
    """Finds DCU cards.

    Args:
        search_path: Where to look for the tool, for tests; default the user's PATH.
    """

    vendor: Final = Vendor.HYGON

    def __init__(self, search_path: str | None = None) -> None:
        self._search_path = search_path

    def detect(self, options: DetectOptions) -> BackendResult:
        """Give the cards; see ``GpuBackend.detect``. Without one on the bus nothing is started."""
        if not options.pci_bus_ids:
            return BackendResult(status=shared.not_present(self.vendor, can_look=options.pci_bus_ids is not None))
        if options.sleeping_bus_ids and not options.wakes_sleeping_gpus:
            # The tool would wake them; the bus shows them asleep.
            return BackendResult(status=shared.ready(self.vendor, "pci"))
        tool = find_hy_smi(self._search_path)
        if tool is None:
            reason = Message("hardware.maker-tool-missing", {"maker": shared.MAKERS[self.vendor], "tool": TOOL})
            return BackendResult(status=shared.driver_missing(self.vendor, shared.LIBRARY_NOT_FOUND, reason))
        result = ask_hy_smi(tool, min(options.time_limit_s, shared.TOOL_LIMIT_S))
        places = tuple(sorted(map(normal_bus_id, options.pci_bus_ids)))
        return replace(result, gpus=_with_places(result.gpus, places))


def find_hy_smi(search_path: str | None = None) -> Path | None:
    """Give the tool's path, None when neither it nor its older name is on this machine."""
    places = _TOOL_PLACES if search_path is None else ()
    return next((tool for name in _TOOLS if (tool := shared.find_tool(name, places, search_path))), None)


def ask_hy_smi(tool: Path, time_limit_s: float) -> BackendResult:
    """Ask the tool, with fewer wishes each time it does not understand."""
    status: BackendStatus | None = None
    for question in QUESTIONS:
        text = shared.ask_tool(Vendor.HYGON, tool, question, time_limit_s)
        result = BackendResult(status=text) if isinstance(text, BackendStatus) else result_of(text)
        if result.gpus or result.status.code in (shared.NO_ANSWER, shared.NO_PERMISSION):
            return result
        status = status or result.status
    return BackendResult(status=status or shared.not_present(Vendor.HYGON))


def cards_of(text: str) -> Mapping[int, CardFacts] | None:
    """Give the cards in an answer by the tool's number; None when it is none. Table and JSON may stand in one text."""
    plain = plain_text(text)
    answer = parse_smi_json(plain, TOOL, PCI_VENDOR)
    table = parse_smi_table(plain, TOOL)
    if answer is None or not answer.cards:
        return table
    for number, told in (table or {}).items():
        if number in answer.cards:
            fill(answer.cards[number], told)
    return answer.cards


def result_of(text: str) -> BackendResult:
    """Give what a whole answer of the tool tells; one that is no answer is a failed status."""
    cards = cards_of(text)
    if cards is None:
        return BackendResult(status=shared.unreadable(Vendor.HYGON, TOOL, text))
    answer = parse_smi_json(plain_text(text), TOOL, PCI_VENDOR)
    driver = driver_info(answer.driver if answer else None)
    if not cards:
        reason = Message("hardware.tool-lists-no-card", {"tool": TOOL})
        status = shared.failed(Vendor.HYGON, shared.NO_DEVICES, reason, TOOL)
        return BackendResult(status=status, driver=driver)
    untold = shared.not_told_by(TOOL)
    gpus = tuple(card.gpu(index, Vendor.HYGON, untold) for index, card in enumerate(cards.values()))
    return BackendResult(status=shared.ready(Vendor.HYGON, TOOL), gpus=gpus, driver=driver)


def driver_info(version: str | None) -> DriverInfo:
    """Give the driver's record."""
    absent = dict.fromkeys(("cuda_version", "is_open_kernel_module"), shared.NOT_OF_THIS_MAKER)
    absent |= {} if version else dict.fromkeys(("version", "kernel_version"), shared.not_told_by(TOOL))
    return DriverInfo(vendor=Vendor.HYGON, version=version, kernel_version=version, absent=absent)


def _with_places(gpus: tuple[Gpu, ...], places: tuple[str, ...]) -> tuple[Gpu, ...]:
    """Give each card its address where the tool told none and lists as many cards as the bus, which is its order."""
    if len(gpus) != len(places) or any(gpu.pci_bus_id for gpu in gpus):
        return gpus
    return tuple(
        replace(gpu, pci_bus_id=place, absent={name: why for name, why in gpu.absent.items() if name != "pci_bus_id"})
        for gpu, place in zip(gpus, places, strict=True)
    )
