from __future__ import annotations

from gpuconfig_app.core.system import MemoryInfo, OsFamily
from gpuconfig_app.core.units import GIB
from gpuconfig_app.hardware.disks import Mount
from gpuconfig_app.hardware.host import read_host
from tests.unit.hardware.layouts import FakeCommands, recorded, sources


def _macos(root, chip, **changes):
    run = FakeCommands({"sw_vers": recorded("sw_vers.txt"), "sysctl": recorded(f"sysctl-{chip}.txt")})
    known = {
        "platform": "darwin", "machine": "arm64", "kernel": "24.6.0", "run": run, "glibc": None,
        "memory": lambda: MemoryInfo(total_bytes=64 * GIB),
        "partitions": lambda: (
            Mount("/dev/disk3s1", "/", "apfs"),
            Mount("/dev/disk3s5", "/System/Volumes/Data", "apfs"),
            Mount("/dev/disk3s6", "/System/Volumes/VM", "apfs"),
        ),
    }  # fmt: skip
    return read_host(sources(root, **(known | changes)))


def test_apple_silicon(tmp_path):
    host = _macos(tmp_path, "m3")

    assert host.os.family is OsFamily.MACOS
    assert (host.os.name, host.os.version, host.os.architecture) == ("macOS 15.7.2", "15.7.2", "arm64")
    assert (host.cpu.name, host.cpu.physical_cores, host.model) == ("Apple M3 Max", 16, "Mac15,9")
    assert host.cpu.flags is None
    assert "cpu.flags" in host.absent
    assert [disk.mount for disk in host.disks] == ["/", "/System/Volumes/Data"]


def test_intel_mac_lists_its_instruction_sets(tmp_path):
    host = _macos(tmp_path, "intel", machine="x86_64")

    assert host.cpu.flags == ("avx", "avx2", "f16c", "fma", "sse4_1", "sse4_2")


def test_tools_that_fail_leave_reasons(tmp_path):
    host = _macos(tmp_path, "m3", run=FakeCommands())

    assert host.os.name is None
    assert host.absent["os.name"].id == "host.tool-gave-nothing"


def test_system_nobody_knows_is_still_a_host(tmp_path):
    host = read_host(sources(tmp_path, platform="freebsd14"))

    assert host.os.family is OsFamily.OTHER
