"""Where TensorFlow runs, and what the user has selected.

One word for "a local Python", "a Python in a WSL distribution" and "a container", so that the way on from a blocked
machine is always a target.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gpuconfig_app.core.record import Record, path_text, pseudonym, public_text


class TargetKind(StrEnum):
    """Kinds of places where TensorFlow can run."""

    LOCAL = "local"
    WSL = "wsl"
    CONTAINER = "container"


@dataclass(frozen=True, kw_only=True)
class Target(Record):
    """A place where TensorFlow runs.

    Attributes:
        python: Interpreter inside the target.
        distribution: Name of the WSL distribution.
        engine: ``docker``, ``podman`` or ``apptainer``.
        image: Container image.
    """

    kind: TargetKind = TargetKind.LOCAL
    python: str = path_text("")
    distribution: str | None = public_text()
    engine: str | None = public_text()
    image: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class Selection(Record):
    """What the user looks at.

    Attributes:
        machine: None for this machine, else a recorded machine's folder or shipped name.
        tensorflow: Release to judge, None for what the environment holds.
        devices: Chosen cards by index; None lets the planner choose.
    """

    machine: str | None = path_text()
    target: Target | None = None
    tensorflow: str | None = public_text()
    devices: tuple[int, ...] | None = None
    device_uuids: tuple[str, ...] = pseudonym(())
