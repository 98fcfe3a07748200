"""Ways on where TensorFlow does not use the GPU (``ways_on.toml``): ways, steps, what to type, images.

Which state a step has is found out in ``compat``; here stands only what it is called and what to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.way_on import StepAction, WayConfidence
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table, row_unusable

TABLE = "ways_on"
SHELLS = frozenset({"sh", "powershell"})
PLACES = frozenset({"here", "wsl"})


@dataclass(frozen=True, kw_only=True)
class ImageRow:
    """A container image with TensorFlow in it.

    Attributes:
        driver: Least driver branch, for Linux and for Windows alike.
        disk_bytes: Room it takes once unpacked, with some to spare.
        is_offered: It is the one a way leads to; others are only known by name.
    """

    id: str
    name: str
    tensorflow: str
    cuda: str
    driver: str
    download_bytes: int
    disk_bytes: int
    architectures: tuple[str, ...]
    is_offered: bool
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class WindowsFloor:
    """A build of Windows from which something is so."""

    id: str
    build: int
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class Vain:
    """What people try in vain where these ways are offered.

    Attributes:
        codes: Only where one of these stands in the way; empty is true of all.
    """

    id: str
    text: LocalText
    ways: tuple[str, ...]
    source: tuple[FactSource, ...]
    checked_on: str
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class WayRow:
    """One way.

    Attributes:
        steps: Ids of its steps, in their order.
        page_title: Title of a page led by this way; only for main ones.
    """

    id: str
    title: LocalText
    summary: LocalText
    confidence: WayConfidence
    is_main: bool
    steps: tuple[str, ...]
    source: tuple[FactSource, ...]
    checked_on: str
    leads_to: str | None = None
    page_title: LocalText | None = None


@dataclass(frozen=True, kw_only=True)
class StepRow:
    """One step of a way."""

    id: str
    name: LocalText
    source: tuple[FactSource, ...]
    checked_on: str
    needs: LocalText | None = None
    action: StepAction | None = None


@dataclass(frozen=True, kw_only=True)
class Deed:
    """What to do for a step in one situation.

    Attributes:
        runs_in: ``here``, or ``wsl`` for inside the distribution.
        minutes: About how long it takes.
    """

    id: str
    source: tuple[FactSource, ...]
    checked_on: str
    explanation: LocalText | None = None
    commands: tuple[str, ...] = ()
    shell: str = "sh"
    changes: LocalText | None = None
    minutes: float | None = None
    download_bytes: int | None = None
    runs_in: str = "here"


R = TypeVar("R", WayRow, StepRow, Deed, WindowsFloor)


@dataclass(frozen=True, kw_only=True)
class WayTable:
    """The whole table."""

    images: tuple[ImageRow, ...]
    floors: tuple[WindowsFloor, ...]
    vain: tuple[Vain, ...]
    ways: tuple[WayRow, ...]
    steps: tuple[StepRow, ...]
    deeds: tuple[Deed, ...]

    @property
    def offered_image(self) -> ImageRow:
        """The image that a way leads to."""
        return next(row for row in self.images if row.is_offered)

    def way(self, name: str) -> WayRow:
        """Give a way by id.

        Raises:
            KeyError: There is none.
        """
        return _one(self.ways, name)

    def step(self, name: str) -> StepRow:
        """Give a step by id.

        Raises:
            KeyError: There is none.
        """
        return _one(self.steps, name)

    def deed(self, name: str) -> Deed:
        """Give what to do by id.

        Raises:
            KeyError: There is none.
        """
        return _one(self.deeds, name)

    def build(self, name: str) -> int:
        """Give a build of Windows by id.

        Raises:
            KeyError: There is none.
        """
        return _one(self.floors, name).build


@cache
def load_ways() -> WayTable:
    """Give the table.

    Raises:
        UnusableFileError: It cannot be used.
    """
    data = read_table(TABLE)
    table = WayTable(
        images=read_rows(TABLE, data, "image", ImageRow),
        floors=read_rows(TABLE, data, "floor", WindowsFloor),
        vain=read_rows(TABLE, data, "vain", Vain),
        ways=read_rows(TABLE, data, "way", WayRow),
        steps=read_rows(TABLE, data, "step", StepRow),
        deeds=read_rows(TABLE, data, "deed", Deed),
    )
    _check(table)
    return table


def known_image(name: str) -> ImageRow | None:
    """Give the row of an image by its full name, None for one that is not known."""
    return next((row for row in load_ways().images if row.name == name.removeprefix("docker://")), None)


def _check(table: WayTable) -> None:
    for rows in (table.images, table.floors, table.vain, table.ways, table.steps, table.deeds):
        check_unique(TABLE, [row.id for row in rows])
    if sum(row.is_offered for row in table.images) != 1:
        raise row_unusable(TABLE, "image", "one image is offered")
    steps, ways = {row.id for row in table.steps}, {row.id for row in table.ways}
    for way in table.ways:
        if missing := [name for name in way.steps if name not in steps]:
            raise row_unusable(TABLE, way.id, f"unknown step {missing[0]}")
    for vain in table.vain:
        if missing := [name for name in vain.ways if name not in ways]:
            raise row_unusable(TABLE, vain.id, f"unknown way {missing[0]}")
    for deed in table.deeds:
        if deed.shell not in SHELLS or deed.runs_in not in PLACES:
            raise row_unusable(TABLE, deed.id, "unknown shell or place")


def _one(rows: tuple[R, ...], name: str) -> R:
    for row in rows:
        if row.id == name:
            return row
    raise KeyError(name)
