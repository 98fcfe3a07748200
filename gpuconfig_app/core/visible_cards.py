"""Which cards CUDA shows to a process: what ``CUDA_VISIBLE_DEVICES`` means, as the CUDA driver reads it.

Entries are read up to the first one that names no card; everything behind it is ignored. Three things make an index
mean something else than the card's number here: CUDA counts the fastest card first unless it is told to count by PCI
address, it counts only a sliced card's first slice when there is one, and a recorded machine's UUIDs are stand-ins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpuconfig_app.core.gpu import Gpu

VARIABLE = "CUDA_VISIBLE_DEVICES"
ORDER_VARIABLE = "CUDA_DEVICE_ORDER"
PCI_ORDER = "PCI_BUS_ID"
_WHOLE_UUID = re.compile(r"(?:GPU|MIG)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def visible_cards(
    value: str | None, gpus: Sequence[Gpu], *, has_real_uuids: bool = True, is_in_pci_order: bool = False
) -> tuple[int, ...] | None:
    """Give the indexes of the cards that stay visible.

    Args:
        value: Content of the variable, None when it is not set.
        gpus: Cards in PCI order.
        has_real_uuids: False for a recorded machine, whose UUIDs are stand-ins: a shortened one cannot be told.
        is_in_pci_order: CUDA was told to count by PCI address.

    Returns:
        None when it cannot be told: hidden UUIDs, or an index among unlike cards that CUDA sorts by speed.
    """
    if value is None:
        return tuple(gpu.index for gpu in gpus)
    counted = _counted(gpus)
    chosen: list[int] = []
    for entry in value.split(","):
        text = entry.strip()
        if _is_index(text):
            index = counted[int(text)].index if int(text) < len(counted) else None
            if index is not None and len(counted) > 1 and not is_in_pci_order and _are_unlike(counted):
                return None
        else:
            index = _named_card(text, gpus)
        if index is None:
            if _is_hidden(text) and not has_real_uuids:
                return None
            break
        if index not in chosen:
            chosen.append(index)
    return tuple(chosen)


def _counted(gpus: Sequence[Gpu]) -> Sequence[Gpu]:
    """Give the cards that have an index for CUDA: with a sliced card among them, only the first such one."""
    sliced = [gpu for gpu in gpus if gpu.mig_enabled and gpu.mig_instances]
    return sliced[:1] or gpus


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _are_unlike(gpus: Sequence[Gpu]) -> bool:
    return len({(gpu.name, gpu.compute_capability) for gpu in gpus}) > 1


def _is_hidden(text: str) -> bool:
    """Whether an entry is a UUID that may be one behind a stand-in; a whole one was given its stand-in too."""
    return text.upper().startswith(("GPU-", "MIG-")) and not _WHOLE_UUID.fullmatch(text)


def _named_card(entry: str, gpus: Sequence[Gpu]) -> int | None:
    """Give the card a UUID names, which may be cut short; None when it names none."""
    if not entry.upper().startswith(("GPU-", "MIG-")):
        return None
    for gpu in gpus:
        uuids = [gpu.uuid, *(part.uuid for part in gpu.mig_instances)]
        if any(uuid is not None and uuid.lower().startswith(entry.lower()) for uuid in uuids):
            return gpu.index
    return None
