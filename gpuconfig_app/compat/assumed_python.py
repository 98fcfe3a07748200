"""A Python with assumed packages, and the CUDA libraries that are assumed beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from gpuconfig_app.compat.environment_facts import SHARED_PACKAGES, library_files
from gpuconfig_app.compat.subject import build_package
from gpuconfig_app.core.python_environment import TENSORFLOW_PACKAGES, EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.system import HostInfo, OsFamily
from gpuconfig_app.core.versions import release_series
from gpuconfig_app.knowledge.tensorflow_releases import TensorflowRelease, find_release, is_allowed

_FOLDER = "~/assumed"
_SYSTEM_FOLDER = "/usr/local/cuda/lib64"


def assumed_environment(
    base: PythonEnvironment | None, said: Mapping[str, str], platform: str | None
) -> PythonEnvironment:
    """Make the assumed Python.

    Args:
        base: What would be judged without assumptions; its packages stay where nothing else was said.
        said: Assumptions by key.
        platform: Word of the release table.
    """
    version = _release_version(said.get("tensorflow"), platform) or (base.tensorflow_version if base else None)
    if said.get("tensorflow") == "none":
        version = None
    release = find_release(version, platform) if version and platform else None
    python = said.get("python") or (base.python_version if base else None) or _usual_python(release)
    packages = _packages(base, said, release, version, platform)
    if base is None and not _can_be_installed(version, python, packages):
        packages = {}  # judged as a fresh installation, which tells why it fails
    folder = base.prefix if base else _FOLDER
    return PythonEnvironment(
        executable=base.executable if base else f"{folder}/bin/python",
        prefix=folder,
        kind=base.kind if base else EnvironmentKind.VENV,
        name=base.name if base else "assumed",
        python_version=python,
        implementation="CPython",
        packages=packages,
        is_current=True,
        nvidia_library_folders=base.nvidia_library_folders if base else (),
    )


def with_cuda_libraries(
    host: HostInfo, python: PythonEnvironment, said: Mapping[str, str], platform: str | None
) -> HostInfo:
    """Give the machine the assumed system libraries: all of them, or none."""
    source = said.get("cuda_libs")
    version = python.tensorflow_version
    release = find_release(version, platform) if version and platform else None
    if source is None and not (release and release.is_cuda_build and not release.has_and_cuda and said.get("cuda")):
        return host
    if source in {"pip", "none"} or release is None or release.cuda_major is None:
        return replace(host, libraries=replace(host.libraries, libraries={}))
    major = (said.get("cuda") or release.cuda_major).split(".", 1)[0]
    cudnn = said.get("cudnn") or release.cudnn_min or ""
    is_windows = host.os.family is OsFamily.WINDOWS
    *names, file = library_files(major, cudnn.split(".", 1)[0], is_windows=is_windows)
    libraries = {name: f"{_SYSTEM_FOLDER}/{name}" for name in names}
    libraries[file] = f"{_SYSTEM_FOLDER}/libcudnn.so.{cudnn}"
    if names and not is_windows and "." in said.get("cuda", ""):
        libraries[names[0]] = f"{_SYSTEM_FOLDER}/libcudart.so.{said['cuda']}.0"
    return replace(host, libraries=replace(host.libraries, libraries=libraries))


def _packages(
    base: PythonEnvironment | None,
    said: Mapping[str, str],
    release: TensorflowRelease | None,
    version: str | None,
    platform: str | None,
) -> dict[str, str]:
    old = dict(base.packages) if base else {}
    is_changed = version != (base.tensorflow_version if base else None)
    if is_changed or said.get("cuda_libs"):
        old = {name: item for name, item in old.items() if not name.startswith("nvidia-")}
    if is_changed:
        for name in (*TENSORFLOW_PACKAGES, "numpy", "keras", "protobuf", "tf-keras"):
            old.pop(name, None)
    if version is not None and is_changed:
        package = "tf-nightly" if ".dev" in version else "tensorflow"
        old |= _shared_packages(release) | {package: version} | _build_package(version, platform)
    if release is not None and release.has_and_cuda and _brings_libraries(said, is_changed=is_changed, base=base):
        old |= {name: _pinned(bounds) for name, bounds in release.and_cuda.items()}
        package = f"nvidia-cudnn-cu{release.cuda_major}"
        old[package] = _named_cudnn(said, release) or old[package]
    elif said.get("cudnn") and said.get("cuda_libs") is None and release is not None:
        old[f"nvidia-cudnn-cu{release.cuda_major}"] = _named_cudnn(said, release) or said["cudnn"]
    if said.get("numpy"):
        old["numpy"] = said["numpy"]
    return dict(sorted(old.items()))


def _build_package(version: str, platform: str | None) -> dict[str, str]:
    """Give the package with the real files that pip brings along where ``tensorflow`` is only a name."""
    build = build_package(version, platform)
    return {build: version} if build is not None else {}


def _named_cudnn(said: Mapping[str, str], release: TensorflowRelease) -> str | None:
    """Give the assumed cuDNN; a major number alone means what pip brings of it."""
    wanted, resolved = said.get("cudnn"), release.cudnn_resolved
    if wanted is None or (resolved is not None and wanted == resolved.split(".", 1)[0]):
        return resolved
    return wanted


def _brings_libraries(said: Mapping[str, str], *, is_changed: bool, base: PythonEnvironment | None) -> bool:
    """Whether pip is assumed to bring CUDA: when said, and else for a TensorFlow that is assumed anew."""
    source = said.get("cuda_libs")
    if source is not None:
        return source == "pip"
    return is_changed and (base is None or bool(said.get("tensorflow")))


def _can_be_installed(version: str | None, python: str | None, packages: Mapping[str, str]) -> bool:
    """Whether pip could have brought these packages; the CUDA extra of two releases it cannot install."""
    if version is None or not any(name.startswith("nvidia-") for name in packages):
        return True
    is_too_new_python = release_series(version) == "2.14" and release_series(python or "") == "3.11"
    return version != "2.15.0" and not is_too_new_python


def _shared_packages(release: TensorflowRelease | None) -> dict[str, str]:
    """Give the packages that come along with a release, in versions it declares to work with."""
    declared = {name: getattr(release, name) for name in SHARED_PACKAGES} if release else {}
    return {name: _pinned(bounds) for name, bounds in declared.items() if bounds}


def _pinned(bounds: str) -> str:
    """Give a version within declared bounds: the exact or the least one."""
    found = re.search(r"(?:==|>=)\s*([\d.]+)", bounds)
    version = found.group(1) if found else "0"
    return version if is_allowed(version, bounds) else "0"


def _release_version(text: str | None, platform: str | None) -> str | None:
    """Turn an assumed series into its newest patch."""
    if text is None or text == "none":
        return None
    release = find_release(text, platform) if platform and text.count(".") == 1 else None
    return release.newest if release else text


def _usual_python(release: TensorflowRelease | None) -> str | None:
    if release is None:
        return None
    return f"{release.python[-2] if len(release.python) > 1 else release.python[-1]}.0"
