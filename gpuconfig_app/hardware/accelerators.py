"""What the back-ends of makers other than NVIDIA share: one card put together, one tool asked, one status said.

Each maker's own words are in its module (``amd``, ``ascend``, ``hygon``, ``intel``).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpuconfig_app.command import run_command, user_environment
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState, BackendStatus
from gpuconfig_app.hardware.readings import FAST_METRICS, REASONED_FIELDS, SLOW_METRICS, DeviceReadings

LIBRARY_NOT_FOUND = "library_not_found"
DRIVER_NOT_LOADED = "driver_not_loaded"
NO_PERMISSION = "no_permission"
NO_ANSWER = "no_answer"
NO_DEVICES = "no_devices"
FAILED = "failed"

ASLEEP = Message("hardware.asleep")
NOT_OF_THIS_MAKER = Message("hardware.not-of-this-maker")
NO_LASTING_ID = Message("hardware.no-lasting-id")
NOT_SUPPORTED = Message("hardware.not-supported")
NOT_TOLD_BY_KERNEL = Message("hardware.not-told-by-kernel")
MEMORY_SHARED = Message("hardware.memory-shared")
MAKERS = {Vendor.AMD: "AMD", Vendor.INTEL: "Intel", Vendor.HUAWEI: "Huawei Ascend", Vendor.HYGON: "Hygon"}
# Fields of Gpu that only NVIDIA's cards have.
_ONLY_NVIDIA = ("compute_capability", "mig_enabled", "compute_mode", "persistence_enabled", "driver_model")
# A tool that has said nothing for this long will not say anything.
TOOL_LIMIT_S = 10.0
_ABOVE_ZERO = frozenset({Metric.POWER_W, Metric.TEMPERATURE_C, Metric.MEMORY_TEMPERATURE_C})
_SHARES = frozenset({Metric.UTILIZATION_PCT, Metric.MEMORY_UTILIZATION_PCT, Metric.FAN_PCT})
_REFUSED = ("permission denied", "insufficient permission", "operation not permitted", "not have permission")


@dataclass
class CardFacts:
    """One card as it is read.

    Attributes:
        found: Values by field of ``Gpu``.
        absent: Reason by field where the card said that there is none.
        readings: Number, or the reason of its absence, by metric.
    """

    found: dict[str, Any] = field(default_factory=dict)  # Any: values of Gpu's fields
    absent: dict[str, Message] = field(default_factory=dict)
    readings: dict[Metric, float | Message] = field(default_factory=dict)

    def put(self, name: str, value: Any, reason: Message | None = None) -> None:  # Any: as above
        """Keep a field; without a value its reason, if there is one."""
        if value is not None:
            self.found[name] = value
        elif reason is not None:
            self.absent[name] = reason

    def put_memory(self, total: int | None, used: int | None, reason: Message | None = None) -> None:
        """Keep total, used and free bytes; a total of 0 is none, and neither can more be used than is there."""
        total = total or None
        if used is not None and (used < 0 or (total is not None and used > total)):
            used = None
        self.put("memory_total_bytes", total, reason)
        self.put("memory_used_bytes", used, reason)
        self.put("memory_free_bytes", None if total is None or used is None else total - used, reason)
        self.put_reading(Metric.MEMORY_USED_BYTES, used, reason)

    def put_reading(self, metric: Metric, value: float | None, reason: Message | None = None) -> None:
        """Keep a reading, or its reason."""
        if value is not None:
            self.readings[metric] = value
        elif reason is not None:
            self.readings[metric] = reason

    def gpu(
        self, index: int, vendor: Vendor, otherwise: Message, state: GpuState = GpuState.READY,
        state_reason: Message | None = None,
    ) -> Gpu:  # fmt: skip
        """Give the card, with a reason for every reading it has not.

        Args:
            otherwise: Reason of readings that were not mentioned at all.
        """
        absent = dict(self.absent)
        for name in _ONLY_NVIDIA:
            absent.setdefault(name, NOT_OF_THIS_MAKER)
        absent.setdefault("uuid", NO_LASTING_ID)
        for name in REASONED_FIELDS:
            if self.found.get(name) is None:
                absent.setdefault(name, otherwise)
        absent = {name: why for name, why in absent.items() if self.found.get(name) is None}
        return Gpu(index=index, vendor=vendor, state=state, state_reason=state_reason, absent=absent, **self.found)

    def device_readings(self, otherwise: Message) -> DeviceReadings:
        """Give the live readings of one look that reads everything."""
        values = {metric: value for metric, value in self.readings.items() if not isinstance(value, Message)}
        absent = {metric: why for metric, why in self.readings.items() if isinstance(why, Message)}
        absent |= {metric: otherwise for metric in Metric if metric not in self.readings}
        return DeviceReadings(values=values, absent=absent, processes=self.found.get("processes"))


def reading(metric: Metric, value: float | None, otherwise: Message) -> float | Message:
    """Give a reading that can be true, else a reason: a running card draws power and is warm, a share is 0 to 100.

    Tools write 0 where a sensor does not answer; that 0 must not become a reading.
    """
    if value is None:
        return otherwise
    is_bad = value <= 0 if metric in _ABOVE_ZERO else value < 0
    if is_bad or (metric in _SHARES and value > 100):
        return Message("hardware.reading-failed", {"detail": f"{value:g}"})
    return value


def part_of_readings(readings: DeviceReadings, *, is_slow: bool) -> DeviceReadings:
    """Give the part of a whole look that belongs to the fast or to the slow readings."""
    metrics = SLOW_METRICS if is_slow else FAST_METRICS
    return DeviceReadings(
        values={metric: value for metric, value in readings.values.items() if metric in metrics},
        absent={metric: why for metric, why in readings.absent.items() if metric in metrics},
        processes=readings.processes if is_slow else None,
        throttle_reasons=None if is_slow else readings.throttle_reasons,
        liveness=readings.liveness,
        error=readings.error,
    )


def not_told_by(tool: str) -> Message:
    """Give the reason of a reading that a tool does not have."""
    return Message("hardware.not-told-by-tool", {"tool": tool})


def not_present(vendor: Vendor, source: str = "pci", *, can_look: bool = True) -> BackendStatus:
    """Give the status of a machine without a card of this maker.

    Args:
        can_look: False where this system does not show its cards; then none was found and none is denied.
    """
    sentence = "hardware.no-card-of-maker" if can_look else "hardware.cards-not-shown"
    reason = Message(sentence, {"maker": MAKERS[vendor]})
    return BackendStatus(vendor=vendor, state=BackendState.NOT_PRESENT, reason=reason, source=source)


def ready(vendor: Vendor, source: str) -> BackendStatus:
    """Give the status of a maker whose cards can be read."""
    return BackendStatus(vendor=vendor, state=BackendState.READY, source=source)


def driver_missing(vendor: Vendor, code: str, reason: Message, source: str = "pci") -> BackendStatus:
    """Give the status of cards without their driver or without the maker's software."""
    return BackendStatus(vendor=vendor, state=BackendState.DRIVER_MISSING, code=code, reason=reason, source=source)


def failed(vendor: Vendor, code: str, reason: Message, source: str) -> BackendStatus:
    """Give the status of a driver or tool that does not do its work."""
    return BackendStatus(vendor=vendor, state=BackendState.FAILED, code=code, reason=reason, source=source)


def unreadable(vendor: Vendor, tool: str, text: str) -> BackendStatus:
    """Give the status behind an answer that is no answer; a refusal is told apart."""
    if any(words in text.lower() for words in _REFUSED):
        return failed(vendor, NO_PERMISSION, Message("hardware.tool-no-permission", {"tool": tool}), tool)
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return failed(vendor, FAILED, Message("hardware.tool-unreadable", {"tool": tool, "detail": first[:200]}), tool)


def find_tool(name: str, places: Iterable[str] = (), search_path: str | None = None) -> Path | None:
    """Give a maker's tool: from the user's PATH, else from its usual places.

    Args:
        places: Folders in which makers put it.
        search_path: Like ``PATH``; default the user's.
    """
    found = shutil.which(name, path=user_environment().get("PATH") if search_path is None else search_path)
    if found is not None:
        return Path(found)
    return next((Path(place, name) for place in places if os.access(Path(place, name), os.X_OK)), None)


def ask_tool(
    vendor: Vendor,
    tool: Path,
    arguments: Sequence[str],
    time_limit_s: float,
) -> str | BackendStatus:
    """Run a maker's tool and give what it printed, or the status that says why it printed nothing."""
    try:
        answer = run_command([tool, *arguments], time_limit_s=time_limit_s)
    except CommandError as error:
        return unreadable(vendor, tool.name, str(error))
    if answer.timed_out:
        silent = Message("hardware.tool-no-answer", {"tool": tool.name, "limit_s": time_limit_s})
        return failed(vendor, NO_ANSWER, silent, tool.name)
    if not answer.stdout.strip():
        return unreadable(vendor, tool.name, answer.stderr or f"exit code {answer.exit_code}")
    return answer.stdout if answer.is_good or not answer.stderr else f"{answer.stdout}\n{answer.stderr}"
