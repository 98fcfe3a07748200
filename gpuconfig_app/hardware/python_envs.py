"""All Python environments of this machine, found and read without starting any.

Where to look is in ``python_places``, how one is read in ``python_reading``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import is_there
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.hardware.python_places import (
    PythonPlaces,
    candidate_prefixes,
    current_prefixes,
    store_aliases,
    system_interpreters,
)
from gpuconfig_app.hardware.python_reading import (
    is_environment,
    read_environment,
    read_missing,
    read_store_alias,
    read_system_python,
)

logger = logging.getLogger(__name__)
ENVIRONMENT_LIMIT = 500


def find_environments(
    folders: Sequence[Path] = (),
    control: JobControl | None = None,
    variables: Mapping[str, str] | None = None,
    *,
    places: PythonPlaces | None = None,
) -> tuple[PythonEnvironment, ...]:
    """Give every environment that can be found: the active one first, then by folder, the system's Pythons last.

    Args:
        folders: Looked through besides the usual places, to a depth of four.
        control: Lets the user end it.
        variables: The user's environment variables; they name the active environment and other places.
        places: Another machine's layout, for tests; default this one.

    Raises:
        JobCancelledError: The user ended it.
    """
    where = places or PythonPlaces(variables=dict(variables or {}))
    job = control or JobControl()
    current = {_real(prefix) for prefix in current_prefixes(where)}
    found: dict[Path, PythonEnvironment] = {}
    seen: set[Path] = set()
    for prefix in candidate_prefixes(where, folders):
        job.check()
        if prefix in seen or len(found) >= ENVIRONMENT_LIMIT:
            continue
        seen.add(prefix)
        if _is_environment(prefix) and (real := _real(prefix)) not in found:
            found[real] = _read(prefix, where, is_current=real in current)
    missing = [read_missing(prefix) for prefix in current_prefixes(where) if not is_there(prefix)]
    ordered = sorted(found.values(), key=lambda item: (not item.is_current, item.prefix))
    return (*missing, *ordered, *_system(where), *(read_store_alias(alias) for alias in store_aliases(where)))


def _system(places: PythonPlaces) -> tuple[PythonEnvironment, ...]:
    found: dict[Path, PythonEnvironment] = {}
    for interpreter in system_interpreters(places):
        real = _real(interpreter)
        if real not in found and is_there(interpreter):
            found[real] = read_system_python(interpreter, places)
    return tuple(found.values())


def _is_environment(prefix: Path) -> bool:
    try:
        return is_environment(prefix)
    except (OSError, ValueError):  # no permission, or a name no file system takes
        return False


def _read(prefix: Path, places: PythonPlaces, *, is_current: bool) -> PythonEnvironment:
    try:
        return read_environment(prefix, places, is_current=is_current)
    except (OSError, ValueError) as error:
        logger.warning("environment %s: %s", prefix, error)
        problem = Message("host.environment-unreadable", {"detail": type(error).__name__})
        return PythonEnvironment(prefix=str(prefix), name=prefix.name, is_current=is_current, problem=problem)


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path
