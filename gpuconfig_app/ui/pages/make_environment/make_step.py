"""Second step: how the making goes on, and what the installer says."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.environment_making import EnvironmentMaking
from gpuconfig_app.ui.pages.make_environment.installer_log import InstallerLog
from gpuconfig_app.ui.pages.make_environment.making_card import MakingCard
from gpuconfig_app.ui.pages.make_environment.making_words import load_shown, steps_shown
from gpuconfig_app.ui.state import AppState

_TICK_MS = 1000


class MakeStep(QWidget):
    """Steps, bars and log.

    Args:
        making: What goes on.
    """

    def __init__(self, state: AppState, making: EnvironmentMaking, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state, self._making = state, making
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        self.card = MakingCard()
        self.log = InstallerLog()
        column.addWidget(self.card)
        column.addWidget(self.log, 1)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.refresh)
        making.progressed.connect(self._refresh_when_seen)

    def refresh(self) -> None:
        """Show how it stands."""
        making = self._making
        plan, progress = making.plan, making.progress
        if plan is None:
            return
        since_s = 0.0
        if progress is not None:
            since_s = max(self._state.workbench.clock.monotonic() - making.progress_at, 0.0)
        steps = progress.steps if progress is not None else ()
        load = None if making.is_ending else load_shown(plan, progress)
        doing = self._doing() if load is None else ""
        text, is_ending = self._state.text, making.is_ending
        self.card.show_steps(steps_shown(plan, steps, text, since_s=since_s, doing=doing, is_ending=is_ending), load)
        self.log.show_lines(making.lines)

    def _doing(self) -> str:
        making = self._making
        if making.is_ending:
            return self.tr("Ending it and removing what was made so far…")
        return self._state.text(making.progress.message) if making.progress is not None else ""

    def _refresh_when_seen(self) -> None:
        if self.isVisible():
            self.refresh()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        self._timer.start()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
