"""Write a bundle to a folder and read back what it was made of."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath, PureWindowsPath

from gpuconfig_app.core.bundle import BundleFile, BundleRecipe, ScriptBundle
from gpuconfig_app.core.codec import load_document
from gpuconfig_app.core.errors import GpuConfigError, StorageError, UnusableFileError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import is_file, is_folder, is_there
from gpuconfig_app.scriptgen.generate import RECIPE_FILE, RECIPE_KIND
from gpuconfig_app.storage.places import read_text, write_text

SHOWN_FILES = 5
FILE_MODE = 0o644
PROGRAM_MODE = 0o755


def write_bundle(bundle: ScriptBundle, folder: Path, overwrite: bool = False) -> tuple[Path, ...]:
    """Write all files; ``plan.json`` comes last, so that a half-written folder is no bundle.

    Args:
        folder: Made when it is not there; other files in it stay.
        overwrite: Replace files of the same names. Anything but a plain file is never replaced.

    Returns:
        What was written, in order.

    Raises:
        StorageError: Files are there already, a name leads out of the folder, or the disk refuses.
    """
    ordered = sorted(bundle.files, key=lambda file: file.name == RECIPE_FILE)
    paths = [_path_inside(folder, file) for file in ordered]
    if is_there(folder) and not is_folder(folder):
        raise StorageError(Message("scriptgen.not-a-folder", {"path": str(folder)}))
    present = [path for path in paths if os.path.lexists(path)]
    odd = [path for path in present if path.is_symlink() or not is_file(path)]
    if present and (odd or not overwrite):
        shown = ", ".join(path.name for path in (odd or present)[:SHOWN_FILES])
        name = "scriptgen.not-plain-files" if odd else "scriptgen.files-exist"
        raise StorageError(
            Message(name, {"folder": str(folder), "files": shown}), Message("scriptgen.files-exist-hint")
        )
    recipe = folder / RECIPE_FILE
    if present and recipe in present:
        recipe.unlink()
    for path, file in zip(paths, ordered, strict=True):
        write_text(path, file.content, mode=PROGRAM_MODE if file.is_executable else FILE_MODE)
    return tuple(paths)


def open_bundle(folder: Path) -> BundleRecipe:
    """Read what a bundle was made of.

    Raises:
        UnusableFileError: The folder is no bundle, or its ``plan.json`` can't be used.
    """
    path = folder / RECIPE_FILE if is_folder(folder) else folder
    if not is_file(path):
        raise UnusableFileError(Message("scriptgen.no-bundle", {"path": str(folder), "file": RECIPE_FILE}))
    try:
        return load_document(RECIPE_KIND, read_text(path))
    except GpuConfigError as error:
        raise UnusableFileError(Message("scriptgen.broken-bundle", {"path": str(path)}), error.message) from error


def _path_inside(folder: Path, file: BundleFile) -> Path:
    """Give a file's place, refusing names that are absolute, lead upwards or hold another system's separators."""
    posix, windows = PurePosixPath(file.name), PureWindowsPath(file.name)
    is_odd = posix.is_absolute() or windows.drive or windows.root or ".." in posix.parts or "\\" in file.name
    if not file.name or is_odd or posix.name != file.name.rsplit("/", 1)[-1]:
        raise StorageError(Message("scriptgen.name-leads-out", {"name": file.name}))
    return folder.joinpath(*posix.parts)
