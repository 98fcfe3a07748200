"""Which arguments open the window, and on which machine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from gpuconfig_app.__main__ import DEMO_MACHINE, has_screen, window_request
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


SCREEN = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM")


def without_screen() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in SCREEN}


def test_without_a_screen_a_sentence_is_told_in_place_of_the_window():
    shown = subprocess.run(
        [sys.executable, "-m", "gpuconfig_app", "--demo"],
        env=without_screen(), capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    assert shown.returncode == 2
    assert "gpuconfig check" in shown.stderr
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""


def test_self_test_works_without_a_screen(tmp_path):
    shown = subprocess.run(
        [sys.executable, "-m", "gpuconfig_app", "self-test"],
        env=without_screen(), capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "ok   window" in shown.stdout


@pytest.mark.parametrize(
    ("name", "value"), [("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "wayland-0"), ("XDG_SESSION_TYPE", "wayland"),
                        ("QT_QPA_PLATFORM", "offscreen")]
)  # fmt: skip
def test_a_screen_of_any_kind_is_seen(monkeypatch, name, value):
    for other in SCREEN:
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, value)

    assert has_screen()


@pytest.mark.parametrize(("hangs", "expected"), [(True, 5), (False, 7)])
def test_a_hanging_thread_ends_the_process_before_python_is_taken_down(hangs, expected):
    code = f"""
import atexit, os, sys, threading
from gpuconfig_app.__main__ import leave
atexit.register(lambda: os._exit(7))
if {hangs}:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print("said", flush={not hangs})
sys.exit(leave(5))
"""

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)

    assert (done.returncode, done.stdout) == (expected, "said\n")
