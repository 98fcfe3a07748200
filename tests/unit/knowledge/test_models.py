from __future__ import annotations

import pytest

from gpuconfig_app.core.units import MIB
from gpuconfig_app.core.workload import Precision
from gpuconfig_app.knowledge.models import load_models, load_training_facts


def test_every_network_of_the_image_template_is_listed() -> None:
    assert {model.id for model in load_models()} >= {
        "convnext_tiny",
        "densenet121",
        "efficientnet_v2_b0",
        "mobilenet_v2",
        "mobilenet_v3_large",
        "resnet50",
        "small_cnn",
        "mlp",
    }


def test_networks_are_found_by_their_keras_name_too() -> None:
    facts = load_training_facts()

    assert facts.model("ResNet50") is facts.model("resnet50")
    assert facts.model("no_such_model") is None


def test_networks_of_keras_have_all_numbers() -> None:
    for model in load_models():
        if model.keras_name is None:
            continue
        assert model.input_shape == (224, 224, 3)
        assert None not in (model.params, model.trainable_params, model.feature_width, model.macs, model.layer_count)
        assert {step.precision for step in model.steps if not step.is_check} >= {
            Precision.FLOAT32,
            Precision.MIXED_FLOAT16,
        }


@pytest.mark.parametrize(("major", "mib"), [(5, 500), (6, 500), (7, 1050), (8, 1536), (9, 1800), (12, 1800)])
def test_what_tensorflow_leaves_free_depends_on_the_capability(major: int, mib: int) -> None:
    assert load_training_facts().kept_free_bytes(major) == mib * MIB
