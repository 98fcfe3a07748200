"""Runs generated scripts with real TensorFlow in child processes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HELPERS = Path(__file__).resolve().parent / "children"
TIME_LIMIT_S = 500


@dataclass(frozen=True)
class ScriptRunner:
    """Starts Python files with the interpreter that has TensorFlow.

    Attributes:
        python: That interpreter.
        home: Home folder of the children.
    """

    python: Path
    home: Path

    def run(self, file: Path, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run to the end."""
        return subprocess.run(
            self._command(file, arguments),
            env=self._environment(variables),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIME_LIMIT_S,
            check=False,
        )

    def start(self, file: Path, *arguments: object, log: Path) -> subprocess.Popen[bytes]:
        """Start and return at once; output goes to a file."""
        with log.open("wb") as output:
            return subprocess.Popen(
                self._command(file, arguments), env=self._environment({}), stdout=output, stderr=output
            )

    def helper(self, name: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run one of the helper programs beside this file; nothing it starts reaches the network."""
        return self.run(HELPERS / name, *arguments, https_proxy="http://127.0.0.1:9")

    def _command(self, file: Path, arguments: tuple[object, ...]) -> list[str]:
        return [str(self.python), str(file), *map(str, arguments)]

    def _environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        return {
            **kept,
            "HOME": str(self.home),
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "PYTHONDONTWRITEBYTECODE": "1",
            **variables,
        }


def read_events(path: Path) -> list[dict[str, Any]]:  # Any: JSON
    """Read a ``metrics.jsonl``."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def follow_events(path: Path, process: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:  # Any: JSON
    """Give events as they are written, until the process ends."""
    seen = 0
    while True:
        ended = _has_ended(process)
        events = read_events(path)
        yield from events[seen:]
        seen = len(events)
        if ended:
            return


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Wait a moment for the end; this is what paces ``follow_events``."""
    try:
        process.wait(timeout=0.05)
    except subprocess.TimeoutExpired:
        return False
    return True
