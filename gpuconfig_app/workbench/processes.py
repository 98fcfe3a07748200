"""End one of the user's own processes on a GPU, after looking twice that it is still the one that was shown."""

from __future__ import annotations

import getpass
import logging
from collections.abc import Collection

import psutil

from gpuconfig_app.command import end_process_tree
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import Message

logger = logging.getLogger(__name__)
# The start time of a process is reckoned from the boot time, which moves a little when the clock is set.
START_TOLERANCE_S = 2.0


def own_processes(pids: Collection[int]) -> dict[int, float]:
    """Give those processes that belong to the user of this program, with their start times (seconds since the epoch).

    The start time tells a process from a later one that was given the same number.
    """
    user = getpass.getuser()
    found = {}
    for pid in pids:
        try:
            process = psutil.Process(pid)
            if _plain_user(process.username()) == user:
                found[pid] = process.create_time()
        except (psutil.NoSuchProcess, psutil.AccessDenied) as error:
            logger.debug("process %s: %s", pid, error)
    return found


def end_process(process: GpuProcess, started_at: float | None, *, grace_s: float = 5.0) -> None:
    """End a process and what it started: politely first, by force after ``grace_s``.

    Args:
        started_at: Start time that ``own_processes`` gave when it was shown; None when it is not known, then only the
            name is compared.

    Raises:
        UsageError: It is somebody else's, or its number now belongs to another program.
    """
    try:
        found = psutil.Process(process.pid)
        name, user, started = found.name(), found.username(), found.create_time()
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as error:
        raise UsageError(Message("workbench.process-not-yours", {"pid": process.pid})) from error
    if _plain_user(user) != getpass.getuser():
        raise UsageError(Message("workbench.process-not-yours", {"pid": process.pid}))
    is_later = started_at is not None and abs(started - started_at) > START_TOLERANCE_S
    if is_later or (process.name is not None and not _is_same_program(process.name, name)):
        raise UsageError(Message("workbench.process-changed", {"pid": process.pid, "name": name}))
    logger.info("ending process %s (%s)", process.pid, name)
    end_process_tree(process.pid, grace_s=grace_s)


def _is_same_program(shown: str, found: str) -> bool:
    # The driver gives a path or a command line, psutil the first 15 letters of the program's name on Linux.
    words = shown.replace("\\", "/").split()
    return any(word.rsplit("/", 1)[-1].startswith(found[:15]) for word in words)


def _plain_user(name: str) -> str:
    return name.rsplit("\\", 1)[-1]
