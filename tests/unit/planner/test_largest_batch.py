"""The largest safe batch equals what a search over every size gives, and stays clear of what failed before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig_app.core.plan import Fit
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.core.workload import Optimizer, Precision, Requests, Workload
from gpuconfig_app.knowledge.models import load_training_facts
from gpuconfig_app.planner.calibration import Calibration
from gpuconfig_app.planner.largest_batch import (
    GRAIN,
    SMALL,
    FailedSize,
    clear_of,
    failed_sizes,
    largest_fitting,
    rounded,
    safe_batch,
)
from gpuconfig_app.planner.memory import DeviceMemory, StepMemory
from gpuconfig_app.planner.network import describe_network
from tests.unit.planner.machines import card, images, plan, table

FACTS = load_training_facts()
MODELS = [model.id for model in FACTS.models if model.keras_name is not None]
NAME = "NVIDIA GeForce RTX 4090"
WORKLOADS = st.one_of(
    st.builds(images, st.sampled_from([*MODELS, "small_cnn"]), st.sampled_from([32, 96, 224, 384])),
    st.builds(lambda units: table(model_options={"hidden_units": units}), st.integers(4, 4096)),
)


def measured(workload: Workload, batch: int, **changes: object) -> Calibration:
    made = Calibration(
        gpu_name=NAME,
        template_id=workload.template_id,
        model_id=workload.model_id,
        precision=Precision.MIXED_BFLOAT16,
        optimizer=workload.optimizer,
        input_shape=workload.input_shape,
        per_replica_batch=batch,
        peak_bytes=2 * GIB,
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # keys are field names


def failed_run(workload: Workload, batch: int, **changes: object) -> Calibration:
    return measured(workload, batch, peak_bytes=None, ran_out_of_memory=True, **changes)


@st.composite
def steps(draw) -> StepMemory:
    workload = draw(WORKLOADS)
    network = describe_network(workload, FACTS)
    assert network is not None
    precision = draw(st.sampled_from(list(Precision)))
    run = None
    if draw(st.booleans()):
        peak = draw(st.integers(50 * MIB, 20 * GIB))
        run = measured(workload, draw(st.integers(1, 512)), precision=precision, peak_bytes=peak)
    return StepMemory(
        network=network,
        optimizer=draw(st.sampled_from(list(Optimizer))),
        precision=precision,
        copies=draw(st.booleans()),
        accumulation=draw(st.sampled_from([1, 4])),
        input_bytes=4 * 224 * 224 * 3,
        jit_compile=run is None and draw(st.booleans()),
        calibrations=() if run is None else (run,),
    )


def searched(memory: StepMemory, device: DeviceMemory, limit: int) -> int | None:
    """Try every size from the top."""
    sizes = [*range(limit // GRAIN * GRAIN, 0, -GRAIN), *(size for size in SMALL if size <= limit)]
    return next((size for size in sizes if memory.predict(size, device).fit is Fit.FITS), None)


@given(steps(), st.integers(100 * MIB, 80 * GIB), st.integers(1, 1024))
@settings(max_examples=150, deadline=None)
def test_it_is_the_size_that_a_search_finds(memory: StepMemory, usable: int, limit: int) -> None:
    device = DeviceMemory(usable_bytes=usable)

    assert largest_fitting(memory, device, limit) == searched(memory, device, limit)


@given(steps(), st.integers(100 * MIB, 80 * GIB))
@settings(max_examples=150, deadline=None)
def test_it_fits_and_the_next_does_not(memory: StepMemory, usable: int) -> None:
    device = DeviceMemory(usable_bytes=usable)

    size = largest_fitting(memory, device)

    if size is None:
        assert memory.predict(1, device).fit is not Fit.FITS
        return
    assert memory.predict(size, device).fit is Fit.FITS
    larger = size + GRAIN if size >= GRAIN else size * 2
    assert size == 1 << 16 or memory.predict(larger, device).fit is not Fit.FITS


def test_no_range_is_searched(monkeypatch) -> None:
    asked = []
    predict = StepMemory.predict

    def counted(self: StepMemory, batch: int, device: DeviceMemory):
        asked.append(batch)
        return predict(self, batch, device)

    monkeypatch.setattr(StepMemory, "predict", counted)
    network = describe_network(images("resnet50"), FACTS)
    assert network is not None
    memory = StepMemory(network=network, optimizer=Optimizer.ADAM)

    size = largest_fitting(memory, DeviceMemory(usable_bytes=22 * GIB))

    assert size is not None
    assert 100 < size < 1000
    assert len(asked) <= 10


@given(steps(), st.integers(1, 2048), st.integers(1, 2048))
@settings(max_examples=150, deadline=None)
def test_memory_grows_with_the_batch_also_when_measured(memory: StepMemory, one: int, other: int) -> None:
    small, large = sorted((one, other))

    before, after = (memory.predict(batch, DeviceMemory()).total for batch in (small, large))

    assert before.low <= after.low
    assert before.expected <= after.expected
    assert before.high <= after.high


def test_unknown_memory_gives_the_limit() -> None:
    network = describe_network(images(), FACTS)
    assert network is not None

    assert largest_fitting(StepMemory(network=network, optimizer=Optimizer.SGD), DeviceMemory(), 77) == 72


@pytest.mark.parametrize(("size", "down"), [(1, 1), (3, 2), (7, 4), (8, 8), (63, 56), (64, 64)])
def test_sizes_are_rounded_down(size: int, down: int) -> None:
    assert rounded(size) == down


@given(steps(), st.integers(1, 1024), st.integers(100 * MIB, 80 * GIB))
@settings(max_examples=150, deadline=None)
def test_a_safe_batch_is_below_what_failed(memory: StepMemory, failed: int, usable: int) -> None:
    failure = FailedSize(batch=failed, precision=memory.precision)
    device = DeviceMemory(usable_bytes=usable)

    size = safe_batch(memory, device, (failure,))

    assert size is None or size < failed
    assert (size or 0) <= (largest_fitting(memory, device) or 0)


@given(st.integers(1, 4096))
def test_falling_back_again_and_again_ends_at_one(start: int) -> None:
    network = describe_network(images(), FACTS)
    assert network is not None
    memory = StepMemory(network=network, optimizer=Optimizer.ADAM)
    size: int | None = start
    tries = 0

    while size is not None:
        size = clear_of(FailedSize(batch=size, precision=memory.precision), memory)
        tries += 1

    assert tries <= 60


def test_another_precision_is_compared_by_its_memory() -> None:
    """What failed in float32 may fit in 16 bits at the same size, and not the other way round."""
    network = describe_network(images("resnet50"), FACTS)
    assert network is not None
    memory = StepMemory(network=network, optimizer=Optimizer.ADAM, precision=Precision.MIXED_BFLOAT16)

    after_full = clear_of(FailedSize(batch=128, precision=Precision.FLOAT32), memory)
    after_half = clear_of(
        FailedSize(batch=128, precision=Precision.MIXED_BFLOAT16), memory.with_precision(Precision.FLOAT32)
    )

    assert after_full is not None
    assert after_half is not None
    assert after_half < 128
    assert after_half < after_full


def test_a_plan_stays_clear_of_what_failed_and_says_so() -> None:
    workload = images("resnet50")
    free = plan(workload, card("4090"))

    made = plan(workload, card("4090"), calibrations=(failed_run(workload, free.per_replica_batch),))

    assert made.per_replica_batch < free.per_replica_batch
    reason = next(choice.reason for choice in made.choices if choice.id == "batch")
    assert reason.id == "planner.batch-failed-before"
    assert reason.params["failed"] == free.per_replica_batch


@pytest.mark.parametrize(
    "changes",
    [
        {"gpu_name": "Tesla T4"},
        {"input_shape": (512, 512, 3)},
        {"model_id": "densenet121"},
        {"optimizer": Optimizer.SGD},
        {"is_backbone_frozen": True},
        {"jit_compile": True},
    ],
)
def test_failures_of_other_jobs_do_not_count(changes) -> None:
    workload = images("resnet50")

    made = plan(workload, card("4090"), calibrations=(failed_run(workload, 8, **changes),))

    assert made.per_replica_batch == plan(workload, card("4090")).per_replica_batch


@pytest.mark.parametrize(("later", "counts"), [(64, False), (128, False), (32, True)])
def test_a_later_success_with_as_large_a_batch_lifts_a_failure(later: int, counts: bool) -> None:
    workload = images("resnet50")
    runs = (measured(workload, later), failed_run(workload, 64))

    found = failed_sizes(runs, jit_compile=False)

    assert bool(found) is counts


def test_an_earlier_success_does_not_lift_a_failure() -> None:
    workload = images("resnet50")
    runs = (failed_run(workload, 64), measured(workload, 128))

    found = failed_sizes(runs, jit_compile=False)

    assert found == (FailedSize(batch=64, precision=Precision.MIXED_BFLOAT16),)


def test_a_size_that_failed_is_used_when_asked_for_and_warned_of() -> None:
    workload = images("resnet50", requests=Requests(per_replica_batch=64))

    made = plan(workload, card("4090"), calibrations=(failed_run(workload, 48),))

    assert made.per_replica_batch == 64
    warning = next(item for item in made.warnings if item.id == "planner.warning-batch-failed-before")
    assert warning.params == {"batch": 64, "failed": 48}
    assert "planner.advice-larger-batch-gain" not in {item.id for item in made.advice}


def test_a_failure_with_one_sample_leaves_nothing() -> None:
    workload = images("resnet50")

    made = plan(workload, card("4090"), calibrations=(failed_run(workload, 1),))

    assert made.per_replica_batch == 1
    assert "planner.warning-one-failed" in {warning.id for warning in made.warnings}
