"""How a generated script is asked for each kind of run; the options are described by its own ``--help``."""

from __future__ import annotations

from gpuconfig_app.core.run_result import RunKind
from gpuconfig_app.storage.runs import RunFolder

TEST_EPOCHS = 2
TEST_STEPS = 20


def script_arguments(kind: RunKind, folder: RunFolder) -> tuple[str, ...]:
    """Give the options of a run.

    A smoke run trains on made-up data; a test run takes a few steps on the real data and keeps its files in the run's
    folder, so that an earlier training in the bundle is not touched; a training does what the plan says.
    """
    metrics = ("--metrics", str(folder.metrics))
    if kind is RunKind.SMOKE:
        return ("--smoke", *metrics)
    if kind is RunKind.TEST:
        limits = ("--epochs", str(TEST_EPOCHS), "--steps", str(TEST_STEPS))
        return (*limits, "--out", str(folder.output), *metrics)
    return metrics
