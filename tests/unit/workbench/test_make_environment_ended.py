"""A making that is cancelled, or killed, or meets what the user put there: afterwards the disk is as it was.

Whatever ends it, and at whatever stage; what the user put there meanwhile stays.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gpuconfig_app.core.environment_made import MakeOutcome, MakeProgress
from gpuconfig_app.core.environment_plan import StepKind
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.runner.environment_removal import identity_of
from gpuconfig_app.runner.watched_process import start_time
from gpuconfig_app.storage.makings import Making, load_makings, save_making
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.workbench.make_environment import (
    clean_leftover,
    find_leftovers,
    plan_environment,
)
from tests.source_files import ROOT
from tests.unit.workbench.makings import english, make, order, plan, snapshot

STAGES: dict[str, Callable[[MakeProgress], bool]] = {
    "before the first step": lambda progress: True,
    "while the folder is made": lambda progress: progress.current is StepKind.MAKE,
    "while it is installed": lambda progress: progress.current is StepKind.INSTALL and bool(progress.lines),
    "in the middle of unpacking": lambda progress: any("Installing" in line.text for line in progress.lines),
    "when the proof begins": lambda progress: progress.current is StepKind.PROVE,
}


@pytest.mark.parametrize("stage", STAGES)
def test_cancelled_at_any_stage_it_leaves_nothing_behind(stage: str, ground: Path, report: SystemReport) -> None:
    before = snapshot(ground)
    control = JobControl()

    def end(progress: MakeProgress) -> None:
        if not progress.is_cleaning and STAGES[stage](progress):
            control.cancel()

    made = make(plan(ground, report), report, control, end)

    assert made.outcome is MakeOutcome.CANCELLED
    assert made.left_behind == ()
    assert snapshot(ground) == before
    assert find_leftovers(user_places()) == ()
    assert load_makings(user_places()) == ()


def test_cancelled_while_it_is_planned_nothing_was_made(ground: Path, report: SystemReport) -> None:
    before = snapshot(ground)
    control = JobControl()
    control.cancel()

    with pytest.raises(JobCancelledError):
        plan_environment(user_places(), report, order(ground), control)

    assert snapshot(ground) == before


def test_a_hanging_proof_is_ended_and_cleaned_up(
    ground: Path, report: SystemReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRETENDED", "gpus=0 import-hangs")
    before = snapshot(ground)
    control = JobControl()

    def end(progress: MakeProgress) -> None:
        if progress.message is not None and progress.message.id == "runner.proof-import":
            control.cancel()

    made = make(plan(ground, report), report, control, end)

    assert made.outcome is MakeOutcome.CANCELLED
    assert snapshot(ground) == before


def test_what_the_user_put_there_meanwhile_stays(ground: Path, report: SystemReport) -> None:
    ready = plan(ground, report)
    folder = Path(ready.order.folder)
    control = JobControl()
    own = ("notes.txt", "data/table.csv", "bin/my-tool", "lib/mine.txt")

    def end(progress: MakeProgress) -> None:
        if progress.current is StepKind.INSTALL and progress.lines and not control.is_cancelled:
            for name in own:
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).write_text("mine", encoding="utf-8")
            control.cancel()

    made = make(ready, report, control, end)

    left = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert left == sorted(own)
    assert {Path(path).name for path in made.left_behind} == {"notes.txt", "data", "my-tool", "mine.txt"}
    assert "not ours" in english(made)


def test_an_empty_folder_of_the_users_stays_and_is_empty_again(ground: Path, report: SystemReport) -> None:
    (ground / "work" / "mine").mkdir()
    before = snapshot(ground)
    control = JobControl()

    made = make(
        plan(ground, report, folder="work/mine"), report, control,
        lambda progress: control.cancel() if progress.current is StepKind.INSTALL else None,
    )  # fmt: skip

    assert made.outcome is MakeOutcome.CANCELLED
    assert snapshot(ground) == before


def test_another_folder_of_the_same_name_is_not_touched(ground: Path, report: SystemReport) -> None:
    ready = plan(ground, report, folder="work/swapped")
    folder = Path(ready.order.folder)
    control = JobControl()

    def swap(progress: MakeProgress) -> None:
        if progress.current is StepKind.INSTALL and progress.lines and not control.is_cancelled:
            folder.rename(folder.with_name("moved away"))
            (folder / "lib").mkdir(parents=True)
            (folder / "pyvenv.cfg").write_text("somebody else's", encoding="utf-8")
            control.cancel()

    made = make(ready, report, control, swap)

    assert (folder / "pyvenv.cfg").read_text(encoding="utf-8") == "somebody else's"
    assert made.left_behind == (str(folder),)


KILLED = """
import os, signal, sys, json
from dataclasses import replace
from pathlib import Path
from gpuconfig_app.core.clock import SystemClock
from gpuconfig_app.core.environment_plan import EnvironmentOrder, StepKind
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.workbench.make_environment import make_environment, plan_environment
from gpuconfig_app.workbench.text import load_texts

told = json.loads(sys.argv[1])
report = replace(load_machine(Path(told["machine"])).report, recorded_from=None)
plan = plan_environment(user_places(), report, EnvironmentOrder(**told["order"]))
def die(progress):
    if progress.current is StepKind(told["step"]) and (progress.lines or told["step"] == "make"):
        os.kill(os.getpid(), signal.SIGKILL)
make_environment(user_places(), SystemClock(), load_texts(), report, plan, None, die)
"""


@pytest.mark.parametrize("step", ["make", "install", "prove"])
def test_after_the_program_was_killed_the_remains_are_recognised_and_removed(
    step: str, ground: Path, report: SystemReport, root: Path
) -> None:
    before = snapshot(ground)
    asked = order(ground)
    told = {
        "machine": str(root / "resources" / "machines" / "no-gpu"),
        "step": step,
        "order": {name: getattr(asked, name) for name in ("folder", "python", "wheelhouse", "tensorflow")},
    }

    done = subprocess.run([sys.executable, "-c", KILLED, json.dumps(told)], cwd=ROOT, check=False, timeout=120)

    assert done.returncode == -signal.SIGKILL
    told_again = [check.text.id for check in plan(ground, report).blockers]
    assert told_again == ([] if step == "make" else ["environment.folder-is-leftover"])
    (leftover,) = find_leftovers(user_places())
    assert leftover.folder == asked.folder
    removal = clean_leftover(user_places(), leftover)
    assert removal.is_gone
    assert removal.kept == ()
    assert snapshot(ground) == before
    assert find_leftovers(user_places()) == ()


def test_an_installer_that_outlived_the_program_is_ended_before_its_folder_goes(ground: Path) -> None:
    folder = ground / "work" / "env"
    folder.mkdir()
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    device, inode = identity_of(folder) or (None, None)
    save_making(
        user_places(),
        Making(
            id="1", folder=str(folder), folder_device=device, folder_inode=inode, pid=None,
            child_pid=child.pid, child_started_at=start_time(child.pid),
        ),
    )  # fmt: skip

    (leftover,) = find_leftovers(user_places())
    removal = clean_leftover(user_places(), leftover)

    assert removal.is_gone
    assert child.wait(timeout=10) != 0


def test_a_second_making_in_the_same_folder_is_refused_and_harms_nothing(ground: Path, report: SystemReport) -> None:
    ready = plan(ground, report)
    said: list[str] = []

    def again(progress: MakeProgress) -> None:
        if progress.current is StepKind.MAKE and not said:
            with pytest.raises(UsageError) as raised:
                make(ready, report)
            said.append(raised.value.message.id)

    made = make(ready, report, on_progress=again)

    assert said == ["environment.folder-being-made"]
    assert made.outcome is MakeOutcome.CPU_PROVEN, english(made)


def test_a_running_making_is_no_leftover(ground: Path, report: SystemReport) -> None:
    control = JobControl()
    seen: list[int] = []

    def look(progress: MakeProgress) -> None:
        if progress.current is StepKind.INSTALL and not control.is_cancelled:
            seen.append(len(find_leftovers(user_places())))
            control.cancel()

    make(plan(ground, report), report, control, look)

    assert seen == [0]
