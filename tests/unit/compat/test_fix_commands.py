"""Commands as the machine needs them: pip or uv, Linux or Windows, and quoted in each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.compat.fix_commands import fix_commands
from gpuconfig_app.core.python_environment import EnvironmentKind
from tests.unit.compat.machines import machine, python, verdict_of

PIP = '{env_python} -m pip install "numpy<2"'


def lines(command, shell="sh", **facts):
    known = {name.replace("__", "."): value for name, value in facts.items()}
    return fix_commands([command], shell, known)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (PIP, 'uv pip install --python /tf/bin/python "numpy<2"'),
        ("{env_python} -m pip check", "uv pip check --python /tf/bin/python"),
        ("{env_python} -m pip uninstall -y tensorflow", "uv pip uninstall --python /tf/bin/python tensorflow"),
        ("{env_python} -m venv ~/new", "/tf/bin/python -m venv ~/new"),
    ],
)
def test_uv_installs_into_what_uv_made(command, expected):
    assert lines(command, env__python="/tf/bin/python", env__kind="uv").lines == (expected,)


def test_pip_stays_elsewhere():
    assert lines(PIP, env__python="/tf/bin/python", env__kind="venv").lines == (
        '/tf/bin/python -m pip install "numpy<2"',
    )


def test_windows_gets_powershell_and_its_call_operator():
    path = "C:\\Users\\Anna Li\\tf\\Scripts\\python.exe"
    made = lines(PIP, env__python=path, env__kind="venv", os__family="windows")

    assert made.shell == "powershell"
    assert made.lines == (f"& '{path}' -m pip install \"numpy<2\"",)


def test_windows_with_a_plain_path_needs_no_operator():
    made = lines(PIP, env__python="C:\\tf\\Scripts\\python.exe", os__family="windows")

    assert made.lines == ('C:\\tf\\Scripts\\python.exe -m pip install "numpy<2"',)


def test_windows_and_uv_together():
    made = lines(PIP, env__python="C:\\my tf\\python.exe", env__kind="uv", os__family="windows")

    assert made.lines == ("uv pip install --python 'C:\\my tf\\python.exe' \"numpy<2\"",)
    assert made.shell == "powershell"


def test_command_for_a_shell_of_linux_stays_one():
    assert lines("unset LD_LIBRARY_PATH", os__family="windows").shell == "sh"


def test_gap_leaves_all_commands_out():
    assert fix_commands(["ls", PIP], "sh", {}) is None


def test_fix_of_a_verdict_goes_through_uv():
    environment = replace(python("2.17.1", packages={"numpy": "2.1.0"}), kind=EnvironmentKind.UV)
    found = verdict_of(machine(), environment)

    assert found.primary.fixes[0].commands == ('uv pip install --python /opt/anna/bin/python "numpy<2"',)
