"""Which Python is judged and used: one rule for both faces (design decision 5).

The order is: asked for, stored choice, active where the program was started, best verdict. Our own interpreter is
never taken from a frozen bundle, because it is not the user's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport, Verdict
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded, is_folder, is_there
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.python_envs import find_environments
from gpuconfig_app.resources import is_frozen

_ORDER = (Verdict.READY, Verdict.READY_WITH_NOTES, Verdict.UNKNOWN, Verdict.CPU_ONLY, Verdict.BLOCKED)
MOST_JUDGED = 60


def choose_environment(
    report: SystemReport,
    judge: Callable[[PythonEnvironment], CompatReport],
    wanted: str | None = None,
    stored: str | None = None,
) -> PythonEnvironment | None:
    """Choose the environment to look at; None when there is none.

    Args:
        judge: Gives the verdict of one environment.
        wanted: Path from the command line: interpreter or folder.
        stored: The user's earlier choice; silently left when it is gone.

    Raises:
        UsageError: ``wanted`` is not an environment of this machine.
    """
    if wanted is not None:
        found = find_environment(report, wanted)
        if found is None:
            raise UsageError(Message("workbench.no-such-python", {"path": wanted}))
        return found
    usable = [item for item in report.environments if item.problem is None and not _is_our_own(item)]
    if stored is not None:
        kept = find_environment(report, stored)
        if kept is not None:
            return kept
    current = next((item for item in usable if item.is_current), None)
    if current is not None:
        return current
    with_tensorflow = [item for item in usable if item.tensorflow_version is not None]
    return _best(with_tensorflow[:MOST_JUDGED], judge) or (usable[0] if usable else None)


def find_environment(report: SystemReport, path: str) -> PythonEnvironment | None:
    """Find an environment by its interpreter, its folder or its name."""
    plain = os.path.normpath(_whole(path))
    for item in report.environments:
        if path in (item.executable, item.prefix, item.name):
            return item
        if plain in (os.path.normpath(item.executable), os.path.normpath(item.prefix)):
            return item
    return None


def environment_at(path: str) -> PythonEnvironment | None:
    """Read the environment at a path that no search comes by; None when there is none.

    Args:
        path: Its interpreter or its folder.
    """
    place = _whole(path)
    folder = place if is_folder(place) else place.parent.parent
    if not is_there(place) or len(folder.parts) < 2:
        return None
    wanted = os.path.realpath(folder)
    found = find_environments((folder,))
    return next((item for item in found if os.path.realpath(item.prefix) == wanted), None)


def _whole(path: str) -> Path:
    """Give a typed path from the root on; as it is where the present folder is gone."""
    place = expanded(path)
    try:
        return place.absolute()
    except OSError:
        return place


def _best(
    candidates: list[PythonEnvironment], judge: Callable[[PythonEnvironment], CompatReport]
) -> PythonEnvironment | None:
    ranked = [(_ORDER.index(judge(item).verdict), number, item) for number, item in enumerate(candidates)]
    return min(ranked)[2] if ranked else None


def _is_our_own(environment: PythonEnvironment) -> bool:
    return is_frozen() and os.path.normpath(environment.executable) == os.path.normpath(sys.executable)
