"""How much of processor and memory this process may really use: affinity and control groups.

Both versions of control groups are read, at every level from the process's own group up to the root, because a limit
anywhere above counts too. In a container with its own group namespace the root is the container's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from gpuconfig_app.hardware.small_files import read_line, read_number, read_small

# Version 1 writes "no limit" as the largest multiple of a page that fits in 63 bits.
_UNLIMITED_BYTES = 1 << 60


def memory_limit_bytes(root: Path) -> int | None:
    """Give the lowest memory limit of this process's control groups, None without one."""
    limits = [
        limit
        for folder in _group_folders(root, "memory")
        for name in ("memory.max", "memory.limit_in_bytes")
        if (limit := read_number(folder / name)) is not None and 0 < limit < _UNLIMITED_BYTES
    ]
    return min(limits, default=None)


def processor_limit(root: Path) -> float | None:
    """Give how many processors the control groups grant (2.5 = two and a half), None without a limit."""
    limits = [limit for folder in _group_folders(root, "cpu") if (limit := _quota(folder)) is not None]
    return min(limits, default=None)


def usable_threads(root: Path, affinity: int | None, logical: int | None) -> int | None:
    """Give how many threads can run at once: the least of affinity, control groups and what is there."""
    quota = processor_limit(root)
    counts = [count for count in (affinity, logical, math.ceil(quota) if quota else None) if count]
    return max(1, min(counts)) if counts else None


def _quota(folder: Path) -> float | None:
    words = (read_line(folder / "cpu.max") or "").split()
    if len(words) == 2 and words[0].isdigit() and words[1].isdigit() and int(words[1]) > 0:
        return int(words[0]) / int(words[1])
    quota, period = read_number(folder / "cpu.cfs_quota_us"), read_number(folder / "cpu.cfs_period_us")
    if quota is not None and period is not None and quota > 0 and period > 0:
        return quota / period
    return None


def _group_folders(root: Path, controller: str) -> Iterator[Path]:
    """Give the folders of this process's groups, own first, for both versions."""
    base = root / "sys/fs/cgroup"
    for line in (read_small(root / "proc/self/cgroup") or "").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        if number == "0" and not controllers:
            yield from _upwards(base, group)
        elif controller in controllers.split(","):
            yield from _upwards(base / controllers, group)
            yield from _upwards(base / controller, group)


def _upwards(base: Path, group: str) -> Iterator[Path]:
    parts = [part for part in PurePosixPath(group).parts if part not in ("/", "..")]
    for count in range(len(parts), -1, -1):
        yield base.joinpath(*parts[:count])
