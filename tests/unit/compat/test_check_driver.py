"""The verdict on machines whose driver or card stands in the way, as people reported them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.finding import Severity, Verdict
from gpuconfig_app.core.gpu import ComputeMode, Gpu, GpuProcess, GpuState, Vendor
from gpuconfig_app.core.system import BackendState, DriverInfo, SystemReport
from tests.unit.compat.machines import (
    all_text,
    answer,
    card,
    machine,
    nvidia,
    on_cards,
    on_system,
    python,
    verdict_of,
    with_code,
    wsl2,
)


def test_driver_below_the_floor_is_blocking():
    report = verdict_of(
        replace(machine(card("Tesla V100", "7.0")), drivers=(nvidia("470.256.02", "11.4"),)), python("2.18.1")
    )

    assert answer(report) == ("blocked", "cpu_only", "DRIVER_TOO_OLD")
    assert report.primary is not None
    assert "525.60.13" in report.primary.text.en
    assert "toolkit" in report.primary.text.en


@pytest.mark.parametrize(
    ("driver", "answer"),
    [("525.60.13", "ready"), ("525.60.11", "blocked"), ("535.54.03", "ready"), ("595.71.05", "ready")],
)
def test_linux_floor_of_cuda_12(driver, answer):
    assert verdict_of(replace(machine(), drivers=(nvidia(driver),))).verdict == answer


@pytest.mark.parametrize(
    ("driver", "answer"),
    [("527.41", "ready_with_notes"), ("528.32", "ready_with_notes"), ("528.33", "ready"), ("527.40", "blocked")],
)
def test_wsl2_is_held_against_the_windows_column(driver, answer):
    report = wsl2(replace(machine(), drivers=(DriverInfo(vendor=Vendor.NVIDIA, version=driver),)))

    assert verdict_of(report).verdict == answer


def test_driver_must_know_the_card():
    report = verdict_of(replace(machine(card("RTX 5090", "12.0")), drivers=(nvidia("550.163.01", "12.4"),)))

    assert answer(report) == ("blocked", "cpu_only", "DRIVER_TOO_OLD")
    assert report.primary is not None
    assert "570.26" in report.primary.text.en


def test_blackwell_gets_the_driver_with_open_modules():
    report = on_cards(machine(card("RTX 5090", "12.0")), state=GpuState.DRIVER_MISSING, bound_driver=None)
    found = verdict_of(with_code(replace(report, drivers=()), "library_not_found", BackendState.DRIVER_MISSING))

    assert found.primary is not None
    assert found.primary.code == "NO_DRIVER"
    assert "sudo apt install nvidia-driver-580-open" in found.primary.fixes[0].commands


def without_driver(report, **system):
    """Take the driver away from a machine with another system."""
    report = on_system(on_cards(report, state=GpuState.DRIVER_MISSING, bound_driver=None), **system)
    return with_code(replace(report, drivers=()), "library_not_found", BackendState.DRIVER_MISSING)


@pytest.mark.parametrize(
    ("system", "version", "command"),
    [
        ("ubuntu", "24.04", "sudo ubuntu-drivers install"),
        ("linuxmint", "22.1", "sudo ubuntu-drivers install"),
        ("linuxmint", "6", "sudo apt install linux-headers-amd64 nvidia-driver firmware-misc-nonfree"),
        ("pop", "22.04", "sudo apt install system76-driver-nvidia"),
        ("debian", "12", "sudo apt install linux-headers-amd64 nvidia-driver firmware-misc-nonfree"),
        ("fedora", "44", "sudo dnf install akmod-nvidia xorg-x11-drv-nvidia-cuda"),
        ("rocky", "9.6", "sudo dnf module enable nvidia-driver:open-dkms"),
        ("almalinux", "10.1", "sudo dnf install nvidia-open"),
        ("amzn", "2023", "sudo dnf module enable nvidia-driver:open-dkms"),
        ("opensuse-leap", "15.6", "sudo zypper install openSUSE-repos-Leap-NVIDIA"),
        ("manjaro", "25.0", "sudo mhwd -a pci nonfree 0300"),
        ("arch", None, "sudo pacman -Syu nvidia-open"),
        ("nixos", "25.11", "sudo nixos-rebuild switch"),
    ],
)
def test_missing_driver_gets_the_command_of_its_distribution(system, version, command):
    found = verdict_of(without_driver(machine(), id=system, version=version))

    assert answer(found) == ("blocked", "cpu_only", "NO_DRIVER")
    assert found.primary is not None
    assert command in found.primary.fixes[0].commands


def test_unknown_distribution_gets_a_general_sentence_and_no_command():
    found = verdict_of(without_driver(machine(), id="void", version="1"))

    assert found.primary is not None
    assert [fix.commands for fix in found.primary.fixes] == [()]
    assert "package manager of your distribution" in found.primary.fixes[0].text.en


def test_debian_has_no_driver_of_its_own_that_is_new_enough_for_a_hopper_card():
    found = verdict_of(without_driver(machine(card("NVIDIA H100", "9.0")), id="debian", version="13"))

    assert found.primary is not None
    assert "sudo apt install linux-headers-amd64 nvidia-open" in found.primary.fixes[0].commands


def test_secure_boot_step_stands_before_the_restart():
    found = verdict_of(without_driver(machine(), id="debian", version="12", secure_boot=True))

    assert found.primary is not None
    commands = found.primary.fixes[0].commands
    assert commands[-2:] == ("sudo mokutil --import /var/lib/dkms/mok.pub", "sudo reboot")
    assert "Enroll MOK" in found.primary.fixes[0].text.en


def test_signed_packages_need_no_secure_boot_step():
    found = verdict_of(without_driver(machine(), id="ubuntu", version="24.04", secure_boot=True))

    assert found.primary is not None
    assert "mokutil" not in " ".join(found.primary.fixes[0].commands)


def test_pascal_gets_the_last_branch_that_serves_it():
    report = replace(machine(card("GTX 1080", "6.1")), drivers=(nvidia("595.71.05", "13.2"),))
    found = verdict_of(report, python("2.19.1"))

    assert answer(found) == ("blocked", "cpu_only", "DRIVER_DROPPED_CARD")
    assert found.primary is not None
    assert "sudo apt install nvidia-driver-580" in found.primary.fixes[0].commands


def test_nouveau_is_proven_by_the_bound_driver_alone():
    report = on_cards(machine(), bound_driver="nouveau", state=GpuState.DRIVER_MISSING)
    found = verdict_of(with_code(report, "driver_not_loaded", BackendState.DRIVER_MISSING))

    assert answer(found) == ("blocked", "cpu_only", "NOUVEAU_BOUND")
    assert found.primary is not None
    assert "sudo update-initramfs -u" in found.primary.fixes[0].commands
    assert [item.code for item in found.findings] == ["NOUVEAU_BOUND"]


def test_library_and_module_of_different_versions_need_a_restart():
    driver = DriverInfo(vendor=Vendor.NVIDIA, version="470.57.02", kernel_version="460.91.03")
    found = verdict_of(
        with_code(on_cards(replace(machine(), drivers=(driver,)), state=GpuState.FAILED), "driver_library_mismatch")
    )

    assert found.primary is not None
    assert found.primary.code == "DRIVER_LIBRARY_MISMATCH"
    assert found.primary.fixes[0].commands == ("sudo reboot",)
    assert "apt-mark hold" in found.primary.fixes[1].commands[0]
    assert "forward compat" not in all_text(found)


def test_secure_boot_is_not_met_with_another_installation():
    report = on_cards(machine(), state=GpuState.DRIVER_MISSING, bound_driver=None)
    report = with_code(on_system(report, secure_boot=True), "driver_not_loaded", BackendState.DRIVER_MISSING)
    found = verdict_of(replace(report, drivers=()))

    assert answer(found) == ("blocked", "cpu_only", "SECURE_BOOT_MODULE_REJECTED")
    assert "apt install nvidia-driver" not in all_text(found)
    assert "ubuntu-drivers" not in all_text(found)


def test_silent_driver_is_unknown_not_blocked():
    found = verdict_of(with_code(on_cards(machine(), state=GpuState.NO_ANSWER), "no_answer"))

    assert answer(found) == ("unknown", "unknown", "DRIVER_NO_ANSWER")


def test_lost_card_leaves_the_other_one():
    cards = (card(index=0), replace(card(index=1), state=GpuState.LOST))
    found = verdict_of(machine(*cards))

    assert answer(found) == ("ready_with_notes", "native", "GPU_LOST")
    assert found.gpu_indexes == (0,)
    assert found.primary is not None
    assert found.primary.severity is Severity.WARNING
    assert found.primary.gpu_indexes == (1,)
    assert any("CUDA_VISIBLE_DEVICES=0" in command for fix in found.primary.fixes for command in fix.commands)


def test_no_permission_is_named():
    found = verdict_of(with_code(on_cards(machine(), state=GpuState.NO_PERMISSION), "no_permission"))

    assert answer(found) == ("blocked", "cpu_only", "NO_GPU_PERMISSION")


def test_prohibited_compute_mode_blocks():
    found = verdict_of(on_cards(machine(), compute_mode=ComputeMode.PROHIBITED))

    assert answer(found) == ("blocked", "cpu_only", "COMPUTE_MODE_EXCLUSIVE")
    assert "growth" not in all_text(found)


def test_exclusive_card_that_is_taken_blocks_and_a_free_one_does_not():
    taken = on_cards(
        machine(), compute_mode=ComputeMode.EXCLUSIVE_PROCESS, processes=(GpuProcess(pid=41, kind="compute"),)
    )
    free = on_cards(machine(), compute_mode=ComputeMode.EXCLUSIVE_PROCESS)

    assert answer(verdict_of(taken)) == ("blocked", "gpu_fails", "COMPUTE_MODE_EXCLUSIVE")
    assert answer(verdict_of(free)) == ("ready_with_notes", "native", "COMPUTE_MODE_EXCLUSIVE")


def test_sleeping_card_is_judged_from_tables_and_not_woken():
    sleeping = Gpu(
        index=0, vendor=Vendor.NVIDIA, state=GpuState.ASLEEP, pci_id="10de:2684", bound_driver="nvidia",
    )  # fmt: skip
    kernel_only = DriverInfo(vendor=Vendor.NVIDIA, kernel_version="580.95.05")
    found = verdict_of(replace(machine(sleeping), drivers=(kernel_only,)))

    assert answer(found) == ("ready_with_notes", "native", None)
    assert [item.code for item in found.findings] == ["HYBRID_GPU_ASLEEP"]


def test_switched_off_card_asks_for_its_profile_not_for_a_driver():
    off = Gpu(index=0, vendor=Vendor.NVIDIA, state=GpuState.ASLEEP, pci_id="10de:2684")
    found = verdict_of(machine(off))

    assert answer(found) == ("blocked", "cpu_only", "HYBRID_GPU_POWERED_OFF")
    assert found.primary is not None
    assert "prime-select" in found.primary.fixes[0].commands[0]


def test_card_that_cannot_be_identified_is_unknown():
    found = verdict_of(machine(Gpu(index=0, vendor=Vendor.NVIDIA, name="Graphics Device", bound_driver="nvidia")))

    assert answer(found) == ("unknown", "unknown", "FACTS_MISSING")
    assert found.primary is not None
    assert {item.id for item in found.primary.evidence} == {"compat.unproven-machine-code"}


def test_unknown_driver_version_is_unknown():
    found = verdict_of(replace(machine(), drivers=()))

    assert found.verdict is Verdict.UNKNOWN
    assert found.primary is not None
    assert "compat.unproven-driver" in {item.id for item in found.primary.evidence}


def test_driver_that_runs_without_its_cuda_library_is_not_ready():
    report = machine()
    report = replace(report, host=replace(report.host, libraries=replace(report.host.libraries, libcuda=None)))
    assert answer(verdict_of(report)) == ("blocked", "cpu_only", "DRIVER_LIBRARY_MISSING")

    debian = verdict_of(on_system(report, id="debian"))
    assert debian.primary is not None
    assert debian.primary.fixes[0].commands == ("sudo apt install libcuda1",)


def _first_fix(report: SystemReport) -> str:
    found = verdict_of(replace(report, drivers=(nvidia("390.157", "9.1"),)))
    assert found.primary is not None
    assert found.primary.code == "DRIVER_TOO_OLD"
    return found.primary.fixes[0].text.en


def test_nothing_is_installed_where_the_driver_lives_elsewhere():
    assert _first_fix(wsl2(machine())).startswith("On Windows")
    assert _first_fix(on_system(machine(), container="docker")).startswith("A container uses the driver of its host")


def test_no_driver_is_offered_that_does_not_serve_the_card():
    for system in ("ubuntu", "debian", "fedora", "arch", "rhel", "nixos"):
        assert "R470" in _first_fix(on_system(machine(card("Tesla K80", "3.7")), id=system))
    assert "R580" in _first_fix(on_system(machine(card("GTX 1080", "6.1")), id="ubuntu"))
    assert "R580" in _first_fix(on_system(machine(card("GTX 1080", "6.1")), id="fedora"))


def test_one_card_that_works_is_the_first_way_out_beside_one_that_needs_a_try():
    found = verdict_of(machine(card("NVIDIA GeForce RTX 5090", "12.0", index=0), card(index=1)))

    assert found.verdict is Verdict.UNKNOWN
    assert found.primary is not None
    assert found.primary.fixes[0].commands[1] == "export CUDA_VISIBLE_DEVICES=1"
