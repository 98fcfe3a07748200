"""The environment variables as the user has them in a terminal.

A program started from the desktop does not see what the user's shell files export, yet TensorFlow started in a
terminal does. So the interactive login shell is asked once (design decision 4); its answer is only read, nothing is
changed. ``bash -lc`` alone is not enough: exports behind the interactive guard of ``.bashrc`` would be missed.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.command import CommandResult, run_command, user_environment
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message

logger = logging.getLogger(__name__)

TIME_LIMIT_S = 5.0
# Set while the shell is asked, so that shell files can leave out what is slow.
ASKING_VARIABLE = "GPUCONFIG_RESOLVING_ENVIRONMENT"
_MARK = "--gpuconfig-environment--"
_SHELL_OWN = frozenset({"_", "SHLVL", "PWD", "OLDPWD", ASKING_VARIABLE, "TERM"})
# csh and its kin can't combine -i, -l and -c; their users get the variables of this program.
_USABLE_SHELLS = ("bash", "zsh", "fish", "ksh", "mksh", "dash", "ash", "sh")

Run = Callable[..., CommandResult]


@dataclass(frozen=True)
class UserVariables:
    """Environment variables with their origin.

    Attributes:
        origin: ``process`` (this program's own), ``login_shell`` or ``given`` (by the caller).
        problem: Why the login shell's could not be had although they were wanted.
    """

    values: Mapping[str, str]
    origin: str = "process"
    problem: Message | None = None


def read_user_variables(
    *,
    asks_login_shell: bool | None = None,
    base: Mapping[str, str] | None = None,
    run: Run = run_command,
) -> UserVariables:
    """Give the variables as the user has them.

    Args:
        asks_login_shell: None asks when this program was started from the desktop.
        base: Variables of this program; default the process's own without what a frozen program added.
        run: Starts the shell; tests hand in recorded output.
    """
    own = dict(user_environment() if base is None else base)
    wants = is_started_from_desktop(own) if asks_login_shell is None else asks_login_shell
    if not wants:
        return UserVariables(own)
    shell = own.get("SHELL", "")
    if Path(shell).name not in _USABLE_SHELLS:
        return UserVariables(own, problem=Message("host.login-shell-failed"))
    found = ask_login_shell(shell, own, run)
    if found is None:
        return UserVariables(own, problem=Message("host.login-shell-failed"))
    return UserVariables(found, "login_shell")


def is_started_from_desktop(
    variables: Mapping[str, str], *, platform: str = sys.platform, process_id: int | None = None
) -> bool:
    """Tell whether a program was started by a desktop and not from a terminal.

    GNOME and its kin say so in ``GIO_LAUNCHED_DESKTOP_FILE_PID``; otherwise a desktop session without ``TERM`` tells.
    On Windows the variables are the same either way.
    """
    if platform == "win32":
        return False
    told = variables.get("GIO_LAUNCHED_DESKTOP_FILE_PID")
    if told is not None and told == str(os.getpid() if process_id is None else process_id):
        return True
    has_desktop = platform == "darwin" or "DISPLAY" in variables or "WAYLAND_DISPLAY" in variables
    return has_desktop and "TERM" not in variables


def ask_login_shell(shell: str, base: Mapping[str, str], run: Run = run_command) -> dict[str, str] | None:
    """Start the interactive login shell once and give its variables; None when it fails or hangs."""
    script = f"printf '%s' '{_MARK}'; env -0; printf '%s' '{_MARK}'"
    environment = {**base, ASKING_VARIABLE: "1", "TERM": "dumb"}
    try:
        result = run([shell, "-ilc", script], time_limit_s=TIME_LIMIT_S, environment=environment)
    except CommandError as error:
        logger.info("login shell %s: %s", shell, error)
        return None
    if result.timed_out:
        return None
    return parse_environment(result.stdout, base)


def parse_environment(output: str, base: Mapping[str, str]) -> dict[str, str] | None:
    """Read what ``env -0`` printed between the marks; shell files may print anything around it."""
    parts = output.split(_MARK)
    if len(parts) < 3:
        return None
    found = dict(entry.split("=", 1) for entry in parts[-2].split("\0") if "=" in entry)
    if not found:
        return None
    kept = {name: value for name, value in found.items() if name not in _SHELL_OWN}
    return kept | {name: base[name] for name in _SHELL_OWN if name in base}
