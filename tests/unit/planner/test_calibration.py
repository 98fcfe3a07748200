"""What runs measured replaces the estimate: which of them count, and what they say of another batch."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.core.calibration import SPREAD, Calibration
from gpuconfig_app.core.dataset import DataKind, DatasetFacts
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.core.workload import Optimizer, Precision, Requests, StrategyKind
from gpuconfig_app.knowledge.models import load_training_facts
from gpuconfig_app.planner.calibration import measured_step, xla_is_faster
from gpuconfig_app.planner.make_plan import PlanRequest, make_plan
from gpuconfig_app.planner.memory import ROUNDING, DeviceMemory, StepMemory
from gpuconfig_app.planner.network import describe_network
from tests.unit.planner.machines import HOST, card, images, machine, plan

CARD = "NVIDIA GeForce RTX 4090"
FLOAT32 = Requests(precision=Precision.FLOAT32)


def measured(batch: int = 32, peak: int | None = 3 * GIB, **changes: object) -> Calibration:
    """A run of the pictures' job on the RTX 4090, as the workbench writes it."""
    workload = images()
    made = Calibration(
        gpu_name=CARD,
        device_bytes=24564 * MIB,
        tensorflow="2.21.0",
        template_id=workload.template_id,
        model_id=workload.model_id,
        output_units=workload.output_units,
        precision=Precision.FLOAT32,
        optimizer=workload.optimizer,
        input_shape=workload.input_shape,
        per_replica_batch=batch,
        peak_bytes=peak,
        step_s=0.1,
        steps=35,
        measured_at="2026-11-30T12:00:00+00:00",
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # keys are field names


def planned(*runs: Calibration, batch: int | None = 32, gpu: str = "4090", **requests: object):
    asked = replace(FLOAT32, per_replica_batch=batch, **requests)  # type: ignore[arg-type]  # keys are field names
    return plan(images(requests=asked), card(gpu), calibrations=runs)


def test_the_measured_peak_is_told_with_its_day_and_a_narrow_interval() -> None:
    memory = planned(measured()).memory

    assert memory.source == "measured"
    assert memory.measured_at == "2026-11-30T12:00:00+00:00"
    assert memory.total.expected == 3 * GIB
    assert memory.total.low == pytest.approx(3 * GIB * (1 - SPREAD), rel=1e-6)
    assert memory.total.high == pytest.approx(3 * GIB * (1 + SPREAD), rel=1e-6)


@pytest.mark.parametrize(
    "changes",
    [
        {"gpu_name": "NVIDIA GeForce RTX 4080"},
        {"gpu_name": None, "processor": "AMD EPYC"},
        {"device_bytes": 12 * GIB},
        {"model_id": "vgg16"},
        {"model_options": {"width": 64}},
        {"output_units": 1000},
        {"optimizer": Optimizer.SGD},
        {"input_shape": (96, 96, 3)},
        {"is_backbone_frozen": True},
        {"precision": Precision.MIXED_BFLOAT16},
        {"jit_compile": True},
        {"ran_out_of_memory": True},
        {"peak_bytes": None},
        {"peak_bytes": 0},
        {"peak_bytes": -5},
        {"peak_bytes": 90 * MIB},  # below the weights alone
        {"peak_bytes": 25 * GIB},  # more than the card has
        {"per_replica_batch": 0},
    ],
)
def test_what_is_of_another_job_or_cannot_be_true_does_not_count(changes) -> None:
    assert planned(measured(**changes)).memory.source != "measured"


@pytest.mark.parametrize("step_s", [None, 0.0, -1.0, math.nan, math.inf, 1e-9, 1e9])
def test_a_step_time_that_cannot_be_true_does_not_count(step_s) -> None:
    made = planned(measured(step_s=step_s))

    assert made.memory.source == "measured"
    assert made.time.source == "rules"


@pytest.mark.parametrize("deviation", [-5.0, math.nan, math.inf, 1e300])
def test_a_spread_of_steps_that_cannot_be_true_does_not_count(deviation) -> None:
    made = planned(measured(step_deviation=deviation))

    assert made.memory.source == "measured"
    assert made.time.source == "rules"


def test_an_older_run_counts_where_the_newest_says_nothing_of_this_precision() -> None:
    newest = measured(precision=Precision.MIXED_FLOAT16, peak=2 * GIB)

    assert planned(newest, measured()).memory.total.expected == 3 * GIB


def test_few_steps_give_a_wider_interval() -> None:
    full, short = planned(measured()).memory.total, planned(measured(steps=8)).memory.total

    assert short.expected == full.expected
    assert short.high - short.low == pytest.approx(2 * (full.high - full.low), rel=1e-6)
    assert planned(measured(steps=12)).time.step.high == pytest.approx(0.12)


def test_far_from_the_measured_batch_the_interval_is_wider() -> None:
    widths = []
    for batch in (32, 40, 64, 128):
        total = planned(measured(), batch=batch).memory.total
        widths.append((total.high - total.low) / total.expected)

    assert widths == sorted(widths)
    assert widths[-1] > 2 * widths[0]


def test_between_two_measured_batches_the_line_goes_through_both() -> None:
    runs = (measured(64, 5 * GIB), measured(32, 3 * GIB))

    exact = [planned(*runs, batch=batch).memory.total.expected for batch in (32, 64)]
    middle = planned(*runs, batch=48).memory.total.expected

    assert exact == [3 * GIB, 5 * GIB]
    assert middle == pytest.approx(4 * GIB, rel=1e-6)


def test_of_two_runs_that_contradict_each_other_the_newer_counts() -> None:
    newer, older = measured(64, 3 * GIB), measured(32, 4 * GIB)

    assert planned(newer, older, batch=64).memory.total.expected == 3 * GIB
    assert planned(newer, older, batch=32).memory.total.expected < 3 * GIB


def test_another_way_to_take_memory_widens_and_never_replaces_the_same_way() -> None:
    other = measured(peak=4 * GIB, regime="one_region")

    alone = planned(other).memory.total
    beside = planned(other, measured()).memory.total

    assert alone.expected == 4 * GIB
    assert alone.high == pytest.approx(4 * GIB * (1 + 2 * SPREAD), rel=1e-6)
    assert beside.expected == 3 * GIB


def test_gradients_kept_over_several_batches_are_added_and_taken_away() -> None:
    kept = planned(accumulation_steps=4).memory
    slot = next(part.size_bytes for part in planned().memory.parts if part.part.value == "optimizer") // 2
    more = planned(measured(), accumulation_steps=4).memory.total.expected
    fewer = planned(measured(accumulation_steps=4)).memory.total.expected
    same = planned(measured(accumulation_steps=4), accumulation_steps=4).memory.total.expected

    made = planned()
    inputs = 4 * made.per_replica_batch * math.prod(made.workload.input_shape) * 4 * ROUNDING

    assert kept.source != "measured"
    assert more == pytest.approx(3 * GIB + slot + inputs, abs=2)
    assert fewer == pytest.approx(3 * GIB - slot - inputs, abs=2)
    assert same == 3 * GIB


def test_scratch_while_kernels_were_chosen_is_no_part_of_the_prediction() -> None:
    run = measured(first_peak_bytes=9 * GIB, driver_bytes=10 * GIB)

    assert planned(run).memory.total.expected == 3 * GIB


def test_a_run_on_several_cards_tells_nothing_of_the_time_on_one() -> None:
    made = planned(measured(replicas=2))

    assert made.time.source == "rules"
    assert made.memory.source == "measured"


def test_what_joining_cards_took_is_not_counted_twice() -> None:
    asked = replace(FLOAT32, per_replica_batch=32)
    report = machine(card("4090"), card("4090", 1))
    run = measured(replicas=2, step_s=0.2)

    made = make_plan(PlanRequest(workload=images(requests=asked), report=report, calibrations=(run,)))

    assert made.strategy is StrategyKind.MIRRORED
    assert made.time.step.expected == pytest.approx(0.2)


def test_the_time_is_moved_to_another_batch_and_accumulation() -> None:
    assert planned(measured(), batch=64).time.step.expected == pytest.approx(0.2, rel=0.1)
    assert planned(measured(), accumulation_steps=4).time.step.expected == pytest.approx(0.4)


def test_where_starting_operations_takes_the_time_a_smaller_batch_is_no_faster() -> None:
    small = planned(measured(4), batch=1).time.step

    assert 0.08 < small.expected <= 0.1  # in proportion it would be 0.025


def test_steps_that_differed_give_a_wide_time() -> None:
    calm, restless = planned(measured()).time.step, planned(measured(step_deviation=0.6)).time.step

    assert calm.high == pytest.approx(0.11)
    assert restless.high == pytest.approx(0.16)
    assert restless.low == pytest.approx(0.1 / 1.6)


def test_a_measured_step_has_waited_for_its_data_already() -> None:
    slow_reader = replace(HOST, cpu=replace(HOST.cpu, usable_threads=1, logical_cores=1))
    asked = replace(FLOAT32, per_replica_batch=32, cache="none")
    photos = DatasetFacts(kind=DataKind.IMAGE_FOLDERS, image_size=(3000, 4000, 3))
    report = machine(card("4090"), host=slow_reader)
    request = PlanRequest(workload=images(requests=asked), report=report, dataset=photos)

    waiting = make_plan(request).time
    known = make_plan(replace(request, calibrations=(measured(),))).time

    assert waiting.limited_by == "input"
    assert known.step.expected == pytest.approx(0.1)


def processor_run(**changes: object) -> Calibration:
    return measured(gpu_name=None, device_bytes=None, processor="AMD EPYC", regime="host", **changes)


def test_a_processor_is_measured_too_and_only_then_tells_a_time() -> None:
    asked = PlanRequest(workload=images(requests=replace(FLOAT32, per_replica_batch=32)), report=machine())

    before = make_plan(asked)
    after = make_plan(replace(asked, calibrations=(processor_run(),)))

    assert before.time.step is None
    assert before.memory.source != "measured"
    assert after.time.step.expected == pytest.approx(0.1)
    assert after.time.training is not None
    assert after.memory.total.expected == 3 * GIB


def test_a_card_without_a_name_is_no_processor() -> None:
    made = plan(images(requests=FLOAT32), card("4090", name=None), calibrations=(processor_run(),))

    assert made.devices
    assert made.memory.source != "measured"


def test_a_measured_step_in_memory_needs_no_known_card_elsewhere() -> None:
    assert planned(measured(), gpu="3060").memory.source != "measured"
    assert planned(measured(), gpu="3060").time.source == "rules"


@pytest.mark.parametrize(
    ("plain_s", "xla_s", "is_on"),
    [(0.10, 0.08, True), (0.10, 0.099, False), (0.10, 0.15, False), (0.10, None, False), (None, 0.08, False)],
)
def test_xla_becomes_the_default_only_where_it_was_measured_faster(plain_s, xla_s, is_on) -> None:
    runs = (measured(step_s=xla_s, jit_compile=True, peak=4 * GIB), measured(step_s=plain_s))

    made = planned(*runs)

    assert made.jit_compile is is_on
    assert made.memory.total.expected == (4 * GIB if is_on else 3 * GIB)


def test_steps_that_differed_much_prove_nothing_for_xla() -> None:
    runs = (measured(step_s=0.08, jit_compile=True, step_deviation=0.2), measured(step_s=0.1, step_deviation=0.1))

    assert not planned(*runs).jit_compile


def test_xla_is_off_without_a_run_and_marked_as_not_measured_when_asked_for() -> None:
    off, on, known = planned(), planned(jit_compile=True), planned(measured(jit_compile=True), jit_compile=True)

    def is_marked(made) -> bool:
        return any(message.id == "planner.warning-jit-unmeasured" for message in made.warnings)

    assert not off.jit_compile
    assert is_marked(on)
    assert on.memory.total.high > 1.5 * on.memory.total.expected
    assert not is_marked(known)
    assert known.memory.source == "measured"
    assert known.memory.total.high < 1.1 * known.memory.total.expected


def test_xla_never_comes_on_over_several_cards() -> None:
    runs = tuple(measured(step_s=step_s, jit_compile=jit) for step_s, jit in ((0.05, True), (0.1, False)))
    request = PlanRequest(
        workload=images(requests=FLOAT32), report=machine(card("4090"), card("4090", 1)), calibrations=runs
    )

    assert not make_plan(request).jit_compile


def test_xla_moves_less_surely_to_another_batch() -> None:
    plain = planned(measured(), batch=128).memory.total
    compiled = planned(measured(jit_compile=True), batch=128, jit_compile=True).memory.total

    assert compiled.high - compiled.low > plain.high - plain.low


def test_the_nearest_timed_run_is_taken_and_of_equal_ones_the_newest() -> None:
    runs = (measured(16, step_s=0.06), measured(32, step_s=0.1), measured(32, step_s=0.2))

    nearest = measured_step(runs, Precision.FLOAT32, 40, jit_compile=False)

    assert nearest is runs[1]
    assert measured_step((), Precision.FLOAT32, 40, jit_compile=False) is None
    assert not xla_is_faster((), Precision.FLOAT32)


NETWORK = describe_network(images(), load_training_facts())
RUNS = st.lists(
    st.builds(
        measured,
        st.integers(1, 512),
        st.one_of(st.none(), st.integers(-1, 30 * GIB)),
        steps=st.integers(0, 60),
        regime=st.sampled_from(["growth", "one_region", "limit"]),
        accumulation_steps=st.sampled_from([1, 4]),
    ),
    max_size=5,
)


@given(RUNS, st.integers(1, 1024), st.integers(1, 1024))
def test_memory_never_falls_when_the_batch_grows(runs, one, other) -> None:
    memory = StepMemory(network=NETWORK, optimizer=images().optimizer, calibrations=tuple(runs))
    small, large = sorted((one, other))

    before, after = (memory.predict(batch, DeviceMemory()).total for batch in (small, large))

    assert before.low <= before.expected <= before.high
    assert before.low <= after.low
    assert before.expected <= after.expected
    assert before.high <= after.high
