"""Removes exactly what a making put on the disk, and nothing that is the user's.

The folder must be the very one that was made (device and inode). In it, what an environment consists of is removed:
its programs, packages and settings. What stands beside them stays, and then the folder stays with it.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from gpuconfig_app.command import end_process_tree, run_command, user_environment
from gpuconfig_app.core.environment_made import Removal
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.runner.watched_process import START_TOLERANCE_S, start_time
from gpuconfig_app.storage.makings import Making

logger = logging.getLogger(__name__)
SCRATCH_PREFIX = "gpuconfig-environment-"
UNINSTALL_LIMIT_S = 120.0
_HEAD_BYTES = 1024

_WHOLE = frozenset({
    "include", "Include", "lib64", "pyvenv.cfg", ".lock", "CACHEDIR.TAG", "share", "etc", "man",
})  # fmt: skip
_PROGRAMS = ("bin", "Scripts")
_PROGRAM_NAMES = re.compile(
    r"(?i)(?:activate|deactivate|pydoc|pip|easy_install|wheel)[\w.-]*|python[\w.]*(?:\.exe)?|𝜋thon|.+\.exe"
)
_LIBRARY = re.compile(r"(?:python|pypy)3\.\d+t?")
# What Python imports; anything else at the top of site-packages that no package names is not of an installer.
_IMPORTABLE = frozenset({".py", ".pth", ".so", ".pyd", ".pyi", ".pyc", ".dll", ".virtualenv", ".dylib"})
_CONDA_NAMES = frozenset({
    "bin", "conda-meta", "condabin", "etc", "include", "lib", "lib64", "libexec", "man", "sbin", "share", "shell",
    "ssl", "var", "x86_64-conda-linux-gnu", "x86_64-conda_cos6-linux-gnu", "compiler_compat", "pkgs", "envs", "DLLs",
    "Lib", "Library", "Scripts", "Tools", "libs", "Menu", "python.exe", "pythonw.exe", ".nonadmin",
})  # fmt: skip


def identity_of(folder: Path) -> tuple[int, int] | None:
    """Give device and inode of a folder that is no link; None when there is none."""
    try:
        found = folder.lstat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISDIR(found.st_mode) else None


def is_running(making: Making) -> bool:
    """Whether the program that makes it still runs; another process of the same number is not taken for it."""
    if making.pid is None or making.pid_started_at is None:
        return False
    started_at = start_time(making.pid)
    return started_at is not None and abs(started_at - making.pid_started_at) <= START_TOLERANCE_S


def end_child(making: Making) -> None:
    """End the installer of a making whose program was killed; another process of the same number is left alone."""
    if making.child_pid is None or making.child_started_at is None:
        return
    started_at = start_time(making.child_pid)
    if started_at is not None and abs(started_at - making.child_started_at) <= START_TOLERANCE_S:
        end_process_tree(making.child_pid, grace_s=1.0)


def remove_made(making: Making) -> Removal:
    """Remove what a making put on the disk: environment, folders above it, temporary files, a Python that uv brought.

    Returns:
        With what stays: the user's own files, or what can't be removed.
    """
    folder = Path(making.folder)
    kept: list[str] = []
    found = identity_of(folder)
    is_ours = is_made_folder(making)
    if is_ours:
        kept += _remove_contents(folder, making)
        if not making.was_there and not kept:
            _remove_if_empty(folder)
    elif found is not None and making.folder_inode is None and not making.was_there:
        _remove_if_empty(folder)  # cut off between making the folder and writing it down
    for parent in making.made_parents:
        _remove_if_empty(Path(parent))
    kept += remove_scratch(making)
    _leave_conda_list(making)
    _uninstall_python(making)
    _remove_half_downloads(making)
    is_gone = not os.path.lexists(folder) or (making.was_there and not kept)
    if os.path.lexists(folder) and not is_ours and not making.was_there:
        kept.append(str(folder))
    return Removal(folder=making.folder, is_gone=is_gone, kept=tuple(kept))


def is_made_folder(making: Making) -> bool:
    """Whether what stands there now is what was made.

    conda makes its folder itself: before it ended, what is there came from it, because nothing was there when it began.
    """
    found = identity_of(Path(making.folder))
    if making.is_conda and making.folder_inode is None and not making.was_there:
        return found is not None
    return found is not None and found == (making.folder_device, making.folder_inode)


def remove_scratch(making: Making) -> list[str]:
    """Remove the installer's temporary files; give what could not be."""
    if making.scratch is None or not Path(making.scratch).name.startswith(SCRATCH_PREFIX):
        return []
    return _remove_tree(Path(making.scratch))


def python_names(folder: str) -> frozenset[str]:
    """Give the names of the Pythons in uv's folder, none when it is not there."""
    entries = _entries(Path(folder)) if Path(folder).is_dir() else []
    return frozenset(entry.name for entry in entries if not entry.name.startswith("."))


def half_downloads(cache: str) -> frozenset[str]:
    """Give the names of what uv is just unpacking in its cache, or has left there when it was ended."""
    place = Path(cache)
    return (
        frozenset(entry.name for entry in _entries(place) if entry.name.startswith(".tmp"))
        if place.is_dir()
        else frozenset()
    )


def _remove_half_downloads(making: Making) -> None:
    """Remove what our uv left half unpacked; while another uv runs it might be that one's, and it stays."""
    if making.cache_folder is None:
        return
    fresh = half_downloads(making.cache_folder) - set(making.cache_before)
    if fresh and not _is_uv_running():
        for name in fresh:
            _remove_tree(Path(making.cache_folder) / name)


def _is_uv_running() -> bool:
    import psutil  # noqa: PLC0415  # not needed before the first paint (design decision 8)

    return any(process.info["name"] in {"uv", "uv.exe"} for process in psutil.process_iter(["name"]))


def _remove_contents(folder: Path, making: Making) -> list[str]:
    recorded = _recorded_names(folder)
    kept: list[str] = []
    for entry in _entries(folder):
        if making.is_conda:
            is_ours = entry.name in _CONDA_NAMES | _WHOLE | recorded
            kept += _remove_tree(entry) if is_ours else [str(entry)]
        elif entry.name in _PROGRAMS and not entry.is_symlink():
            kept += _remove_where(entry, lambda item: _is_program(item, folder))
        elif entry.name in {"lib", "Lib"} and not entry.is_symlink():
            kept += _remove_library(entry)
        elif entry.name in _WHOLE or entry.name in recorded or _is_venvs_ignore_file(entry):
            kept += _remove_tree(entry)
        else:
            kept.append(str(entry))
    return kept


def _is_venvs_ignore_file(entry: Path) -> bool:
    """Whether it is the file that keeps an environment out of version control, and not the user's own."""
    if entry.name != ".gitignore":
        return False
    try:
        lines = entry.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return {line for line in lines if line.strip() and not line.startswith("#")} == {"*"}


def _remove_library(library: Path) -> list[str]:
    """Remove ``lib/python3.12/site-packages`` or ``Lib/site-packages`` with the folders around them."""
    kept: list[str] = []
    for entry in _entries(library):
        if entry.name == "site-packages":
            kept += _remove_where(entry, _is_package)
        elif _LIBRARY.fullmatch(entry.name) and not entry.is_symlink():
            kept += _remove_library(entry)
        else:
            kept.append(str(entry))
    _remove_if_empty(library)
    return kept


def _remove_where(folder: Path, is_ours: Callable[[Path], bool]) -> list[str]:
    kept: list[str] = []
    for entry in _entries(folder):
        kept += _remove_tree(entry) if is_ours(entry) else [str(entry)]
    _remove_if_empty(folder)
    return kept


def _is_package(entry: Path) -> bool:
    return entry.is_dir() or entry.is_symlink() or entry.suffix in _IMPORTABLE


def _is_program(entry: Path, environment: Path) -> bool:
    """Whether a program is the environment's: by its name, as a link, or because it starts the environment's Python."""
    if _PROGRAM_NAMES.fullmatch(entry.name) or entry.is_symlink() or entry.name == "__pycache__":
        return True
    try:
        with entry.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return False
    return not head or os.fsencode(environment) in head or head.startswith(b"#!python")


def _recorded_names(folder: Path) -> frozenset[str]:
    """Give the names at the top of the environment that packages say they have put there."""
    names: set[str] = set()
    for site in (*folder.glob("lib/python*/site-packages"), *folder.glob("Lib/site-packages")):
        for record in site.glob("*.dist-info/RECORD"):
            with suppress(OSError):
                names.update(_top_names(record.read_text(encoding="utf-8", errors="replace"), site, folder))
    for note in folder.glob("conda-meta/*.json"):
        with suppress(OSError, ValueError, AttributeError):
            listed = json.loads(note.read_text(encoding="utf-8", errors="replace")).get("files", [])
            names.update(str(item).split("/", 1)[0] for item in listed)
    return frozenset(names - {"", ".", ".."})


def _top_names(record: str, site: Path, folder: Path) -> Iterator[str]:
    for line in record.splitlines():
        path = line.rsplit(",", 2)[0].strip('"')
        if path.startswith(".."):
            place = Path(os.path.normpath(site / path))
            if place.is_relative_to(folder) and place != folder:
                yield place.relative_to(folder).parts[0]


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        logger.warning("%s: %s", folder, error)
        return []


def _remove_tree(path: Path) -> list[str]:
    """Remove a file, a link (not what it leads to) or a whole folder; give what could not be."""
    try:
        if path.is_symlink() or not path.is_dir():
            path.unlink(missing_ok=True)
        else:
            shutil.rmtree(path, onerror=_try_writable)
    except OSError as error:
        logger.warning("can't remove %s: %s", path, error)
    return [str(path)] if os.path.lexists(path) else []


def _try_writable(function: Callable[[str], object], path: str, _: object) -> None:
    """Second attempt at what is read-only, or lies in a folder that is."""
    with suppress(OSError):
        for place in (Path(path).parent, Path(path)):
            if not place.is_symlink():
                place.chmod(place.stat().st_mode | stat.S_IRWXU)
        function(path)


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _leave_conda_list(making: Making) -> None:
    """Take the environment out of conda's own list, which would name a folder that is gone."""
    if not making.is_conda or making.conda_list is None or os.path.lexists(making.folder):
        return
    path = Path(making.conda_list)
    with suppress(OSError, UnicodeError):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        left = [line for line in lines if line.strip() != making.folder]
        if left == lines:
            return
        if left:
            path.write_text("".join(left), encoding="utf-8")
        else:
            path.unlink()


def _uninstall_python(making: Making) -> None:
    if making.uv is None or making.python_version is None or making.python_folder is None:
        return
    names = (
        {entry.name for entry in _entries(Path(making.python_folder))} if Path(making.python_folder).is_dir() else set()
    )
    if not names - set(making.python_before) - {".lock", ".temp", ".gitignore"}:
        return
    words = [making.uv, "python", "uninstall", making.python_version]
    try:
        run_command(words, time_limit_s=UNINSTALL_LIMIT_S, environment=user_environment())
    except CommandError as error:
        logger.warning("uv's Python %s stays: %s", making.python_version, error)


def folder_bytes(folder: Path) -> int | None:
    """Give what a folder takes, hard links counted once; None when it can't be read."""
    total, seen = 0, set[tuple[int, int]]()
    try:
        for place, _, files in os.walk(folder):
            for name in files:
                found = (Path(place) / name).lstat()
                if (found.st_dev, found.st_ino) not in seen:
                    seen.add((found.st_dev, found.st_ino))
                    total += found.st_size
    except OSError as error:
        logger.info("%s: %s", folder, error)
        return None
    return total
