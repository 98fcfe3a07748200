from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.calibration import ENOUGH_STEPS
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.run_result import RunKind
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.runner.script_arguments import MOST_TEST_EPOCHS, TEST_STEPS, WARM_UP_STEPS, script_arguments
from gpuconfig_app.runner.training import epoch_steps
from gpuconfig_app.storage.runs import RunFolder


def limits(steps: int | None) -> tuple[int, int]:
    words = script_arguments(RunKind.TEST, RunFolder(Path("run")), steps)
    return int(words[words.index("--epochs") + 1]), int(words[words.index("--steps") + 1])


@pytest.mark.parametrize("steps", [None, 5, 8, 13, 20, 40, 5000])
def test_a_test_run_measures_enough_steps_where_the_data_allow(steps) -> None:
    epochs, most = limits(steps)

    taken = min(most, steps or most)
    assert epochs * (taken - 1) - WARM_UP_STEPS >= ENOUGH_STEPS  # the first of each epoch waits for data
    assert epochs * taken <= 60


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_very_few_data_are_not_gone_through_for_ever(steps) -> None:
    assert limits(steps) == (MOST_TEST_EPOCHS, TEST_STEPS)


def test_the_script_warms_up_as_long_as_we_reckon(root: Path) -> None:
    constants = (root / "resources" / "templates" / "_shared" / "training_constants.j2").read_text(encoding="utf-8")

    assert f'constant("WARM_UP_STEPS", {WARM_UP_STEPS},' in constants


@pytest.mark.parametrize(("samples", "batch", "steps"), [(None, 32, None), (1000, 32, 31), (10, 32, 1)])
def test_the_updates_of_an_epoch(samples, batch, steps) -> None:
    plan = TrainingPlan(workload=Workload(sample_count=samples), global_batch=batch)

    assert epoch_steps(plan) == steps
    assert epoch_steps(None) is None
