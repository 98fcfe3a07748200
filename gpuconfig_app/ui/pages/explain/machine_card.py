"""What the open machine adds to a log: the facts that decided, what it speaks against, and whether it counts at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.widgets.cards import HeadedCard, IconLabel, Line
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel


class MachineCard(HeadedCard):
    """The card.

    Args:
        facts: Sentences about the machine.
        ruled_out: Titles of causes it speaks against.
        rest: Said when there are no facts.
        choice: Whether the machine counts at all.
    """

    def __init__(self, facts: Sequence[str], ruled_out: Sequence[str], rest: str, choice: QWidget) -> None:
        super().__init__("")
        self.title.setText(self.tr("What this machine adds"))
        self.setObjectName("machineCard")
        self.setAccessibleName(self.title.text())
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        for fact in facts:
            self._add("check", fact, "text")
        if ruled_out:
            told = self.tr("Ruled out by this machine: %n other cause(s) with the same words", "", len(ruled_out))
            text = self.tr("{told} ({causes})")
            self._add("circle-slash", text.format(told=told, causes=" · ".join(ruled_out)), "secondary")
        if not facts and not ruled_out:
            self._add("info", rest, "secondary")
        self.body.addWidget(Line())
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 8, 16, 10)
        foot.addWidget(choice)
        self.body.addLayout(foot)

    def _add(self, icon: str, text: str, tone: str) -> None:
        self.body.addWidget(Line())
        row = QHBoxLayout()
        row.setContentsMargins(16, 7, 16, 7)
        row.setSpacing(10)
        place = QVBoxLayout()
        place.setContentsMargins(0, 2, 0, 0)
        place.addWidget(IconLabel(icon, 14, "text_secondary"))
        place.addStretch(1)
        row.addLayout(place)
        row.addWidget(TextLabel(text, "body", tone, wraps=True, is_selectable=True), 1)
        self.body.addLayout(row)


class MachineChoice(QWidget):
    """A check box: whether the log is from the open machine.

    Args:
        wraps: Its text is broken into lines; else shortened where it has no room.

    Attributes:
        box: The check box.
    """

    def __init__(self, text: str, on_change: Callable[[bool], object], *, is_on: bool, wraps: bool) -> None:
        super().__init__()
        self.setObjectName("machineChoice")
        self.box = QCheckBox()
        self.box.setObjectName("uses_machine")
        self.box.setChecked(is_on)
        self.box.toggled.connect(on_change)
        self._label = TextLabel("", "body", wraps=True) if wraps else ElidedLabel("", "body")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        place = Qt.AlignmentFlag.AlignTop if wraps else Qt.AlignmentFlag.AlignVCenter
        self._label.setAlignment(place | Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self.box, 0, place)
        row.addWidget(self._label, 1)
        self.show_text(text)

    def show_text(self, text: str) -> None:
        """Say it in other words."""
        self._label.setText(text)
        self.box.setAccessibleName(text)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.box.toggle()
