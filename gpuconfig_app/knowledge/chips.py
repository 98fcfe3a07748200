"""NVIDIA chips (``chips.toml``): compute capability of a card that cannot be asked, by the chip its PCI id names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table

TABLE = "chips"


@dataclass(frozen=True, kw_only=True)
class ChipFamily:
    """Chips of one compute capability.

    Attributes:
        chips: ``AD102``, ``AD103`` …
        products: Names without the maker, of cards that the PCI list does not have.
    """

    compute_capability: str
    architecture: str
    chips: tuple[str, ...]
    source: tuple[FactSource, ...]
    checked_on: str
    products: tuple[str, ...] = ()


def parse_chips(data: Mapping[str, JsonValue]) -> tuple[ChipFamily, ...]:
    """Turn the table into rows.

    Raises:
        UnusableFileError: A row cannot be used or a chip occurs twice.
    """
    rows = read_rows(TABLE, data, "chip", ChipFamily)
    check_unique(TABLE, [chip for row in rows for chip in row.chips])
    return rows


@cache
def load_chips() -> tuple[ChipFamily, ...]:
    """Give every family of chips.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return parse_chips(read_table(TABLE))


def chip_family(chip: str) -> ChipFamily | None:
    """Give the family of ``AD102``, None when the chip is not listed."""
    return next((row for row in load_chips() if chip in row.chips), None)


def family_of_product(product: str) -> ChipFamily | None:
    """Give the family of ``GeForce RTX 5070 Laptop GPU``, None when it is not listed by its name."""
    wanted = product.lower()
    return next((row for row in load_chips() if any(name.lower() == wanted for name in row.products)), None)
