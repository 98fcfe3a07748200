"""``--assume KEY=VALUE``: what would the verdict be on another machine.

Assumptions change a surveyed or recorded machine; without one the machine consists of them alone, and what was not
said is taken as ordinary: Linux on x86_64 with a current C library, a processor with AVX, a driver that knows the card,
the newest stable TensorFlow with its usual Python and libraries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from gpuconfig_app.compat.assumed_cards import assumed_gpu
from gpuconfig_app.compat.assumed_python import assumed_environment, with_cuda_libraries
from gpuconfig_app.compat.subject import newest_stable, platform_of
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import (
    BackendState,
    BackendStatus,
    CpuInfo,
    DriverInfo,
    HostInfo,
    OsFamily,
    OsInfo,
    SystemReport,
)
from gpuconfig_app.core.versions import ComputeCapability, is_at_least, parse_version
from gpuconfig_app.knowledge.cuda_drivers import load_cuda_table

KEYS = (
    "os", "os_version", "arch", "glibc", "wsl", "driver", "gpu", "python", "tensorflow", "cuda_libs", "cuda", "cudnn",
    "numpy", "xla",
)  # fmt: skip
NOTHING = "none"

_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "os": ("linux", "windows", "macos"),
        "cuda_libs": ("pip", "system", "none"),
        "xla": ("on", "off"),
        "wsl": ("1", "2", "none"),
        "arch": ("x86_64", "aarch64"),
    }
)
_ALIASES: Mapping[str, str] = MappingProxyType({"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"})
_VERSIONS = frozenset({"os_version", "glibc", "driver", "python", "tensorflow", "cuda", "cudnn", "numpy"})
# What a version of each kind looks like; shown to who typed something else.
_FORMS: Mapping[str, str] = MappingProxyType(
    {
        "os_version": "24.04", "glibc": "2.39", "driver": "580.65.06", "python": "3.12", "tensorflow": "2.21.0",
        "cuda": "12.9", "cudnn": "9.10.2", "numpy": "1.26.4",
    }
)  # fmt: skip
_VERSION_SHAPE = re.compile(r"v?\d[\w.+!-]*", re.ASCII)
_UBUNTU_VERSION = re.compile(r"\d\d\.(?:04|10)(?:\.\d)?")
_MAY_BE_NONE = frozenset({"driver", "tensorflow", "glibc"})
_ORDINARY_GLIBC = "2.39"
_WITHOUT_GLIBC = ("alpine", "Alpine Linux")
_WSL_LIBCUDA = "/usr/lib/wsl/lib/libcuda.so.1"
_LINUX_LIBCUDA = "/usr/lib/x86_64-linux-gnu/libcuda.so.1"
_XLA_ON = "--tf_xla_auto_jit=2"


@dataclass(frozen=True, kw_only=True)
class AssumedMachine:
    """A machine after assumptions.

    Attributes:
        environment: Python with the packages that were assumed.
        tensorflow: Release that was assumed, None when nothing was said or none shall be installed.
        xla: Whether XLA was assumed on or off, None when nothing was said.
        ordinary: What was not said and taken as ordinary, by key; empty for a machine that exists.
    """

    report: SystemReport
    environment: PythonEnvironment | None
    tensorflow: str | None = None
    xla: bool | None = None
    ordinary: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Said:
    """The assumptions by key, cards apart because they may repeat; None when no card was spoken of."""

    values: Mapping[str, str]
    gpus: tuple[str, ...] | None

    def get(self, key: str) -> str | None:
        return self.values.get(key)


def apply_assumptions(
    report: SystemReport | None, pairs: Sequence[str], environment: PythonEnvironment | None = None
) -> AssumedMachine:
    """Change a machine by assumptions.

    Args:
        report: The machine; None lets it consist of the assumptions alone.
        pairs: ``KEY=VALUE``; only ``gpu`` may be repeated.
        environment: The Python that would be judged without assumptions.

    Raises:
        UsageError: An assumption can't be understood; the sentence lists what is allowed.
    """
    said = _read_pairs(pairs)
    new = None if said.gpus is None else tuple(assumed_gpu(text, at) for at, text in enumerate(said.gpus))
    if report is None and new and all(gpu.vendor is Vendor.APPLE for gpu in new) and said.get("os") is None:
        said = _Said({**said.values, "os": OsFamily.MACOS.value}, said.gpus)
    base = report or SystemReport(machine_id=NOTHING, host=HostInfo(os=OsInfo(family=OsFamily.LINUX)))
    is_made_up = report is None or report.is_cards_alone
    host = _assumed_host(base.host, said, is_made_up=is_made_up)
    changed = replace(base, host=host, gpus=base.gpus if new is None else new)
    changed = _with_driver(changed, said, is_made_up=is_made_up)
    python, changed = _with_python(changed, said, environment, is_made_up=is_made_up)
    tensorflow = python.tensorflow_version if python and said.get("tensorflow") != NOTHING else None
    if said.get("tensorflow") not in {None, NOTHING} and tensorflow is None:
        tensorflow = said.get("tensorflow")
    xla = said.get("xla")
    return AssumedMachine(
        report=changed,
        environment=python,
        tensorflow=tensorflow if is_made_up or said.get("tensorflow") else None,
        xla=None if xla is None else xla == "on",
        ordinary=_ordinary(changed, python, said) if is_made_up else {},
    )


def _read_pairs(pairs: Sequence[str]) -> _Said:
    values: dict[str, str] = {}
    gpus: list[str] = []
    for pair in pairs:
        key, equals, value = pair.partition("=")
        key, value = key.strip().lower().replace("-", "_"), value.strip()
        if not equals or not value:
            raise UsageError(Message("compat.assume-not-a-pair", {"text": pair, "keys": ", ".join(KEYS)}))
        if key not in KEYS:
            raise UsageError(Message("compat.assume-unknown-key", {"key": key, "keys": ", ".join(KEYS)}))
        if key == "gpu":
            gpus.append(value)
            continue
        if key in values:
            raise UsageError(Message("compat.assume-twice", {"key": key}))
        values[key] = _checked(key, value)
    cards = tuple(gpu for gpu in gpus if gpu.lower() != NOTHING)
    return _Said(values=values, gpus=cards if gpus else None)


def _checked(key: str, value: str) -> str:
    """Check one value; give it in the words used here."""
    if key in _WORDS:
        word = _ALIASES.get(value.lower(), value.lower())
        if key == "wsl" and word in {"no", "false", "0", "off"}:
            word = NOTHING
        if word not in _WORDS[key]:
            raise _unusable(key, value, ", ".join(_WORDS[key]))
        return word
    if key in _MAY_BE_NONE and value.lower() == NOTHING:
        return NOTHING
    if key in _VERSIONS and not _is_version(key, value):
        name = "compat.assume-no-version-or-none" if key in _MAY_BE_NONE else "compat.assume-no-version"
        raise UsageError(Message(name, {"key": key, "value": value, "example": _FORMS[key]}))
    return value


def _is_version(key: str, value: str) -> bool:
    """Whether a value is a version and nothing beside; one number alone names no Python."""
    if parse_version(value) is None or not _VERSION_SHAPE.fullmatch(value):
        return False
    return key != "python" or "." in value


def _unusable(key: str, value: str, allowed: str) -> UsageError:
    return UsageError(Message("compat.assume-unusable-value", {"key": key, "value": value, "allowed": allowed}))


def _assumed_host(host: HostInfo, said: _Said, *, is_made_up: bool) -> HostInfo:
    os = host.os
    family = said.get("os") or (OsFamily.LINUX.value if is_made_up and os.family is OsFamily.OTHER else None)
    if said.get("wsl") in {"1", "2"}:
        family = OsFamily.LINUX.value
    if family:
        is_same = os.family.value == family
        os = os if is_same else OsInfo(family=OsFamily(family), architecture=os.architecture)
    if is_made_up and os.architecture is None:
        os = replace(os, architecture="aarch64" if os.family is OsFamily.MACOS else "x86_64")
    if architecture := said.get("arch"):
        os = replace(os, architecture=architecture)
    if version := said.get("os_version"):
        os = _of_version(os, version, is_made_up=is_made_up)
    if wsl := said.get("wsl"):
        os = replace(os, wsl_version=None if wsl == NOTHING else int(wsl), container=None)
    glibc = said.get("glibc") or (_ORDINARY_GLIBC if is_made_up or os.family is not host.os.family else None)
    if os.family is OsFamily.LINUX and glibc is not None:
        os = _with_glibc(os, glibc)
    cpu = host.cpu
    if is_made_up or os.architecture != host.os.architecture:
        cpu = CpuInfo(flags=("avx", "avx2", "fma") if os.architecture == "x86_64" else ("asimd",))
    variables = dict(host.variables)
    if xla := said.get("xla"):
        variables.pop("TF_XLA_FLAGS", None)
        variables |= {"TF_XLA_FLAGS": _XLA_ON} if xla == "on" else {}
    return replace(host, os=os, cpu=cpu, variables=variables)


def _of_version(os: OsInfo, version: str, *, is_made_up: bool) -> OsInfo:
    """Give the system another version; a made-up Linux that counts in years and months is Ubuntu."""
    if is_made_up and os.family is OsFamily.LINUX and _UBUNTU_VERSION.fullmatch(version):
        return replace(os, version=version, id="ubuntu", name=f"Ubuntu {version}")
    return replace(os, version=version)


def _with_glibc(os: OsInfo, glibc: str) -> OsInfo:
    """Give the system another glibc; without one it is the system people mean by that."""
    if glibc == NOTHING:
        return replace(os, glibc_version=None, id=_WITHOUT_GLIBC[0], name=_WITHOUT_GLIBC[1])
    return replace(os, glibc_version=glibc)


def _with_driver(report: SystemReport, said: _Said, *, is_made_up: bool) -> SystemReport:
    """Give the machine the assumed driver; a made-up one gets an ordinary driver when none was spoken of."""
    version = said.get("driver")
    has_nvidia = any(gpu.vendor is Vendor.NVIDIA for gpu in report.gpus)
    if version == NOTHING:
        return _without_driver(report)
    if version is None:
        if report.is_cards_alone and said.gpus is None:
            return replace(report, host=_with_libcuda(report.host))  # as told, also when its version was not
        is_asked_anew = has_nvidia and (is_made_up or said.gpus is not None)
        if not is_asked_anew:
            return report
        if not is_made_up and report.driver(Vendor.NVIDIA) is not None:
            return _without_dead_backend(report)
        version = ordinary_driver(report.gpus)
    is_windows = report.host.os.family is OsFamily.WINDOWS or report.host.os.wsl_version is not None
    level = load_cuda_table().level_of_driver(version, is_windows)
    driver = DriverInfo(vendor=Vendor.NVIDIA, version=version, kernel_version=version, cuda_version=level)
    others = tuple(item for item in report.drivers if item.vendor is not Vendor.NVIDIA)
    changed = replace(report, drivers=(driver, *others), host=_with_libcuda(report.host))
    return _without_dead_backend(changed)


def _without_dead_backend(report: SystemReport) -> SystemReport:
    """Leave out what the real driver answered: the assumed cards and driver are taken as working."""
    backends = tuple(item for item in report.backends if item.vendor is not Vendor.NVIDIA)
    ready = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.READY, source="assumed")
    return replace(report, backends=(ready, *backends))


def _without_driver(report: SystemReport) -> SystemReport:
    """Take the driver away: its cards stay on the bus."""
    gpus = tuple(_unserved(gpu) if gpu.vendor is Vendor.NVIDIA else gpu for gpu in report.gpus)
    has_card = any(gpu.vendor is Vendor.NVIDIA for gpu in gpus)
    status = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.NOT_PRESENT, source="assumed")
    if has_card:
        status = replace(status, state=BackendState.DRIVER_MISSING, code="library_not_found")
    is_wsl = report.host.os.wsl_version is not None
    libraries = replace(report.host.libraries, libcuda=None, wsl_libcuda=False if is_wsl else None)
    return replace(
        report,
        gpus=gpus,
        drivers=tuple(item for item in report.drivers if item.vendor is not Vendor.NVIDIA),
        backends=(status, *(item for item in report.backends if item.vendor is not Vendor.NVIDIA)),
        host=replace(report.host, libraries=libraries),
    )


def _with_libcuda(host: HostInfo) -> HostInfo:
    if host.os.family is not OsFamily.LINUX:
        return host
    if host.os.wsl_version is not None:
        libraries = replace(host.libraries, libcuda=_WSL_LIBCUDA, wsl_libcuda=True, has_dxg=True)
        return replace(host, libraries=libraries)
    known = host.libraries.libcuda or _LINUX_LIBCUDA
    return replace(host, libraries=replace(host.libraries, libcuda=known))


def ordinary_driver(gpus: Sequence[Gpu]) -> str:
    """Give a driver that serves all these cards: of the long-lived branch, or of the last one for an older card."""
    table = load_cuda_table()
    branches = [row for row in table.branches if row.kind == "LTSB" and row.state == "supported"]
    least = next(row.linux_driver for row in table.toolkits if is_at_least(row.linux_driver, branches[0].branch[1:]))
    for gpu in gpus:
        if gpu.compute_capability is None:
            continue
        last = table.last_branch(ComputeCapability(gpu.compute_capability))
        if last is not None and not is_at_least(last.branch[1:], branches[0].branch[1:]):
            return last.branch[1:]
    return least


def _with_python(
    report: SystemReport, said: _Said, environment: PythonEnvironment | None, *, is_made_up: bool
) -> tuple[PythonEnvironment | None, SystemReport]:
    """Give the assumed Python and the machine with the system libraries that were assumed."""
    about_python = ("python", "tensorflow", "cuda_libs", "cuda", "cudnn", "numpy")
    if not is_made_up and not any(said.get(key) for key in about_python) and said.get("os") is None:
        return environment, report
    platform = platform_of(report.host.os)
    if is_made_up and said.get("tensorflow") is None:
        newest = newest_stable(platform)
        said = _Said({**said.values, "tensorflow": newest.newest} if newest else said.values, said.gpus)
    python = assumed_environment(environment, said.values, platform)
    host = with_cuda_libraries(report.host, python, said.values, platform)
    changed = replace(report, host=host, environments=(python,))
    return python, changed


def _ordinary(report: SystemReport, python: PythonEnvironment | None, said: _Said) -> dict[str, str]:
    """Tell what was taken as ordinary, for the reader."""
    driver = report.driver(Vendor.NVIDIA)
    taken: Mapping[str, Callable[[], str | None]] = {
        "os": lambda: report.host.os.family.value,
        "arch": lambda: report.host.os.architecture,
        "glibc": lambda: report.host.os.glibc_version,
        "driver": lambda: driver.version if driver else None,
        "python": lambda: python.python_version if python else None,
        "tensorflow": lambda: python.tensorflow_version if python else None,
    }
    values = {key: give() for key, give in taken.items() if said.get(key) is None}
    return {key: value for key, value in values.items() if value is not None}


def _unserved(gpu: Gpu) -> Gpu:
    return replace(gpu, state=GpuState.DRIVER_MISSING, bound_driver=None)
