from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gpuconfig_app.core.errors import GpuConfigError, UnusableFileError, UsageError
from gpuconfig_app.core.model_memory import PeakSource
from gpuconfig_app.core.plan import Fit
from gpuconfig_app.core.units import MIB
from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.runner.step_trace import TraceRequest, trace_step
from gpuconfig_app.workbench.machine import OpenMachine
from gpuconfig_app.workbench.model_memory import MemoryOrder, judge_trace, memory_order, predict_model_memory
from tests.unit.planner.machines import card, machine
from tests.unit.runner.standing_probe import write_probe, write_python


def _refused(model: str = "module:build", batch: str = "8", **options: object) -> GpuConfigError:
    with pytest.raises(GpuConfigError) as caught:
        memory_order(model, batch, **options)  # type: ignore[arg-type]  # keys are arguments
    return caught.value


@pytest.mark.parametrize("batch", ["0", "-4", "1000001", "9" * 400, "many", "", "1.5", "0x10"])
def test_a_batch_that_no_step_has_is_refused(batch: str) -> None:
    error = _refused(batch=batch)

    assert isinstance(error, UsageError)
    assert error.message.id == "memory.bad-batch"
    assert error.message.params["value"] == batch


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"precision": "float16"}, "bad-precision"),
        ({"precision": ""}, "bad-precision"),
        ({"optimizer": "Adam"}, "bad-optimizer"),
        ({"input_shapes": ("",)}, "bad-shape"),
        ({"input_shapes": ("16,-3",)}, "bad-shape"),
        ({"input_shapes": ("16x16",)}, "bad-shape"),
        ({"input_shapes": ("a b",)}, "bad-shape"),
        ({"input_shapes": ("16:float32:8",)}, "bad-shape"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], name: str) -> None:
    assert _refused(**options).message.id == f"memory.{name}"


@pytest.mark.parametrize("limit", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_limit_is_a_time(limit: float) -> None:
    assert _refused(time_limit_s=limit).message.id == "cli.bad-time-limit"


@pytest.mark.parametrize("shape", ["128", "224,224,3", "(224, 224, 3)", "tokens=128", "tokens=128:int32", "64:int32"])
def test_shapes_as_people_write_them(shape: str) -> None:
    assert memory_order("module:build", "8", input_shapes=(shape,)).input_shapes == (
        "".join(shape.split()).strip("()"),
    )


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("", "bad-model"),
        ("module", "bad-model"),
        (":build", "bad-model"),
        ("module:", "bad-model"),
        ("module:two words", "bad-model"),
        ("my-module:build", "bad-model"),
        ("module:build()", "bad-model"),
        ("train.py", "no-function-named"),
        ("C:\\nets\\train.py", "no-function-named"),
    ],
)
def test_a_model_that_is_neither_file_nor_function(model: str, name: str) -> None:
    error = _refused(model)

    assert isinstance(error, UsageError)
    assert error.message.id == f"memory.{name}"


def test_files_that_are_not_there_are_told_without_starting_anything(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "saved.keras").mkdir()

    errors = [_refused(name) for name in ("none.keras", "saved.keras", ".", "sub/none.py:build", "none.h5")]

    assert [error.message.id.removeprefix("memory.error-") for error in errors] == [
        "no-file", "is-folder", "is-folder", "no-python-file", "no-file",
    ]  # fmt: skip
    assert all(isinstance(error, UnusableFileError) for error in errors)


def test_what_can_be_named(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    odd = "a 'b' \"模型\""
    (tmp_path / odd).mkdir()
    for name in ("net.keras", "NET.H5", f"{odd}/net.keras", f"{odd}/net.py", "net.py"):
        (tmp_path / name).write_text("")

    orders = [
        memory_order(name, "8")
        for name in (
            "net.keras",
            "NET.H5",
            f"{odd}/net.keras",
            f"{odd}/net.py:build",
            "net.py:build",
            "pack.net:Nets.build",
        )
    ]

    assert [order.is_file for order in orders] == [True, True, True, False, False, False]
    assert orders[3].model == f"{odd}/net.py:build"
    assert orders[5].model == "pack.net:Nets.build"


@pytest.fixture
def judged(tmp_path):
    def make(words: str = "plain", gpu_layout: str | None = None, **options: object):
        order = MemoryOrder(model=f"module:{words}", is_file=False, batch=8, **options)  # type: ignore[arg-type]
        request = TraceRequest(
            python=sys.executable,
            model=order.model,
            batches=(8, 32),
            jit=order.jit,
            precision=order.precision,
            gpu_layout=gpu_layout,
            folder=tmp_path,
            probe=write_probe(tmp_path),
        )
        recorded = OpenMachine(machine(card("3060"), card("a100", index=1)), name="two")
        return judge_trace(order, trace_step(request), "python", recorded)

    return make


def test_parts_add_up_and_the_interval_holds_them(judged) -> None:
    """One weight of 1 MiB, 8 MiB of activations, a gradient of 1 MiB, and the batch of 8 KiB."""
    told = judged()

    assert told.parts.total == told.step_peak_bytes == told.interval_bytes.expected
    assert told.step_peak_bytes == 10 * MIB + 8 * 1024
    assert told.interval_bytes.low < told.step_peak_bytes < told.interval_bytes.high
    assert told.needed_parts.total == told.needed_bytes == told.needed_interval_bytes.expected
    assert told.needed_parts.step_bytes == told.step_peak_bytes
    assert (told.loss, told.tensorflow, told.keras) == ("own", "2.21.0", "3.15.1")


def test_without_a_step_the_layers_give_a_rough_estimate_that_says_so(judged) -> None:
    traced, rough = judged(), judged("layers__step_fails")

    assert (traced.source, rough.source) == (PeakSource.TRACE, PeakSource.LAYERS)
    assert [warning.id for warning in rough.warnings[:2]] == ["memory.warning-layers", "memory.error-step-fails"]
    assert rough.parts.total == rough.step_peak_bytes == rough.interval_bytes.expected
    assert (rough.parts.weights, rough.parts.slots // MIB) == (MIB, 2)
    moving = rough.step_peak_bytes - rough.parts.weights - rough.parts.slots
    assert rough.interval_bytes.high == rough.step_peak_bytes + moving
    assert rough.needed_parts.total == rough.needed_bytes
    assert rough.fit[1].largest_batch is not None
    assert rough.fit[1].largest_batch > 0


def test_a_rough_estimate_is_rougher_with_xla(judged) -> None:
    graph, jit = judged("layers__step_fails"), judged("layers__step_fails", jit=True)

    assert jit.interval_bytes.low < graph.interval_bytes.low < graph.interval_bytes.high < jit.interval_bytes.high


def test_each_card_is_judged_with_what_tensorflow_leaves_free_there(judged) -> None:
    told = judged()

    assert [one.fit for one in told.fit] == [Fit.FITS, Fit.FITS]
    assert [one.index for one in told.fit] == [0, 1]
    assert told.fit[0].largest_batch is not None
    assert told.fit[1].largest_batch is not None
    assert 5_000 < told.fit[0].largest_batch < told.fit[1].largest_batch
    assert told.machine == "two"


def test_a_card_gets_its_own_layout_of_convolutions(judged) -> None:
    """The stand-in makes activations a quarter larger for a card: 2 MiB more."""
    plain, laid_out = judged(), judged(gpu_layout="8.6")

    assert laid_out.step_peak_bytes == plain.step_peak_bytes
    assert (plain.needed_parts.layout_bytes, laid_out.needed_parts.layout_bytes) == (0, 2 * MIB)
    assert laid_out.interval_bytes.high > plain.interval_bytes.high
    assert laid_out.needed_bytes > plain.needed_bytes + MIB


def test_xla_is_told_apart_as_not_measured(judged) -> None:
    graph, jit = judged(), judged(jit=True)

    assert "memory.warning-jit" in {warning.id for warning in jit.warnings}
    assert jit.step_peak_bytes == graph.step_peak_bytes
    assert jit.interval_bytes.high >= 2 * graph.step_peak_bytes
    assert jit.interval_bytes.low < graph.interval_bytes.low
    assert not [warning for warning in graph.warnings if warning.id == "memory.warning-jit"]


def test_recurrent_layers_of_cudnn_are_told(judged) -> None:
    plain, recurrent = judged(), judged("lstm")

    warning = next(item for item in recurrent.warnings if item.id == "memory.warning-recurrent")
    assert warning.params == {"names": "LSTM"}
    assert not [item for item in plain.warnings if item.id == "memory.warning-recurrent"]


def test_a_policy_of_the_models_own_is_told(judged) -> None:
    asked, other = judged(precision=Precision.MIXED_FLOAT16), judged("ownpolicy", precision=Precision.MIXED_FLOAT16)

    assert "memory.note-other-policy" not in {warning.id for warning in asked.warnings}
    note = next(item for item in other.warnings if item.id == "memory.note-other-policy")
    assert note.params == {"value": "mixed_bfloat16", "name": "mixed_float16"}


def test_without_cards_that_is_said(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    python = write_python(tmp_path, sys.executable)
    order = memory_order("module:noted", "8", optimizer="sgd")

    told = predict_model_memory(order, str(python), OpenMachine(machine()))

    assert order.optimizer is Optimizer.SGD
    assert told.fit == ()
    assert {"memory.warning-no-card", "memory.note-loss-not-restored"} <= {item.id for item in told.warnings}
    assert told.needed_parts.kept_free_bytes == 1800 * MIB
