"""The curves are held against measurements they were not drawn through."""

from __future__ import annotations

import statistics

import pytest

from gpuconfig_app.core.workload import Precision, Workload
from gpuconfig_app.knowledge.models import ModelFacts, StepMeasurement, load_training_facts
from gpuconfig_app.planner.network import describe_network

FACTS = load_training_facts()
CHECKS = [(model, step) for model in FACTS.models for step in model.steps if step.is_check]


def predicted_bytes(model: ModelFacts, step: StepMeasurement) -> float:
    """Predict a measured step; the input batch is not part of what was measured."""
    if model.keras_name is None:
        # networks of free shape: the rate by layer output, without the layers' counting, which has its own test
        return _free_rate(model, step) * step.batch * step.output_elements
    workload = Workload(
        task="image_classification",
        model_id=model.id,
        input_shape=step.input_shape,
        output_units=10,
        is_backbone_frozen=step.is_backbone_frozen,
    )
    network = describe_network(workload, FACTS)
    assert network is not None
    inputs = 4 * step.batch
    for side in step.input_shape:
        inputs *= side
    return network.curves[step.precision].at(step.batch) - inputs


def _free_rate(model: ModelFacts, step: StepMeasurement) -> float:
    return max(
        item.step_bytes / item.batch / item.output_elements
        for item in model.steps
        if not item.is_check and item.precision is step.precision
    )


def _error(model: ModelFacts, step: StepMeasurement) -> float:
    return predicted_bytes(model, step) / step.step_bytes - 1


def test_predictions_of_unseen_steps_are_honest() -> None:
    large = [
        (model, step)
        for model, step in CHECKS
        if model.keras_name is not None or step.batch >= (1024 if model.id == "mlp" else 64)
    ]

    errors = [_error(model, step) for model, step in large]

    assert len(errors) >= 20
    assert statistics.median(abs(error) for error in errors) <= 0.05
    assert sum(-0.18 <= error <= 0.18 for error in errors) >= 0.9 * len(errors)


@pytest.mark.parametrize("model", [model for model in FACTS.models if model.keras_name], ids=lambda model: model.id)
def test_every_network_has_a_curve_for_every_precision(model: ModelFacts) -> None:
    network = describe_network(Workload(model_id=model.id, input_shape=model.input_shape), FACTS)

    assert network is not None
    assert set(network.curves) == set(Precision)
    # a 16-bit policy never needs half of the float32 memory: normalisation stays in float32
    full = network.curves[Precision.FLOAT32].sample_bytes
    assert 0.5 * full < network.curves[Precision.MIXED_FLOAT16].sample_bytes < 1.1 * full


def test_small_network_is_counted_as_keras_counts_it() -> None:
    """Numbers of keras.Model.count_params for three blocks from width 32, 128 × 128 × 3, ten classes."""
    workload = Workload(
        task="image_classification",
        model_id="small_cnn",
        model_options={"width": 32, "blocks": 3},
        input_shape=(128, 128, 3),
        output_units=10,
    )

    network = describe_network(workload, FACTS)

    assert network is not None
    assert network.params == 95_210
    assert network.macs == 165_152_000
    assert network.output_elements == 3_031_306 + 128 * 128 * 3


@pytest.mark.parametrize(
    ("units", "has_norm", "features", "params", "macs", "elements"),
    [
        ([256, 128], False, 30, 42_122, 41_728, 1_192),
        ([256, 128], True, 30, 43_658, 41_728, 1_576),
        ([1024, 1024, 512], True, 200, 1_795_594, 1_782_784, 10_450),
    ],
)
def test_table_network_is_counted_as_keras_counts_it(units, has_norm, features, params, macs, elements) -> None:
    workload = Workload(
        task="tabular_classification",
        model_id="mlp",
        model_options={"hidden_units": units, "batch_normalization": has_norm},
        input_shape=(features,),
        output_units=10,
    )

    network = describe_network(workload, FACTS)

    assert network is not None
    assert (network.params, network.macs, network.output_elements) == (params, macs, elements)


def test_unknown_networks_have_no_numbers() -> None:
    assert describe_network(Workload(model_id="my_own", input_shape=(224, 224, 3)), FACTS) is None
