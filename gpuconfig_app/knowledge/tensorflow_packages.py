"""Other packages around TensorFlow with their state (``tensorflow_packages.toml``): plug-ins, other makers' builds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_newest, read_rows

TABLE = "tensorflow_packages"


@dataclass(frozen=True, kw_only=True)
class TensorflowPackage:
    """One package.

    Attributes:
        id: Name on the package index.
        version: Newest version there.
        released_on: ISO day of its first file, None when the index does not tell.
        python: Python series with a wheel of that version; empty when it has no wheel tied to one.
        platforms: Words as in the release table; empty likewise.
        requires: The TensorFlow packages it asks for, with bounds, as declared.
        state: What that means for a user.
    """

    id: str
    version: str
    state: LocalText
    source: tuple[FactSource, ...]
    checked_on: str
    released_on: str | None = None
    python: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()


def parse_packages(data: Mapping[str, JsonValue]) -> tuple[TensorflowPackage, ...]:
    """Turn the table into rows, sorted by name.

    Raises:
        UnusableFileError: A row cannot be used, or a package occurs twice.
    """
    rows = read_rows(TABLE, data, "package", TensorflowPackage)
    check_unique(TABLE, [row.id for row in rows])
    return rows


@cache
def load_packages() -> tuple[TensorflowPackage, ...]:
    """Give every package.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return read_newest(TABLE, parse_packages)
