"""While something is assumed: what, the verdict beside the present one, what changes, and the way back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gpuconfig_app.ui.finding_words import VerdictWord
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge


class WhatIfBar(QFrame):
    """A neutral bar.

    Signals:
        back_asked(): The user wants this machine as it is.
    """

    back_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("whatIfBar")
        self.setProperty("role", "message")
        self.setProperty("severity", "neutral")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._sentence = TextLabel("", "body_strong", wraps=True, is_selectable=True)
        self._now_name = TextLabel(self.tr("As it is:"), "body", "secondary")
        self._now = SeverityBadge(is_boxed=False)
        self._arrow = IconLabel("arrow-right", 14, "text_secondary")
        self._then_name = TextLabel(self.tr("Then:"), "body", "secondary")
        self._then = SeverityBadge(is_boxed=False)
        self._changes = TextLabel("", "small", "secondary", wraps=True)
        self._back = Button("", OUTLINED, "pc-case", scale="small", on_click=self.back_asked.emit)
        self._back.setObjectName("end_what_if")
        self.show_machine(is_recorded=False)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 9, 8, 9)
        row.setSpacing(10)
        row.addWidget(IconLabel("git-compare", 18, "neutral.fg"), 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(self._sentence)
        column.addLayout(self._build_verdicts())
        column.addWidget(self._changes)
        row.addLayout(column, 1)
        row.addWidget(self._back, 0, Qt.AlignmentFlag.AlignTop)

    def show_machine(self, *, is_recorded: bool) -> None:
        """Say which machine the way back leads to."""
        here, recorded = self.tr("Back to this machine"), self.tr("Back to the recorded machine")
        self._back.setText(recorded if is_recorded else here)

    def show_answer(self, sentence: str, now: VerdictWord | None, then: VerdictWord, changes: Sequence[str]) -> None:
        """Show what is assumed and what comes of it.

        Args:
            now: Verdict of the open machine, None when it plays no part.
            changes: What is otherwise, a few words each.
        """
        self._sentence.setText(sentence)
        for part in (self._now_name, self._now, self._arrow):
            part.setVisible(now is not None)
        if now is not None:
            self._now.show_state(now.severity, now.word)
        self._then.show_state(then.severity, then.word)
        self._changes.setText(" · ".join(changes))
        self._changes.setVisible(bool(changes))
        self.setAccessibleName(f"{sentence} {then.word}. {self._changes.text()}".strip())

    def _build_verdicts(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(6)
        for part in (self._now_name, self._now, self._arrow, self._then_name, self._then):
            line.addWidget(part)
        line.addStretch(1)
        return line
