"""The ground all tests stand on: a private home, Qt off the screen, and nothing left behind.

A test fails that leaves threads, active timers or windows, that makes Qt print a warning, or that logs an unexpected
error. Exceptions to that stand in the lists below and nowhere else, each with its reason.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

os.environ["QT_QPA_PLATFORM"] = "offscreen"

ROOT = Path(__file__).resolve().parent.parent

# --- The one list of exceptions -------------------------------------------------------------------------------------

# Qt messages that are not about our code; each is a regular expression.
IGNORED_QT_MESSAGES = (
    # the offscreen platform cannot raise or activate windows and says so for each
    r"This plugin does not support",
)

# Threads that belong to tools, by the beginning of their name.
IGNORED_THREADS = (
    "pytest_timeout",  # the watchdog of pytest-timeout, ends with the test's teardown
    "execnet",  # workers of pytest-xdist
)

# Top-level widgets that Qt keeps for itself, by class name.
IGNORED_WIDGETS = (
    "QTipLabel",  # the one tool tip window
    "QComboBoxPrivateContainer",  # a combo box's list, deleted with its box
    "QDesktopWidget",
)

# --------------------------------------------------------------------------------------------------------------------

_PRIVATE_VARIABLES = (
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "PYTHONPATH",
    "PYTHONHOME",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "CUDA_HOME",
    "CUDA_PATH",
    "CUDA_VISIBLE_DEVICES",
    "NVIDIA_VISIBLE_DEVICES",
    "KERAS_BACKEND",
    "TF_CONFIG",
    "XLA_FLAGS",
    "TF_XLA_FLAGS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
)
_TENSORFLOW_VARIABLE = "GPUCONFIG_TENSORFLOW_PYTHON"


def pytest_configure(config: pytest.Config) -> None:
    """Hand the ignored Qt messages to pytest-qt."""
    for pattern in IGNORED_QT_MESSAGES:
        config.addinivalue_line("qt_log_ignore", pattern)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the public diagnosis cases code by code, when they were tried in this run."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    properties = [item for report in reports for item in getattr(report, "user_properties", ())]
    lines = sorted({value for name, value in properties if name == "code by code"})
    if lines:
        terminalreporter.section("public cases, code by code")
        for line in lines:
            terminalreporter.write_line(line)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs real TensorFlow by the fixture it asks for."""
    for item in items:
        if "tensorflow_python" in getattr(item, "fixturenames", ()):
            item.add_marker("tensorflow")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Set aside what was collected: looking for leftovers after each test would walk through all of it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def root() -> Path:
    """Top folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def tensorflow_python() -> Path:
    """Interpreter with TensorFlow, scikit-learn, pandas and pyarrow; never the one that runs the tests."""
    named = os.environ.get(_TENSORFLOW_VARIABLE)
    scripts = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    path = Path(named) if named else ROOT / ".venv-tensorflow" / scripts
    if not path.exists():
        pytest.fail(f"no TensorFlow environment at {path}; `python3 run.py test` makes it", pytrace=False)
    return path


@pytest.fixture(scope="session")
def machines() -> list[Path]:
    """Folders of all recorded machines: those of the tests and those that ship."""
    folders = [*(ROOT / "tests" / "machines").glob("*"), *(ROOT / "resources" / "machines").glob("*")]
    return sorted(
        folder for folder in folders if (folder / "machine.json").exists() or (folder / "report.json").exists()
    )


@pytest.fixture(autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of the test's own; nothing reads or writes the user's."""
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.setenv("GPUCONFIG_HOME", str(home / "gpuconfig"))
    for name in _PRIVATE_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def announced_errors() -> list[str]:
    """Parts of errors that the test provokes on purpose."""
    return []


@pytest.fixture
def expected_log_errors(announced_errors: list[str]) -> Callable[[str], None]:
    """Call it with a part of an error's text that this test provokes on purpose."""
    return announced_errors.append


@pytest.fixture(autouse=True)
def no_unexpected_errors(announced_errors: list[str]) -> Iterator[None]:
    """Fail when something logs an error that the test did not announce."""
    handler = _ErrorCatcher()
    logging.getLogger().addHandler(handler)
    yield
    logging.getLogger().removeHandler(handler)
    unexpected = [text for text in handler.texts if not any(part in text for part in announced_errors)]
    assert not unexpected, f"unexpected errors in the log: {unexpected}"


@pytest.fixture(autouse=True)
def no_threads_left() -> Iterator[None]:
    """Fail when a thread outlives its test: any that would hold up the exit, and every one of ours."""
    before = set(threading.enumerate())
    yield
    end = time.monotonic() + 3.0
    while (left := [item for item in threading.enumerate() if item not in before and _matters(item)]) and (
        time.monotonic() < end
    ):
        with contextlib.suppress(RuntimeError):  # just being started by another one
            left[0].join(timeout=0.1)
    assert not left, f"threads left behind: {left}"


@pytest.fixture(autouse=True)
def no_qt_left(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail when a test leaves a running timer or a window."""
    if not {"qtbot", "qapp"} & set(request.fixturenames):
        yield
        return
    from PySide6.QtCore import QCoreApplication, QEvent, QTimer
    from PySide6.QtWidgets import QApplication
    from shiboken6 import isValid

    timers: weakref.WeakSet[QTimer] = weakref.WeakSet()
    start = QTimer.start

    def remembered_start(timer: QTimer, *arguments: int) -> None:
        timers.add(timer)
        start(timer, *arguments)

    monkeypatch.setattr(QTimer, "start", remembered_start)
    known = {id(widget) for widget in QApplication.topLevelWidgets()} if QApplication.instance() else set()
    yield
    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
    running = [timer for timer in timers if isValid(timer) and timer.isActive() and not timer.isSingleShot()]
    windows = [widget for widget in _own_windows() if id(widget) not in known]
    if running or windows:  # a cycle may hold what nobody uses any more
        del running, windows
        gc.collect()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [repr(timer) for timer in timers if isValid(timer) and timer.isActive() and not timer.isSingleShot()]
    left += [repr(widget) for widget in _own_windows() if id(widget) not in known]
    assert not left, f"timers or windows left behind: {left}"


class _ErrorCatcher(logging.Handler):
    """Keeps the texts of records at level ERROR and above."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(f"{record.name}: {record.getMessage()}")


def _matters(thread: threading.Thread) -> bool:
    if thread.name.startswith(IGNORED_THREADS):
        return False
    target = getattr(thread, "_target", None)
    modules = (type(thread).__module__, getattr(target, "__module__", None) or "")
    is_ours = thread.name.startswith("gpuconfig") or any(name.startswith("gpuconfig_app") for name in modules)
    return is_ours or not thread.daemon


def _own_windows() -> list[object]:
    if "PySide6.QtWidgets" not in sys.modules:
        return []
    from PySide6.QtWidgets import QApplication, QMenu

    widgets = QApplication.topLevelWidgets() if QApplication.instance() else []
    return [
        widget
        for widget in widgets
        if type(widget).__name__ not in IGNORED_WIDGETS and not isinstance(widget, QMenu) and widget.parent() is None
    ]
