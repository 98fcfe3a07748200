"""Live readings of cards that are not NVIDIA's: from ``/sys`` as often as asked, from a maker's tool every few seconds.

A tool answers for all its cards at once and may take seconds, so one answer serves all of them: the slow look asks,
the fast look hands every card its part of a new answer once and has nothing to say in between.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.core.system import BackendStatus
from gpuconfig_app.hardware import accelerators as shared
from gpuconfig_app.hardware import amd_files, ascend, hygon, intel, jetson, npu_smi
from gpuconfig_app.hardware.accelerators import CardFacts, part_of_readings
from gpuconfig_app.hardware.readings import CardReader, DeviceReadings
from gpuconfig_app.hardware.tool_text import plain_text

# Asking a tool starts a program; more often would cost more than the readings are worth.
ASK_AGAIN_S = 4.0
_NEEDS_ANOTHER_LOOK = Message("hardware.needs-another-look")


class SysfsReader:
    """Reads cards from the kernel's files.

    Args:
        read_card: Reads one card by its PCI address; by an empty one where it is not on the bus.
        read_energy_j: Gives the energy a card has used, where its power is told that way.
        clock: Time between two looks.
    """

    def __init__(
        self,
        read_card: Callable[[str], CardFacts],
        read_energy_j: Callable[[str], float | None] | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._read_card = read_card
        self._read_energy_j = read_energy_j
        self._clock = clock or SystemClock()
        self._bus_ids: Mapping[int, str] = {}
        self._energy: dict[int, tuple[float, float]] = {}

    def open(self, bus_ids: Mapping[int, str] | None = None) -> Message | None:
        """Take the cards' addresses; there is nothing to start."""
        self._bus_ids = dict(bus_ids or {})
        return None

    def read_fast(self, index: int) -> DeviceReadings:
        """Read use, memory, heat, power and clocks."""
        return self._read(index, is_slow=False)

    def read_slow(self, index: int) -> DeviceReadings:
        """Read the processes."""
        return self._read(index, is_slow=True)

    def _read(self, index: int, *, is_slow: bool) -> DeviceReadings:
        bus_id = self._bus_ids.get(index, "")
        facts = self._read_card(bus_id)
        if facts.found.get("bound_driver") is None:
            return DeviceReadings(liveness=Liveness.LOST, error=Message("hardware.driver-unloaded"))
        if self._read_energy_j is not None and not is_slow:
            watts = self._power(index, self._read_energy_j(bus_id))
            facts.readings[Metric.POWER_W] = watts
        return part_of_readings(facts.device_readings(shared.NOT_TOLD_BY_KERNEL), is_slow=is_slow)

    def _power(self, index: int, energy_j: float | None) -> float | Message:
        """Reckon the power from the energy of two looks."""
        if energy_j is None:
            return shared.NOT_TOLD_BY_KERNEL
        now_s = self._clock.monotonic()
        before = self._energy.get(index)
        self._energy[index] = (now_s, energy_j)
        if before is None or now_s <= before[0] or energy_j < before[1]:
            return _NEEDS_ANOTHER_LOOK
        watts = (energy_j - before[1]) / (now_s - before[0])
        return shared.reading(Metric.POWER_W, round(watts, 2), shared.NOT_TOLD_BY_KERNEL)


class ToolReader:
    """Reads cards through a maker's tool.

    Args:
        ask: Gives the cards in the tool's order, or why it could not.
        otherwise: Reason of readings the tool does not have.
        indexes: The cards' indexes in the report, in the tool's order.
        clock: Paces the asking.
    """

    def __init__(
        self,
        ask: Callable[[], Sequence[CardFacts] | Message],
        otherwise: Message,
        indexes: Sequence[int],
        clock: Clock | None = None,
    ) -> None:
        self._ask = ask
        self._otherwise = otherwise
        self._indexes = tuple(indexes)
        self._clock = clock or SystemClock()
        self._bus_ids: Mapping[int, str] = {}
        self._lock = threading.Lock()
        self._asked_s: float | None = None
        self._answer: Sequence[CardFacts] | Message = ()
        self._number = 0
        self._given: dict[int, int] = {}

    def open(self, bus_ids: Mapping[int, str] | None = None) -> Message | None:
        """Take the cards' addresses; the tool is asked at the first look."""
        self._bus_ids = dict(bus_ids or {})
        return None

    def read_fast(self, index: int) -> DeviceReadings:
        """Give a card's part of a new answer; without a new one there is nothing to say."""
        if self._asked_s is None:
            self._refresh()
        trouble = self._trouble()
        if trouble is not None:
            return trouble
        if self._given.get(index) == self._number:
            return DeviceReadings()
        self._given[index] = self._number
        return part_of_readings(self._readings(index), is_slow=False)

    def read_slow(self, index: int) -> DeviceReadings:
        """Ask the tool unless it has just been asked for another card; give the processes."""
        self._refresh()
        return self._trouble() or part_of_readings(self._readings(index), is_slow=True)

    def _refresh(self) -> None:
        with self._lock:
            now_s = self._clock.monotonic()
            if self._asked_s is not None and now_s - self._asked_s < ASK_AGAIN_S:
                return
            self._answer = self._ask()
            self._asked_s = self._clock.monotonic()
            self._number += 1

    def _trouble(self) -> DeviceReadings | None:
        answer = self._answer
        return DeviceReadings(liveness=Liveness.LOST, error=answer) if isinstance(answer, Message) else None

    def _readings(self, index: int) -> DeviceReadings:
        answer = self._answer
        cards = () if isinstance(answer, Message) else answer
        wanted = self._bus_ids.get(index)
        by_place = {card.found.get("pci_bus_id"): card for card in cards}
        found = by_place.get(wanted) if wanted is not None else None
        if found is None and len(cards) == len(self._indexes) and index in self._indexes:
            card = cards[self._indexes.index(index)]
            found = card if wanted is None or card.found.get("pci_bus_id") is None else None
        if found is None:
            return DeviceReadings(liveness=Liveness.LOST, error=Message("hardware.gpu-lost"))
        return replace(found.device_readings(self._otherwise), throttle_reasons=None)


def make_reader(vendor: Vendor, gpus: Sequence[Gpu], root: Path = Path("/")) -> CardReader | None:
    """Give the reader of a maker's cards, None when they can't be read live.

    Args:
        gpus: The maker's cards as the report lists them.
        root: Where the file system begins, for tests.
    """
    indexes = sorted(gpu.index for gpu in gpus)
    if vendor is Vendor.NVIDIA and gpus and all(map(jetson.is_jetson_gpu, gpus)):
        return SysfsReader(lambda _: jetson.read_live(root))
    if vendor is Vendor.AMD:
        return SysfsReader(_AmdCards(root))
    if vendor is Vendor.INTEL:
        return SysfsReader(partial(intel.read_card, root=root), partial(intel.read_energy_j, root=root))
    if vendor is Vendor.HUAWEI:
        return ToolReader(_ask_ascend, shared.not_told_by(npu_smi.TOOL), indexes)
    if vendor is Vendor.HYGON:
        return ToolReader(_ask_hygon, shared.not_told_by(hygon.TOOL), indexes)
    return None


class _AmdCards:
    """Reads AMD's cards; which of them can compute is looked up once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._nodes: Mapping[str, amd_files.ComputeNode] | None = None

    def __call__(self, bus_id: str) -> CardFacts:
        if self._nodes is None:
            self._nodes = amd_files.read_compute_nodes(self._root)
        return amd_files.read_card(bus_id, self._root, self._nodes.get(bus_id), is_integrated=False)


def _ask_ascend() -> Sequence[CardFacts] | Message:
    tool = ascend.find_npu_smi()
    if tool is None:
        return _tool_gone(Vendor.HUAWEI, npu_smi.TOOL)
    text = shared.ask_tool(Vendor.HUAWEI, tool, ascend.QUESTION, shared.TOOL_LIMIT_S)
    if isinstance(text, BackendStatus):
        return text.reason or _tool_gone(Vendor.HUAWEI, npu_smi.TOOL)
    answer = npu_smi.parse_npu_smi(plain_text(text))
    return [chip.facts for chip in answer.chips] if answer is not None else _unreadable(npu_smi.TOOL, text)


def _ask_hygon() -> Sequence[CardFacts] | Message:
    tool = hygon.find_hy_smi()
    if tool is None:
        return _tool_gone(Vendor.HYGON, hygon.TOOL)
    text: str | BackendStatus = ""
    for question in hygon.LIVE_QUESTIONS:
        text = shared.ask_tool(Vendor.HYGON, tool, question, shared.TOOL_LIMIT_S)
        if isinstance(text, BackendStatus):
            continue
        cards = hygon.cards_of(text)
        if cards:
            return list(cards.values())
    if isinstance(text, BackendStatus):
        return text.reason or _tool_gone(Vendor.HYGON, hygon.TOOL)
    return _unreadable(hygon.TOOL, text)


def _tool_gone(vendor: Vendor, tool: str) -> Message:
    return Message("hardware.maker-tool-missing", {"maker": shared.MAKERS[vendor], "tool": tool})


def _unreadable(tool: str, text: str) -> Message:
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return Message("hardware.tool-unreadable", {"tool": tool, "detail": first[:200]})
