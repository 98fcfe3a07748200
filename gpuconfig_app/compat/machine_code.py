"""Whether the code in a TensorFlow wheel runs on a card: natively, compiled by the driver at first start, or not.

Rules of CUDA: machine code for X.Y runs on the same major X and any minor from Y on; plain PTX is compiled for its own
capability and all later ones; an "a" target is compiled for exactly its capability. The driver must know the PTX ISA.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from gpuconfig_app.core.versions import ComputeCapability, compare_versions, is_at_least
from gpuconfig_app.knowledge.cuda_drivers import CudaTable
from gpuconfig_app.knowledge.tensorflow_releases import PtxTarget, TensorflowRelease

_TARGET = re.compile(r"sm_(\d+)(\d)([a-z]?)")


class CodeKind(StrEnum):
    """How the kernels of a wheel run on a card."""

    NATIVE = "native"
    JIT = "jit"
    BROKEN = "broken"
    UNKNOWN = "unknown"


class CodeReason(StrEnum):
    """Why they run like that."""

    SAME_MAJOR = "same-major"
    PARTLY_NATIVE = "partly-native"
    OLDER_PTX = "older-ptx"
    PTX_OF_ONE_CARD = "ptx-of-one-card"
    CARD_TOO_OLD = "card-too-old"
    DRIVER_LACKS_ISA = "driver-lacks-isa"
    LEVEL_UNKNOWN = "level-unknown"
    NOT_CUDA = "not-cuda"


@dataclass(frozen=True, kw_only=True)
class MachineCode:
    """The answer for one card.

    Attributes:
        level_needed: CUDA level the driver must have to compile the PTX; None when nothing is compiled.
        is_fully_read: False when one of the two kinds of kernels in this wheel was not read.
    """

    kind: CodeKind
    reason: CodeReason
    level_needed: str | None = None
    is_fully_read: bool = True


def judge_machine_code(
    release: TensorflowRelease, capability: ComputeCapability, driver_level: str | None, table: CudaTable
) -> MachineCode:
    """Tell how the kernels of a release run on a card.

    Args:
        release: Row of the wheel.
        capability: Of the card.
        driver_level: CUDA level of the driver, None when not known.
        table: For the level each PTX ISA needs.
    """
    if not release.is_cuda_build:
        return MachineCode(kind=CodeKind.BROKEN, reason=CodeReason.NOT_CUDA)
    if _has_native(release.sass, capability):
        return MachineCode(kind=CodeKind.NATIVE, reason=CodeReason.SAME_MAJOR)
    targets = [target for target in (release.ptx_compiler, release.ptx_mlir) if target is not None]
    is_fully_read = len(targets) == 2
    refused = [target for target in targets if not compiles_for(target, capability)]
    if refused:
        reason = CodeReason.PTX_OF_ONE_CARD if refused[0].target[-1].isalpha() else CodeReason.CARD_TOO_OLD
        return MachineCode(kind=CodeKind.BROKEN, reason=reason, is_fully_read=is_fully_read)
    partly = _has_native(release.sass_partial, capability)
    reason = CodeReason.PARTLY_NATIVE if partly else CodeReason.OLDER_PTX
    return _judge_driver(reason, _level_needed(release, targets, table), driver_level, is_fully_read)


def compiles_for(target: PtxTarget, capability: ComputeCapability) -> bool:
    """Whether the driver can compile PTX of this target for a card."""
    found = _TARGET.fullmatch(target.target)
    if found is None:
        return False
    wanted = ComputeCapability(f"{found.group(1)}.{found.group(2)}")
    return capability == wanted if found.group(3) else capability >= wanted


def _judge_driver(reason: CodeReason, needed: str | None, driver_level: str | None, is_read: bool) -> MachineCode:
    if needed is None or driver_level is None:
        return MachineCode(
            kind=CodeKind.UNKNOWN, reason=CodeReason.LEVEL_UNKNOWN, level_needed=needed, is_fully_read=is_read
        )
    if not is_at_least(driver_level, needed):
        return MachineCode(
            kind=CodeKind.BROKEN, reason=CodeReason.DRIVER_LACKS_ISA, level_needed=needed, is_fully_read=is_read
        )
    return MachineCode(kind=CodeKind.JIT, reason=reason, level_needed=needed, is_fully_read=is_read)


def _has_native(targets: tuple[str, ...], capability: ComputeCapability) -> bool:
    known = [ComputeCapability(target) for target in targets]
    return any(item.major == capability.major and item.minor <= capability.minor for item in known)


def _level_needed(release: TensorflowRelease, targets: list[PtxTarget], table: CudaTable) -> str | None:
    """Give the highest level among the targets; an ISA that was not read counts as that of the build's CUDA."""
    levels = [table.level_of_isa(target.isa) if target.isa else _build_level(release) for target in targets]
    highest: str | None = None
    for level in levels:
        if level is None:
            return None
        if highest is None or (compare_versions(level, highest) or 0) > 0:
            highest = level
    return highest


def _build_level(release: TensorflowRelease) -> str | None:
    return ".".join(release.cuda.split(".")[:2]) if release.cuda else None
