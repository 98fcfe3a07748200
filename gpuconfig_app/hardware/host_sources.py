"""Where facts about the host are read from, so that every system's reader can be fed with recorded output."""

from __future__ import annotations

import os
import platform as python_platform
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gpuconfig_app.command import CommandResult, run_command, user_environment
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.system import MemoryInfo
from gpuconfig_app.hardware.disks import Mount, disk_usage

Run = Callable[..., CommandResult]
RegistryValues = Mapping[str, str | int]

_SYSTEM_KEY = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion"
_REGISTRY_VALUES = {
    "system.ProductName": (_SYSTEM_KEY, "ProductName"),
    "system.CurrentBuildNumber": (_SYSTEM_KEY, "CurrentBuildNumber"),
    "processor.ProcessorNameString": (r"HARDWARE\DESCRIPTION\System\CentralProcessor\0", "ProcessorNameString"),
    "bios.SystemProductName": (r"HARDWARE\DESCRIPTION\System\BIOS", "SystemProductName"),
    "secure_boot.UEFISecureBootEnabled": (
        r"SYSTEM\CurrentControlSet\Control\SecureBoot\State",
        "UEFISecureBootEnabled",
    ),
}


def system_memory() -> MemoryInfo:
    """Give the machine's memory as psutil reads it."""
    import psutil  # noqa: PLC0415  # not needed before the first paint (design decision 8)

    memory, swap = psutil.virtual_memory(), psutil.swap_memory()
    return MemoryInfo(
        total_bytes=int(memory.total), available_bytes=int(memory.available), swap_total_bytes=int(swap.total)
    )


def system_partitions() -> tuple[Mount, ...]:
    """Give the mounted volumes as psutil lists them; its options stand in place of the device for network drives."""
    import psutil  # noqa: PLC0415  # see above

    return tuple(
        Mount("remote" if "remote" in part.opts else part.device, part.mountpoint, part.fstype)
        for part in psutil.disk_partitions(all=False)
        if "cdrom" not in part.opts
    )


def core_counts() -> tuple[int | None, int | None]:
    """Give physical and logical cores as psutil counts them."""
    import psutil  # noqa: PLC0415  # see above

    return psutil.cpu_count(logical=False), psutil.cpu_count(logical=True)


def usable_processors() -> int | None:
    """Give how many processors this process may run on, None where the system does not tell."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


def glibc_text() -> str | None:
    """Give ``glibc 2.39`` as the running library names itself, None with another C library."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION")
    except (AttributeError, ValueError, OSError):
        return None


def windows_registry() -> RegistryValues:
    """Give the few values of the Windows registry that tell about system and processor; empty elsewhere."""
    values: dict[str, str | int] = {}
    if sys.platform == "win32":
        import winreg  # noqa: PLC0415  # exists on Windows only

        for name, (key_path, value_name) in _REGISTRY_VALUES.items():
            try:
                with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, key_path) as key:
                    values[name] = winreg.QueryValueEx(key, value_name)[0]
            except OSError:
                continue
    return values


@dataclass(frozen=True)
class HostSources:
    """Everything a host reader may ask.

    Attributes:
        root: ``/``, or a folder that stands for it.
        variables: The user's environment variables.
        variables_origin: As ``HostInfo.variables_origin``.
        affinity: Processors this process may run on.
        glibc: ``glibc 2.39``; None with another C library.
        partitions: Volumes on Windows and macOS; Linux reads its own table.
    """

    platform: str = sys.platform
    root: Path = Path("/")
    variables: Mapping[str, str] = field(default_factory=user_environment)
    variables_origin: str = "process"
    home: Path | None = field(default_factory=Path.home)
    machine: str = field(default_factory=python_platform.machine)
    kernel: str = field(default_factory=python_platform.release)
    host_name: str = field(default_factory=socket.gethostname)
    affinity: int | None = field(default_factory=usable_processors)
    glibc: str | None = field(default_factory=glibc_text)
    run: Run = run_command
    usage: Callable[[str], tuple[int, int]] = disk_usage
    memory: Callable[[], MemoryInfo] = system_memory
    partitions: Callable[[], tuple[Mount, ...]] = system_partitions
    cores: Callable[[], tuple[int | None, int | None]] = core_counts
    registry: Callable[[], RegistryValues] = windows_registry

    def ask(self, *arguments: str, limit_s: float = 3.0) -> str | None:
        """Give what a program printed, None when it can't be started, fails or takes too long."""
        try:
            result = self.run(list(arguments), time_limit_s=limit_s)
        except CommandError:
            return None
        return result.stdout if result.is_good else None
