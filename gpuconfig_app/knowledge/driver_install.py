"""How NVIDIA's driver is installed on Linux (``driver_install.toml``): flavour, package, Secure Boot, holding it.

Commands are for people to copy; nothing here runs one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.versions import ComputeCapability, is_below
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table, row_unusable

TABLE = "driver_install"


class DriverNeed(StrEnum):
    """Which kernel modules cards take; ``MIXED`` cards have no driver in common."""

    OPEN = "open"
    EITHER = "either"
    CLOSED = "closed"
    LEGACY = "legacy"
    MIXED = "mixed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """Distributions a row is for.

    Attributes:
        id: ``ID`` of ``/etc/os-release``.
        since: First ``VERSION_ID``; one that is not known counts as new enough.
        below: First ``VERSION_ID`` that no longer counts; one that is not known is not below it.
    """

    id: str
    since: str | None = None
    below: str | None = None

    def fits(self, os_id: str, version: str | None) -> bool:
        """Whether a system is one of these."""
        if self.id != os_id:
            return False
        if self.since is not None and is_below(version, self.since):
            return False
        return self.below is None or is_below(version, self.below) is True


@dataclass(frozen=True, kw_only=True)
class CardFlavour:
    """Kernel modules that serve a range of capabilities; ``capability_below`` is exclusive."""

    architecture: str
    capability_from: str
    capability_below: str
    need: DriverNeed
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class InstallWay:
    """The driver package of some distributions for some cards.

    Attributes:
        serves: Needs it answers.
        branch: Branch it brings, as far as known; None brings the newest.
        is_signed: Secure Boot accepts its module as it comes.
        commands: Lines to copy in order, the restart last; empty when there is nothing to type.
    """

    id: str
    systems: tuple[Distribution, ...]
    serves: tuple[DriverNeed, ...]
    package: str
    repository: LocalText
    text: LocalText
    source: tuple[FactSource, ...]
    checked_on: str
    branch: str | None = None
    is_signed: bool = False
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SystemStep:
    """A step that depends on the distribution only: Secure Boot, or holding the driver."""

    id: str
    systems: tuple[Distribution, ...]
    text: LocalText
    source: tuple[FactSource, ...]
    checked_on: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DriverInstallTable:
    """The whole table with the questions it answers."""

    flavours: tuple[CardFlavour, ...]
    ways: tuple[InstallWay, ...]
    secure_boot: tuple[SystemStep, ...]
    holds: tuple[SystemStep, ...]

    def need_of(self, capabilities: Iterable[ComputeCapability]) -> DriverNeed:
        """Give the modules that all these cards take; ``UNKNOWN`` for none."""
        needs = {self._need_of_one(capability) for capability in capabilities}
        if not needs:
            return DriverNeed.UNKNOWN
        if len(needs) > 1:
            needs.discard(DriverNeed.EITHER)
        return next(iter(needs)) if len(needs) == 1 else DriverNeed.MIXED

    def way(
        self, os_id: str | None, version: str | None, need: DriverNeed, least: str | None = None
    ) -> InstallWay | None:
        """Give the first package that suits; None when the table has none.

        Args:
            os_id: ``ID`` of the distribution, None when not known.
            version: ``VERSION_ID``.
            need: What the cards take.
            least: Least driver that is wanted; a package of an older branch does not suit.
        """
        for row in self.ways:
            is_new_enough = row.branch is None or least is None or _reaches(row.branch, least)
            if need in row.serves and is_new_enough and _is_one_of(row.systems, os_id, version):
                return row
        return None

    def way_by_id(self, name: str) -> InstallWay | None:
        """Give a package by its row's id, None when there is none."""
        return next((row for row in self.ways if row.id == name), None)

    def secure_boot_step(self, os_id: str | None, version: str | None) -> SystemStep | None:
        """Tell how a distribution gets its module accepted, None when the table does not know."""
        return next((row for row in self.secure_boot if _is_one_of(row.systems, os_id, version)), None)

    def hold_step(self, os_id: str | None, version: str | None) -> SystemStep | None:
        """Tell how a distribution keeps the driver from being updated, None when the table does not know."""
        return next((row for row in self.holds if _is_one_of(row.systems, os_id, version)), None)

    def _need_of_one(self, capability: ComputeCapability) -> DriverNeed:
        for row in self.flavours:
            if ComputeCapability(row.capability_from) <= capability < ComputeCapability(row.capability_below):
                return row.need
        return DriverNeed.LEGACY


def parse_driver_install(data: Mapping[str, JsonValue]) -> DriverInstallTable:
    """Turn the table into rows.

    Raises:
        UnusableFileError: A row cannot be used, or an id occurs twice.
    """
    table = DriverInstallTable(
        flavours=read_rows(TABLE, data, "flavour", CardFlavour),
        ways=read_rows(TABLE, data, "install", InstallWay),
        secure_boot=read_rows(TABLE, data, "secure_boot", SystemStep),
        holds=read_rows(TABLE, data, "hold", SystemStep),
    )
    for systems in (
        [(row.id, row.systems) for row in table.ways],
        [(row.id, row.systems) for row in table.secure_boot],
        [(row.id, row.systems) for row in table.holds],
    ):
        check_unique(TABLE, [name for name, _ in systems])
        for name, named in systems:
            if not named:
                raise row_unusable(TABLE, name, "no systems")
    return table


@cache
def load_driver_install() -> DriverInstallTable:
    """Give the whole table.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return parse_driver_install(read_table(TABLE))


def _is_one_of(systems: Sequence[Distribution], os_id: str | None, version: str | None) -> bool:
    return os_id is not None and any(system.fits(os_id, version) for system in systems)


def _reaches(branch: str, least: str) -> bool:
    """Whether a branch has drivers as new as the least one; those of R550 are called 550.x, whatever follows it."""
    return is_below(least, str(int(branch.removeprefix("R")) + 1)) is True
