"""Hand-written stand-ins for tests: time, progress, outside programs. Small, honest, without mocks."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from gpuconfig_app.core.messages import Message


class FakeClock:
    """A clock that moves only when told, and both of its readings together."""

    def __init__(self, now: float = 1_800_000_000.0, monotonic: float = 1000.0) -> None:
        self._now = now
        self._monotonic = monotonic

    def now(self) -> float:
        """Give wall time in seconds since the epoch."""
        return self._now

    def monotonic(self) -> float:
        """Give seconds that never run backwards."""
        return self._monotonic

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now += seconds
        self._monotonic += seconds


class ProgressLog:
    """Keeps what a job reported; give it to ``JobControl`` as ``on_progress``."""

    def __init__(self) -> None:
        self.reports: list[tuple[float | None, Message]] = []

    def __call__(self, share: float | None, message: Message) -> None:
        self.reports.append((share, message))

    @property
    def shares(self) -> list[float]:
        """The known shares, in order."""
        return [share for share, _ in self.reports if share is not None]

    @property
    def ids(self) -> list[str]:
        """The ids of the messages, in order."""
        return [message.id for _, message in self.reports]


def write_program(folder: Path, name: str, python_source: str) -> Path:
    """Write an executable that runs Python source, as a stand-in for an outside program (``nvidia-smi``, ``lspci``).

    Args:
        folder: Put it in front of ``PATH`` to have it found by name.
        python_source: Body of the program; it runs in the interpreter of the tests.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if os.name == "nt":
        source = folder / f"{name}_program.py"
        source.write_text(python_source, encoding="utf-8")
        path = folder / f"{name}.bat"
        path.write_text(f'@"{sys.executable}" "{source}" %*\r\n', encoding="utf-8")
        return path
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{python_source}", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path
