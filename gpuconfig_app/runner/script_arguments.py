"""How a generated script is asked for each kind of run; the options are described by its own ``--help``."""

from __future__ import annotations

from gpuconfig_app.core.calibration import ENOUGH_STEPS
from gpuconfig_app.core.run_result import RunKind
from gpuconfig_app.storage.runs import RunFolder

TEST_EPOCHS, MOST_TEST_EPOCHS = 2, 12
TEST_STEPS = 20
# As in the scripts: so many updates pass before they measure, and the first of each epoch waits for data.
WARM_UP_STEPS = 5


def script_arguments(kind: RunKind, folder: RunFolder, epoch_steps: int | None = None) -> tuple[str, ...]:
    """Give the options of a run.

    A smoke run trains on made-up data; a test run takes a few steps on the real data and keeps its files in the run's
    folder, so that an earlier training in the bundle is not touched; a training does what the plan says.

    Args:
        epoch_steps: Updates in an epoch, None when not known; where they are few a test run takes more epochs.
    """
    metrics = ("--metrics", str(folder.metrics))
    if kind is RunKind.SMOKE:
        return ("--smoke", *metrics)
    if kind is RunKind.TEST:
        limits = ("--epochs", str(_test_epochs(epoch_steps)), "--steps", str(TEST_STEPS))
        return (*limits, "--out", str(folder.output), *metrics)
    return metrics


def _test_epochs(epoch_steps: int | None) -> int:
    """Give the epochs after which enough steps were measured, within reason."""
    steps = min(TEST_STEPS, epoch_steps if epoch_steps is not None else TEST_STEPS)
    for epochs in range(TEST_EPOCHS, MOST_TEST_EPOCHS):
        if epochs * (steps - 1) - WARM_UP_STEPS >= ENOUGH_STEPS:
            return epochs
    return MOST_TEST_EPOCHS
