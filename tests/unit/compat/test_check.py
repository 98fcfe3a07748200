"""The verdict on single machines, as people reported them: what the machine code of a wheel and MIG decide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.finding import Confidence, Verdict
from gpuconfig_app.core.gpu import Gpu, MigInstance
from tests.unit.compat.machines import (
    all_text,
    answer,
    card,
    machine,
    nvidia,
    python,
    verdict_of,
    with_variables,
)


def test_healthy_workstation_is_ready():
    report = verdict_of(machine())

    assert answer(report) == ("ready", "native", None)
    assert report.confidence is Confidence.HIGH
    assert report.gpu_indexes == (0,)
    assert report.findings == ()
    assert report.headline is not None
    assert report.headline.en == "TensorFlow 2.21.0 will use NVIDIA GeForce RTX 4090"
    assert "2.21.0" in report.headline.zh_cn
    assert report.variables_of == "user"


@pytest.mark.parametrize("release", ["2.16.1", "2.17.1", "2.18.1", "2.19.1", "2.20.0"])
def test_rtx_50_fails_for_certain_with_these_releases(release):
    found = verdict_of(machine(card("NVIDIA GeForce RTX 5090", "12.0")), python(release))

    assert answer(found) == ("blocked", "gpu_fails", "WHEEL_LACKS_ARCH_FATAL")
    assert found.verdict is Verdict.BLOCKED


def test_rtx_50_with_220_is_sure_and_leads_to_the_container():
    found = verdict_of(machine(card("NVIDIA GeForce RTX 5090", "12.0")), python("2.20.0"))

    assert found.confidence is Confidence.HIGH
    assert found.primary is not None
    assert [fix.leads_to for fix in found.primary.fixes][:1] == ["container"]
    assert "wait 30" not in all_text(found)
    assert "downgrade" not in all_text(found)


def test_rtx_50_with_215_fails_by_cudnn_and_is_less_sure():
    found = verdict_of(machine(card("NVIDIA GeForce RTX 5090", "12.0")), python("2.15.1"))

    assert answer(found) == ("blocked", "gpu_fails", "WHEEL_LACKS_ARCH_FATAL")
    assert found.confidence is Confidence.MEDIUM


def test_rtx_50_with_221_is_a_try_to_be_proven():
    found = verdict_of(machine(card("NVIDIA GeForce RTX 5090", "12.0")))

    assert answer(found) == ("unknown", "jit_at_first_start", "WHEEL_LACKS_ARCH_SLOW_FIRST_START")
    assert found.confidence is Confidence.MEDIUM
    assert found.primary is not None
    assert found.primary.fixes[0].leads_to == "container"


def test_rtx_50_with_221_and_xla_aborts():
    report = with_variables(machine(card("NVIDIA GeForce RTX 5090", "12.0")), TF_XLA_FLAGS="--tf_xla_auto_jit=2")

    assert answer(verdict_of(report)) == ("blocked", "gpu_fails", "WHEEL_LACKS_ARCH_FATAL")


def test_one_unusable_card_spoils_the_others_unless_it_is_left_out():
    cards = (card(index=0), card("NVIDIA GeForce RTX 5090", "12.0", index=1))
    both = verdict_of(machine(*cards), python("2.20.0"))
    chosen = verdict_of(machine(*cards), python("2.20.0"), devices=(0,))

    assert answer(both) == ("blocked", "gpu_fails", "WHEEL_LACKS_ARCH_FATAL")
    assert both.primary is not None
    assert "export CUDA_VISIBLE_DEVICES=0" in both.primary.fixes[0].commands
    assert chosen.verdict is Verdict.READY
    assert chosen.gpu_indexes == (0,)


def test_old_display_card_does_not_spoil_the_good_one():
    cards = (card(index=0), card("NVIDIA GeForce GTX 960", "5.2", index=1, memory_gib=2))
    found = verdict_of(machine(*cards))

    assert found.verdict is Verdict.READY_WITH_NOTES
    assert found.gpu_indexes == (0,)


def test_hopper_starts_slowly_and_then_works():
    found = verdict_of(machine(card("NVIDIA H100 80GB HBM3", "9.0", memory_gib=80)))

    assert answer(found) == ("ready_with_notes", "jit_at_first_start", "WHEEL_LACKS_ARCH_SLOW_FIRST_START")


def test_hopper_needs_a_newer_driver_than_the_floor():
    report = replace(machine(card("NVIDIA H100 80GB HBM3", "9.0")), drivers=(nvidia("535.104.05", "12.2"),))
    found = verdict_of(report)

    assert answer(found) == ("blocked", "gpu_fails", "DRIVER_TOO_OLD")
    assert found.primary is not None
    assert "555.42.02" in found.primary.text.en


def test_unlike_cards_are_a_remark():
    cards = (card(index=0), card("NVIDIA GeForce RTX 3060", "8.6", index=1, memory_gib=12))
    found = verdict_of(machine(*cards))

    assert answer(found) == ("ready_with_notes", "native", None)
    assert [item.code for item in found.findings] == ["UNLIKE_CARDS"]


def _sliced(index: int, count: int) -> Gpu:
    slices = tuple(MigInstance(index=number, uuid=f"MIG-{index}{number}") for number in range(count))
    return replace(
        card("NVIDIA A100-SXM4-80GB", "8.0", index=index, memory_gib=80), mig_enabled=True, mig_instances=slices
    )


def test_slices_go_one_to_a_process():
    found = verdict_of(machine(_sliced(0, 2)))

    assert answer(found) == ("ready_with_notes", "native", "MIG_ONE_INSTANCE_PER_PROCESS")
    assert found.primary is not None
    assert found.primary.fixes[0].commands == ("export CUDA_VISIBLE_DEVICES=MIG-00",)
    assert "mirroredstrategy" not in all_text(found)


def test_one_sliced_card_hides_seven_whole_ones():
    whole = [card("NVIDIA A100-SXM4-80GB", "8.0", index=number, memory_gib=80) for number in range(7)]
    found = verdict_of(machine(*whole, _sliced(7, 1)))

    assert answer(found) == ("ready_with_notes", "native", "MIG_ONE_INSTANCE_PER_PROCESS")
    assert found.gpu_indexes == (7,)
    assert found.primary is not None
    named = found.primary.fixes[0].commands[0]
    assert all(f"GPU-0000000{number}" in named for number in range(7))


def test_whole_cards_named_by_uuid_are_not_hidden():
    whole = [card("NVIDIA A100-SXM4-80GB", "8.0", index=number, memory_gib=80) for number in range(2)]
    report = with_variables(machine(*whole, _sliced(2, 1)), CUDA_VISIBLE_DEVICES="GPU-00000000,GPU-00000001")
    found = verdict_of(report)

    assert found.verdict is Verdict.READY
    assert found.gpu_indexes == (0, 1)
