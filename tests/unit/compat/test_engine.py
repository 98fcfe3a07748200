"""How findings are worded and how commands are quoted: a folder's name must never become a command."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from gpuconfig_app.compat.engine import make_fixes
from gpuconfig_app.compat.facts_view import fill_command, fill_text, quoted
from gpuconfig_app.core.messages import LocalText
from tests.unit.compat.machines import machine, python, verdict_of

NASTY = [
    "/home/o'hara/my env/bin/python",
    '/tmp/"; rm -rf ~; "/python',
    "/x/$(reboot)/python",
    "/y/`id`/python",
    "/项目/python",
]


@pytest.mark.parametrize("path", NASTY)
def test_a_path_stays_one_word_in_a_shell(path):
    environment = replace(python(None), executable=path)
    found = verdict_of(machine(), environment)

    assert found.primary is not None
    words = shlex.split(found.primary.fixes[0].commands[0])
    assert words == [path, "-m", "pip", "install", "tensorflow[and-cuda]==2.21.0"]


def test_home_folder_of_a_recorded_machine_still_expands():
    assert quoted("~/my env/bin/python", "sh") == "~/'my env/bin/python'"
    assert quoted("~/tf/bin/python", "sh") == "~/tf/bin/python"


def test_powershell_has_its_own_quotes():
    assert quoted("C:\\Users\\o'hara\\python.exe", "powershell") == "'C:\\Users\\o''hara\\python.exe'"
    assert quoted("C:\\tf\\python.exe", "powershell") == "C:\\tf\\python.exe"


def test_command_with_a_gap_is_not_offered():
    assert fill_command("{env_python} -m pip", "sh", {"env.python": None}) is None
    assert fill_command("echo ${PATH} {tf_version}", "sh", {"tf.version": "2.21.0"}) == "echo ${PATH} 2.21.0"


def test_unknown_fact_becomes_the_word_for_it():
    text = LocalText(en="driver {driver_version}", zh_cn="驱动 {driver_version}")

    assert fill_text(text, {"driver.version": None}) == LocalText(en="driver unknown", zh_cn="驱动 未知")
    assert fill_text(text, {"driver.version": "580"}).zh_cn == "驱动 580"


def test_a_card_without_a_name_is_called_the_card():
    text = LocalText(en="{gpu_name} failed; a fault of {gpu_name}, driver {driver_version}", zh_cn="{gpu_name}出错")

    assert fill_text(text, {}) == LocalText(
        en="The card failed; a fault of the card, driver unknown", zh_cn="该显卡出错"
    )
    assert fill_text(text, {"gpu.name": "A100", "driver.version": "550.54"}).en.startswith("A100 failed")


@pytest.mark.parametrize(
    ("system", "key"),
    [("ubuntu", "MOK.der"), ("debian", "mok.pub"), ("fedora", "public_key.der"), ("rocky", "mok.pub"), ("void", None)],
)
def test_the_key_to_enrol_lies_where_the_distribution_keeps_it(system, key):
    row = make_fixes(("secure-boot-step",), {"os.id": system, "os.family": "linux"})

    assert [key in " ".join(fix.commands) for fix in row if key] == ([True] if key else [])
