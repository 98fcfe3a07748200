"""Where the proof's probe is started: a Python of this machine, one in a WSL distribution, one in a container.

Each place says how the probe is started there, under which name it finds the folder for its answers, and how it is
ended when it does not end by itself: ending ``wsl.exe`` or ``docker run`` alone would leave it running.
"""

from __future__ import annotations

import logging
import os
import shutil
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from gpuconfig_app.command import CommandResult, run_command, user_environment
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.hardware.wsl import PROGRAM
from gpuconfig_app.hardware.wsl_paths import DRIVES, to_wsl
from gpuconfig_app.resources import resource_path

logger = logging.getLogger(__name__)
Run = Callable[..., CommandResult]
PROBE = "prove_gpu.py"
INSIDE = "/gpuconfig"
END_LIMIT_S = 20.0
# TensorFlow's own words are what a failed proof shows, so they must not be switched off.
_SPEAKING: Mapping[str, str] = {
    "TF_CPP_MIN_LOG_LEVEL": "0",
    "PYTHONUNBUFFERED": "1",
    "PYTHONIOENCODING": "utf-8",
}


class ProofPlace(Protocol):
    """How the probe is started in one place."""

    def prepare(self, folder: Path) -> Path:
        """Make ready and give the folder in which the probe's answers will lie, seen from here.

        Args:
            folder: Empty, for this proof alone.
        """
        ...

    def command(self, answers: Path, arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
        """Give the words that start the probe, and the complete environment they are started with.

        Args:
            answers: File the probe appends to, seen from here.
            arguments: Of the probe, without ``--out``.

        Raises:
            CommandError: It can't be started there.
        """
        ...

    def end(self, pid: int | None) -> None:
        """End what ending the started process leaves behind; never raises.

        Args:
            pid: The probe's own number inside the place, None when it did not tell.
        """
        ...


@dataclass(frozen=True)
class LocalPlace:
    """A Python of this machine.

    Attributes:
        variables: Complete environment of the process; None takes the one of this program.
    """

    python: str
    variables: Mapping[str, str] | None = None

    def prepare(self, folder: Path) -> Path:
        """Nothing to do: the probe is read where it lies."""
        return folder

    def command(self, answers: Path, arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
        """Start it as the user would."""
        base = user_environment() if self.variables is None else self.variables
        words = [self.python, str(resource_path("probes", PROBE)), "--out", str(answers), *arguments]
        return words, {**base, **_SPEAKING}

    def end(self, pid: int | None) -> None:
        """Nothing is left: the whole process tree was ended."""


@dataclass
class WslPlace:
    """A Python in a WSL distribution; the folder is shared by its path below the drives of Windows.

    Attributes:
        variables: The user's variables there that change what TensorFlow does.
        see: Gives what the distribution calls a path of Windows, None when it can't see it.
    """

    distribution: str
    python: str
    variables: Mapping[str, str] = field(default_factory=dict)
    drives: str | None = DRIVES
    program: str = PROGRAM
    see: Callable[[str], str | None] | None = None
    run: Run = run_command

    def prepare(self, folder: Path) -> Path:
        """Copy the probe beside the answers."""
        shutil.copyfile(resource_path("probes", PROBE), folder / PROBE)
        return folder

    def command(self, answers: Path, arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
        """Start it without a shell, with the user's variables set."""
        probe, out = self._seen(answers.parent / PROBE), self._seen(answers)
        given = [f"{name}={value}" for name, value in {**self.variables, **_SPEAKING}.items() if name.isidentifier()]
        words = [self.program, "-d", self.distribution, "--exec", "env", *given, self.python, probe, "--out", out]
        # Its own messages as UTF-8, for they stand in the same log as the probe's.
        return [*words, *arguments], {**user_environment(), "WSL_UTF8": "1"}

    def end(self, pid: int | None) -> None:
        """End the probe by its number; ending ``wsl.exe`` does not always reach it."""
        if pid is not None:
            _quietly(self.run, [self.program, "-d", self.distribution, "--exec", "sh", "-c", f"kill -9 {pid}"])

    def _seen(self, path: Path) -> str:
        found = self.see(str(path)) if self.see is not None else to_wsl(str(path), self.distribution, self.drives)
        if found is None:
            values = {"program": self.distribution, "detail": f"{path} can't be seen inside (automount is off)"}
            raise CommandError(Message("core.cannot-start", values))
        return found


@dataclass
class ContainerPlace:
    """A container's Python: a new container without network, removed when the probe is over.

    Attributes:
        engine: ``docker``, ``podman`` or ``apptainer``.
        program: Path of the engine.
        devices: Words that give it the cards (``--gpus all``).
    """

    engine: str
    image: str
    python: str
    program: str
    devices: tuple[str, ...] = ()
    run: Run = run_command
    _names: list[str] = field(default_factory=list)

    def prepare(self, folder: Path) -> Path:
        """Make the one folder that the container sees; whoever is root in there must be able to read and write it."""
        shared = folder / "shared"
        shared.mkdir()
        shutil.copyfile(resource_path("probes", PROBE), shared / PROBE)
        for path, mode in ((shared, 0o755), (shared / PROBE, 0o644)):
            os.chmod(path, mode)
        return shared

    def command(self, answers: Path, arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
        """Start it in a container of its own; an image that is not here is not fetched."""
        answers.touch()  # ours, whoever writes into it
        os.chmod(answers, 0o666)  # noqa: S103  # whoever is root in there may be somebody else here; the folder is ours
        inner = [self.python, f"{INSIDE}/{PROBE}", "--out", f"{INSIDE}/{answers.name}", *arguments]
        if self.engine == "apptainer":
            return [self.program, "exec", *self.devices, *self._apptainer(answers.parent), self.image, *inner], (
                user_environment()
            )
        name = f"gpuconfig-proof-{uuid.uuid4().hex[:12]}"
        self._names.append(name)
        words = [self.program, "run", "--rm", "--pull=never", "--name", name, "--network", "none", *self.devices]
        words += ["--security-opt", "label=disable"]
        for key, value in _SPEAKING.items():
            words += ["--env", f"{key}={value}"]
        words += ["--mount", f"type=bind,source={answers.parent},target={INSIDE}"]
        return [*words, self.image, *inner], user_environment()

    def end(self, pid: int | None) -> None:  # noqa: ARG002  # a number inside the container, of no use here
        """Remove the container by its name."""
        while self._names:
            _quietly(self.run, [self.program, "rm", "--force", self._names.pop()])

    def _apptainer(self, folder: Path) -> list[str]:
        words = ["--bind", f"{folder}:{INSIDE}"]
        for key, value in _SPEAKING.items():
            words += ["--env", f"{key}={value}"]
        return words


def _quietly(run: Run, words: list[str]) -> None:
    try:
        result = run(words, time_limit_s=END_LIMIT_S)
    except CommandError as error:
        logger.info("%s: %s", words[0], error)
        return
    if not result.is_good:
        logger.info("%s: %s", words, result.stderr.strip()[:300])
