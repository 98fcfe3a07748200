"""The real window with the real workbench on recorded machines, for tests that use it as a person does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.ui.application import Shell, make_application
from gpuconfig_app.ui.first_look import FirstLook
from gpuconfig_app.ui.page import Page
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.workbench.bench import Workbench

ROOT = Path(__file__).resolve().parents[2]
TIME_LIMIT_MS = 20_000


class RealWindow:
    """A window on a recorded machine.

    Args:
        machine: Folder or shipped name.
        size: Width and height.
    """

    def __init__(self, machine: str, size: tuple[int, int] = (1280, 800)) -> None:
        self.app = make_application(["tests"])
        self.shell = Shell(self.app, FirstLook(theme="light", language="en"))
        self.window = self.shell.window
        self.window.resize(*size)
        self.window.show()
        self.shell.bring_to_life(machine, lambda: AppState(Workbench()))
        self.state.update_settings(theme="light", language="en")
        self.wait_for_verdict()

    @property
    def state(self) -> AppState:
        """What the window knows."""
        assert self.shell.state is not None
        return self.shell.state

    def choose_look(self, theme: str, language: str) -> None:
        """Change theme and language as the settings page does; the pages are rebuilt when the language is another."""
        self.state.update_settings(theme=theme, language=language)
        settle()

    def open_machine(self, machine: str) -> None:
        """Choose another machine as the rail does, and wait for its verdict."""
        self.state.select_machine(machine)
        self.wait_for_verdict()

    def open_page(self, page_id: str) -> Page:
        """Show a page and let it paint."""
        self.window.open_page(page_id)
        settle()
        page = self.window.page(page_id)
        assert page is not None, f"{page_id} did not open"
        return page

    def wait_for_verdict(self) -> CompatReport:
        """Wait until everything is known of the machine."""
        state = self.state
        wait_until(lambda: state.compat is not None and not state.background.is_busy("verdicts"), "no verdict")
        assert state.compat is not None
        return state.compat

    def close(self) -> None:
        """Close the window as the user does."""
        self.window.close()
        self.shell.end()
        settle()
        self.window.deleteLater()
        self.shell.deleteLater()
        settle()


def machine_folder(name: str) -> str:
    """Give a recorded machine of the tests or of the product."""
    folders = (ROOT / "tests" / "machines" / name, ROOT / "resources" / "machines" / name)
    return str(next(folder for folder in folders if folder.is_dir()))


def settle() -> None:
    """Let everything happen that is due now: paints, deletions, timers of 0 ms and their followers."""
    for _ in range(3):
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def wait_until(claim: Callable[[], bool], otherwise: str, limit_ms: int = TIME_LIMIT_MS) -> None:
    """Let the window live until a claim holds.

    Raises:
        AssertionError: It did not within the limit.
    """
    loop = QEventLoop()
    look, end = QTimer(), QTimer()
    look.timeout.connect(lambda: claim() and loop.quit())
    end.setSingleShot(True)
    end.timeout.connect(loop.quit)
    look.start(5)
    end.start(limit_ms)
    if not claim():
        loop.exec()
    look.stop()
    end.stop()
    assert claim(), otherwise
