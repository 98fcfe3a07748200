"""Open a machine: this one, a recorded folder, or a file with a tool's output; all look the same to everything after.

Names and compute capabilities that a card could not tell are filled in from the catalogue here, marked as such.
"""

from __future__ import annotations

import logging
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.paths import is_file
from gpuconfig_app.core.sample import Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.output_file import open_recorded
from gpuconfig_app.hardware.recorded import read_title, shipped_machines
from gpuconfig_app.hardware.survey import SurveyOptions, survey
from gpuconfig_app.knowledge.identify import fill_from_catalogue
from gpuconfig_app.storage.places import Places, read_text, write_text
from gpuconfig_app.storage.settings import Settings

logger = logging.getLogger(__name__)
THIS_MACHINE = "this"
NO_MACHINE = "none"
PROJECT_ENVIRONMENTS = (".venv", "venv", "env")


@dataclass(frozen=True)
class OpenMachine:
    """A machine that is looked at.

    Attributes:
        name: Folder name of a recorded machine, None for this machine.
        title: What people read, None for this machine.
        samples: Recorded telemetry, empty for this machine.
    """

    report: SystemReport
    name: str | None = None
    title: LocalText | None = None
    samples: tuple[Sample, ...] = ()

    @property
    def is_recorded(self) -> bool:
        """Whether this is a recording and never live."""
        return self.name is not None


@dataclass(frozen=True)
class ShippedMachine:
    """A recorded machine that comes with the product."""

    name: str
    title: LocalText


def open_machine(
    name: str | None,
    places: Places,
    settings: Settings,
    control: JobControl | None = None,
    *,
    include_environments: bool = True,
) -> OpenMachine:
    """Survey this machine, or read a recorded one.

    Args:
        name: None or ``this`` for this machine, else a recorded machine's folder or shipped name, or a file with what
            nvidia-smi, rocm-smi, npu-smi or hy-smi printed on it.
        include_environments: Look for Python environments too (this machine only).

    Raises:
        UnusableFileError: The recorded machine can't be read.
        JobCancelledError: The user ended the survey.
    """
    if name is not None and name != THIS_MACHINE:
        recorded = open_recorded(name)
        return OpenMachine(fill_from_catalogue(recorded.report), recorded.name, recorded.title, recorded.samples)
    options = SurveyOptions(
        machine_id=installation_id(places),
        wakes_sleeping_gpus=settings.wakes_sleeping_gpus,
        extra_python_folders=searched_folders(settings),
        include_environments=include_environments,
    )
    if not include_environments:
        return OpenMachine(fill_from_catalogue(survey(options, control)))
    return OpenMachine(fill_from_catalogue(with_wsl_inside(lambda: survey(options, control), control)))


def with_wsl_inside(
    look: Callable[[], SystemReport], control: JobControl | None = None, platform: str = sys.platform
) -> SystemReport:
    """Give what ``look`` gives, on Windows together with the Pythons of the WSL distributions that run.

    Raises:
        JobCancelledError: The user ended it.
    """
    if platform != "win32":
        return look()
    from gpuconfig_app.hardware.targets import with_wsl  # noqa: PLC0415  # WSL is on Windows only

    return with_wsl(look, control)


def searched_folders(settings: Settings) -> tuple[Path, ...]:
    """Give the folders looked through besides the usual places: the user's own, and the environment of this folder.

    Somebody who starts the program in a project means that project's environment, wherever the project lies.
    """
    try:
        here = Path.cwd()
    except OSError:  # the folder was deleted, or may not be looked at
        here = Path()
    own = tuple(Path(folder) for folder in settings.extra_python_folders)
    found = (here / name for name in PROJECT_ENVIRONMENTS)
    return (*own, *(path for path in found if is_file(path / "pyvenv.cfg")))


def list_shipped_machines() -> tuple[ShippedMachine, ...]:
    """Give the recorded machines of the demo, by name; one that can't be read is left out and logged."""
    found = []
    for path in shipped_machines():
        try:
            found.append(ShippedMachine(path.name, read_title(path)))
        except GpuConfigError as error:
            logger.warning("shipped machine %s: %s", path.name, error)
    return tuple(found)


def installation_id(places: Places) -> str:
    """Give the random id of this installation, made at first use; it keys samples and proofs, and is never sent."""
    path = places.data / "installation-id"
    try:
        return read_text(path).strip() or _new_id(path)
    except GpuConfigError:
        return _new_id(path)


def _new_id(path: Path) -> str:
    value = f"this-{uuid.uuid4().hex[:12]}"
    try:
        write_text(path, value + "\n")
    except GpuConfigError as error:
        logger.warning("installation id not kept: %s", error)
    return value
