"""Hosts: operating systems, processors, memory and disks as such machines have them."""

from __future__ import annotations

from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import (
    CpuInfo,
    Disk,
    DiskKind,
    DriverInfo,
    HostInfo,
    LibraryFacts,
    MemoryInfo,
    OsFamily,
    OsInfo,
)
from gpuconfig_app.core.units import GIB

_MODERN = ("avx", "avx2", "f16c", "fma", "sse4_1", "sse4_2")
_SERVER = tuple(sorted((*_MODERN, "avx512f", "avx512bw", "avx512_vnni", "amx_bf16")))

CPUS = {
    "7950X": CpuInfo(
        name="AMD Ryzen 9 7950X 16-Core Processor", physical_cores=16, logical_cores=32, usable_threads=32,
        flags=tuple(sorted((*_MODERN, "avx512f", "avx512bw", "avx512_vnni"))),
    ),
    "13700H": CpuInfo(
        name="13th Gen Intel(R) Core(TM) i7-13700H", physical_cores=14, logical_cores=20, usable_threads=20,
        flags=tuple(sorted((*_MODERN, "avx_vnni"))),
    ),
    "14900K": CpuInfo(
        name="Intel(R) Core(TM) i9-14900K", physical_cores=24, logical_cores=32, usable_threads=32,
        flags=tuple(sorted((*_MODERN, "avx_vnni"))),
    ),
    "8700K": CpuInfo(
        name="Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz", physical_cores=6, logical_cores=12, usable_threads=12,
        flags=_MODERN,
    ),
    "8480+": CpuInfo(
        name="Intel(R) Xeon(R) Platinum 8480+", physical_cores=112, logical_cores=224, usable_threads=224,
        flags=_SERVER,
    ),
    "7742": CpuInfo(
        name="AMD EPYC 7742 64-Core Processor", physical_cores=128, logical_cores=256, usable_threads=256,
        flags=_MODERN,
    ),
    "N4505": CpuInfo(
        name="Intel(R) Celeron(R) N4505 @ 2.00GHz", physical_cores=2, logical_cores=2, usable_threads=2,
        flags=("sse4_1", "sse4_2"),
    ),
    "Grace": CpuInfo(
        name="Cortex-X925", physical_cores=20, logical_cores=20, usable_threads=20,
        flags=("asimd", "bf16", "i8mm", "sve2"),
    ),
    "Orin": CpuInfo(physical_cores=12, logical_cores=12, usable_threads=12, flags=("asimd", "fphp")),
    "920": CpuInfo(name="Kunpeng-920", physical_cores=192, logical_cores=192, usable_threads=192, flags=("asimd",)),
}  # fmt: skip

_SYSTEMS = {
    "ubuntu-24.04": ("Ubuntu 24.04.3 LTS", "ubuntu", "24.04", "6.8.0-88-generic", "2.39"),
    "ubuntu-22.04": ("Ubuntu 22.04.5 LTS", "ubuntu", "22.04", "5.15.0-160-generic", "2.35"),
    "ubuntu-20.04": ("Ubuntu 20.04.6 LTS", "ubuntu", "20.04", "5.4.0-216-generic", "2.31"),
    "debian-12": ("Debian GNU/Linux 12 (bookworm)", "debian", "12", "6.1.0-40-amd64", "2.36"),
    "rocky-9": ("Rocky Linux 9.6 (Blue Onyx)", "rocky", "9.6", "5.14.0-570.58.1.el9_6.x86_64", "2.34"),
    "centos-7": ("CentOS Linux 7 (Core)", "centos", "7", "3.10.0-1160.119.1.el7.x86_64", "2.17"),
    "fedora-43": ("Fedora Linux 43 (Workstation Edition)", "fedora", "43", "6.17.8-300.fc43.x86_64", "2.42"),
}
_UBUNTU_CUDA = "/usr/lib/x86_64-linux-gnu/libcuda.so.1"


def linux(
    system: str = "ubuntu-24.04",
    cpu: str = "7950X",
    memory_gib: float = 64,
    *,
    arch: str = "x86_64",
    display: str | None = "x11",
    libcuda: str | None = _UBUNTU_CUDA,
    libraries: dict[str, str] | None = None,
    variables: dict[str, str] | None = None,
    container: str | None = None,
    limit_gib: float | None = None,
    model: str | None = None,
    disks: tuple[Disk, ...] | None = None,
) -> HostInfo:
    """Give a Linux host."""
    name, id_, version, kernel, glibc = _SYSTEMS[system]
    total = int(memory_gib * GIB)
    return HostInfo(
        os=OsInfo(
            family=OsFamily.LINUX, name=name, id=id_, version=version, kernel=kernel, architecture=arch,
            glibc_version=glibc, container=container, display_server=display,
        ),
        cpu=CPUS[cpu],
        memory=MemoryInfo(
            total_bytes=total, available_bytes=int(total * 0.86), swap_total_bytes=8 * GIB,
            limit_bytes=int(limit_gib * GIB) if limit_gib else None,
        ),
        disks=disks if disks is not None else (disk("/", DiskKind.NVME, "ext4", 1832, 1104),),
        libraries=LibraryFacts(libcuda=libcuda, wsl_libcuda=False, has_dxg=False, libraries=libraries or {}),
        model=model,
        variables=variables or {},
        absent={"os.secure_boot": Message("host.secure-boot-unreadable")},
    )  # fmt: skip


def wsl2(cpu: str = "14900K", memory_gib: float = 31.2, variables: dict[str, str] | None = None) -> HostInfo:
    """Give an Ubuntu in WSL2; the memory is what Windows lends it."""
    host = linux("ubuntu-22.04", cpu, memory_gib, display="wayland")
    return HostInfo(
        os=OsInfo(
            family=OsFamily.LINUX, name="Ubuntu 22.04.5 LTS", id="ubuntu", version="22.04",
            kernel="6.6.87.2-microsoft-standard-WSL2", architecture="x86_64", glibc_version="2.35", wsl_version=2,
            display_server="wayland",
        ),
        cpu=host.cpu,
        memory=host.memory,
        disks=(disk("/", DiskKind.SSD, "ext4", 1007, 855), disk("/mnt/c", DiskKind.NETWORK, "9p", 930, 212)),
        libraries=LibraryFacts(libcuda="/usr/lib/wsl/lib/libcuda.so.1", wsl_libcuda=True, has_dxg=True),
        variables=variables or {},
        absent={"os.secure_boot": Message("host.secure-boot-unreadable")},
    )  # fmt: skip


def windows(cpu: str = "14900K", memory_gib: float = 31.8, build: str = "10.0.26100") -> HostInfo:
    """Give a native Windows 11."""
    return HostInfo(
        os=OsInfo(family=OsFamily.WINDOWS, name="Windows 11 Pro", id="windows", version=build, architecture="x86_64"),
        cpu=CPUS[cpu],
        memory=MemoryInfo(
            total_bytes=int(memory_gib * GIB), available_bytes=int(memory_gib * GIB * 0.6), swap_total_bytes=5 * GIB
        ),
        disks=(disk("C:\\", DiskKind.NVME, "NTFS", 930, 212),),
        libraries=LibraryFacts(libcuda="C:\\Windows\\System32\\nvcuda.dll"),
        absent={"os.glibc_version": Message("host.not-on-this-system")},
    )


def disk(mount: str, kind: DiskKind, system: str, total_gib: int, free_gib: int) -> Disk:
    """Give a file system."""
    return Disk(mount=mount, kind=kind, file_system=system, total_bytes=total_gib * GIB, free_bytes=free_gib * GIB)


def nvidia_driver(version: str = "580.126.09", cuda: str | None = "13.0", kernel: str | None = None) -> DriverInfo:
    """Give NVIDIA's driver; the kernel module has the same version unless told."""
    return DriverInfo(
        vendor=Vendor.NVIDIA, version=version, kernel_version=kernel or version, cuda_version=cuda,
    )  # fmt: skip
