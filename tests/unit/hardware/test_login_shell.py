from __future__ import annotations

import os
import shutil

import pytest

from gpuconfig_app.command import CommandResult, run_command
from gpuconfig_app.hardware.login_shell import (
    ASKING_VARIABLE,
    ask_login_shell,
    is_started_from_desktop,
    parse_environment,
    read_user_variables,
)
from tests.unit.hardware.layouts import FakeCommands

MARK = "--gpuconfig-environment--"
DESKTOP = {"SHELL": "/bin/bash", "DISPLAY": ":0", "HOME": "/home/user", "PATH": "/usr/bin"}


def test_desktop_start_takes_the_shells_variables():
    run = FakeCommands(
        {"bash": f"Welcome!\n{MARK}HOME=/home/user\0LD_LIBRARY_PATH=/opt/cuda\0A=x=y\nz\0SHLVL=1\0{MARK}bye"}
    )

    found = read_user_variables(base=DESKTOP, run=run)

    assert found.origin == "login_shell"
    assert found.values == {"HOME": "/home/user", "LD_LIBRARY_PATH": "/opt/cuda", "A": "x=y\nz"}
    assert found.problem is None
    assert run.asked[0][:2] == ["/bin/bash", "-ilc"]
    assert run.environments[0][ASKING_VARIABLE] == "1"


def test_terminal_start_asks_no_shell():
    run = FakeCommands({"bash": "unused"})

    found = read_user_variables(base=DESKTOP | {"TERM": "xterm-256color"}, run=run)

    assert found.origin == "process"
    assert run.asked == []


@pytest.mark.parametrize(
    "answer",
    [
        CommandResult(None, f"{MARK}A=1\0{MARK}", "", timed_out=True),
        CommandResult(1, "", "broken .bashrc"),
        CommandResult(0, f"{MARK}{MARK}", ""),
    ],
)
def test_shell_that_hangs_or_breaks_leaves_own_variables_and_says_so(answer):
    found = read_user_variables(base=DESKTOP, run=FakeCommands({"bash": answer}))

    assert found.origin == "process"
    assert found.values == DESKTOP
    assert found.problem is not None


@pytest.mark.parametrize("shell", ["/bin/tcsh", "", "/opt/evil"])
def test_unknown_shell_is_not_started(shell):
    run = FakeCommands({"tcsh": "x", "evil": "x"})

    found = read_user_variables(base=DESKTOP | {"SHELL": shell}, run=run)

    assert run.asked == []
    assert found.problem is not None


@pytest.mark.parametrize(
    ("variables", "platform", "answer"),
    [
        ({"GIO_LAUNCHED_DESKTOP_FILE_PID": "77", "TERM": "xterm"}, "linux", True),
        ({"GIO_LAUNCHED_DESKTOP_FILE_PID": "76", "TERM": "xterm"}, "linux", False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "linux", False),
        ({}, "darwin", True),
        ({"DISPLAY": ":0"}, "win32", False),
    ],
)
def test_start_from_the_desktop_is_told(variables, platform, answer):
    assert is_started_from_desktop(variables, platform=platform, process_id=77) is answer


def test_text_that_repeats_the_mark_before_the_variables_does_no_harm():
    assert parse_environment(f"{MARK}\n{MARK}A=1\0{MARK}", {}) == {"A": "1"}


@pytest.mark.parametrize("shell", [path for name in ("bash", "dash", "zsh", "fish") if (path := shutil.which(name))])
def test_real_shell_tells_exports_of_its_files(tmp_path, shell):
    """Exports behind the interactive guard of .bashrc are seen, as a terminal sees them."""
    guard = "case $- in *i*) ;; *) return;; esac\necho noise\nexport FROM_SHELL_FILE='a b'\n"
    for name in (".bashrc", ".zshrc", ".shinit"):
        (tmp_path / name).write_text(guard)
    (tmp_path / ".bash_profile").write_text(". ~/.bashrc\n")
    (tmp_path / ".config/fish").mkdir(parents=True)
    (tmp_path / ".config/fish/config.fish").write_text("echo noise\nset -gx FROM_SHELL_FILE 'a b'\n")
    base = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "ENV": str(tmp_path / ".shinit"), "OWN": "kept"}

    found = ask_login_shell(shell, base, run_command)

    assert found is not None
    assert found["FROM_SHELL_FILE"] == "a b"
    assert found["OWN"] == "kept"
    assert ASKING_VARIABLE not in found
