"""What is known about the places beside this machine's own Pythons: WSL, container engines, Windows' part in them.

Frozen words only; ``hardware.targets`` fills them, a recorded machine stores them. What could not be read is None with
a reason in ``absent`` by field name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import Record, path_text, public_text


class WslState(StrEnum):
    """What came of asking ``wsl.exe``."""

    ABSENT = "absent"
    NOT_INSTALLED = "not_installed"
    READY = "ready"
    FAILED = "failed"
    NO_ANSWER = "no_answer"


class EngineState(StrEnum):
    """What came of asking a container engine; the one that is nearest to working first."""

    READY = "ready"
    NO_PERMISSION = "no_permission"
    NO_DAEMON = "no_daemon"
    NO_ANSWER = "no_answer"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class WslDistribution(Record):
    """A Linux distribution inside Windows.

    Attributes:
        version: 1 or 2, of WSL.
        is_running: A stopped one is not started without being asked.
        home: Home folder inside; private, a recorded machine writes ``~`` in its place.
        drives: Folder where the drives of Windows appear, ``/mnt/``; None when they do not or it was not asked.
        problem: Why it could not be looked into.
    """

    name: str = public_text("")
    version: int | None = None
    is_default: bool = False
    is_running: bool | None = None
    home: str | None = None
    drives: str | None = public_text()
    problem: Message | None = None


@dataclass(frozen=True, kw_only=True)
class Wsl(Record):
    """WSL as ``wsl.exe`` tells of it.

    Attributes:
        version: Of WSL itself, ``2.6.1.0``; None for the one that comes with Windows.
        default_version: 1 or 2, for new distributions.
        error_code: ``0x80370102`` or ``Wsl/Service/…``, what it failed with.
        needs_virtualization: It says that virtualisation is off or not available.
    """

    state: WslState
    version: str | None = public_text()
    kernel: str | None = public_text()
    default_version: int | None = None
    error_code: str | None = public_text()
    needs_virtualization: bool = False
    distributions: tuple[WslDistribution, ...] = ()

    @property
    def usable(self) -> tuple[WslDistribution, ...]:
        """Distributions in which TensorFlow can reach a GPU (WSL2), the default one first; helpers left out."""
        own = (item for item in self.distributions if item.version == 2 and not item.name.startswith("docker-desktop"))
        return tuple(sorted(own, key=lambda item: not item.is_default))


@dataclass(frozen=True, kw_only=True)
class WindowsFacts(Record):
    """What WSL2 needs of Windows; a fact that only an administrator may read is None.

    Attributes:
        build: Build number, 22631.
        display_version: ``23H2``.
        is_hypervisor_running: Windows runs on its hypervisor, so virtualisation is on.
        has_virtualization: Virtualisation is switched on in the firmware.
        has_vm_platform: The Windows feature "Virtual Machine Platform".
        has_wsl_feature: The Windows feature "Windows Subsystem for Linux".
        is_restart_pending: Windows waits for a restart.
        wslconfig: Path of ``.wslconfig``; None when there is none.
        wslconfig_memory_bytes: What it gives WSL2; None takes Windows' default.
    """

    build: int | None = None
    display_version: str | None = public_text()
    is_hypervisor_running: bool | None = None
    has_virtualization: bool | None = None
    has_vm_platform: bool | None = None
    has_wsl_feature: bool | None = None
    is_restart_pending: bool | None = None
    wslconfig: str | None = path_text()
    wslconfig_memory_bytes: int | None = None
    absent: Mapping[str, Message] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ContainerImage(Record):
    """An image on this machine that may hold TensorFlow.

    Attributes:
        name: ``nvcr.io/nvidia/tensorflow:25.02-tf2-py3``; only well-known names leave the machine.
        id: Of its content; another one under the same name is another image. Private.
    """

    name: str = path_text("")
    size_bytes: int | None = None
    id: str | None = None


@dataclass(frozen=True, kw_only=True)
class ContainerEngine(Record):
    """A container engine.

    Attributes:
        name: ``docker``, ``podman`` or ``apptainer``.
        has_nvidia_runtime: Its daemon knows NVIDIA's runtime; None when it was not told.
        has_cdi: NVIDIA's cards are described for it as CDI devices.
        is_rootless: It runs without root.
        is_snap: A Docker from a snap, which does not see NVIDIA's toolkit.
        storage: Folder of its images.
        images: Those that may hold TensorFlow.
        words: What it said when it did not answer well.
    """

    name: str = public_text("")
    state: EngineState
    version: str | None = public_text()
    has_nvidia_runtime: bool | None = None
    has_cdi: bool | None = None
    is_rootless: bool | None = None
    is_snap: bool = False
    storage: str | None = path_text()
    images: tuple[ContainerImage, ...] = ()
    words: str | None = path_text()

    @property
    def sees_gpu(self) -> bool | None:
        """Whether a container of it can be given NVIDIA's cards; None when that is not known."""
        if self.name == "apptainer":
            return True  # it takes the driver's files from this machine itself
        if self.has_nvidia_runtime or self.has_cdi:
            return True
        return False if self.has_nvidia_runtime is False or self.has_cdi is False else None


@dataclass(frozen=True, kw_only=True)
class TargetFacts(Record):
    """The places beside this machine's own Pythons.

    Attributes:
        wsl: None where there is no Windows.
        windows: None where there is no Windows.
        engines: Those that are installed, in the order in which they are offered.
        toolkit_version: Of NVIDIA's Container Toolkit, None when it is not installed.
    """

    wsl: Wsl | None = None
    windows: WindowsFacts | None = None
    engines: tuple[ContainerEngine, ...] = ()
    toolkit_version: str | None = public_text()

    def distribution(self, name: str | None) -> WslDistribution | None:
        """Give a WSL distribution by name, in any case; None when there is none."""
        found = self.wsl.distributions if self.wsl is not None and name is not None else ()
        return next((item for item in found if item.name.lower() == str(name).lower()), None)

    def engine(self, name: str | None) -> ContainerEngine | None:
        """Give a container engine by name, None when it is not installed."""
        return next((item for item in self.engines if item.name == name), None)
