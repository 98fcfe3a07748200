"""Files that start a bundle: one machine, in the shell the user asked for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gpuconfig_app.core.bundle import BundleFile
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.render import render

_FILES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"none": (), "shell": ("run.sh",), "powershell": ("run.ps1",), "both": ("run.sh", "run.ps1")}
)


def make_launchers(wanted: JsonValue, context: Mapping[str, object]) -> tuple[BundleFile, ...]:
    """Render the start files.

    Args:
        wanted: Answer to the question ``launchers``: ``none``, ``shell``, ``powershell``, ``both``; None is ``none``.
    """
    names = _FILES[str(wanted or "none")]
    return tuple(
        BundleFile(name=name, content=render(f"_shared/{name}.j2", context), is_executable=name.endswith(".sh"))
        for name in names
    )
