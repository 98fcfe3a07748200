"""TensorFlow's allocator on a GPU, replayed: how much memory a sequence of requests takes beyond the tensors.

Best fit with coalescing, as published in TensorFlow's ``bfc_allocator.cc``: requests are rounded up to 256 bytes and
get the smallest free chunk that is large enough, the lowest address among equals; the rest of a chunk is split off when
the chunk is at least twice as large as needed or at least 128 MiB would be wasted; what is released joins its free
neighbours. Bins by size only speed up that search there; one sorted list gives the same answers.

Memory comes as one region that holds all TensorFlow may have, or, with memory growth, in regions of 2 MiB, 4 MiB and so
on, which never join; regions that are wholly free are given back before a request fails.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from gpuconfig_app.core.units import MIB

GRAIN_BYTES = 256
# tsl/framework/bfc_allocator.cc: max_internal_fragmentation_bytes_ and the first curr_region_allocation_bytes_.
MOST_WASTED_BYTES = 128 * MIB
FIRST_REGION_BYTES = 2 * MIB
# Where no limit is given; larger than any memory, so that only the requests decide.
NO_LIMIT_BYTES = 1 << 56

Request = tuple[int, int]


class Regime(StrEnum):
    """How TensorFlow takes the memory of a card."""

    ONE_REGION = "one_region"
    GROWTH = "growth"


@dataclass(frozen=True, kw_only=True)
class Replay:
    """What a sequence of requests took.

    Attributes:
        live_peak_bytes: Highest sum of the requests that were alive, each rounded up to 256 bytes.
        in_use_peak_bytes: Highest sum of the chunks handed out; what ``get_memory_info`` calls the peak.
        extent_bytes: From the beginning of each region to the highest byte ever handed out in it, together.
        reserved_bytes: Most that the allocator held of the card; the extent where one region has no limit.
        regions: How many regions it held at most.
        failed_at: Index of the request that did not fit, counted over residents and all steps; None when all did.
        failed_bytes: Its size.
    """

    live_peak_bytes: int
    in_use_peak_bytes: int
    extent_bytes: int
    reserved_bytes: int
    regions: int
    failed_at: int | None = None
    failed_bytes: int | None = None

    @property
    def fits(self) -> bool:
        """Whether every request was granted."""
        return self.failed_at is None

    @property
    def slack(self) -> float:
        """Extent as a multiple of the live peak, 1 where nothing was asked for."""
        return self.extent_bytes / self.live_peak_bytes if self.live_peak_bytes else 1.0


def rounded(size_bytes: int) -> int:
    """Give what the allocator makes of a request."""
    return (size_bytes + GRAIN_BYTES - 1) // GRAIN_BYTES * GRAIN_BYTES


def replay(
    resident: Iterable[int],
    step: Sequence[Request],
    *,
    regime: Regime = Regime.ONE_REGION,
    limit_bytes: int | None = None,
    steps: int = 2,
) -> Replay:
    """Replay training steps: the second one meets the memory as the first one left it.

    Args:
        resident: Sizes of what is there before the first step and stays: weights, slots.
        step: Requests of one step in order: (id, bytes), 0 bytes release; what is still alive at its end is released
            then.
        limit_bytes: What TensorFlow may take; None for as much as it needs.
        steps: How often the step is repeated.

    Raises:
        ValueError: Something is released that is not alive, or asked for twice.
    """
    memory = _Memory(regime, NO_LIMIT_BYTES if limit_bytes is None else limit_bytes)
    count = 0
    for size in resident:
        if size > 0 and not memory.allocate(-1 - count, size):
            return memory.told(count, size)
        count += 1
    fixed = set(memory.blocks)
    for _ in range(steps):
        for name, size in step:
            if size == 0:
                memory.release(name)
            elif not memory.allocate(name, size):
                return memory.told(count, size)
            count += 1
        for name in [name for name in memory.blocks if name not in fixed]:
            memory.release(name)
    return memory.told()


def least_limit_bytes(
    resident: Sequence[int], step: Sequence[Request], *, regime: Regime = Regime.ONE_REGION, steps: int = 2
) -> int:
    """Give the least memory with which the steps come to their end, to half a percent.

    With little room the last free chunk is no longer the largest, so that requests are placed otherwise than without a
    limit, often better. Best fit is not strictly monotone: of random limits above one that fits, two in a thousand do
    not fit. The search takes it to be.
    """
    free = replay(resident, step, regime=regime, steps=steps)
    low, high = free.live_peak_bytes, max(free.extent_bytes, free.live_peak_bytes)
    while not replay(resident, step, regime=regime, limit_bytes=high, steps=steps).fits:
        low, high = high, rounded(high + max(GRAIN_BYTES, high // 8))
    grain = max(GRAIN_BYTES, free.live_peak_bytes // 200)
    while high - low > grain:
        middle = (low + high) // 2 // GRAIN_BYTES * GRAIN_BYTES
        if replay(resident, step, regime=regime, limit_bytes=middle, steps=steps).fits:
            high = middle
        else:
            low = middle
    return high


class _Memory:
    """The state of the allocator.

    A chunk is known by its address; free ones also by their end, so that neighbours find each other. Regions lie apart,
    so that chunks of two regions are never neighbours.
    """

    def __init__(self, regime: Regime, limit_bytes: int) -> None:
        self.blocks: dict[int, tuple[int, int, int]] = {}  # id -> address, size of the chunk, size asked for
        self._limit = limit_bytes
        self._is_open = regime is Regime.ONE_REGION and limit_bytes >= NO_LIMIT_BYTES
        self._next_region = limit_bytes if regime is Regime.ONE_REGION else min(limit_bytes, FIRST_REGION_BYTES)
        self._next_region = max(GRAIN_BYTES, rounded(self._next_region))
        self._regions: dict[int, int] = {}  # address -> size
        self._tops: dict[int, int] = {}  # address of the region -> highest end of a chunk handed out in it
        self._next_address = 0
        self._free: list[tuple[int, int]] = []  # size, address
        self._free_sizes: dict[int, int] = {}  # address -> size
        self._free_ends: dict[int, int] = {}  # end -> address
        self._reserved = self._live = self._in_use = 0
        self._live_peak = self._in_use_peak = self._reserved_peak = self._regions_peak = self._extent_peak = 0

    def allocate(self, name: int, size: int) -> bool:
        """Hand out a chunk; False when there is none."""
        if name in self.blocks:
            raise ValueError(f"{name} is asked for twice")
        wanted = rounded(size)
        found = self._take(wanted)
        if found is None and (self._extend(wanted) or (self._give_back(wanted) and self._extend(wanted))):
            found = self._take(wanted)
        if found is None:
            return False
        address, given = found
        self.blocks[name] = (address, given, wanted)
        self._live += wanted
        self._in_use += given
        self._live_peak = max(self._live_peak, self._live)
        self._in_use_peak = max(self._in_use_peak, self._in_use)
        return True

    def release(self, name: int) -> None:
        """Take a chunk back and join it with its free neighbours."""
        if name not in self.blocks:
            raise ValueError(f"{name} is released and not alive")
        address, size, wanted = self.blocks.pop(name)
        self._live -= wanted
        self._in_use -= size
        following = self._free_sizes.get(address + size)
        if following is not None:
            self._remove(address + size, following)
            size += following
        before = self._free_ends.get(address)
        if before is not None:
            length = self._free_sizes[before]
            self._remove(before, length)
            address, size = before, size + length
        self._insert(address, size)

    def told(self, failed_at: int | None = None, failed_bytes: int | None = None) -> Replay:
        """Give the figures so far."""
        extent = max(self._extent_peak, sum(self._tops.values()))
        return Replay(
            live_peak_bytes=self._live_peak,
            in_use_peak_bytes=self._in_use_peak,
            extent_bytes=extent,
            reserved_bytes=extent if self._is_open else self._reserved_peak,
            regions=self._regions_peak,
            failed_at=failed_at,
            failed_bytes=failed_bytes,
        )

    def _take(self, wanted: int) -> tuple[int, int] | None:
        """Take the best free chunk, its rest split off when it is worth it."""
        place = bisect_left(self._free, (wanted, -1))
        if place == len(self._free):
            return None
        size, address = self._free.pop(place)
        del self._free_sizes[address], self._free_ends[address + size]
        if size >= 2 * wanted or size - wanted >= MOST_WASTED_BYTES:
            self._insert(address + wanted, size - wanted)
            size = wanted
        region = self._region_of(address)
        self._tops[region] = max(self._tops[region], address + size - region)
        return address, size

    def _region_of(self, address: int) -> int:
        return 0 if len(self._regions) == 1 and 0 in self._regions else max(at for at in self._regions if at <= address)

    def _extend(self, wanted: int) -> bool:
        """Ask the driver for another region."""
        available = (self._limit - self._reserved) // GRAIN_BYTES * GRAIN_BYTES
        if wanted > available:
            return False
        is_enough = wanted <= self._next_region
        while wanted > self._next_region:
            self._next_region *= 2
        size = min(self._next_region, available)
        if is_enough:
            self._next_region *= 2
        address = self._next_address
        self._next_address += size + GRAIN_BYTES  # a gap, so that regions are no neighbours
        self._regions[address], self._tops[address] = size, 0
        self._reserved += size
        self._reserved_peak = max(self._reserved_peak, self._reserved)
        self._regions_peak = max(self._regions_peak, len(self._regions))
        self._insert(address, size)
        return True

    def _give_back(self, wanted: int) -> bool:
        """Return the regions that are wholly free, if that can help."""
        idle = {at: size for at, size in self._regions.items() if self._free_sizes.get(at) == size}
        if not idle or wanted > self._limit - self._reserved + sum(idle.values()):
            return False
        self._extent_peak = max(self._extent_peak, sum(self._tops.values()))
        for address, size in idle.items():
            self._remove(address, size)
            del self._regions[address], self._tops[address]
            self._reserved -= size
        return True

    def _insert(self, address: int, size: int) -> None:
        insort(self._free, (size, address))
        self._free_sizes[address] = size
        self._free_ends[address + size] = address

    def _remove(self, address: int, size: int) -> None:
        del self._free[bisect_left(self._free, (size, address))]
        del self._free_sizes[address], self._free_ends[address + size]
