from __future__ import annotations

import pytest

from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.workload import Precision
from gpuconfig_app.knowledge.models import load_training_facts
from gpuconfig_app.knowledge.throughput import load_throughput_facts
from gpuconfig_app.planner.cards import Arithmetic, Card
from gpuconfig_app.planner.network import Network, describe_network
from gpuconfig_app.planner.roofline import (
    arithmetic_of,
    replica_step_time,
    sample_time,
    speed_of,
    time_of,
    transformer_work,
    work_of,
)
from tests.unit.planner.machines import card, images, table

FACTS = load_training_facts()


def _network(name: str = "resnet50", **changes: object) -> Network:
    made = describe_network(images(name, **changes), FACTS)
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("kind", "precision", "arithmetic"),
    [
        ("1080ti", Precision.FLOAT32, Arithmetic.FP32),
        ("1080ti", Precision.MIXED_FLOAT16, Arithmetic.FP32),
        ("1660ti", Precision.MIXED_FLOAT16, Arithmetic.FP32),
        ("v100", Precision.FLOAT32, Arithmetic.FP32),
        ("v100", Precision.MIXED_FLOAT16, Arithmetic.FP16),
        ("a100", Precision.FLOAT32, Arithmetic.TF32),
        ("a100", Precision.MIXED_BFLOAT16, Arithmetic.FP16),
    ],
)
def test_a_precision_means_what_the_card_has_for_it(kind, precision, arithmetic) -> None:
    assert arithmetic_of(Card(card(kind)), precision) is arithmetic


def test_a_figure_of_keras_3_lies_in_the_band() -> None:
    """keras.io/getting_started/benchmarks: BERT-Base, 512 tokens, A100 40GB, XLA, TF32: 214.49 ms for 32 sequences.

    No figure of Keras 3 was used in the fit.
    """
    speed = speed_of(Card(card("a100", name="NVIDIA A100-SXM4-40GB", memory_total_bytes=40 * 2**30)), Precision.FLOAT32)
    assert speed is not None

    predicted = time_of(transformer_work(85_000_000, 512, 768, 12, 12, Precision.FLOAT32), speed).at(32)
    band = load_throughput_facts().numbers["new-network-band"]

    assert predicted / band < 0.21449 < predicted * band


def test_work_of_a_transformer_is_six_times_weights_and_tokens() -> None:
    one = transformer_work(10**9, 128, 1024, 24, 16, Precision.FLOAT32)
    longer = transformer_work(10**9, 256, 1024, 24, 16, Precision.FLOAT32)

    assert one.operations == pytest.approx(6 * 10**9 * 128, rel=0.01)
    assert longer.operations > 2 * one.operations
    assert longer.sample_bytes > 2 * one.sample_bytes


def test_xla_saves_traffic() -> None:
    plain, joined = (work_of(_network(), Precision.FLOAT32, jit_compile=jit) for jit in (False, True))

    assert joined.sample_bytes < plain.sample_bytes
    assert joined.operations == plain.operations


def test_mixed_precision_saves_little_traffic_where_much_is_normalised() -> None:
    """Keras 3 normalises in float32 and in many operations."""
    full, half = (
        work_of(_network("mobilenet_v2"), precision) for precision in Precision if "bf" not in precision.value
    )

    assert half.sample_bytes > 0.8 * full.sample_bytes


def test_traffic_grows_with_the_picture() -> None:
    small, large = (work_of(_network(side=side), Precision.FLOAT32) for side in (224, 448))

    assert large.sample_bytes == pytest.approx(4 * small.sample_bytes, rel=0.02)
    assert large.step_bytes == pytest.approx(small.step_bytes)


def test_networks_nobody_counted_get_the_usual_traffic() -> None:
    counted = _network()
    own = Network(**vars(counted) | {"name": "My own"})

    work = work_of(own, Precision.FLOAT32)

    assert not work.is_known
    assert 0.3 < work.sample_bytes / work_of(counted, Precision.FLOAT32).sample_bytes < 3


def test_a_step_waits_for_the_processor() -> None:
    network = describe_network(table(), FACTS)
    assert network is not None

    one, more = (replica_step_time(network, Card(card("h100")), Precision.FLOAT32, size, FACTS) for size in (1, 64))

    assert one == more


def test_cards_of_makers_without_figures_have_no_time() -> None:
    gpu = Card(card("4090", vendor=Vendor.INTEL, catalogue_id="geforce-rtx-4090"))

    assert sample_time(_network(), gpu, Precision.FLOAT32) is None
