"""The host on macOS: ``sw_vers`` and ``sysctl``, both instant and open to every user."""

from __future__ import annotations

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import CpuInfo, Disk, HostInfo, OsFamily, OsInfo
from gpuconfig_app.hardware.disks import DISK_LIMIT, LOCAL_SYSTEMS, NETWORK_SYSTEMS, Mount
from gpuconfig_app.hardware.host_sources import HostSources
from gpuconfig_app.hardware.variables import watched_variables

_SYSCTL_NAMES = (
    "hw.model", "hw.memsize", "hw.physicalcpu", "hw.logicalcpu", "machdep.cpu.brand_string", "machdep.cpu.features",
    "machdep.cpu.leaf7_features",
)  # fmt: skip
# Intel Macs name instruction sets in capitals and with dots.
_FLAG_NAMES = {"AVX1.0": "avx", "AVX2": "avx2", "FMA": "fma", "F16C": "f16c", "SSE4.1": "sse4_1", "SSE4.2": "sse4_2"}


def read_macos_host(sources: HostSources) -> HostInfo:
    """Give what macOS tells about this machine."""
    system = _pairs(sources.ask("/usr/bin/sw_vers") or "")
    facts = _pairs(sources.ask("/usr/sbin/sysctl", *_SYSCTL_NAMES) or "")
    nothing = Message("host.not-on-this-system")
    absent = {"os.glibc_version": nothing, "os.secure_boot": nothing, "memory.limit_bytes": nothing}
    if not system:
        absent["os.name"] = Message("host.tool-gave-nothing", {"program": "sw_vers"})
    flags = flags_of(facts)
    if flags is None:
        absent["cpu.flags"] = nothing
    logical = _number(facts, "hw.logicalcpu")
    return HostInfo(
        os=OsInfo(
            family=OsFamily.MACOS,
            name=" ".join(filter(None, (system.get("ProductName"), system.get("ProductVersion")))) or None,
            id="macos",
            version=system.get("ProductVersion"),
            kernel=sources.kernel or None,
            architecture=sources.machine or None,
        ),
        cpu=CpuInfo(
            name=facts.get("machdep.cpu.brand_string"),
            physical_cores=_number(facts, "hw.physicalcpu"),
            logical_cores=logical,
            usable_threads=logical,
            flags=flags,
        ),
        memory=sources.memory(),
        disks=tuple(_disk(sources, part) for part in _useful(sources.partitions())),
        host_name=sources.host_name or None,
        model=facts.get("hw.model"),
        variables=watched_variables(sources.variables, sources.home),
        variables_origin=sources.variables_origin,
        absent=absent,
    )


def flags_of(facts: dict[str, str]) -> tuple[str, ...] | None:
    """Give the instruction sets of an Intel Mac, None on Apple silicon, which does not list them."""
    text = f"{facts.get('machdep.cpu.features', '')} {facts.get('machdep.cpu.leaf7_features', '')}".split()
    return tuple(sorted({_FLAG_NAMES[flag] for flag in text if flag in _FLAG_NAMES})) if text else None


def _pairs(text: str) -> dict[str, str]:
    pairs = (line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, value in pairs}


def _number(facts: dict[str, str], name: str) -> int | None:
    text = facts.get(name, "")
    return int(text) if text.isdigit() else None


def _useful(parts: tuple[Mount, ...]) -> tuple[Mount, ...]:
    kept = [part for part in parts if not part.mount.startswith("/System/Volumes/") or part.mount.endswith("/Data")]
    return tuple(part for part in kept if part.file_system in LOCAL_SYSTEMS)[:DISK_LIMIT]


def _disk(sources: HostSources, part: Mount) -> Disk:
    total = free = None
    if part.file_system not in NETWORK_SYSTEMS:
        try:
            total, free = sources.usage(part.mount)
        except OSError:
            total = free = None
    return Disk(mount=part.mount, file_system=part.file_system, total_bytes=total, free_bytes=free)
