from __future__ import annotations

import pytest

from gpuconfig_app.core.units import GIB, MIB
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


@pytest.mark.parametrize(("major", "mib"), [(5, 500), (6, 500), (7, 1050), (8, 1536), (9, 1800), (12, 1800)])
def test_what_tensorflow_leaves_free_depends_on_the_capability(major: int, mib: int) -> None:
    assert load_training_facts().kept_free_bytes(major, 8 * GIB) == mib * MIB


@pytest.mark.parametrize(
    ("major", "available_mib", "kept_mib"),
    [(None, 8192, 1800), (8, 2047, 225), (9, 2049, 1800), (6, 1024, 225), (8, 225, 0), (8, 0, 0)],
)
def test_little_memory_leaves_less_and_an_unknown_card_the_most(major, available_mib: int, kept_mib: int) -> None:
    assert load_training_facts().kept_free_bytes(major, available_mib * MIB) == kept_mib * MIB
