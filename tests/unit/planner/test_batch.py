from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig_app.core.errors import WorkloadError
from gpuconfig_app.core.plan import Fit, MemoryPart
from gpuconfig_app.core.system import MemoryInfo
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.core.workload import Requests
from tests.unit.planner.machines import HOST, card, images, plan, table

MODELS = ["mobilenet_v2", "efficientnet_v2_b0", "resnet50", "densenet121", "convnext_tiny", "small_cnn"]
KINDS = ["1080ti", "1660ti", "3060", "t4", "v100", "4090", "a100", "h100"]


def _reason(made, name: str = "batch"):
    return next(choice for choice in made.choices if choice.id == name).reason


@given(st.sampled_from(MODELS), st.sampled_from(KINDS), st.integers(64, 512), st.integers(0, 90))
@settings(max_examples=60, deadline=None)
def test_a_planned_batch_fits_its_own_prediction(model: str, kind: str, side: int, used_pct: int) -> None:
    gpu = card(kind)
    assert gpu.memory_total_bytes is not None
    busy = replace(gpu, memory_free_bytes=gpu.memory_total_bytes * (100 - used_pct) // 100)

    made = plan(images(model, side), busy)

    assert made.memory is not None
    is_warned = "planner.warning-no-batch-fits" in {warning.id for warning in made.warnings}
    assert made.memory.fit is Fit.FITS or is_warned
    assert made.per_replica_batch in (1, 2, 4) or made.per_replica_batch % 8 == 0


@given(st.sampled_from(MODELS), st.sampled_from(KINDS), st.integers(0, 90), st.integers(0, 90))
@settings(max_examples=60, deadline=None)
def test_the_batch_never_grows_when_free_memory_shrinks(model: str, kind: str, one: int, other: int) -> None:
    gpu = card(kind)
    assert gpu.memory_total_bytes is not None
    total = gpu.memory_total_bytes

    def batch(used_pct: int) -> int:
        free = total * (100 - used_pct) // 100
        return plan(images(model), replace(gpu, memory_free_bytes=free)).per_replica_batch

    less, more = sorted((one, other))
    assert batch(more) <= batch(less)


def test_memory_sets_the_batch_of_a_small_card() -> None:
    made = plan(images("resnet50"), card("1660ti"))

    reason = _reason(made)
    assert reason.id == "planner.batch-memory"
    assert made.memory is not None
    assert reason.params["high_bytes"] == int(made.memory.total.high)


def test_little_data_keep_the_batch_small() -> None:
    """The digits that scikit-learn ships: 1 437 of 1 797 are trained on."""
    made = plan(images("small_cnn", 32, sample_count=1437), card("4090"))

    assert made.per_replica_batch == 24
    assert _reason(made).params == {"count": 1437, "updates": 60}


def test_a_large_card_is_not_filled_for_its_own_sake() -> None:
    made = plan(images("mobilenet_v2", sample_count=1_000_000), card("h100"))

    assert made.per_replica_batch == 256
    assert _reason(made).id == "planner.batch-busy"


def test_the_processor_gets_small_batches() -> None:
    assert plan(images("mobilenet_v2")).per_replica_batch == 32


def test_little_main_memory_caps_the_batch() -> None:
    host = replace(HOST, memory=MemoryInfo(total_bytes=4 * GIB, available_bytes=256 * MIB))

    made = plan(images("mobilenet_v2"), card("h100"), host=host)

    assert _reason(made).id == "planner.batch-host"
    assert made.per_replica_batch == 24


def test_global_batch_is_the_product() -> None:
    made = plan(images(requests=Requests(accumulation_steps=3)), card("4090"), card("4090", 1))

    assert made.global_batch == made.per_replica_batch * 2 * 3


def test_a_requested_batch_is_respected_and_its_fit_told() -> None:
    made = plan(images("resnet50"), card("1660ti"), requests=Requests(per_replica_batch=512))

    assert made.per_replica_batch == 512
    assert made.memory is not None
    assert made.memory.fit is Fit.TOO_BIG
    assert "planner.warning-batch-too-big" in {warning.id for warning in made.warnings}


def test_a_small_requested_batch_is_told_the_larger_one() -> None:
    made = plan(images("resnet50"), card("4090"), requests=Requests(per_replica_batch=16))

    advice = next(item for item in made.advice if item.id.startswith("planner.advice-larger-batch"))
    assert int(advice.params["batch"]) > 16
    assert int(advice.params["high_bytes"]) <= int(advice.params["usable_bytes"])


def test_memory_that_allows_few_samples_is_made_up_for_by_accumulation() -> None:
    made = plan(images("convnext_tiny", 512), card("1660ti"))

    assert made.per_replica_batch < 16
    assert made.global_batch >= 32
    assert _reason(made, "accumulation").id == "planner.accumulation-small-batch"


def test_kept_gradients_cost_memory() -> None:
    one = plan(images("resnet50", requests=Requests(per_replica_batch=8)), card("4090"))
    many = plan(images("resnet50", requests=Requests(per_replica_batch=8, accumulation_steps=4)), card("4090"))

    assert one.memory is not None
    assert many.memory is not None
    slot = next(part for part in one.memory.parts if part.part is MemoryPart.OPTIMIZER)
    more = next(part for part in many.memory.parts if part.part is MemoryPart.OPTIMIZER)
    assert more.size_bytes - slot.size_bytes == (23_534_592 + 2049 * 37) * 4


def test_the_inputs_of_all_accumulated_batches_wait_on_the_card() -> None:
    """The scripts hand the whole update to the card and cut it into parts there."""
    few, many = (
        plan(images("resnet50", requests=Requests(per_replica_batch=32, accumulation_steps=steps)), card("4090"))
        for steps in (2, 64)
    )

    assert few.memory is not None
    assert many.memory is not None
    assert many.memory.total.expected - few.memory.total.expected >= 62 * 32 * 224 * 224 * 3 * 4


def test_an_unknown_network_gets_a_usual_batch_and_a_warning() -> None:
    made = plan(images("my_own"), card("4090"))

    assert made.memory is None
    assert made.per_replica_batch == 32
    assert "planner.warning-unknown-network" in {warning.id for warning in made.warnings}


@pytest.mark.parametrize(
    "workload",
    [
        images(input_shape=()),
        images(input_shape=(0, 224, 3)),
        images(epochs=0),
        images(requests=Requests(per_replica_batch=0)),
        images(requests=Requests(learning_rate=-1.0)),
        table(requests=Requests(accumulation_steps=0)),
    ],
)
def test_impossible_numbers_are_refused(workload) -> None:
    with pytest.raises(WorkloadError):
        plan(workload, card("4090"))


def test_all_parts_of_an_update_count_for_data_and_host_memory() -> None:
    """The scripts read the batches of one update at once."""
    wanted = Requests(accumulation_steps=4)
    host = replace(HOST, memory=MemoryInfo(total_bytes=4 * GIB, available_bytes=256 * MIB))

    by_data = plan(images("mobilenet_v2", sample_count=20_000, requests=wanted), card("h100"))
    by_host = plan(images("mobilenet_v2", sample_count=1_000_000, requests=wanted), card("h100"), host=host)

    assert by_data.per_replica_batch == 96
    assert _reason(by_data).params == {"count": 20_000, "updates": 53}
    assert _reason(by_host).id == "planner.batch-host"
    assert by_host.per_replica_batch <= 24 // 4 + 2


@pytest.mark.parametrize(
    ("model", "reason", "seen"),
    [
        ("resnet50", "planner.accumulation-requested-norm", 16),
        ("small_cnn", "planner.accumulation-requested-norm", 32),
        ("convnext_tiny", "planner.accumulation-requested", None),
    ],
)
def test_accumulation_says_what_batch_normalisation_sees(model: str, reason: str, seen: int | None) -> None:
    """Our own network joins it over the cards, ready-made ones do not, ConvNeXt has none."""
    wanted = Requests(per_replica_batch=16, accumulation_steps=4, devices=(0, 1))

    made = plan(images(model, requests=wanted), card("4090"), card("4090", 1))

    assert _reason(made, "accumulation").id == reason
    assert _reason(made, "accumulation").params.get("seen") == seen


def test_blocks_of_tensor_cores_are_named_where_they_count() -> None:
    half = plan(images("resnet50", 384), card("t4"))
    full = plan(images("resnet50", 384), card("1660ti"))

    assert half.per_replica_batch % 8 == 0
    assert _reason(half).id == "planner.batch-memory-blocks"
    assert _reason(full).id == "planner.batch-memory"
