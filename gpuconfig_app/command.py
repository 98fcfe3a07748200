"""The one door to outside programs: no shell, a time limit, the whole process tree, and the user's own environment.

Programs whose output is parsed run in locale C. What a frozen application added to the environment is undone; what the
user has set stays, because that is what we diagnose (design decision 4).
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message

if TYPE_CHECKING:
    import psutil

logger = logging.getLogger(__name__)

# Set by PyInstaller's boot loader and its PySide6 hook (seen with 6.22), and by an AppImage's runtime.
_FROZEN_PREFIXES = ("_PYI_", "_MEI", "PYSIDE6_")
_FROZEN_NAMES = ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH", "PYINSTALLER_RESET_ENVIRONMENT")
_RESTORED_NAMES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH")
STDOUT = subprocess.STDOUT
Process = subprocess.Popen
OUTPUT_LIMIT_BYTES = 64 * 1024**2


@dataclass(frozen=True)
class CommandResult:
    """What a program answered.

    Attributes:
        exit_code: None when it was ended by the time limit.
        stdout: Decoded leniently; UTF-16 (``wsl.exe``) is recognised.
        timed_out: The limit was reached and the process tree was ended.
    """

    exit_code: int | None
    stdout: str
    stderr: str
    timed_out: bool = False

    @property
    def is_good(self) -> bool:
        """Whether it ended by itself with exit code 0."""
        return self.exit_code == 0


def user_environment(base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Give the environment as the user had it before this program started.

    Args:
        base: Environment to clean; default the process's own.
    """
    environment = dict(os.environ if base is None else base)
    frozen = bool(getattr(sys, "frozen", False)) if base is None else "_PYI_APPLICATION_HOME_DIR" in environment
    for name in _RESTORED_NAMES:
        original = environment.pop(f"{name}_ORIG", None)
        if original is not None:
            environment[name] = original
        elif frozen:
            environment.pop(name, None)
    if frozen:
        for name in [key for key in environment if key.startswith(_FROZEN_PREFIXES) or key in _FROZEN_NAMES]:
            del environment[name]
    return environment


def parsing_environment() -> dict[str, str]:
    """Give the user's environment with messages in plain English, for output that is parsed."""
    return user_environment() | {"LC_ALL": "C", "LANGUAGE": "C"}


def start_process(
    arguments: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: int | None = subprocess.DEVNULL,
    stdout: int | None = subprocess.DEVNULL,
    stderr: int | None = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start a program as the leader of its own process group, so that its whole tree can be ended.

    Args:
        arguments: Program and its arguments; never a shell line.
        environment: Complete environment; default the user's own.
        stdout: File descriptor, ``subprocess.PIPE`` or ``DEVNULL``; the same for ``stdin`` and ``stderr``.

    Raises:
        CommandError: It can't be started (not there, not executable, bad folder).
    """
    words = [str(argument) for argument in arguments]
    try:
        return subprocess.Popen(  # never a shell, arguments stay separate
            words,
            cwd=cwd,
            env=dict(environment) if environment is not None else user_environment(),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
            | getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, ValueError) as error:
        raise CommandError(Message("core.cannot-start", {"program": words[0], "detail": str(error)})) from error


def run_command(
    arguments: Sequence[str | Path],
    *,
    time_limit_s: float,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin_text: str | None = None,
) -> CommandResult:
    """Run a program to its end and give what it printed.

    Args:
        time_limit_s: After this the whole process tree is ended.
        stdin_text: What it reads from its input; None gives it none.
        environment: Default ``parsing_environment()``.

    Raises:
        CommandError: It can't be started.
    """
    process = start_process(
        arguments,
        cwd=cwd,
        environment=parsing_environment() if environment is None else environment,
        stdin=subprocess.DEVNULL if stdin_text is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        given = stdin_text.encode("utf-8") if stdin_text is not None else None
        out, err = process.communicate(given, timeout=time_limit_s)
    except subprocess.TimeoutExpired:
        end_process_tree(process.pid, grace_s=0.0)
        try:
            out, err = process.communicate(timeout=2.0)
        except subprocess.TimeoutExpired:  # a grandchild that left the group still holds the pipe
            out, err = b"", b""
        logger.warning("%s did not answer within %s s", arguments[0], time_limit_s)
        return CommandResult(None, decode_output(out), decode_output(err), timed_out=True)
    except BaseException:  # Ctrl-C: it does not reach the program, which has a group of its own
        end_process_tree(process.pid, grace_s=0.0)
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        raise
    return CommandResult(process.returncode, decode_output(out), decode_output(err))


def end_process_tree(pid: int, *, grace_s: float = 5.0) -> None:
    """End a process and everything it started: first politely, after ``grace_s`` by force.

    Children that left the process group are found through psutil. A process that is already gone is fine.
    """
    import psutil  # noqa: PLC0415  # not needed before the first paint (design decision 8)

    try:
        root = psutil.Process(pid)
        tree = [*root.children(recursive=True), root]
    except psutil.NoSuchProcess:
        tree = []
    if grace_s > 0:
        _signal_all(tree, pid, signal.SIGTERM)
        tree = _wait_until_gone(tree, grace_s)
    _signal_all(tree, pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    _wait_until_gone(tree, 2.0)


def decode_output(raw: bytes) -> str:
    """Decode what a program printed; UTF-16 without a mark (``wsl.exe``) is seen by its zero bytes or line ends."""
    raw = raw[:OUTPUT_LIMIT_BYTES]
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", errors="replace")
    if b"\r\0\n\0" in raw or (len(raw) > 3 and raw[1::2][:64].count(0) > len(raw[1::2][:64]) * 0.8):
        return raw.decode("utf-16-le", errors="replace")
    return raw.decode("utf-8", errors="replace")


def _wait_until_gone(processes: Sequence[psutil.Process], limit_s: float) -> list[psutil.Process]:
    """Give those that are still there after ``limit_s``.

    Not psutil's own waiting: that takes the exit code away from whoever started the process.
    """
    end = time.monotonic() + limit_s
    left = list(processes)
    while left := [process for process in left if _is_alive(process)]:
        if time.monotonic() >= end:
            break
        time.sleep(0.02)
    return left


def _is_alive(process: psutil.Process) -> bool:
    import psutil  # noqa: PLC0415  # see end_process_tree

    try:
        return bool(process.is_running()) and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _signal_all(processes: Sequence[psutil.Process], pid: int, number: int) -> None:
    import psutil  # noqa: PLC0415  # see end_process_tree

    for process in processes:
        try:
            process.send_signal(number)
        except (psutil.NoSuchProcess, psutil.AccessDenied) as error:
            logger.debug("process %s: %s", process.pid, error)
    if os.name == "posix" and pid > 1:
        try:
            os.killpg(pid, number)
        except (ProcessLookupError, PermissionError) as error:
            logger.debug("process group %s: %s", pid, error)
