"""Environments that are really made: by real venv and pip, from small wheels, to the proof and back again.

The property that matters most is compared on the disk: whatever ends a making, afterwards everything is as it was.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.clock import SystemClock
from gpuconfig_app.core.environment_made import MadeEnvironment, MakeOutcome, MakeProgress, StepState
from gpuconfig_app.core.environment_plan import CheckKind, EnvironmentOrder, EnvironmentPlan, PlanGoal, StepKind
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Language
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.storage.makings import load_makings
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.workbench.make_environment import (
    clean_leftover,
    find_leftovers,
    make_environment,
    plan_environment,
    remove_environment,
)
from gpuconfig_app.workbench.text import load_texts
from tests.source_files import ROOT
from tests.unit.runner.tiny_wheels import write_wheelhouse

Snapshot = dict[str, str]


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with everything a making may touch: a place for environments, for temporary files, for caches."""
    for name in ("work", "temporary", "cache"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("PIP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PRETENDED", "gpus=0")
    monkeypatch.setattr(tempfile, "tempdir", None)
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_")) and name != "PIP_CACHE_DIR"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    write_wheelhouse(tmp_path / "wheels")
    return tmp_path


@pytest.fixture
def report(root: Path) -> SystemReport:
    """A recorded machine without a GPU, taken as if it were this one."""
    return replace(load_machine(root / "resources" / "machines" / "no-gpu").report, recorded_from=None)


def order(ground: Path, folder: str = "work/new/it's 中文/.venv", **more: str) -> EnvironmentOrder:
    wheels = str(ground / "wheels")
    return EnvironmentOrder(
        folder=str(ground / folder), **{"python": sys.executable, "wheelhouse": wheels, "tensorflow": "2.21.0", **more}
    )


def plan(ground: Path, report: SystemReport, **more: str) -> EnvironmentPlan:
    return plan_environment(user_places(), report, order(ground, **more))


def make(
    plan: EnvironmentPlan,
    report: SystemReport,
    control: JobControl | None = None,
    on_progress: Callable[[MakeProgress], None] | None = None,
) -> MadeEnvironment:
    return make_environment(
        user_places(), SystemClock(), load_texts(), report, plan, control or JobControl(), on_progress
    )


def snapshot(ground: Path) -> Snapshot:
    """Every path with what it holds; caches of installers are no rubbish and left out."""
    found: Snapshot = {}
    for place, folders, files in os.walk(ground):
        for name in (*folders, *files):
            path = Path(place) / name
            if path.is_relative_to(ground / "cache"):
                continue
            is_file = path.is_file() and not path.is_symlink()
            found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest() if is_file else "folder or link"
    return found


def english(made: MadeEnvironment) -> str:
    texts = load_texts()
    words = texts.render(made.headline, Language.ENGLISH)
    return words if made.failure is None else f"{words} {texts.render(made.failure.sentence, Language.ENGLISH)}"


def test_a_real_environment_is_made_proven_and_removed_again(ground: Path, report: SystemReport) -> None:
    before = snapshot(ground)
    seen: list[MakeProgress] = []

    made = make(plan(ground, report), report, on_progress=seen.append)

    assert made.outcome is MakeOutcome.CPU_PROVEN, english(made)
    assert "No GPU took part" in english(made)
    assert made.packages["tensorflow"] == "2.21.0"
    assert made.lock_text.splitlines() == ["keras==3.15.1", "numpy==1.26.4", "tensorflow==2.21.0"]
    assert [step.state for step in made.steps] == [StepState.DONE] * 3
    assert subprocess.run([made.interpreter, "-c", "import tensorflow"], check=True, timeout=60).returncode == 0
    assert made.activate is not None
    shell = subprocess.run(
        ["bash", "-c", f"{made.activate.posix} && command -v python"], capture_output=True, text=True, check=True
    )
    assert shell.stdout.strip() == made.interpreter
    assert [item.current for item in seen if item.current][-1] is StepKind.PROVE
    assert seen[-1].packages_total == 3
    assert list((ground / "temporary").iterdir()) == []

    removal = remove_environment(user_places(), made.folder)

    assert removal.is_gone
    assert snapshot(ground) == before
    assert load_makings(user_places()) == ()


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
    (leftover,) = find_leftovers(user_places())
    assert leftover.folder == asked.folder
    removal = clean_leftover(user_places(), leftover)
    assert removal.is_gone
    assert removal.kept == ()
    assert snapshot(ground) == before
    assert find_leftovers(user_places()) == ()


def test_a_running_making_is_no_leftover(ground: Path, report: SystemReport) -> None:
    control = JobControl()
    seen: list[int] = []

    def look(progress: MakeProgress) -> None:
        if progress.current is StepKind.INSTALL and not control.is_cancelled:
            seen.append(len(find_leftovers(user_places())))
            control.cancel()

    make(plan(ground, report), report, control, look)

    assert seen == [0]


def test_a_wrong_hash_is_one_sentence_and_nothing_stays(ground: Path, report: SystemReport) -> None:
    lines = [
        f"{name}=={version} --hash=sha256:{'0' * 64}"
        for name, version in (("tensorflow", "2.21.0"), ("numpy", "1.26.4"), ("keras", "3.15.1"))
    ]
    lock = ground / "my lock.txt"
    lock.write_text("\n".join(lines), encoding="utf-8")
    before = snapshot(ground)

    ready = plan(ground, report, lock_file=str(lock))
    made = make(ready, report)

    assert ready.steps[1].command is not None
    assert "--require-hashes" in ready.steps[1].command.words
    assert made.outcome is MakeOutcome.FAILED
    assert "its hash differs" in english(made)
    assert made.failure is not None
    assert made.failure.step is StepKind.INSTALL
    assert snapshot(ground) == before
    assert made.log is not None
    assert "DO NOT MATCH THE HASHES" in Path(made.log).read_text(encoding="utf-8")


def test_a_right_lock_file_makes_the_same_environment_again(ground: Path, report: SystemReport) -> None:
    lock = ground / "requirements.lock"
    lock.write_text("keras==3.15.1\nnumpy==1.26.4\ntensorflow==2.21.0\n", encoding="utf-8")

    made = make(plan(ground, report, lock_file=str(lock)), report)

    assert made.outcome is MakeOutcome.CPU_PROVEN, english(made)
    assert made.lock_text == lock.read_text(encoding="utf-8")


def test_an_interpreter_that_vanished_is_one_sentence(ground: Path, report: SystemReport) -> None:
    link = ground / "python3"
    link.symlink_to(sys.executable)
    ready = plan(ground, report, python=str(link))
    link.unlink()
    before = snapshot(ground)

    made = make(ready, report)

    assert made.outcome is MakeOutcome.FAILED
    assert "is gone now" in english(made)
    assert snapshot(ground) == before


def test_a_package_that_is_not_there_is_one_sentence(ground: Path, report: SystemReport) -> None:
    (ground / "wheels" / "keras-3.15.1-py3-none-any.whl").unlink()
    before = snapshot(ground)

    made = make(plan(ground, report), report)

    assert made.outcome is MakeOutcome.FAILED
    assert "is not offered for this Python" in english(made)
    assert snapshot(ground) == before


def test_variables_that_would_break_it_are_taken_away_and_shown(
    ground: Path, report: SystemReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_TARGET", str(ground / "elsewhere"))
    monkeypatch.setenv("PIP_REQUIRE_VIRTUALENV", "1")
    monkeypatch.setenv("PYTHONHOME", "/nowhere")

    ready = plan(ground, report)
    made = make(ready, report)

    assert {item.name for item in ready.neutralised} == {"PIP_TARGET", "PIP_REQUIRE_VIRTUALENV", "PYTHONHOME"}
    command = ready.steps[1].command
    assert command is not None
    assert command.posix.startswith("env -u PYTHONHOME -u PIP_TARGET -u PIP_REQUIRE_VIRTUALENV ")
    assert made.packages.get("tensorflow") == "2.21.0", english(made)
    assert not (ground / "elsewhere").exists()


def test_a_hostile_name_is_a_name(ground: Path, report: SystemReport) -> None:
    made = make(plan(ground, report, folder='work/-rf $HOME `touch x` "q" ; ls/env'), report)

    assert made.outcome is MakeOutcome.CPU_PROVEN, english(made)
    assert not (ground / "x").exists()
    for step in made.plan.steps:
        assert step.command is not None
        told = subprocess.run(
            ["bash", "-c", f"set -- {step.command.posix}; printf '%s\\0' \"$@\""], capture_output=True, check=True
        )
        assert tuple(told.stdout.decode().split("\0")[:-1]) == step.command.words
    assert any(item.text.id == "environment.folder-awkward" for item in made.plan.checks)


def test_a_failed_proof_keeps_the_environment_and_says_so(
    ground: Path, report: SystemReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRETENDED", "gpus=0 import-aborts")

    made = make(plan(ground, report), report)

    assert made.outcome is MakeOutcome.NOT_PROVEN
    assert Path(made.interpreter).exists()
    assert made.compat is not None
    assert made.compat.outcome.value == "import_fails"
    assert [step.state for step in made.steps][-1] is StepState.FAILED


def test_a_gpu_that_computes_is_proven(ground: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRETENDED", "gpus=1")
    recorded = load_machine(root / "tests" / "machines" / "healthy-1x4090").report
    machine = replace(recorded, recorded_from=None)
    (ground / "wheels" / "tensorflow-2.21.0-py3-none-any.whl").unlink()
    write_wheelhouse(ground / "wheels")
    ready = plan_environment(user_places(), machine, order(ground))

    made = make(ready, machine)

    assert ready.goal is PlanGoal.GPU
    assert ready.requirements == ("tensorflow[and-cuda]==2.21.0",)
    assert made.outcome is MakeOutcome.PROVEN, english(made)


@pytest.mark.parametrize(
    ("prepare", "words"),
    [
        (lambda folder: (folder.mkdir(), (folder / "x").write_text("x")), "is not empty"),
        (lambda folder: (folder.mkdir(), (folder / "pyvenv.cfg").write_text("x")), "already is an environment"),
        (lambda folder: folder.write_text("x"), "is a file"),
        (lambda folder: folder.symlink_to("/nowhere/at/all"), "leads nowhere"),
    ],
)
def test_what_is_there_is_never_touched(
    prepare: Callable[[Path], object], words: str, ground: Path, report: SystemReport
) -> None:
    prepare(ground / "work" / "there")
    before = snapshot(ground)

    ready = plan(ground, report, folder="work/there")

    (check,) = [item for item in ready.checks if item.kind is CheckKind.FOLDER]
    assert words in load_texts().render(check.text, Language.ENGLISH)
    with pytest.raises(UsageError) as raised:
        make(ready, report)
    assert raised.value.message == check.text
    assert snapshot(ground) == before


def test_a_folder_filled_after_the_plan_was_made_is_refused(ground: Path, report: SystemReport) -> None:
    ready = plan(ground, report, folder="work/late")
    (ground / "work" / "late").mkdir()
    (ground / "work" / "late" / "mine").write_text("mine", encoding="utf-8")
    before = snapshot(ground)

    with pytest.raises(UsageError):
        make(ready, report)

    assert snapshot(ground) == before
    assert load_makings(user_places()) == ()


def test_only_what_was_made_here_is_removed(ground: Path) -> None:
    foreign = ground / "work" / "foreign"
    (foreign / "bin").mkdir(parents=True)
    (foreign / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")

    with pytest.raises(UsageError):
        remove_environment(user_places(), str(foreign))

    assert (foreign / "bin").is_dir()
