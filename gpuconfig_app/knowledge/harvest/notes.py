"""What people add to the harvested tables (``tensorflow_notes.toml``): remarks and judgements, never overwritten."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table

TABLE = "tensorflow_notes"
EVERY_SERIES = "*"


@dataclass(frozen=True, kw_only=True)
class ReleaseNote:
    """A remark on a series on a platform.

    Attributes:
        series: ``*`` for all that have none of their own.
        cudnn_min: Least cuDNN where the wheel tells only its major version.
    """

    series: str
    platform: str
    note: LocalText
    source: tuple[FactSource, ...]
    checked_on: str
    cudnn_min: str | None = None


@dataclass(frozen=True, kw_only=True)
class PackageNote:
    """What another package is good for."""

    id: str
    state: LocalText
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class Notes:
    """All remarks."""

    releases: tuple[ReleaseNote, ...]
    packages: tuple[PackageNote, ...]

    def of_release(self, series: str, platform: str) -> ReleaseNote | None:
        """Give the remark on a series, else that on its platform; None when there is neither."""
        rows = [row for row in self.releases if row.platform == platform and row.series in {series, EVERY_SERIES}]
        return max(rows, key=lambda row: row.series != EVERY_SERIES, default=None)


def load_notes() -> Notes:
    """Read the shipped remarks.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    data = read_table(TABLE)
    releases = read_rows(TABLE, data, "note", ReleaseNote)
    packages = read_rows(TABLE, data, "package", PackageNote)
    check_unique(TABLE, [f"{row.series} {row.platform}" for row in releases])
    check_unique(TABLE, [row.id for row in packages])
    return Notes(releases=releases, packages=packages)
