"""What a finding of a log says below its title: explanation, what to do, other ways, where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.finding import Finding, Fix
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.ui.finding_words import finding_source
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.command_line import CommandLine
from gpuconfig_app.ui.widgets.labels import TextLabel

Render = Callable[[Message | LocalText | None], str]


class FindingBody(QWidget):
    """The text of one finding.

    Args:
        text: Renders a text in the shown language.
        is_primary: Its first command has the page's filled button.
        is_collecting: Its fixes are what to collect, all shown.
        can_prove: There is a link to the proof.

    Signals:
        proof_asked(): The user wants to prove that it helped.
    """

    proof_asked = Signal()

    def __init__(
        self,
        finding: Finding,
        text: Render,
        *,
        is_primary: bool = False,
        is_collecting: bool = False,
        can_prove: bool = False,
    ) -> None:
        super().__init__()
        self._text = text
        self._is_primary = is_primary
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(TextLabel(text(finding.text), "body", "secondary", wraps=True, is_selectable=True))
        first = len(finding.fixes) if is_collecting else 1
        self._add_ways(finding.fixes[:first], is_collecting=is_collecting)
        self._others = self._build_others(finding.fixes[first:])
        self._source = self._build_source(finding)
        self._column.addLayout(self._build_links(finding, can_prove=can_prove))
        self._column.addWidget(self._others)
        self._column.addWidget(self._source)

    def _add_ways(self, fixes: Sequence[Fix], *, is_collecting: bool) -> None:
        if not fixes:
            return
        title = self.tr("What to collect") if is_collecting else self.tr("What to do")
        self._column.addWidget(TextLabel(title, "body_strong"))
        for place, fix in enumerate(fixes):
            _add_way(self._column, fix, self._text, is_primary=self._is_primary and place == 0)

    def _build_others(self, fixes: Sequence[Fix]) -> QWidget:
        others = QWidget()
        column = QVBoxLayout(others)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for fix in fixes:
            _add_way(column, fix, self._text, is_primary=False)
        others.hide()
        return others

    def _build_source(self, finding: Finding) -> QWidget:
        shown = finding_source(finding, self._text)
        lines = [line for line in (shown.title, shown.address, shown.checked) if line]
        label = TextLabel("\n".join(lines), "small", "secondary", wraps=True, is_selectable=True)
        label.setAccessibleName(self.tr("Where this comes from"))
        label.hide()
        return label

    def _build_links(self, finding: Finding, *, can_prove: bool) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(14)
        further = len(finding.fixes) - 1
        if self._others.findChild(TextLabel) is not None:
            row.addWidget(_revealing(self.tr("%n other way(s)", "", further), self._others))
        if finding.source.title:
            row.addWidget(_revealing(self.tr("Where this comes from"), self._source))
        if can_prove:
            row.addWidget(Button(self.tr("Prove it afterwards"), LINK, scale="small", on_click=self.proof_asked.emit))
        row.addStretch(1)
        return row


def _add_way(column: QVBoxLayout, fix: Fix, text: Render, *, is_primary: bool) -> None:
    column.addWidget(TextLabel(text(fix.text), "body", "secondary", wraps=True, is_selectable=True))
    for place, command in enumerate(fix.commands):
        column.addWidget(CommandLine(command, fix.shell, is_primary=is_primary and place == 0))
    if fix.changes is not None:
        column.addWidget(TextLabel(text(fix.changes), "small", "secondary", wraps=True))


def _revealing(text: str, part: QWidget) -> Button:
    """Give a link that shows a part, and hides it again."""
    link = Button(text, LINK, scale="small")
    link.clicked.connect(lambda: part.setVisible(part.isHidden()))
    return link
