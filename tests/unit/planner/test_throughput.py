from __future__ import annotations

import math

import pytest

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.workload import Precision, Requests
from tests.unit.planner.machines import card, images, plan, table


def _rate(kind: str, batch: int, precision: Precision) -> float:
    workload = images("resnet50", output_units=1000, sample_count=None)
    made = plan(workload, card(kind), requests=Requests(per_replica_batch=batch, precision=precision))
    assert made.time.step is not None
    return batch / made.time.step.expected


@pytest.mark.parametrize(
    ("kind", "batch", "precision", "images_per_s"),
    # lambdal/lambda-tensorflow-benchmark, ResNet-50, one card, XLA off
    [
        ("1080ti", 64, Precision.FLOAT32, 209),
        ("v100", 192, Precision.FLOAT32, 432),
        ("v100", 384, Precision.MIXED_FLOAT16, 1276),
    ],
)
def test_public_figures_lie_in_the_interval(kind, batch, precision, images_per_s) -> None:
    predicted = _rate(kind, batch, precision)

    assert predicted / 1.6 <= images_per_s <= predicted / 0.5


def test_faster_cards_are_predicted_faster() -> None:
    rates = [_rate(kind, 64, Precision.FLOAT32) for kind in ("1080ti", "3060", "4090", "h100")]

    assert rates[0] < rates[2] < rates[3]


def test_time_is_an_interval_and_adds_up() -> None:
    made = plan(images("resnet50"), card("4090"))

    step, epoch, training = made.time.step, made.time.epoch, made.time.training
    assert step is not None
    assert epoch is not None
    assert training is not None
    assert step.low < step.expected < step.high
    assert epoch.expected == pytest.approx(step.expected * math.ceil(20_691 / made.global_batch))
    assert training.expected == pytest.approx(epoch.expected * 30)


def test_the_processor_promises_no_time() -> None:
    made = plan(images("resnet50"))

    assert made.time.step is None
    assert made.time.limited_by == "unknown"


def test_unknown_cards_promise_no_time() -> None:
    assert plan(images(), card("4090", name="NVIDIA Something New")).time.step is None


def test_without_a_count_of_samples_only_the_step_is_told() -> None:
    made = plan(images(sample_count=None), card("4090"))

    assert made.time.step is not None
    assert made.time.epoch is None


def test_depthwise_networks_have_a_wider_interval() -> None:
    dense = plan(images("resnet50"), card("4090")).time.step
    depthwise = plan(images("mobilenet_v2"), card("4090")).time.step

    assert dense is not None
    assert depthwise is not None
    assert depthwise.high / depthwise.expected > dense.high / dense.expected


def test_a_frozen_backbone_is_faster() -> None:
    request = Requests(per_replica_batch=64)
    whole = plan(images("resnet50", requests=request), card("4090")).time.step
    frozen = plan(images("resnet50", requests=request, is_backbone_frozen=True), card("4090")).time.step

    assert whole is not None
    assert frozen is not None
    assert frozen.expected < whole.expected * 0.6


def test_slow_decoding_is_named_as_the_limit() -> None:
    data = DatasetFacts(image_size=(6000, 4000, 3))
    workload = images("mobilenet_v2", decoded_sample_bytes=None)

    made = plan(workload, card("h100"), dataset=data)

    assert made.time.limited_by == "input"
    assert "planner.advice-input" in {item.id for item in made.advice}


def test_tiny_steps_cost_the_start_of_their_operations() -> None:
    made = plan(table(), card("h100"))

    assert made.time.step is not None
    assert made.time.step.expected >= 0.0005
    assert made.time.limited_by == "unknown"
