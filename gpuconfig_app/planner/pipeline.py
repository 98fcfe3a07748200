"""tf.data settings from what the machine has: processor threads, memory below a container's limit, kind of disk."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import PurePath

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.disk_speed import DiskSpeed
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import InputPlan
from gpuconfig_app.core.system import Disk, DiskKind, HostInfo
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.knowledge.models import TrainingFacts
from gpuconfig_app.planner.memory import host_memory

# More threads than these only fight for the memory bus; a turning disk is slower with many readers.
MOST_READERS = 32
DISK_READERS = {DiskKind.HDD: 4, DiskKind.NETWORK: 16}

MEMORY_CACHE_SHARE = 0.5
DISK_CACHE_FACTOR = 1.5
SHUFFLE_SHARE = 0.1
LARGEST_SHUFFLE = 10_000
UNKNOWN_SHUFFLE = 1_000
PREFETCH_BATCHES = 2

_FAST_DISKS = (DiskKind.NVME, DiskKind.SSD, DiskKind.MEMORY)
# What no turning disk and no gigabit network reaches: from here on a cache on disk beats decoding anew.
FAST_BYTES_PER_S = 250e6


@dataclass(frozen=True, kw_only=True)
class PipelineChoice:
    """Input settings with a reason for each.

    Attributes:
        cache_bytes: What the cache will hold, None when not known.
    """

    plan: InputPlan
    readers_reason: Message
    cache_reason: Message
    shuffle_reason: Message
    cache_bytes: int | None = None
    is_cache_requested: bool = False
    warnings: tuple[Message, ...] = ()


@dataclass(frozen=True, kw_only=True)
class InputTime:
    """How long the input of one update takes, by what it takes; None where it is not known or not needed.

    Attributes:
        decode_s: Decoding on all reading threads.
        read_s: Reading the files from where they lie.
    """

    decode_s: float | None = None
    read_s: float | None = None

    @property
    def longest_s(self) -> float | None:
        """What sets the pace: both go on side by side."""
        return max((item for item in (self.decode_s, self.read_s) if item is not None), default=None)

    @property
    def is_reading(self) -> bool:
        """Whether reading sets the pace."""
        return self.read_s is not None and self.read_s > (self.decode_s or 0.0)


def choose_pipeline(
    workload: Workload, host: HostInfo, global_batch: int, speed: DiskSpeed | None = None
) -> PipelineChoice:
    """Choose readers, cache and shuffle buffer.

    Args:
        speed: How fast the data were read, None when that was not measured.
    """
    disk = disk_of(host.disks, workload.data_path)
    available = host_memory(host.memory)
    readers, readers_reason = _readers(workload, host, disk)
    need = None
    if workload.sample_count is not None and workload.decoded_sample_bytes is not None:
        need = workload.sample_count * workload.decoded_sample_bytes
    cache, cache_reason = _cache(workload, need, available, disk, host.memory.limit_bytes is not None, speed)
    requested = workload.requests.cache
    warnings: tuple[Message, ...] = ()
    if requested is not None:
        if requested == "memory" and need is not None and available is not None and need > available:
            warnings = (Message("planner.warning-cache", {"need_bytes": need, "available_bytes": available}),)
        cache, cache_reason = requested, Message("planner.cache-requested")
    shuffle, shuffle_reason = _shuffle(workload, available, global_batch)
    return PipelineChoice(
        plan=InputPlan(parallel_calls=readers, prefetch_batches=PREFETCH_BATCHES, cache=cache, shuffle_buffer=shuffle),
        readers_reason=readers_reason,
        cache_reason=cache_reason,
        shuffle_reason=shuffle_reason,
        cache_bytes=need,
        is_cache_requested=requested is not None,
        warnings=warnings,
    )


def disk_of(disks: tuple[Disk, ...], path: str | None) -> Disk | None:
    """Give the disk that holds a path: the one whose mount point is the longest beginning of it."""
    if path is None:
        return disks[0] if len(disks) == 1 else None
    wanted = os.path.normcase(path)

    def holds(disk: Disk) -> bool:
        mount = os.path.normcase(disk.mount)
        return wanted == mount or (bool(mount) and PurePath(wanted).is_relative_to(mount))

    return max((disk for disk in disks if holds(disk)), key=lambda disk: len(disk.mount), default=None)


def decode_time(
    workload: Workload, image_size: tuple[int, int, int] | None, readers: int, batch: int, facts: TrainingFacts
) -> float | None:
    """Estimate how long the processor decodes the pictures of one batch; None for tables and unknown sizes."""
    if image_size is None or not workload.task.startswith("image") or readers < 1:
        return None
    return image_size[0] * image_size[1] * batch / (facts.number("decode-pixels-per-s") * readers)


def input_time(
    workload: Workload,
    dataset: DatasetFacts | None,
    host: HostInfo,
    plan: InputPlan,
    global_batch: int,
    facts: TrainingFacts,
) -> InputTime:
    """Estimate how long the input of one update takes; nothing once a cache holds what is decoded.

    Reading counts only where it was measured, and not where the files all fit the memory that is free: from the second
    epoch on the operating system has them.
    """
    if plan.cache != "none" or dataset is None:
        return InputTime()
    decode_s = decode_time(workload, dataset.image_size, plan.parallel_calls, global_batch, facts)
    read_s = None
    available, total = host_memory(host.memory), dataset.total_bytes
    stays_in_memory = available is not None and total is not None and total <= available * MEMORY_CACHE_SHARE
    is_read_each_time = workload.task.startswith("image") and not stays_in_memory
    if dataset.disk_speed is not None and is_read_each_time:
        read_s = dataset.disk_speed.read_s(global_batch, workload.sample_bytes)
    return InputTime(decode_s=decode_s, read_s=read_s)


def _readers(workload: Workload, host: HostInfo, disk: Disk | None) -> tuple[int, Message]:
    if not workload.task.startswith("image"):
        return 0, Message("planner.readers-table")
    threads = host.cpu.usable_threads or host.cpu.logical_cores
    if threads is None:
        return 0, Message("planner.readers-unknown")
    kind = disk.kind if disk is not None else None
    most = DISK_READERS.get(kind, MOST_READERS) if kind is not None else MOST_READERS
    if threads > most:
        name = "planner.readers-disk" if most < MOST_READERS else "planner.readers-most"
        return most, Message(name, {"readers": most, "threads": threads})
    return max(1, threads), Message("planner.readers-threads", {"threads": threads})


def _cache(
    workload: Workload,
    need: int | None,
    available: int | None,
    disk: Disk | None,
    has_limit: bool,
    speed: DiskSpeed | None,
) -> tuple[str, Message]:
    if need is None or available is None:
        return "none", Message("planner.cache-unknown")
    params = {"need_bytes": need, "available_bytes": available}
    if need <= available * MEMORY_CACHE_SHARE:
        name = "planner.cache-memory-limit" if has_limit else "planner.cache-memory"
        return "memory", Message(name, params)
    if not workload.task.startswith("image"):
        return "none", Message("planner.cache-none", params)
    free = (disk.free_bytes if disk is not None else None) or 0
    if speed is not None and not speed.is_from_cache:
        params |= {"rate_bytes": int(speed.read_bytes_per_s)}
        if speed.read_bytes_per_s < FAST_BYTES_PER_S:
            return "none", Message("planner.cache-none-slow", params)
        if free >= need * DISK_CACHE_FACTOR:
            return "disk", Message("planner.cache-disk-measured", params | {"free_bytes": free})
    elif disk is not None and disk.kind in _FAST_DISKS and free >= need * DISK_CACHE_FACTOR:
        return "disk", Message("planner.cache-disk", params | {"free_bytes": free})
    return "none", Message("planner.cache-none", params)


def _shuffle(workload: Workload, available: int | None, global_batch: int) -> tuple[int, Message]:
    """Choose a buffer: everything where it fits, at least some batches."""
    count = workload.sample_count
    if count is None:
        return UNKNOWN_SHUFFLE, Message("planner.shuffle-unknown", {"buffer": UNKNOWN_SHUFFLE})
    room = LARGEST_SHUFFLE
    if available is not None and workload.decoded_sample_bytes:
        room = max(int(available * SHUFFLE_SHARE) // workload.decoded_sample_bytes, 2 * global_batch)
    size = min(count, LARGEST_SHUFFLE, room)
    if size == count:
        return size, Message("planner.shuffle-all", {"count": count})
    if size == LARGEST_SHUFFLE:
        return size, Message("planner.shuffle-enough", {"buffer": size, "count": count})
    return size, Message("planner.shuffle-memory", {"buffer": size, "count": count})
