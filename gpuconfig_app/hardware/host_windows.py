"""The host on native Windows: registry, psutil and the folders of PATH; no PowerShell, which takes seconds to start."""

from __future__ import annotations

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import CpuInfo, Disk, DiskKind, HostInfo, OsFamily, OsInfo
from gpuconfig_app.hardware.disks import DISK_LIMIT
from gpuconfig_app.hardware.host_sources import HostSources, RegistryValues
from gpuconfig_app.hardware.libraries import find_windows_libraries
from gpuconfig_app.hardware.variables import watched_variables

# Windows 11 still calls itself "Windows 10" in ProductName; its builds start here.
FIRST_BUILD_OF_11 = 22000


def read_windows_host(sources: HostSources) -> HostInfo:
    """Give what Windows tells about this machine."""
    values = sources.registry()
    nothing = Message("host.not-on-this-system")
    absent = {
        "os.glibc_version": nothing,
        "cpu.flags": Message("host.not-told-on-windows"),
        "memory.limit_bytes": nothing,
    }
    physical, logical = sources.cores()
    if "secure_boot.UEFISecureBootEnabled" not in values:
        absent["os.secure_boot"] = Message("host.secure-boot-unreadable")
    disks, reasons = _read_disks(sources)
    return HostInfo(
        os=system_of(values, sources.machine, sources.kernel),
        cpu=CpuInfo(
            name=_text(values, "processor.ProcessorNameString"),
            physical_cores=physical,
            logical_cores=logical,
            usable_threads=min(filter(None, (sources.affinity, logical)), default=None),
        ),
        memory=sources.memory(),
        disks=disks,
        libraries=find_windows_libraries(
            sources.variables.get("PATH", sources.variables.get("Path", "")),
            sources.variables.get("SYSTEMROOT", sources.variables.get("SystemRoot", "C:\\Windows")),
        ),
        host_name=sources.host_name or None,
        model=_text(values, "bios.SystemProductName"),
        variables=watched_variables(sources.variables, sources.home),
        variables_origin=sources.variables_origin,
        absent=absent | reasons,
    )


def system_of(values: RegistryValues, machine: str, kernel: str) -> OsInfo:
    """Name the system out of the registry's values."""
    build = _text(values, "system.CurrentBuildNumber")
    name = _text(values, "system.ProductName")
    if name and build and build.isdigit() and int(build) >= FIRST_BUILD_OF_11:
        name = name.replace("Windows 10", "Windows 11")
    boot = values.get("secure_boot.UEFISecureBootEnabled")
    return OsInfo(
        family=OsFamily.WINDOWS,
        name=name,
        id="windows",
        version=f"10.0.{build}" if build else kernel or None,
        kernel=kernel or None,
        architecture={"amd64": "x86_64"}.get(machine.lower(), machine.lower() or None),
        display_server=None,
        secure_boot=bool(boot) if boot is not None else None,
    )


def _text(values: RegistryValues, name: str) -> str | None:
    value = values.get(name)
    return str(value).strip() or None if value is not None else None


def _read_disks(sources: HostSources) -> tuple[tuple[Disk, ...], dict[str, Message]]:
    disks: list[Disk] = []
    reasons: dict[str, Message] = {}
    for number, part in enumerate(sources.partitions()[:DISK_LIMIT]):
        total = free = None
        if part.device == "remote":
            reasons[f"disks.{number}.total_bytes"] = Message("host.size-not-asked")
        else:
            reasons[f"disks.{number}.kind"] = Message("host.not-told-on-windows")
            try:
                total, free = sources.usage(part.mount)
            except OSError:
                reasons[f"disks.{number}.total_bytes"] = Message("host.file-not-readable", {"path": part.mount})
        kind = DiskKind.NETWORK if part.device == "remote" else None
        disks.append(
            Disk(mount=part.mount, kind=kind, file_system=part.file_system, total_bytes=total, free_bytes=free)
        )
    return tuple(disks), reasons
