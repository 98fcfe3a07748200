"""Measures that give a training more memory instead of needing less: other programs, MIG slices, another card."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit, MemoryMeasure
from gpuconfig_app.core.units import GB, MIB
from gpuconfig_app.knowledge.catalogue import CatalogueGpu, load_catalogue
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.measure_ground import Ground, Way
from gpuconfig_app.planner.memory import DeviceMemory, card_memory, fit_of

# What other programs hold of a card is worth a word from here on.
NOTABLE_USE = 512 * MIB

# Cards that every current TensorFlow has machine code for: from Volta to Hopper. Newer ones are compiled for at the
# first start at best (tensorflow_releases.toml), so nobody is sent to buy one by us.
_FIRST_MAJOR, _LAST_MAJOR = 7, 9
_SEGMENTS = ("consumer", "workstation", "datacenter")


def other_programs(ground: Ground) -> MemoryMeasure | None:
    """End what else holds memory of the card."""
    used, usable = ground.device.used_bytes, ground.device.usable_bytes
    if used is None or usable is None or used < NOTABLE_USE:
        return None
    message = Message("measures.other-programs", {"used_bytes": used})
    return _more_room(ground, "other-programs", message, replace(ground.device, usable_bytes=usable + used))


def whole_card(ground: Ground) -> MemoryMeasure | None:
    """Take the whole card, or a larger slice of it, where a slice is planned."""
    if not ground.cards or ground.cards[0].slice is None:
        return None
    gpu = ground.cards[0].gpu
    whole = Card(replace(gpu, mig_enabled=False, mig_instances=(), memory_free_bytes=None, memory_used_bytes=None))
    total = whole.memory_total_bytes
    if total is None:
        return None
    device = card_memory(whole, ground.request.report.host.memory, ground.decisions.facts)
    message = Message("measures.whole-card", {"name": gpu.name or whole.name, "memory_bytes": total})
    return _more_room(ground, "whole-card", message, device, whole)


def larger_card(ground: Ground) -> MemoryMeasure | None:
    """Name the smallest card of the catalogue that holds the batch asked for, or twice the one that fits here.

    Of the kind that is here, unless none of that kind is large enough.
    """
    target = min(ground.wanted, 2 * ground.batch)
    if not ground.cards or ground.cards[0].slice is not None or (ground.fit is Fit.FITS and target == ground.batch):
        return None
    needed, here = ground.need(Way(), target).high, ground.cards[0]
    host, facts = ground.request.report.host.memory, ground.decisions.facts
    least = max(needed, here.memory_total_bytes or 0)
    offered = sorted((row for row in load_catalogue() if _is_offered(row, least)), key=_size_then_newest)
    segment = here.facts.segment if here.facts is not None else None
    for row in sorted(offered, key=lambda row: segment is not None and row.segment != segment):
        card = _card_of(row)
        device = card_memory(card, host, facts)
        if (device.usable_bytes or 0) >= needed:
            numbers: dict[str, str | int | float] = {"memory": f"{row.memory_gb:g}", "name": row.name}
            return _more_room(ground, "larger-card", Message("measures.larger-card", numbers), device, card)
    return None


def _more_room(
    ground: Ground, name: str, message: Message, device: DeviceMemory, card: Card | None = None
) -> MemoryMeasure | None:
    """Put a measure together that gives more memory; None when it gives none."""
    more = (device.usable_bytes or 0) - (ground.device.usable_bytes or 0)
    if more <= 0:
        return None
    batch = ground.safe_size(Way(), device)
    return ground.made(
        MemoryMeasure(
            id=name,
            message=message,
            saved_bytes=more,
            total=ground.total,
            fit=fit_of(ground.total, device.usable_bytes),
            batch=batch,
            time_factor=ground.time_factor(Way(), batch, card),
        )
    )


def _is_offered(row: CatalogueGpu, more_than_bytes: float) -> bool:
    if row.vendor is not Vendor.NVIDIA or row.segment not in _SEGMENTS or row.compute_capability is None:
        return False
    is_current = _FIRST_MAJOR <= int(row.compute_capability.split(".")[0]) <= _LAST_MAJOR
    return is_current and row.memory_gb * GB > more_than_bytes


def _size_then_newest(row: CatalogueGpu) -> tuple[float, int, str]:
    return (row.memory_gb, -(row.release_year or 0), row.id)


def _card_of(row: CatalogueGpu) -> Card:
    return Card(Gpu(index=0, vendor=row.vendor, name=row.driver_name or row.name, catalogue_id=row.id))
