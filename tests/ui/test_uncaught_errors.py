"""A defect in a slot or in a paintEvent: told and logged, and the window lives on. In children, for Qt may abort."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import sys
from PySide6.QtCore import QTimer
from gpuconfig_app.ui.application import Shell, make_application
from gpuconfig_app.ui.first_look import FirstLook
from gpuconfig_app.ui.widgets import nav_item

app = make_application(["test"])
shell = Shell(app, FirstLook(theme="light", language="en"))

def broken(*values, **named):
    raise ValueError("it broke on purpose")

def break_paint():
    nav_item.draw_text = broken
    shell.window.rail.item("runs").update()

def break_slot():
    QTimer.singleShot(0, broken)

def begin(compat):
    if compat is not None:
        {how}()
        QTimer.singleShot(300, leave)

def leave():
    titles = [shell.state.text(notice.message) for notice in shell.window._messages.notices]
    sys.stdout.write("|".join(titles))
    app.quit()

shell.window.show()
shell.bring_to_life("training-2x4090")
shell.state.compat_changed.connect(begin)
app.exec()
shell.end()
"""


@pytest.mark.parametrize("how", ["break_paint", "break_slot"])
def test_the_window_lives_on_and_tells(how: str, tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.replace("{how}", how)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout, "no message bar"
    assert "painter" not in done.stderr
    log = Path(os.environ["GPUCONFIG_HOME"], "logs", "gpuconfig.log").read_text(encoding="utf-8")
    assert "it broke on purpose" in log
