"""Before the first paint there is Qt, the resources and the shell; the window still looks as the user left it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

from gpuconfig_app.storage.places import user_places
from gpuconfig_app.storage.settings import Settings, save_settings, settings_file
from gpuconfig_app.ui.first_look import FirstLook, first_look_file, read_first_look
from tests.source_files import ROOT

PAINT = """
import sys
from gpuconfig_app.ui.application import Shell, make_application
from gpuconfig_app.ui.first_look import read_first_look
app = make_application(["gpuconfig"])
shell = Shell(app, read_first_look())
shell.window.first_painted.connect(app.quit)
shell.window.show()
app.exec()
print("\\n".join(sorted(sys.modules)))
"""
LATER = ("core", "hardware", "knowledge", "compat", "planner", "scriptgen", "dataset", "telemetry", "runner", "storage")
HEAVY = ("numpy", "pyqtgraph", "psutil", "jinja2", "pynvml", "packaging", "defusedxml")


def test_first_paint_needs_only_qt_resources_and_the_shell(private_home):
    variables = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}

    done = subprocess.run(
        [sys.executable, "-c", PAINT], env=variables, capture_output=True, text=True, check=False, timeout=120
    )

    assert done.returncode == 0, done.stderr
    modules = set(done.stdout.split())
    assert not [name for name in HEAVY if name in modules]
    ours = {name.split(".")[1] for name in modules if name.startswith("gpuconfig_app.")}
    assert not ours & set(LATER)
    assert "gpuconfig_app.workbench" not in modules


def test_first_look_reads_the_file_of_the_settings():
    assert first_look_file() == settings_file(user_places())


def test_first_look_reads_what_the_settings_wrote():
    settings = replace(Settings(), theme="dark", language="zh_CN", last_page="runs", window_geometry="QUJD")

    save_settings(user_places(), settings)

    assert read_first_look() == FirstLook("zh_CN", "dark", "QUJD", "runs")


def test_first_look_survives_a_broken_file():
    first_look_file().parent.mkdir(parents=True)
    first_look_file().write_text("{ not json", encoding="utf-8")

    assert read_first_look() == FirstLook()


def test_first_look_ignores_values_of_the_wrong_kind():
    first_look_file().parent.mkdir(parents=True)
    first_look_file().write_text('{"theme": 7, "language": "en"}', encoding="utf-8")

    assert read_first_look() == FirstLook(language="en")


LIVE_AND_LEAVE = """
import sys
from PySide6.QtCore import QTimer
from gpuconfig_app.ui import application

bring_to_life = application.Shell.bring_to_life

def bring_and_leave(shell, machine):
    bring_to_life(shell, machine)
    shell.state.compat_changed.connect(lambda compat: compat and QTimer.singleShot(300, shell.window.close))

application.Shell.bring_to_life = bring_and_leave
sys.exit(application.run_window("training-2x4090"))
"""


def test_window_starts_judges_a_machine_and_leaves_cleanly(private_home):
    variables = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LIVE_AND_LEAVE],
        env=variables, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    kept = json.loads(settings_file(user_places()).read_text(encoding="utf-8"))
    assert kept["last_page"] == "overview"
    assert "machine" not in kept, "a machine given for one start is not kept"
    logs = [path.read_text(encoding="utf-8") for path in user_places().logs.glob("gpuconfig.log*")]
    assert not [text for text in logs if "ERROR" in text or "Traceback" in text]
