"""The card around the log: where it came from, its lines, and what the marks mean."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gpuconfig_app.core.log_report import LogReport, LogRole
from gpuconfig_app.core.units import format_count
from gpuconfig_app.ui.card_words import clock_text
from gpuconfig_app.ui.pages.explain.explain_desk import LogOrigin, Origin
from gpuconfig_app.ui.pages.explain.log_view import LogView
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import FLAT, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard, IconLabel, Line
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.workbench.explain_log import ExplainedLog


class LogCard(HeadedCard):
    """The card.

    Attributes:
        view: The lines.

    Signals:
        paste_asked(): Take what is on the clipboard instead.
    """

    paste_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title.setText(self.tr("Your log"))
        self.setAccessibleName(self.title.text())
        self.setMinimumWidth(260)
        self._about = ElidedLabel("", "small", "muted", mode=Qt.TextElideMode.ElideRight)
        self.head.takeAt(self.head.count() - 1)  # the room that the text about the log takes
        self.head.addWidget(self._about, 1)
        paste = Button(self.tr("Paste another"), FLAT, "clipboard-paste", scale="small", on_click=self.paste_asked.emit)
        paste.setObjectName("paste_another")
        paste.setToolTip("Ctrl+V")
        self.head.addWidget(paste)
        self.view = LogView()
        self.body.addWidget(Line())
        self.body.addWidget(self.view, 1)
        self._line = Line()
        self.body.addWidget(self._line)
        self._legend = QWidget()
        self._legend_row = QHBoxLayout(self._legend)
        self._legend_row.setContentsMargins(16, 9, 16, 9)
        self._legend_row.setSpacing(6)
        self.body.addWidget(self._legend)

    def show_log(self, explained: ExplainedLog, origin: LogOrigin | None) -> None:
        """Show a log."""
        report = explained.report
        self._about.setText(self._about_text(report.line_count, origin))
        self._about.setAccessibleName(self._about.text())
        self.view.show_log(report, explained.lines)
        entries = self._entries(report)
        for part in (self._line, self._legend):
            part.setVisible(bool(entries))
        self._show_legend(entries)
        if report.findings and report.findings[0].lines:
            self.view.show_line(report.findings[0].lines[0].number)
            self.view.clearSelection()

    def _about_text(self, count: int, origin: LogOrigin | None) -> str:
        lines = self.tr("%n line(s)", "", count)
        if count >= 10_000:  # Qt writes numbers of a plural without grouping
            lines = self.tr("{count} lines").format(count=format_count(count))
        parts = [lines, self.tr("stays on this machine")]
        if origin is not None and origin.kind is Origin.PASTED:
            parts.insert(1, self.tr("pasted {time}").format(time=clock_text(origin.at)))
        elif origin is not None and origin.name:
            parts.insert(0, origin.name)
        return " · ".join(parts)

    def _entries(self, report: LogReport) -> list[tuple[str, str, str]]:
        """Give the marks that occur, as (icon, colour, words)."""
        severity = report.primary.severity.value
        roles = {item.role for item in report.findings}
        entries = []
        if LogRole.MAIN in roles:
            entries.append((current_theme().severity_icon(severity), f"{severity}.fg", self.tr("main cause")))
        further = next((item.finding.severity.value for item in report.findings if item.role is LogRole.FURTHER), "")
        if further:
            entries.append((current_theme().severity_icon(further), f"{further}.fg", self.tr("further finding")))
        if LogRole.CONSEQUENCE in roles:
            entries.append(("corner-down-right", "blocked.fg", self.tr("follows from it")))
        if report.unexplained:
            entries.append(("circle-help", "neutral.fg", self.tr("not recognised")))
        if self.view.log_model.has_folds:
            entries.append(("chevron-right", "text_secondary", self.tr("folded")))
        return entries

    def _show_legend(self, entries: Sequence[tuple[str, str, str]]) -> None:
        while (item := self._legend_row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for place, (icon, color, words) in enumerate(entries):
            if place:
                self._legend_row.addSpacing(10)
            self._legend_row.addWidget(IconLabel(icon, 14, color))
            self._legend_row.addWidget(TextLabel(words, "small", "muted"))
        self._legend_row.addStretch(1)
