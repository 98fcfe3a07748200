"""Opens the window on a recorded machine, visits every page and closes it; part of ``gpuconfig self-test``."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from PySide6.QtCore import QEventLoop, QMessageLogContext, QTimer, QtMsgType, qInstallMessageHandler

from gpuconfig_app.storage.places import Places
from gpuconfig_app.ui.application import Shell, log_qt_message, make_application
from gpuconfig_app.ui.first_look import FirstLook
from gpuconfig_app.ui.pages import PAGES, SUB_PAGES
from gpuconfig_app.ui.state import CHECK, AppState
from gpuconfig_app.workbench.bench import Workbench

logger = logging.getLogger(__name__)
_TIME_LIMIT_MS = 30_000
_SERIOUS = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
# said by platforms that cannot raise windows or set limits on them, about themselves
_HARMLESS = ("This plugin does not support", "propagateSizeHints")


def open_every_page(machine: str, *, is_off_screen: bool = False) -> None:
    """Open the window, wait for the verdict of the machine, and show each page once; user settings stay untouched.

    Args:
        machine: Name of a recorded machine.
        is_off_screen: Draw into memory, for a machine without a screen.

    Raises:
        RuntimeError: The verdict did not come in time, a page did not open, or Qt complained.
    """
    with tempfile.TemporaryDirectory(prefix="gpuconfig-self-test-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        _visit(
            machine,
            Places(root / "settings", root / "data", root / "cache", root / "logs"),
            is_off_screen=is_off_screen,
        )


def _visit(machine: str, places: Places, *, is_off_screen: bool) -> None:
    complaints: list[str] = []

    def remember(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        log_qt_message(kind, context, text)
        if kind in _SERIOUS and not any(part in text for part in _HARMLESS):
            complaints.append(text)

    former = qInstallMessageHandler(remember)
    app = make_application(["gpuconfig", *(("-platform", "offscreen") if is_off_screen else ())])
    shell = Shell(app, FirstLook())
    try:
        shell.window.show()
        shell.bring_to_life(machine, lambda: AppState(Workbench(places)))
        if shell.state is None or not _wait_for_verdict(shell.state):
            raise RuntimeError(f"no verdict for {machine} within {_TIME_LIMIT_MS // 1000} s")
        for spec in (*PAGES, *SUB_PAGES):
            shell.window.open_page(spec.id)
            app.processEvents()
            page = shell.window.page(spec.id)
            if page is None or not page.isVisible():
                raise RuntimeError(f"page {spec.id} did not open")
    finally:
        shell.end()
        shell.window.close_now()
        app.processEvents()
        shell.window.deleteLater()
        shell.deleteLater()
        app.processEvents()
        qInstallMessageHandler(former)
    if complaints:
        raise RuntimeError("Qt complained: " + "; ".join(complaints))


def _wait_for_verdict(state: AppState) -> bool:
    loop = QEventLoop()
    state.compat_changed.connect(lambda compat: loop.quit() if compat is not None else None)
    state.background.failed.connect(lambda topic, _: loop.quit() if topic == CHECK else None)
    if state.compat is None:
        QTimer.singleShot(_TIME_LIMIT_MS, loop, loop.quit)
        loop.exec()
    return state.compat is not None
