"""The real window in a child process on the stand-in for NVIDIA's library, driven by a script inside it.

The child is the program as a user starts it (``gpuconfig_app.__main__``). Once the state is there, the script runs on
the window's thread and lets the window live while it waits. Tests never load the stand-in themselves.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.native.build import stand_in_environment
from tests.native.child import BUILD, ROOT, read_calls

TIME_LIMIT_S = 120.0

# What every script may use. ``give`` hands a value to the test; the last one counts.
PREAMBLE = '''
import json, os, sys, threading, time, traceback
from pathlib import Path
from PySide6.QtCore import QElapsedTimer, QEventLoop, QObject, Qt, QTimer
from gpuconfig_app.__main__ main_import
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.ui.application import Shell, make_application
from tests.ui.page_audit import shown_texts

profile = Path(os.environ["GPUCONFIG_NVML_PROFILE"])
folder = profile.parent
healthy = profile.read_text()
given = {"thread": threading.get_native_id()}
app = make_application(["gpuconfig"])

def give(**values):
    given.update(values)
    Path(os.environ["GPUCONFIG_TEST_ANSWER"]).write_text(json.dumps(given))

def replace_profile(text):
    new = folder / "new"
    new.write_text(text)
    new.replace(profile)

def add_system(*lines, base=None):
    """Put lines into [system] of the healthy profile."""
    replace_profile((base or healthy).replace("[system]", "\\n".join(("[system]", *lines)), 1))

def until(claim, what, limit_s=30.0):
    """Let the window live until a claim holds."""
    loop, look, end = QEventLoop(), QTimer(), time.monotonic() + limit_s
    look.timeout.connect(lambda: (claim() or time.monotonic() > end) and loop.quit())
    look.start(20)
    if not claim():
        loop.exec()
    look.stop()
    assert claim(), f"{what} never came true; shown: {shown_texts(window)}"

def live_for(seconds):
    loop = QEventLoop()
    QTimer.singleShot(int(seconds * 1000), loop.quit)
    loop.exec()

def says(*parts):
    """Whether one text that is shown holds all of these."""
    return any(all(part in text for part in parts) for text in shown_texts(window))

def open_page(page):
    window.open_page(page)
    app.processEvents()

def liveness(index):
    sample = state.latest.get(key(index))
    return sample.liveness if sample is not None else None

def key(index):
    return next(key for key in state.latest if key.device == str(index))

def all_live():
    count = len(state.report.gpus) if state.report else 0
    return count > 0 and sum(sample.liveness is Liveness.LIVE for sample in state.latest.values()) >= count

class Gaps:
    """Longest time between two turns of a 10 ms timer of the window's thread."""

    def __init__(self):
        self.longest_ms, self._clock, self._timer = 0.0, QElapsedTimer(), QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._turn)
        self._clock.start()
        self._timer.start(10)

    def _turn(self):
        self.longest_ms = max(self.longest_ms, self._clock.nsecsElapsed() / 1e6)
        self._clock.restart()

    def stop(self):
        self._timer.stop()
        return self.longest_ms

def begin():
    global shell, window, state
    shells = [item for item in app.children() if isinstance(item, Shell)]
    if not shells or shells[0].state is None:
        QTimer.singleShot(10, begin)
        return
    shell = shells[0]
    window, state = shell.window, shell.state
    try:
        script()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(3)

QTimer.singleShot(0, begin)

def script():
'''.replace("gpuconfig_app.__main__ main_import", "gpuconfig_app.__main__ import main")

END = """
sys.exit(main([]))
"""


@dataclass(frozen=True)
class Answer:
    """What the child did.

    Attributes:
        given: Values of ``give``; ``thread`` is the native id of the window's thread.
        errors: Lines of the log at ERROR and above, and what it wrote to stderr.
        calls: Driver calls as (function, card or -1, thread).
    """

    given: dict[str, Any]  # Any: each script hands over its own values
    errors: list[str]
    calls: list[tuple[str, int, int]]

    @property
    def calls_on_the_window(self) -> list[str]:
        """Driver calls that were made on the window's thread."""
        return [function for function, _, thread in self.calls if thread == self.given["thread"]]


def run_window(script: str, profile: Path, page: str = "overview", interval_s: float = 0.2) -> Answer:
    """Run the program on a profile with a script inside.

    Args:
        script: Body of a function; see ``PREAMBLE``. It should end with ``window.close()``.
        profile: What the machine looks like; a copy in a folder of the test.
        page: Page that opens first.
        interval_s: Between two readings.

    Raises:
        AssertionError: It failed or did not leave with code 0; the message holds what it wrote.
    """
    home = Path(os.environ["GPUCONFIG_HOME"])
    settings = {"language": "en", "theme": "light", "sampling_interval_s": interval_s, "slow_interval_s": 1.0}
    document = {"document": "settings", "schema": 1, "last_page": page} | settings
    (home / "settings").mkdir(parents=True, exist_ok=True)
    (home / "settings" / "settings.json").write_text(json.dumps(document), encoding="utf-8")
    answer, calls = profile.parent / "answer.json", profile.parent / "calls"
    environment = stand_in_environment(profile, BUILD, os.environ, calls) | {
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen",
        "GPUCONFIG_TEST_ANSWER": str(answer),
    }
    body = "\n".join(f"    {line}" for line in script.strip().splitlines())
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE + body + END],
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, f"code {done.returncode}: {done.stderr}"
    log = home / "logs" / "gpuconfig.log"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    errors = [line for line in lines if " ERROR " in line or " CRITICAL " in line or " qt: " in line]
    given = json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else {}
    return Answer(given, errors + done.stderr.splitlines(), read_calls(calls))
