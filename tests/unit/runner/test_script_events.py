from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpuconfig_app.runner.script_events import EventTail, Measured, Setting, read_events


def write(path: Path, *events: dict) -> Path:
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    return path


@pytest.fixture
def metrics(tmp_path: Path) -> Path:
    return tmp_path / "metrics.jsonl"


def test_measured_numbers_leave_the_warm_up_out(metrics: Path) -> None:
    write(
        metrics,
        {"event": "devices", "strategy": "one", "devices": [{"name": "NVIDIA A100", "compute_capability": "8.0"}]},
        {"event": "epoch", "epoch": 1, "loss": 2.0, "epoch_s": 60.0, "step_s": 0.3, "peak_memory_bytes": 5},
        {"event": "epoch", "epoch": 2, "loss": 1.0, "epoch_s": 10.0, "step_s": 0.1, "peak_memory_bytes": 7},
        {"event": "epoch", "epoch": 3, "loss": 0.5, "epoch_s": 12.0, "step_s": 0.2, "peak_memory_bytes": 6},
        {"event": "result", "test_loss": 0.6, "test_accuracy": 0.9, "model": "/x/model.keras"},
        {"event": "exit", "code": 0, "meaning": "done"},
    )

    events = read_events(metrics)

    assert events.devices == ("NVIDIA A100",)
    assert events.is_cpu is False
    assert events.step_s == 0.2
    assert events.epoch_s == 11.0
    assert events.peak_memory_bytes == 7
    assert events.metrics == {"loss": 0.5, "test_loss": 0.6, "test_accuracy": 0.9}
    assert (events.exit_code, events.exit_meaning) == (0, "done")


def test_half_a_line_and_strange_lines_are_passed_over(metrics: Path) -> None:
    metrics.write_bytes(
        b'{"event": "epoch", "epoch": 1, "step_s": 0.5}\n[1, 2]\n\xff\xfe\n"text"\n{"event": ["x"]}\n'
        b'{"event": "devices", "devices": "none"}\n{"event": "epoch", "step_s": null, "loss": true}\n{"event": "epo'
    )

    events = read_events(metrics)

    assert events.step_s == 0.5
    assert events.devices == ()
    assert events.metrics == {}


def test_before_the_first_epoch_the_steps_tell_the_time(metrics: Path) -> None:
    write(metrics, {"event": "step", "step": 9, "step_s": 0.4}, {"event": "step", "step": 19, "step_s": 0.2})

    assert read_events(metrics).step_s == pytest.approx(0.3)


def test_no_file_tells_nothing(metrics: Path) -> None:
    events = read_events(metrics)

    assert events.step_s is None
    assert events.is_cpu is None
    assert events.exit_code is None


def test_a_file_that_grows_gives_each_event_once_and_only_whole_ones(metrics: Path) -> None:
    tail = EventTail(metrics)
    assert tail.poll() == ()
    metrics.write_bytes(b'{"event": "step", "step": 1}\n{"event": "st')
    assert [event["step"] for event in tail.poll()] == [1]
    with metrics.open("ab") as file:
        file.write(b'ep", "step": 2}\n')

    assert [event["step"] for event in tail.poll()] == [2]
    assert tail.poll() == ()


def test_a_file_begun_anew_is_read_from_its_start(metrics: Path) -> None:
    tail = EventTail(metrics)
    write(metrics, {"event": "step", "step": 1}, {"event": "step", "step": 2})
    tail.poll()
    write(metrics, {"event": "step", "step": 7})

    assert [event["step"] for event in tail.poll()] == [7]


def test_a_file_larger_than_one_look_is_read_whole(metrics: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuconfig_app.runner.script_events.MOST_BYTES_AT_ONCE", 64)
    write(metrics, *({"event": "step", "step_s": float(number)} for number in range(101)))

    events = read_events(metrics)

    assert len(events.steps) == 101
    assert events.step_s == 50.0


def test_what_was_measured_after_the_warm_up_comes_before_means(metrics: Path, root: Path) -> None:
    events = read_events(root / "tests" / "data" / "measured_runs" / "two_cards_accumulating.jsonl")

    assert events.measured == Measured(35, 0.19, 0.19 * 0.98, pytest.approx(0.19 * 1.05), 4700000000, 4831838208)
    assert events.setting == Setting("2.21.0", "mixed_bfloat16", False, 256, 4, "growth")
    assert events.step_s == 0.19
    assert events.peak_memory_bytes == 4700000000


def test_what_is_no_number_was_not_measured(metrics: Path) -> None:
    write(
        metrics,
        {"event": "start", "xla": "yes", "precision": 16, "tensorflow": "2" * 99},
        {"event": "data", "batch": True, "parts": -1},
        {"event": "epoch", "step_s": 0.5, "peak_memory_bytes": 7},
        {"event": "measured", "steps": "many", "step_s": None, "peak_memory_bytes": "much"},
    )

    events = read_events(metrics)

    assert events.measured == Measured()
    assert events.setting == Setting()
    assert (events.step_s, events.peak_memory_bytes) == (0.5, 7)
