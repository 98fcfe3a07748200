"""Which release a machine gets, by the verdict: recorded machines with cards of every age."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.compat.environment_release import (
    JudgedMachine,
    ReleaseDecision,
    best_version,
    decide_release,
    fitting_pythons,
    judge_machine,
    release_choices,
)
from gpuconfig_app.core.environment_plan import PlanGoal
from gpuconfig_app.hardware.recorded import load_machine


def judged(root: Path, name: str) -> JudgedMachine:
    places = [root / "tests" / "machines" / name, root / "resources" / "machines" / name]
    return judge_machine(load_machine(next(place for place in places if place.exists())).report)


def decide(machine: JudgedMachine, version: str | None = None) -> ReleaseDecision:
    wanted = version or best_version(machine) or ""
    row = next(item for item in machine.rows() if wanted in item.versions)
    return decide_release(machine, wanted, fitting_pythons(machine, row)[0])


@pytest.mark.parametrize(
    ("name", "requirement", "goal"),
    [
        ("healthy-1x4090", "tensorflow[and-cuda]==2.21.0", PlanGoal.GPU),
        ("8xh100", "tensorflow[and-cuda]==2.21.0", PlanGoal.GPU),
        ("wsl2", "tensorflow[and-cuda]==2.21.0", PlanGoal.GPU),
        ("v100-new-cudnn", "tensorflow[and-cuda]==2.19.1", PlanGoal.GPU),
        ("centos7-old-glibc", "tensorflow[and-cuda]==2.20.0", PlanGoal.GPU),
        ("driver-too-old", "tensorflow[and-cuda]==2.14.1", PlanGoal.GPU),
        ("rtx5090-newest-release", "tensorflow[and-cuda]==2.21.0", PlanGoal.GPU_TO_BE_PROVEN),
        ("driver-silent", "tensorflow[and-cuda]==2.21.0", PlanGoal.GPU_TO_BE_PROVEN),
        ("card-without-driver", "tensorflow[and-cuda]==2.21.0", PlanGoal.CPU_ONLY),
        ("windows-native", "tensorflow==2.21.0", PlanGoal.CPU_ONLY),
        ("no-gpu", "tensorflow==2.21.0", PlanGoal.CPU_ONLY),
        ("gb10-dgx-spark", "tensorflow==2.21.0", PlanGoal.CPU_ONLY),
        ("jetson-agx-orin", "tensorflow==2.21.0", PlanGoal.CPU_ONLY),
        ("radeon-rx6700xt", "tensorflow==2.21.0", PlanGoal.CPU_ONLY),
    ],
)
def test_a_machine_gets_the_release_its_verdict_favours(
    name: str, requirement: str, goal: PlanGoal, root: Path
) -> None:
    decision = decide(judged(root, name))

    assert (decision.requirements[0], decision.goal) == (requirement, goal)


def test_nothing_is_planned_where_nothing_would_start(root: Path) -> None:
    machine = judged(root, "cpu-without-avx")

    assert best_version(machine) is None
    assert release_choices(machine) == ()


@pytest.mark.parametrize("name", ["v100-new-cudnn", "gtx1080ti-new-cudnn"])
def test_a_card_that_cudnn_dropped_gets_the_last_one_that_serves_it(name: str, root: Path) -> None:
    machine = judged(root, name)

    assert decide(machine, "2.21.0").requirements[1:] == ("nvidia-cudnn-cu12==9.10.2.21",)
    assert decide(machine, "2.19.1").requirements[1:] == ()
    assert decide(judged(root, "healthy-1x4090"), "2.21.0").pins == ()


def test_numpy_2_is_kept_away_from_releases_built_before_it(root: Path) -> None:
    machine = judged(root, "healthy-1x4090")

    assert decide(machine, "2.17.1").requirements[1:] == ("numpy<2",)
    assert decide(machine, "2.18.1").requirements[1:] == ()


def test_libraries_that_no_card_here_can_use_are_not_downloaded(root: Path) -> None:
    for name in ("no-gpu", "radeon-rx6700xt", "windows-native"):
        assert not decide(judged(root, name)).with_cuda, name


def test_the_python_to_download_is_one_with_which_the_release_works(root: Path) -> None:
    machine = judged(root, "driver-too-old")
    row = next(item for item in machine.rows() if item.series == "2.14")

    assert "3.11" in row.python
    assert "3.11" not in fitting_pythons(machine, row)


def test_a_release_is_chosen_among_those_the_pythons_serve(root: Path) -> None:
    machine = judged(root, "healthy-1x4090")

    assert best_version(machine, {"3.9"}) == "2.20.0"
    assert best_version(machine, {"3.8"}) is None or best_version(machine, {"3.8"}) == "2.13.1"
    assert best_version(machine, set()) is None


def test_choices_are_newest_first_and_one_is_best(root: Path) -> None:
    choices = release_choices(judged(root, "healthy-1x4090"))

    assert choices[0].version == "2.22.0rc0"
    assert [item.version for item in choices if item.is_best] == ["2.21.0"]
    assert all(item.reason is not None for item in choices)
