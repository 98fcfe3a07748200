"""Will TensorFlow use the GPU? The cause and its fix first, then needed beside found, then every release."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout
from typing_extensions import override

from gpuconfig_app.core.finding import CompatReport, Finding, Requirement, Verdict
from gpuconfig_app.ui.card_words import cards_in_words, clock_text
from gpuconfig_app.ui.finding_words import (
    finding_shown,
    finding_source,
    release_shown,
    requirement_source,
    subject_text,
    verdict_word,
    ways_shown,
)
from gpuconfig_app.ui.page import Page
from gpuconfig_app.ui.proof_panel import ProofPanel
from gpuconfig_app.ui.state import CHECK, SURVEY, AppState
from gpuconfig_app.ui.widgets.buttons import FLAT, OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import Card, HeadedCard
from gpuconfig_app.ui.widgets.finding_card import FindingCard
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.widgets.release_strip import ReleaseStrip
from gpuconfig_app.ui.widgets.requirement_table import RequirementTable
from gpuconfig_app.ui.widgets.source_card import SourceCard, SourceShown
from gpuconfig_app.ui.widgets.verdict_banner import VerdictBanner
from gpuconfig_app.ui.widgets.ways_card import WaysCard

INSTALLED = ""
_SIDE_WIDTH = 340
_ANY_WIDTH = 16_777_215  # Qt's QWIDGETSIZE_MAX, which PySide6 does not name


class CompatibilityPage(Page):
    """Verdict in full.

    Args:
        state: State of the window.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__()
        self._state = state
        self._release = INSTALLED
        self._checked_at: float | None = None
        self.set_title(self.tr("Compatibility"))
        self._again = Button(self.tr("Check again"), FLAT, "refresh-cw", on_click=state.refresh)
        self._again.setObjectName("check_again")
        self._when = TextLabel("", "small", "muted")
        self.buttons.addWidget(self._when)
        self.buttons.addWidget(self._again)
        make = Button(self.tr("Make a working environment…"), OUTLINED, "plus")
        make.setObjectName("make_environment")
        make.clicked.connect(lambda *_: state.navigate("make_environment"))
        self.buttons.addWidget(make)
        self.body.addLayout(self._build_choice())
        self._banner = VerdictBanner()
        self._findings = QVBoxLayout()
        self._findings.setSpacing(12)
        self.body.addWidget(self._banner)
        self.body.addLayout(self._findings)
        self.body.addLayout(self._build_middle())
        self._proof = ProofPanel(state, self)
        self.body.addWidget(self._proof)
        self._releases_card = HeadedCard(self.tr("TensorFlow releases on this machine"))
        self._releases = ReleaseStrip()
        self._releases.release_chosen.connect(self._choose_series)
        self._releases_card.body.addWidget(self._releases)
        self.body.addWidget(self._releases_card)
        self.body.addStretch(1)
        self._connect()
        self._show_all()

    def _connect(self) -> None:
        state = self._state
        state.compat_changed.connect(self._take_verdict)
        state.report_changed.connect(self._show_choice)
        state.machine_changed.connect(self._forget)
        state.busy_changed.connect(self._show_busy)

    def _build_choice(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(10)
        self._environments = QComboBox()
        self._environments.setObjectName("environment")
        self._environments.setAccessibleName(self.tr("Python environment"))
        self._environments.setMinimumWidth(280)
        self._environments.activated.connect(self._choose_environment)
        self._versions = QComboBox()
        self._versions.setObjectName("release")
        self._versions.setAccessibleName(self.tr("TensorFlow release"))
        self._versions.setMinimumWidth(240)
        self._versions.activated.connect(self._choose_release)
        self._cards = ElidedLabel("", "body", "secondary", mode=Qt.TextElideMode.ElideRight)
        line.addWidget(TextLabel(self.tr("Check"), "body", "muted"))
        line.addWidget(self._environments)
        line.addWidget(TextLabel(self.tr("with"), "body", "muted"))
        line.addWidget(self._versions)
        line.addWidget(self._cards, 1)
        return line

    def _build_middle(self) -> QHBoxLayout:
        row = self._middle = QHBoxLayout()
        row.setSpacing(12)
        self._table_card = Card(padding=0)
        self._table = RequirementTable(self._state.text)
        self._table.requirement_selected.connect(self._show_requirement)
        self._table_card.body.addWidget(self._table)
        row.addWidget(self._table_card, 1, Qt.AlignmentFlag.AlignTop)
        self._side = SourceCard()
        self._side.setFixedWidth(_SIDE_WIDTH)
        row.addWidget(self._side)
        return row

    def _show_all(self) -> None:
        self._show_choice()
        self._show_verdict()
        self._show_busy()

    def _forget(self) -> None:
        self._release = INSTALLED
        self._checked_at = None
        self._show_all()

    def _take_verdict(self) -> None:
        if self._state.compat is not None:
            self._checked_at = self._state.workbench.clock.now()
        self._show_all()

    def _show_choice(self) -> None:
        report, chosen = self._state.report, self._state.environment
        self._environments.blockSignals(True)
        self._environments.clear()
        for item in report.environments if report is not None else ():
            version = item.python_version or "?"
            self._environments.addItem(f"{item.name or item.prefix}   Python {version}", item.executable)
        self._environments.setCurrentIndex(
            self._environments.findData(chosen.executable if chosen is not None else None)
        )
        self._environments.setEnabled(self._environments.count() > 0)
        if not self._environments.count():
            self._environments.addItem(self.tr("No Python environment found"))
        self._environments.blockSignals(False)
        self._show_versions()
        self._cards.setText(
            self.tr("on {cards}").format(cards=cards_in_words(report.gpus)) if report and report.gpus else ""
        )

    def _show_versions(self) -> None:
        chosen, compat = self._state.environment, self._state.compat
        self._versions.blockSignals(True)
        self._versions.clear()
        installed = chosen.tensorflow_version if chosen is not None else None
        first = (
            self.tr("TensorFlow {version}, installed").format(version=installed)
            if installed
            else self.tr("What is installed: none")
        )
        self._versions.addItem(first, INSTALLED)
        for release in compat.releases if compat is not None else ():
            if release.release != installed:
                self._versions.addItem(f"TensorFlow {release.release}", release.release)
        self._versions.setCurrentIndex(max(self._versions.findData(self._release), 0))
        self._versions.blockSignals(False)

    def _show_verdict(self) -> None:
        compat = self._state.compat
        while (item := self._findings.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for part in (self._table_card, self._side, self._releases_card):
            part.setVisible(compat is not None)
        self._banner.setVisible(compat is None or compat.primary is None)
        if compat is None:
            self._show_waiting()
            self.attention_changed.emit("")
            return
        self._show_banner(compat)
        self._show_findings(compat)
        self._table.show_requirements(compat.requirements)
        self._releases.show_releases([release_shown(item, self._state.text) for item in compat.releases])
        self._releases_card.setVisible(bool(compat.releases))
        self._releases_card.set_note(self._fresh_text(compat))
        if compat.primary is not None:
            self._table.clearSelection()
            self._show_source(compat.primary)
        elif not self._table.currentIndex().isValid() and compat.requirements:
            self._table.choose(compat.requirements[0].id)
        severity = {Verdict.BLOCKED: "blocked", Verdict.CPU_ONLY: "warning"}.get(compat.verdict, "")
        self.attention_changed.emit(severity)

    def _show_waiting(self) -> None:
        self._banner.show_verdict(
            "neutral", self.tr("Looking…"), self.tr("The machine and its Python environments are being read.")
        )

    def _show_banner(self, compat: CompatReport) -> None:
        if compat.primary is not None:
            return
        shown = verdict_word(compat)
        sentence = self._state.text(compat.headline) or self.tr(
            "Every requirement is met; it has not been proven on the GPU yet."
        )
        self._banner.show_verdict(shown.severity, shown.word, sentence, subject_text(compat))

    def _show_findings(self, compat: CompatReport) -> None:
        for finding in compat.findings:
            is_primary = finding == compat.primary
            shown = finding_shown(finding, self._state.text, self._show_source, is_primary=is_primary)
            self._findings.addWidget(FindingCard(shown, is_primary=is_primary, is_folded=not is_primary))
            if is_primary and len(finding.fixes) > 1:
                self._findings.addWidget(WaysCard(ways_shown(finding, self._state.text)))

    def _show_source(self, finding: Finding | None) -> None:
        shown = finding_source(finding, self._state.text) if finding is not None else SourceShown()
        self._side.show_source(shown)

    def _show_requirement(self, requirement: Requirement) -> None:
        self._side.show_source(requirement_source(self._table.name_of(requirement), requirement, self._state.text))

    def _fresh_text(self, compat: CompatReport) -> str:
        return self.tr("in a fresh environment, Python {version}").format(version=compat.python_version or "?")

    def _show_busy(self) -> None:
        background = self._state.background
        is_busy = background.is_busy(CHECK) or background.is_busy(SURVEY)
        self._again.setEnabled(not is_busy)
        text = self.tr("Checking…") if is_busy else ""
        if not is_busy and self._checked_at is not None:
            text = self.tr("Checked {time}").format(time=clock_text(self._checked_at))
        self._when.setText(text)

    def _choose_environment(self, row: int) -> None:
        executable = self._environments.itemData(row)
        if isinstance(executable, str):
            self._release = INSTALLED
            self._state.select_python(executable)

    def _choose_release(self, row: int) -> None:
        self._ask_for(str(self._versions.itemData(row) or INSTALLED))

    def _choose_series(self, series: str) -> None:
        compat = self._state.compat
        release = (
            next((item for item in compat.releases if item.series == series), None) if compat is not None else None
        )
        if release is not None:
            self._ask_for(INSTALLED if release.is_installed else release.release)

    def _ask_for(self, release: str) -> None:
        self._release = release
        self._state.check(tensorflow=release or None)

    @override
    def on_width_changed(self) -> None:
        direction = QHBoxLayout.Direction
        self._middle.setDirection(direction.TopToBottom if self.is_narrow else direction.LeftToRight)
        self._side.setMinimumWidth(0 if self.is_narrow else _SIDE_WIDTH)
        self._side.setMaximumWidth(_ANY_WIDTH if self.is_narrow else _SIDE_WIDTH)
        top = Qt.AlignmentFlag(0) if self.is_narrow else Qt.AlignmentFlag.AlignTop
        self._middle.setAlignment(self._table_card, top)

    @override
    def on_enter(self, arguments: Mapping[str, object]) -> None:
        self._show_all()
        if arguments.get("prove"):
            self.scroll_to(self._proof)
