"""Facts about the machine without its cards: system, processor, driver, WSL, variables."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from gpuconfig_app.compat.conditions import FactValue
from gpuconfig_app.compat.forward_compat import compat_facts, compat_path, raised_level
from gpuconfig_app.compat.subject import Subject, architecture_of, platform_of
from gpuconfig_app.compat.variable_facts import variable_facts
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.system import BackendState, DriverInfo, HostInfo, OsFamily, SystemReport
from gpuconfig_app.core.units import GB
from gpuconfig_app.core.versions import is_at_least, is_below
from gpuconfig_app.knowledge.cuda_drivers import CudaTable

WSL_LIBRARIES = "/usr/lib/wsl"
_JETSON = re.compile(r"\b(jetson|orin|xavier|tegra)\b", re.IGNORECASE)
_LIBRARIES = "libraries.libraries"


def host_facts(subject: Subject) -> dict[str, FactValue]:
    """Give the facts about system, processor and variables."""
    report = subject.report
    host = report.host
    os = host.os
    architecture = architecture_of(os)
    flags = host.cpu.flags
    return {
        "os.family": os.family.value if os.family is not OsFamily.OTHER else None,
        "os.id": os.id,
        "os.name": os.name,
        "os.version": os.version,
        "os.architecture": architecture,
        "os.platform": platform_of(os),
        "os.glibc": os.glibc_version,
        "os.is_wsl": os.wsl_version is not None,
        "os.wsl": os.wsl_version,
        "os.is_container": os.container is not None,
        "os.container": os.container,
        "os.secure_boot": os.secure_boot,
        "host.is_jetson": is_jetson(report),
        "cpu.name": host.cpu.name,
        "cpu.has_avx": ("avx" in flags) if flags is not None and architecture == "x86_64" else None,
        "host.is_cards_alone": report.is_cards_alone,
        "disk.free_gb": free_disk_gb(host),
        **variable_facts(subject),
        **_libcuda_facts(host),
    }


def _libcuda_facts(host: HostInfo) -> dict[str, FactValue]:
    libcuda = host.libraries.libcuda
    is_wsl = host.os.wsl_version is not None
    return {
        "wsl.has_libcuda": host.libraries.wsl_libcuda,
        "libcuda.is_found": None if libcuda is None and _LIBRARIES in host.absent else libcuda is not None,
        "libcuda.path": libcuda,
        "libcuda.is_foreign": is_wsl and libcuda is not None and not libcuda.startswith(WSL_LIBRARIES),
    }


def driver_facts(subject: Subject, table: CudaTable) -> dict[str, FactValue]:
    """Give the facts about NVIDIA's driver and what the release needs of it."""
    report = subject.report
    driver = report.driver(Vendor.NVIDIA)
    status = report.backend(Vendor.NVIDIA)
    version = driver_version(driver)
    is_windows = uses_windows_driver(report)
    release = subject.release
    floor = table.floor(release.cuda_major) if release and release.cuda_major else None
    least = (floor.windows_driver if is_windows else floor.linux_driver) if floor else None
    amber = floor.windows_amber_below if floor and is_windows else None
    meets = is_at_least(version, least) if least else None
    level = driver_level(report, table)
    own_level = _own_level(report, table)
    if meets is False and floor and raised_level(report, own_level, table) != own_level:
        meets = is_at_least(level, f"{floor.cuda_major}.0")  # the package stands in for the driver's own library
    linux = version if not is_windows else None
    branch = table.branch_of(linux) if linux else None
    return {
        "driver.version": version,
        "driver.library_version": driver.version if driver else None,
        "driver.kernel_version": driver.kernel_version if driver else None,
        "driver.is_mismatched": _is_mismatched(driver) if not is_windows else None,
        "driver.level": level,
        "driver.branch": f"R{linux.split('.', 1)[0]}" if linux else None,
        "driver.branch_has_ended": table.has_ended(linux) if linux else None,
        "driver.branch_end": branch.end_of_life if branch else None,
        **compat_facts(report, own_level, table),
        "driver.floor": least,
        "driver.meets_floor": meets,
        "driver.is_amber": bool(meets and amber and is_below(version, amber)),
        "driver.amber_below": amber,
        "driver.is_open": driver.is_open_kernel_module if driver else None,
        "driver.answers": status is not None and (status.state is BackendState.READY or status.code == "no_devices"),
        "driver.state": status.state.value if status else None,
        "driver.code": status.code if status else None,
    }


def driver_version(driver: DriverInfo | None) -> str | None:
    """Give the driver's version, from the loaded module where the library was not asked; None when not known."""
    return (driver.version or driver.kernel_version) if driver else None


def driver_level(report: SystemReport, table: CudaTable) -> str | None:
    """Give the CUDA level that programs meet: the driver's, or that of a forward compatibility package in use."""
    return raised_level(report, _own_level(report, table), table)


def _own_level(report: SystemReport, table: CudaTable) -> str | None:
    """Give the CUDA level of NVIDIA's driver: as it says, else by the table; None when its version is not known."""
    driver = report.driver(Vendor.NVIDIA)
    version = driver_version(driver)
    if driver is None or version is None:
        return driver.cuda_version if driver else None
    if compat_path(report) is not None:  # what the driver says is then the level of the package
        return table.level_of_driver(version, uses_windows_driver(report)) or driver.cuda_version
    return driver.cuda_version or table.level_of_driver(version, uses_windows_driver(report))


def uses_windows_driver(report: SystemReport) -> bool:
    """Whether the driver is one for Windows: there, and in WSL2."""
    return report.host.os.family is OsFamily.WINDOWS or report.host.os.wsl_version is not None


def is_jetson(report: SystemReport) -> bool:
    """Whether the machine is a Jetson, by its model or by the name of its card."""
    names = [report.host.model or "", *(gpu.name or "" for gpu in report.gpus if gpu.vendor is Vendor.NVIDIA)]
    return architecture_of(report.host.os) == "aarch64" and any(_JETSON.search(name) for name in names)


def free_disk_gb(host: HostInfo) -> float | None:
    """Give the free space of the largest local disk in 10⁹ bytes, None when no disk could be read."""
    free = [disk.free_bytes for disk in host.disks if disk.free_bytes is not None]
    return round(max(free) / GB, 1) if free else None


def library_folders(host: HostInfo) -> tuple[str, ...]:
    """Give the folders of ``LD_LIBRARY_PATH`` in order, without empty entries and ends."""
    value = host.variables.get("LD_LIBRARY_PATH", "")
    return tuple(str(PurePosixPath(part)) for part in value.split(":") if part.strip())


def _is_mismatched(driver: DriverInfo | None) -> bool | None:
    if driver is None or driver.version is None or driver.kernel_version is None:
        return None
    return driver.version != driver.kernel_version
