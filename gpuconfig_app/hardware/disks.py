"""Mounted file systems and what they are made of, as far as it decides how fast data can be read."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import Disk, DiskKind
from gpuconfig_app.hardware.small_files import read_line, read_small

Usage = Callable[[str], tuple[int, int]]

LOCAL_SYSTEMS = frozenset({
    "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "jfs", "reiserfs", "bcachefs", "ntfs", "ntfs3", "fuseblk",
    "exfat", "vfat", "overlay", "apfs", "hfs",
})  # fmt: skip
NETWORK_SYSTEMS = frozenset({
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "lustre", "gpfs", "beegfs", "beegfs_nodev",
    "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.juicefs", "fuse.s3fs", "fuse.rclone", "fuse.gcsfuse", "wekafs",
    "9p", "drvfs", "virtiofs",
})  # fmt: skip
_UNIMPORTANT_MOUNTS = ("/boot", "/snap/", "/var/lib/docker/", "/var/lib/containers/", "/run/", "/proc/", "/sys/")
_OCTAL = re.compile(r"\\([0-7]{3})")
_PARTITION = re.compile(r"(nvme\d+n\d+)p\d+|(mmcblk\d+)p\d+|([shv]d[a-z]+)\d+|(xvd[a-z]+)\d+")
DISK_LIMIT = 64


@dataclass(frozen=True)
class Mount:
    """One line of the mount table."""

    device: str
    mount: str
    file_system: str


def disk_usage(mount: str) -> tuple[int, int]:
    """Give total and free bytes of a file system.

    Raises:
        OSError: It can't be asked.
    """
    usage = shutil.disk_usage(mount)
    return usage.total, usage.free


def read_disks(root: Path, usage: Usage = disk_usage) -> tuple[tuple[Disk, ...], dict[str, Message]]:
    """Give the file systems that can hold data or environments, and why something about them is not known.

    Network drives are never asked for their size: one that is out of reach would hang the caller.
    """
    mounts = useful_mounts(parse_mounts(read_small(root / "proc/self/mounts") or ""))
    disks: list[Disk] = []
    absent: dict[str, Message] = {}
    for number, mount in enumerate(mounts[:DISK_LIMIT]):
        kind = kind_of(root, mount)
        total = free = None
        if kind is DiskKind.NETWORK and mount.file_system not in ("9p", "drvfs", "virtiofs"):
            absent[f"disks.{number}.total_bytes"] = Message("host.size-not-asked")
        else:
            try:
                total, free = usage(mount.mount)
            except OSError:
                absent[f"disks.{number}.total_bytes"] = Message("host.file-not-readable", {"path": mount.mount})
        disks.append(
            Disk(mount=mount.mount, kind=kind, file_system=mount.file_system, total_bytes=total, free_bytes=free)
        )
    return tuple(disks), absent


def parse_mounts(text: str) -> tuple[Mount, ...]:
    """Read ``/proc/self/mounts``, where blanks in names are written as octal numbers."""
    mounts = []
    for line in text.splitlines():
        words = line.split(" ")
        if len(words) >= 3:
            device, mount = (_OCTAL.sub(lambda found: chr(int(found.group(1), 8)), word) for word in words[:2])
            mounts.append(Mount(device, mount, words[2]))
    return tuple(mounts)


def useful_mounts(mounts: Iterable[Mount]) -> tuple[Mount, ...]:
    """Keep what can hold data: real disks once each (bind mounts repeat them), network drives, ``/dev/shm``."""
    kept: dict[tuple[str, str], Mount] = {}
    for mount in mounts:
        if mount.file_system == "tmpfs" and mount.mount == "/dev/shm":  # noqa: S108  # compared, nothing is written
            kept[("tmpfs", mount.mount)] = mount
        elif mount.mount.startswith(_UNIMPORTANT_MOUNTS):
            continue
        elif mount.file_system in LOCAL_SYSTEMS and not mount.device.startswith("/dev/loop"):
            key = (mount.device, mount.file_system)
            if key not in kept or len(mount.mount) < len(kept[key].mount):
                kept[key] = mount
        elif mount.file_system in NETWORK_SYSTEMS:
            kept[("network", mount.mount)] = mount
    return tuple(sorted(kept.values(), key=lambda mount: mount.mount))


def kind_of(root: Path, mount: Mount) -> DiskKind | None:
    """Tell what a mounted file system is made of, None when the kernel does not say."""
    if mount.file_system == "tmpfs":
        return DiskKind.MEMORY
    if mount.file_system in NETWORK_SYSTEMS:
        return DiskKind.NETWORK
    if not mount.device.startswith("/dev/"):
        return None
    return _kind_of_device(root, _block_name(root, mount.device), 0)


def _block_name(root: Path, device: str) -> str:
    """Give the kernel's name of a device; ``/dev/mapper/…`` are links to ``dm-N``."""
    path = root / device.lstrip("/")
    try:
        return path.resolve().name if path.is_symlink() else path.name
    except OSError:
        return path.name


def _kind_of_device(root: Path, name: str, depth: int) -> DiskKind | None:
    found = _PARTITION.fullmatch(name)
    disk = next((part for part in found.groups() if part), name) if found else name
    if disk.startswith("nvme"):
        return DiskKind.NVME
    block = root / "sys/block" / disk
    slaves = sorted(path.name for path in (block / "slaves").iterdir()) if (block / "slaves").is_dir() else []
    if slaves and depth < 4:
        kinds = {_kind_of_device(root, slave, depth + 1) for slave in slaves}
        slowest = (None, DiskKind.HDD, DiskKind.SSD, DiskKind.NVME)
        return next((kind for kind in slowest if kind in kinds), None)
    # Virtual disks report "rotational" whatever stands behind them.
    if disk.startswith(("vd", "xvd")) or "virt" in (read_line(block / "device/vendor") or "").lower():
        return None
    rotational = read_line(block / "queue/rotational")
    return {"0": DiskKind.SSD, "1": DiskKind.HDD}.get(rotational or "")
