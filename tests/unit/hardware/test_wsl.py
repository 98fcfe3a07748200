"""WSL by what a stand-in for wsl.exe prints: translated, UTF-16, broken, silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.command import CommandResult, run_command
from gpuconfig_app.core.target_facts import Wsl, WslState
from gpuconfig_app.hardware import wsl as wsl_module
from gpuconfig_app.hardware.wsl import error_code, parse_list, read_wsl
from tests.unit.stand_ins import Answer, put_on_path, windows_words

ENGLISH = """  NAME            STATE           VERSION
* Ubuntu-24.04    Running         2
  Debian          Stopped         1
  My Old Linux    Stopped         2
"""
CHINESE = """  名称                   状态            版本
* Ubuntu-22.04           正在运行        2
  我的 发行版            已停止          2
  docker-desktop         已停止          2
"""
GERMAN = """  NAME      STATE             VERSION
* Ubuntu    Wird ausgeführt   2
  kali-linux    Beendet       2
"""
NO_DISTRIBUTIONS = (
    "Windows Subsystem for Linux has no installed distributions.\n"
    "Use 'wsl.exe --list --online' to list available distributions\n"
    "and 'wsl.exe --install <Distro>' to install.\n"
)
NO_DISTRIBUTIONS_CHINESE = (
    "适用于 Linux 的 Windows 子系统没有已安装的分发版。\n"
    "可以通过访问 Microsoft Store 来安装分发版:\n\nhttps://aka.ms/wslstore\n"
)
NOT_INSTALLED = (
    "The Windows Subsystem for Linux is not installed. You can install by running 'wsl.exe --install'.\n"
    "For more information please visit https://aka.ms/wslinstall\n"
)
OLD_USAGE = (
    "版权所有 (c) Microsoft Corporation。保留所有权利。\n\n用法: wsl.exe [参数] [选项...] [命令行]\n\n"
    "    --exec, -e <CommandLine>\n        执行指定的命令。\n    --distribution, -d <DistributionName>\n"
)
STATUS = "默认分发: Ubuntu-22.04\n默认版本: 2\n"
VERSION = "WSL 版本： 2.6.1.0\n内核版本： 6.6.87.2-1\nWSLg 版本： 1.0.66\nWindows 版本： 10.0.22631.4602\n"
NO_VIRTUALIZATION = (
    "Default Version: 2\nWSL2 is not supported with your current machine configuration.\n"
    'Please enable the "Virtual Machine Platform" optional component and ensure virtualization is enabled in the BIOS.'
    "\nFor information please visit https://aka.ms/enablevirtualization\nError code: Wsl/0x80370102\n"
)


def read(tmp_path: Path, **answers: Answer) -> Wsl:
    rows = {
        "-l -v": answers.get("listed", windows_words(ENGLISH)),
        "--status": answers.get("status", windows_words(STATUS)),
        "--version": answers.get("version", windows_words(VERSION)),
        "--list --running --quiet": answers.get("running", windows_words("Ubuntu-24.04\n")),
    }
    return read_wsl(program=str(put_on_path(tmp_path, "wsl.exe", rows).path))


def test_distributions_with_versions_and_states(tmp_path):
    wsl = read(tmp_path)

    assert wsl.state is WslState.READY
    assert [(item.name, item.version, item.is_default, item.is_running) for item in wsl.distributions] == [
        ("Ubuntu-24.04", 2, True, True),
        ("Debian", 1, False, False),
        ("My Old Linux", 2, False, False),
    ]
    assert (wsl.version, wsl.kernel, wsl.default_version) == ("2.6.1.0", "6.6.87.2-1", 2)
    assert [item.name for item in wsl.usable] == ["Ubuntu-24.04", "My Old Linux"]


def test_translated_words_are_not_needed(tmp_path):
    wsl = read(
        tmp_path, listed=windows_words(CHINESE), running=windows_words("Ubuntu-22.04\n"), status=windows_words(STATUS)
    )

    assert [(item.name, item.is_running) for item in wsl.distributions] == [
        ("Ubuntu-22.04", True),
        ("我的 发行版", False),
        ("docker-desktop", False),
    ]
    assert [item.name for item in wsl.usable] == ["Ubuntu-22.04", "我的 发行版"]


def test_states_of_two_words_and_a_narrow_column():
    wsl = parse_list(CommandResult(0, GERMAN.replace("    Beendet       2", " Beendet 2"), ""))

    assert [item.name for item in wsl.distributions] == ["Ubuntu", "kali-linux"]


def test_nothing_runs_is_an_error_of_wsl_and_no_trouble(tmp_path):
    wsl = read(tmp_path, running=windows_words("没有正在运行的分发。\n", code=1))

    assert [item.is_running for item in wsl.distributions] == [False, False, False]


@pytest.mark.parametrize("text", [NO_DISTRIBUTIONS, NO_DISTRIBUTIONS_CHINESE])
def test_wsl_without_a_distribution_is_ready(tmp_path, text):
    wsl = read(tmp_path, listed=windows_words(text, code=255))

    assert wsl.state is WslState.READY
    assert wsl.distributions == ()


@pytest.mark.parametrize("text", [NOT_INSTALLED, OLD_USAGE])
def test_the_pointer_that_comes_with_windows_is_not_an_installed_wsl(tmp_path, text):
    assert read(tmp_path, listed=windows_words(text, code=1)).state is WslState.NOT_INSTALLED


def test_a_failing_wsl_gives_its_code(tmp_path):
    wsl = read(
        tmp_path, listed=windows_words("Échec de l’exécution du serveur\nError code: Wsl/0x80080005\n", code=255)
    )

    assert (wsl.state, wsl.error_code) == (WslState.FAILED, "0x80080005")


def test_virtualisation_that_is_off_is_known_by_address_and_code(tmp_path):
    wsl = read(tmp_path, status=windows_words(NO_VIRTUALIZATION))

    assert wsl.needs_virtualization
    assert wsl.error_code == "0x80370102"
    assert error_code("Wsl/Service/CreateInstance/E_FAIL") == "Wsl/Service/CreateInstance/E_FAIL"


def test_without_wsl_exe_it_is_absent(tmp_path):
    assert read_wsl(program=str(tmp_path / "wsl.exe")).state is WslState.ABSENT


def test_a_wsl_that_hangs_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(wsl_module, "LIST_LIMIT_S", 0.5)

    assert read(tmp_path, listed=Answer(hangs=True)).state is WslState.NO_ANSWER


def test_a_wsl_that_crashes_is_a_failed_one(tmp_path):
    assert read(tmp_path, listed=Answer(crashes=True)).state is WslState.FAILED


def test_none_is_started_by_asking(tmp_path):
    program = put_on_path(tmp_path, "wsl.exe", {"-l -v": windows_words(ENGLISH), "*": windows_words("")})

    read_wsl(run=run_command, program=str(program.path))

    assert all("-d" not in call and "--exec" not in call for call in program.calls)
