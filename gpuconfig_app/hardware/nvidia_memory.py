"""Memory of a card or slice, with the driver's own share told apart where the driver can."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pynvml

from gpuconfig_app.hardware import nvidia_nvml as nvml
from gpuconfig_app.hardware.nvidia_nvml import Handle, Trouble, ask


@dataclass(frozen=True)
class MemoryFigures:
    """Bytes of a card.

    Attributes:
        used_bytes: Without the driver's own share, unless ``reserved_bytes`` is None.
        reserved_bytes: Held by the driver; None when the driver is too old to tell it apart, then it is part of used.
    """

    total_bytes: int
    used_bytes: int
    free_bytes: int
    reserved_bytes: int | None


def read_memory(handle: Handle) -> MemoryFigures | Trouble:
    """Give the memory of a card or slice; NOT_SUPPORTED is how a card without memory of its own answers."""
    newer = ask("nvmlDeviceGetMemoryInfo", _with_reserved, handle, pynvml.nvmlMemory_v2)
    if not isinstance(newer, Trouble) or newer.ends_the_card:
        return _plausible(newer)
    return _plausible(ask("nvmlDeviceGetMemoryInfo", _without_reserved, handle))


def _plausible(answer: MemoryFigures | Trouble) -> MemoryFigures | Trouble:
    if isinstance(answer, MemoryFigures) and answer.total_bytes <= 0:
        return Trouble(nvml.NOT_SUPPORTED, "a total of 0 bytes")
    return answer


def _with_reserved(memory: Any) -> MemoryFigures:  # Any: structure of pynvml
    return MemoryFigures(int(memory.total), int(memory.used), int(memory.free), int(memory.reserved))


def _without_reserved(memory: Any) -> MemoryFigures:  # Any: structure of pynvml
    return MemoryFigures(int(memory.total), int(memory.used), int(memory.free), None)
