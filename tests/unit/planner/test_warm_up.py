from __future__ import annotations

from gpuconfig_app.core.finding import Outcome
from gpuconfig_app.core.plan import Interval
from gpuconfig_app.knowledge.models import load_training_facts
from gpuconfig_app.planner.network import describe_network
from gpuconfig_app.planner.warm_up import warm_up_time
from tests.unit.planner.machines import images


def _warm_up(model: str = "resnet50", **changes: object) -> Interval:
    network = describe_network(images(model), load_training_facts())
    assert network is not None
    options = {"jit_compile": False, "outcome": Outcome.NATIVE} | changes
    return warm_up_time(network, **options)  # type: ignore[arg-type]  # given by the test


def test_the_interval_is_wide() -> None:
    made = _warm_up()

    assert 0 < made.low < made.expected < made.high
    assert made.high / made.low > 4


def test_deep_networks_compiling_and_new_cards_take_longer() -> None:
    usual = _warm_up().expected

    assert _warm_up("small_cnn").expected < usual
    assert _warm_up(jit_compile=True).expected > usual
    assert _warm_up(outcome=Outcome.JIT_AT_FIRST_START).expected > usual + 60


def test_on_the_processor_only_the_graph_is_built() -> None:
    made = _warm_up(has_cards=False, outcome=Outcome.JIT_AT_FIRST_START, jit_compile=True)

    assert made.expected < _warm_up().expected
