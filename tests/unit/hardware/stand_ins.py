"""Stand-ins for outside tools: small scripts that replay a recorded answer."""

from __future__ import annotations

import shlex
from pathlib import Path


def put_tool(
    folder: Path, name: str, answer: str, *, told: Path | None = None, hangs: bool = False, exit_code: int = 0
) -> Path:
    """Put a tool into a folder.

    Args:
        answer: What it prints.
        told: File to which it adds its arguments, one line for each start.
        hangs: It prints its answer after an hour.
    """
    folder.mkdir(parents=True, exist_ok=True)
    data = folder / f"{name}.answer"
    data.write_text(answer, encoding="utf-8")
    lines = ["#!/bin/sh"]
    if told is not None:
        lines.append(f'echo "$@" >> {shlex.quote(str(told))}')
    if hangs:
        lines.append("exec /bin/sleep 3600")
    lines += [f"/bin/cat {shlex.quote(str(data))}", f"exit {exit_code}"]
    tool = folder / name
    tool.write_text("\n".join(lines) + "\n", encoding="utf-8")
    tool.chmod(0o755)
    return tool
