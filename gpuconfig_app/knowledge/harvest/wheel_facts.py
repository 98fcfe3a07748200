"""What a TensorFlow wheel says about itself: its tags, METADATA and build_info."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.parser import HeaderParser

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from gpuconfig_app.knowledge.harvest.remote_zip import Wheel, read_text
from gpuconfig_app.knowledge.harvest.trouble import unreadable

_SYSTEMS: Mapping[str, tuple[str, str]] = {
    "linux": ("Linux", "linux"),
    "macos": ("Darwin", "darwin"),
    "windows": ("Windows", "win32"),
}
_OLD_GLIBC = {"manylinux1": "2.5", "manylinux2010": "2.12", "manylinux2014": "2.17"}
_MANYLINUX = re.compile(r"(?:manylinux_(?P<major>\d+)_(?P<minor>\d+)|(?P<old>manylinux\d+))_(?P<machine>\w+)")
_CPYTHON = re.compile(r"cp3(\d+)")
_WINDOWS_NAME = re.compile(r"64_(\d+)")
_EXTRA = "and-cuda"


@dataclass(frozen=True, kw_only=True)
class WheelFacts:
    """What one wheel declares.

    Attributes:
        provider: Package and version that brings the code when this wheel is a stub, else None.
        cuda: ``12.5.1``; None when it does not tell or has none.
        cudnn: Major version it was built with; None likewise.
        and_cuda: Bounds of the extra by package; empty for a build without CUDA.
    """

    provider: tuple[str, str] | None = None
    is_cuda_build: bool = False
    cuda: str | None = None
    cudnn: str | None = None
    numpy: str | None = None
    keras: str | None = None
    protobuf: str | None = None
    and_cuda: Mapping[str, str] = field(default_factory=dict)


def platform_of_tags(tags: tuple[str, ...]) -> str | None:
    """Give the platform word of the release table for the platform tags of a wheel, None for others."""
    for tag in tags:
        if tag == "win_amd64":
            return "windows-x86_64"
        linux = _MANYLINUX.fullmatch(tag)
        if linux and linux["machine"] in {"x86_64", "aarch64"}:
            return f"linux-{linux['machine']}"
        if tag.startswith("macosx_"):
            return "macos-arm64" if tag.endswith(("_arm64", "_universal2")) else "macos-x86_64"
    return None


def glibc_of_tags(tags: tuple[str, ...]) -> str | None:
    """Give the least C library among the platform tags, None when there is none."""
    found = [item for tag in tags if (item := _glibc(tag)) is not None]
    return min(found, key=Version, default=None)


def python_of_tags(pythons: tuple[str, ...], abis: tuple[str, ...]) -> str | None:
    """Give ``3.11`` for the tags of an ordinary CPython wheel; None for others, free-threaded ones too."""
    match = _CPYTHON.fullmatch(pythons[0]) if len(pythons) == 1 else None
    if match is None or len(abis) != 1 or abis[0] not in {pythons[0], f"{pythons[0]}m"}:
        return None
    return f"3.{match[1]}"


def read_wheel_facts(wheel: Wheel, platform: str, python: str) -> WheelFacts:
    """Read METADATA and build_info.

    Args:
        platform: Word of the release table; conditions in METADATA are judged for it.
        python: Series, ``3.11``.

    Raises:
        UnreadableWheelError: Either is damaged or missing.
    """
    members = {member.filename: member for member in wheel.members()}
    metadata = next((name for name in members if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)), None)
    if metadata is None:
        raise unreadable(wheel.name, "METADATA")
    needs = requirements_of(read_text(wheel, members[metadata]))
    build = next((name for name in members if name.endswith("python/platform/build_info.py")), None)
    values = marker_values(platform, python)
    provider = None if build is not None else _provider(needs, values)
    if build is None and provider is None:
        raise unreadable(wheel.name, "build_info")
    info = parse_build_info(read_text(wheel, members[build])) if build is not None else {}
    if build is not None and "is_cuda_build" not in info:
        raise unreadable(wheel.name, "build_info")
    is_cuda_build = info.get("is_cuda_build") is True
    pins = pins_of_extra(needs, _EXTRA, values) if is_cuda_build else {}
    return WheelFacts(
        provider=provider,
        is_cuda_build=is_cuda_build,
        cuda=(_library_version(info.get("cuda_version")) or _cuda_of_pins(pins)) if is_cuda_build else None,
        cudnn=_library_version(info.get("cudnn_version")) if is_cuda_build else None,
        numpy=_bounds(needs, "numpy", values),
        keras=_bounds(needs, "keras", values),
        protobuf=_bounds(needs, "protobuf", values),
        and_cuda=pins,
    )


def requirements_of(metadata: str) -> tuple[Requirement, ...]:
    """Give the requirements in a METADATA text; unreadable ones are left out."""
    found = []
    for line in HeaderParser().parsestr(metadata).get_all("Requires-Dist") or []:
        try:
            found.append(Requirement(line))
        except InvalidRequirement:
            continue
    return tuple(found)


def marker_values(platform: str, python: str) -> dict[str, str]:
    """Give what conditions in METADATA ask for, as on a platform."""
    family, _, machine = platform.partition("-")
    system, short = _SYSTEMS[family]
    return {
        "platform_system": system,
        "sys_platform": short,
        "platform_machine": "AMD64" if family == "windows" else machine,
        "os_name": "nt" if family == "windows" else "posix",
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "extra": "",
    }


def applies(need: Requirement, values: Mapping[str, str]) -> bool:
    """Tell whether a requirement holds on a platform; one whose condition makes no sense does not."""
    try:
        return need.marker is None or need.marker.evaluate(dict(values))
    except ValueError:  # what packaging raises for names and comparisons without a meaning
        return False


def pins_of_extra(needs: tuple[Requirement, ...], extra: str, values: Mapping[str, str]) -> dict[str, str]:
    """Give the bounds that only the extra brings, by package, sorted."""
    with_extra = dict(values) | {"extra": extra}
    pins = {
        canonicalize_name(need.name): str(need.specifier)
        for need in needs
        if need.marker is not None and applies(need, with_extra) and not applies(need, values)
    }
    return dict(sorted(pins.items()))


def parse_build_info(text: str) -> dict[str, object]:
    """Read the literal in a build_info module; empty when there is none."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "build_info" for target in node.targets):
            value = node.value.args[0] if isinstance(node.value, ast.Call) and node.value.args else node.value
            try:
                return dict(ast.literal_eval(value))
            except (ValueError, TypeError, SyntaxError):
                return {}
    return {}


def least_version(bounds: str) -> str | None:
    """Give the version that bounds begin with, ``9.3.0.75`` for ``<10,>=9.3.0.75``; None when they name none."""
    for item in SpecifierSet(bounds):
        if item.operator in {">=", "==", "~="}:
            return item.version
    return None


def _glibc(tag: str) -> str | None:
    match = _MANYLINUX.fullmatch(tag)
    if match is None:
        return None
    return _OLD_GLIBC.get(match["old"]) if match["old"] else f"{match['major']}.{match['minor']}"


def _provider(needs: tuple[Requirement, ...], values: Mapping[str, str]) -> tuple[str, str] | None:
    """Give the package that a stub stands for."""
    for need in needs:
        fits = applies(need, values)
        exact = [item.version for item in need.specifier if item.operator == "=="]
        if fits and exact and canonicalize_name(need.name).startswith("tensorflow"):
            return canonicalize_name(need.name), exact[0]
    return None


def _bounds(needs: tuple[Requirement, ...], name: str, values: Mapping[str, str]) -> str | None:
    for need in needs:
        if canonicalize_name(need.name) == name and applies(need, values):
            return str(need.specifier) or None
    return None


def _library_version(value: object) -> str | None:
    """Read a version of build_info; Windows tells the end of a file name, ``64_112`` for 11.2."""
    if not isinstance(value, str) or not value:
        return None
    named = _WINDOWS_NAME.fullmatch(value)
    if named is None:
        return value
    digits = named[1]
    return digits if len(digits) < 3 else f"{digits[:-1]}.{digits[-1]}"


def _cuda_of_pins(pins: Mapping[str, str]) -> str | None:
    """Give the CUDA version that the extra's compiler belongs to: builds from 2.22 on tell none."""
    for name, bounds in pins.items():
        least = least_version(bounds) if name.startswith("nvidia-cuda-nvcc") else None
        if least is not None:
            return ".".join(least.split(".")[:2])
    return None
