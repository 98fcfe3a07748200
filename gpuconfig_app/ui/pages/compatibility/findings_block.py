"""The verdict and its causes: a banner when nothing stands in the way, else the main cause with its ways out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuconfig_app.core.finding import CompatReport, Finding
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.ui.finding_words import finding_shown, subject_text, verdict_word, ways_shown
from gpuconfig_app.ui.widgets.finding_card import FindingCard, FindingLink
from gpuconfig_app.ui.widgets.verdict_banner import VerdictBanner
from gpuconfig_app.ui.widgets.ways_card import WaysCard

Render = Callable[[Message | LocalText | None], str]


class FindingsBlock(QWidget):
    """Banner and cards.

    Args:
        text: Renders a text in the shown language.

    Attributes:
        banner: The verdict in a word.

    Signals:
        source_asked(object): Show where this ``Finding`` comes from.
        ways_asked(): Show the ways on, step by step.
    """

    source_asked = Signal(object)
    ways_asked = Signal()

    def __init__(self, text: Render, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.banner = VerdictBanner()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self._column.addWidget(self.banner)

    @property
    def cards(self) -> tuple[QWidget, ...]:
        """Cards below the banner, in order."""
        items = (self._column.itemAt(place) for place in range(1, self._column.count()))
        return tuple(widget for item in items if item is not None and (widget := item.widget()) is not None)

    def show_verdict(self, compat: CompatReport | None, *, has_ways: bool = False) -> None:
        """Show a verdict; None while it is made.

        Args:
            has_ways: There is more to say about the ways on than the main cause's own fixes.
        """
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.banner.setVisible(compat is None or compat.primary is None)
        if compat is None:
            self.banner.show_verdict(
                "neutral", self.tr("Looking…"), self.tr("The machine and its Python environments are being read.")
            )
            return
        if compat.primary is None:
            shown = verdict_word(compat)
            sentence = self._text(compat.headline) or self.tr(
                "Every requirement is met; it has not been proven on the GPU yet."
            )
            self.banner.show_verdict(shown.severity, shown.word, sentence, subject_text(compat))
        for finding in compat.findings:
            self._add(finding, is_primary=finding == compat.primary, has_ways=has_ways)

    def _add(self, finding: Finding, *, is_primary: bool, has_ways: bool) -> None:
        shown = finding_shown(finding, self._text, self.source_asked.emit, is_primary=is_primary)
        if is_primary and has_ways:
            link = FindingLink(self.tr("All ways, step by step"), self.ways_asked.emit)
            shown = replace(shown, links=(*shown.links, link))
        self._column.addWidget(FindingCard(shown, is_primary=is_primary, is_folded=not is_primary))
        if is_primary and len(finding.fixes) > 1:
            self._column.addWidget(WaysCard(ways_shown(finding, self._text)))
