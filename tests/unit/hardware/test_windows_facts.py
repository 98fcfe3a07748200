"""What WSL2 needs of Windows, from the registry, one call of PowerShell and .wslconfig."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from gpuconfig_app.command import CommandResult
from gpuconfig_app.core.target_facts import Wsl, WslDistribution, WslState
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.hardware.windows_facts import WindowsSources, parse_size, parse_wslconfig, read_windows_facts
from tests.unit.hardware.layouts import FakeCommands

REGISTRY = {"CurrentBuildNumber": "22631", "DisplayVersion": "23H2", "RebootPending": False}
ON = "hypervisor=False\r\nfirmware=True\r\nVirtualMachinePlatform=1\r\nMicrosoft-Windows-Subsystem-Linux=1\r\n"
OFF = "hypervisor=False\r\nfirmware=False\r\nVirtualMachinePlatform=2\r\nMicrosoft-Windows-Subsystem-Linux=3\r\n"
HYPERVISOR = "hypervisor=True\r\nfirmware=False\r\nVirtualMachinePlatform=1\r\nMicrosoft-Windows-Subsystem-Linux=\r\n"


def facts(tmp_path: Path, answer: str | CommandResult | None, wsl: Wsl | None = None, **values: object):
    run = FakeCommands({} if answer is None else {"powershell.exe": answer})
    sources = WindowsSources(home=tmp_path, values=lambda: REGISTRY | values, run=run)
    return read_windows_facts(wsl, sources), run


def test_everything_on(tmp_path):
    found, _ = facts(tmp_path, ON)

    assert (found.build, found.display_version, found.is_restart_pending) == (22631, "23H2", False)
    assert (found.has_virtualization, found.has_vm_platform, found.has_wsl_feature) == (True, True, True)
    assert found.is_hypervisor_running is False
    assert not found.absent


def test_everything_off(tmp_path):
    found, _ = facts(tmp_path, OFF, RebootPending=True)

    assert (found.has_virtualization, found.has_vm_platform, found.has_wsl_feature) == (False, False, False)
    assert found.is_restart_pending is True


def test_a_running_hypervisor_proves_virtualisation_although_it_hides_the_switch(tmp_path):
    found, _ = facts(tmp_path, HYPERVISOR)

    assert found.is_hypervisor_running is True
    assert found.has_virtualization is True
    assert found.has_wsl_feature is None
    assert set(found.absent) == {"has_wsl_feature"}


def test_powershell_is_asked_once_without_a_profile_in_words_it_understands(tmp_path):
    _, run = facts(tmp_path, ON)

    (call,) = run.asked
    script = base64.b64decode(call[-1]).decode("utf-16-le")
    assert "-NoProfile" in call
    assert "Win32_OptionalFeature" in script
    assert "Get-WindowsOptionalFeature" not in script  # would need an administrator


@pytest.mark.parametrize("answer", [None, CommandResult(None, "", "", timed_out=True), CommandResult(1, "", "denied")])
def test_what_is_not_told_is_unknown_and_has_a_reason(tmp_path, answer):
    found, _ = facts(tmp_path, answer)

    assert found.has_virtualization is None
    assert found.has_vm_platform is None
    assert found.absent["has_vm_platform"].id == "targets.windows-not-told"
    assert found.build == 22631


def test_a_running_distribution_of_wsl2_proves_it_all_without_powershell(tmp_path):
    running = Wsl(state=WslState.READY, distributions=(WslDistribution(name="Ubuntu", version=2, is_running=True),))

    found, run = facts(tmp_path, OFF, running)

    assert found.has_virtualization
    assert found.has_vm_platform
    assert run.asked == []


def test_a_registry_that_can_not_be_read(tmp_path):
    def refuse() -> dict[str, str]:
        raise OSError("access denied")

    found = read_windows_facts(None, WindowsSources(home=tmp_path, values=refuse, run=FakeCommands()))

    assert found.build is None
    assert "build" in found.absent


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[wsl2]\nmemory=48GB\n", 48 * GIB),
        ("[WSL2]\r\nMemory = 512MB # small\r\n", 512 * MIB),
        ("# c\n[wsl2]\nkernel=C:\\\\k\nprocessors=4\n", None),
        ("[experimental]\nmemory=1GB\n", None),
        ("memory=1GB\n", None),
        ("[wsl2\nmemory", None),
        ("[wsl2]\nmemory=50%\n", None),
        ("", None),
    ],
)
def test_memory_in_wslconfig(text, expected):
    assert parse_wslconfig(text.encode()) == expected
    assert parse_wslconfig(b"\xef\xbb\xbf" + text.encode()) == expected
    assert parse_wslconfig(b"\xff\xfe" + text.encode("utf-16-le")) == expected


def test_the_file_in_the_home_folder_is_read(tmp_path):
    (tmp_path / ".wslconfig").write_text("[wsl2]\nmemory=8GB\n", encoding="utf-8")

    found, _ = facts(tmp_path, ON)

    assert found.wslconfig == str(tmp_path / ".wslconfig")
    assert found.wslconfig_memory_bytes == 8 * GIB


@pytest.mark.parametrize(("text", "expected"), [("1.5GB", 1.5 * GIB), ("2g", 2 * GIB), ("4096", 4096), ("x", None)])
def test_sizes(text, expected):
    assert parse_size(text) == expected
