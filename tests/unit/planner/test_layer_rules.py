from __future__ import annotations

import json
import statistics
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig_app.core.layer_table import LayerCall, LayerTable, read_layer_table
from gpuconfig_app.core.units import MIB
from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.knowledge.models import Scratch
from gpuconfig_app.planner.layer_rules import LayerEstimate, estimate_step, needs_by_layers
from gpuconfig_app.planner.memory import SLOTS

TRUTH = Path(__file__).parents[2] / "data" / "memory"
KINDS = ("Dense", "Conv2D", "BatchNormalization", "Dropout", "MultiHeadAttention", "LSTM", "Reshape", "Layer", "Odd")


def _call(kind: str = "Dense", size: int = MIB, **changes: Any) -> LayerCall:  # Any: attributes of several types
    plain = LayerCall(
        kind=kind,
        inside=-1,
        trainable_bytes=0,
        state_bytes=0,
        taken=size,
        given=size,
        inner=0,
        width=4,
        has_activation=False,
    )
    return replace(plain, **changes)


def _table(*calls: LayerCall, trainable: tuple[int, ...] = (MIB,), state: tuple[int, ...] = ()) -> LayerTable:
    return LayerTable(trainable=trainable, state=state, input_bytes=1024, output_elements=10, calls=calls)


def _estimate(table: LayerTable, batch: int = 8, optimizer: Optimizer = Optimizer.ADAM) -> LayerEstimate:
    return estimate_step(table, batch, Precision.FLOAT32, optimizer)


def _activations(*calls: LayerCall) -> int:
    return _estimate(_table(*calls)).parts.activations - _estimate(_table(_call("Reshape"))).parts.activations


tables = st.builds(
    lambda calls, trainable: _table(*calls, trainable=tuple(trainable)),
    st.lists(
        st.builds(
            _call,
            st.sampled_from(KINDS),
            st.integers(0, 1 << 22),
            inner=st.integers(0, 1 << 20),
            width=st.sampled_from((2, 4)),
            has_activation=st.booleans(),
        ),
        min_size=1,
        max_size=12,
    ),
    st.lists(st.integers(1, 1 << 26), min_size=1, max_size=6),
)


@settings(max_examples=60, deadline=None)
@given(tables, st.sampled_from(list(Precision)), st.sampled_from(list(Optimizer)))
def test_more_samples_never_need_less_and_parts_add_up(
    table: LayerTable, precision: Precision, optimizer: Optimizer
) -> None:
    told = [estimate_step(table, batch, precision, optimizer) for batch in (1, 2, 7, 8, 64, 1000)]

    peaks = [one.peak_bytes for one in told]
    assert peaks == sorted(peaks)
    for one in told:
        resident = one.parts.weights + one.parts.slots
        assert one.peak_bytes == one.parts.total == one.interval.expected
        assert resident <= one.interval.low <= one.interval.expected <= one.interval.high


@pytest.mark.parametrize("optimizer", Optimizer)
def test_weights_and_slots_are_exact(optimizer: Optimizer) -> None:
    parts = _estimate(_table(_call(), trainable=(1000, 5), state=(300,)), optimizer=optimizer).parts

    assert parts.weights == 1024 + 256 + 512
    assert parts.slots == SLOTS[optimizer] * (1024 + 256) + 6 * 256


def test_one_sample_of_a_large_network_needs_all_gradients_and_the_update() -> None:
    parts = _estimate(_table(_call(size=10), trainable=(3 * MIB, MIB)), batch=1).parts

    assert (parts.gradients, parts.temporaries) == (4 * MIB, 3 * MIB)
    assert parts.activations == 1024 + 40


def test_what_stays_alive_depends_on_the_kind() -> None:
    one = 8 * 4 * MIB

    assert _activations(_call("Reshape")) == 0
    assert _activations(_call("Conv2D")) == one / 2
    assert _activations(_call("Conv2D", has_activation=True)) == one
    assert _activations(_call("LayerNormalization")) == 4 * one
    assert _activations(_call("NobodyKnows")) == one
    assert _activations(_call("Layer")) == 2 * one
    assert _activations(_call("Layer"), _call("Reshape", inside=0)) == one


def test_normalization_is_float32_whatever_the_policy() -> None:
    half, whole = (_activations(_call("BatchNormalization", width=width)) for width in (2, 4))

    assert half == whole


def test_scores_of_an_attention_are_counted_once() -> None:
    attention = _call("MultiHeadAttention", inner=MIB)
    softmax, dense = _call("Softmax", inside=0), _call("EinsumDense", inside=0)

    assert _activations(attention, softmax) == _activations(attention) == 2 * 8 * 4 * MIB
    assert _activations(attention, dense) > _activations(attention)


def test_nothing_stays_alive_below_the_first_weight_that_is_trained() -> None:
    frozen, trained = _call("Conv2D", state_bytes=MIB), _call("Dense", trainable_bytes=MIB)

    assert _activations(frozen, frozen, trained) == _activations(trained)
    assert _activations(trained, frozen) > _activations(trained)


def test_half_precision_keeps_copies_of_the_weights() -> None:
    table = _table(_call(size=10), trainable=(8 * MIB,))

    half = estimate_step(table, 1, Precision.MIXED_BFLOAT16, Optimizer.ADAM)

    assert half.peak_bytes == _estimate(table, batch=1).peak_bytes + 4 * MIB


def test_what_is_not_known_makes_it_rougher() -> None:
    known, unknown = _estimate(_table(_call(), _call())), _estimate(_table(_call(), _call(given=None)))
    jit = estimate_step(_table(_call(), _call()), 8, Precision.FLOAT32, Optimizer.ADAM, jit=True)

    def width(told: LayerEstimate) -> float:
        return told.interval.high / told.interval.low

    assert (known.unknown, unknown.unknown) == (0, 1)
    assert width(unknown) > 2 * width(known)
    assert width(jit) > 2 * width(known)


def test_needs_follow_the_estimate_at_every_batch() -> None:
    table = _table(_call("Conv2D"), _call("Dense"))
    needs = needs_by_layers(table, 10, Precision.FLOAT32, Optimizer.SGD)

    for batch in (1, 4, 10, 64, 300):
        assert needs.peak_at(batch) == pytest.approx(_estimate(table, batch, Optimizer.SGD).peak_bytes, rel=0.01)
    assert needs.scratch is Scratch.CONVOLUTION
    assert needs_by_layers(_table(_call()), 10, Precision.FLOAT32, Optimizer.SGD).scratch is Scratch.MATMUL


@cache
def _judged(is_held_out: bool) -> tuple[tuple[dict[str, Any], LayerEstimate], ...]:  # Any: a line of JSON
    """Estimate every measured point: (truth, estimate)."""
    tables = {}
    for line in (TRUTH / "layers.jsonl").read_text().splitlines():
        row = json.loads(line)
        tables[row["model"], row["precision"] == "float32"] = read_layer_table(row)
    points = [json.loads(line) for line in (TRUTH / "truth.jsonl").read_text().splitlines()]
    return tuple(
        (point, estimate_step(table, point["batch"], Precision(point["precision"]), Optimizer(point["optimizer"])))
        for point in points
        if point["is_held_out"] is is_held_out
        and (table := tables.get((point["model"], point["precision"] == "float32"))) is not None
    )


@pytest.mark.parametrize("is_held_out", [False, True])
def test_the_band_holds_what_was_measured(is_held_out: bool) -> None:
    judged = _judged(is_held_out)

    inside = [told.interval.low <= truth["step_peak_bytes"] <= told.interval.high for truth, told in judged]
    errors = [abs(told.peak_bytes / truth["step_peak_bytes"] - 1) for truth, told in judged]
    assert len(judged) > 50
    assert statistics.mean(inside) >= 0.9
    assert statistics.median(errors) < 0.2


def test_variables_of_measured_networks_are_exact() -> None:
    """A loss scale and the counters of metrics differ by a few times 256 bytes."""
    for truth, told in (*_judged(False), *_judged(True)):
        assert told.parts.weights + told.parts.slots == pytest.approx(truth["variable_bytes"], abs=20 * 256)
