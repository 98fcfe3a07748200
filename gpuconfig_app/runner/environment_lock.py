"""Writes down exactly what an environment holds, so that the same one can be made on another machine of its kind."""

from __future__ import annotations

import logging
from email.parser import HeaderParser
from pathlib import Path

from packaging.utils import canonicalize_name

from gpuconfig_app.core.environment_plan import CommandLine, Installer
from gpuconfig_app.runner.environment_commands import shown_command

logger = logging.getLogger(__name__)
LOCK_NAME = "requirements.lock"
# What every new environment brings itself.
_TOOLS = frozenset({"pip", "setuptools", "wheel"})


def lock_text(folder: Path) -> str:
    """Give ``name==version`` lines of everything installed, sorted; without hashes, which no environment keeps."""
    found: dict[str, str] = {}
    for site in (*folder.glob("lib/python*/site-packages"), *folder.glob("Lib/site-packages")):
        for metadata in site.glob("*.dist-info/METADATA"):
            try:
                with metadata.open(encoding="utf-8", errors="replace") as file:
                    headers = HeaderParser().parse(file, headersonly=True)
            except OSError as error:
                logger.info("%s: %s", metadata, error)
                continue
            name, version = headers.get("Name"), headers.get("Version")
            if name and version and canonicalize_name(name) not in _TOOLS:
                found[canonicalize_name(name)] = version.strip()
    return "".join(f"{name}=={version}\n" for name, version in sorted(found.items()))


def sync_command(installer: Installer | None) -> CommandLine:
    """Give the line that makes the same environment from the lock file, inside a new empty one."""
    if installer is Installer.UV:
        return shown_command(["uv", "pip", "sync", LOCK_NAME])
    return shown_command(["python", "-m", "pip", "install", "--no-deps", "--requirement", LOCK_NAME])
