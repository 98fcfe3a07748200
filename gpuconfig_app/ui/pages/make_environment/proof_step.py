"""Third step: what came out, each test with the device it really ran on, and how the environment is used."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.environment_made import MadeEnvironment, MakeOutcome
from gpuconfig_app.ui.environment_making import EnvironmentMaking
from gpuconfig_app.ui.pages.make_environment.found_block import FoundBlock
from gpuconfig_app.ui.pages.make_environment.making_words import loaded_shown, made_meta, outcome_shown
from gpuconfig_app.ui.pages.make_environment.proven_card import ProvenCard
from gpuconfig_app.ui.pages.make_environment.run_cards import HowToUse, WhatWasRun
from gpuconfig_app.ui.proof_shown import proof_shown
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import ANY_SIZE
from gpuconfig_app.ui.widgets.buttons import OUTLINED, PRIMARY, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard
from gpuconfig_app.ui.widgets.key_values import KeyValues
from gpuconfig_app.ui.widgets.verdict_banner import VerdictBanner

_SIDE_WIDTH = 400


class ProofStep(QWidget):
    """The environment that was made.

    Args:
        making: What was made.
    """

    def __init__(self, state: AppState, making: EnvironmentMaking, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state, self._making = state, making
        self._made: MadeEnvironment | None = None
        self._is_narrow = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        self.banner = VerdictBanner()
        self._found = FoundBlock(state)
        self.proven = ProvenCard()
        self.loaded = HeadedCard(self.tr("What was loaded"))
        self._loaded_rows = KeyValues(label_width=110)
        self.loaded.body.addWidget(self._loaded_rows)
        self.loaded.body.addStretch(1)
        self.use = HowToUse(state)
        self.run = WhatWasRun(state.text)
        column.addWidget(self.banner)
        column.addWidget(self._found)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(12)
        self._row.addWidget(self.proven, 1)
        self._row.addWidget(self.loaded)
        column.addLayout(self._row)
        column.addWidget(self.use)
        column.addWidget(self.run)
        column.addStretch(1)
        self.set_narrow(is_narrow=False)

    @property
    def is_used(self) -> bool:
        """Whether the new environment is the chosen one."""
        made, environment = self._making.made, self._state.environment
        return made is not None and environment is not None and environment.executable == made.interpreter

    @property
    def holds_primary(self) -> bool:
        """Whether the page's one filled button is here."""
        return not self.is_used or self._found.holds_primary

    def refresh(self) -> None:
        """Show what was made."""
        made = self._making.made
        if made is None or made.outcome in (MakeOutcome.FAILED, MakeOutcome.CANCELLED):
            return
        severity, word, icon = outcome_shown(made)
        self.banner.show_verdict(severity, word, self._state.text(made.headline), made_meta(made), icon)
        if made is not self._made:
            self._show_made(made)
        self._show_buttons()

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Put the cards below each other on a narrow window."""
        self._is_narrow = is_narrow
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self.loaded.setMinimumWidth(0 if is_narrow else _SIDE_WIDTH)
        self.loaded.setMaximumWidth(ANY_SIZE if is_narrow else _SIDE_WIDTH)
        self.banner.set_narrow(is_narrow=is_narrow)
        self.use.set_narrow(is_narrow=is_narrow)

    def _show_made(self, made: MadeEnvironment) -> None:
        self._made = made
        is_unproven = made.outcome is MakeOutcome.NOT_PROVEN and made.compat is not None
        self._found.show_finding(made.compat.primary if is_unproven and made.compat is not None else None)
        self._show_proof(made)
        self.use.show_made(made)
        self.run.show_made(made)

    def _show_buttons(self) -> None:
        if self.is_used:
            self.banner.set_buttons(())
            return
        kind = OUTLINED if self._found.holds_primary else PRIMARY
        use = Button(self.tr("Use this environment"), kind, "check", scale="large", on_click=self._making.use)
        use.setObjectName("use_environment")
        self.banner.set_buttons((use,))

    def _show_proof(self, made: MadeEnvironment) -> None:
        compat, report = made.compat, self._state.report
        has_proof = compat is not None and compat.proof is not None and report is not None
        self.proven.setVisible(has_proof)
        self.loaded.setVisible(has_proof)
        if compat is None or compat.proof is None or report is None:
            return
        shown = proof_shown(compat, report, self._state.text, is_recorded=False)
        self.proven.show_proof(shown)
        # that CUDA libraries are missing is no news where none were asked for
        is_cpu = made.outcome is MakeOutcome.CPU_PROVEN
        rows = [(name, remark or value, "") for name, value, remark in shown.loaded if not (is_cpu and remark)]
        self._loaded_rows.show_rows((*loaded_shown(compat.proof), *rows))
