from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.finding import CompatReport, Confidence, Outcome, Verdict
from gpuconfig_app.core.gpu import ComputeMode, GpuProcess, GpuState, MigInstance, Vendor
from gpuconfig_app.core.units import GIB
from gpuconfig_app.core.workload import Requests, StrategyKind
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.devices import usable_cards
from gpuconfig_app.planner.make_plan import PlanRequest, make_plan
from tests.unit.planner.machines import HOST, card, images, machine, plan


def _indexes(made) -> list[int]:
    return [device.index for device in made.devices]


def _choice(made, name: str):
    return next(choice for choice in made.choices if choice.id == name)


def _verdict(outcome: Outcome, verdict: Verdict = Verdict.CPU_ONLY) -> CompatReport:
    return CompatReport(verdict=verdict, outcome=outcome, confidence=Confidence.HIGH)


def test_without_cards_the_processor_trains() -> None:
    made = plan(images())

    assert made.strategy is StrategyKind.CPU
    assert made.devices == ()
    assert made.memory is not None
    assert _choice(made, "devices").reason.id == "planner.devices-no-gpu"


def test_cards_that_cannot_work_are_left_out_with_their_reason() -> None:
    busy = card("4090", 3, compute_mode=ComputeMode.EXCLUSIVE_PROCESS, processes=(GpuProcess(pid=9),))

    made = plan(
        images(),
        card("4090", 0, state=GpuState.LOST),
        card("4090", 1, state=GpuState.DRIVER_MISSING),
        card("4090", 2),
        busy,
        card("4090", 4, compute_mode=ComputeMode.PROHIBITED),
        card("mx150", 5),
    )

    assert _indexes(made) == [2]
    reasons = {choice.reason.id for choice in made.choices if choice.id.startswith("left-out-cards")}
    assert reasons == {
        "planner.card-lost",
        "planner.card-driver-missing",
        "planner.card-exclusive",
        "planner.card-prohibited",
        "planner.card-small",
    }


def test_equal_reasons_share_a_row() -> None:
    made = plan(images(), card("4090"), card("3060", 1), card("3060", 2))

    rows = [choice for choice in made.choices if choice.id.startswith("left-out-cards")]
    assert [row.value for row in rows] == ["1, 2"]


def test_a_small_card_alone_is_used() -> None:
    made = plan(images("small_cnn", 32), card("mx150"))

    assert _indexes(made) == [0]


def test_an_exclusive_card_without_programs_is_used() -> None:
    made = plan(images(), card("4090", compute_mode=ComputeMode.EXCLUSIVE_PROCESS))

    assert _indexes(made) == [0]


def test_mixed_cards_leave_the_slower_kind_out() -> None:
    made = plan(images(), card("3060"), card("4090", 1))

    assert _indexes(made) == [1]
    assert _choice(made, "devices").reason.id == "planner.devices-best-kind"


def test_many_slower_cards_beat_one_faster() -> None:
    made = plan(images(), card("a100"), *(card("4090", index) for index in range(1, 9)))

    assert _indexes(made) == list(range(1, 9))


def test_a_sleeping_card_is_left_out_beside_an_awake_one() -> None:
    made = plan(images(), card("4090", state=GpuState.ASLEEP), card("3060", 1))

    assert _indexes(made) == [1]


def test_a_lone_sleeping_card_is_used_with_a_warning() -> None:
    """Hybrid laptops let the card sleep until a program asks for it."""
    asleep = card("3060", state=GpuState.ASLEEP, memory_free_bytes=None, memory_used_bytes=None)

    made = plan(images(), asleep)

    assert _indexes(made) == [0]
    assert "planner.warning-asleep" in {warning.id for warning in made.warnings}


def test_a_slice_counts_with_its_own_memory_and_share() -> None:
    slices = tuple(
        MigInstance(index=index, profile="3g.40gb", memory_total_bytes=40 * GIB, memory_used_bytes=0, sm_count=42)
        for index in range(2)
    )

    whole = plan(images(), card("a100"))
    made = plan(images(), card("a100", mig_enabled=True, mig_instances=slices))

    assert len(made.devices) == 1
    assert made.devices[0].mig_index == 0
    assert made.memory is not None
    assert made.memory.device_total_bytes == 40 * GIB
    assert made.strategy is StrategyKind.ONE_GPU
    assert made.time.step is not None
    assert whole.time.step is not None
    assert made.time.step.expected > whole.time.step.expected


def test_mig_without_slices_is_left_out() -> None:
    made = plan(images(), card("a100", mig_enabled=True))

    assert made.strategy is StrategyKind.CPU


def test_whole_cards_come_before_slices_and_the_trap_is_named() -> None:
    """With one card in MIG mode CUDA shows one slice and none of the full cards."""
    slices = (MigInstance(index=0, profile="7g.80gb", memory_total_bytes=80 * GIB),)

    made = plan(images(), card("a100", 0, mig_enabled=True, mig_instances=slices), card("a100", 1))

    assert _indexes(made) == [1]
    assert "planner.warning-mig-hides-cards" in {warning.id for warning in made.warnings}


def test_requested_cards_are_used_and_a_mix_is_warned_of() -> None:
    made = plan(images(), card("3060"), card("4090", 1), requests=Requests(devices=(0, 1)))

    assert _indexes(made) == [0, 1]
    assert "planner.warning-mixed" in {warning.id for warning in made.warnings}
    assert made.memory is not None
    assert made.memory.device_total_bytes == card("3060").memory_total_bytes


def test_a_requested_card_that_is_lost_is_never_planned() -> None:
    made = plan(images(), card("4090", state=GpuState.LOST), requests=Requests(devices=(0,)))

    assert made.devices == ()
    assert made.strategy is StrategyKind.CPU
    assert "planner.warning-requested-unusable" in {warning.id for warning in made.warnings}


def test_hidden_cards_are_left_out() -> None:
    host = replace(HOST, variables={"CUDA_VISIBLE_DEVICES": "1"})

    made = plan(images(), card("4090"), card("4090", 1), host=host)

    assert _indexes(made) == [1]


def test_all_cards_hidden_means_processor() -> None:
    host = replace(HOST, variables={"CUDA_VISIBLE_DEVICES": "-1"})

    assert plan(images(), card("4090"), host=host).strategy is StrategyKind.CPU


def test_cards_named_by_uuid_are_visible() -> None:
    gpu = card("4090", 1)
    host = replace(HOST, variables={"CUDA_VISIBLE_DEVICES": gpu.uuid or ""})

    assert _indexes(plan(images(), card("4090"), gpu, host=host)) == [1]


def test_a_card_tensorflow_cannot_use_is_not_planned_and_advice_says_what_it_would_do() -> None:
    made = plan(images(), card("4090"), compat=_verdict(Outcome.CPU_ONLY))

    assert made.strategy is StrategyKind.CPU
    assert "planner.advice-later-card" in {item.id for item in made.advice}


def test_the_user_may_insist_on_a_card_that_tensorflow_cannot_use_yet() -> None:
    made = plan(images(), card("4090"), compat=_verdict(Outcome.CPU_ONLY), requests=Requests(devices=(0,)))

    assert _indexes(made) == [0]
    assert "planner.warning-fix-first" in {warning.id for warning in made.warnings}


def test_cards_of_other_makers_need_a_verdict_that_names_them() -> None:
    radeon = card("4090", vendor=Vendor.AMD, name="AMD Radeon RX 7900 XTX", compute_capability=None)
    good = replace(_verdict(Outcome.NATIVE, Verdict.READY), gpu_indexes=(0,))

    assert plan(images(), radeon).strategy is StrategyKind.CPU
    assert plan(images(), radeon, compat=good).strategy is StrategyKind.ONE_GPU


def test_uuids_are_written_only_for_this_machine() -> None:
    assert plan(images(), card("4090")).devices[0].uuid is None
    assert plan(images(), card("4090"), is_for_this_machine=True).devices[0].uuid is not None


def test_slices_beside_whole_cards_share_one_row() -> None:
    slices = tuple(MigInstance(index=index, profile="1g.10gb", memory_total_bytes=10 * GIB) for index in range(7))

    made = plan(images(), card("a100", 0, mig_enabled=True, mig_instances=slices), card("a100", 1), card("a100", 2))

    row = _choice(made, "left-out-cards")
    assert (row.value, row.reason.id) == ("0", "planner.card-in-slices")
    assert _choice(made, "devices").reason.id == "planner.devices-all-alike"


@pytest.mark.parametrize(
    ("changes", "share"),
    [
        ({"profile": "3g.40gb"}, 3 / 7),
        ({"profile": "1c.3g.40gb"}, 1 / 7),
        ({"profile": "7g.80gb"}, 1.0),
        ({"sm_count": 27}, 0.25),
        ({"memory_total_bytes": 20 * GIB}, 0.25),
        ({}, 1 / 7),
    ],
)
def test_a_slice_knows_its_share_of_the_card(changes, share) -> None:
    found = Card(card("a100"), MigInstance(index=0, **changes)).share

    assert found == pytest.approx(share, rel=0.01)


def test_trainings_of_a_recorded_machine_are_taken_to_have_ended() -> None:
    running = (GpuProcess(pid=1, memory_used_bytes=20 * GIB), GpuProcess(pid=2, kind="graphics", memory_used_bytes=GIB))
    busy = card("4090", memory_free_bytes=3 * GIB, processes=running)
    report = machine(busy)

    live = make_plan(PlanRequest(workload=images(), report=report))
    recorded = make_plan(PlanRequest(workload=images(), report=replace(report, recorded_from="demo")))

    assert live.memory is not None
    assert recorded.memory is not None
    assert live.memory.usable_bytes is not None
    assert recorded.memory.usable_bytes == live.memory.usable_bytes + 20 * GIB
    assert "planner.advice-recorded-use" in {item.id for item in recorded.advice}


def test_the_user_may_choose_the_processor() -> None:
    made = plan(images(), card("4090"), requests=Requests(devices=()))

    assert made.strategy is StrategyKind.CPU
    assert _choice(made, "devices").is_requested
    assert made.warnings == ()


def test_every_card_of_any_kind_can_be_asked_for() -> None:
    report = machine(card("4090"), card("3060", index=1, state=GpuState.LOST), card("t4", index=2))

    assert [one.gpu.index for one in usable_cards(report)] == [0, 2]
