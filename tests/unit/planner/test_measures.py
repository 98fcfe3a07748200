from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig_app.core.gpu import MigInstance
from gpuconfig_app.core.plan import Fit, MemoryMeasure, TrainingPlan
from gpuconfig_app.core.system import MemoryInfo
from gpuconfig_app.core.units import GIB
from gpuconfig_app.core.workload import Optimizer, Precision, Requests, Workload
from gpuconfig_app.knowledge.catalogue import load_catalogue
from gpuconfig_app.planner.calibration import Calibration
from tests.unit.planner.machines import HOST, card, images, plan, table

TOO_MUCH = Requests(per_replica_batch=512, precision=Precision.FLOAT32)


def measures(made: TrainingPlan) -> dict[str, MemoryMeasure]:
    return {measure.id: measure for measure in made.measures}


def applied(workload: Workload, measure: MemoryMeasure) -> Workload:
    """Do what the measure says."""
    for name, value in measure.change.items():
        holder, _, inner = name.partition(".")
        if not inner:
            tuned = tuple(value) if isinstance(value, list) else Optimizer(value) if name == "optimizer" else value
            workload = replace(workload, **{holder: tuned})
        elif holder == "requests":
            tuned = Precision(value) if inner == "precision" else value
            workload = replace(workload, requests=replace(workload.requests, **{inner: tuned}))
        else:
            workload = replace(workload, model_options=dict(workload.model_options) | {inner: value})
    return workload


def test_what_fits_easily_shows_nothing_but_knows_it() -> None:
    made = plan(images("mobilenet_v2", 96), card("4090"))

    assert not made.is_memory_tight
    assert made.shown_measures == ()
    assert "smaller-input" in measures(made)


@pytest.mark.parametrize(
    "made",
    [
        plan(images("resnet50"), card("1660ti"), requests=TOO_MUCH),
        plan(images("convnext_tiny", 384), card("3060")),
        plan(images("resnet50", requests=Requests(per_replica_batch=40)), card("1660ti")),
    ],
    ids=["too big", "limited by memory", "nearly full"],
)
def test_measures_are_shown_where_memory_is_tight(made: TrainingPlan) -> None:
    assert made.is_memory_tight
    assert made.shown_measures


@pytest.mark.parametrize("name", ["accumulation", "precision", "optimizer", "smaller-input", "frozen-backbone"])
def test_each_measure_does_what_it_says(name: str) -> None:
    """Planned anew with the change, the memory is what was told, and the batch fits."""
    workload = images("densenet121", 320, is_pretrained=True, requests=Requests(per_replica_batch=200))
    workload = replace(workload, requests=replace(workload.requests, precision=Precision.FLOAT32))
    before = plan(workload, card("t4"))
    measure = measures(before).get(name)
    if name == "optimizer":
        workload = images("resnet50", requests=Requests(per_replica_batch=1))
        before = plan(workload, card("1660ti"))
        measure = measures(before)[name]
    assert measure is not None
    assert before.memory is not None

    after = plan(applied(workload, measure), card("t4" if name != "optimizer" else "1660ti"))

    assert after.memory is not None
    assert measure.total is not None
    assert after.memory.total.expected == pytest.approx(measure.total.expected, abs=4)
    assert measure.saved_bytes == pytest.approx(before.memory.total.expected - after.memory.total.expected, abs=4)
    assert after.memory.fit is measure.fit


@given(
    st.sampled_from(["mobilenet_v2", "resnet50", "densenet121", "convnext_tiny", "small_cnn"]),
    st.sampled_from(["1660ti", "3060", "t4", "4090", "h100"]),
    st.sampled_from([224, 384, 512]),
    st.one_of(st.none(), st.integers(1, 600)),
    st.sampled_from([None, *Precision]),
    st.sampled_from(Optimizer),
)
@settings(max_examples=120, deadline=None)
def test_the_batch_that_fits_then_fits(model, kind, side, batch, precision, optimizer) -> None:
    wanted = Requests(per_replica_batch=batch, precision=precision)
    workload = images(model, side, requests=wanted, optimizer=optimizer, is_pretrained=model != "small_cnn")
    made = plan(workload, card(kind))

    for measure in made.measures:
        if not measure.change or not measure.is_measured:
            continue
        changed = applied(workload, measure)
        if measure.batch is not None:
            kept = changed.requests.precision or made.precision  # a smaller step may make another one faster
            asked = replace(changed.requests, per_replica_batch=measure.batch, precision=kept)
            changed = replace(changed, requests=asked)
            after = plan(changed, card(kind))
            assert after.memory is not None
            assert after.memory.fit is Fit.FITS or measure.id == "smaller-batch", measure.id
        assert measure.saved_bytes is not None
        assert measure.saved_bytes > 0


def test_accumulation_makes_the_same_update() -> None:
    made = plan(images("resnet50"), card("1660ti"), requests=TOO_MUCH)
    found = measures(made)["accumulation"]

    assert made.measures[0] is found
    steps = found.change["requests.accumulation_steps"]
    assert isinstance(steps, int)
    assert found.batch is not None
    assert steps * found.batch >= 512
    assert found.fit is Fit.FITS
    assert found.message.id == "measures.accumulation-norm"


def test_networks_without_batch_normalisation_are_not_told_of_it() -> None:
    made = plan(images("convnext_tiny", 384), card("3060"), requests=Requests(per_replica_batch=128))

    assert measures(made)["accumulation"].message.id == "measures.accumulation"


def test_sixteen_bits_save_far_less_than_half() -> None:
    """Keras 3 normalises in float32 in graph mode."""
    made = plan(images("mobilenet_v2"), card("t4"), requests=TOO_MUCH)

    percent = measures(made)["precision"].message.params["percent"]

    assert isinstance(percent, int)
    assert 15 < percent < 35


def test_at_a_tiny_batch_sixteen_bits_cost_memory() -> None:
    """A mixed policy holds 16-bit copies of the weights; so float32 is what saves, and the price is told."""
    wide = table(100_000, model_options={"hidden_units": 4096, "hidden_layers": 8})
    made = plan(wide, card("3060"), requests=Requests(per_replica_batch=8, precision=Precision.MIXED_BFLOAT16))

    found = measures(made)["precision"]

    assert found.change == {"requests.precision": "float32"}
    assert found.saved_bytes is not None
    assert found.saved_bytes > 0


def test_old_cards_are_not_sent_to_sixteen_bits() -> None:
    made = plan(images("resnet50"), card("1080ti"), requests=TOO_MUCH)

    assert "precision" not in measures(made)


def test_an_optimizer_with_fewer_slots_saves_them_and_what_their_update_needs() -> None:
    made = plan(
        images("convnext_tiny", 64, optimizer=Optimizer.ADAMW, requests=Requests(per_replica_batch=8)), card("1660ti")
    )

    found = measures(made)["optimizer"]

    trained = next(part for part in made.memory.parts if part.part.value == "optimizer").size_bytes // 2
    assert trained <= found.saved_bytes <= 1.1 * trained
    assert found.changes_result


def test_xla_has_no_numbers_and_comes_last() -> None:
    made = plan(images("resnet50"), card("1660ti"), requests=TOO_MUCH)
    found = made.measures[-1]

    assert found.id == "xla"
    assert not found.is_measured
    assert (found.saved_bytes, found.total, found.batch, found.time_factor) == (None, None, None, None)


def test_xla_is_not_offered_where_it_fails() -> None:
    made = plan(images("resnet50"), card("1660ti"), card("1660ti", 1), requests=TOO_MUCH)

    assert "xla" not in measures(made)


def test_other_programs_come_first() -> None:
    made = plan(images("resnet50"), card("4090", memory_free_bytes=8 * GIB))

    assert made.measures[0].id == "other-programs"
    found = made.measures[0]
    assert found.batch is not None
    assert found.batch > made.per_replica_batch
    assert found.batch == plan(images("resnet50"), card("4090")).per_replica_batch


def test_a_slice_is_told_the_whole_card() -> None:
    slices = (MigInstance(index=0, profile="1g.10gb", memory_total_bytes=10 * GIB),)

    made = plan(images("resnet50"), card("a100", mig_enabled=True, mig_instances=slices))

    found = measures(made)["whole-card"]
    assert found.time_factor is not None
    assert found.time_factor < 0.5
    assert found.batch == 256
    assert "larger-card" not in measures(made)


def test_the_larger_card_holds_it_and_no_smaller_one_does() -> None:
    workload = images("resnet50", requests=Requests(per_replica_batch=128, precision=Precision.FLOAT32))
    made = plan(workload, card("3060"))
    found = measures(made)["larger-card"]

    name = found.message.params["name"]
    row = next(row for row in load_catalogue() if row.name == name)

    assert made.memory is not None
    assert row.segment == "consumer"
    assert row.memory_gb * GIB > made.memory.total.high > 12 * GIB
    assert float(row.compute_capability or 99) < 10
    assert row.memory_gb == 24
    smaller = [other for other in load_catalogue() if other.segment == "consumer" and 12 < other.memory_gb < 24]
    assert smaller
    assert max(other.memory_gb for other in smaller) * GIB * 0.98 < made.memory.total.high + 1.9 * GIB


def test_a_network_of_ours_can_be_made_narrower_and_others_not() -> None:
    own = plan(images("small_cnn", 512, model_options={"width": 64, "blocks": 4}), card("1660ti"))
    ready = plan(images("resnet50", 512), card("1660ti"))

    assert measures(own)["narrower"].change == {"model_options.width": 32}
    assert "narrower" not in measures(ready)


def test_only_published_weights_are_frozen() -> None:
    scratch = plan(images("resnet50", 512), card("1660ti"))
    pretrained = plan(images("resnet50", 512, is_pretrained=True), card("1660ti"))

    assert "frozen-backbone" not in measures(scratch)
    assert measures(pretrained)["frozen-backbone"].time_factor < 0.7


def test_the_same_result_comes_before_another_one() -> None:
    made = plan(images("resnet50", is_pretrained=True), card("t4"), requests=TOO_MUCH)

    order = [measure.changes_result for measure in made.measures if measure.id not in ("larger-card", "xla")]

    assert order == sorted(order)
    assert made.measures[-2].id == "larger-card"


def test_on_the_processor_no_card_is_advised() -> None:
    host = replace(HOST, memory=MemoryInfo(total_bytes=8 * GIB, available_bytes=2 * GIB))

    made = plan(images("resnet50"), host=host)

    assert made.is_memory_tight
    assert not {"precision", "xla", "larger-card", "other-programs"} & set(measures(made))
    assert "smaller-input" in measures(made)


def test_what_was_measured_here_scales_what_is_told() -> None:
    workload = images("resnet50", requests=Requests(per_replica_batch=64))
    rules = plan(workload, card("4090"))
    assert rules.memory is not None
    half = Calibration(
        gpu_name="NVIDIA GeForce RTX 4090",
        template_id=workload.template_id,
        model_id=workload.model_id,
        precision=rules.precision,
        optimizer=workload.optimizer,
        input_shape=workload.input_shape,
        per_replica_batch=64,
        peak_bytes=round(rules.memory.total.expected / 2),
    )

    made = plan(workload, card("4090"), calibrations=(half,))

    now, then = measures(rules)["smaller-input"], measures(made)["smaller-input"]
    assert now.saved_bytes is not None
    assert then.saved_bytes == pytest.approx(now.saved_bytes / 2, rel=0.01)


def test_advice_does_not_say_the_same() -> None:
    made = plan(images("resnet50"), card("t4"), requests=TOO_MUCH)

    assert "precision" in measures(made)
    assert "planner.advice-mixed" not in {item.id for item in made.advice}


def test_without_known_memory_there_are_no_measures() -> None:
    unknown = card("4090", name="NVIDIA Graphics Device", memory_total_bytes=None, memory_free_bytes=None)

    assert plan(images("resnet50"), unknown).measures == ()
    assert plan(images("my_own"), card("4090")).measures == ()


@pytest.mark.parametrize("batch", [60, 62, 64])
def test_the_batch_asked_for_counts_as_it_is_and_not_rounded_down(batch: int) -> None:
    made = plan(images("resnet50", 512), card("4090"), requests=Requests(per_replica_batch=batch))

    found = measures(made)["smaller-input"]

    assert found.fit is Fit.FITS
    assert found.batch == batch
    assert found.effect is not None
    assert found.effect.id == "measures.fits"
