"""CUDA and drivers (``cuda_drivers.toml``): floors, PTX levels, branches, dropped cards, capabilities of cuDNN."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from gpuconfig_app.core.finding import Confidence
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.versions import ComputeCapability, compare_versions, is_at_least, is_below
from gpuconfig_app.knowledge.cudnn_wheels import CudnnRelease, load_cudnn_wheels
from gpuconfig_app.knowledge.table import FactSource, read_rows, read_table

TABLE = "cuda_drivers"


@dataclass(frozen=True, kw_only=True)
class Toolkit:
    """A toolkit and the driver packaged with it.

    Attributes:
        level: ``12.5``, what ``nvidia-smi`` prints for such a driver.
        windows_driver: None where NVIDIA packages none.
    """

    toolkit: str
    level: str
    linux_driver: str
    certainty: Confidence
    source: tuple[FactSource, ...]
    checked_on: str
    windows_driver: str | None = None


@dataclass(frozen=True, kw_only=True)
class DriverFloor:
    """Least driver for all toolkits of a major version.

    Attributes:
        windows_amber_below: Drivers from the floor up to here are named too old in other tables.
    """

    cuda_major: str
    linux_driver: str
    windows_driver: str
    source: tuple[FactSource, ...]
    checked_on: str
    windows_amber_below: str | None = None


@dataclass(frozen=True, kw_only=True)
class PtxIsa:
    """CUDA level from which drivers can compile a PTX ISA version."""

    isa: str
    cuda_level: str
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class FirstLevel:
    """First CUDA level that knows a compute capability."""

    compute_capability: str
    cuda_level: str
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class DriverBranch:
    """A release branch of the driver; ``state`` is ``supported`` or ``ended``."""

    branch: str
    kind: str
    state: str
    certainty: Confidence
    source: tuple[FactSource, ...]
    checked_on: str
    end_of_life: str | None = None
    max_cuda_major: str | None = None


@dataclass(frozen=True, kw_only=True)
class LastBranch:
    """Last branch with drivers for a range of capabilities."""

    architecture: str
    capability_from: str
    capability_below: str
    branch: str
    certainty: Confidence
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class CudnnChange:
    """A cuDNN release at which support of a range of capabilities began or ended.

    Attributes:
        stay_at: Last release that still serves them, for a pin.
    """

    id: str
    version: str
    is_end: bool
    certainty: Confidence
    source: tuple[FactSource, ...]
    checked_on: str
    capability_from: str | None = None
    capability_below: str | None = None
    stay_at: str | None = None


@dataclass(frozen=True, kw_only=True)
class CudaTable:
    """The whole table with the questions it answers."""

    toolkits: tuple[Toolkit, ...]
    floors: tuple[DriverFloor, ...]
    ptx_isas: tuple[PtxIsa, ...]
    first_levels: tuple[FirstLevel, ...]
    branches: tuple[DriverBranch, ...]
    last_branches: tuple[LastBranch, ...]
    cudnn_changes: tuple[CudnnChange, ...]
    cudnn: tuple[CudnnRelease, ...] = ()

    def floor(self, cuda_major: str) -> DriverFloor | None:
        """Give the least driver for a CUDA major version, None when the table does not hold it."""
        return next((row for row in self.floors if row.cuda_major == cuda_major), None)

    def level_of_driver(self, version: str, is_windows_driver: bool) -> str | None:
        """Give the CUDA level of a driver, ``12.4``; None when it is older than the table or unreadable."""
        best: str | None = None
        for row in self.toolkits:
            driver = row.windows_driver if is_windows_driver else row.linux_driver
            # Windows drivers of CUDA 13 come without a toolkit; their branch number is that of Linux.
            driver = driver or _branch_number(row.linux_driver)
            if is_at_least(version, driver) and (best is None or (compare_versions(row.level, best) or 0) >= 0):
                best = row.level
        return best

    def driver_for_level(self, level: str, is_windows_driver: bool) -> str | None:
        """Give the least driver of a CUDA level, None when no toolkit of that level is listed."""
        rows = [row for row in self.toolkits if (compare_versions(row.level, level) or 0) >= 0]
        for row in rows:
            driver = row.windows_driver if is_windows_driver else row.linux_driver
            if driver or is_windows_driver:
                return driver or _branch_number(row.linux_driver)
        return None

    def level_of_isa(self, isa: str) -> str | None:
        """Give the CUDA level that a PTX ISA version needs, None when it is not listed."""
        return next((row.cuda_level for row in self.ptx_isas if row.isa == isa), None)

    def first_level(self, capability: ComputeCapability) -> FirstLevel | None:
        """Give the row that says from which CUDA level on a card is known; None for old cards, known to all."""
        known = [row for row in self.first_levels if ComputeCapability(row.compute_capability) <= capability]
        same = [row for row in known if ComputeCapability(row.compute_capability).major == capability.major]
        return same[-1] if same else None

    def branch_of(self, version: str) -> DriverBranch | None:
        """Give the branch of a Linux driver, None when the table does not hold it."""
        number = _branch_number(version)
        return next((row for row in self.branches if row.branch.removeprefix("R") == number), None)

    def has_ended(self, version: str) -> bool | None:
        """Tell whether NVIDIA mends a Linux driver's branch no more; None when the table cannot tell.

        What is older than every branch that is still mended has ended, too.
        """
        row = self.branch_of(version)
        if row is not None:
            return row.state == "ended"
        oldest = min(int(item.branch[1:]) for item in self.branches if item.state == "supported")
        return True if is_below(version, str(oldest)) else None

    def last_branch(self, capability: ComputeCapability) -> LastBranch | None:
        """Give the last driver branch of a card, None when newest drivers still serve it."""
        for row in self.last_branches:
            if ComputeCapability(row.capability_from) <= capability < ComputeCapability(row.capability_below):
                return row
        return None

    def cudnn_serves(self, version: str, capability: ComputeCapability) -> bool | None:
        """Tell whether a cuDNN release has code for a card; None when the table cannot tell."""
        # cuDNN for CUDA 11 goes further back; of an unnamed package the narrower answer is safe.
        rows = [row for row in self.cudnn if row.version == version or not row.package.endswith("-cu11")]
        oldest = min((ComputeCapability(item) for row in rows for item in row.capabilities), default=capability)
        if not is_at_least(version, "8") or capability < oldest:
            return None
        for change in self.cudnn_changes:
            if _concerns(change, capability):
                reached = is_at_least(version, change.version)
                return None if reached is None else reached != change.is_end
        return True

    def cudnn_to_stay_at(self, capability: ComputeCapability) -> str | None:
        """Give the last cuDNN for a card that newer ones dropped, None when it was not dropped."""
        return next((row.stay_at for row in self.cudnn_changes if row.is_end and _concerns(row, capability)), None)


def is_beyond_branch(driver_version: str, branch: str) -> bool | None:
    """Tell whether a driver is of a later branch than the given one; None when unreadable.

    The branches of NVIDIA are numbered in steps; every driver below the next ten belongs to the branch.
    """
    within = is_below(driver_version, str(int(branch.removeprefix("R")) + 10))
    return None if within is None else not within


def parse_cuda_table(data: Mapping[str, JsonValue]) -> CudaTable:
    """Turn the table into rows.

    Raises:
        UnusableFileError: A row cannot be used.
    """
    return CudaTable(
        toolkits=read_rows(TABLE, data, "toolkit", Toolkit),
        floors=read_rows(TABLE, data, "floor", DriverFloor),
        ptx_isas=read_rows(TABLE, data, "ptx_isa", PtxIsa),
        first_levels=read_rows(TABLE, data, "first_level", FirstLevel),
        branches=read_rows(TABLE, data, "branch", DriverBranch),
        last_branches=read_rows(TABLE, data, "last_branch", LastBranch),
        cudnn_changes=read_rows(TABLE, data, "cudnn_change", CudnnChange),
    )


@cache
def load_cuda_table() -> CudaTable:
    """Give the whole table, with the cuDNN wheels that were read.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return replace(parse_cuda_table(read_table(TABLE)), cudnn=load_cudnn_wheels())


def _branch_number(version: str) -> str:
    return version.split(".", 1)[0]


def _concerns(change: CudnnChange, capability: ComputeCapability) -> bool:
    above = change.capability_from is None or capability >= ComputeCapability(change.capability_from)
    below = change.capability_below is None or capability < ComputeCapability(change.capability_below)
    return above and below
