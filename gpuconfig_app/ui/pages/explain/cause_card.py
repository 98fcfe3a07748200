"""The main cause of a log, or that nothing is wrong, or that it is not known: the one card that is never folded."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.painting import paint_card_edge
from gpuconfig_app.ui.widgets.severity_badge import severity_color


class CauseCard(QFrame):
    """The card.

    Args:
        lead: Small line above the title, ``Main cause``.
        line: Number of the first line that shows it, 0 for none.
        remark: Behind the line, how sure it is.
        body: What stands below the title.

    Signals:
        line_asked(int): Show this line of the log.
    """

    line_asked = Signal(int)

    def __init__(self, severity: str, lead: str, title: str, body: QWidget, *, line: int = 0, remark: str = "") -> None:
        super().__init__()
        self._severity = severity
        self._line = line
        self.setObjectName("causeCard")
        self.setProperty("role", "card")
        self.setProperty("severity", severity)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(f"{lead}. {title}")
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 14, 18, 14)
        row.setSpacing(10)
        icon = IconLabel(current_theme().severity_icon(severity), 22, f"{severity}.fg")
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addLayout(self._build_lead(lead, remark))
        column.addWidget(TextLabel(title, "heading", wraps=True))
        column.addSpacing(2)
        column.addWidget(body)
        row.addLayout(column, 1)

    def _build_lead(self, lead: str, remark: str) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(4)
        label = TextLabel(lead, "small", self._severity if self._severity != "neutral" else "secondary")
        label.setFont(current_theme().font("small", 600))
        head.addWidget(label)
        head.addStretch(1)
        if self._line:
            name = self.tr("line {number}").format(number=self._line)
            link = Button(name, LINK, scale="small", on_click=self._ask)
            link.setObjectName("show_line")
            link.setAccessibleName(self.tr("Show line {number} of the log").format(number=self._line))
            head.addWidget(link)
        if remark:
            head.addWidget(TextLabel(f"· {remark}" if self._line else remark, "small", "muted"))
        return head

    def _ask(self) -> None:
        if self._line:
            self.line_asked.emit(self._line)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._ask()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint_card_edge(self, severity_color(current_theme(), self._severity))
