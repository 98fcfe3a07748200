"""Who in an environment asks for which version of what TensorFlow shares with others; read from metadata alone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from gpuconfig_app.core.python_environment import TENSORFLOW_PACKAGES

# Packages whose version others fight over.
_WANTED = ("numpy", "protobuf", "keras", "tf-keras", "ml-dtypes", "nvidia-cudnn-cu11", "nvidia-cudnn-cu12")
_HEAD_BYTES = 64 * 1024
_ENTRY_LIMIT = 5_000
_MOST_PINS = 12
_NAMES = "|".join(re.escape(name) for name in (*TENSORFLOW_PACKAGES, *_WANTED)).replace(r"\-", "[-_.]")
_LINE = re.compile(rf"^Requires-Dist: ?((?:{_NAMES})(?![-_.\w])[^\r\n]*)".encode(), re.MULTILINE | re.IGNORECASE)
_FOLDER = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._]*)-(?P<version>\d[^-]*)\.dist-info")


@dataclass(frozen=True)
class Pins:
    """Who asks for what.

    Attributes:
        by_package: ``numpy`` -> ``("tensorflow 2.17.1 (numpy<2.0.0,>=1.26.0)", …)``.
        unmet: Those that what is installed does not meet, those of TensorFlow itself left out.
    """

    by_package: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unmet: tuple[str, ...] = ()


def read_pins(site_folders: Iterable[Path], packages: Mapping[str, str], python_version: str | None) -> Pins:
    """Read the requirements of every package.

    Args:
        site_folders: Of the environment.
        packages: What is installed, by normalised name.
        python_version: For requirements that hold for some Pythons only.
    """
    series = ".".join((python_version or "").split(".")[:2])
    found: dict[str, list[str]] = {}
    unmet: list[str] = []
    for asker, requirement in _requirements(site_folders):
        if not requirement.specifier or not _holds(requirement, series):
            continue
        name = _normal(requirement.name)
        text = f"{asker} ({name}{requirement.specifier})"
        found.setdefault(name, []).append(text)
        installed = packages.get(name)
        is_own = asker.split(" ")[0] in TENSORFLOW_PACKAGES
        if installed and not is_own and not requirement.specifier.contains(installed, prereleases=True):
            unmet.append(text)
    by_package = {name: tuple(sorted(set(texts))[:_MOST_PINS]) for name, texts in sorted(found.items())}
    return Pins(by_package, tuple(sorted(set(unmet))[:_MOST_PINS]))


def _requirements(site_folders: Iterable[Path]) -> Iterator[tuple[str, Requirement]]:
    for folder in site_folders:
        for entry in _metadata_folders(folder):
            parts = _FOLDER.fullmatch(entry.rpartition(os.sep)[2])
            if parts is None:
                continue
            asker = f"{_normal(parts['name'])} {parts['version']}"
            for line in _LINE.findall(_head(f"{entry}/METADATA")):
                try:
                    yield asker, Requirement(line.decode("utf-8", errors="replace"))
                except InvalidRequirement:
                    continue


def _metadata_folders(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as listing:
            entries = (entry for _, entry in zip(range(_ENTRY_LIMIT), listing, strict=False))
            return [entry.path for entry in entries if entry.name.endswith(".dist-info")]
    except (OSError, ValueError):
        return []


def _head(path: str) -> bytes:
    """Give the fields before the description; empty when they can't be read."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123  # thousands of these; a Path each costs more
            return file.read(_HEAD_BYTES).split(b"\n\n", 1)[0]
    except (OSError, ValueError):
        return b""


def _holds(requirement: Requirement, series: str) -> bool:
    """Whether a requirement counts for this Python without any extra."""
    if requirement.marker is None:
        return True
    environment = {"extra": ""} | ({"python_version": series, "python_full_version": f"{series}.0"} if series else {})
    try:
        return requirement.marker.evaluate(environment)
    except (KeyError, ValueError):  # a marker packaging does not know
        return False


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
