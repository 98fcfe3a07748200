"""The runner with a generated script and real TensorFlow, on a folder of tiny pictures."""

from __future__ import annotations

import struct
import threading
import time
import zlib
from pathlib import Path

import pytest

from gpuconfig_app.core.plan import Interval, TimePrediction, TrainingPlan
from gpuconfig_app.core.run_result import RunKind, RunState
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.runner import test_run as runs
from gpuconfig_app.runner.script_events import EventTail
from gpuconfig_app.runner.training import RunRequest, find_runs, read_result, start_run, stop_run
from gpuconfig_app.scriptgen.generate import generate
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.scriptgen.write import write_bundle
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.storage.runs import RunFolder

WAIT_S = 180.0
STEP = Interval(low=1e-6, expected=0.1, high=600.0)


def write_png(path: Path, shade: int) -> None:
    rows = b"".join(b"\0" + bytes((shade, number * 8, 255 - shade)) * 32 for number in range(32))
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    ]
    parts = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))


@pytest.fixture
def bundle(tmp_path: Path) -> tuple[Path, TrainingPlan]:
    """A generated bundle and a folder with two classes of pictures."""
    for name, shade in (("dark", 20), ("light", 230)):
        folder = tmp_path / "pictures" / name
        folder.mkdir(parents=True)
        for number in range(40):
            write_png(folder / f"{number}.png", shade + number % 20)
    workload = Workload(
        template_id="image_classification", task="image_classification", model_id="small_cnn", input_shape=(32, 32, 3)
    )
    plan = TrainingPlan(
        workload=workload, per_replica_batch=8, global_batch=8, time=TimePrediction(step=STEP, epoch=STEP)
    )
    answers = {
        "data": str(tmp_path / "pictures"),
        "model": "small_cnn",
        "image_size": 32,
        "epochs": 200,
        "patience": 200,
    }
    folder = tmp_path / "bundle"
    write_bundle(generate(load_template("image_classification"), answers, plan), folder)
    return folder, plan


def test_a_test_run_measures_what_was_predicted(bundle, tensorflow_python: Path) -> None:
    folder, plan = bundle
    request = RunRequest(bundle=folder, python=str(tensorflow_python), kind=RunKind.TEST, plan=plan)

    result = runs.test_run(request, user_places())

    assert result.state is RunState.FINISHED, result.last_lines
    assert result.devices == ("CPU",)
    assert result.metrics["loss"] > 0
    compared = {item.id: item for item in result.compared}
    assert compared["step_s"].measured > 0
    assert compared["step_s"].is_inside
    assert not (folder / "output").exists()


def test_a_training_is_stopped_politely_and_goes_on_where_it_was(bundle, tensorflow_python: Path) -> None:
    folder, _ = bundle
    places = user_places()
    request = RunRequest(bundle=folder, python=str(tensorflow_python), kind=RunKind.TRAINING)
    handle = start_run(request, places)
    wait_for_epoch(handle.folder)

    stopped = stop_run(find_runs(places)[0], places, grace_s=60.0)
    again = start_run(
        RunRequest(bundle=folder, python=str(tensorflow_python), arguments=("--resume", "--epochs", "2")), places
    )
    wait_for_end(again.folder.path)

    assert stopped.state is RunState.CANCELLED
    assert stopped.exit_code == 6, stopped.last_lines
    assert stopped.meaning.id == "runner.stopped-resumable"
    resumed = read_result(again.folder.path)
    assert resumed.state is RunState.FINISHED, resumed.last_lines
    assert any("Resumes after epoch" in line for line in resumed.last_lines)


def wait_for_epoch(folder: RunFolder) -> None:
    tail, end = EventTail(folder.metrics), time.monotonic() + WAIT_S
    while not any(event["event"] == "epoch" for event in tail.poll()):
        result = read_result(folder.path)
        assert result.state is RunState.RUNNING, result.last_lines
        assert time.monotonic() < end
        threading.Event().wait(0.1)


def wait_for_end(folder: Path) -> None:
    end = time.monotonic() + WAIT_S
    while read_result(folder).state is RunState.RUNNING:
        assert time.monotonic() < end
        threading.Event().wait(0.2)
