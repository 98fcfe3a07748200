from __future__ import annotations

import pytest

from gpuconfig_app.core.workload import Precision, Requests
from gpuconfig_app.knowledge.models import load_training_facts
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.precision import choose_precision
from tests.unit.planner.machines import card, images, plan, table


def _reason(made) -> str:
    return next(choice for choice in made.choices if choice.id == "precision").reason.id


@pytest.mark.parametrize(
    ("kind", "precision", "reason"),
    [
        ("1080ti", Precision.FLOAT32, "planner.precision-slow-float16"),
        ("p100", Precision.FLOAT32, "planner.precision-old-card"),
        ("1660ti", Precision.FLOAT32, "planner.precision-no-tensor-cores"),
        ("t4", Precision.MIXED_FLOAT16, "planner.precision-float16-gain"),
        ("v100", Precision.MIXED_FLOAT16, "planner.precision-float16-gain"),
        ("3060", Precision.MIXED_BFLOAT16, "planner.precision-bfloat16-gain"),
        ("a100", Precision.MIXED_BFLOAT16, "planner.precision-bfloat16-gain"),
        ("h100", Precision.MIXED_BFLOAT16, "planner.precision-bfloat16-gain"),
    ],
)
def test_precision_follows_what_the_card_really_does(kind: str, precision: Precision, reason: str) -> None:
    made = plan(images(), card(kind))

    assert made.precision is precision
    assert _reason(made) == reason


def test_capability_of_gtx_16_does_not_deceive() -> None:
    """GTX 16xx report compute capability 7.5, as T4 and RTX 20xx do, and have no tensor cores."""
    gtx, tesla = card("1660ti"), card("t4")

    assert gtx.compute_capability == tesla.compute_capability
    assert plan(images(), gtx).precision is not plan(images(), tesla).precision


def test_small_tables_gain_nothing() -> None:
    made = plan(table(), card("4090"))

    assert made.precision is Precision.FLOAT32
    assert _reason(made) == "planner.precision-no-gain-tf32"


def test_networks_that_mostly_normalise_gain_nothing() -> None:
    """Keras 3 normalises in float32 and moves as many bytes in either policy; TF32 does the rest."""
    made = plan(images("mobilenet_v2"), card("4090"))

    assert made.precision is Precision.FLOAT32
    assert _reason(made) == "planner.precision-no-gain-tf32"


def test_processor_trains_in_float32() -> None:
    assert plan(images()).precision is Precision.FLOAT32


def test_unknown_card_trains_in_float32() -> None:
    unknown = card("4090", name="NVIDIA Graphics Device", compute_capability=None)

    assert plan(images(), unknown).precision is Precision.FLOAT32


def test_a_request_is_respected_and_warned_of() -> None:
    made = plan(images(), card("1660ti"), requests=Requests(precision=Precision.MIXED_FLOAT16))

    assert made.precision is Precision.MIXED_FLOAT16
    assert "planner.warning-precision-slow" in {warning.id for warning in made.warnings}


def test_bfloat16_on_turing_is_warned_of() -> None:
    made = plan(images(), card("t4"), requests=Requests(precision=Precision.MIXED_BFLOAT16))

    assert "planner.warning-no-bfloat16" in {warning.id for warning in made.warnings}


def test_float32_on_tensor_cores_gets_advice_with_a_factor() -> None:
    asked = Requests(precision=Precision.FLOAT32, per_replica_batch=32)
    made = plan(images("convnext_tiny"), card("4090"), requests=asked)

    advice = next(item for item in made.advice if item.id == "planner.advice-mixed")
    assert float(advice.params["factor"]) > 1.1


def test_the_reason_tells_the_gain_of_a_step_and_not_what_peaks_promise() -> None:
    made = plan(images(), card("4090"))

    reason = next(choice for choice in made.choices if choice.id == "precision").reason
    assert reason.id == "planner.precision-bfloat16-gain"
    assert 1.05 < reason.params["factor"] < 165.2 / 82.6


def test_without_a_known_network_the_reason_tells_the_dense_rates() -> None:
    made = choose_precision((Card(card("4090")),), None, None, None, load_training_facts())

    assert made.reason.id == "planner.precision-bfloat16"
    assert made.reason.params == pytest.approx({"half": 165.2, "full": 82.6})
