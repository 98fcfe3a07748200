from __future__ import annotations

import pytest

from gpuconfig_app.core.system import DiskKind
from gpuconfig_app.hardware.disks import Mount, kind_of, parse_mounts, read_disks, useful_mounts
from tests.unit.hardware.layouts import lay_out, recorded


@pytest.fixture
def machine(tmp_path):
    lay_out(
        tmp_path,
        {
            "proc/self/mounts": recorded("mounts.txt"),
            "sys/block/dm-0/slaves/nvme0n1p3/": "",
            "sys/block/sdb/queue/rotational": "1\n",
            "sys/block/sdc/queue/rotational": "0\n",
            "sys/block/md0/slaves/sdb2/": "",
            "sys/block/md0/slaves/nvme1n1/": "",
            "sys/block/vda/queue/rotational": "1\n",
            "dev/dm-0": "",
            "dev/mapper/": "",
        },
    )
    (tmp_path / "dev/mapper/vg-root").symlink_to("../dm-0")
    return tmp_path


def test_each_real_file_system_once_with_its_kind(machine):
    disks, absent = read_disks(machine, lambda mount: (1000, 400))

    assert {disk.mount: disk.kind for disk in disks} == {
        "/": DiskKind.NVME,
        "/data sets": DiskKind.HDD,
        "/dev/shm": DiskKind.MEMORY,
        "/fast": DiskKind.SSD,
        "/home/shared": DiskKind.NETWORK,
        "/mnt/share": DiskKind.NETWORK,
        "/raid": DiskKind.HDD,
        "/virtual": None,
    }
    assert {disk.total_bytes for disk in disks if disk.kind is not DiskKind.NETWORK} == {1000}
    assert {reason.id for reason in absent.values()} == {"host.size-not-asked"}


def test_network_drives_are_never_asked(machine):
    asked = []

    def usage(mount):
        asked.append(mount)
        return 1, 1

    read_disks(machine, usage)

    assert "/home/shared" not in asked
    assert "/" in asked


def test_file_system_that_refuses_its_size_has_a_reason(machine):
    def usage(mount):
        raise PermissionError(mount)

    disks, absent = read_disks(machine, usage)

    assert all(disk.total_bytes is None for disk in disks)
    assert len(absent) == len(disks)


def test_windows_drive_in_wsl_is_slow_but_has_a_size():
    (mount,) = useful_mounts(parse_mounts("C:\\134 /mnt/c 9p rw 0 0\n"))

    assert mount.file_system == "9p"


def test_scsi_disk_of_a_virtual_machine_tells_no_kind(tmp_path):
    lay_out(
        tmp_path,
        {"sys/block/sda/queue/rotational": "1\n", "sys/block/sda/device/vendor": "VMware, Virtual\n"},
    )

    assert kind_of(tmp_path, Mount("/dev/sda1", "/", "ext4")) is None


def test_no_mount_table_means_no_disks(tmp_path):
    assert read_disks(tmp_path) == ((), {})


def test_bind_mount_does_not_hide_the_real_place():
    lines = "/dev/sdb1 /srv/a/bound ext4 rw 0 0\n/dev/sdb1 /data ext4 rw 0 0\n/dev/sdb1 /srv/b/bound ext4 rw 0 0\n"

    assert [mount.mount for mount in useful_mounts(parse_mounts(lines))] == ["/data"]
