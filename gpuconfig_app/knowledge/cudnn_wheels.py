"""Capabilities whose code the cuDNN wheels hold that pip takes for TensorFlow (``cudnn_wheels.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_newest, read_rows

TABLE = "cudnn_wheels"


@dataclass(frozen=True, kw_only=True)
class CudnnRelease:
    """Capabilities whose code one cuDNN wheel holds.

    Attributes:
        package: ``nvidia-cudnn-cu12``.
        capabilities: With machine code in the libraries that every operation goes through.
        ptx: Target that newer cards compile, ``sm_120f`` for one family; None when there is none.
        wheel: File that was read, with ``wheel_sha256``.
    """

    package: str
    version: str
    capabilities: tuple[str, ...]
    source: tuple[FactSource, ...]
    checked_on: str
    ptx: str | None = None
    wheel: str | None = None
    wheel_sha256: str | None = None


def parse_cudnn_wheels(data: Mapping[str, JsonValue]) -> tuple[CudnnRelease, ...]:
    """Turn the table into rows, sorted by package and version.

    Raises:
        UnusableFileError: A row cannot be used, holds no capability, or a wheel occurs twice.
    """
    rows = read_rows(TABLE, data, "cudnn", CudnnRelease)
    check_unique(TABLE, [f"{row.package} {row.version}" for row in rows])
    return rows


@cache
def load_cudnn_wheels() -> tuple[CudnnRelease, ...]:
    """Give every wheel that was read.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return read_newest(TABLE, parse_cudnn_wheels)
