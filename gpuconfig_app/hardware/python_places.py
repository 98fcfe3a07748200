"""Where Python environments usually lie: lists of folders that may be one. Which are is decided by ``python_reading``.

Every place comes from home folder, variables and file-system root, so that any machine can be laid out in a test.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gpuconfig_app.core.paths import is_file
from gpuconfig_app.hardware.python_tools import (
    collections_of,
    conda_collections,
    conda_roots,
    nested_collections,
)
from gpuconfig_app.hardware.small_files import read_small

# A home folder can hold millions of files; the walk stops after this many folders.
WALK_LIMIT = 3000
WALK_DEPTH = 3
_FOLDER_ENTRY_LIMIT = 2000
_SKIPPED = frozenset({
    "node_modules", "__pycache__", "site-packages", "Library", "AppData", "snap", "Trash", "pkgs", "proc", "sys",
})  # fmt: skip
_HIDDEN_BUT_LOOKED_AT = (".venv", ".virtualenv", ".env")  # and what begins so, ``.venv-3.12``
_REGISTRY = r"Software\Python"


def registered_pythons() -> tuple[str, ...]:
    """Give the folders that Python installers of any maker registered on Windows (PEP 514); empty elsewhere."""
    found: list[str] = []
    if sys.platform == "win32":
        import winreg  # noqa: PLC0415  # exists on Windows only

        def names(hive: int, path: str) -> tuple[str, ...]:
            try:
                with winreg.OpenKey(hive, path) as key:
                    return tuple(winreg.EnumKey(key, number) for number in range(winreg.QueryInfoKey(key)[0]))
            except OSError:
                return ()

        for hive in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
            for company in names(hive, _REGISTRY):
                for tag in names(hive, rf"{_REGISTRY}\{company}"):
                    try:
                        found.append(str(winreg.QueryValue(hive, rf"{_REGISTRY}\{company}\{tag}\InstallPath")))
                    except OSError:
                        continue
    return tuple(found)


@dataclass(frozen=True)
class PythonPlaces:
    """The machine on which environments are looked for.

    Attributes:
        root: ``/``, or a folder that stands for it.
        home: The user's home folder.
        variables: The user's environment variables.
        registered: Folders that the registry names (Windows).
    """

    platform: str = sys.platform
    root: Path = Path("/")
    home: Path = field(default_factory=Path.home)
    variables: Mapping[str, str] = field(default_factory=dict)
    registered: tuple[str, ...] = field(default_factory=registered_pythons)


def current_prefixes(places: PythonPlaces) -> tuple[Path, ...]:
    """Give the environment that is active: a venv hides the conda environment below it."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if places.variables.get(name):
            return (Path(places.variables[name]),)
    return ()


def candidate_prefixes(places: PythonPlaces, extra: Iterable[Path]) -> Iterator[Path]:
    """Give folders that may be environments, likely ones first, some of them twice."""
    yield from current_prefixes(places)
    for folder in extra:
        yield folder
        yield from _walk(folder, WALK_DEPTH + 1)
    yield from _conda(places)
    for folder in collections_of(places.home, places.variables, places.root):
        yield from _children(folder)
    for folder, depth in nested_collections(places.home, places.variables):
        yield from _walk(folder, depth)
    yield from _windows_installs(places)
    opt = places.root / "opt"
    yield from (opt, *_children(opt))
    if places.home != Path(places.home.anchor):
        yield from _walk(places.home, WALK_DEPTH)


def system_interpreters(places: PythonPlaces) -> Iterator[Path]:
    """Give the Pythons of the system itself, by interpreter: ``/usr/bin/python3.12``, ``/usr/local/bin/python3.11``."""
    if places.platform == "win32":
        return
    for folder in ("usr/bin", "usr/local/bin", "opt/homebrew/bin"):
        names = (path for path in _children(places.root / folder) if _is_versioned(path.name))
        yield from sorted(names)


def _is_versioned(name: str) -> bool:
    major, dot, minor = name.removeprefix("python").removesuffix("t").partition(".")
    return name.startswith("python3.") and bool(dot) and major == "3" and minor.isdigit()


def _conda(places: PythonPlaces) -> Iterator[Path]:
    for root in conda_roots(places.home, places.variables, places.root):
        yield root
        yield from _children(root / "envs")
    for folder in conda_collections(places.home, places.variables):
        yield from _children(folder)
    listed = (read_small(places.home / ".conda/environments.txt") or "").splitlines()
    yield from (Path(line.strip()) for line in listed if line.strip())


def _windows_installs(places: PythonPlaces) -> Iterator[Path]:
    yield from (Path(folder) for folder in places.registered if folder)
    for name in ("PROGRAMFILES", "SYSTEMDRIVE"):
        if places.variables.get(name):
            base = Path(places.variables[name] + ("/" if name == "SYSTEMDRIVE" else ""))
            yield from (path for path in _children(base) if path.name.lower().startswith("python3"))


def store_aliases(places: PythonPlaces) -> tuple[Path, ...]:
    """Give the pointers to Pythons of the Microsoft Store: what they lead to can't be read from outside."""
    if not places.variables.get("LOCALAPPDATA"):
        return ()
    folder = Path(places.variables["LOCALAPPDATA"]) / "Microsoft/WindowsApps"
    return tuple(path for path in _children(folder) if _is_versioned(path.name.lower().removesuffix(".exe")))


def _children(folder: Path) -> tuple[Path, ...]:
    try:
        with os.scandir(folder) as listing:
            entries = [entry.name for _, entry in zip(range(_FOLDER_ENTRY_LIMIT), listing, strict=False)]
    except (OSError, ValueError):
        return ()
    return tuple(folder / name for name in sorted(entries))


def _walk(start: Path, depth: int) -> Iterator[Path]:
    """Give the folders below ``start`` level by level, without following links, at most ``WALK_LIMIT`` of them."""
    waiting = deque([(start, 0)])
    visited = 0
    while waiting and visited < WALK_LIMIT:
        folder, level = waiting.popleft()
        visited += 1
        for child in _subfolders(folder):
            yield child
            if level + 1 < depth and not is_file(child / "pyvenv.cfg"):
                waiting.append((child, level + 1))


def _subfolders(folder: Path) -> tuple[Path, ...]:
    try:
        with os.scandir(folder) as listing:
            entries = [entry for _, entry in zip(range(_FOLDER_ENTRY_LIMIT), listing, strict=False)]
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except (OSError, ValueError):
        return ()
    kept = (name for name in sorted(names) if name not in _SKIPPED)
    return tuple(folder / name for name in kept if not name.startswith(".") or name.startswith(_HIDDEN_BUT_LOOKED_AT))
