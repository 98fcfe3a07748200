"""A curve is exact at its knots, straight between them, and goes on after the last."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.planner.step_curve import StepCurve

CURVE = StepCurve(
    knots=((1.0, 100.0), (4.0, 130.0), (8.0, 330.0)),
    gradients=(40.0, 40.0, 0.0),
    lows=(90.0, 120.0, 300.0),
    highs=(120.0, 150.0, 390.0),
    extent=1.05,
    basis="traced",
)


@pytest.mark.parametrize(
    ("batch", "expected"), [(0.5, 100), (1, 100), (2.5, 115), (4, 130), (6, 230), (8, 330), (10, 430)]
)
def test_memory_at_a_batch(batch, expected) -> None:
    assert CURVE.at(batch) == expected


def test_gradients_go_while_activations_come() -> None:
    assert [CURVE.gradients_at(batch) for batch in (1, 4, 6, 8, 20)] == [40, 40, 20, 0, 0]


def test_gradients_are_never_more_than_the_whole() -> None:
    assert replace(CURVE, gradients=(400.0, 40.0, 0.0)).gradients_at(1) == 100


@given(st.floats(0.1, 20), st.integers(1, 500))
def test_samples_that_need_more_count_as_more_samples(factor, batch) -> None:
    assert CURVE.for_samples(factor).at(batch) == pytest.approx(CURVE.at(batch * factor))


def test_growth_is_that_of_the_largest_batches() -> None:
    assert CURVE.sample_bytes == 50
    assert replace(CURVE, knots=((8.0, 5.0),), gradients=(0.0,), lows=(4.0,), highs=(6.0,)).sample_bytes == 0


def test_more_gradients_lift_every_batch() -> None:
    raised = CURVE.raised(7)

    assert [raised.at(batch) - CURVE.at(batch) for batch in (1, 5, 80)] == [7, 7, 7]
    assert raised.gradients_at(1) == 47
    assert (raised.low_at(1), raised.high_at(1)) == (97, 127)


def test_the_interval_follows_the_curve() -> None:
    assert [(CURVE.low_at(batch), CURVE.high_at(batch)) for batch in (1, 6, 10)] == [(90, 120), (210, 270), (390, 510)]
    wider = CURVE.widened(0.1, "scaled")
    assert (wider.low_at(4), wider.high_at(4), wider.basis) == (pytest.approx(108), pytest.approx(165), "scaled")


def test_one_knot_holds_for_every_batch() -> None:
    assert replace(CURVE, knots=((8.0, 5.0),), gradients=(1.0,)).at(100) == 5
