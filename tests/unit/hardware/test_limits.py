from __future__ import annotations

import pytest

from gpuconfig_app.core.units import GIB
from gpuconfig_app.hardware.limits import memory_limit_bytes, processor_limit, usable_threads
from tests.unit.hardware.layouts import lay_out


def test_version_2_takes_the_lowest_limit_up_to_the_root(tmp_path):
    lay_out(
        tmp_path,
        {
            "proc/self/cgroup": "0::/user.slice/user-1000.slice/app.scope\n",
            "sys/fs/cgroup/user.slice/memory.max": f"{16 * GIB}\n",
            "sys/fs/cgroup/user.slice/user-1000.slice/memory.max": f"{8 * GIB}\n",
            "sys/fs/cgroup/user.slice/user-1000.slice/app.scope/memory.max": "max\n",
            "sys/fs/cgroup/user.slice/cpu.max": "250000 100000\n",
        },
    )

    assert memory_limit_bytes(tmp_path) == 8 * GIB
    assert processor_limit(tmp_path) == 2.5
    assert usable_threads(tmp_path, 16, 16) == 3


def test_version_1_reads_each_controller_and_knows_unlimited(tmp_path):
    lay_out(
        tmp_path,
        {
            "proc/self/cgroup": "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n",
            "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{4 * GIB}\n",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "400000\n",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
        },
    )

    assert memory_limit_bytes(tmp_path) == 4 * GIB
    assert processor_limit(tmp_path) == 4.0


@pytest.mark.parametrize("text", ["", "garbage\n", "0::/../../etc\n", "0::/x\n"])
def test_no_or_strange_group_means_no_limit(tmp_path, text):
    lay_out(tmp_path, {"proc/self/cgroup": text, "etc/memory.max": "1\n"})

    assert memory_limit_bytes(tmp_path) is None
    assert processor_limit(tmp_path) is None


def test_unlimited_quota_is_no_limit(tmp_path):
    lay_out(tmp_path, {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"})

    assert processor_limit(tmp_path) is None


def test_affinity_below_what_is_there_counts(tmp_path):
    assert usable_threads(tmp_path, 4, 32) == 4
    assert usable_threads(tmp_path, None, None) is None


def test_largest_number_of_version_1_is_no_limit(tmp_path):
    lay_out(
        tmp_path,
        {
            "proc/self/cgroup": "4:memory:/\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        },
    )

    assert memory_limit_bytes(tmp_path) is None
