"""Processes that use an NVIDIA card: the driver's lists, with names and users from the system."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import psutil

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.hardware import nvidia_nvml as nvml
from gpuconfig_app.hardware.nvidia_nvml import Handle, Trouble, ask

_NO_INSTANCE = 0xFFFFFFFF
_NEWEST_FIRST = ("_v3", "_v2")
_SIZE_RETRIES = 3
# Programs whose own name says nothing; their first argument does.
_INTERPRETER = re.compile(r"(?:python|pypy|node|java|ruby|perl|julia|R)[\d.]*(?:\.exe)?")


class ProcessNames:
    """Names and users of processes, remembered while a process keeps being asked for; safe from any thread."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[str | None, str | None]] = {}
        self._lock = threading.Lock()

    def of(self, pids: set[int]) -> Mapping[int, tuple[str | None, str | None]]:
        """Give name and user by process id; None where the system does not tell.

        A process id that was not in the call before is looked up anew, so that a reused one gets its new name.
        """
        with self._lock:
            known = self._known
        found = {pid: known[pid] if pid in known else _look_up(pid) for pid in pids}
        with self._lock:
            self._known = found
        return found


def read_processes(
    handle: Handle, names: ProcessNames, slices: Mapping[int, int] | None = None
) -> tuple[GpuProcess, ...] | Trouble:
    """Give the processes of a card, by process id.

    Args:
        handle: The whole card.
        names: Memory of names; one for each card.
        slices: Index of the MIG slice by GPU instance id.
    """
    compute = _list(handle, "nvmlDeviceGetComputeRunningProcesses")
    graphics = _list(handle, "nvmlDeviceGetGraphicsRunningProcesses")
    if isinstance(compute, Trouble):
        if isinstance(graphics, Trouble):
            return compute
        compute = {}
    if isinstance(graphics, Trouble):
        graphics = {}
    known = names.of({key[0] for key in compute} | {key[0] for key in graphics})
    found = []
    for key in sorted(compute.keys() | graphics.keys()):
        kind = "both" if key in compute and key in graphics else "compute" if key in compute else "graphics"
        amounts = [listed[key] for listed in (compute, graphics) if key in listed]
        told = [amount for amount in amounts if amount is not None]
        name, user = known[key[0]]
        found.append(
            GpuProcess(
                pid=key[0],
                kind=kind,
                name=name,
                user=user,
                memory_used_bytes=max(told) if told else None,
                mig_index=(slices or {}).get(key[1]),
            )
        )
    return tuple(found)


def _list(handle: Handle, function: str) -> dict[tuple[int, int], int | None] | Trouble:
    """Give memory by (process, GPU instance) from the newest list that this driver has."""
    answer: dict[tuple[int, int], int | None] | Trouble = Trouble(nvml.NOT_SUPPORTED, function)
    for version in _NEWEST_FIRST:
        for _ in range(_SIZE_RETRIES):  # the list may grow between the two calls that pynvml makes
            answer = ask(function + version, _by_process, handle)
            if not (isinstance(answer, Trouble) and answer.code == nvml.INSUFFICIENT_SIZE):
                break
        if not (isinstance(answer, Trouble) and answer.code == nvml.DRIVER_TOO_OLD):
            return answer
    return answer


def _by_process(entries: list[Any]) -> dict[tuple[int, int], int | None]:  # Any: objects of pynvml
    found: dict[tuple[int, int], int | None] = {}
    for entry in entries:
        instance = int(getattr(entry, "gpuInstanceId", _NO_INSTANCE) or 0)
        memory = entry.usedGpuMemory
        found[int(entry.pid), instance] = None if memory is None else int(memory)
    return found


def _look_up(pid: int) -> tuple[str | None, str | None]:
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            name = _shown_name(process)
            try:
                user: str | None = process.username()
            except (psutil.Error, KeyError, OSError):
                user = None
    except (psutil.Error, OSError, ValueError, OverflowError):
        return None, None
    return name, user


def _shown_name(process: psutil.Process) -> str:
    name = process.name()
    if not _INTERPRETER.fullmatch(name):
        return name
    try:
        words = process.cmdline()[1:]
    except (psutil.Error, OSError):
        return name
    script = next((word for word in words if word and not word.startswith("-")), None)
    if script is None or "-c" in words[:2]:
        return name
    if sys.platform == "win32":
        return f"{name} {PurePath(script).name}"
    return f"{name} {script.rsplit('/', 1)[-1]}"
