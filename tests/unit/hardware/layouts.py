"""Folders laid out like parts of a machine, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gpuconfig_app.command import CommandResult
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import MemoryInfo
from gpuconfig_app.hardware.host_sources import HostSources

DATA = Path(__file__).resolve().parents[2] / "data" / "host"


def recorded(name: str) -> str:
    """Give a recorded output."""
    return (DATA / name).read_text(encoding="utf-8")


def lay_out(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder; a path that ends in ``/`` makes an empty folder."""
    for name, content in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


class FakeCommands:
    """Answers of outside programs by the last part of their path; what is not listed can't be started."""

    def __init__(self, answers: Mapping[str, str | CommandResult] | None = None) -> None:
        self._answers = answers or {}
        self.asked: list[list[str]] = []
        self.environments: list[Mapping[str, str] | None] = []

    def __call__(self, arguments, *, time_limit_s, environment=None, cwd=None):
        words = [str(word) for word in arguments]
        self.asked.append(words)
        self.environments.append(environment)
        answer = self._answers.get(Path(words[0]).name)
        if answer is None:
            raise CommandError(Message("core.cannot-start", {"program": words[0], "detail": "not there"}))
        return CommandResult(0, answer, "") if isinstance(answer, str) else answer


def sources(root: Path, **changes) -> HostSources:
    """Give sources that read only below ``root`` and otherwise know nothing."""
    known = {
        "platform": "linux", "root": root, "variables": {}, "home": root / "home/user", "machine": "x86_64",
        "kernel": "6.8.0-88-generic", "host_name": "box", "affinity": 64, "glibc": "glibc 2.39", "run": FakeCommands(),
        "usage": lambda mount: (1000, 400), "memory": MemoryInfo, "partitions": tuple, "cores": lambda: (8, 16),
        "registry": dict,
    }  # fmt: skip
    return HostSources(**(known | changes))
