"""A finding: what is wrong at the left, the way out at the right; further findings fold to one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import LINK, Button, square_button
from gpuconfig_app.ui.widgets.cards import IconLabel, Line
from gpuconfig_app.ui.widgets.command_line import CommandLine
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.widgets.painting import paint_card_edge
from gpuconfig_app.ui.widgets.severity_badge import severity_color


@dataclass(frozen=True)
class FindingLink:
    """A small link below the explanation."""

    text: str
    on_click: Callable[[], object]


@dataclass(frozen=True)
class FindingShown:
    """What a finding card shows.

    Attributes:
        lead: Small line above the title, ``Not ready · main cause``.
        fix_title: ``Fix: leave the system folder out``; empty when there is no way out here.
        commands: Lines to copy.
        shell: Sign before them.
        changes: What the commands change, 12 px below.
        note: Muted, right of the fix's title.
    """

    severity: str
    lead: str
    title: str
    text: str
    fix_title: str = ""
    fix_text: str = ""
    commands: tuple[str, ...] = ()
    shell: str = "sh"
    changes: str = ""
    note: str = ""
    links: tuple[FindingLink, ...] = ()


class FindingCard(QFrame):
    """The card.

    Args:
        is_primary: The main cause: its copy button is the page's filled one.
        is_folded: Begins as one line of 44; a press unfolds it.
    """

    def __init__(
        self, shown: FindingShown, parent: QWidget | None = None, *, is_primary: bool = False, is_folded: bool = False
    ) -> None:
        super().__init__(parent)
        self.shown = shown
        self._is_primary = is_primary
        self.setObjectName("findingCard")
        self.setProperty("role", "card")
        self.setProperty("severity", shown.severity)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setAccessibleName(f"{shown.lead}. {shown.title}")
        self.setAccessibleDescription(f"{shown.text} {shown.fix_title} {shown.fix_text}".strip())
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(4, 0, 0, 0)
        self._outer.setSpacing(0)
        self._head = self._build_head() if not is_primary else None
        if self._head is not None:
            self._outer.addWidget(self._head)
        self._body = self._build_body()
        self._outer.addWidget(self._body)
        self._is_folded = False
        self.set_folded(is_folded=is_folded and not is_primary)

    @property
    def is_folded(self) -> bool:
        """Whether only one line is shown."""
        return self._is_folded

    def set_folded(self, *, is_folded: bool) -> None:
        """Fold to one line, or show all."""
        self._is_folded = is_folded
        self._body.setVisible(not is_folded)
        if self._head is not None:
            self._toggle.set_icon_name("chevron-down" if is_folded else "chevron-up")
            name = self.tr("Show more") if is_folded else self.tr("Show less")
            self._toggle.setAccessibleName(name)
            self._toggle.setToolTip(name)

    def _build_head(self) -> QWidget:
        head = QWidget()
        head.setFixedHeight(42)
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 8, 0)
        row.setSpacing(10)
        theme = current_theme()
        row.addWidget(IconLabel(theme.severity_icon(self.shown.severity), 18, f"{self.shown.severity}.fg"))
        row.addWidget(ElidedLabel(self.shown.title, "body_strong", mode=Qt.TextElideMode.ElideRight), 1)
        row.addWidget(TextLabel(self.shown.lead, "small", self.shown.severity))
        self._toggle = square_button("chevron-down", self.tr("Show more"), self._toggle_folded)
        row.addWidget(self._toggle)
        return head

    def _build_body(self) -> QWidget:
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(16, 14 if self._is_primary else 2, 18, 14)
        row.setSpacing(10)
        if self._is_primary:
            icon = IconLabel(current_theme().severity_icon(self.shown.severity), 22, f"{self.shown.severity}.fg")
            row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        else:
            row.addSpacing(18)
        row.addLayout(self._build_cause(), 11)
        if self.shown.fix_title or self.shown.commands or self.shown.fix_text:
            row.addSpacing(8)
            row.addWidget(Line(is_vertical=True))
            row.addSpacing(8)
            row.addLayout(self._build_fix(), 10)
        return body

    def _build_cause(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(4)
        if self._is_primary:
            lead = TextLabel(self.shown.lead, "small", self.shown.severity)
            lead.setFont(current_theme().font("small", 600))
            column.addWidget(lead)
            column.addWidget(TextLabel(self.shown.title, "heading", wraps=True))
        column.addWidget(TextLabel(self.shown.text, "body", "secondary", wraps=True, is_selectable=True))
        if self.shown.links:
            links = QHBoxLayout()
            links.setSpacing(10)
            for link in self.shown.links:
                links.addWidget(Button(link.text, LINK, scale="small", on_click=link.on_click))
            links.addStretch(1)
            column.addLayout(links)
        column.addStretch(1)
        return column

    def _build_fix(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        if self.shown.fix_title:
            head = QHBoxLayout()
            head.addWidget(TextLabel(self.shown.fix_title, "body_strong", wraps=True), 1)
            if self.shown.note:
                head.addWidget(TextLabel(self.shown.note, "small", "muted"), 0, Qt.AlignmentFlag.AlignTop)
            column.addLayout(head)
        if self.shown.fix_text:
            column.addWidget(TextLabel(self.shown.fix_text, "body", "secondary", wraps=True, is_selectable=True))
        for place, command in enumerate(self.shown.commands):
            column.addWidget(CommandLine(command, self.shown.shell, is_primary=self._is_primary and place == 0))
        if self.shown.changes:
            column.addWidget(TextLabel(self.shown.changes, "small", "secondary", wraps=True))
        column.addStretch(1)
        return column

    def _toggle_folded(self) -> None:
        self.set_folded(is_folded=not self._is_folded)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint_card_edge(self, severity_color(current_theme(), self.shown.severity))
