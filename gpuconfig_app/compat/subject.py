"""What is judged: one release of TensorFlow, in one Python, on chosen cards of one machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import OsFamily, OsInfo, SystemReport
from gpuconfig_app.core.versions import is_at_least, is_below, release_series
from gpuconfig_app.knowledge.tensorflow_releases import TensorflowRelease, find_release, releases_for

_ARCHITECTURES: Mapping[str, str] = MappingProxyType(
    {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
)
_STOCK_PACKAGES = frozenset({"tensorflow", "tensorflow-gpu"})
_CPU_PACKAGES = frozenset({"tensorflow-cpu", "tensorflow-intel", "tensorflow-cpu-aws", "tf-nightly-cpu"})
# Each of these puts its own files into the folder "tensorflow". Not among them: what tensorflow itself brings along on
# some platforms (tensorflow-intel, tensorflow-cpu-aws), and tensorflow-gpu, which was the same wheel.
_RIVALS = ("tensorflow", "tensorflow-cpu", "tensorflow-rocm", "tf-nightly", "tf-nightly-cpu")
_NIGHTLY = "tf-nightly"
# First word of conda's builds without CUDA: conda-forge says cpu, the default channel eigen or mkl.
_CPU_BUILDS = ("cpu", "eigen", "mkl")
# Where the package "tensorflow" holds no files of its own: platform, package that does, first release, first without.
_STUBS = (
    ("windows-x86_64", "tensorflow-intel", "2.11", "2.18.1"),
    ("linux-aarch64", "tensorflow-cpu-aws", "2.10", "2.16"),
)


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is judged.

    Attributes:
        environment: None when there is no Python to judge.
        tensorflow: Version judged, None when none fits this platform at all.
        release: Its row in the table, None when the table does not hold it.
        package: Package that provides TensorFlow in the environment, None when there is none.
        is_installed: The judged release is what the environment holds; else a fresh installation is judged.
        devices: Chosen cards, None for all.
    """

    report: SystemReport
    environment: PythonEnvironment | None
    tensorflow: str | None
    release: TensorflowRelease | None
    package: str | None
    is_installed: bool
    devices: tuple[int, ...] | None = None
    is_forced_fresh: bool = False

    @property
    def is_stock(self) -> bool:
        """Whether the package is the one of the package index, so that the table speaks of it."""
        if not self.is_installed:
            return True
        packages = self.environment.packages if self.environment else {}
        if self.package == _NIGHTLY:  # one the table holds is judged by it
            return self.release is not None and self.tensorflow in self.release.versions
        is_own_build = "+" in (self.tensorflow or "") or "tensorflow-base" in packages
        return self.package in _STOCK_PACKAGES and not is_own_build

    @property
    def rival_packages(self) -> tuple[str, ...]:
        """The installed packages that each bring a TensorFlow; more than one overwrite each other's files."""
        if not self.is_installed or self.environment is None:
            return ()
        return tuple(name for name in _RIVALS if name in self.environment.packages)

    @property
    def missing_build(self) -> str | None:
        """The package with the real files where ``tensorflow`` is only a name for it and that is not there."""
        if not self.is_installed or self.package != "tensorflow" or self.environment is None or not self.tensorflow:
            return None
        build = build_package(self.tensorflow, platform_of(self.report.host.os))
        return build if build not in self.environment.packages else None

    @property
    def is_cpu_package(self) -> bool:
        """Whether the installed package never has GPU support: by its name, or by the name of conda's build."""
        return self.is_installed and (self.package in _CPU_PACKAGES or self.is_conda_cpu_build)

    @property
    def is_conda_cpu_build(self) -> bool:
        """Whether conda installed a build for the processor: its build's name says so."""
        builds = self.environment.extra.get("conda_builds") if self.environment is not None else None
        if not self.is_installed or not isinstance(builds, dict):
            return False
        names = [str(builds[name]) for name in ("tensorflow-base", "tensorflow") if name in builds]
        return bool(names) and names[0].startswith(_CPU_BUILDS)


def architecture_of(os: OsInfo) -> str | None:
    """Give ``x86_64`` or ``aarch64``, whatever the system calls it; other names as they are, None when unknown."""
    if os.architecture is None:
        return None
    return _ARCHITECTURES.get(os.architecture.lower(), os.architecture.lower())


def platform_of(os: OsInfo) -> str | None:
    """Give the platform word of the release table, ``linux-x86_64``; None when the system is not known."""
    architecture = architecture_of(os)
    if os.family is OsFamily.OTHER or architecture is None:
        return None
    if os.family is OsFamily.MACOS and architecture == "aarch64":
        architecture = "arm64"
    return f"{os.family.value}-{architecture}"


def build_package(tensorflow: str, platform: str | None) -> str | None:
    """Give the package that holds the files of a release where ``tensorflow`` is only a name, None elsewhere."""
    for stub_platform, build, first, below in _STUBS:
        if platform == stub_platform and is_at_least(tensorflow, first) and is_below(tensorflow, below):
            return build
    return None


def python_series(environment: PythonEnvironment | None) -> str | None:
    """Give ``3.12`` of an environment, None when its version is not known."""
    if environment is None or environment.python_version is None:
        return None
    return release_series(environment.python_version)


def newest_stable(platform: str | None) -> TensorflowRelease | None:
    """Give the newest stable release of a platform, None when it has none."""
    stable = [row for row in releases_for(platform or "") if not row.is_preview]
    return stable[-1] if stable else None


def newest_fitting(platform: str | None, python: str | None, glibc: str | None) -> TensorflowRelease | None:
    """Give the newest stable release whose wheel can be installed, None when none can.

    Args:
        python: Series, ``3.12``; None takes any.
        glibc: None takes any.
    """
    fitting = [
        row
        for row in releases_for(platform or "")
        if not row.is_preview
        and (python is None or python in row.python)
        and (row.glibc is None or glibc is None or is_at_least(glibc, row.glibc))
    ]
    return fitting[-1] if fitting else None


def make_subject(
    report: SystemReport,
    environment: PythonEnvironment | None,
    tensorflow: str | None = None,
    devices: tuple[int, ...] | None = None,
    *,
    is_fresh: bool = False,
) -> Subject:
    """Decide what is judged.

    Args:
        tensorflow: Release or series asked for; None takes what is installed, else the newest that can be installed.
        is_fresh: Judge a new environment with the same Python, whatever is installed.
    """
    platform = platform_of(report.host.os)
    package = environment.tensorflow_package if environment is not None else None
    installed = environment.packages.get(package) if environment and package else None
    wanted = _full_version(tensorflow, platform) if tensorflow else None
    is_installed = (
        not is_fresh and installed is not None and (wanted is None or _is_same(installed, wanted, tensorflow))
    )
    version = installed if is_installed else wanted
    if version is None:
        os = report.host.os
        row = newest_fitting(platform, python_series(environment), os.glibc_version) or newest_stable(platform)
        version = row.newest if row else None
    release = find_release(version, platform) if version and platform else None
    if release is not None and not is_installed and version not in release.versions:
        release = None  # no such patch release to install
    return Subject(
        report=report,
        environment=environment,
        tensorflow=version,
        release=release,
        package=package if is_installed else None,
        is_installed=is_installed,
        devices=devices,
        is_forced_fresh=is_fresh or (tensorflow is not None and not is_installed),
    )


def _full_version(text: str, platform: str | None) -> str:
    """Turn a series into its newest patch; a full version stays."""
    if text.count(".") != 1:
        return text
    row = find_release(text, platform) if platform else None
    return row.newest if row else text


def _is_same(installed: str, wanted: str, asked: str | None) -> bool:
    if asked is not None and asked.count(".") == 1:
        return release_series(installed) == asked
    return installed == wanted
