"""What a log means: main cause, further findings, what follows from it, harmless lines, what the machine adds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gpuconfig_app.core.finding import Confidence, Severity
from gpuconfig_app.core.log_report import HarmlessLine, LogFinding, LogLine, LogReport, LogRole
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.units import format_count
from gpuconfig_app.ui.pages.explain.cause_card import CauseCard
from gpuconfig_app.ui.pages.explain.finding_body import FindingBody
from gpuconfig_app.ui.pages.explain.fold_card import FoldCard
from gpuconfig_app.ui.pages.explain.machine_card import MachineCard
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.flowing_body import FlowingBody
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel

Render = Callable[[Message | LocalText | None], str]
_CLAUSE_END = re.compile(r"[,;:(.，；：（。]")
_MOST_NAMED = 6
_MOST_NUMBERS = 3
_BAR_GAP = 8


class AnswerColumn(QScrollArea):
    """The cards, in a column that scrolls.

    Args:
        text: Renders a text in the shown language.

    Signals:
        line_asked(int): Show this line of the log.
        proof_asked(): The user wants to prove that it helped.
    """

    line_asked = Signal(int)
    proof_asked = Signal()

    def __init__(self, text: Render, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._by_code: dict[str, QWidget] = {}
        self._harmless: FoldCard | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("What the log means"))
        self.verticalScrollBar().rangeChanged.connect(self._keep_clear_of_bar)
        self._inside = FlowingBody()
        self._inside.setObjectName("pageBody")
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self.setWidget(self._inside)

    def show_answer(self, report: LogReport, choice: QWidget, rest: str, *, can_prove: bool) -> None:
        """Show an answer from its top.

        Args:
            choice: Check box that says whether the log is from the open machine.
            rest: Said of the machine when it decided nothing.
            can_prove: The proof can be run on the open machine.
        """
        self._clear()
        self._add_cause(report, can_prove=can_prove)
        for item in report.findings:
            if item.role is LogRole.FURTHER:
                self._add_further(item)
        self._add_consequences([item for item in report.findings if item.role is LogRole.CONSEQUENCE])
        self._add_unexplained(report)
        self._add_harmless(report.harmless)
        facts = [self._text(message) for message in report.decided_by]
        self._column.addWidget(MachineCard(facts, [self._text(item) for item in report.ruled_out], rest, choice))
        self._column.addStretch(1)
        self.verticalScrollBar().setValue(0)

    def show_finding(self, code: str) -> None:
        """Bring the card of a finding into sight, unfolded."""
        self._bring(self._by_code.get(code))

    def show_harmless(self) -> None:
        """Bring the harmless lines into sight, unfolded."""
        self._bring(self._harmless)

    def _bring(self, card: QWidget | None) -> None:
        if card is None:
            return
        if isinstance(card, FoldCard):
            card.set_folded(is_folded=False)
        QTimer.singleShot(0, card, lambda: self.ensureWidgetVisible(card, 0, 0))

    def _clear(self) -> None:
        self._by_code, self._harmless = {}, None
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def _add_cause(self, report: LogReport, *, can_prove: bool) -> None:
        main = next((item for item in report.findings if item.role is LogRole.MAIN), None)
        finding = report.primary
        is_good = finding.severity is Severity.GOOD
        body = FindingBody(
            finding,
            self._text,
            is_primary=True,
            is_collecting=not report.is_known,
            can_prove=can_prove and report.is_known and not is_good,
        )
        body.proof_asked.connect(self.proof_asked)
        lead = self.tr("Main cause") if report.is_known else self.tr("Not recognised")
        if is_good:
            lead = self.tr("Nothing to do")
        card = CauseCard(
            finding.severity.value if report.is_known else "neutral",
            lead,
            self._text(finding.title),
            body,
            line=main.lines[0].number if main is not None and main.lines else 0,
            remark=self._sureness(finding.confidence) if main is not None else "",
        )
        card.line_asked.connect(self.line_asked)
        self._by_code[finding.code] = card
        self._column.addWidget(card)

    def _add_further(self, item: LogFinding) -> None:
        finding = item.finding
        note = " · ".join(part for part in (self._where(item.lines), self._sureness(finding.confidence)) if part)
        icon = current_theme().severity_icon(finding.severity.value)
        severity = finding.severity.value
        card = FoldCard(icon, f"{severity}.fg", self._text(finding.title), note, severity=severity)
        card.body.addWidget(FindingBody(finding, self._text))
        self._add_fold(card, item.lines)
        self._by_code[finding.code] = card

    def _add_consequences(self, items: Sequence[LogFinding]) -> None:
        if not items:
            return
        lines = [line for item in items for line in item.lines]
        messages = self.tr("%n message(s)", "", sum(item.count for item in items))
        note = ", ".join(part for part in (messages, self._where(lines)) if part)
        card = FoldCard("corner-down-right", "blocked.fg", self.tr("Follows from it"), note)
        for item in items:
            card.body.addLayout(self._line_head(self._text(item.finding.title), item.lines, "body_strong"))
            card.body.addWidget(TextLabel(self._text(item.finding.text), "body", "secondary", wraps=True))
            self._by_code[item.finding.code] = card
        self._add_fold(card, lines)

    def _add_unexplained(self, report: LogReport) -> None:
        lines = report.unexplained
        if not lines:
            return
        title = self.tr("Also tells of an error") if report.is_known else self.tr("The lines that tell of it")
        note = self.tr("%n line(s), not recognised", "", len(lines))
        card = FoldCard("circle-help", "neutral.fg", title, note)
        for line in lines:
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(self._line_link(line))
            row.addWidget(ElidedLabel(line.text or "", "mono", "secondary", mode=Qt.TextElideMode.ElideRight), 1)
            card.body.addLayout(row)
        card.set_folded(is_folded=report.is_known)
        self._add_fold(card, lines)

    def _add_harmless(self, items: Sequence[HarmlessLine]) -> None:
        if not items:
            return
        count = sum(item.count for item in items)
        note = self.tr("%n line(s)", "", count)
        if not all(item.is_counted_fully for item in items):
            note = self.tr("more than {count} lines").format(count=format_count(count))
        clauses = [_CLAUSE_END.split(self._text(item.text), 1)[0].strip() for item in items]
        more = " · …" if len(clauses) > _MOST_NAMED else ""
        card = FoldCard(
            "circle-minus", "neutral.fg", self.tr("Harmless"), note, " · ".join(clauses[:_MOST_NAMED]) + more
        )
        for item in items:
            card.body.addLayout(self._line_head(self._text(item.text), item.lines, "body"))
        self._add_fold(card, items[0].lines)
        self._harmless = card

    def _add_fold(self, card: FoldCard, lines: Sequence[LogLine]) -> None:
        if lines:
            card.pressed.connect(lambda: self.line_asked.emit(lines[0].number))
        self._column.addWidget(card)

    def _line_head(self, text: str, lines: Sequence[LogLine], role: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(TextLabel(text, role, wraps=True), 1)
        if lines:
            row.addWidget(self._line_link(lines[0]), 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _line_link(self, line: LogLine) -> Button:
        number = line.number
        link = Button(self.tr("line {number}").format(number=number), LINK, scale="small")
        link.setAccessibleName(self.tr("Show line {number} of the log").format(number=number))
        link.clicked.connect(lambda: self.line_asked.emit(number))
        return link

    def _where(self, lines: Sequence[LogLine]) -> str:
        numbers = sorted({line.number for line in lines})
        if not numbers:
            return ""
        if len(numbers) == 1:
            return self.tr("line {number}").format(number=numbers[0])
        shown = ", ".join(str(number) for number in numbers[:_MOST_NUMBERS])
        more = " …" if len(numbers) > _MOST_NUMBERS else ""
        return self.tr("lines {numbers}").format(numbers=shown + more)

    def _sureness(self, confidence: Confidence) -> str:
        words = {
            Confidence.HIGH: self.tr("certain"),
            Confidence.MEDIUM: self.tr("inferred"),
            Confidence.LOW: self.tr("unsure"),
        }
        return words[confidence]

    def _keep_clear_of_bar(self, _: int, top: int) -> None:
        self._column.setContentsMargins(0, 0, _BAR_GAP if top > 0 else 0, 0)
