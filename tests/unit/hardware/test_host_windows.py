from __future__ import annotations

from gpuconfig_app.core.system import DiskKind, MemoryInfo, OsFamily
from gpuconfig_app.core.units import GIB
from gpuconfig_app.hardware.disks import Mount
from gpuconfig_app.hardware.host import read_host
from gpuconfig_app.hardware.host_windows import system_of
from tests.unit.hardware.layouts import sources

REGISTRY = {
    "system.ProductName": "Windows 10 Pro",
    "system.CurrentBuildNumber": "26100",
    "processor.ProcessorNameString": "Intel(R) Core(TM) i9-14900K  ",
    "bios.SystemProductName": "MS-7E06",
    "secure_boot.UEFISecureBootEnabled": 1,
}


def _windows(root, **changes):
    known = {
        "platform": "win32", "machine": "AMD64", "kernel": "10", "registry": lambda: REGISTRY,
        "memory": lambda: MemoryInfo(total_bytes=32 * GIB), "affinity": None,
        "partitions": lambda: (Mount("C:\\", "C:\\", "NTFS"), Mount("remote", "Z:\\", "NTFS")),
    }  # fmt: skip
    return read_host(sources(root, **(known | changes)))


def test_windows_11_is_called_by_its_name(tmp_path):
    host = _windows(tmp_path)

    assert host.os.family is OsFamily.WINDOWS
    assert (host.os.name, host.os.version, host.os.architecture) == ("Windows 11 Pro", "10.0.26100", "x86_64")
    assert host.os.secure_boot is True
    assert host.cpu.name == "Intel(R) Core(TM) i9-14900K"
    assert (host.cpu.physical_cores, host.cpu.usable_threads) == (8, 16)
    assert host.memory.total_bytes == 32 * GIB
    assert host.model == "MS-7E06"


def test_windows_10_stays_windows_10():
    values = REGISTRY | {"system.CurrentBuildNumber": "19045"}

    assert system_of(values, "AMD64", "10").name == "Windows 10 Pro"


def test_mapped_drive_is_not_asked_for_its_size(tmp_path):
    disks = _windows(tmp_path).disks

    assert [(disk.mount, disk.kind, disk.total_bytes) for disk in disks] == [
        ("C:\\", None, 1000),
        ("Z:\\", DiskKind.NETWORK, None),
    ]


def test_empty_registry_gives_reasons(tmp_path):
    host = _windows(tmp_path, registry=dict)

    assert host.os.name is None
    assert host.os.secure_boot is None
    assert "os.secure_boot" in host.absent
    assert host.absent["cpu.flags"].id == "host.not-told-on-windows"
