"""Rules for networks of free shape: what their sums are, and how a rule bends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.core.workload import Precision, Workload
from gpuconfig_app.knowledge.step_memory import load_step_memory
from gpuconfig_app.planner.own_networks import own_network_sums, rule_curve, rule_sizes

RULES = load_step_memory()


def cnn(width: int = 16, blocks: int = 2, side: int = 33, units: int = 10) -> Workload:
    options = {"width": width, "blocks": blocks}
    return Workload(model_id="small_cnn", model_options=options, input_shape=(side, side, 3), output_units=units)


def mlp(layers: int, units: int, features: int = 20) -> Workload:
    options = {"hidden_layers": layers, "hidden_units": units}
    return Workload(model_id="mlp", model_options=options, input_shape=(features,), output_units=10)


def test_sums_of_a_convolutional_network() -> None:
    sums = own_network_sums(cnn())

    assert sums == {
        "computed": 33 * 33 * 16 + 17 * 17 * 32,
        "largest": 33 * 33 * 16,
        "pooled": 17 * 17 * 16 + 9 * 9 * 32,
        "input": 33 * 33 * 3,
        "trained": 27 * 16 + 32 + 9 * 16 * 32 + 64 + 330,
        "adjacent": 27 * 16 + 9 * 16 * 32,
        "one": 1,
    }


def test_sums_of_a_fully_connected_network() -> None:
    sums = own_network_sums(mlp(2, 128))

    assert sums is not None
    assert (sums["computed"], sums["largest"], sums["input"]) == (256, 128, 20)
    assert sums["adjacent"] == 20 * 128 + 128 * 128


def test_other_networks_have_no_sums() -> None:
    assert own_network_sums(Workload(model_id="resnet50", input_shape=(224, 224, 3))) is None


@pytest.mark.parametrize("model", ["mlp", "small_cnn"])
def test_every_precision_has_a_rule(model) -> None:
    assert set(RULES.rules_of(model)) == set(Precision)


@given(
    st.integers(4, 256), st.integers(1, 6), st.integers(32, 512), st.sampled_from(list(Precision)), st.integers(1, 4096)
)
def test_memory_grows_with_batch_width_and_picture(width, blocks, side, precision, batch) -> None:
    rule = RULES.rules_of("small_cnn")[precision]

    def size(workload: Workload, samples: int) -> float:
        return rule_curve(rule, own_network_sums(workload) or {}).at(samples)

    base = size(cnn(width, blocks, side), batch)
    assert base < size(cnn(width, blocks, side), batch + 1)
    assert base < size(cnn(width + 1, blocks, side), batch)
    assert base < size(cnn(width, blocks, side + 1), batch)


@given(st.integers(1, 12), st.integers(4, 4096), st.sampled_from(list(Precision)), st.integers(1, 60_000))
def test_the_curve_is_the_rule(layers, units, precision, batch) -> None:
    rule = RULES.rules_of("mlp")[precision]
    sums = own_network_sums(mlp(layers, units)) or {}

    exact = rule_sizes(rule, sums, [batch])[0]

    assert exact * 0.999 <= rule_curve(rule, sums).at(batch) <= exact * 1.12
    assert rule_curve(rule, sums).at(batch) <= rule_curve(rule, own_network_sums(mlp(layers, units + 1)) or {}).at(
        batch
    )
