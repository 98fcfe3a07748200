"""Plan, script, run, and a plan that knows better: everything through the command line, with real TensorFlow."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpuconfig_app.cli.main import main

ANSWERS = {"model": "small_cnn", "image_size": 64, "flip": False, "epochs": 3}
# The machine may be busy with something else in one of the two runs.
BUSY_FACTOR = 5.0
# So much two runs of the same script differ in memory.
SAME = 0.03

Command = Callable[..., Any]  # Any: JSON


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command and gives its JSON; its sentences where ``--json`` is not asked for."""

    def run(*words: object) -> Any:  # Any: as above
        code = main(tuple(map(str, words)), _no_window)
        shown = capsys.readouterr()
        assert code in (0, 1), shown.err
        return json.loads(shown.out) if "--json" in words else shown.out

    return run


def _no_window() -> None:
    raise AssertionError("no window")


def test_after_a_run_the_next_plan_says_measured_here_and_errs_less(
    command: Command, digits: Path, tensorflow_python: Path, tmp_path: Path
) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({**ANSWERS, "data": str(digits)}), encoding="utf-8")
    asked = ("--template", "image_classification", "--answers", answers, "--python", tensorflow_python)

    estimate = command("plan", *asked, "--json")
    command("generate", *asked, "--out", tmp_path / "first", "--json")
    first = command("run", tmp_path / "first", "--python", tensorflow_python, "--json")
    known = command("plan", *asked, "--json")
    command("generate", *asked, "--out", tmp_path / "second", "--json")
    second = command("run", tmp_path / "second", "--python", tensorflow_python, "--json")
    told = command("plan", *asked)

    assert first["state"] == second["state"] == "finished", first["last_lines"]
    assert first["measured"]["run"]["steps"] >= 30
    assert first["measured"]["run"]["step_s"] > 0
    assert (estimate["memory"]["source"], estimate["time"]["step"]) == ("rules", None)
    assert (known["memory"]["source"], known["time"]["source"]) == ("measured", "measured")
    assert known["memory"]["measured_at"] == first["measured"]["run"]["measured_at"]
    assert known["per_replica_batch"] == estimate["per_replica_batch"]
    assert told.count("measured here on") + told.count("Measured here on") == 2

    truth = {item["id"]: item["measured"] for item in second["compared"]}
    before = abs(estimate["memory"]["total"]["expected"] / truth["memory_peak_bytes"] - 1)
    after = abs(known["memory"]["total"]["expected"] / truth["memory_peak_bytes"] - 1)
    assert after < max(before, SAME), f"memory: {before:.1%} off before, {after:.1%} after"
    assert after < 0.1
    assert _width(known["memory"]["total"]) < _width(estimate["memory"]["total"]) / 3
    step = known["time"]["step"]["expected"] / truth["step_s"]
    assert 1 / BUSY_FACTOR < step < BUSY_FACTOR


def _width(interval: dict[str, float]) -> float:
    return (interval["high"] - interval["low"]) / interval["expected"]
