"""A shown command read by a shell gives exactly the words that are run."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from gpuconfig_app.core.shell_quoting import POSIX, POWERSHELL, command_text, quote_word

HOSTILE = (
    "plain", "with space", "it's", 'say "hi"', "$HOME", "${HOME}", "$(touch x)", "`touch x`", "a;b", "a&&b", "a|b",
    "a>b", "*", "?", "[and-cuda]", "tensorflow[and-cuda]==2.21.0", "numpy<2", "!history", "#comment", "~", "~root",
    "line\nbreak", "tab\tstop", "back\\slash", "ends\\", "中文 路径", "-leading", "--", "", "=ls", "A=b", "%PATH%",
    "{a,b}", "^caret", "\u2019typographic\u2018", "'", "''", "a'b\"c$d`e\\f", "\u202eright to left", "3.10",
    "@args", "--%",
)  # fmt: skip
SHELLS = [name for name in ("bash", "dash", "sh", "zsh", "ksh") if shutil.which(name)]
SHOW = "import sys, os; sys.stdout.buffer.write('\\0'.join(sys.argv[1:]).encode())"


def read_by(shell: str, text: str, **variables: str) -> list[str]:
    """Give the words the shell made of a command."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/home/anna o'neil", "LC_ALL": "C.UTF-8", **variables}
    done = subprocess.run([shell, "-c", text], env=environment, capture_output=True, check=True, timeout=30)
    return done.stdout.decode().split("\0")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_posix_shell_reads_back_every_hostile_word(shell: str) -> None:
    text = command_text([sys.executable, "-c", SHOW, *HOSTILE], POSIX)

    assert read_by(shell, text) == list(HOSTILE)


@pytest.mark.parametrize("shell", SHELLS)
def test_what_lies_in_the_home_folder_is_written_short_and_still_means_it(shell: str) -> None:
    home = "/home/anna o'neil"
    text = command_text([sys.executable, "-c", SHOW, f"{home}/my $env/.venv", home, f"{home}x/y"], POSIX, home=home)

    assert "~/'my $env/.venv'" in text
    assert read_by(shell, text) == [f"{home}/my $env/.venv", home, f"{home}x/y"]


@pytest.mark.parametrize("shell", SHELLS)
def test_variables_are_taken_away_and_given_for_the_one_command(shell: str) -> None:
    show = "import os; print(os.environ.get('PYTHONPATH'), os.environ.get('UV_X'), end='')"
    text = command_text([sys.executable, "-c", show], POSIX, unset=["PYTHONPATH"], set={"UV_X": "it's $HOME"})

    assert read_by(shell, text, PYTHONPATH="/somewhere") == ["None it's $HOME"]


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("plain", "plain"),
        ("C:\\Users\\anna\\tf\\Scripts\\python.exe", "C:\\Users\\anna\\tf\\Scripts\\python.exe"),
        ("--no-index", "--no-index"),
        ("", "''"),
        ("with space", "'with space'"),
        ("it's", "'it''s'"),
        ("it\u2019s", "'it\u2019\u2019s'"),
        ("$env:HOME", "'$env:HOME'"),
        ("`n", "'`n'"),
        ('say "hi"', "'say \"hi\"'"),
        ("tensorflow[and-cuda]==2.21.0", "'tensorflow[and-cuda]==2.21.0'"),
        ("numpy<2", "'numpy<2'"),
        ("a;b", "'a;b'"),
        ("a,b", "'a,b'"),
        ("@args", "'@args'"),
        ("--%", "'--%'"),
        ("3.10", "'3.10'"),
        ("-a.b", "'-a.b'"),
        ("#x", "'#x'"),
        ("中文", "'中文'"),
        ("line\nbreak", "'line\nbreak'"),
        ("%PATH%", "'%PATH%'"),
    ],
)
def test_powershell_gets_a_literal_string_wherever_it_would_read_something_into_a_word(word: str, written: str) -> None:
    assert quote_word(word, POWERSHELL) == written


def test_powershell_calls_a_quoted_program_and_sets_variables_in_lines_of_their_own() -> None:
    text = command_text(
        ["C:\\Program Files\\uv.exe", "pip", "install"], POWERSHELL, unset=["PIP_USER"], set={"UV_X": "it's"}
    )

    assert text == (
        "Remove-Item Env:PIP_USER -ErrorAction Ignore; $env:UV_X = 'it''s'; & 'C:\\Program Files\\uv.exe' pip install"
    )


@pytest.mark.parametrize("shell", [POSIX, POWERSHELL])
def test_what_no_program_can_be_given_is_refused(shell: str) -> None:
    with pytest.raises(ValueError, match="NUL"):
        quote_word("a\0b", shell)
    with pytest.raises(ValueError, match="variable"):
        command_text(["ls"], shell, unset=["X; rm -rf /"])
