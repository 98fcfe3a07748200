"""Run folders as the runner writes them, for tests and pictures of the page Runs."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpuconfig_app.core.plan import Interval
from gpuconfig_app.core.run_result import RunKind, RunRecord
from gpuconfig_app.core.units import GIB
from gpuconfig_app.storage.places import Places
from gpuconfig_app.storage.runs import RunFolder, new_run_folder, save_record

PREDICTED = {
    "memory_peak_bytes": Interval(expected=7.6 * GIB, low=7.1 * GIB, high=8.4 * GIB),
    "step_s": Interval(expected=0.12, low=0.08, high=0.2),
    "epoch_s": Interval(expected=31.0, low=25.0, high=60.0),
}


def make_run(
    places: Places,
    name: str,
    kind: RunKind = RunKind.TRAINING,
    *,
    exit_code: int | None = 0,
    reason: str = "ended",
    epochs: int = 0,
    log: str = "",
    ago_s: float = 100.0,
    **changes: Any,  # Any: any field of the record
) -> RunRecord:
    """Write the folder of a run that is over.

    Args:
        exit_code: Of the script; together with ``reason`` None the run vanished without a word.
        epochs: How many the script told of.
    """
    started = time.time() - ago_s
    folder = new_run_folder(places, started)
    predicted = {} if kind is RunKind.SMOKE else dict(PREDICTED)
    if kind is not RunKind.TRAINING:
        predicted.pop("epoch_s", None)
    record = RunRecord(
        id=folder.id,
        kind=kind,
        bundle=str(places.runs.parent / name),
        python="/usr/bin/python3",
        command=("train.py",),
        started_at=started,
        predicted=predicted,
    )
    save_record(folder, replace(record, **changes))
    folder.log.write_text(log or "Epoch 1/8\nloss: 0.71\n", encoding="utf-8")
    write_events(folder, epochs)
    if reason:
        notes = {"exit_code": exit_code, "reason": reason, "duration_s": ago_s / 2, "ended_at": started + ago_s / 2}
        folder.exit.write_text(json.dumps(notes), encoding="utf-8")
    return replace(record, **changes)


def write_events(folder: RunFolder, epochs: int) -> None:
    """Write what a script tells of its devices and epochs."""
    lines: list[dict[str, object]] = [
        {"event": "devices", "strategy": "one", "devices": [{"name": "NVIDIA GeForce RTX 4090"}]}
    ]
    for number in range(1, epochs + 1):
        share = math.exp(-number / 4)
        lines.append(
            {
                "event": "epoch", "epoch": number, "loss": 0.3 + 2 * share, "val_loss": 0.45 + 1.8 * share,
                "accuracy": 0.9 - 0.7 * share, "val_accuracy": 0.86 - 0.66 * share, "epoch_s": 30.0, "step_s": 0.125,
                "peak_memory_bytes": int(7.8 * GIB),
            }
        )  # fmt: skip
    folder.metrics.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def break_run(places: Places, name: str = "20261130-000000-broken") -> Path:
    """Write a run folder whose record cannot be read."""
    folder = places.runs / name
    folder.mkdir(parents=True)
    (folder / "run.json").write_text("{not json", encoding="utf-8")
    return folder


def names(runs: Sequence[RunRecord]) -> list[str]:
    """Folder names of scripts."""
    return [Path(run.bundle).name for run in runs]
