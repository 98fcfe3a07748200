"""The host on Linux, inside WSL and inside containers: read from ``/proc``, ``/sys`` and ``/etc`` without root."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import CpuInfo, HostInfo, MemoryInfo, OsFamily, OsInfo
from gpuconfig_app.core.units import KIB
from gpuconfig_app.hardware.disks import read_disks
from gpuconfig_app.hardware.host_sources import HostSources
from gpuconfig_app.hardware.libraries import read_linux_libraries
from gpuconfig_app.hardware.limits import memory_limit_bytes, usable_threads
from gpuconfig_app.hardware.small_files import read_line, read_small
from gpuconfig_app.hardware.variables import watched_variables

# Instruction sets that TensorFlow, oneDNN or XLA ask for; everything else only makes a document long.
_FLAG = re.compile(r"(?:ssse3|sse4_[12]|avx.*|fma|f16c|amx_.*|asimd\w*|sve\w*|bf16|i8mm|fphp)")
_SECURE_BOOT = "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
_NO_MODEL = re.compile(r"(?i)to be filled|system product name|default string|not applicable|^none$|^0+$")
_GROUP_CONTAINERS = (("kubepods", "kubernetes"), ("docker", "docker"), ("libpod", "podman"), ("lxc", "lxc"))


def read_linux_host(sources: HostSources) -> HostInfo:
    """Give what Linux tells about this machine."""
    root = sources.root
    absent: dict[str, Message] = {}
    container = container_kind(root, sources.variables)
    system = _read_system(sources, container, absent)
    disks, disk_reasons = read_disks(root, sources.usage)
    libraries, library_reasons = read_linux_libraries(root, sources.variables, system.architecture, sources.run)
    return HostInfo(
        os=system,
        cpu=_read_processor(sources, absent),
        memory=_read_memory(root, absent),
        disks=disks,
        libraries=libraries,
        host_name=sources.host_name or None,
        model=_read_model(root),
        variables=watched_variables(sources.variables, sources.home),
        variables_origin=sources.variables_origin,
        absent=absent | disk_reasons | library_reasons,
    )


def parse_os_release(text: str) -> dict[str, str]:
    """Read ``/etc/os-release``: ``NAME="value"`` lines."""
    pairs = (line.split("=", 1) for line in text.splitlines() if "=" in line and not line.lstrip().startswith("#"))
    return {name.strip(): value.strip().strip("\"'") for name, value in pairs}


def wsl_version(kernel: str | None) -> int | None:
    """Tell WSL 1 from WSL 2 by the kernel's name, None outside of WSL.

    WSL 1 names itself ``4.4.0-19041-Microsoft``, WSL 2 ``…-microsoft-standard-WSL2``.
    """
    if kernel is None or "microsoft" not in kernel.lower():
        return None
    return 1 if kernel.endswith("-Microsoft") else 2


def container_kind(root: Path, variables: Mapping[str, str]) -> str | None:
    """Tell in what kind of container this process runs, None outside of one."""
    if "APPTAINER_CONTAINER" in variables or "SINGULARITY_CONTAINER" in variables:
        return "apptainer"
    if "KUBERNETES_SERVICE_HOST" in variables:
        return "kubernetes"
    if (root / "run/.containerenv").exists():
        return "podman"
    if (root / ".dockerenv").exists():
        return "docker"
    groups = f"{read_small(root / 'proc/1/cgroup') or ''}{read_small(root / 'proc/self/cgroup') or ''}"
    named = next((name for mark, name in _GROUP_CONTAINERS if mark in groups), None)
    told = variables.get("container") or read_line(root / "run/systemd/container")
    return named or (told if told != "wsl" else None)


def secure_boot(root: Path) -> bool | None:
    """Tell whether Secure Boot is on: the last of five bytes of its EFI variable; None when it can't be read."""
    try:
        raw = (root / _SECURE_BOOT).read_bytes()
    except OSError:
        return None
    return raw[4] == 1 if len(raw) >= 5 else None


def parse_processors(text: str) -> CpuInfo:
    """Read ``/proc/cpuinfo`` of x86 or ARM."""
    blocks = [_fields(block) for block in text.strip().split("\n\n")]
    processors = [block for block in blocks if "processor" in block]
    first = processors[0] if processors else {}
    flags = first.get("flags", first.get("Features"))
    cores = {(block["physical id"], block["core id"]) for block in processors if "core id" in block}
    return CpuInfo(
        name=first.get("model name") or None,
        physical_cores=len(cores) or None,
        logical_cores=len(processors) or None,
        flags=None if flags is None else tuple(sorted({flag for flag in flags.split() if _FLAG.fullmatch(flag)})),
    )


def _fields(block: str) -> dict[str, str]:
    pairs = (line.split(":", 1) for line in block.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, value in pairs}


def _read_system(sources: HostSources, container: str | None, absent: dict[str, Message]) -> OsInfo:
    root = sources.root
    release = parse_os_release(read_small(root / "etc/os-release") or read_small(root / "usr/lib/os-release") or "")
    kernel = read_line(root / "proc/sys/kernel/osrelease") or sources.kernel or None
    if not release:
        absent["os.name"] = Message("host.file-not-readable", {"path": "/etc/os-release"})
    boot = secure_boot(root)
    if boot is None:
        has_efi = (root / "sys/firmware/efi").exists() or container is not None
        absent["os.secure_boot"] = Message("host.secure-boot-unreadable" if has_efi else "host.no-efi")
    glibc = sources.glibc.split()[-1] if sources.glibc and sources.glibc.startswith("glibc") else None
    if glibc is None:
        absent["os.glibc_version"] = Message("host.not-on-this-system")
    return OsInfo(
        family=OsFamily.LINUX,
        name=release.get("PRETTY_NAME") or release.get("NAME"),
        id=release.get("ID"),
        version=release.get("VERSION_ID"),
        kernel=kernel,
        architecture={"amd64": "x86_64", "arm64": "aarch64"}.get(sources.machine.lower(), sources.machine or None),
        glibc_version=glibc,
        wsl_version=wsl_version(kernel),
        container=container,
        display_server=_display_server(sources.variables),
        secure_boot=boot,
    )


def _display_server(variables: Mapping[str, str]) -> str:
    session = variables.get("XDG_SESSION_TYPE", "")
    if session in ("x11", "wayland"):
        return session
    if "WAYLAND_DISPLAY" in variables:
        return "wayland"
    return "x11" if "DISPLAY" in variables else "none"


def _read_processor(sources: HostSources, absent: dict[str, Message]) -> CpuInfo:
    root = sources.root
    found = parse_processors(read_small(root / "proc/cpuinfo") or "")
    if found.flags is None:
        absent["cpu.flags"] = Message("host.file-not-readable", {"path": "/proc/cpuinfo"})
    if found.name is None:
        absent["cpu.name"] = Message("host.file-not-readable", {"path": "/proc/cpuinfo"})
    return CpuInfo(
        name=found.name,
        physical_cores=found.physical_cores or _cores_by_siblings(root),
        logical_cores=found.logical_cores,
        usable_threads=usable_threads(root, sources.affinity, found.logical_cores),
        flags=found.flags,
    )


def _cores_by_siblings(root: Path) -> int | None:
    """Count cores by their lists of sibling threads, for processors whose ``/proc/cpuinfo`` has no core numbers."""
    folder = root / "sys/devices/system/cpu"
    if not folder.is_dir():
        return None
    lists = {read_line(path / "topology/thread_siblings_list") for path in folder.glob("cpu[0-9]*")}
    return len(lists - {None}) or None


def _read_memory(root: Path, absent: dict[str, Message]) -> MemoryInfo:
    fields = _fields(read_small(root / "proc/meminfo") or "")
    amounts = {
        name: int(value.split()[0]) * KIB for name, value in fields.items() if value.split()[:1] and value[0].isdigit()
    }
    total = amounts.get("MemTotal")
    if total is None:
        absent["memory.total_bytes"] = Message("host.file-not-readable", {"path": "/proc/meminfo"})
    limit = memory_limit_bytes(root)
    return MemoryInfo(
        total_bytes=total,
        available_bytes=amounts.get("MemAvailable"),
        swap_total_bytes=amounts.get("SwapTotal"),
        limit_bytes=limit if limit is not None and (total is None or limit < total) else None,
    )


def _read_model(root: Path) -> str | None:
    for place in ("proc/device-tree/model", "sys/class/dmi/id/product_name"):
        model = read_line(root / place)
        if model and not _NO_MODEL.search(model):
            return model
    return None
