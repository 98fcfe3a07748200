"""What happened to the cards lately, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import HeadedCard, IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel

_MOST_SHOWN = 6


@dataclass(frozen=True)
class EventShown:
    """One line.

    Attributes:
        time: When.
        text: What it means.
        is_over: It tells an end; has the icon of what is good.
        severity: Of what began.
        whole: All there is to say, as a tool tip.
    """

    time: str
    text: str
    is_over: bool
    severity: str = "warning"
    whole: str = ""


class EventCard(HeadedCard):
    """The list in its card."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title.setText(self.tr("Events"))
        self.setAccessibleName(self.tr("Events"))
        self._shown: tuple[EventShown, ...] | None = None
        self._grid = QGridLayout()
        self._grid.setContentsMargins(16, 0, 16, 14)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(2, 1)
        self.body.addLayout(self._grid)

    def show_events(self, events: Sequence[EventShown]) -> None:
        """Show the newest events."""
        if tuple(events) == self._shown:
            return
        self._shown = tuple(events)
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for row, event in enumerate(reversed(events[-_MOST_SHOWN:])):
            severity = "good" if event.is_over else event.severity
            icon = IconLabel(current_theme().severity_icon(severity), 14, f"{severity}.fg")
            self._grid.addWidget(icon, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(TextLabel(event.time, "small", "muted"), row, 1, Qt.AlignmentFlag.AlignTop)
            text = TextLabel(event.text, "small", "text", wraps=True)
            text.setToolTip(event.whole)
            self._grid.addWidget(text, row, 2)
        if not events:
            none = TextLabel(self.tr("Nothing noteworthy since this machine was opened."), "small", "muted", wraps=True)
            self._grid.addWidget(none, 0, 0, 1, 3)
