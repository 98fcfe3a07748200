"""``gpuconfig check`` with targets and ways on: what is printed, what scripts get, which exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpuconfig_app.cli.main import main
from gpuconfig_app.cli.output import ExitCode
from tests.unit.runner.test_proof_place import IMAGE, docker
from tests.unit.stand_ins import Answer

MACHINES = Path(__file__).resolve().parents[2] / "machines"


@pytest.fixture
def run(capsys):
    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments, lambda: None)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def test_ways_stand_below_the_verdict_with_the_next_thing_to_type(run):
    code, out, _ = run("check", "--machine", "windows-native")

    assert code == ExitCode.BLOCKED
    ways = out.split("Ways on:")[1]
    assert "1. WSL2: Linux inside Windows (known to work)" in ways
    assert "3 of 8 steps done" in ways
    assert "[needs a restart] Windows part for WSL2" in ways
    assert "shutdown /r /t 0" in ways
    assert "wsl --install" not in ways  # not the turn of that yet
    assert "Will not help: Editing PATH" in ways


def test_scripts_get_ways_with_both_languages(run):
    _, out, _ = run("check", "--machine", "rtx5090-stock-wheels", "--json")

    ways = json.loads(out)["ways_on"]
    assert [way["id"] for way in ways["ways"]] == ["container", "try-221", "other-card"]
    assert ways["ways"][0]["next_step"] == "toolkit"
    step = ways["ways"][0]["steps"][0]
    assert (step["id"], step["state"], step["found"]["params"]["version"]) == ("driver", "done", "580.126.09")
    assert step["name"]["zh_cn"] == "NVIDIA 驱动"


@pytest.mark.parametrize("arguments", [("--machine", "training-2x4090"), ("--machine", "none", "--assume", "os=linux")])
def test_where_there_are_none_the_key_is_null(run, arguments):
    _, out, _ = run("check", *arguments, "--json")

    assert json.loads(out)["ways_on"] is None


def test_a_python_in_wsl_is_judged_as_seen_from_there(run):
    code, out, _ = run(
        "check", "--machine", str(MACHINES / "windows-with-wsl"), "--python", "wsl:Ubuntu-22.04", "--json"
    )

    report = json.loads(out)
    assert code == ExitCode.GOOD
    assert (report["verdict"], report["python"]) == ("ready", "wsl:Ubuntu-22.04:~/tensorflow/bin/python")
    assert report["ways_on"] is None


@pytest.mark.parametrize("name", ["wsl:", "docker:", "wsl:Ubuntu"])
def test_a_name_that_leads_nowhere_is_one_sentence(run, name):
    code, out, err = run("check", "--machine", "training-2x4090", "--python", name)

    assert code == ExitCode.USAGE
    assert out == ""
    assert len(err.strip().splitlines()) == 1


def test_help_names_the_targets(run, capsys):
    with pytest.raises(SystemExit):
        main(("check", "--help"), lambda: None)

    shown = " ".join(capsys.readouterr().out.split())
    assert "wsl:DISTRIBUTION" in shown
    assert "docker:IMAGE" in shown


def test_a_container_is_proven(run, tmp_path, monkeypatch):
    program = docker(tmp_path, "gpus=1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    _, out, err = run("check", "--prove", "--python", f"docker:{IMAGE}", "--json")

    report = json.loads(out)
    assert report["proof"]["result"] == "proven", err
    assert report["python"] == f"docker:{IMAGE}"
    assert [call[0] for call in program.calls].count("run") == 2


def test_a_container_that_does_not_start_is_a_finding_with_a_fix(run, tmp_path, monkeypatch):
    words = "docker: Error response from daemon: No such image: x\n"
    docker(tmp_path, "", Answer(err=words, code=125))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    code, out, _ = run("check", "--prove", "--python", f"docker:{IMAGE}")

    assert code == ExitCode.BLOCKED
    assert "CONTAINER_IMAGE_MISSING" in out
    assert f"docker pull {IMAGE}" in out


def test_survey_lists_what_is_beside_the_machine(run):
    code, out, _ = run("survey", "--machine", str(MACHINES / "windows-with-wsl"))

    assert code == ExitCode.GOOD
    assert "WSL2 · Ubuntu-22.04 *" in out
    assert "Debian does not run" in out


def test_survey_asks_engines_of_this_machine(run, tmp_path, monkeypatch):
    docker(tmp_path, "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    _, out, _ = run("survey", "--json")

    assert json.loads(out)["targets"]["engines"][0]["name"] == "docker"
