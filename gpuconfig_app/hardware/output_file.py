"""A file with the output of a maker's tool as a recorded machine: what an administrator is sent by mail.

What ``gpuconfig survey --json`` printed is such a file too, and tells everything. Of a maker's tool only the
cards are known; system, Python and libraries stay unknown.
"""

from __future__ import annotations

import json
import logging
import re
import stat
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gpuconfig_app.core.codec import decode, load_document
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.core.sample import DeviceKey, Metric, Sample
from gpuconfig_app.core.system import ONLY_CARDS, HostInfo, OsInfo, SystemReport
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.backend import BackendResult
from gpuconfig_app.hardware.merge import merge_cards
from gpuconfig_app.hardware.nvidia_output import told_count
from gpuconfig_app.hardware.readings import DeviceReadings
from gpuconfig_app.hardware.recorded import (
    MACHINE_FILE,
    MACHINE_KIND,
    MachineDocument,
    RecordedMachine,
    checked_document,
    find_machine,
    load_machine,
)
from gpuconfig_app.hardware.tool_output import ToolOutput, hints_of, recognise_output
from gpuconfig_app.hardware.tool_text import decode_tool_output

logger = logging.getLogger(__name__)
MOST_BYTES = 16 * MIB
# What an output of a tool never tells, by the names of ``HostInfo.absent``.
_UNKNOWN = (ONLY_CARDS, "libraries.libraries", "cpu.flags", "cpu.name", "os.name", "os.glibc_version", "disks")
_TOOLS = "nvidia-smi, rocm-smi, npu-smi, hy-smi, gpuconfig survey --json"


def open_recorded(name_or_path: str) -> RecordedMachine:
    """Open a machine that is not here: a recorded folder, a shipped one by name, or a file with a tool's output.

    Raises:
        UnusableFileError: There is none, or it can't be read.
    """
    path = expanded(name_or_path)
    if path.name != MACHINE_FILE and _is_regular_file(path):
        return load_output_file(path)
    return load_machine(find_machine(name_or_path))


def load_output_file(path: Path) -> RecordedMachine:
    """Read a file with the output of one or several tools.

    Raises:
        UnusableFileError: It can't be read, is too large, or holds no output that is known here.
    """
    data, taken_at = _read(path)
    text = decode_tool_output(data)
    name = re.sub(r"[^\w.-]+", "-", path.stem).strip("-.")[:100] or "output"
    surveyed = _survey_in(text, name)
    if surveyed is not None:
        return surveyed
    outputs = recognise_output(text)
    if not outputs:
        raise UnusableFileError(
            Message("host.output-not-recognised", {"path": path.name, "tools": _TOOLS}),
            Message("host.output-not-recognised-hint"),
        )
    tools = ", ".join(output.tool for output in outputs)
    return RecordedMachine(
        name=name,
        title=LocalText(en=f"{name} (output of {tools})", zh_cn=f"{name}（{tools} 的输出）"),
        report=_report(name, text, outputs, taken_at),
        samples=_samples(name, outputs, taken_at),
        source=tools,
    )


def _survey_in(text: str, name: str) -> RecordedMachine | None:
    """Give the machine that ``gpuconfig survey --json`` described, or a recorded one's document under another name."""
    text = text.strip()
    if not text.startswith("{") or '"machine_id"' not in text:
        return None
    try:
        data = json.loads(text)
        if data.get("document") == MACHINE_KIND.name:
            document = load_document(MACHINE_KIND, text)
        elif not {"machine_id", "host", "gpus"} <= set(data):
            return None
        else:
            title = LocalText(en=f"{name} (survey)", zh_cn=f"{name}（检测结果）")
            report = replace(decode(SystemReport, data, "survey"), extra={})
            document = MachineDocument(title=title, report=report)
    except (ValueError, RecursionError, UnusableFileError) as error:
        logger.info("%s is no survey: %s", name, error)
        return None
    document = checked_document(document, name)
    return RecordedMachine(name=name, title=document.title, report=document.report, origin=document.origin)


def _report(name: str, text: str, outputs: tuple[ToolOutput, ...], taken_at: float) -> SystemReport:
    hints = hints_of(text, outputs)
    results = [output.result for output in outputs]
    tools = ", ".join(output.tool for output in outputs)
    return SystemReport(
        machine_id=name,
        taken_at=taken_at,
        host=HostInfo(
            os=OsInfo(family=hints.os_family, architecture=hints.architecture, wsl_version=hints.wsl_version),
            memory=hints.memory,
            absent=dict.fromkeys(_UNKNOWN, Message("host.not-in-output")),
        ),
        gpus=tuple(sorted(merge_cards(results, ()), key=lambda gpu: gpu.index)),
        drivers=tuple(result.driver for result in results if result.driver is not None),
        backends=tuple(result.status for result in results),
        recorded_from=name,
        notes=(Message("host.known-from-output", {"tools": tools}), *_fewer_cards(text, results)),
    )


def _fewer_cards(text: str, results: Sequence[BackendResult]) -> tuple[Message, ...]:
    """Say that the tool counts more cards than the file describes; none is invented."""
    told = told_count(text)
    found = sum(gpu.vendor is Vendor.NVIDIA for result in results for gpu in result.gpus)
    if told is None or told <= found:
        return ()
    return (Message("host.output-describes-fewer", {"told": told, "found": found}),)


def _samples(name: str, outputs: tuple[ToolOutput, ...], taken_at: float) -> tuple[Sample, ...]:
    """Give one sample for each card, keyed as the report numbers them."""
    samples: list[Sample] = []
    merged = merge_cards([output.result for output in outputs], ())
    by_vendor = {output.result.status.vendor: output for output in outputs}
    seen: dict[object, int] = {}
    for gpu in sorted(merged, key=lambda gpu: gpu.index):
        place = seen.get(gpu.vendor, 0)
        seen[gpu.vendor] = place + 1
        readings = by_vendor[gpu.vendor].readings
        if place < len(readings):
            samples.append(_sample(DeviceKey(name, str(gpu.index)), readings[place], taken_at))
    return tuple(samples)


def _sample(key: DeviceKey, readings: DeviceReadings, taken_at: float) -> Sample:
    unrecorded = {
        metric: Message("host.not-recorded")
        for metric in Metric
        if metric not in readings.values and metric not in readings.absent
    }
    return Sample(
        key=key,
        taken_at=taken_at,
        monotonic_s=0.0,
        values=readings.values,
        absent={**unrecorded, **readings.absent},
        throttle_reasons=readings.throttle_reasons,
        processes=readings.processes,
    )


def _read(path: Path) -> tuple[bytes, float]:
    try:
        facts = path.stat()
        if facts.st_size > MOST_BYTES:
            limits: dict[str, str | int | float | bool] = {"path": str(path), "limit_bytes": MOST_BYTES}
            raise UnusableFileError(Message("core.file-too-large", limits))
        with path.open("rb") as file:
            return file.read(MOST_BYTES), facts.st_mtime
    except (OSError, ValueError) as error:
        raise UnusableFileError(Message("core.file-unreadable", {"path": str(path), "detail": str(error)})) from error


def _is_regular_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False
