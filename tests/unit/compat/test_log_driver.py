"""What the kernel says about NVIDIA's driver, with and without the machine it says it on."""

from __future__ import annotations

import pytest

from gpuconfig_app.compat.log_doctor import explain
from gpuconfig_app.compat.log_reading import read_log
from tests.unit.compat.machines import card, machine, on_system, python

NEEDS_OPEN = """[    4.81] nvidia: loading out-of-tree module taints kernel.
[    5.02] NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:2c02)
[    5.02] NVRM: installed in this system requires use of the NVIDIA open kernel modules.
[    5.03] nvidia: probe of 0000:01:00.0 failed with error -1
"""
NEEDS_CLOSED = """NVRM: The NVIDIA GPU 0000:09:00.0 (PCI ID: 10de:1d01)
NVRM: installed in this system is not supported by open
NVRM: nvidia.ko because it does not include the required GPU
NVRM: System Processor (GSP).
"""
DROPPED = """NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:1b81)
NVRM: installed in this system is supported through the
NVRM: NVIDIA 580.xx Legacy drivers.
"""
LEGACY = "NVRM: The NVIDIA GPU installed in this system is supported through the NVIDIA 470.xx Legacy drivers.\n"
TOO_OLD = """NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:25a0)
NVRM: installed in this system is not supported by the
NVRM: NVIDIA 520.56.06 driver release.
"""
KEY = "modprobe: ERROR: could not insert 'nvidia': Key was rejected by service\n"
LOCKDOWN = "Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7\n"
MISMATCH = """NVRM: API mismatch: the client has the version 580.95.05, but
NVRM: this kernel module has the version 570.211.01.
"""


def primary(log, report=None):
    return explain(read_log(log.encode()), report, python() if report else None).primary


def first_fix(log, report=None):
    fix = primary(log, report).fixes[0]
    return " ".join((fix.text.en, *fix.commands))


def on(system, version, *, name="NVIDIA GeForce RTX 5080", capability="12.0"):
    return on_system(machine(card(name, capability)), id=system, version=version)


@pytest.mark.parametrize(
    ("log", "code"),
    [
        (NEEDS_OPEN, "DRIVER_FLAVOUR_WRONG"),
        (NEEDS_CLOSED, "DRIVER_FLAVOUR_WRONG"),
        (DROPPED, "DRIVER_DROPPED_CARD"),
        (LEGACY, "DRIVER_DROPPED_CARD"),
        (TOO_OLD, "DRIVER_TOO_OLD"),
        (KEY, "SECURE_BOOT_MODULE_REJECTED"),
        (LOCKDOWN, "SECURE_BOOT_MODULE_REJECTED"),
        (MISMATCH, "DRIVER_LIBRARY_MISMATCH"),
    ],
)
def test_message_of_the_kernel_is_known(log, code):
    assert primary(log).code == code
    assert primary(log).fixes


@pytest.mark.parametrize(
    ("system", "version", "words"),
    [
        ("ubuntu", "24.04", "sudo apt install nvidia-driver-580-open"),
        ("fedora", "43", "_with_kmod_nvidia_open"),
        ("rocky", "9.6", "nvidia-driver:open-dkms"),
        ("arch", None, "pacman -Syu nvidia-open"),
    ],
)
def test_flavour_is_named_for_the_distribution(system, version, words):
    assert words in first_fix(NEEDS_OPEN, on(system, version))


def test_without_a_machine_the_sentence_is_general():
    assert "open kernel modules" in first_fix(NEEDS_OPEN)
    assert "sudo apt" not in first_fix(NEEDS_OPEN)
    assert "proprietary" in first_fix(NEEDS_CLOSED)


def test_old_card_gets_r580_and_never_the_open_flavour():
    report = on("ubuntu", "24.04", name="NVIDIA GeForce GT 1030", capability="6.1")

    for log in (NEEDS_CLOSED, DROPPED):
        assert "sudo apt install nvidia-driver-580" in first_fix(log, report)
        assert "580-open" not in first_fix(log, report)


def test_card_of_an_ended_branch_gets_no_driver_at_all():
    assert "apt" not in first_fix(LEGACY)
    assert "R580" in first_fix(LEGACY)


@pytest.mark.parametrize(("system", "key"), [("ubuntu", "MOK.der"), ("debian", "mok.pub"), ("fedora", "kmodgenca")])
def test_key_is_enrolled_where_the_distribution_keeps_it(system, key):
    assert key in first_fix(KEY, on(system, "24.04"))


def test_mismatch_is_kept_from_coming_back():
    fixes = primary(MISMATCH, on("ubuntu", "24.04")).fixes

    assert fixes[0].commands == ("sudo reboot",)
    assert any("apt-mark hold" in " ".join(fix.commands) for fix in fixes)
