from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from gpuconfig_app.core.units import MIB
from gpuconfig_app.core.workload import Precision
from gpuconfig_app.knowledge.models import load_models, load_training_facts
from gpuconfig_app.resources import resource_path


@pytest.fixture(scope="module")
def probe() -> ModuleType:
    """The maintainer's probe; TensorFlow is imported only by its functions that measure."""
    spec = importlib.util.spec_from_file_location("measure_model", resource_path("probes", "measure_model.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def test_replay_finds_the_highest_sum_of_live_outputs(probe: ModuleType) -> None:
    def event(time: int, sign: int, address: int, size: int = 0, region: str = "output"):
        return (time, sign, {"address": address, "requested_bytes": size, "region_type": region})

    events = [
        event(1, 1, 10, 1000),
        event(2, 1, 20, 100),
        event(3, 1, 30, 4000, "temp"),
        event(4, -1, 30),
        event(5, -1, 10),
        event(6, 1, 10, 300),
        event(7, -1, 99),
    ]

    outputs, everything, count = probe.replay(events)

    assert outputs == 1024 + 256
    assert everything == 1024 + 256 + 4096
    assert count == 7
