from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.gpu import NvLink, PcieLink
from gpuconfig_app.core.workload import Optimizer, Precision, Requests
from gpuconfig_app.knowledge.models import load_training_facts
from gpuconfig_app.planner.calibration import Calibration
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.network import Network, describe_network
from gpuconfig_app.planner.throughput import Pace, join_interval, predict_time
from tests.unit.planner.machines import CARDS, card, images, plan, table

FACTS = load_training_facts()
NETWORKS = ("convnext_tiny", "densenet121", "efficientnet_v2_b0", "mobilenet_v2", "mobilenet_v3_large", "resnet50")
KINDS = [kind for kind in CARDS if kind != "mx150"]

networks = st.sampled_from((*NETWORKS, "small_cnn"))
kinds = st.sampled_from(KINDS)
precisions = st.sampled_from(tuple(Precision))
batches = st.integers(1, 1024)


def _network(name: str) -> Network:
    made = describe_network(images(name), FACTS)
    assert made is not None
    return made


def _pace(batch: int = 32, replicas: int = 1, **changes: object) -> Pace:
    made = Pace(per_replica_batch=batch, replicas=replicas, accumulation_steps=1, epochs=3, sample_count=20_000)
    return replace(made, **changes)  # type: ignore[arg-type]  # keys are field names


def _step(network: Network, gpu: Card, precision: Precision, pace: Pace):
    step = predict_time(network, gpu, precision, pace, FACTS).step
    assert step is not None
    return step


@given(networks, kinds, precisions, batches, st.booleans())
def test_the_interval_holds_what_is_expected(name, kind, precision, batch, jit) -> None:
    step = _step(_network(name), Card(card(kind)), precision, _pace(batch, jit_compile=jit))

    assert 0 < step.low < step.expected < step.high
    assert step.high / step.low < 10


@given(networks, kinds, precisions, batches, batches)
def test_a_larger_batch_never_takes_less(name, kind, precision, one, other) -> None:
    small, large = (_step(_network(name), Card(card(kind)), precision, _pace(batch)) for batch in sorted((one, other)))

    assert small.expected <= large.expected


@given(networks, kinds, precisions, batches, st.floats(1, 100))
def test_more_arithmetic_never_takes_less(name, kind, precision, batch, factor) -> None:
    network = _network(name)
    more = replace(network, macs=round(network.macs * factor))

    assert (
        _step(network, Card(card(kind)), precision, _pace(batch)).expected
        <= _step(more, Card(card(kind)), precision, _pace(batch)).expected
    )


@given(networks, st.sampled_from([("t4", "v100"), ("v100", "a100"), ("a100", "h100"), ("3060", "4090")]), batches)
def test_a_card_that_is_better_in_all_is_never_slower(name, pair, batch) -> None:
    slow, fast = (_step(_network(name), Card(card(kind)), Precision.FLOAT32, _pace(batch)) for kind in pair)

    assert fast.expected <= slow.expected


@given(networks, kinds, precisions, batches, st.integers(2, 16), st.booleans())
def test_an_epoch_on_several_cards_is_not_slower_but_for_joining(
    name, kind, precision, batch, replicas, nvlink
) -> None:
    links = (NvLink(index=0, is_active=True),) if nvlink else ()
    gpu, network = Card(card(kind, nvlinks=links)), _network(name)
    count = batch * replicas * 7
    one, many = (
        predict_time(network, gpu, precision, _pace(batch, number, sample_count=count), FACTS)
        for number in (1, replicas)
    )
    assert one.epoch is not None
    assert many.epoch is not None

    assert many.epoch.expected <= one.epoch.expected + 7 * join_interval(network, gpu, replicas, FACTS).expected


@given(networks, kinds, batches, st.integers(1, 8), st.integers(1, 50_000), st.integers(1, 100))
def test_epochs_are_steps_and_trainings_are_epochs(name, kind, batch, replicas, count, epochs) -> None:
    pace = _pace(batch, replicas, sample_count=count, epochs=epochs)
    made = predict_time(_network(name), Card(card(kind)), Precision.FLOAT32, pace, FACTS)
    steps = math.ceil(count / (batch * replicas))

    for end in ("low", "expected", "high"):
        step, epoch, training = (getattr(part, end) for part in (made.step, made.epoch, made.training))
        assert epoch == pytest.approx(step * steps)
        assert training == pytest.approx(epoch * epochs)


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


@given(st.floats(1e-4, 10))
def test_a_step_is_as_slow_as_its_input(input_s) -> None:
    network, gpu = _network("resnet50"), Card(card("a100"))
    without = _step(network, gpu, Precision.FLOAT32, _pace())
    made = predict_time(network, gpu, Precision.FLOAT32, _pace(input_s=input_s), FACTS)

    assert made.step is not None
    assert made.step.expected == max(without.expected, input_s)
    assert made.step.low >= without.low
    assert made.step.high >= max(without.high, input_s)
    assert (made.limited_by == "input") is (input_s > without.expected)


def test_tiny_steps_cost_the_start_of_their_operations() -> None:
    made = plan(table(), card("h100"))

    assert made.time.step is not None
    assert made.time.step.expected >= 0.0005
    assert made.time.limited_by == "unknown"


def test_accumulating_repeats_the_step_and_joins_once() -> None:
    network, gpu = _network("resnet50"), Card(card("4090"))
    one, four = (
        _step(network, gpu, Precision.FLOAT32, _pace(replicas=2, accumulation_steps=steps)).expected for steps in (1, 4)
    )
    join = join_interval(network, gpu, 2, FACTS).expected

    assert four - join == pytest.approx(4 * (one - join))


def test_a_ring_moves_almost_twice_the_gradients_whatever_the_number_of_cards() -> None:
    network, gpu = _network("resnet50"), Card(card("4090"))
    fixed = FACTS.number("strategy-overhead-s")
    two, eight = (join_interval(network, gpu, number, FACTS).expected - fixed for number in (2, 8))

    assert eight / two == pytest.approx(1.75)
    assert join_interval(network, gpu, 1, FACTS).high == 0


def test_links_are_told_apart() -> None:
    """NVLink is faster and surer than PCI Express; fewer lanes and an unread link are slower."""
    network = _network("resnet50")
    links = (NvLink(index=0, is_active=True),)
    nvlink, pcie, narrow, unread = (
        join_interval(network, Card(card("v100", **changes)), 4, FACTS)
        for changes in (
            {"nvlinks": links},
            {"pcie": PcieLink(max_generation=4, max_width=16)},
            {"pcie": PcieLink(max_generation=4, max_width=4)},
            {"pcie": None},
        )
    )

    assert nvlink.expected < pcie.expected < unread.expected
    assert pcie.expected < narrow.expected
    assert nvlink.high / nvlink.low < pcie.high / pcie.low
    assert pcie.low < pcie.expected < pcie.high


def test_what_was_measured_replaces_the_prediction_with_a_narrow_interval() -> None:
    network, gpu = _network("resnet50"), Card(card("4090"))
    measured = Calibration(
        precision=Precision.FLOAT32, optimizer=Optimizer.ADAMW, per_replica_batch=32, step_s=0.1, steps=30
    )

    made = predict_time(network, gpu, Precision.FLOAT32, _pace(), FACTS, measured)

    assert made.source == "measured"
    assert made.step is not None
    assert made.step.expected == pytest.approx(0.1)
    assert made.step.high / made.step.low < 1.3


def test_a_plan_tells_the_warm_up_apart() -> None:
    made = plan(images("resnet50"), card("4090")).time

    assert made.warm_up is not None
    assert 0 < made.warm_up.low < made.warm_up.expected < made.warm_up.high
