"""Which arguments open the window, and on which machine."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gpuconfig_app.__main__ import DEMO_MACHINE, window_request
from gpuconfig_app.resources import resource_path


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], (True, None)),
        (["--demo"], (True, DEMO_MACHINE)),
        (["--machine", "x"], (True, "x")),
        (["--machine=x"], (True, "x")),
        (["check"], (False, None)),
        (["--machine", "x", "check"], (False, None)),
        (["--help"], (False, None)),
    ],
)
def test_window_is_opened_without_a_command(arguments, expected):
    assert window_request(arguments) == expected


def test_demo_machine_ships():
    assert resource_path("machines", DEMO_MACHINE, "machine.json").is_file()


def test_start_loads_neither_qt_nor_any_room():
    code = (
        "import sys, gpuconfig_app.__main__;"
        "print([m for m in sys.modules if m.startswith(('PySide6','numpy','gpuconfig_app.')) and '__main__' not in m])"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"
