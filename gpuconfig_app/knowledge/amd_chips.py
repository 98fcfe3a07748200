"""AMD chips (``amd_chips.toml``): compiler target of a card that can't be asked, by its code name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from gpuconfig_app.knowledge.pci_ids import load_pci_ids
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table

TABLE = "amd_chips"


@dataclass(frozen=True, kw_only=True)
class AmdChip:
    """Chips of one compiler target.

    Attributes:
        target: ``gfx1031``.
        chips: Code names, ``Navi 22``.
    """

    target: str
    architecture: str
    chips: tuple[str, ...]
    source: tuple[FactSource, ...]
    checked_on: str


@cache
def load_amd_chips() -> tuple[AmdChip, ...]:
    """Give every row.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    rows = read_rows(TABLE, read_table(TABLE), "chip", AmdChip)
    check_unique(TABLE, [chip for row in rows for chip in row.chips])
    return rows


def amd_chip(pci_id: str | None, name: str | None) -> AmdChip | None:
    """Give the chip of a card, by its PCI id, else by a name that holds the list's whole entry; None when not listed.

    Args:
        pci_id: ``1002:73df``.
        name: As AMD's tools write it, ``Navi 22 [Radeon RX 6700/6700 XT / 6800M]``.
    """
    entry = load_pci_ids().get(pci_id.lower()) if pci_id else None
    text = entry.text if entry is not None else (name or "")
    words = text.partition("[")[0].replace("/", " ").split()
    return next((row for row in load_amd_chips() for chip in row.chips if _begins(words, chip)), None)


def _begins(words: list[str], chip: str) -> bool:
    wanted = chip.split()
    return words[: len(wanted)] == wanted
