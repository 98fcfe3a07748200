"""``gpuconfig env``: plans for recorded machines, with every command checked, and real makings from start to end."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpuconfig_app.cli.main import main
from gpuconfig_app.cli.output import ExitCode
from gpuconfig_app.runner.environment_removal import identity_of
from gpuconfig_app.storage.makings import Making, save_making
from gpuconfig_app.storage.places import user_places
from tests.source_files import ROOT
from tests.unit.runner.tiny_wheels import write_wheelhouse

FOLDER = "/srv/it's new/env"
PYTHON = "'/srv/it'\"'\"'s new/env/bin/python'"
CUDA = f"{PYTHON} -m pip install 'tensorflow[and-cuda]=="
# Machine, exit code, goal, the installation as it is typed, further words that must be said.
MACHINES = (
    ("training-2x4090", 0, "gpu", f"{CUDA}2.21.0'", "525.60.13"),
    ("8xh100", 0, "gpu", f"{CUDA}2.21.0'", "first start"),
    ("laptop-hybrid-asleep", 0, "gpu", f"{CUDA}2.21.0'", "Driver"),
    ("wsl2", 0, "gpu", f"{CUDA}2.21.0'", "Driver"),
    ("v100-new-cudnn", 0, "gpu", f"{CUDA}2.19.1'", "Driver"),
    ("centos7-old-glibc", 0, "gpu", f"{CUDA}2.20.0'", "Driver"),
    ("driver-too-old", 0, "gpu", f"{CUDA}2.14.1' 'numpy<2'", "NumPy 1"),
    ("rtx5090-stock-wheels", 1, "gpu_to_be_proven", f"{CUDA}2.21.0'", "XLA must stay off"),
    ("card-without-driver", 1, "cpu_only", f"{CUDA}2.21.0'", "once that is mended"),
    ("no-gpu", 1, "cpu_only", f"{PYTHON} -m pip install tensorflow==2.21.0", "slowly"),
    ("gb10-dgx-spark", 1, "cpu_only", f"{PYTHON} -m pip install tensorflow==2.21.0", "See where it goes on"),
    ("python-too-new", 0, "gpu", f"uv pip install --python {PYTHON} 'tensorflow[and-cuda]==2.21.0'", "uv brings one"),
    ("cpu-without-avx", 2, "impossible", None, "AVX"),
)


def named(root: Path, name: str) -> str:
    places = [root / "tests" / "machines" / name, root / "resources" / "machines" / name]
    return str(next(place for place in places if place.exists()))


@pytest.mark.parametrize(("name", "code", "goal", "install", "words"), MACHINES, ids=[row[0] for row in MACHINES])
def test_the_plan_for_a_recorded_machine(
    name: str, code: int, goal: str, install: str | None, words: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["env", "create", FOLDER, "--dry-run", "--machine", named(root, name)]

    assert main(given, lambda: None) == code
    shown = capsys.readouterr().out
    assert main([*given, "--json"], lambda: None) == code
    document = json.loads(capsys.readouterr().out)

    assert words in shown
    assert document["schema"] == 1
    assert document["goal"] == goal
    assert document["can_start"] is False
    assert {"en", "zh_cn"} <= document["headline"].keys()
    steps = {step["kind"]: step["command"] for step in document["steps"]}
    if install is None:
        assert steps == {}
        return
    assert steps["install"]["posix"] == install
    assert f"$ {install}" in shown
    for command in steps.values():
        words_read = shlex.split(command["posix"])
        assert words_read[-len(command["words"]) :] == command["words"]
    assert steps["make"]["words"][-1] == FOLDER
    assert steps["prove"]["words"] == ["gpuconfig", "check", "--prove", "--python", f"{FOLDER}/bin/python"]


def test_a_pin_for_an_old_card_is_in_the_command_with_its_reason(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine = named(root, "v100-new-cudnn")

    main(["env", "create", FOLDER, "--dry-run", "--machine", machine, "--tensorflow", "2.21"], lambda: None)

    shown = capsys.readouterr().out
    assert f"{CUDA}2.21.0' nvidia-cudnn-cu12==9.10.2.21" in shown
    assert "no code for" in shown


def test_native_windows_gets_the_processor_in_powershell_and_the_way_to_wsl(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["env", "create", "C:\\my tf", "--dry-run", "--machine", named(root, "windows-native")]

    assert main(given, lambda: None) == ExitCode.RESERVATIONS

    shown = capsys.readouterr().out
    assert "PS> & 'C:\\my tf\\Scripts\\python.exe' -m pip install tensorflow==2.21.0" in shown
    assert "wsl --install -d Ubuntu-24.04" in shown
    assert "and-cuda" not in shown


def test_a_password_is_never_shown(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = "https://anna:s3cret@example.org/simple"
    given = ["env", "create", FOLDER, "--dry-run", "--machine", named(root, "no-gpu"), "--index-url", address]

    for more in ([], ["--json"]):
        main([*given, *more], lambda: None)
        shown = capsys.readouterr()
        assert "s3cret" not in shown.out + shown.err
        assert "****@example.org" in shown.out


@pytest.mark.parametrize(
    "given",
    [
        ["env"],
        ["env", "create"],
        ["env", "create", "/x", "--machine", "none", "--dry-run"],
        ["env", "create", "/x", "--machine", "no-gpu"],
        ["env", "create", "/x", "--tensorflow", "99", "--dry-run", "--machine", "no-gpu"],
        ["env", "remove", "/nowhere/at/all"],
    ],
)
def test_what_cannot_be_meant_is_one_sentence(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(given, lambda: None) == ExitCode.USAGE
    assert capsys.readouterr().err.startswith("gpuconfig: ")


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for environments whose packages come from small wheels."""
    write_wheelhouse(tmp_path / "wheels")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("PRETENDED", "gpus=0")
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    return tmp_path


def create(ground: Path, *more: str) -> list[str]:
    folder, wheels = str(ground / "new" / "env"), str(ground / "wheels")
    given = ["--python", sys.executable, "--wheelhouse", wheels, "--tensorflow", "2.21.0"]
    return ["env", "create", folder, *given, *more]


def test_made_shown_and_removed(ground: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(create(ground), lambda: None)

    shown = capsys.readouterr().out
    assert code == ExitCode.RESERVATIONS, shown
    assert shown.index("1. Make the folder") < shown.index("> Make the folder") < shown.index("> Prove it")
    assert "Successfully installed" in shown
    assert "No GPU took part" in shown
    assert main(["env", "leftovers"], lambda: None) == ExitCode.GOOD
    assert main(["env", "leftovers", "--clean"], lambda: None) == ExitCode.GOOD
    assert capsys.readouterr().out.count("Nothing is left") == 2
    assert main(["env", "remove", str(ground / "new" / "env")], lambda: None) == ExitCode.GOOD
    assert not (ground / "new").exists()


def test_a_folder_in_use_is_refused_with_the_plan(ground: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (ground / "new" / "env").mkdir(parents=True)
    (ground / "new" / "env" / "mine").write_text("mine", encoding="utf-8")

    assert main(create(ground), lambda: None) == ExitCode.BLOCKED
    assert "x Folder:" in capsys.readouterr().out
    assert (ground / "new" / "env" / "mine").exists()


def test_what_a_killed_making_left_is_shown_and_removed(ground: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ground / "cut off"
    (folder / "bin").mkdir(parents=True)
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    device, inode = identity_of(folder) or (None, None)
    save_making(user_places(), Making(id="1", folder=str(folder), folder_device=device, folder_inode=inode))

    assert main(["env", "leftovers"], lambda: None) == ExitCode.RESERVATIONS
    assert str(folder) in capsys.readouterr().out
    assert main(["env", "leftovers", "--clean"], lambda: None) == ExitCode.RESERVATIONS
    assert "mine.txt" in capsys.readouterr().out
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    assert main(["env", "leftovers", "--json"], lambda: None) == ExitCode.GOOD
    assert json.loads(capsys.readouterr().out) == {"schema": 1, "leftovers": []}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ended_from_outside_it_cleans_up(number: signal.Signals, ground: Path) -> None:
    log = ground / "said"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "gpuconfig_app", *create(ground)], cwd=ROOT, stdout=out, stderr=out
        )
        end = time.monotonic() + 60
        while b"> Install" not in log.read_bytes() and time.monotonic() < end:
            assert process.poll() is None, log.read_text(encoding="utf-8")
        process.send_signal(number)
        code = process.wait(timeout=60)

    assert code == 130, log.read_text(encoding="utf-8")
    assert "nothing is left" in log.read_text(encoding="utf-8")
    assert sorted(path.name for path in ground.iterdir()) == ["said", "wheels"]
