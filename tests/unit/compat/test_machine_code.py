"""Machine code of the wheels against cards, with the figures that were read from the wheels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.compat.machine_code import CodeKind, CodeReason, compiles_for, judge_machine_code
from gpuconfig_app.core.versions import ComputeCapability
from gpuconfig_app.knowledge.cuda_drivers import load_cuda_table
from gpuconfig_app.knowledge.tensorflow_releases import PtxTarget, find_release

NEW_DRIVER = "13.0"


def _judge(series: str, capability: str, level: str | None = NEW_DRIVER):
    release = find_release(series, "linux-x86_64")
    assert release is not None
    return judge_machine_code(release, ComputeCapability(capability), level, load_cuda_table())


@pytest.mark.parametrize(
    ("series", "capability"),
    [
        ("2.21", "6.0"), ("2.21", "6.1"), ("2.21", "7.0"), ("2.21", "7.5"), ("2.21", "8.0"), ("2.21", "8.6"),
        ("2.21", "8.7"), ("2.21", "8.9"), ("2.17", "8.9"), ("2.16", "8.9"), ("2.16", "5.2"), ("2.15", "5.0"),
        ("2.15", "7.5"), ("2.10", "3.5"), ("2.10", "3.7"), ("2.14", "7.5"), ("2.22.0rc0", "8.9"),
    ],
)  # fmt: skip
def test_same_major_and_not_above_its_minor_is_native(series, capability):
    assert _judge(series, capability).kind is CodeKind.NATIVE


def test_native_code_needs_no_driver_level():
    assert _judge("2.21", "8.9", None).kind is CodeKind.NATIVE


@pytest.mark.parametrize(
    ("series", "capability"),
    [("2.21", "5.2"), ("2.17", "5.0"), ("2.15", "3.7"), ("2.10", "3.0"), ("2.21", "3.5"), ("2.18", "2.1")],
)
def test_card_below_every_target_has_no_code(series, capability):
    found = _judge(series, capability)

    assert (found.kind, found.reason) == (CodeKind.BROKEN, CodeReason.CARD_TOO_OLD)


@pytest.mark.parametrize("series", ["2.16", "2.17", "2.18", "2.19", "2.20"])
@pytest.mark.parametrize("capability", ["10.0", "10.3", "12.0", "12.1"])
def test_ptx_of_hopper_alone_is_useless_for_blackwell(series, capability):
    found = _judge(series, capability)

    assert (found.kind, found.reason) == (CodeKind.BROKEN, CodeReason.PTX_OF_ONE_CARD)


@pytest.mark.parametrize("series", ["2.15", "2.21", "2.22.0rc0"])
def test_plain_ptx_is_compiled_for_blackwell(series):
    found = _judge(series, "12.0")

    assert (found.kind, found.reason) == (CodeKind.JIT, CodeReason.OLDER_PTX)


@pytest.mark.parametrize(
    ("series", "level"),
    [("2.15", "12.1"), ("2.16", "12.1"), ("2.17", "12.3"), ("2.18", "12.3"), ("2.19", "12.5"), ("2.21", "12.5")],
)
def test_hopper_is_partly_compiled_and_needs_a_driver_that_knows_the_ptx(series, level):
    found = _judge(series, "9.0")

    assert found.kind is CodeKind.JIT
    assert found.level_needed == level
    assert found.is_fully_read
    assert _judge(series, "9.0", level).kind is CodeKind.JIT
    below = {"12.1": "12.0", "12.3": "12.2", "12.5": "12.4"}[level]
    assert _judge(series, "9.0", below).reason is CodeReason.DRIVER_LACKS_ISA
    assert _judge(series, "9.0", None).kind is CodeKind.UNKNOWN


def test_wheels_whose_mlir_kernels_were_not_read_say_so():
    release = find_release("2.12", "linux-x86_64")
    assert release is not None
    unread = replace(release, ptx_mlir=None)

    found = judge_machine_code(unread, ComputeCapability("8.6"), NEW_DRIVER, load_cuda_table())

    assert (found.kind, found.reason, found.level_needed) == (CodeKind.JIT, CodeReason.PARTLY_NATIVE, "11.8")
    assert not found.is_fully_read
    assert _judge("2.12", "8.6").is_fully_read


@pytest.mark.parametrize(
    ("target", "capability", "answer"),
    [
        ("sm_90", "9.0", True), ("sm_90", "12.0", True), ("sm_90", "8.9", False), ("sm_90a", "9.0", True),
        ("sm_90a", "10.0", False), ("sm_90a", "12.0", False), ("sm_80", "8.6", True), ("sm_120", "12.1", True),
        ("strange", "9.0", False),
    ],
)  # fmt: skip
def test_targets(target, capability, answer):
    assert compiles_for(PtxTarget(target=target), ComputeCapability(capability)) is answer


def test_build_without_cuda_runs_on_no_card():
    release = find_release("2.21", "windows-x86_64")
    assert release is not None

    found = judge_machine_code(release, ComputeCapability("8.9"), NEW_DRIVER, load_cuda_table())

    assert found.reason is CodeReason.NOT_CUDA
