"""One rule for the environment that is looked at."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport, Confidence, Outcome, Verdict
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.workbench import environment_choice
from gpuconfig_app.workbench.environment_choice import choose_environment, environment_at
from tests.unit.hardware.pythons import make_venv


def environment(name: str, tensorflow: str | None = None, **more: object) -> PythonEnvironment:
    packages = {"tensorflow": tensorflow} if tensorflow else {}
    return PythonEnvironment(executable=f"/envs/{name}/bin/python", prefix=f"/envs/{name}", packages=packages, **more)


def judge_by(verdicts: dict[str, Verdict]):
    def judge(item: PythonEnvironment) -> CompatReport:
        verdict = verdicts[item.prefix.rsplit("/", 1)[-1]]
        return CompatReport(verdict=verdict, outcome=Outcome.UNKNOWN, confidence=Confidence.HIGH)

    return judge


def never(item: PythonEnvironment) -> CompatReport:
    raise AssertionError(f"{item.prefix} need not be judged")


def test_asked_for_comes_first_and_may_be_a_folder():
    report = SystemReport(environments=(environment("a", is_current=True), environment("b")))

    chosen = choose_environment(report, never, wanted="/envs/b/", stored="/envs/a")

    assert chosen is not None
    assert chosen.prefix == "/envs/b"


def test_asked_for_but_not_there_is_an_error():
    with pytest.raises(UsageError):
        choose_environment(SystemReport(environments=(environment("a"),)), never, wanted="/envs/gone")


def test_stored_choice_comes_before_the_active_one():
    report = SystemReport(environments=(environment("a", is_current=True), environment("b")))

    assert choose_environment(report, never, stored="/envs/b/bin/python").prefix == "/envs/b"


def test_stored_choice_that_is_gone_is_left():
    report = SystemReport(environments=(environment("a", is_current=True), environment("b")))

    assert choose_environment(report, never, stored="/envs/gone").prefix == "/envs/a"


def test_best_verdict_decides_when_nothing_is_active():
    report = SystemReport(
        environments=(environment("none"), environment("cpu", "2.17.0"), environment("gpu", "2.21.0"))
    )
    judge = judge_by({"cpu": Verdict.CPU_ONLY, "gpu": Verdict.READY})

    assert choose_environment(report, judge).prefix == "/envs/gpu"


def test_broken_environment_is_never_chosen():
    broken = environment("broken", "2.21.0", problem=Message("core.file-missing", {"path": "x"}), is_current=True)

    assert choose_environment(SystemReport(environments=(broken,)), never) is None


def test_frozen_program_never_takes_its_own_interpreter(monkeypatch):
    monkeypatch.setattr(environment_choice, "is_frozen", lambda: True)
    monkeypatch.setattr(environment_choice.sys, "executable", "/envs/own/bin/python")
    report = SystemReport(environments=(environment("own", "2.21.0", is_current=True), environment("user")))

    assert choose_environment(report, never).prefix == "/envs/user"


@pytest.mark.parametrize("path", ["tf/bin/python", "tf", "./tf/", "link/bin/python", "link"])
def test_environment_of_this_folder_is_found_by_a_short_path(tmp_path, monkeypatch, path):
    make_venv(tmp_path / "tf")
    (tmp_path / "link").symlink_to(tmp_path / "tf")
    monkeypatch.chdir(tmp_path)

    found = environment_at(path)

    assert found is not None
    assert found.tensorflow_version == "2.21.0"
