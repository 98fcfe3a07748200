"""Everything of nvidia-smi that a text holds, put together: tree, long text, table, ``-L``, rows, processes, refusals.

People paste several answers one after the other; the fullest gives the cards, the others fill its gaps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from gpuconfig_app.command import CommandResult
from gpuconfig_app.core.gpu import Gpu, GpuProcess, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import BackendState, DriverInfo
from gpuconfig_app.hardware import nvidia_nvml as nvml
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware.backend import BackendResult, DetectOptions, normal_bus_id
from gpuconfig_app.hardware.nvidia_smi import (
    parse_nvidia_smi_readings,
    parse_nvidia_smi_xml,
    readings_of_tree,
    result_of_tree,
)
from gpuconfig_app.hardware.nvidia_smi_apps import parse_compute_apps
from gpuconfig_app.hardware.nvidia_smi_command import read_refusal
from gpuconfig_app.hardware.nvidia_smi_csv import (
    parse_bare_rows,
    parse_nvidia_smi_csv,
    parse_nvidia_smi_csv_readings,
)
from gpuconfig_app.hardware.nvidia_smi_query_text import is_query_text, tree_of_query_text
from gpuconfig_app.hardware.nvidia_smi_text import parse_nvidia_smi_text, parse_nvidia_smi_text_readings
from gpuconfig_app.hardware.readings import REASONED_FIELDS, DeviceReadings

_NEVER_FILLED = frozenset({"index", "vendor", "state", "state_reason", "extra", "absent", "memory_is_shared"})
_ATTACHED = re.compile(r"(?:<attached_gpus>|Attached GPUs\s*:)\s*(\d{1,4})")
_LOST = re.compile(r"GPU ?([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7])")
# A refusal counts only where it is NVIDIA's: other programs speak of missing permissions too.
_ITS_WORDS = re.compile(r"nvidia|nvml|no devices were found|unable to determine the device handle", re.IGNORECASE)
_UNREADABLE = "hardware.nvidia-smi-unreadable"


@dataclass(frozen=True)
class NvidiaOutput:
    """What a text tells.

    Attributes:
        readings: For each card of the result, in its order.
    """

    result: BackendResult
    readings: tuple[DeviceReadings, ...] = ()


def read_nvidia_output(text: str) -> NvidiaOutput | None:
    """Read all answers of nvidia-smi in a text; None when there is none.

    Args:
        text: Plain (``tool_text.plain_text``).
    """
    parts = [part for part in _parts(text) if part.result.gpus]
    if not parts:
        return _without_cards(text)
    whole = parts[0]
    for part in parts[1:]:
        whole = _completed(whole, part)
    return _with_processes(whole, parse_compute_apps(text))


def told_count(text: str) -> int | None:
    """Give how many cards the last answer says are attached, None when it does not say."""
    found = _ATTACHED.findall(text)
    return int(found[-1]) if found else None


def _parts(text: str) -> Sequence[NvidiaOutput]:
    """Give every answer with cards, the fullest first."""
    parts = [NvidiaOutput(parse_nvidia_smi_xml(text), parse_nvidia_smi_readings(text))]
    if is_query_text(text):
        tree = tree_of_query_text(text)
        parts.append(NvidiaOutput(result_of_tree(tree), readings_of_tree(tree)))
    parts.append(NvidiaOutput(parse_nvidia_smi_text(text), parse_nvidia_smi_text_readings(text)))
    parts.append(NvidiaOutput(parse_nvidia_smi_csv(text), parse_nvidia_smi_csv_readings(text)))
    if not any(part.result.gpus for part in parts):
        bare = parse_bare_rows(text)
        parts += [] if bare is None else [NvidiaOutput(bare)]
    return parts


def _without_cards(text: str) -> NvidiaOutput | None:
    """Give what a text without cards says: an answer that lists none, or one of the tool's refusals."""
    for result in (parse_nvidia_smi_xml(text), parse_nvidia_smi_text(text)):
        if result.status.state is BackendState.NOT_PRESENT:
            return NvidiaOutput(result)
    if not _ITS_WORDS.search(text):
        return None
    # Who asks nvidia-smi has a card; where it is, the tool did not say.
    status = read_refusal(CommandResult(None, text, ""), DetectOptions(pci_bus_ids=("",)))
    if status.reason is not None and status.reason.id == _UNREADABLE:
        return None
    if status.code == reasons.NO_DEVICES:
        status = replace(status, reason=Message("hardware.no-devices-told"))
    lost = _LOST.findall(text) if status.code == nvml.GPU_LOST else ()
    gpus = tuple(_lost_card(index, bus_id) for index, bus_id in enumerate(dict.fromkeys(lost)))
    return NvidiaOutput(BackendResult(status=status, gpus=gpus), tuple(DeviceReadings() for _ in gpus))


def _lost_card(index: int, bus_id: str) -> Gpu:
    """Give a card of which the tool says only where it is and that it is gone."""
    reason = Message("hardware.gpu-lost")
    absent = {name: reason for name in REASONED_FIELDS if name != "pci_bus_id"}
    return Gpu(
        index=index, vendor=Vendor.NVIDIA, state=GpuState.LOST, state_reason=reason, pci_bus_id=normal_bus_id(bus_id),
        absent=absent,
    )  # fmt: skip


def _completed(first: NvidiaOutput, other: NvidiaOutput) -> NvidiaOutput:
    """Fill the gaps of one answer with another; cards that only the other has are not added."""
    gpus, readings = [], []
    for place, gpu in enumerate(first.result.gpus):
        own = first.readings[place] if place < len(first.readings) else DeviceReadings()
        twin = _twin(gpu, first.result.gpus, other.result.gpus)
        gpus.append(gpu if twin is None else _filled(gpu, other.result.gpus[twin]))
        readings.append(own if twin is None or twin >= len(other.readings) else _joined(own, other.readings[twin]))
    driver = _driver(first.result.driver, other.result.driver)
    return NvidiaOutput(replace(first.result, gpus=tuple(gpus), driver=driver), tuple(readings))


def _twin(gpu: Gpu, own: Sequence[Gpu], others: Sequence[Gpu]) -> int | None:
    """Give the place of the same card in another answer: by identifier, by address, else by number."""
    for name in ("uuid", "pci_bus_id"):
        value = getattr(gpu, name)
        told = [getattr(other, name) for other in others]
        if value is not None and any(told):
            return told.index(value) if value in told else None
    if len(own) != len(others):
        return None
    return next((place for place, other in enumerate(others) if other.index == gpu.index), None)


def _filled(gpu: Gpu, other: Gpu) -> Gpu:
    found: dict[str, Any] = {}  # Any: values of Gpu's fields
    for item in fields(Gpu):
        value = getattr(other, item.name)
        if item.name not in _NEVER_FILLED and value not in (None, ()) and getattr(gpu, item.name) in (None, ()):
            found[item.name] = value
    absent = {name: why for name, why in gpu.absent.items() if name not in found}
    return replace(gpu, **found, absent=absent) if found else gpu


def _joined(first: DeviceReadings, other: DeviceReadings) -> DeviceReadings:
    values = {**other.values, **first.values}
    absent = {metric: why for metric, why in {**other.absent, **first.absent}.items() if metric not in values}
    throttle = first.throttle_reasons if first.throttle_reasons is not None else other.throttle_reasons
    return DeviceReadings(values=values, absent=absent, throttle_reasons=throttle)


def _driver(first: DriverInfo | None, other: DriverInfo | None) -> DriverInfo | None:
    if first is None or other is None:
        return first or other
    version, cuda = first.version or other.version, first.cuda_version or other.cuda_version
    told = {"version": version, "cuda_version": cuda}
    absent = {name: why for name, why in first.absent.items() if not told.get(name)}
    return replace(first, version=version, cuda_version=cuda, absent=absent)


def _with_processes(output: NvidiaOutput, found: Mapping[str, tuple[GpuProcess, ...]]) -> NvidiaOutput:
    """Take the processes' memory from their own answer where the other does not have it."""
    gpus = output.result.gpus
    if not found:
        return output
    filled = []
    for gpu in gpus:
        own = found.get(gpu.uuid or "") or (next(iter(found.values())) if len(gpus) == len(found) == 1 else None)
        filled.append(gpu if own is None else _with_own_processes(gpu, own))
    return replace(output, result=replace(output.result, gpus=tuple(filled)))


def _with_own_processes(gpu: Gpu, found: tuple[GpuProcess, ...]) -> Gpu:
    """Keep the fuller list and fill in the memory by process number."""
    memory = {process.pid: process.memory_used_bytes for process in found}
    listed = gpu.processes or found
    processes = tuple(
        replace(process, memory_used_bytes=memory.get(process.pid)) if process.memory_used_bytes is None else process
        for process in listed
    )
    absent = {name: why for name, why in gpu.absent.items() if name != "processes"}
    if all(process.memory_used_bytes is not None for process in processes):
        absent.pop("processes.memory_used_bytes", None)
    return replace(gpu, processes=processes, absent=absent)
