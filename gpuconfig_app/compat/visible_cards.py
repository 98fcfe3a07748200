"""Which cards CUDA shows to a process: what ``CUDA_VISIBLE_DEVICES`` means, as the CUDA driver reads it.

Entries are read up to the first one that names no card; everything behind it is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig_app.core.gpu import Gpu

VARIABLE = "CUDA_VISIBLE_DEVICES"


def visible_cards(value: str | None, gpus: Sequence[Gpu], *, has_real_uuids: bool = True) -> tuple[int, ...] | None:
    """Give the indexes of the cards that stay visible.

    Args:
        value: Content of the variable, None when it is not set.
        gpus: Cards in PCI order.
        has_real_uuids: False for a recorded machine, whose UUIDs are stand-ins.

    Returns:
        None when it cannot be told, because the variable names UUIDs that were hidden.
    """
    if value is None:
        return tuple(gpu.index for gpu in gpus)
    chosen: list[int] = []
    for entry in value.split(","):
        text = entry.strip()
        index = _card_of(text, gpus)
        if index is None:
            if text.upper().startswith(("GPU-", "MIG-")) and not has_real_uuids:
                return None
            break
        if index not in chosen:
            chosen.append(index)
    return tuple(chosen)


def _card_of(entry: str, gpus: Sequence[Gpu]) -> int | None:
    """Give the card an entry names: an index, or a UUID that may be cut short; None when it names none."""
    if entry.isdigit():
        return gpus[int(entry)].index if int(entry) < len(gpus) else None
    if not entry.upper().startswith(("GPU-", "MIG-")):
        return None
    for gpu in gpus:
        uuids = [gpu.uuid, *(part.uuid for part in gpu.mig_instances)]
        if any(uuid is not None and uuid.lower().startswith(entry.lower()) for uuid in uuids):
            return gpu.index
    return None
