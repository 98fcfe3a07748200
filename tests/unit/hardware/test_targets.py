"""Targets put beside a machine, with stand-ins for all that is asked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target_facts import WslState
from gpuconfig_app.hardware import targets as targets_module
from gpuconfig_app.hardware.container_engines import EngineSources
from gpuconfig_app.hardware.targets import TargetOptions, TargetSources, with_targets, with_wsl
from gpuconfig_app.hardware.windows_facts import WindowsSources
from tests.unit.hardware.layouts import FakeCommands, lay_out
from tests.unit.hardware.test_container_engines import DOCKER, IMAGES
from tests.unit.hardware.test_wsl import STATUS, VERSION
from tests.unit.hardware.test_wsl_inside import VENV
from tests.unit.stand_ins import Answer, StandIn, put_on_path, windows_words

LISTED = (
    "  NAME      STATE      VERSION\n* Ubuntu    Running    2\n  Debian    Stopped    2\n  old       Stopped    1\n"
)
OWN = PythonEnvironment(executable="C:\\Python312\\python.exe", prefix="C:\\Python312")


def sources(tmp_path: Path, platform: str = "win32") -> TargetSources:
    return TargetSources(
        platform=platform,
        engines=EngineSources(root=tmp_path / "root", path=str(tmp_path / "bin")),
        windows=WindowsSources(home=tmp_path, values=lambda: {"CurrentBuildNumber": "22631"}, run=FakeCommands()),
    )


def wsl(tmp_path: Path, **more: Answer) -> StandIn:
    home = lay_out(tmp_path / "home" / "li", VENV)
    rows = {
        "-l -v": windows_words(LISTED),
        "--status": windows_words(STATUS),
        "--version": windows_words(VERSION),
        "--list --running --quiet": windows_words("Ubuntu\n"),
        "-d": Answer(runs=3, environment={"HOME": str(home)}),
    }
    return put_on_path(tmp_path / "bin", "wsl.exe", rows | more)


def test_distributions_stand_among_the_environments(tmp_path):
    wsl(tmp_path)

    report = with_targets(SystemReport(environments=(OWN,)), sources=sources(tmp_path))

    assert report.environments[0] == OWN
    inside = [item for item in report.environments if item.tensorflow_version == "2.21.0"]
    assert [item.target.distribution for item in inside] == ["Ubuntu"]
    assert set(report.hosts_inside) == {"Ubuntu"}
    assert report.targets.windows.build == 22631
    assert report.targets.distribution("debian").problem.id == "targets.distribution-stopped"


def test_asking_twice_does_not_double_anything(tmp_path):
    wsl(tmp_path)
    once = with_targets(SystemReport(environments=(OWN,)), sources=sources(tmp_path))

    assert with_targets(once, sources=sources(tmp_path)).environments == once.environments


def test_only_a_distribution_that_was_named_is_started(tmp_path):
    program = wsl(tmp_path)

    with_targets(SystemReport(), sources=sources(tmp_path))
    asked = [call[1] for call in program.calls if call[0] == "-d"]
    with_targets(SystemReport(), TargetOptions(start=frozenset({"DEBIAN"})), sources=sources(tmp_path))

    assert asked == ["Ubuntu"]
    assert sorted(call[1] for call in program.calls if call[0] == "-d") == ["Debian", "Ubuntu", "Ubuntu"]


def test_windows_without_wsl_exe(tmp_path):
    report = with_targets(SystemReport(), sources=sources(tmp_path))

    assert report.targets.wsl.state is WslState.ABSENT
    assert report.hosts_inside is None


def test_off_windows_wsl_is_not_asked(tmp_path):
    program = wsl(tmp_path)

    report = with_targets(SystemReport(), sources=sources(tmp_path, "linux"))

    assert report.targets.wsl is None
    assert report.targets.windows is None
    assert program.calls == []


def test_images_stand_among_the_environments(tmp_path):
    rows = {"info": Answer(out=json.dumps(DOCKER)), "images": Answer(out=IMAGES)}
    put_on_path(tmp_path / "bin", "docker", rows)

    report = with_targets(SystemReport(), sources=sources(tmp_path, "linux"))

    assert [item.executable for item in report.environments] == [
        "docker:nvcr.io/nvidia/tensorflow:25.02-tf2-py3",
        "docker:registry.corp.example:5000/team/tf-train:7",
        "docker:tensorflow/tensorflow:latest-gpu",
    ]
    assert all(item.tensorflow_version is None for item in report.environments)


def test_a_cancelled_look_ends(tmp_path):
    wsl(tmp_path)
    control = JobControl()
    control.cancel()

    with pytest.raises(JobCancelledError):
        with_targets(SystemReport(), control=control, sources=sources(tmp_path))


def test_the_survey_of_windows_brings_what_runs_in_wsl(tmp_path):
    program = wsl(tmp_path)

    report = with_wsl(lambda: SystemReport(environments=(OWN,)), sources=sources(tmp_path))

    assert report.environments[0] == OWN
    assert "Ubuntu" in report.hosts_inside
    assert report.targets.windows is None
    assert ["-d", "Debian", "--exec", "sh"] not in program.calls


def test_a_wsl_that_hangs_does_not_hold_up_the_survey(tmp_path, monkeypatch):
    monkeypatch.setattr(targets_module, "WSL_LIMIT_S", 0.2)
    monkeypatch.setattr("gpuconfig_app.hardware.wsl.LIST_LIMIT_S", 1.0)
    wsl(tmp_path, **{"-l -v": Answer(hangs=True)})

    report = with_wsl(lambda: SystemReport(environments=(OWN,)), sources=sources(tmp_path))

    assert report.environments == (OWN,)
    assert [note.id for note in report.notes] == ["targets.wsl-silent"]


def test_a_machine_without_wsl_is_surveyed_as_ever(tmp_path):
    report = replace(SystemReport(), environments=(OWN,))

    assert with_wsl(lambda: report, sources=sources(tmp_path, "linux")) is report
    assert with_wsl(lambda: report, sources=sources(tmp_path)) is report


def test_what_was_asked_just_now_is_not_asked_again(tmp_path):
    program = wsl(tmp_path)
    known = with_wsl(lambda: SystemReport(environments=(OWN,)), sources=sources(tmp_path))
    calls = len(program.calls)

    again = with_targets(known, TargetOptions(keeps_wsl=True), sources=sources(tmp_path))

    assert len(program.calls) == calls
    assert again.environments == known.environments
    assert again.hosts_inside == known.hosts_inside
    assert again.targets.windows.build == 22631
