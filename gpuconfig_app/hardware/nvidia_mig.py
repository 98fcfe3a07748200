"""MIG: the slices an NVIDIA card is cut into."""

from __future__ import annotations

import re
from typing import Any

from gpuconfig_app.core.gpu import MigInstance
from gpuconfig_app.hardware import nvidia_nvml as nvml
from gpuconfig_app.hardware.nvidia_memory import MemoryFigures, read_memory
from gpuconfig_app.hardware.nvidia_nvml import Handle, Trouble, ask

_PROFILE = re.compile(r"\bMIG ((?:\d+c\.)?\d+g\.\d+gb\S*)")


def slice_handles(handle: Handle) -> dict[int, Handle]:
    """Give the handles of a card's slices by index; indexes may have gaps."""
    most = ask("nvmlDeviceGetMaxMigDeviceCount", int, handle)
    found: dict[int, Handle] = {}
    for index in range(0 if isinstance(most, Trouble) else most):
        one = ask("nvmlDeviceGetMigDeviceHandleByIndex", _as_is, handle, index)
        if not isinstance(one, Trouble):
            found[index] = one
    return found


def read_mig(handle: Handle) -> tuple[MigInstance, ...]:
    """Give the slices of a card whose MIG mode is on; none when it is not cut yet."""
    return tuple(_read_slice(index, one) for index, one in slice_handles(handle).items())


def derive_profile(gpu_slices: int, compute_slices: int, memory_mib: int) -> str:
    """Give the name NVIDIA's guide uses for a slice, ``3g.40gb``, from what the driver tells about it."""
    name = f"{gpu_slices}g.{round(memory_mib / 1024)}gb"
    return name if compute_slices == gpu_slices else f"{compute_slices}c.{name}"


def _read_slice(index: int, handle: Handle) -> MigInstance:
    memory = read_memory(handle)
    figures = memory if isinstance(memory, MemoryFigures) else None
    attributes = _or_none(ask("nvmlDeviceGetAttributes_v2", _attributes, handle))
    name = _or_none(ask("nvmlDeviceGetName", nvml.text, handle)) or ""
    named = _PROFILE.search(name)
    derived = derive_profile(*attributes[1:]) if attributes else None
    return MigInstance(
        index=index,
        uuid=_or_none(ask("nvmlDeviceGetUUID", nvml.text, handle)),
        profile=named.group(1) if named else derived,
        gpu_instance_id=_or_none(ask("nvmlDeviceGetGpuInstanceId", int, handle)),
        compute_instance_id=_or_none(ask("nvmlDeviceGetComputeInstanceId", int, handle)),
        memory_total_bytes=figures.total_bytes if figures else None,
        memory_used_bytes=figures.used_bytes if figures else None,
        sm_count=attributes[0] if attributes else None,
    )


def _attributes(made: Any) -> tuple[int, int, int, int]:  # Any: structure of pynvml
    return (
        int(made.multiprocessorCount),
        int(made.gpuInstanceSliceCount),
        int(made.computeInstanceSliceCount),
        int(made.memorySizeMB),
    )


def _as_is(value: Handle) -> Handle:
    return value


def _or_none(answer: nvml.T | Trouble) -> nvml.T | None:
    return None if isinstance(answer, Trouble) else answer
