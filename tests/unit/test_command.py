"""The one door to outside programs: nothing outlives its time, nothing of ours reaches the child."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from gpuconfig_app import command
from gpuconfig_app.command import (
    decode_output,
    end_process_tree,
    parsing_environment,
    run_command,
    start_process,
    user_environment,
)
from gpuconfig_app.core.errors import CommandError
from tests.fakes import write_program

# A child that starts a grandchild, writes both pids to the file it is given, and stays.
FAMILY = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session={leaves})
with open(sys.argv[1] + ".part", "w") as file:
    file.write(str(os.getpid()) + " " + str(child.pid))
os.replace(sys.argv[1] + ".part", sys.argv[1])
time.sleep(600)
"""


def test_output_and_exit_code_are_given() -> None:
    result = _python("import sys; print('out 训练'); print('err', file=sys.stderr); sys.exit(3)")

    assert (result.stdout, result.stderr, result.exit_code) == ("out 训练\n", "err\n", 3)
    assert not result.is_good
    assert not result.timed_out


def test_a_good_end_is_seen() -> None:
    assert _python("").is_good


def test_arguments_are_never_read_by_a_shell(tmp_path) -> None:
    nasty = f'$(touch "{tmp_path}/x"); `touch {tmp_path}/x` && "quoted" \n 中文'

    result = run_command([sys.executable, "-c", "import sys; print(ascii(sys.argv[1]))", nasty], time_limit_s=60)

    assert result.stdout.strip() == ascii(nasty)
    assert list(tmp_path.iterdir()) == []


def test_there_is_nothing_to_read_from_stdin() -> None:
    assert _python("import sys; print(repr(sys.stdin.read()))").stdout == "''\n"


def test_what_is_given_is_read_from_stdin() -> None:
    code = "import sys; print(sys.stdin.read().upper(), end='')"

    result = run_command([sys.executable, "-X", "utf8", "-c", code], time_limit_s=60, stdin_text="a 训练\n" * 50_000)

    assert result.stdout == "A 训练\n" * 50_000


def test_more_output_than_a_pipe_holds_does_not_block() -> None:
    result = _python("import sys; sys.stderr.write('e' * 300_000); sys.stdout.write('o' * 300_000)")

    assert (len(result.stdout), len(result.stderr)) == (300_000, 300_000)


def test_the_time_limit_ends_the_whole_tree(tmp_path) -> None:
    program = write_program(tmp_path, "family", FAMILY.format(leaves=False))

    result = run_command([program, tmp_path / "pids"], time_limit_s=3)

    assert result.timed_out
    assert result.exit_code is None
    assert _alive(tmp_path / "pids") == []


def test_the_time_limit_holds_although_a_grandchild_keeps_the_pipe_and_left_the_group(tmp_path) -> None:
    program = write_program(tmp_path, "family", FAMILY.format(leaves=True))
    before = time.monotonic()

    result = run_command([program, tmp_path / "pids"], time_limit_s=3)

    assert result.timed_out
    assert time.monotonic() - before < 30
    assert _alive(tmp_path / "pids") == []


@pytest.mark.parametrize("leaves", [False, True])
def test_a_tree_is_ended_politely_first(tmp_path, leaves) -> None:
    program = write_program(tmp_path, "family", FAMILY.format(leaves=leaves))
    process = start_process([program, tmp_path / "pids"])
    _wait_for(tmp_path / "pids", process)

    end_process_tree(process.pid, grace_s=5)

    assert process.wait(10) != 0
    assert _alive(tmp_path / "pids") == []


@pytest.mark.parametrize("grace_s", [0.0, 0.2])
def test_what_does_not_listen_is_ended_by_force(tmp_path, grace_s) -> None:
    deaf = (
        "import pathlib, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "pathlib.Path(sys.argv[1]).write_text('ready')\n"
        "time.sleep(600)\n"
    )
    process = start_process([write_program(tmp_path, "deaf", deaf), tmp_path / "ready"])
    _wait_for(tmp_path / "ready", process)

    end_process_tree(process.pid, grace_s=grace_s)

    assert process.wait(10) != 0


def test_ending_what_is_gone_is_fine() -> None:
    process = start_process([sys.executable, "-c", ""])
    process.wait(60)

    end_process_tree(process.pid, grace_s=0)


@pytest.mark.parametrize("program", ["no-such-program-anywhere", "/", "with\0zero"])
def test_what_cannot_be_started_is_a_sentence(program) -> None:
    with pytest.raises(CommandError) as caught:
        run_command([program], time_limit_s=5)

    assert caught.value.message.id == "core.cannot-start"


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path) -> None:
    with pytest.raises(CommandError):
        start_process([sys.executable, "-c", ""], cwd=tmp_path / "none")


def test_output_can_go_to_a_file(tmp_path) -> None:
    with (tmp_path / "log").open("wb") as log:
        process = start_process([sys.executable, "-c", "print('x')"], stdout=log.fileno(), stderr=subprocess.STDOUT)
        process.wait(60)

    assert (tmp_path / "log").read_text() == "x\n"


def test_what_is_parsed_comes_in_plain_english(monkeypatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.setenv("LANGUAGE", "zh_CN")

    assert _python("import os; print(os.environ['LC_ALL'], os.environ['LANGUAGE'])").stdout == "C C\n"
    assert user_environment()["LC_ALL"] == "zh_CN.UTF-8"
    assert parsing_environment()["LC_ALL"] == "C"


FROZEN = {
    "_PYI_APPLICATION_HOME_DIR": "/opt/gpuconfig/_internal",
    "_PYI_ARCHIVE_FILE": "x",
    "_MEIPASS2": "x",
    "PYSIDE6_OPTION_PYTHON_ENUM": "1",
    "QT_PLUGIN_PATH": "/opt/gpuconfig/_internal/PySide6/plugins",
    "QML2_IMPORT_PATH": "x",
    "LD_LIBRARY_PATH": "/opt/gpuconfig/_internal",
}
USERS = {"PATH": "/usr/bin", "CUDA_VISIBLE_DEVICES": "1", "PYTHONPATH": "/home/u/lib", "QT_QPA_PLATFORM": "xcb"}


def test_what_the_bundle_added_is_undone() -> None:
    assert user_environment(USERS | FROZEN) == USERS


def test_the_user_s_own_library_path_comes_back() -> None:
    environment = user_environment(USERS | FROZEN | {"LD_LIBRARY_PATH_ORIG": "/usr/local/cuda/lib64"})

    assert environment == USERS | {"LD_LIBRARY_PATH": "/usr/local/cuda/lib64"}


def test_outside_a_bundle_everything_stays() -> None:
    environment = USERS | {"LD_LIBRARY_PATH": "/usr/local/cuda/lib64", "QT_PLUGIN_PATH": "/usr/lib/qt6/plugins"}

    assert user_environment(environment) == environment


def test_a_bundle_knows_that_it_is_one(monkeypatch) -> None:
    for name, value in FROZEN.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(command.sys, "frozen", True, raising=False)

    result = _python(f"import os; print(sorted(name for name in os.environ if name in {sorted(FROZEN)!r}))")

    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", ""),
        (b"x", "x"),
        ("Ubuntu\r\n".encode("utf-16-le"), "Ubuntu\r\n"),
        ("默认 Ubuntu-24.04\r\n".encode("utf-16"), "默认 Ubuntu-24.04\r\n"),
        ("  NAME            STATE\r\n* Ubuntu          Running\r\n".encode("utf-16-le"), None),
        ("适用于的子系统没有已安装的分发版。\r\n".encode("utf-16-le"), None),
        ("训练".encode(), "训练"),
        (b"caf\xe9", "caf\ufffd"),
        (b"a\0b", "a\0b"),
    ],
)
def test_output_is_decoded_whatever_its_encoding(raw, text) -> None:
    assert decode_output(raw) == (raw.decode("utf-16-le") if text is None else text)


def test_what_interrupts_the_waiting_ends_the_program_too(tmp_path) -> None:
    pid = tmp_path / "pid"
    source = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(600)"

    def interrupt(*_: object) -> None:
        if not pid.exists() or not pid.read_text():
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            return
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_command([sys.executable, "-c", source], time_limit_s=60)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    assert _alive(pid) == []


def _python(code: str) -> command.CommandResult:
    environment = parsing_environment() | {"PYTHONIOENCODING": "utf-8"}
    return run_command([sys.executable, "-c", code], time_limit_s=60, environment=environment)


def _wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    while not path.exists():
        assert process.poll() is None, "it ended too early"
        os.sched_yield()


def _alive(pids: Path) -> list[int]:
    """Which of the processes are still there; those that wait for their parent to notice count as gone."""
    found = []
    for word in pids.read_text().split():
        try:
            if psutil.Process(int(word)).status() != psutil.STATUS_ZOMBIE:
                found.append(int(word))
        except psutil.NoSuchProcess:
            continue
    return found
