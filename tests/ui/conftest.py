"""What tests of the window share: the application in its own style, and a window over a made-up state."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from gpuconfig_app.storage.places import user_places
from gpuconfig_app.ui.application import Shell
from gpuconfig_app.ui.first_look import FirstLook
from gpuconfig_app.ui.language import ENGLISH, LanguageSwitch
from gpuconfig_app.ui.theme import LIGHT, Theme, current_theme
from gpuconfig_app.ui.widgets import painting
from tests.ui.fakes_ui import FakeState
from tests.ui.verdicts import Judge


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The light theme in English, whatever a former test chose."""
    qapp.setStyle("Fusion")
    made = current_theme()
    made.choose(LIGHT, is_chinese=False)
    language = LanguageSwitch(qapp, made)
    language.apply(ENGLISH)
    yield made
    language.clear()
    language.deleteLater()
    made.choose(LIGHT, is_chinese=False)


@pytest.fixture
def state(theme: Theme) -> Iterator[FakeState]:
    """A state without a machine."""
    made = FakeState(user_places())
    yield made
    made.deleteLater()


@pytest.fixture
def open_shell(qapp: QApplication, theme: Theme, state: FakeState) -> Iterator[Callable[..., Shell]]:
    """Opens the window over ``state``; closed when the test ends."""
    shells: list[Shell] = []

    def make(look: FirstLook | None = None) -> Shell:
        shell = Shell(qapp, look or FirstLook(theme="light", language="en"))
        shells.append(shell)
        shell.window.show()
        shell.bring_to_life(None, lambda: state)
        qapp.processEvents()
        return shell

    yield make
    for shell in shells:
        shell.end()
        shell.window.close_now()
        shell.window.deleteLater()
        state.setParent(None)
        shell.deleteLater()
    qapp.processEvents()


@pytest.fixture
def show(theme, qtbot):
    """Shows a widget in a window of its own."""
    windows: list[QWidget] = []

    def put(widget: QWidget) -> QWidget:
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        layout = QVBoxLayout(window)
        layout.setContentsMargins(20, 20, 20, 20)
        layout.addWidget(widget)
        window.show()
        window.activateWindow()
        return widget

    return put


@pytest.fixture
def texts_drawn(monkeypatch):
    """Every text that painted widgets write from now on, in order."""
    seen: list[str] = []

    class Watched(QPainter):
        def drawText(self, *arguments):  # noqa: N802  # Qt's own name
            seen.extend(item for item in arguments if isinstance(item, str))
            super().drawText(*arguments)

    monkeypatch.setattr(painting, "QPainter", Watched)
    return seen


@pytest.fixture(scope="module")
def judged() -> Judge:
    """Judges recorded machines."""
    return Judge()
