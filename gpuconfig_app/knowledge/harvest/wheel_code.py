"""The GPU code of a whole wheel: what all its kernels have, what some have, and the PTX of both kinds of kernels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from packaging.version import Version

from gpuconfig_app.knowledge.harvest.fat_binaries import Container, Origin, PtxCode, read_containers
from gpuconfig_app.knowledge.harvest.remote_zip import Wheel
from gpuconfig_app.knowledge.harvest.trouble import unreadable

LEAST_LIBRARY_BYTES = 1 << 20

_LIBRARY = re.compile(r".*\.(?:so(?:\.\d+)*|pyd|dll)")
_TARGET = re.compile(r"sm_(\d+)([a-z]?)")


@dataclass(frozen=True, kw_only=True)
class WheelCode:
    """The answer for a wheel.

    Attributes:
        sass: Capabilities, ``9.0``, for which every kernel container has machine code.
        sass_partial: Those for which only some have.
        ptx_compiler: Target and PTX ISA of compiler-built kernels; the strictest target where there are several.
        ptx_mlir: The same for kernels that lie outside the compiler's section.
    """

    sass: tuple[str, ...]
    sass_partial: tuple[str, ...]
    ptx_compiler: PtxCode | None
    ptx_mlir: PtxCode | None


def read_wheel_code(
    wheel: Wheel,
    is_wanted: Callable[[str, int], bool] | None = None,
    least_bytes: int = LEAST_LIBRARY_BYTES,
) -> WheelCode | None:
    """Read the libraries of a wheel, one after the other, each in one pass.

    Args:
        is_wanted: Chooses libraries by name and packed length; None takes all.
        least_bytes: Smaller libraries are left out.

    Returns:
        None when there is no GPU code in it.

    Raises:
        UnreadableWheelError: A library is damaged, or its PTX is packed in an unknown way.
    """
    containers: list[Container] = []
    for member in wheel.members():
        wanted = is_wanted is None or is_wanted(member.filename, member.compress_size)
        if wanted and member.file_size >= least_bytes and _LIBRARY.fullmatch(member.filename):
            containers += read_containers(wheel.stream(member))
    return summarise(wheel.name, containers)


def summarise(name: str, containers: Iterable[Container]) -> WheelCode | None:
    """Put the containers of a wheel into one answer; relocatable ones are never loaded and don't count.

    Raises:
        UnreadableWheelError: PTX is packed in an unknown way.
    """
    loaded = [item for item in containers if item.origin is not Origin.RELOCATABLE]
    with_code = [item.machine_code for item in loaded if item.machine_code]
    if not loaded:
        return None
    everywhere = frozenset.intersection(*with_code) if with_code else frozenset()
    anywhere = frozenset().union(*with_code)
    return WheelCode(
        sass=_capabilities(everywhere),
        sass_partial=_capabilities(anywhere - everywhere),
        ptx_compiler=_strictest(name, [item for item in loaded if item.origin is Origin.COMPILER]),
        ptx_mlir=_strictest(name, [item for item in loaded if item.origin is Origin.ELSEWHERE]),
    )


def any_capability(code: WheelCode) -> tuple[str, ...]:
    """Give every capability that at least one kernel has machine code for."""
    return tuple(sorted({*code.sass, *code.sass_partial}, key=Version))


def _capabilities(targets: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"{target // 10}.{target % 10}" for target in sorted(targets))


def _strictest(name: str, containers: list[Container]) -> PtxCode | None:
    codes = {code for item in containers for code in item.ptx}
    if not codes:
        return None
    if any(code.target is None for code in codes):
        raise unreadable(name, "PTX")
    target = max((code.target or "" for code in codes), key=_strictness)
    return PtxCode(target, max((code.isa for code in codes), key=Version))


def _strictness(target: str) -> tuple[bool, int]:
    """One with a letter runs on fewest cards, then the highest number."""
    match = _TARGET.fullmatch(target)
    return (bool(match[2]), int(match[1])) if match else (False, 0)
