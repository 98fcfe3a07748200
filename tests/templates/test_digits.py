"""The digits of scikit-learn: trained, interrupted, killed, resumed, saved and read back, as a user would."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.scriptgen.generate import generate
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.scriptgen.write import write_bundle
from tests.templates.running import ScriptRunner, follow_events, read_events
from tests.unit.scriptgen.plans import make_plan_by_hand, pictures_facts

ANSWERS = {"model": "small_cnn", "flip": False, "epochs": 8, "patience": 20}


def digits_facts(folder: Path) -> DatasetFacts:
    """What the scan tells of the digits."""
    facts = pictures_facts(str(folder), tuple(str(digit) for digit in range(10)))
    return replace(facts, sample_count=1797, image_size=(8, 8, 1), image_formats=("png",))


def test_digits_are_learnt_through_sigterm_and_sigkill(runner: ScriptRunner, digits: Path, tmp_path: Path) -> None:
    dataset = digits_facts(digits)
    plan = make_plan_by_hand(
        "cpu_memory_cache", "image_classification", ANSWERS, dataset, per_replica_batch=32, learning_rate=0.003
    )
    write_bundle(generate(load_template("image_classification"), ANSWERS, plan, dataset), tmp_path / "bundle")
    script, out = tmp_path / "bundle" / "train.py", tmp_path / "bundle" / "out"

    asked = _stop_after_epoch(runner, script, 1, signal.SIGTERM)
    killed = _stop_after_epoch(runner, script, 3, signal.SIGKILL, "--resume")
    (out / "new.weights.h5").write_bytes(b"cut off while it was written")
    finished = runner.run(script, "--resume")
    refused = runner.run(script)

    events = read_events(out / "metrics.jsonl")
    epochs = [event for event in events if event["event"] == "epoch"]
    codes = [event["code"] for event in events if event["event"] == "exit"]
    assert asked == 6
    assert killed == -signal.SIGKILL
    assert finished.returncode == 0, finished.stderr
    assert codes == [6, 0, 2]
    assert "--resume" in refused.stderr
    assert [event["epoch"] for event in epochs] == sorted(event["epoch"] for event in epochs)
    assert epochs[-1]["epoch"] == 8
    assert max(event["val_accuracy"] for event in epochs) >= 0.95
    result = next(event for event in events if event["event"] == "result")
    assert result["test_accuracy"] >= 0.95
    best = min(event["val_loss"] for event in epochs)
    assert json.loads((out / "state.json").read_text(encoding="utf-8"))["best"] == best

    guesses = runner.run(tmp_path / "bundle" / "predict.py", digits / "3")
    lines = [json.loads(line) for line in guesses.stdout.splitlines()]
    assert len(lines) == len(list((digits / "3").iterdir()))
    assert sum(line["class"] == "3" for line in lines) / len(lines) >= 0.95
    assert (out / "saved_model" / "saved_model.pb").exists()


def _stop_after_epoch(runner: ScriptRunner, script: Path, epoch: int, number: signal.Signals, *arguments: str) -> int:
    """Start the training and send a signal at the first step after an epoch; the exit code."""
    metrics = script.parent / "out" / "metrics.jsonl"
    process = runner.start(script, *arguments, log=script.parent / f"until_{epoch}.log")
    for event in follow_events(metrics, process):
        if event["event"] == "epoch" and event["epoch"] == epoch:
            process.send_signal(number)
    return process.wait()
