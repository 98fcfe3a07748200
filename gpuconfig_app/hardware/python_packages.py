"""Which packages an environment holds, by the names of their metadata folders; nothing is imported or started."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from gpuconfig_app.hardware.small_files import read_small

# What decides whether TensorFlow installs, imports and uses the GPU, and what the generated scripts import. torch and
# jax are among them because they bring CUDA wheels of their own into the same folder.
_PREFIXES = (
    "tensorflow", "tf-", "keras", "nvidia-", "tensorrt", "jax", "intel-extension-for-tensorflow", "npu-", "torch",
    "cuda-",
)  # fmt: skip
_NAMES = frozenset({
    "numpy", "protobuf", "h5py", "ml-dtypes", "tensorboard", "pandas", "pyarrow", "pillow", "scikit-learn",
    "setuptools", "cudatoolkit", "cudnn", "nccl", "libcudnn",
})  # fmt: skip
_METADATA_FOLDER = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9._]*)(?:-(?P<version>\d[^-]*))?(?:-py\d[\d.]*)?\.(?:dist|egg)-info"
)
_CONDA_FILE = re.compile(r"(?P<name>.+)-(?P<version>[^-]+)-(?P<build>[^-]+)\.json")
_FIELD = re.compile(r"^(Name|Version): (.+)$", re.MULTILINE)
_ENTRY_LIMIT = 20_000
# Modules that would be imported in place of the installed package.
_MODULES = {"tensorflow": "tensorflow", "numpy": "numpy", "keras": "keras"}


def normal_name(name: str) -> str:
    """Give a package's name as PEP 503 normalises it: ``nvidia_cudnn_cu12`` -> ``nvidia-cudnn-cu12``."""
    return re.sub(r"[-_.]+", "-", name).lower()


def is_relevant(name: str) -> bool:
    """Tell whether a package (normalised name) matters for TensorFlow."""
    return name in _NAMES or name.startswith(_PREFIXES)


def read_packages(site_folders: Iterable[Path]) -> dict[str, str]:
    """Give the versions of the packages that matter, by normalised name.

    Args:
        site_folders: In the order of ``sys.path``: the first that holds a package wins.
    """
    found: dict[str, str] = {}
    for folder in site_folders:
        for entry in _entries(folder):
            if entry.endswith((".dist-info", ".egg-info")):
                name, version = _parse(folder, entry)
                if name and version and is_relevant(name):
                    found.setdefault(name, version)
    return dict(sorted(found.items()))


def read_path_packages(folders: Iterable[Path]) -> dict[str, str]:
    """Give what folders of ``PYTHONPATH`` hold, by normalised name; an empty version where a module tells none.

    Args:
        folders: In their order: the first that holds a package wins.
    """
    found: dict[str, str] = {}
    for folder in folders:
        names = set(_entries(folder))
        found = read_packages([folder]) | found
        for module, package in _MODULES.items():
            if package not in found and names & {module, f"{module}.py"}:
                found[package] = ""
    return found


def read_conda_packages(prefix: Path) -> dict[str, tuple[str, str]]:
    """Give version and build of what conda installed, by normalised name, out of the file names in ``conda-meta``."""
    found: dict[str, tuple[str, str]] = {}
    for entry in _entries(prefix / "conda-meta"):
        parts = _CONDA_FILE.fullmatch(entry)
        if parts is not None:
            found[normal_name(parts["name"])] = (parts["version"], parts["build"])
    return found


def nvidia_library_folders(site_folders: Iterable[Path]) -> tuple[Path, ...]:
    """Give the folders of CUDA libraries that wheels put below ``nvidia/``; on Windows they are called ``bin``."""
    bases = [folder / "nvidia" for folder in site_folders]
    folders = (base / entry / name for base in bases for entry in _entries(base) for name in ("lib", "bin"))
    return tuple(sorted(folder for folder in folders if any(_is_library(file) for file in _entries(folder))))


def _is_library(name: str) -> bool:
    return ".so" in name or name.lower().endswith(".dll")


def _parse(folder: Path, entry: str) -> tuple[str | None, str | None]:
    """Read name and version from a metadata folder's name, from the file in it only when the name has no version."""
    parts = _METADATA_FOLDER.fullmatch(entry)
    if parts is None:
        return None, None
    name = normal_name(parts["name"])
    if parts["version"] or not is_relevant(name):
        return name, parts["version"]
    for file in ("METADATA", "PKG-INFO"):
        head = (read_small(folder / entry / file) or "").split("\n\n", 1)[0]
        fields = dict(_FIELD.findall(head))
        if "Version" in fields:
            return name, fields["Version"].strip()
    return name, None


def _entries(folder: Path) -> Iterator[str]:
    try:
        with os.scandir(folder) as listing:
            for number, entry in enumerate(listing):
                if number >= _ENTRY_LIMIT:
                    return
                yield entry.name
    except (OSError, ValueError):
        return
