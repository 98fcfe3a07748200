"""Facts about what hides what: packages of the user's folder and of ``PYTHONPATH``, libraries on the loader path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from gpuconfig_app.compat.conditions import FactValue
from gpuconfig_app.compat.host_facts import library_folders
from gpuconfig_app.compat.subject import Subject
from gpuconfig_app.core.python_environment import TENSORFLOW_PACKAGES, EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.versions import is_below

# Packages whose place decides what TensorFlow does.
_TELLING = (*TENSORFLOW_PACKAGES, "numpy", "protobuf", "keras", "tf-keras")
_PINNED = ("numpy", "protobuf", "keras")
# Their files carry the CUDA version they are part of: libcudart.so.12.2.140.
_CUDA_FILES = ("libcudart.so.{major}", "libcudart.so.{major}.0", "libcublas.so.{major}")
_FILE_VERSION = re.compile(r"\.so\.(\d{1,2}\.\d{1,2})\.\d")
_CONDA_CUDA = ("cudatoolkit", "cudnn", "libcudnn", "cuda-cudart")


def shadow_facts(subject: Subject) -> dict[str, FactValue]:
    """Give what hides what for the judged Python."""
    environment = subject.environment if subject.is_installed else None
    if environment is None:
        return {**_no_shadows(), **_library_shadow(subject)}
    user = {name: version for name, version in environment.user_site_packages.items() if _is_telling(name)}
    path = {name: version for name, version in environment.path_packages.items() if _is_telling(name)}
    hidden = {name: version for name, version in environment.hidden_packages.items() if _is_telling(name)}
    return {
        "user_site.names": _listed(user),
        "user_site.hides": any(name in hidden for name in user if name not in path),
        "path.names": _listed(path),
        "path.hides": any(path.get(name) for name in hidden),
        "path.is_unclear": any(not version for version in path.values()),
        "hidden.names": _listed(hidden),
        "pins.unmet": ", ".join(environment.unmet_pins) or None,
        "pins.are_unmet": bool(environment.unmet_pins),
        **{f"pins.{name}": ", ".join(environment.pins.get(name, ())) or None for name in _PINNED},
        "pins.cudnn": _cudnn_pins(environment),
        "conda.brings_cuda_too": _conda_brings_cuda_too(environment),
        **_library_shadow(subject),
    }


def _no_shadows() -> dict[str, FactValue]:
    return {
        "user_site.names": None,
        "user_site.hides": False,
        "path.names": None,
        "path.hides": False,
        "path.is_unclear": False,
        "hidden.names": None,
        "pins.unmet": None,
        "pins.are_unmet": False,
        **{f"pins.{name}": None for name in (*_PINNED, "cudnn")},
        "conda.brings_cuda_too": False,
    }


def _library_shadow(subject: Subject) -> dict[str, FactValue]:
    """Tell of CUDA libraries outside the environment; on ``LD_LIBRARY_PATH`` they come before those of the wheels."""
    facts: dict[str, FactValue] = {"shadow.folder": None, "shadow.cuda": None, "shadow.is_older": None}
    facts |= {"system.cuda": None, "system.cuda_is_older": None}
    release = subject.release
    if release is None or release.cuda_major is None:
        return facts
    host = subject.report.host
    files = (name.format(major=release.cuda_major) for name in _CUDA_FILES)
    paths = [path for file in files if (path := host.libraries.libraries.get(file))]
    built = ".".join(release.cuda.split(".")[:2]) if release.cuda else None
    if paths:
        version = _cuda_of(paths[0])
        facts |= {"system.cuda": version, "system.cuda_is_older": is_below(version, built) if built else None}
    folders = library_folders(host)
    first = next((path for path in paths if str(PurePosixPath(path).parent) in folders), None)
    if first is not None and release.has_and_cuda:
        version = _cuda_of(first)
        facts |= {"shadow.folder": str(PurePosixPath(first).parent), "shadow.cuda": version}
        facts["shadow.is_older"] = is_below(version, built) if built else None
    return facts


def _cuda_of(path: str) -> str | None:
    found = _FILE_VERSION.search(path)
    return found.group(1) if found else None


def _conda_brings_cuda_too(environment: PythonEnvironment) -> bool:
    """Whether conda's CUDA lies beside that of the wheels: which one is loaded then depends on the loader path."""
    if environment.kind is not EnvironmentKind.CONDA:
        return False
    has_wheels = any(name.startswith("nvidia-") for name in environment.packages)
    return has_wheels and any(name in environment.packages for name in _CONDA_CUDA)


def _cudnn_pins(environment: PythonEnvironment) -> str | None:
    """Tell who asks for which cuDNN; torch names one exactly."""
    pins = (pin for name, asked in environment.pins.items() if name.startswith("nvidia-cudnn-") for pin in asked)
    return ", ".join(pins) or None


def _is_telling(name: str) -> bool:
    return name in _TELLING or name.startswith("nvidia-")


def _listed(packages: Mapping[str, str]) -> str | None:
    return ", ".join(f"{name} {version}".strip() for name, version in packages.items()) or None
