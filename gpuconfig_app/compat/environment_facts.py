"""Facts about the Python, the TensorFlow in it, and the libraries it would load."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

from gpuconfig_app.compat.conditions import FactValue
from gpuconfig_app.compat.host_facts import library_folders
from gpuconfig_app.compat.subject import (
    Subject,
    newest_fitting,
    newest_stable,
    platform_of,
    python_series,
)
from gpuconfig_app.compat.target_view import UNKNOWN_BUILD
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import HostInfo, OsFamily
from gpuconfig_app.core.versions import is_at_least, is_below, release_series
from gpuconfig_app.knowledge.tensorflow_releases import TensorflowRelease, is_allowed

# Tools of the and-cuda extra that TensorFlow does not load at start.
_TOOLS = ("nvidia-cuda-cupti", "nvidia-cuda-nvcc", "nvidia-cuda-nvrtc", "nvidia-nvshmem", "tensorrt")

# Packages TensorFlow shares with others and declares bounds for.
SHARED_PACKAGES = ("numpy", "keras", "protobuf")

# Names of the libraries TensorFlow opens, by system and CUDA major version, cuDNN apart.
_SONAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "11": ("libcudart.so.11.0", "libcublas.so.11", "libcufft.so.10", "libcusolver.so.11", "libcusparse.so.11"),
        "12": ("libcudart.so.12", "libcublas.so.12", "libcufft.so.11", "libcusolver.so.11", "libcusparse.so.12"),
    }
)
_DLLS = ("cudart64_110.dll", "cublas64_11.dll", "cufft64_10.dll", "cusolver64_11.dll", "cusparse64_11.dll")
_CUDNN_FILE = re.compile(r"libcudnn\.so\.(\d+\.\d+(?:\.\d+)*)$")
_BROKEN_PATH_VERSIONS = frozenset({"2.16.0rc0", "2.16.1"})


@dataclass(frozen=True, kw_only=True)
class CudaLibraries:
    """Where the CUDA libraries come from.

    Attributes:
        source: ``pip``, ``system``, ``partial``, ``none`` or ``unknown``.
        missing: Packages or files that are not there.
    """

    source: str
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CudnnFound:
    """The cuDNN that would be loaded.

    Attributes:
        version: None when it cannot be told.
        path: File that is found first on ``LD_LIBRARY_PATH``, None when it is the environment's own.
        own_version: What the environment holds itself, None when nothing.
    """

    version: str | None = None
    path: str | None = None
    own_version: str | None = None


def environment_facts(subject: Subject) -> dict[str, FactValue]:
    """Give the facts about Python and TensorFlow."""
    environment = subject.environment
    release = subject.release
    series = python_series(environment)
    return {
        "env.exists": None if environment is None and subject.report.is_cards_alone else environment is not None,
        "env.python": _python_to_type(environment),
        "env.prefix": environment.prefix if environment else None,
        "env.kind": environment.kind.value if environment else None,
        "env.is_unseen_image": subject.is_installed and subject.tensorflow == UNKNOWN_BUILD,
        "env.has_problem": environment is not None and environment.problem is not None,
        "env.python_version": _python_name(environment),
        "env.python_series": series,
        "env.python_fits": _python_fits(release, environment, series),
        "tf.is_installed": subject.is_installed,
        "tf.is_missing": environment is not None and not subject.is_installed and not subject.is_forced_fresh,
        "tf.version": subject.tensorflow,
        "tf.series": release_series(subject.tensorflow) if subject.tensorflow else None,
        "tf.package": subject.package,
        "tf.is_stock": subject.is_stock,
        "tf.is_rocm": subject.package == "tensorflow-rocm",
        "tf.is_cpu_package": subject.is_cpu_package,
        "tf.is_ambiguous": len(subject.rival_packages) > 1,
        "tf.packages_named": ", ".join(subject.rival_packages) or None,
        "tf.is_listed": release is not None,
        "tf.patch_is_listed": subject.tensorflow in release.versions if release and subject.is_installed else None,
        "tf.newest_listed": release.newest if release else None,
        "tf.lacks_build": subject.missing_build is not None,
        "tf.build_package": subject.missing_build,
        **_release_facts(release, subject),
        **_choice_facts(subject, series),
        **_package_facts(subject),
        **_library_facts(subject),
    }


def _release_facts(release: TensorflowRelease | None, subject: Subject) -> dict[str, FactValue]:
    glibc = subject.report.host.os.glibc_version
    return {
        "tf.is_cuda_build": release.is_cuda_build if release else None,
        "tf.is_preview": release.is_preview if release else None,
        "tf.pip_package": release.package if release else None,
        "tf.has_and_cuda": release.has_and_cuda if release else None,
        "tf.cuda": (release.cuda or release.cuda_major) if release else None,
        "tf.cuda_major": release.cuda_major if release else None,
        "tf.cudnn_min": release.cudnn_min if release else None,
        "tf.cudnn_below": release.cudnn_below if release else None,
        "tf.python_range": f"{release.python[0]}–{release.python[-1]}" if release else None,
        "tf.glibc": release.glibc if release else None,
        "tf.glibc_fits": is_at_least(glibc, release.glibc) if release and release.glibc else None,
        "tf.needs_avx": release.needs_avx if release else None,
        "tf.capabilities": ", ".join(release.sass) if release and release.sass else None,
        "tf.ptx": _ptx_text(release) if release else None,
    }


def _ptx_text(release: TensorflowRelease) -> str | None:
    targets = [item.target for item in (release.ptx_compiler, release.ptx_mlir) if item is not None]
    return ", ".join(dict.fromkeys(targets)) or None


def _choice_facts(subject: Subject, series: str | None) -> dict[str, FactValue]:
    os = subject.report.host.os
    platform = platform_of(os)
    newest = newest_stable(platform)
    fitting = newest_fitting(platform, series, os.glibc_version)
    any_python = newest_fitting(platform, None, os.glibc_version)
    is_held_back = bool(newest and newest.glibc and is_below(os.glibc_version, newest.glibc))
    return {
        "choice.newest": newest.newest if newest else None,
        "choice.fitting": fitting.newest if fitting else None,
        "choice.with_new_python": any_python.newest if any_python else None,
        "choice.new_python": _usual_python(any_python) if any_python else None,
        "choice.newest_glibc": newest.glibc if newest else None,
        "choice.is_held_back_by_glibc": is_held_back,
        "platform.has_releases": newest is not None if platform else None,
    }


def _usual_python(release: TensorflowRelease) -> str:
    """Give the newest Python of a release but one: every library already has wheels for it."""
    return release.python[-2] if len(release.python) > 1 else release.python[-1]


def _package_facts(subject: Subject) -> dict[str, FactValue]:
    """Give versions and fitness of the packages TensorFlow shares with others."""
    packages = subject.environment.packages if subject.environment and subject.is_installed else {}
    release = subject.release
    facts: dict[str, FactValue] = {}
    for name in SHARED_PACKAGES:
        version = packages.get(name)
        bounds = getattr(release, name) if release else None
        facts[f"{name}.version"] = version
        facts[f"{name}.bounds"] = bounds
        facts[f"{name}.requirement"] = f"{name}{bounds}" if bounds else None
        facts[f"{name}.fits"] = is_allowed(version, bounds) if version else None
    facts["tf_keras.version"] = packages.get("tf-keras")
    misfits = tuple(f"{name} {packages[name]}" for name in SHARED_PACKAGES if facts[f"{name}.fits"] is False)
    missing = _missing_packages(subject)
    facts["packages.missing_names"] = ", ".join(missing) or None
    facts["packages.are_missing"] = bool(missing)
    facts["packages.misfits"] = misfits
    facts["packages.fit"] = not misfits and not missing
    facts["packages.are_doubtful"] = bool(misfits) and not _is_known_conflict(subject.tensorflow, packages)
    return facts


def _python_to_type(environment: PythonEnvironment | None) -> str | None:
    """Give the interpreter as it is typed where the environment is, also inside a target."""
    if environment is None:
        return None
    return (environment.target.python if environment.target is not None else environment.executable) or None


def _python_name(environment: PythonEnvironment | None) -> str | None:
    """Give ``3.12.8``, with the interpreter's name before it when it is not the usual one."""
    if environment is None or environment.python_version is None or is_plain_python(environment):
        return environment.python_version if environment else None
    return f"{environment.implementation} {environment.python_version}"


def _python_fits(
    release: TensorflowRelease | None, environment: PythonEnvironment | None, series: str | None
) -> bool | None:
    """Whether the release has a wheel for this Python; there are none for other interpreters than CPython."""
    if environment is not None and not is_plain_python(environment):
        return False
    return (series in release.python) if release and series else None


def is_plain_python(environment: PythonEnvironment) -> bool:
    """Whether it is the usual build of CPython, the only one TensorFlow has wheels for."""
    return environment.implementation in {None, "CPython"}


def _missing_packages(subject: Subject) -> tuple[str, ...]:
    """Give the shared packages that the installed release declares but the environment lacks."""
    release = subject.release
    if not subject.is_installed or subject.environment is None or release is None:
        return ()
    packages = subject.environment.packages
    return tuple(name for name in SHARED_PACKAGES if getattr(release, name) is not None and name not in packages)


def _is_known_conflict(tensorflow: str | None, packages: Mapping[str, str]) -> bool:
    """Whether a rule of its own speaks of these packages."""
    conflicts = (("numpy", "2", "2.18"), ("protobuf", "6", "2.20"), ("protobuf", "4", "2.12"), ("keras", "3", "2.16"))
    too_new = any(
        is_at_least(packages.get(name), first) and is_below(tensorflow, fixed) for name, first, fixed in conflicts
    )
    return too_new or bool(is_below(packages.get("keras"), "3") and is_at_least(tensorflow, "2.16"))


def _library_facts(subject: Subject) -> dict[str, FactValue]:
    libraries = cuda_libraries(subject)
    cudnn = found_cudnn(subject, libraries)
    release = subject.release
    packages = subject.environment.packages if subject.environment and subject.is_installed else {}
    least = release.cudnn_min if release else None
    below = release.cudnn_below if release else None
    is_old = is_below(cudnn.version, least) if least else None
    is_new = is_at_least(cudnn.version, below) if below else None
    wanted = release.and_cuda if release else {}
    nvcc = [name for name in wanted if name.startswith("nvidia-cuda-nvcc")]
    package = next((name for name in wanted if name.startswith("nvidia-cudnn")), None)
    return {
        "libs.source": libraries.source,
        "libs.missing": libraries.missing,
        "libs.missing_names": ", ".join(libraries.missing) or None,
        "libs.are_reachable": _are_reachable(subject, libraries),
        "libs.has_nvcc": nvcc[0] in packages if nvcc and subject.is_installed and libraries.source == "pip" else None,
        "libs.nvcc_package": nvcc[0] if nvcc else None,
        "libs.nvcc_requirement": f"{nvcc[0]}{wanted[nvcc[0]]}" if nvcc else None,
        "libs.folders": _joined(subject.environment.nvidia_library_folders) if subject.environment else None,
        "cudnn.version": cudnn.version,
        "cudnn.own_version": cudnn.own_version,
        "cudnn.path": cudnn.path,
        "cudnn.folder": str(PurePosixPath(cudnn.path).parent) if cudnn.path else None,
        "cudnn.is_shadowed": cudnn.path is not None and cudnn.own_version is not None,
        "cudnn.is_too_old": is_old,
        "cudnn.is_too_new": is_new,
        "cudnn.package": package,
        "cudnn.requirement": f"{package}{wanted[package]}" if package else None,
    }


def _joined(folders: Sequence[str]) -> str | None:
    return ":".join(folders) or None


def cuda_libraries(subject: Subject) -> CudaLibraries:
    """Tell where the CUDA libraries of the release would come from."""
    release = subject.release
    if release is None or release.cuda_major is None:
        return CudaLibraries(source="unknown")
    if not subject.is_installed and release.has_and_cuda:
        return CudaLibraries(source="pip")
    packages = subject.environment.packages if subject.environment else {}
    needed = sorted(name for name in release.and_cuda if not name.startswith(_TOOLS))
    missing = tuple(name for name in needed if name not in packages)
    if needed and not missing:
        return CudaLibraries(source="pip")
    system = _system_libraries(subject.report.host, release, packages)
    if system.source != "none":
        return system
    if len(missing) < len(needed):
        return CudaLibraries(source="partial", missing=missing)
    return CudaLibraries(source="none", missing=missing)


def library_files(cuda_major: str, cudnn_major: str, *, is_windows: bool = False) -> tuple[str, ...]:
    """Give the files TensorFlow opens for a CUDA major version, cuDNN last; only cuDNN for an unknown one."""
    if is_windows:
        return (*_DLLS, f"cudnn64_{cudnn_major}.dll") if cuda_major == "11" else (f"cudnn64_{cudnn_major}.dll",)
    return (*_SONAMES.get(cuda_major, ()), f"libcudnn.so.{cudnn_major}")


def _cudnn_major(release: TensorflowRelease) -> str:
    """Give the major version of cuDNN a release opens: the one before the first that no longer fits."""
    return str(int((release.cudnn_below or "1").split(".", 1)[0]) - 1)


def _system_libraries(host: HostInfo, release: TensorflowRelease, packages: Mapping[str, str]) -> CudaLibraries:
    """Look for CUDA outside the environment; Windows and conda keep it where it was not looked for."""
    if "cudatoolkit" in packages or "cuda-cudart" in packages:
        return CudaLibraries(source="unknown")
    is_windows = host.os.family is OsFamily.WINDOWS
    if is_windows and not host.libraries.libraries:
        return CudaLibraries(source="unknown")
    names = library_files(release.cuda_major or "", _cudnn_major(release), is_windows=is_windows)
    missing = tuple(name for name in names if name not in host.libraries.libraries)
    if not missing:
        return CudaLibraries(source="system")
    source = "partial" if names[0] in host.libraries.libraries else "none"
    return CudaLibraries(source=source, missing=missing)


def found_cudnn(subject: Subject, libraries: CudaLibraries) -> CudnnFound:
    """Tell which cuDNN would be loaded: one on ``LD_LIBRARY_PATH`` comes before the environment's own."""
    release = subject.release
    if release is None or release.cudnn_below is None:
        return CudnnFound()
    host = subject.report.host
    is_windows = host.os.family is OsFamily.WINDOWS
    path = host.libraries.libraries.get(library_files("", _cudnn_major(release), is_windows=is_windows)[-1])
    own = _own_cudnn(subject, release)
    is_first = path is not None and str(PurePosixPath(path).parent) in library_folders(host)
    if path is not None and (is_first or own is None):
        return CudnnFound(version=_version_in(path), path=path, own_version=own)
    return CudnnFound(version=own if libraries.source in {"pip", "partial"} else None, own_version=own)


def _own_cudnn(subject: Subject, release: TensorflowRelease) -> str | None:
    if not subject.is_installed:
        return release.cudnn_resolved
    packages = subject.environment.packages if subject.environment else {}
    return packages.get(f"nvidia-cudnn-cu{release.cuda_major}")


def _version_in(path: str) -> str | None:
    found = _CUDNN_FILE.search(path)
    return found.group(1) if found else None


def _are_reachable(subject: Subject, libraries: CudaLibraries) -> bool | None:
    """Tell whether the loader finds the wheels' libraries; one release needs ``LD_LIBRARY_PATH`` for that."""
    if libraries.source != "pip":
        return None
    if subject.tensorflow not in _BROKEN_PATH_VERSIONS:
        return True
    folders = subject.environment.nvidia_library_folders if subject.environment else ()
    on_path = library_folders(subject.report.host)
    return bool(folders) and all(str(PurePosixPath(folder)) in on_path for folder in folders)
