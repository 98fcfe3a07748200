"""Ways beside the main one, each with how sure it is; and what is tried in vain."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gpuconfig_app.core.way_on import StepAction, Way
from gpuconfig_app.ui.pages.ways_on.way_words import Render, StepShown, confidence_badge, steps_shown
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.cards import Card, IconLabel
from gpuconfig_app.ui.widgets.command_line import CommandLine
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge


class OtherWayCard(Card):
    """One way that needs few words.

    Args:
        number: Its place among all ways.
        text: Renders sentences.

    Signals:
        action_asked(object): ``StepShown`` whose button was pressed.
    """

    action_asked = Signal(object)

    def __init__(self, number: int, way: Way, text: Render, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.way = way
        title = text(way.title)
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        badge = confidence_badge(way.confidence)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(TextLabel(f"{number}  {title}", "heading", wraps=True), 1)
        head.addWidget(SeverityBadge(badge.severity, badge.word, icon_name=badge.icon), 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        self.body.addWidget(TextLabel(text(way.summary), "body", "secondary", wraps=True, is_selectable=True))
        for step in steps_shown(way, text):
            self._add(step)

    def _add(self, step: StepShown) -> None:
        if step.action is StepAction.SCRIPT:
            self._add_button(step, self.tr("New training script"), "wand-sparkles")
            return
        found = " · ".join(part for part in (step.needs, step.found) if part)
        line = QVBoxLayout()
        line.setSpacing(0)
        line.addWidget(TextLabel(step.name, "body"))
        if found:
            line.addWidget(TextLabel(found, "small", "muted", wraps=True))
        self.body.addLayout(line)
        for command in step.commands:
            self.body.addWidget(CommandLine(command, step.shell))
        if step.commands and step.changes:
            self.body.addWidget(TextLabel(step.changes, "small", "secondary", wraps=True))
        if step.action is StepAction.ENVIRONMENT:
            self._add_button(step, self.tr("Make that environment…"), "package")
        elif step.action is StepAction.PROVE:
            self._add_button(step, self.tr("Prove it…"), "flask-conical")

    def _add_button(self, step: StepShown, word: str, icon: str) -> None:
        row = QHBoxLayout()
        row.addWidget(Button(word, icon_name=icon, scale="small", on_click=lambda: self.action_asked.emit(step)))
        row.addStretch(1)
        self.body.addLayout(row)


class VainCard(Card):
    """What is often tried and changes nothing.

    Args:
        items: Sentences.
    """

    def __init__(self, items: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        title = self.tr("Will not help")
        self.setAccessibleName(title)
        self.body.addWidget(TextLabel(title, "body_strong"))
        for item in items:
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(IconLabel("x", 14, "text_muted"), 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(TextLabel(item, "small", "secondary", wraps=True), 1)
            self.body.addLayout(row)
