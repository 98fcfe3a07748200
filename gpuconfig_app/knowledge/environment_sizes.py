"""How much a fresh TensorFlow environment downloads and takes (``environment_sizes.toml``), for when no index tells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from gpuconfig_app.core.versions import release_series
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table

TABLE = "environment_sizes"


@dataclass(frozen=True, kw_only=True)
class EnvironmentSize:
    """One release on one platform, with or without the CUDA libraries.

    Attributes:
        libraries: ``and-cuda``, or ``none``.
        packages: How many are installed.
        download_bytes: Of all wheels together on the day it was read; newer packages differ by some percent.
        disk_bytes: Of the unpacked wheels, None when it was not measured.
    """

    series: str
    platform: str
    libraries: str
    packages: int
    download_bytes: int
    source: tuple[FactSource, ...]
    checked_on: str
    disk_bytes: int | None = None


@cache
def load_environment_sizes() -> tuple[EnvironmentSize, ...]:
    """Give every row.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    rows = read_rows(TABLE, read_table(TABLE), "size", EnvironmentSize)
    check_unique(TABLE, [f"{row.series} {row.platform} {row.libraries}" for row in rows])
    return rows


def find_environment_size(version: str, platform: str, *, with_cuda: bool) -> EnvironmentSize | None:
    """Give the row of a release, None when there is none."""
    series, libraries = release_series(version), "cuda" if with_cuda else "none"
    rows = (row for row in load_environment_sizes() if row.platform == platform and row.libraries == libraries)
    return next((row for row in rows if row.series == series), None)


def unpacking_factor(*, with_cuda: bool) -> float | None:
    """Give how much larger the wheels of such an environment are unpacked, from the rows that were measured."""
    libraries = "cuda" if with_cuda else "none"
    measured = [row for row in load_environment_sizes() if row.libraries == libraries and row.disk_bytes is not None]
    factors = [(row.disk_bytes or 0) / row.download_bytes for row in measured]
    return max(factors) if factors else None
