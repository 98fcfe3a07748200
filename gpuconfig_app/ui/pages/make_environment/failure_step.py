"""It could not be made: what the log doctor makes of it, the log, and the way back to the plan."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuconfig_app.core.environment_made import MadeEnvironment, MakeOutcome
from gpuconfig_app.core.finding import Finding, Severity
from gpuconfig_app.ui.environment_making import EnvironmentMaking
from gpuconfig_app.ui.pages.make_environment.found_block import FoundBlock
from gpuconfig_app.ui.pages.make_environment.installer_log import InstallerLog
from gpuconfig_app.ui.pages.make_environment.making_words import outcome_shown
from gpuconfig_app.ui.pages.make_environment.run_cards import WhatWasRun
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.verdict_banner import VerdictBanner


class FailureStep(QWidget):
    """The failure.

    Args:
        making: What failed.
    """

    def __init__(self, state: AppState, making: EnvironmentMaking, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state, self._making = state, making
        self._made: MadeEnvironment | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        self.banner = VerdictBanner()
        self._found = FoundBlock(state)
        self._left = TextLabel("", "body", "warning", wraps=True, is_selectable=True)
        self._run = WhatWasRun(state.text)
        self.log = InstallerLog()
        column.addWidget(self.banner)
        column.addWidget(self._found)
        column.addWidget(self._left)
        column.addWidget(self._run)
        column.addWidget(self.log, 1)

    @property
    def holds_primary(self) -> bool:
        """Whether the page's one filled button is here."""
        return self._found.holds_primary

    def refresh(self) -> None:
        """Show what failed."""
        made = self._making.made
        if made is None or made.outcome is not MakeOutcome.FAILED:
            return
        self.log.show_lines(self._making.lines)
        self.log.setVisible(bool(self._making.lines))
        if made is self._made:
            return
        self._made = made
        severity, word, icon = outcome_shown(made)
        text = self._state.text
        why = text(made.failure.sentence) if made.failure is not None else ""
        self.banner.show_verdict(severity, word, f"{why} {text(made.headline)}".strip(), icon_name=icon)
        self._found.show_finding(_told_by(made))
        self._run.show_made(made)
        self._left.setText(self.tr("Could not be removed: {paths}").format(paths=", ".join(made.left_behind)))
        self._left.setVisible(bool(made.left_behind))

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Leave out what is secondary on a narrow window."""
        self.banner.set_narrow(is_narrow=is_narrow)


def _told_by(made: MadeEnvironment) -> Finding | None:
    """Give what the log doctor recognised; the sentence of the failure stands where it knows nothing better."""
    explained = made.failure.explained if made.failure is not None else None
    if explained is None or not explained.is_known or explained.primary.severity is Severity.GOOD:
        return None
    return explained.primary
