"""The batch of one replica: the largest that surely fits, as far as data, host memory and sense allow."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.planner.memory import DeviceMemory, StepMemory

GRAIN = 8
SMALL = (4, 2, 1)

# A card is busy well below these; larger batches add little speed and cost updates.
IMAGE_LIMIT = 256
TABLE_LIMIT = 1024
PROCESSOR_IMAGE_LIMIT = 32

# An epoch should have so many updates, as long as the batch stays at least so large.
UPDATES_IN_EPOCH = 50
DATA_MINIMUM = 16

# Batches in flight in host memory (two prefetched, one read, one on its way) may take this part of it.
BATCHES_IN_FLIGHT = 4
HOST_SHARE = 0.25

# Fewer samples for one update make its direction noisy; missing ones are collected over several batches.
WANTED_TOGETHER = 32

_SEARCH_LIMIT = 1 << 16


@dataclass(frozen=True, kw_only=True)
class BatchChoice:
    """Batch of one replica, and how many batches make one update."""

    per_replica: int
    reason: Message
    is_requested: bool = False
    accumulation: int = 1
    accumulation_reason: Message
    is_accumulation_requested: bool = False
    warnings: tuple[Message, ...] = ()


def largest_fitting(memory: StepMemory, device: DeviceMemory, limit: int = _SEARCH_LIMIT) -> int | None:
    """Give the largest batch whose whole interval lies below what is usable: a multiple of eight, or 4, 2, 1.

    Returns:
        None when not even one sample fits, ``limit`` rounded down when the device's memory is not known.
    """
    low, high = 0, max(0, limit // GRAIN)
    if device.usable_bytes is None:
        return rounded(limit)
    while low < high:
        middle = (low + high + 1) // 2
        if memory.predict(middle * GRAIN, device).fit is Fit.FITS:
            low = middle
        else:
            high = middle - 1
    if low > 0:
        return low * GRAIN
    return next((size for size in SMALL if size <= limit and memory.predict(size, device).fit is Fit.FITS), None)


def rounded(size: int) -> int:
    """Round a batch down to a multiple of eight, or to 4, 2 or 1."""
    if size >= GRAIN:
        return size // GRAIN * GRAIN
    return next((small for small in SMALL if small <= size), 1)


def choose_batch(
    workload: Workload,
    memory: StepMemory | None,
    device: DeviceMemory,
    replicas: int,
    host_bytes: int | None,
    *,
    has_cards: bool,
) -> BatchChoice:
    """Choose the batch of one replica and the number of batches for one update."""
    limit, limit_reason = sensible_limit(workload, replicas, host_bytes, has_cards=has_cards)
    requested = workload.requests.per_replica_batch
    fitting = None if memory is None else largest_fitting(memory, device, limit)
    warnings: list[Message] = []
    if requested is not None:
        size, reason = requested, Message("planner.batch-requested")
        warnings += _warnings_for(requested, workload, memory, device)
    elif memory is None:
        size = rounded(min(limit, 32))
        reason = Message("planner.batch-unknown-network")
    elif fitting is None:
        size, reason = 1, Message("planner.batch-one-may-fail")
        warnings.append(Message("planner.warning-no-batch-fits"))
    elif device.usable_bytes is None:
        size = rounded(min(limit, 32))
        reason = Message("planner.batch-unknown-memory")
    elif fitting < rounded(limit):
        size = fitting
        high = memory.predict(size, device).total.high
        reason = Message(
            "planner.batch-memory",
            {"high_bytes": int(high), "usable_bytes": device.usable_bytes},
        )
    else:
        size, reason = rounded(limit), limit_reason
    accumulation, why, is_requested = _accumulation(workload, size, replicas)
    return BatchChoice(
        per_replica=size,
        reason=reason,
        is_requested=requested is not None,
        accumulation=accumulation,
        accumulation_reason=why,
        is_accumulation_requested=is_requested,
        warnings=tuple(warnings),
    )


def sensible_limit(
    workload: Workload, replicas: int, host_bytes: int | None, *, has_cards: bool
) -> tuple[int, Message]:
    """Give the largest sensible batch of one replica and what sets it."""
    is_image = workload.task.startswith("image")
    image_limit = IMAGE_LIMIT if has_cards else PROCESSOR_IMAGE_LIMIT
    largest = image_limit if is_image else TABLE_LIMIT
    name = "planner.batch-busy" if has_cards else "planner.batch-processor"
    limits = [(largest, Message(name, {"limit": largest}))]
    count = workload.sample_count
    if count is not None:
        together = max(DATA_MINIMUM * replicas, count // UPDATES_IN_EPOCH)
        size = max(1, min(together, count) // replicas)
        updates = math.ceil(count / (rounded(size) * replicas))
        limits.append((size, Message("planner.batch-data", {"count": count, "updates": updates})))
    sample = 4 * math.prod(workload.input_shape)
    if host_bytes is not None and sample:
        size = max(1, int(host_bytes * HOST_SHARE) // (BATCHES_IN_FLIGHT * sample * replicas))
        limits.append((size, Message("planner.batch-host", {"host_bytes": host_bytes})))
    return min(limits, key=lambda item: item[0])


def likely_batch(workload: Workload, host_bytes: int | None, *, has_cards: bool) -> int:
    """Give the batch of one card before its memory is looked at: as asked for, or as data and sense allow."""
    requested = workload.requests.per_replica_batch
    return requested or rounded(sensible_limit(workload, 1, host_bytes, has_cards=has_cards)[0])


def _warnings_for(requested: int, workload: Workload, memory: StepMemory | None, device: DeviceMemory) -> list[Message]:
    warnings = []
    if memory is not None:
        predicted = memory.predict(requested, device)
        if predicted.fit in (Fit.TOO_BIG, Fit.MAY_FAIL) and device.usable_bytes is not None:
            name = "planner.warning-batch-too-big" if predicted.fit is Fit.TOO_BIG else "planner.warning-batch-may-fail"
            params = {
                "batch": requested,
                "low_bytes": int(predicted.total.low),
                "high_bytes": int(predicted.total.high),
                "usable_bytes": device.usable_bytes,
            }
            warnings.append(Message(name, params))
    if workload.sample_count is not None and requested > workload.sample_count:
        warnings.append(
            Message("planner.warning-batch-above-data", {"batch": requested, "count": workload.sample_count})
        )
    return warnings


def _accumulation(workload: Workload, size: int, replicas: int) -> tuple[int, Message, bool]:
    """Collect gradients when the user asks for it, or when memory forces a batch too small for a steady update."""
    requested = workload.requests.accumulation_steps
    together = size * replicas
    if requested is not None:
        return requested, Message("planner.accumulation-requested"), True
    enough = workload.sample_count is None or workload.sample_count >= UPDATES_IN_EPOCH * WANTED_TOGETHER
    is_image = workload.task.startswith("image")
    if together < WANTED_TOGETHER // 2 and enough and is_image and workload.requests.per_replica_batch is None:
        steps = math.ceil(WANTED_TOGETHER / together)
        return steps, Message("planner.accumulation-small-batch", {"together": together, "steps": steps}), False
    return 1, Message("planner.accumulation-off", {"together": together}), False
