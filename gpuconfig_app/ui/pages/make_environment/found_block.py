"""The finding that explains what went wrong, its other ways on, and where it comes from when that is asked."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuconfig_app.core.finding import Finding
from gpuconfig_app.ui.finding_words import finding_shown, finding_source, ways_shown
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.finding_card import FindingCard
from gpuconfig_app.ui.widgets.source_card import SourceCard
from gpuconfig_app.ui.widgets.ways_card import WaysCard
from gpuconfig_app.ui.wizard.layouts import clear_layout


class FoundBlock(QWidget):
    """Nothing, or the cards of one finding."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = state.text
        self._finding: Finding | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self.hide()

    @property
    def holds_primary(self) -> bool:
        """Whether the page's one filled button is here: the first command of its fix."""
        finding = self._finding
        return finding is not None and bool(finding.fixes) and bool(finding.fixes[0].commands)

    def show_finding(self, finding: Finding | None) -> None:
        """Show a finding; None shows nothing."""
        self._finding = finding
        clear_layout(self._column)
        self.setVisible(finding is not None)
        if finding is None:
            return
        shown = finding_shown(finding, self._text, self._show_source, is_primary=True)
        self._add(FindingCard(shown, is_primary=True))
        if len(finding.fixes) > 1:
            self._add(WaysCard(ways_shown(finding, self._text)))
        self._source = SourceCard()
        self._source.hide()
        self._column.addWidget(self._source)

    def _add(self, card: QWidget) -> None:
        self._column.addWidget(card)
        card.show()  # a layout counts what is not shown yet as empty

    def _show_source(self, finding: Finding) -> None:
        self._source.show_source(finding_source(finding, self._text))
        self._source.show()
