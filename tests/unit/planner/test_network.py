"""The curves are held against measurements they were not drawn through."""

from __future__ import annotations

import math
import statistics

import pytest

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.units import MIB
from gpuconfig_app.core.workload import Precision, Workload
from gpuconfig_app.knowledge.models import ModelFacts, StepMeasurement, load_training_facts
from gpuconfig_app.planner.network import describe_network

FACTS = load_training_facts()
CHECKS = [(model, step) for model in FACTS.models for step in model.steps if step.is_check]


def predicted_bytes(model: ModelFacts, step: StepMeasurement) -> float:
    """Predict a measured step; the input batch is not part of what was measured."""
    options: dict[str, JsonValue] = {"hidden_units": list(step.widths)}
    if model.id == "small_cnn":
        options = {"width": step.widths[0], "blocks": len(step.widths)}
    workload = Workload(
        model_id=model.id,
        model_options=options,
        input_shape=step.input_shape,
        output_units=10,
        is_backbone_frozen=step.is_backbone_frozen,
    )
    network = describe_network(workload, FACTS)
    assert network is not None
    return network.curves[step.precision].at(step.batch) - 4 * step.batch * math.prod(step.input_shape)


def _error(model: ModelFacts, step: StepMeasurement) -> float:
    return predicted_bytes(model, step) / step.step_bytes - 1


def test_predictions_of_unseen_steps_are_honest() -> None:
    """Batches, precisions, optimizers, picture sizes and networks that the table's lines were not drawn through."""
    errors = [_error(model, step) for model, step in CHECKS if step.step_bytes > 2 * MIB]

    assert len(errors) >= 35
    assert statistics.median(abs(error) for error in errors) <= 0.05
    assert sum(-0.12 <= error <= 0.16 for error in errors) >= 0.95 * len(errors)


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
    ("units", "features", "params", "macs", "elements"),
    [([256, 128], 30, 42_122, 41_728, 838), ([1024, 1024, 512], 200, 1_785_354, 1_782_784, 5_530)],
)
def test_table_network_is_counted_as_keras_counts_it(units, features, params, macs, elements) -> None:
    workload = Workload(model_id="mlp", model_options={"hidden_units": units}, input_shape=(features,), output_units=10)

    network = describe_network(workload, FACTS)

    assert network is not None
    assert (network.params, network.macs, network.output_elements) == (params, macs, elements)


def test_equal_layers_may_be_given_by_number() -> None:
    """As the tabular template's answers are: layers and units of each."""
    by_number = Workload(model_id="mlp", model_options={"hidden_layers": 3, "hidden_units": 64}, input_shape=(9,))
    by_list = Workload(model_id="mlp", model_options={"hidden_units": [64, 64, 64]}, input_shape=(9,))

    assert describe_network(by_number, FACTS) == describe_network(by_list, FACTS)


def test_unknown_networks_have_no_numbers() -> None:
    assert describe_network(Workload(model_id="my_own", input_shape=(224, 224, 3)), FACTS) is None
