"""The machine around the cards, and the report that ``survey()`` gives.

Frozen words only; ``hardware`` fills them, a recorded machine stores them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.record import Record, path_text, public_text
from gpuconfig_app.core.target_facts import TargetFacts

# Key in ``HostInfo.absent`` of a machine of which only the cards are known.
ONLY_CARDS = "environments"


class OsFamily(StrEnum):
    """Operating systems the product tells apart."""

    LINUX = "linux"
    WINDOWS = "windows"
    MACOS = "macos"
    OTHER = "other"


class DiskKind(StrEnum):
    """What a disk is made of, as far as it decides reading speed."""

    NVME = "nvme"
    SSD = "ssd"
    HDD = "hdd"
    NETWORK = "network"
    MEMORY = "memory"


class BackendState(StrEnum):
    """What a vendor's back-end found."""

    READY = "ready"
    NOT_PRESENT = "not_present"
    DRIVER_MISSING = "driver_missing"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class BackendStatus(Record):
    """Answer of one vendor back-end.

    Attributes:
        code: Machine-readable cause for the rules, in snake case: ``driver_library_mismatch``, ``driver_not_loaded``,
            ``library_not_found``, ``no_permission``, ``no_answer`` …; None when ready or not present.
        reason: Sentence for people when not ready.
        source: Where the readings come from: ``nvml``, ``nvidia-smi``, ``pci``, ``recorded``.
    """

    vendor: Vendor
    state: BackendState
    code: str | None = public_text()
    reason: Message | None = None
    source: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class DriverInfo(Record):
    """Driver of one vendor.

    Attributes:
        version: Of the user-space library; for NVIDIA ``580.126.09``.
        kernel_version: Of the loaded kernel module, when it can be read.
        cuda_version: Highest CUDA the driver supports (not what is installed), ``13.0``.
        is_open_kernel_module: NVIDIA's open flavour, None when unknown.
        branch: Release branch, ``R580``.
    """

    vendor: Vendor
    version: str | None = public_text()
    kernel_version: str | None = public_text()
    cuda_version: str | None = public_text()
    is_open_kernel_module: bool | None = None
    absent: Mapping[str, Message] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class OsInfo(Record):
    """Operating system.

    Attributes:
        name: ``Ubuntu 24.04 LTS`` or ``Windows 11``.
        version: ``24.04``; on Windows the build, ``10.0.22631``.
        glibc_version: None on musl, Windows and macOS.
        wsl_version: 1 or 2 inside WSL, None elsewhere.
        container: ``docker``, ``podman``, ``apptainer``, ``kubernetes`` …, None outside.
        display_server: ``x11``, ``wayland``, ``none``.
    """

    family: OsFamily
    name: str | None = public_text()
    id: str | None = public_text()
    version: str | None = public_text()
    kernel: str | None = public_text()
    architecture: str | None = public_text()
    glibc_version: str | None = public_text()
    wsl_version: int | None = None
    container: str | None = public_text()
    display_server: str | None = public_text()
    secure_boot: bool | None = None


@dataclass(frozen=True, kw_only=True)
class CpuInfo(Record):
    """Processor.

    Attributes:
        flags: Instruction sets that matter, lower case (``avx``, ``avx2``, ``fma``, ``avx512f``); None when unreadable.
        usable_threads: After affinity and container limits.
    """

    name: str | None = public_text()
    physical_cores: int | None = None
    logical_cores: int | None = None
    usable_threads: int | None = None
    flags: tuple[str, ...] | None = field(default=None, metadata={"privacy": "public"})


@dataclass(frozen=True, kw_only=True)
class MemoryInfo(Record):
    """Host memory; ``limit_bytes`` is a container's or WSL's cap below the total, None without one."""

    total_bytes: int | None = None
    available_bytes: int | None = None
    swap_total_bytes: int | None = None
    limit_bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class Disk(Record):
    """One mounted file system that can hold data or environments."""

    mount: str = path_text("")
    kind: DiskKind | None = None
    file_system: str | None = public_text()
    total_bytes: int | None = None
    free_bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class LibraryFacts(Record):
    """What the loader would find, without loading it.

    Attributes:
        libcuda: Path of the driver's user-space library, None when none is on the loader's path.
        wsl_libcuda: ``/usr/lib/wsl/lib/libcuda.so.1`` exists.
        libraries: Path by soname for CUDA libraries outside environments (``libcudart.so.12``, ``libcudnn.so.9`` …), of
            the file itself where a link beside it leads to one (``…/libcudnn.so.9.10.2``); on Windows by the DLL's name
            in lower case (``cudart64_110.dll``).
        has_dxg: ``/dev/dxg`` exists (WSL2 GPU device).
    """

    libcuda: str | None = path_text()
    wsl_libcuda: bool | None = None
    has_dxg: bool | None = None
    libraries: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "path"})


@dataclass(frozen=True, kw_only=True)
class HostInfo(Record):
    """The machine without its cards.

    Attributes:
        host_name: Private, never leaves the machine.
        variables: Environment variables that change a verdict (``LD_LIBRARY_PATH``, ``CUDA_VISIBLE_DEVICES``,
            ``KERAS_BACKEND``, ``XLA_FLAGS`` …), only those that are set. What ``~/.keras/keras.json`` sets stands
            beside them as ``keras.json:backend``, ``keras.json:floatx`` and ``keras.json:image_data_format``.
        variables_origin: Whose variables they are: ``process`` (of the program that asked), ``login_shell``,
            ``given`` (by the caller); None when recorded without it.
        absent: Reason by dotted field name (``cpu.flags``).
    """

    os: OsInfo
    cpu: CpuInfo = CpuInfo()
    memory: MemoryInfo = MemoryInfo()
    disks: tuple[Disk, ...] = ()
    libraries: LibraryFacts = LibraryFacts()
    host_name: str | None = None
    model: str | None = public_text()
    variables: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "path"})
    variables_origin: str | None = public_text()
    absent: Mapping[str, Message] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SystemReport(Record):
    """What is here: cards, host, drivers, Python environments.

    Attributes:
        machine_id: Key of samples and stored proofs: random per installation for this machine, folder name for a
            recorded one.
        taken_at: Wall time in seconds since the epoch.
        recorded_from: Name of the recorded machine, None when this very machine was asked.
        notes: What could not be read, in sentences.
        targets: WSL and container engines; None when nobody asked.
        hosts_inside: The system inside a WSL distribution, by the distribution's name; None when none was looked into.
    """

    machine_id: str = public_text("this")
    taken_at: float = 0.0
    host: HostInfo = HostInfo(os=OsInfo(family=OsFamily.OTHER))
    gpus: tuple[Gpu, ...] = ()
    drivers: tuple[DriverInfo, ...] = ()
    backends: tuple[BackendStatus, ...] = ()
    environments: tuple[PythonEnvironment, ...] = ()
    recorded_from: str | None = public_text()
    notes: tuple[Message, ...] = ()
    targets: TargetFacts | None = None
    hosts_inside: Mapping[str, HostInfo] | None = None

    @property
    def is_cards_alone(self) -> bool:
        """Whether nothing but the cards is known: the report was read from what a tool printed elsewhere."""
        return ONLY_CARDS in self.host.absent

    def driver(self, vendor: Vendor) -> DriverInfo | None:
        """Give the driver of a vendor, None when there is none."""
        return next((driver for driver in self.drivers if driver.vendor is vendor), None)

    def backend(self, vendor: Vendor) -> BackendStatus | None:
        """Give what the back-end of a vendor found, None when it was not asked."""
        return next((status for status in self.backends if status.vendor is vendor), None)
