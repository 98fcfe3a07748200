"""Environments that are really made: by real venv and pip, from small wheels, to the proof and back again.

The property that matters most is compared on the disk: whatever ends a making, afterwards everything is as it was.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.environment_made import MakeOutcome, MakeProgress, StepState
from gpuconfig_app.core.environment_plan import CheckKind, PlanGoal, StepKind
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.messages import Language
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.storage.makings import load_makings
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.workbench.make_environment import (
    plan_environment,
    remove_environment,
)
from gpuconfig_app.workbench.text import load_texts
from tests.unit.runner.tiny_wheels import write_wheelhouse
from tests.unit.workbench.makings import english, make, order, plan, snapshot


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
    names = ("keras-3.15.1", "numpy-1.26.4", "tensorflow-2.21.0")
    wheels = {name: ground / "wheels" / f"{name}-py3-none-any.whl" for name in names}
    hashes = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in wheels.items()}
    lines = [f"{name.replace('-', '==')} --hash=sha256:{digest}" for name, digest in hashes.items()]
    lock.write_text("\n".join(lines), encoding="utf-8")

    ready = plan(ground, report, lock_file=str(lock))
    made = make(ready, report)

    assert ready.steps[1].command is not None
    assert "--require-hashes" in ready.steps[1].command.words
    assert made.outcome is MakeOutcome.CPU_PROVEN, english(made)
    assert made.lock_text.splitlines() == [name.replace("-", "==") for name in names]


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
    ready = plan(ground, report)
    (ground / "wheels" / "keras-3.15.1-py3-none-any.whl").unlink()
    before = snapshot(ground)

    made = make(ready, report)

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


def test_a_link_to_an_empty_folder_means_that_folder(ground: Path, report: SystemReport) -> None:
    (ground / "work" / "real").mkdir()
    (ground / "work" / "link").symlink_to(ground / "work" / "real")

    ready = plan(ground, report, folder="work/link")

    assert ready.order.folder == str(ground / "work" / "real")
    assert ready.can_start


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
