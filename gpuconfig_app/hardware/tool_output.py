"""Which tool a text is the output of, and the cards in it: the parsers of every maker behind one door."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import BackendState, MemoryInfo, OsFamily
from gpuconfig_app.core.units import KIB
from gpuconfig_app.hardware import accelerators as shared
from gpuconfig_app.hardware import amd, ascend, hygon, npu_smi
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware.accelerators import CardFacts
from gpuconfig_app.hardware.backend import BackendResult
from gpuconfig_app.hardware.nvidia_output import read_nvidia_output
from gpuconfig_app.hardware.readings import DeviceReadings
from gpuconfig_app.hardware.smi_json import SmiAnswer, parse_smi_json
from gpuconfig_app.hardware.smi_table import parse_smi_table

_HYGON_WORDS = re.compile(
    r'"(?:HCU|DCU) |^[ \t]{0,40}(?:HCU|DCU)(?:[ \t].{0,200}%|\[\d)|,(?:HCU|DCU) |hygon|haiguang|hy-smi',
    re.IGNORECASE | re.MULTILINE,
)
# Chips that exist only beside an Arm processor.
_ON_ARM = re.compile(r"\b(?:GB10|GH200|GB200|GB300|Orin|Xavier|Thor|Tegra)\b")
# In WSL2 the tool is Linux' and the driver is Windows', so that their numbers differ; elsewhere they are one.
_IN_WSL = re.compile(r"NVIDIA-SMI (?P<tool>\d{3}\.[\d.]{2,6}) +Driver Version: (?!(?P=tool)\b)\d{3}\.\d{2}(?![\d.])")
_MEMORY = re.compile(r"\b(MemTotal|MemAvailable):\s*(\d{1,15}) kB")


@dataclass(frozen=True)
class ToolOutput:
    """What one tool printed.

    Attributes:
        tool: ``nvidia-smi``, ``rocm-smi``, ``npu-smi``, ``hy-smi``.
        readings: For each card of the result, in its order; may be shorter.
        os_family: As far as the output tells it.
    """

    tool: str
    result: BackendResult
    readings: tuple[DeviceReadings, ...] = ()
    os_family: OsFamily = OsFamily.LINUX


@dataclass(frozen=True)
class HostHints:
    """What the output tells by the way about the machine around the cards."""

    os_family: OsFamily = OsFamily.OTHER
    architecture: str | None = None
    wsl_version: int | None = None
    memory: MemoryInfo = field(default_factory=MemoryInfo)


def recognise_output(text: str) -> tuple[ToolOutput, ...]:
    """Give the output of every known tool in a text, empty when there is none.

    Args:
        text: Plain (``tool_text.plain_text``).
    """
    return tuple(found for read in _READERS if (found := read(text)) is not None)


def hints_of(text: str, outputs: tuple[ToolOutput, ...]) -> HostHints:
    """Give what is certain about the machine."""
    families = {output.os_family for output in outputs} - {OsFamily.OTHER}
    names = [gpu.name or "" for output in outputs for gpu in output.result.gpus]
    amounts = {name: int(number) * KIB for name, number in _MEMORY.findall(text)}
    return HostHints(
        os_family=next(iter(families)) if len(families) == 1 else OsFamily.OTHER,
        architecture="aarch64" if any(_ON_ARM.search(name) for name in names) else None,
        wsl_version=2 if OsFamily.WINDOWS not in families and _IN_WSL.search(text) else None,
        memory=MemoryInfo(
            total_bytes=amounts.get("MemTotal") or None, available_bytes=amounts.get("MemAvailable") or None
        ),
    )


def _nvidia(text: str) -> ToolOutput | None:
    found = read_nvidia_output(text)
    if found is None:
        return None
    return ToolOutput("nvidia-smi", found.result, found.readings, _family(found.result.gpus))


def _family(gpus: tuple[Gpu, ...]) -> OsFamily:
    """Tell the system by what only one of them has: driver models are Windows', persistence mode is Linux'."""
    if any(gpu.driver_model is not None for gpu in gpus):
        return OsFamily.WINDOWS
    linux = (reasons.ONLY_ON_WINDOWS, reasons.NOT_SUPPORTED)
    is_linux = any(gpu.persistence_enabled is not None or gpu.absent.get("driver_model") in linux for gpu in gpus)
    return OsFamily.LINUX if is_linux else OsFamily.OTHER


def _amd(text: str) -> ToolOutput | None:
    if _HYGON_WORDS.search(text):
        return None
    answer = parse_smi_json(text, amd.TOOL, amd.PCI_VENDOR)
    table = parse_smi_table(text, amd.TOOL)
    if answer is None and table is None:
        return None
    if answer is None or not answer.cards:
        answer = SmiAnswer(table or {}, answer.driver if answer else None)
    untold = shared.not_told_by(amd.TOOL)
    gpus = amd.gpus_of(answer, untold)
    status = shared.ready(Vendor.AMD, amd.TOOL) if gpus else shared.not_present(Vendor.AMD, amd.TOOL)
    result = BackendResult(status=status, gpus=gpus, driver=amd.driver_info(answer.driver, untold))
    return ToolOutput(amd.TOOL, result, _readings(tuple(answer.cards.values()), amd.TOOL))


def _ascend(text: str) -> ToolOutput | None:
    answer = npu_smi.parse_npu_smi(text)
    if answer is None:
        return None
    facts = tuple(chip.facts for chip in answer.chips)
    return ToolOutput(npu_smi.TOOL, ascend.result_of(text), _readings(facts, npu_smi.TOOL))


def _hygon(text: str) -> ToolOutput | None:
    if not _HYGON_WORDS.search(text):
        return None
    result = hygon.result_of(text)
    if result.status.state is BackendState.FAILED and not result.gpus:
        return None
    return ToolOutput(hygon.TOOL, result, _readings(tuple((hygon.cards_of(text) or {}).values()), hygon.TOOL))


def _readings(cards: tuple[CardFacts, ...], tool: str) -> tuple[DeviceReadings, ...]:
    untold: Message = shared.not_told_by(tool)
    return tuple(card.device_readings(untold) for card in cards)


_READERS: tuple[Callable[[str], ToolOutput | None], ...] = (_nvidia, _amd, _ascend, _hygon)
