from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig_app.core.gpu import MigInstance
from gpuconfig_app.core.model_memory import ByteInterval
from gpuconfig_app.core.plan import Fit
from gpuconfig_app.core.system import MemoryInfo
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.knowledge.models import Scratch, load_training_facts
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.liveness import PeakCurve
from gpuconfig_app.planner.step_needs import (
    MOST_BATCH,
    StepNeeds,
    allocator_bytes,
    fit_on_card,
    scratch_of,
    traced_batches,
)
from tests.unit.planner.machines import card

FACTS = load_training_facts()
HOST = MemoryInfo()


def _needs(batch: int = 8, floor: int = 100 * MIB, sample: int = 10 * MIB, **changes: object) -> StepNeeds:
    """Make the needs of a step that takes 20 MiB and ``sample`` for each sample, but at least ``floor``."""
    curve = PeakCurve(tuple((size, max(floor, 20 * MIB + sample * size)) for size in (1, 4, 16, 64, 256)))
    peak = curve.at(batch)
    needs = StepNeeds(
        interval=ByteInterval(low=round(peak * 0.95), expected=peak, high=round(peak * 1.06)),
        allocator_bytes=(round(peak * 0.08), round(peak * 0.15)),
        batch=batch,
        curve=curve,
        scratch=Scratch.CONVOLUTION,
    )
    return replace(needs, **changes)


def test_what_is_needed_is_the_sum_of_its_parts() -> None:
    needs = _needs()

    parts = needs.parts(context_bytes=350 * MIB, kept_free_bytes=1536 * MIB)
    interval = needs.needed(350 * MIB, 1536 * MIB)

    assert parts.step_bytes == needs.interval.expected
    assert parts.workspace_bytes == 64 * MIB
    assert interval.expected == parts.total
    assert interval.low < interval.expected < interval.high


def test_a_roomy_card_takes_the_step_and_tells_its_largest_batch() -> None:
    told = fit_on_card(_needs(), Card(card("4090")), HOST, FACTS)

    assert told.fit is Fit.FITS
    assert told.usable_bytes is not None
    assert told.largest_batch is not None
    assert 1500 < told.largest_batch < 2300
    assert told.kept_free_bytes == 1536 * MIB
    assert told.free_bytes is not None


@pytest.mark.parametrize(("batch", "fit"), [(64, Fit.FITS), (4096, Fit.TOO_BIG)])
def test_fit_and_largest_batch_agree(batch: int, fit: Fit) -> None:
    told = fit_on_card(_needs(batch), Card(card("3060")), HOST, FACTS)

    assert told.fit is fit
    assert told.largest_batch is not None
    assert (told.largest_batch >= batch) is (fit is Fit.FITS)


def test_not_even_one_sample_may_fit() -> None:
    told = fit_on_card(_needs(floor=40 * GIB), Card(card("4090")), HOST, FACTS)

    assert told.fit is Fit.TOO_BIG
    assert told.largest_batch == 0


def test_without_a_curve_the_largest_batch_is_not_told() -> None:
    told = fit_on_card(_needs(curve=None), Card(card("4090")), HOST, FACTS)

    assert told.fit is Fit.FITS
    assert told.largest_batch is None


def test_a_slice_counts_instead_of_its_card() -> None:
    gpu = card("a100")
    part = MigInstance(index=1, profile="1g.5gb", memory_total_bytes=5 * GIB, memory_used_bytes=0)

    whole, slice_ = (fit_on_card(_needs(256), item, HOST, FACTS) for item in (Card(gpu), Card(gpu, part)))

    assert (whole.mig_index, slice_.mig_index) == (None, 1)
    assert whole.usable_bytes is not None
    assert slice_.usable_bytes is not None
    assert slice_.usable_bytes < 4 * GIB < whole.usable_bytes
    assert slice_.fit is not Fit.FITS


def test_a_card_whose_memory_is_not_known_decides_nothing() -> None:
    gpu = replace(card("4090"), memory_total_bytes=None, memory_free_bytes=None, name="Mystery", catalogue_id=None)

    told = fit_on_card(_needs(), Card(gpu), HOST, FACTS)

    assert (told.fit, told.usable_bytes, told.largest_batch) == (Fit.UNKNOWN, None, None)


@given(st.integers(1, 5000), st.integers(1, 5000), st.integers(0, 30 * GIB), st.integers(0, 30 * GIB))
@settings(max_examples=200, deadline=None)
def test_the_largest_batch_is_monotone_and_fits_and_the_next_does_not(
    floor_mib: int, sample_kib: int, room: int, more: int
) -> None:
    needs = _needs(floor=floor_mib * MIB, sample=sample_kib * 1024)
    low, high = sorted((room, more))

    small, large = needs.largest_batch(low), needs.largest_batch(high)

    assert small is not None
    assert large is not None
    assert small <= large
    if small:
        peak = needs.peak_at(small)
        assert peak is not None
        assert needs.taken(peak).high <= low
    if small < MOST_BATCH:
        following = needs.peak_at(small + 1)
        assert following is not None
        assert needs.taken(following).high > low


def test_the_first_traced_batch_is_the_one_that_was_asked_for() -> None:
    for batch in (1, 2, 31, 32, 500, MOST_BATCH):
        batches = traced_batches(batch)
        assert batches[0] == batch
        assert len(set(batches)) == len(batches) >= 2
        assert sum(size > 1 for size in batches) >= 2


@pytest.mark.parametrize(
    ("kinds", "scratch"),
    [
        (["MatMul", "Conv2DBackpropFilter"], Scratch.CONVOLUTION),
        (["Conv3D"], Scratch.CONVOLUTION),
        (["DepthwiseConv2dNative", "MatMul"], Scratch.MATMUL),
        ([], Scratch.MATMUL),
    ],
)
def test_only_dense_convolutions_need_cudnns_scratch_memory(kinds: list[str], scratch: Scratch) -> None:
    assert scratch_of(kinds) is scratch


def test_holes_of_the_allocator_are_those_of_the_step_itself() -> None:
    weights = [(0, 8 * MIB), (1, 8 * MIB)]
    tight = [(2, 4 * MIB), (2, 0), (3, 4 * MIB), (3, 0)]
    holes = [(2, 4 * MIB), (3, 256), (2, 0), (4, 6 * MIB), (3, 0), (4, 0)]

    assert allocator_bytes([*weights, *tight])[0] == 0
    assert allocator_bytes([*weights, *holes])[0] >= 3 * MIB
    assert allocator_bytes([]) == (0, 0)


def test_a_weight_that_is_replaced_during_the_step_is_part_of_it() -> None:
    allocations = [(0, 8 * MIB), (1, MIB), (2, 8 * MIB), (0, 0), (1, 0)]

    expected, high = allocator_bytes(allocations)

    assert 0 <= expected <= high


@pytest.mark.parametrize(("holes", "expected"), [(0.08, "more"), (0.6, "less")])
def test_the_largest_batch_is_judged_by_its_own_step(holes: float, expected: str) -> None:
    """The allocator may take another share of a large step than of the small one that was asked for."""
    asked = _needs(allocator_bytes=(10 * MIB, 30 * MIB))

    def needs_at(batch: int) -> StepNeeds:
        peak = asked.peak_at(batch)
        assert peak is not None
        return _needs(batch, allocator_bytes=(round(peak * holes / 2), round(peak * holes)))

    told = fit_on_card(asked, Card(card("4090")), HOST, FACTS, needs_at=needs_at)

    guess = fit_on_card(asked, Card(card("4090")), HOST, FACTS).largest_batch
    assert guess is not None
    assert told.largest_batch is not None
    assert told.usable_bytes is not None
    assert (told.largest_batch > guess) is (expected == "more")
    own = needs_at(told.largest_batch)
    assert own.taken(own.interval.expected).high <= told.usable_bytes
