"""Targets of AMD cards that TensorFlow builds for ROCm are made for (``rocm.toml``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table

TABLE = "rocm"


@dataclass(frozen=True, kw_only=True)
class RocmTarget:
    """One compiler target, ``gfx1100``."""

    target: str
    source: tuple[FactSource, ...]
    checked_on: str


@cache
def load_rocm_targets() -> tuple[RocmTarget, ...]:
    """Give every target, sorted by name.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    rows = read_rows(TABLE, read_table(TABLE), "target", RocmTarget)
    check_unique(TABLE, [row.target for row in rows])
    return rows


def is_rocm_target(target: str) -> bool:
    """Whether builds are made for this target."""
    return any(row.target == target for row in load_rocm_targets())
