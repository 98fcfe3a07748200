"""The batch of one replica: the largest that surely fits, as far as data, host memory, failures and sense allow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit
from gpuconfig_app.core.workload import Precision, Workload
from gpuconfig_app.planner.largest_batch import GRAIN, FailedSize, largest_fitting, rounded, safe_batch
from gpuconfig_app.planner.memory import DeviceMemory, StepMemory
from gpuconfig_app.planner.network import MLP, SMALL_CNN

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

# Where nothing is known of the memory.
USUAL_BATCH = 32

# Networks without batch normalisation: fully connected ones of ours, and ConvNeXt, which normalises by layer.
_WITHOUT_BATCH_NORM = frozenset({MLP, "convnext_tiny"})


@dataclass(frozen=True, kw_only=True)
class BatchChoice:
    """Batch of one replica, and how many batches make one update.

    Attributes:
        failed: Sizes that ran out of memory here and still count.
    """

    per_replica: int
    reason: Message
    is_requested: bool = False
    accumulation: int = 1
    accumulation_reason: Message
    is_accumulation_requested: bool = False
    failed: tuple[FailedSize, ...] = ()
    warnings: tuple[Message, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Size:
    """A batch and why."""

    batch: int
    reason: Message
    warnings: tuple[Message, ...] = ()


def choose_batch(
    workload: Workload,
    memory: StepMemory | None,
    device: DeviceMemory,
    replicas: int,
    host_bytes: int | None,
    *,
    has_cards: bool,
    has_tensor_cores: bool = False,
    failed: Sequence[FailedSize] = (),
) -> BatchChoice:
    """Choose the batch of one replica and the number of batches for one update.

    Args:
        failed: Sizes of this job that ran out of memory on such a card; every size chosen stays clear of them.
    """
    requested = workload.requests.per_replica_batch
    if requested is not None:
        found = _Size(
            batch=requested,
            reason=Message("planner.batch-requested"),
            warnings=tuple(_warnings_for(requested, workload, memory, device, failed)),
        )
    else:
        limit = sensible_limit(workload, replicas, host_bytes, has_cards=has_cards)
        found = _own_size(memory, device, limit, failed, in_blocks=has_tensor_cores)
    accumulation, why, is_requested = _accumulation(workload, found.batch, replicas)
    return BatchChoice(
        per_replica=found.batch,
        reason=found.reason,
        is_requested=requested is not None,
        accumulation=accumulation,
        accumulation_reason=why,
        is_accumulation_requested=is_requested,
        failed=tuple(failed),
        warnings=found.warnings,
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
    # The scripts read the batches of one update at once, so all of them count for data and host memory.
    parts = replicas * (workload.requests.accumulation_steps or 1)
    count = workload.sample_count
    if count is not None:
        together = max(DATA_MINIMUM * parts, count // UPDATES_IN_EPOCH)
        size = max(1, min(together, count) // parts)
        updates = math.ceil(count / (rounded(size) * parts))
        limits.append((size, Message("planner.batch-data", {"count": count, "updates": updates})))
    sample = 4 * math.prod(workload.input_shape)
    if host_bytes is not None and sample:
        size = max(1, int(host_bytes * HOST_SHARE) // (BATCHES_IN_FLIGHT * sample * parts))
        limits.append((size, Message("planner.batch-host", {"host_bytes": host_bytes})))
    return min(limits, key=lambda item: item[0])


def likely_batch(workload: Workload, host_bytes: int | None, *, has_cards: bool) -> int:
    """Give the batch of one card before its memory is looked at: as asked for, or as data and sense allow."""
    requested = workload.requests.per_replica_batch
    return requested or rounded(sensible_limit(workload, 1, host_bytes, has_cards=has_cards)[0])


def _own_size(
    memory: StepMemory | None,
    device: DeviceMemory,
    limit: tuple[int, Message],
    failed: Sequence[FailedSize],
    *,
    in_blocks: bool,
) -> _Size:
    """Choose the size: the smallest of what sense, memory and earlier failures allow."""
    most, limit_reason = limit
    if memory is None:
        return _Size(batch=rounded(min(most, USUAL_BATCH)), reason=Message("planner.batch-unknown-network"))
    if device.usable_bytes is None:
        most = min(most, USUAL_BATCH)
        limit_reason = Message("planner.batch-unknown-memory")
    fitting = largest_fitting(memory, device, most)
    if fitting is None:
        return _none_fits("planner.batch-one-may-fail", "planner.warning-no-batch-fits")
    size = safe_batch(memory, device, failed, most)
    if size is None:
        return _none_fits("planner.batch-one-failed", "planner.warning-one-failed")
    if size < fitting:
        smallest = min(failed, key=lambda item: item.batch)
        return _Size(batch=size, reason=Message("planner.batch-failed-before", {"failed": smallest.batch}))
    if size == rounded(most) or device.usable_bytes is None:
        return _Size(batch=size, reason=limit_reason)
    high = memory.predict(size, device).total.high
    is_block = in_blocks and size >= GRAIN and memory.precision is not Precision.FLOAT32
    name = "planner.batch-memory-blocks" if is_block else "planner.batch-memory"
    return _Size(batch=size, reason=Message(name, {"high_bytes": int(high), "usable_bytes": device.usable_bytes}))


def _none_fits(reason: str, warning: str) -> _Size:
    return _Size(batch=1, reason=Message(reason), warnings=(Message(warning),))


def _warnings_for(
    requested: int,
    workload: Workload,
    memory: StepMemory | None,
    device: DeviceMemory,
    failed: Sequence[FailedSize],
) -> list[Message]:
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
        same = [item.batch for item in failed if item.precision is memory.precision and item.batch <= requested]
        if same:
            params = {"batch": requested, "failed": min(same)}
            warnings.append(Message("planner.warning-batch-failed-before", params))
    if workload.sample_count is not None and requested > workload.sample_count:
        warnings.append(
            Message("planner.warning-batch-above-data", {"batch": requested, "count": workload.sample_count})
        )
    return warnings


def _accumulation(workload: Workload, size: int, replicas: int) -> tuple[int, Message, bool]:
    """Collect gradients when the user asks for it, or when memory forces a batch too small for a steady update."""
    requested = workload.requests.accumulation_steps
    together = size * replicas
    seen = seen_by_normalisation(workload, size, replicas)
    if requested is not None and requested > 1 and seen is not None:
        return requested, Message("planner.accumulation-requested-norm", {"seen": seen}), True
    if requested is not None:
        return requested, Message("planner.accumulation-requested"), True
    enough = workload.sample_count is None or workload.sample_count >= UPDATES_IN_EPOCH * WANTED_TOGETHER
    is_image = workload.task.startswith("image")
    if together < WANTED_TOGETHER // 2 and enough and is_image and workload.requests.per_replica_batch is None:
        steps = math.ceil(WANTED_TOGETHER / together)
        numbers = {"together": together, "steps": steps}
        if seen is None:
            return steps, Message("planner.accumulation-small-batch", numbers), False
        return steps, Message("planner.accumulation-small-batch-norm", numbers | {"seen": seen}), False
    return 1, Message("planner.accumulation-off", {"together": together}), False


def seen_by_normalisation(workload: Workload, size: int, replicas: int) -> int | None:
    """Give the samples that batch normalisation sees at once, which accumulation does not change; None without it.

    The scripts' own networks join it over several cards (``synchronized=True``), ready-made ones do not.
    """
    if workload.model_id in _WITHOUT_BATCH_NORM:
        return None
    return size * replicas if workload.model_id == SMALL_CNN else size
