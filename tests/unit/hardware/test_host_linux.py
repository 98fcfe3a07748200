from __future__ import annotations

import pytest

from gpuconfig_app.core.system import DiskKind, OsFamily
from gpuconfig_app.core.units import GIB, KIB
from gpuconfig_app.hardware.host import read_host
from gpuconfig_app.hardware.host_linux import container_kind, parse_processors, secure_boot, wsl_version
from tests.unit.hardware.layouts import FakeCommands, lay_out, recorded, sources

OS_RELEASE = 'PRETTY_NAME="Ubuntu 24.04.3 LTS"\nNAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\n# HOME_URL="x"\n'
MEMINFO = "MemTotal:       65000000 kB\nMemFree: 1 kB\nMemAvailable:   60000000 kB\nSwapTotal:       8000000 kB\n"


@pytest.fixture
def workstation(tmp_path):
    return lay_out(
        tmp_path,
        {
            "etc/os-release": OS_RELEASE,
            "proc/meminfo": MEMINFO,
            "proc/cpuinfo": recorded("cpuinfo-x86.txt"),
            "proc/sys/kernel/osrelease": "6.8.0-88-generic\n",
            "proc/self/mounts": "/dev/nvme0n1p2 / ext4 rw 0 0\n",
            "sys/class/dmi/id/product_name": "ProArt X670E-CREATOR\n",
            "sbin/ldconfig": "",
        },
    )


def test_workstation_is_read_whole(workstation):
    run = FakeCommands({"ldconfig": recorded("ldconfig.txt")})

    host = read_host(sources(workstation, run=run, variables={"XDG_SESSION_TYPE": "wayland", "XLA_FLAGS": "--a"}))

    assert (host.os.family, host.os.name, host.os.id) == (OsFamily.LINUX, "Ubuntu 24.04.3 LTS", "ubuntu")
    assert (host.os.version, host.os.kernel, host.os.glibc_version) == ("24.04", "6.8.0-88-generic", "2.39")
    assert (host.os.display_server, host.os.wsl_version, host.os.container) == ("wayland", None, None)
    assert host.memory.total_bytes == 65000000 * KIB
    assert host.memory.limit_bytes is None
    assert (host.cpu.physical_cores, host.cpu.logical_cores, host.cpu.usable_threads) == (1, 2, 2)
    assert host.disks[0].kind is DiskKind.NVME
    assert host.libraries.libcuda == "/lib/x86_64-linux-gnu/libcuda.so.1"
    assert host.model == "ProArt X670E-CREATOR"
    assert host.variables == {"XLA_FLAGS": "--a"}
    assert host.variables_origin == "process"


def test_an_empty_root_gives_reasons_instead_of_values(tmp_path):
    host = read_host(sources(tmp_path, glibc=None, kernel=""))

    assert host.os.name is None
    assert host.cpu.flags is None
    assert host.memory.total_bytes is None
    for field in ("os.name", "os.glibc_version", "os.secure_boot", "cpu.flags", "memory.total_bytes"):
        assert field in host.absent


def test_processor_without_avx_lists_no_avx():
    """tensorflow issue 62342: a Celeron of 2021 without AVX."""
    cpu = parse_processors(recorded("cpuinfo-n4505.txt"))

    assert cpu.flags == ("sse4_1", "sse4_2", "ssse3")
    assert cpu.physical_cores == 2


def test_arm_processor_has_features_but_no_name(tmp_path):
    lay_out(
        tmp_path,
        {
            "proc/cpuinfo": recorded("cpuinfo-arm.txt"),
            "sys/devices/system/cpu/cpu0/topology/thread_siblings_list": "0\n",
            "sys/devices/system/cpu/cpu1/topology/thread_siblings_list": "1\n",
        },
    )

    host = read_host(sources(tmp_path, machine="aarch64"))

    assert host.cpu.name is None
    assert "cpu.name" in host.absent
    assert "sve2" in (host.cpu.flags or ())
    assert host.cpu.physical_cores == 2
    assert host.os.architecture == "aarch64"


@pytest.mark.parametrize(
    ("kernel", "version"),
    [
        ("6.6.87.2-microsoft-standard-WSL2", 2),
        ("5.10.16.3-microsoft-standard-custom+", 2),
        ("4.4.0-19041-Microsoft", 1),
        ("6.8.0-88-generic", None),
        (None, None),
    ],
)
def test_wsl_is_told_by_the_kernel(kernel, version):
    assert wsl_version(kernel) == version


@pytest.mark.parametrize(
    ("files", "variables", "kind"),
    [
        ({".dockerenv": ""}, {}, "docker"),
        ({"run/.containerenv": "engine=podman"}, {}, "podman"),
        ({"proc/1/cgroup": "12:memory:/kubepods/burstable/pod1/abc\n"}, {}, "kubernetes"),
        ({".dockerenv": ""}, {"KUBERNETES_SERVICE_HOST": "1"}, "kubernetes"),
        ({}, {"APPTAINER_CONTAINER": "/x.sif"}, "apptainer"),
        ({"run/systemd/container": "lxc\n"}, {}, "lxc"),
        ({"run/systemd/container": "wsl\n"}, {}, None),
        ({"proc/1/cgroup": "0::/init.scope\n"}, {}, None),
    ],
)
def test_container_kind(tmp_path, files, variables, kind):
    assert container_kind(lay_out(tmp_path, files), variables) == kind


@pytest.mark.parametrize(("raw", "state"), [(b"\x06\0\0\0\x01", True), (b"\x06\0\0\0\0", False), (b"\x06", None)])
def test_secure_boot_is_the_fifth_byte(tmp_path, raw, state):
    name = "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

    assert secure_boot(lay_out(tmp_path, {name: raw})) is state


def test_machine_without_uefi_says_so(workstation):
    assert read_host(sources(workstation)).absent["os.secure_boot"].id == "host.no-efi"


def test_container_limit_is_below_the_total(workstation):
    lay_out(workstation, {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": f"{12 * GIB}\n"})

    assert read_host(sources(workstation)).memory.limit_bytes == 12 * GIB


def test_limit_above_the_total_is_none(workstation):
    lay_out(workstation, {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": f"{500 * GIB}\n"})

    assert read_host(sources(workstation)).memory.limit_bytes is None


def test_placeholder_of_the_board_maker_is_no_model(workstation):
    lay_out(workstation, {"sys/class/dmi/id/product_name": "To Be Filled By O.E.M.\n"})

    assert read_host(sources(workstation)).model is None
