from __future__ import annotations

from dataclasses import replace

from gpuconfig_app.core.gpu import NvLink
from gpuconfig_app.core.workload import Precision, Requests, StrategyKind
from tests.unit.planner.machines import card, images, plan, table


def _reason(made) -> str:
    return next(choice for choice in made.choices if choice.id == "strategy").reason.id


def test_two_equal_cards_share_a_large_job() -> None:
    made = plan(images("resnet50"), card("4090"), card("4090", 1))

    assert made.strategy is StrategyKind.MIRRORED
    assert [device.index for device in made.devices] == [0, 1]
    assert "planner.advice-one-card" in {item.id for item in made.advice}


def test_nvlink_is_named_only_where_it_is() -> None:
    links = (NvLink(index=0, is_active=True),)

    pcie = plan(images("resnet50"), card("v100"), card("v100", 1))
    nvlink = plan(images("resnet50"), card("v100", nvlinks=links), card("v100", 1, nvlinks=links))

    assert _reason(pcie) == "planner.strategy-mirrored-pcie-speedup"
    assert _reason(nvlink) == "planner.strategy-mirrored-nvlink-speedup"
    assert pcie.time.step is not None
    assert nvlink.time.step is not None
    assert nvlink.time.step.expected < pcie.time.step.expected


def test_little_data_are_faster_on_one_card() -> None:
    made = plan(images("small_cnn", 32, sample_count=1437), card("4090"), card("4090", 1))

    assert made.strategy is StrategyKind.ONE_GPU
    assert _reason(made) in ("planner.strategy-few-steps", "planner.strategy-no-speedup")


def test_a_small_table_is_faster_on_one_card() -> None:
    made = plan(table(5000), card("4090"), card("4090", 1))

    assert made.strategy is StrategyKind.ONE_GPU


def test_the_one_card_is_the_one_with_most_free_memory() -> None:
    screen = card("4090", display_active=True, memory_free_bytes=20 * 2**30)

    made = plan(table(), screen, card("4090", 1))

    assert [device.index for device in made.devices] == [1]


def test_several_cards_that_the_user_wants_are_used_with_a_warning() -> None:
    made = plan(table(), card("4090"), card("4090", 1), requests=Requests(devices=(0, 1)))

    assert made.strategy is StrategyKind.MIRRORED
    assert "planner.warning-too-small" in {warning.id for warning in made.warnings}


def test_unknown_cards_share_only_a_large_job() -> None:
    unknown = [replace(card("4090", index), name="NVIDIA Something New") for index in range(2)]

    small = plan(images("small_cnn", 32, sample_count=5000), *unknown)
    large = plan(images("resnet50", sample_count=1_000_000), *unknown)

    assert small.strategy is StrategyKind.ONE_GPU
    assert large.strategy is StrategyKind.MIRRORED
    assert large.time.step is None


def test_xla_is_always_written_out_and_off() -> None:
    made = plan(images(), card("4090"))

    assert made.jit_compile is False
    assert any(choice.id == "jit-compile" for choice in made.choices)


def test_xla_is_refused_on_several_cards() -> None:
    """The first step fails: a variable lies on another device."""
    made = plan(images(), card("4090"), card("4090", 1), requests=Requests(jit_compile=True))

    assert made.strategy is StrategyKind.MIRRORED
    assert made.jit_compile is False
    assert "planner.warning-jit-mirrored" in {warning.id for warning in made.warnings}


def test_xla_on_one_card_is_the_users_choice() -> None:
    made = plan(images(), card("4090"), requests=Requests(jit_compile=True))

    assert made.jit_compile is True


def test_gradients_are_copied_for_several_cards() -> None:
    request = Requests(per_replica_batch=32, precision=Precision.FLOAT32)

    one = plan(images("resnet50"), card("4090"), requests=request)
    two = plan(images("resnet50"), card("4090"), card("4090", 1), requests=request)

    assert one.memory is not None
    assert two.memory is not None
    assert two.memory.total.expected - one.memory.total.expected == (23_534_592 + 2049 * 37) * 4
