"""Commands of a fix as this machine needs them: pip or uv, a shell of Linux or PowerShell, every value quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gpuconfig_app.compat.conditions import Facts
from gpuconfig_app.compat.facts_view import fill_command

_PYTHON = "{env_python}"
_PIP = re.compile(r"^\{env_python\} -m pip (install|uninstall|check|list|show)\b(?: -y)?")
SHELL, POWERSHELL = "sh", "powershell"


@dataclass(frozen=True)
class Commands:
    """Lines to copy, in order, and the shell they are for."""

    lines: tuple[str, ...]
    shell: str


def fix_commands(commands: Sequence[str], shell: str, facts: Facts) -> Commands | None:
    """Fill commands in; None when a fact that one of them needs is not known.

    An environment that uv made holds no pip, so uv installs into it. What only calls the environment's Python works on
    Windows too, in the words of PowerShell.

    Args:
        commands: With placeholders.
        shell: ``sh``, ``powershell`` or ``python``, as the row says.
    """
    if facts.get("env.kind") == "uv":
        commands = [_PIP.sub(rf"uv pip \1 --python {_PYTHON}", command) for command in commands]
    calls_python = bool(commands) and all(command.startswith((_PYTHON, "uv pip ")) for command in commands)
    if shell == SHELL and facts.get("os.family") == "windows" and calls_python:
        shell = POWERSHELL
    filled = [fill_command(command, shell, facts) for command in commands]
    lines = tuple(command for command in filled if command is not None)
    if len(lines) != len(commands):
        return None
    if shell == POWERSHELL:  # a quoted word alone is a text there; the call operator makes a program of it
        lines = tuple(f"& {line}" if line.startswith("'") else line for line in lines)
    return Commands(lines, shell)
