from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.gpu import MigInstance
from gpuconfig_app.core.workload import Precision
from gpuconfig_app.knowledge.models import load_training_facts
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.network import describe_network
from gpuconfig_app.planner.roofline import work_of
from gpuconfig_app.planner.time_band import time_factors
from tests.unit.planner.machines import card, images


def _width(kind: str = "a100", model: str = "resnet50", step_s: float = 10.0, **changes: object) -> float:
    network = describe_network(images(model), load_training_facts())
    assert network is not None
    is_compiled = bool(changes.pop("is_compiled", False))
    part = changes.pop("slice", None)
    gpu = replace(Card(card(kind, **changes)), slice=part)  # type: ignore[arg-type]  # given by the test
    low, high = time_factors(work_of(network, Precision.FLOAT32), gpu, step_s, 0.1, jit_compile=is_compiled)
    assert low < 1 < high
    return high / low


def test_a_known_network_on_a_card_of_known_kind_has_the_narrowest_band() -> None:
    assert 1.5 < _width() < 2.5


@pytest.mark.parametrize(
    "doubt",
    [
        {"model": "densenet121"},
        {"kind": "h100"},
        {"is_compiled": True},
        {"step_s": 0.05},
        {"step_s": 0.3},
        {"power_limit_w": 200.0, "power_limit_default_w": 400.0},
        {"slice": MigInstance(index=0, profile="3g.40gb", memory_total_bytes=40 * 2**30)},
    ],
)
def test_each_doubt_widens_the_band(doubt) -> None:
    assert _width(**doubt) > _width()


def test_depthwise_networks_have_a_wider_band_than_others_nobody_measured() -> None:
    assert _width(model="mobilenet_v2") > _width(model="densenet121")


def test_laptops_have_a_wider_band() -> None:
    desktop = _width("3060", catalogue_id="geforce-rtx-3060-12gb")
    laptop = _width("3060", catalogue_id="geforce-rtx-3060-12gb", name="NVIDIA GeForce RTX 3060 Laptop GPU")

    assert laptop > desktop
