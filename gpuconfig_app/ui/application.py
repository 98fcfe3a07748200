"""Starts the window: first a painted frame, then everything else.

Before the first paint only Qt, the resources and the shell are imported (design decision 8); the state, the workbench
and all they need come in the first turn of the event loop after it.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QMessageLogContext, QObject, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication, Qt
from PySide6.QtWidgets import QApplication

from gpuconfig_app import __version__
from gpuconfig_app.ui.first_look import FirstLook, read_first_look
from gpuconfig_app.ui.garbage import GarbageTimer
from gpuconfig_app.ui.icons import app_icon
from gpuconfig_app.ui.language import CHINESE, LanguageSwitch, resolve_language
from gpuconfig_app.ui.main_window import MainWindow
from gpuconfig_app.ui.theme import Theme, current_theme

if TYPE_CHECKING:
    from gpuconfig_app.storage.settings import Settings
    from gpuconfig_app.ui.state import AppState

logger = logging.getLogger(__name__)
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def run_window(machine: str | None = None) -> int:
    """Show the window until it is closed.

    Args:
        machine: Recorded machine to open, None for this one.

    Returns:
        The exit code. Threads may still run, for a driver call may hang: see ``__main__.leave``.
    """
    qInstallMessageHandler(log_qt_message)
    app = make_application(sys.argv)
    look = read_first_look()
    shell = Shell(app, look)
    shell.window.first_painted.connect(lambda: _begin(shell, machine))
    shell.window.show()
    signal.signal(signal.SIGINT, lambda *_: app.quit())
    code = app.exec()
    shell.end()
    logging.shutdown()
    return code


def _begin(shell: Shell, machine: str | None) -> None:
    """Go on after the first paint; the log keeps how long the start took, the benchmark reads it there."""
    painted_s = time.process_time()
    shell.bring_to_life(machine)

    def tell() -> None:
        text = "start: painted after %.3f s, usable after %.3f s of processor time"
        logger.info(text, painted_s, time.process_time())

    QTimer.singleShot(0, shell, tell)


def make_application(arguments: list[str]) -> QApplication:
    """Give the application with style, names and icon; the one that exists when there is one."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    QGuiApplication.setDesktopFileName("gpuconfig")
    app = QApplication(arguments)
    app.setStyle("Fusion")
    app.setApplicationName("gpuconfig")
    app.setApplicationDisplayName("GPUConfig")
    app.setApplicationVersion(__version__)
    app.setWindowIcon(app_icon())
    return app


class Shell(QObject):
    """The window with its look, before and after the state is there.

    Args:
        look: Settings the first paint needs.

    Attributes:
        window: The window.
        state: None until ``bring_to_life``.
    """

    def __init__(self, app: QApplication, look: FirstLook) -> None:
        super().__init__(app)
        self._garbage = GarbageTimer(self)
        self._theme: Theme = current_theme()
        self._language = LanguageSwitch(app, self)
        self._set_look(look.theme, look.language)
        self.state: AppState | None = None
        self._given_machine: str | None = None
        self.window = MainWindow(look.last_page)
        self.window.restore_geometry_text(look.window_geometry)
        self.window.closing.connect(self._keep_window)

    def bring_to_life(self, machine: str | None, make_state: Callable[[], AppState] | None = None) -> None:
        """Make the state, attach the window to it, and begin.

        Args:
            machine: Recorded machine for this start only; None takes the one that was open last.
        """
        self._given_machine = machine
        self.state = (make_state or _make_state)()
        self.state.setParent(self)
        self._tell_language()
        self.state.settings_changed.connect(self._follow_settings)
        self.window.attach(self.state)
        self.state.start(machine if machine is not None else self.state.settings.machine)
        self._ask_before_closing(self.state)
        self._tell_alarms(self.state)

    def _ask_before_closing(self, state: AppState) -> None:
        from gpuconfig_app.ui.close_question import CloseQuestion  # noqa: PLC0415  # not before the first paint

        self.window.ask_first = CloseQuestion(state, self.window, self.window.close_now).ask

    def _tell_alarms(self, state: AppState) -> None:
        """Put alarms into the message bar from the start, whichever page is open."""
        from gpuconfig_app.ui.alarm_notices import AlarmNotices  # noqa: PLC0415  # not before the first paint

        self._alarms = AlarmNotices(state)
        state.alarms_changed.connect(self._alarms.refresh)
        state.machine_changed.connect(self._alarms.refresh)
        state.report_changed.connect(self._alarms.refresh)

    def end(self) -> None:
        """Stop everything without waiting."""
        if self.state is not None:
            self.state.stop()
        self._garbage.stop()

    def _set_look(self, theme: str, language: str) -> bool:
        """Apply theme and language; True when the language is another one now."""
        before = self._language.current
        self._language.apply(resolve_language(language))
        self._theme.choose(theme, is_chinese=self._language.current == CHINESE)
        return before not in ("", self._language.current)

    def _follow_settings(self, settings: Settings) -> None:
        if self._set_look(settings.theme, settings.language):
            self._tell_language()
            # the page whose control was used must not be thrown away while it still handles the event
            QTimer.singleShot(0, self, self.window.rebuild)

    def _tell_language(self) -> None:
        from gpuconfig_app.core.messages import Language  # noqa: PLC0415  # not before the first paint

        if self.state is not None:
            self.state.set_language(Language(self._language.current))

    def _keep_window(self) -> None:
        """Write size, place and page; a failing write is only logged, for the window is closing."""
        if self.state is None:
            return
        from dataclasses import replace  # noqa: PLC0415  # only here

        from gpuconfig_app.core.errors import StorageError  # noqa: PLC0415  # not before the first paint
        from gpuconfig_app.storage.settings import save_settings  # noqa: PLC0415  # as above

        is_given = self._given_machine is not None and self.state.machine_name == self._given_machine
        settings = replace(
            self.state.settings,
            window_geometry=self.window.geometry_text(),
            last_page=self.window.page_id or None,
            machine=self.state.settings.machine if is_given else self.state.machine_name,
        )
        try:
            save_settings(self.state.workbench.places, settings)
        except StorageError as error:
            logger.warning("window not kept: %s", error)


def log_qt_message(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Send what Qt says to the log; a windowed program may have no stderr."""
    logging.getLogger("qt").log(_LEVELS.get(kind, logging.WARNING), "%s (%s)", text, context.category or "default")


def _make_state() -> AppState:
    from gpuconfig_app.storage.log import start_log  # noqa: PLC0415  # not before the first paint
    from gpuconfig_app.ui.state import AppState  # noqa: PLC0415  # as above
    from gpuconfig_app.workbench.bench import Workbench  # noqa: PLC0415  # as above

    workbench = Workbench()
    start_log(workbench.places, is_verbose=bool(os.environ.get("GPUCONFIG_VERBOSE")))
    state = AppState(workbench)
    sys.excepthook = _make_excepthook(state)
    return state


def _make_excepthook(
    state: AppState,
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """Log an uncaught error and show its line; the window stays open.

    Python keeps the last traceback, and with it what was local: after an error in a paintEvent the painter would stay
    active, on which Qt aborts. So the frames are emptied.
    """

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        logger.critical("uncaught error", exc_info=(kind, error, trace))
        traceback.clear_frames(trace)
        if isinstance(error, Exception):
            state.post_error("defect", error)

    return hook
