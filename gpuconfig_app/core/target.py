"""Where TensorFlow runs.

One word for "a local Python", "a Python in a WSL distribution" and "a container", so that the way on from a blocked
machine is always a target. A target is named in one line, as ``--python`` takes it:

    /home/u/.venv/bin/python                    a Python of this machine
    wsl:Ubuntu-24.04:/home/u/.venv/bin/python   a Python in a WSL distribution
    docker:IMAGE   podman:IMAGE                 a container's Python; docker:IMAGE:/opt/bin/python names another one
    apptainer:/data/tensorflow.sif              likewise
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import Record, path_text, public_text

ENGINES = ("docker", "podman", "apptainer")
CONTAINER_PYTHON = "python3"
# Key in ``PythonEnvironment.extra`` of an image: what tells its content from another one of the same name.
IMAGE_ID = "image_id"
_WSL = "wsl"


class TargetKind(StrEnum):
    """Kinds of places where TensorFlow can run."""

    LOCAL = "local"
    WSL = "wsl"
    CONTAINER = "container"


@dataclass(frozen=True, kw_only=True)
class Target(Record):
    """A place where TensorFlow runs.

    Attributes:
        python: Interpreter inside the target; empty when it is not chosen yet.
        distribution: Name of the WSL distribution.
        engine: ``docker``, ``podman`` or ``apptainer``.
        image: Container image by name; for apptainer the path of the image file.
    """

    kind: TargetKind = TargetKind.LOCAL
    python: str = path_text("")
    distribution: str | None = public_text()
    engine: str | None = public_text()
    image: str | None = path_text()

    @property
    def name(self) -> str:
        """The one line that names it, as ``parse_target`` reads it."""
        if self.kind is TargetKind.WSL:
            return f"{_WSL}:{self.distribution}:{self.python}" if self.python else f"{_WSL}:{self.distribution}"
        if self.kind is TargetKind.CONTAINER:
            inner = "" if self.python in {"", CONTAINER_PYTHON} else f":{self.python}"
            return f"{self.engine}:{self.image}{inner}"
        return self.python


def is_target_name(text: str) -> bool:
    """Whether a text names a target elsewhere and not a path of this machine, as ``C:/x`` is."""
    kind, mark, _ = text.strip().partition(":")
    return bool(mark) and kind.lower() in {_WSL, *ENGINES}


def parse_target(text: str) -> Target:
    """Read the name of a target.

    Raises:
        UsageError: It names a WSL distribution or an image that is empty, or a Python that is no absolute path.
    """
    if not is_target_name(text):
        return Target(python=text)
    kind, _, rest = text.strip().partition(":")
    kind, (place, python) = kind.lower(), _split_python(rest)
    if not place or place.startswith("-") or "\n" in text or "\0" in text:
        raise UsageError(Message("targets.bad-name", {"value": text}), Message("targets.bad-name-hint"))
    if kind == _WSL:
        return Target(kind=TargetKind.WSL, distribution=place, python=python)
    return Target(kind=TargetKind.CONTAINER, engine=kind, image=place, python=python or CONTAINER_PYTHON)


def _split_python(text: str) -> tuple[str, str]:
    """Split at the colon before an absolute path; the port of a registry and ``://`` are part of an image."""
    place, mark, python = text.rpartition(":/")
    if not mark or python.startswith("/"):
        return text.strip(), ""
    return place.strip(), f"/{python.strip()}"
