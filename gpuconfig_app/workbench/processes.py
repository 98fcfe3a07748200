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


def own_pids(pids: Collection[int]) -> frozenset[int]:
    """Give those processes that belong to the user of this program."""
    user = getpass.getuser()
    found = set()
    for pid in pids:
        try:
            if _plain_user(psutil.Process(pid).username()) == user:
                found.add(pid)
        except (psutil.NoSuchProcess, psutil.AccessDenied) as error:
            logger.debug("process %s: %s", pid, error)
    return frozenset(found)


def end_process(process: GpuProcess, *, grace_s: float = 5.0) -> None:
    """End a process and what it started: politely first, by force after ``grace_s``.

    Raises:
        UsageError: It is somebody else's, or its number now belongs to another program.
    """
    try:
        found = psutil.Process(process.pid)
        name, user = found.name(), found.username()
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as error:
        raise UsageError(Message("workbench.process-not-yours", {"pid": process.pid})) from error
    if _plain_user(user) != getpass.getuser():
        raise UsageError(Message("workbench.process-not-yours", {"pid": process.pid}))
    if process.name is not None and not _is_same_program(process.name, name):
        raise UsageError(Message("workbench.process-changed", {"pid": process.pid, "name": name}))
    logger.info("ending process %s (%s)", process.pid, name)
    end_process_tree(process.pid, grace_s=grace_s)


def _is_same_program(shown: str, found: str) -> bool:
    # The driver gives a path or a command line, psutil the first 15 letters of the program's name on Linux.
    words = shown.replace("\\", "/").split()
    return any(word.rsplit("/", 1)[-1].startswith(found[:15]) for word in words)


def _plain_user(name: str) -> str:
    return name.rsplit("\\", 1)[-1]
