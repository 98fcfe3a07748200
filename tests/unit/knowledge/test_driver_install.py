"""Which driver package suits which distribution and card."""

from __future__ import annotations

import re

import pytest

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.versions import ComputeCapability
from gpuconfig_app.knowledge.driver_install import (
    Distribution,
    DriverNeed,
    load_driver_install,
    parse_driver_install,
)
from gpuconfig_app.knowledge.table import read_table

TABLE = load_driver_install()
CHINESE = re.compile(r"[\u4e00-\u9fff]")
# Distribution, version, and the package for a card that needs open modules and one that needs proprietary ones.
SYSTEMS = (
    ("ubuntu", "22.04", "nvidia-driver-580-open", "nvidia-driver-580"),
    ("ubuntu", "24.04", "nvidia-driver-580-open", "nvidia-driver-580"),
    ("ubuntu", "26.04", "nvidia-driver-580-open", "nvidia-driver-580"),
    ("linuxmint", "22.2", "nvidia-driver-580-open", "nvidia-driver-580"),
    ("pop", "24.04", "nvidia-driver-580-open", "nvidia-driver-580"),
    ("debian", "12", "nvidia-open", "nvidia-driver"),
    ("debian", "13", "nvidia-open", "nvidia-driver"),
    ("fedora", "44", "akmod-nvidia", "akmod-nvidia-580xx"),
    ("rhel", "8.10", "nvidia-open", "cuda-drivers"),
    ("rocky", "9.6", "nvidia-open", "cuda-drivers"),
    ("almalinux", "10.0", "nvidia-open", "cuda-drivers"),
    ("opensuse-tumbleweed", "20261128", "nvidia-open-driver-G07-signed-kmp-default", "nvidia-driver-G06-kmp-default"),
    ("opensuse-leap", "16.0", "nvidia-open-driver-G07-signed-kmp-default", "nvidia-driver-G06-kmp-default"),
    ("opensuse-leap", "15.6", "nvidia-open-driver-G06-signed-kmp-default", "nvidia-driver-G06-kmp-default"),
    ("sles", "15.7", "nvidia-open-driver-G06-signed-kmp-default", "nvidia-driver-G06-kmp-default"),
    ("arch", None, "nvidia-open", "nvidia-580xx-dkms"),
    ("amzn", "2023", "nvidia-open", "cuda-drivers"),
)


def capabilities(*texts: str) -> tuple[ComputeCapability, ...]:
    return tuple(ComputeCapability(text) for text in texts)


@pytest.mark.parametrize(
    ("cards", "need"),
    [
        (("12.0",), "open"),
        (("10.3", "8.9"), "open"),
        (("7.5",), "either"),
        (("9.0", "8.6"), "either"),
        (("6.1",), "closed"),
        (("7.0", "8.6"), "closed"),
        (("3.7",), "legacy"),
        (("1.3",), "legacy"),
        (("12.0", "6.1"), "mixed"),
        (("3.5", "6.1"), "mixed"),
        ((), "unknown"),
    ],
)
def test_cards_decide_the_flavour(cards, need):
    assert TABLE.need_of(capabilities(*cards)) == need


@pytest.mark.parametrize(("system", "version", "opened", "closed"), SYSTEMS, ids=str)
def test_each_distribution_has_a_package_for_new_and_old_cards(system, version, opened, closed):
    new = TABLE.way(system, version, DriverNeed.OPEN, "570.26")
    old = TABLE.way(system, version, DriverNeed.CLOSED, "525.60.13")

    assert new is not None
    assert old is not None
    assert (new.package, old.package) == (opened, closed)
    assert TABLE.way(system, version, DriverNeed.EITHER, "525.60.13") is not None
    assert TABLE.way(system, version, DriverNeed.UNKNOWN) is not None


@pytest.mark.parametrize("need", [DriverNeed.LEGACY, DriverNeed.MIXED])
def test_cards_without_a_driver_in_common_get_no_package(need):
    assert not [row.id for row in TABLE.ways if need in row.serves]


def test_old_cards_never_get_more_than_r580():
    for row in TABLE.ways:
        if set(row.serves) == {DriverNeed.CLOSED}:
            assert row.branch == "R580", row.id
            assert not row.package.endswith("open"), row.id


def test_a_package_of_an_older_branch_than_wanted_does_not_suit():
    assert TABLE.way("debian", "13", DriverNeed.EITHER, "550.54.14").id == "debian-13"
    assert TABLE.way("debian", "13", DriverNeed.EITHER, "555.42.02").id == "debian-nvidia-open"
    assert TABLE.way("debian", "12", DriverNeed.EITHER, "525.60.13").id == "debian-12"
    assert TABLE.way("debian", "11", DriverNeed.EITHER, "450.80.02").id == "debian-11"
    assert TABLE.way("debian", "11", DriverNeed.EITHER, "525.60.13") is None
    assert TABLE.way("debian", "11", DriverNeed.EITHER, "555.42.02") is None
    assert TABLE.way("ubuntu", "22.04", DriverNeed.OPEN, "595.45.04") is None


def test_ubuntu_2004_is_told_to_move_on_for_a_new_card():
    way = TABLE.way("ubuntu", "20.04", DriverNeed.OPEN, "570.26")

    assert way is not None
    assert way.commands == ()
    assert "24.04" in way.text.en


def test_version_that_is_not_known_counts_as_current():
    assert TABLE.way("ubuntu", None, DriverNeed.OPEN).id == "ubuntu-open"
    assert not Distribution(id="ubuntu", below="22.04").fits("ubuntu", None)


@pytest.mark.parametrize("system", ["gentoo", "alpine", "", None])
def test_unknown_system_gets_nothing(system):
    assert TABLE.way(system, "1", DriverNeed.EITHER) is None
    assert TABLE.secure_boot_step(system, None) is None
    assert TABLE.hold_step(system, None) is None


def test_every_system_with_a_package_can_hold_it():
    ids = {system.id for row in TABLE.ways for system in row.systems} - {"nixos"}  # a configuration holds by itself

    assert {system for system in ids if TABLE.hold_step(system, None) is None} == set()


def test_nothing_is_fetched_and_run_and_nothing_is_forced():
    for row in (*TABLE.ways, *TABLE.secure_boot, *TABLE.holds):
        text = " ".join(row.commands)
        assert not re.search(r"curl|wget|\| *(?:ba)?sh\b|--force-|--allow-|-y\b|rm -", text), row.id
        assert CHINESE.search(row.text.zh_cn), row.id
        assert not CHINESE.search(row.text.en), row.id


def test_rpm_reads_the_files_that_are_written_for_it():
    """rpm reads /etc/rpm/macros and /etc/rpm/macros.*, nothing else."""
    lines = [line for row in TABLE.ways for line in row.commands if "/etc/rpm/" in line]

    assert lines
    assert all(re.search(r"/etc/rpm/macros\.[a-z]", line) for line in lines)


def test_row_without_systems_is_refused():
    data = read_table("driver_install")
    data["hold"][0]["systems"] = []

    with pytest.raises(UnusableFileError):
        parse_driver_install(data)
