from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig_app.core.units import GIB, KIB, MIB
from gpuconfig_app.planner.allocator import Regime, Request, _Memory, least_limit_bytes, replay

RECORDING = Path(__file__).parents[2] / "data" / "memory" / "allocations.txt"
# Around every border of the rules: one grain, twice a request, the first regions, 128 MiB.
SIZES = st.one_of(
    st.integers(1, 1024), st.integers(1, 4 * MIB), st.sampled_from([256, 512, 2 * MIB, 128 * MIB, 129 * MIB, 300 * MIB])
)


@st.composite
def steps_of_requests(draw: st.DrawFn) -> list[Request]:
    """Make a step: allocations, each released later or at the end."""
    sizes = draw(st.lists(SIZES, max_size=40))
    requests: list[Request] = []
    alive: list[int] = []
    for name, size in enumerate(sizes):
        requests.append((name, size))
        alive.append(name)
        while alive and draw(st.booleans()):
            requests.append((alive.pop(draw(st.integers(0, len(alive) - 1))), 0))
    return requests


def _recorded() -> tuple[list[Request], list[int]]:
    """Read the recording: requests, and the chunk that TensorFlow gave for each allocation in order."""
    requests, chunks = [], []
    for line in RECORDING.read_text().splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("-"):
            requests.append((int(line[1:]), 0))
            continue
        asked, chunk = line.split()
        requests.append((len(chunks), int(asked)))
        chunks.append(int(chunk))
    return requests, chunks


def test_every_chunk_of_a_real_run_has_the_size_that_tensorflow_gave_it() -> None:
    """Two real training steps with memory growth, and the peak as get_memory_info told it then."""
    requests, chunks = _recorded()
    memory = _Memory(Regime.GROWTH, 64 * GIB)
    given_sizes = []

    for name, size in requests:
        if size == 0:
            memory.release(name)
            continue
        assert memory.allocate(name, size)
        given_sizes.append(memory.blocks[name][1])

    assert len(chunks) > 2000
    assert given_sizes == chunks
    assert any(chunk >= asked * 1.5 and chunk > KIB for (_, asked), chunk in _allocations(requests, chunks))
    assert memory.told().in_use_peak_bytes == 46285568


def _allocations(requests: Sequence[Request], chunks: Sequence[int]) -> list[tuple[Request, int]]:
    return list(zip([request for request in requests if request[1]], chunks, strict=True))


@pytest.mark.parametrize("regime", Regime)
def test_a_real_run_needs_no_more_than_the_limit_that_is_found_for_it(regime: Regime) -> None:
    requests, _ = _recorded()
    free = replay([], requests, regime=regime, steps=1)

    least = least_limit_bytes([], requests, regime=regime, steps=1)

    assert free.live_peak_bytes <= least <= free.live_peak_bytes * 1.6
    assert replay([], requests, regime=regime, limit_bytes=least, steps=1).fits
    assert not replay([], requests, regime=regime, limit_bytes=free.live_peak_bytes - 256, steps=1).fits


def test_requests_are_rounded_to_256_bytes() -> None:
    told = replay([1, 257], [])

    assert told.live_peak_bytes == told.in_use_peak_bytes == told.extent_bytes == 256 + 512


def test_a_hole_is_filled_before_the_end() -> None:
    step = [(1, MIB), (2, MIB), (1, 0), (3, MIB)]

    assert replay([], step, steps=1).extent_bytes == 2 * MIB


def test_the_smallest_hole_that_is_large_enough_is_taken() -> None:
    """Large hole first, small hole second: the small request goes into the small one, so the large one stays whole."""
    step = [(1, 8 * MIB), (2, 256), (3, 2 * MIB), (4, 256), (1, 0), (3, 0), (5, 2 * MIB), (6, 8 * MIB)]

    assert replay([], step, steps=1).extent_bytes == 10 * MIB + 512


def test_a_chunk_below_twice_the_request_is_given_whole() -> None:
    step = [(1, 3 * MIB), (2, 256), (1, 0), (3, 2 * MIB)]
    split = [(1, 4 * MIB), (2, 256), (1, 0), (3, 2 * MIB)]

    assert replay([], step, steps=1).in_use_peak_bytes == 3 * MIB + 256
    assert replay([], [*step, (4, MIB)], steps=1).extent_bytes == 4 * MIB + 256
    assert replay([], [*split, (4, 2 * MIB)], steps=1).extent_bytes == 4 * MIB + 256


@pytest.mark.parametrize(("waste", "is_split"), [(128 * MIB, True), (128 * MIB - 256, False)])
def test_a_chunk_is_split_where_128_mib_would_be_wasted(waste: int, is_split: bool) -> None:
    step = [(1, 512 * MIB + waste), (2, 256), (1, 0), (3, 512 * MIB), (4, 4 * MIB)]

    told = replay([], step, steps=1)

    assert (told.extent_bytes == 512 * MIB + waste + 256) is is_split


def test_neighbours_join_whatever_is_released_first() -> None:
    for order in ((1, 2, 3), (3, 2, 1), (1, 3, 2), (2, 1, 3)):
        step: list[Request] = [(1, MIB), (2, MIB), (3, MIB), (4, 256), *((name, 0) for name in order), (5, 3 * MIB)]

        assert replay([], step, steps=1).extent_bytes == 3 * MIB + 256


def test_regions_grow_by_doubling_and_never_join() -> None:
    one = replay([256], [], regime=Regime.GROWTH)
    two = replay([2 * MIB, 256], [], regime=Regime.GROWTH)
    large = replay([256, 5 * MIB, 8 * MIB], [], regime=Regime.GROWTH)

    assert (one.reserved_bytes, one.regions) == (2 * MIB, 1)
    assert (two.reserved_bytes, two.regions) == (6 * MIB, 2)
    assert (large.reserved_bytes, large.regions) == (18 * MIB, 3)
    apart = replay([], [(1, 2 * MIB), (2, 4 * MIB), (1, 0), (2, 0), (3, 6 * MIB)], regime=Regime.GROWTH, steps=1)
    assert apart.reserved_bytes == 14 * MIB


def test_the_last_region_is_what_is_left_of_the_limit() -> None:
    told = replay([2 * MIB, 3 * MIB], [], regime=Regime.GROWTH, limit_bytes=5 * MIB)

    assert told.fits
    assert told.reserved_bytes == 5 * MIB


def test_regions_that_are_wholly_free_are_given_back_before_a_request_fails() -> None:
    step = [(1, 2 * MIB), (2, 4 * MIB), (1, 0), (2, 0), (3, 6 * MIB)]

    told = replay([], step, regime=Regime.GROWTH, limit_bytes=6 * MIB, steps=1)

    assert told.fits
    assert told.reserved_bytes == told.extent_bytes == 6 * MIB
    assert not replay([256], step, regime=Regime.GROWTH, limit_bytes=6 * MIB, steps=1).fits


def test_the_request_that_does_not_fit_is_named() -> None:
    told = replay([MIB], [(1, MIB), (2, 3 * MIB), (1, 0)], limit_bytes=4 * MIB)

    assert not told.fits
    assert (told.failed_at, told.failed_bytes) == (2, 3 * MIB)
    assert told.live_peak_bytes == 2 * MIB
    assert replay([5 * MIB], [], limit_bytes=4 * MIB).failed_at == 0


def test_what_a_step_leaves_behind_is_released_at_its_end() -> None:
    told = replay([], [(1, MIB)], steps=3)

    assert told.live_peak_bytes == told.extent_bytes == MIB


def test_the_second_step_meets_the_memory_as_the_first_one_left_it() -> None:
    """Residents that come late leave holes; a slot made in the first step lies behind its temporaries."""
    told = replay([256], [(1, MIB), (2, 256), (1, 0), (3, 2 * MIB)], steps=1)

    assert told.extent_bytes == 3 * MIB + 512
    assert told.slack > 1.4


def test_a_release_without_an_allocation_is_refused() -> None:
    with pytest.raises(ValueError, match="not alive"):
        replay([], [(1, 0)])
    with pytest.raises(ValueError, match="twice"):
        replay([], [(1, 1), (1, 1)])


def _check_sound(memory: _Memory) -> None:
    """Look that chunks neither overlap nor leave gaps, and that free neighbours are joined."""
    chunks = [(address, size, False) for address, size, _ in memory.blocks.values()]
    chunks += [(address, size, True) for size, address in memory._free]
    edges = {at + size for at, size in memory._regions.items()}
    chunks.sort()
    for (address, size, is_free), (following, _, is_next_free) in pairwise(chunks):
        if address + size in edges:
            assert following > address + size
        else:
            assert following == address + size
            assert not (is_free and is_next_free)
    assert sum(size for _, size, _ in chunks) == sum(memory._regions.values())


@given(steps_of_requests(), st.sampled_from(Regime), st.sampled_from([1 << 40, 700 * MIB, 64 * MIB]))
@settings(max_examples=150, deadline=None)
def test_chunks_never_overlap_and_join_to_one_for_each_region(
    step: list[Request], regime: Regime, limit_bytes: int
) -> None:
    memory = _Memory(regime, limit_bytes)
    refused = set()

    for name, size in step:
        if size and not memory.allocate(name, size):
            refused.add(name)
        if not size and name not in refused:
            memory.release(name)
        _check_sound(memory)
    for name in list(memory.blocks):
        memory.release(name)

    assert sorted((at, size) for size, at in memory._free) == sorted(memory._regions.items())


@given(st.lists(SIZES, max_size=6), steps_of_requests(), st.sampled_from(Regime))
@settings(max_examples=150, deadline=None)
def test_what_is_taken_lies_between_the_live_peak_and_what_is_reserved(
    resident: list[int], step: list[Request], regime: Regime
) -> None:
    told = replay(resident, step, regime=regime)

    assert told.fits
    assert told.live_peak_bytes <= told.in_use_peak_bytes <= told.extent_bytes <= told.reserved_bytes
    assert told.live_peak_bytes == _live_peak(resident, step)
    assert told.slack >= 1.0


def _live_peak(resident: Sequence[int], step: Sequence[Request]) -> int:
    """Count the highest sum of what is alive without any allocator."""
    alive: dict[int, int] = {}
    fixed = sum(-(-size // 256) * 256 for size in resident)
    peak = fixed
    for name, size in step:
        alive[name] = -(-size // 256) * 256
        peak = max(peak, fixed + sum(alive.values()))
    return peak


@given(st.lists(SIZES, max_size=6), steps_of_requests(), st.sampled_from(Regime), st.integers(0, 40))
@settings(max_examples=100, deadline=None)
def test_a_limit_below_the_live_peak_never_fits_and_the_one_that_is_found_does(
    resident: list[int], step: list[Request], regime: Regime, less_grains: int
) -> None:
    least = least_limit_bytes(resident, step, regime=regime)
    live = _live_peak(resident, step)

    assert replay(resident, step, regime=regime, limit_bytes=least).fits
    assert least >= live
    if live:
        assert not replay(resident, step, regime=regime, limit_bytes=live - 256 * (1 + less_grains)).fits


@given(st.lists(SIZES, max_size=6), steps_of_requests(), st.integers(0, 1 << 40))
@settings(max_examples=100, deadline=None)
def test_one_region_with_room_to_spare_is_used_as_one_without_a_limit(
    resident: list[int], step: list[Request], more: int
) -> None:
    """Monotone where the last chunk stays the largest: twice the extent and the largest request decide nothing."""
    free = replay(resident, step)
    roomy = 2 * free.extent_bytes + 300 * MIB + more // 256 * 256

    told = replay(resident, step, limit_bytes=roomy)

    assert told == replace(free, reserved_bytes=roomy if resident or step else 0)
