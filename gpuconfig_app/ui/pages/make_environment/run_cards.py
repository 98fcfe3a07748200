"""How the new environment is used in a terminal and elsewhere, and what was run to make it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QBoxLayout, QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.environment_made import MadeEnvironment, StepState
from gpuconfig_app.core.environment_plan import CommandLine as PlannedLine
from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.storage.places import write_text
from gpuconfig_app.ui.notice import Notice
from gpuconfig_app.ui.pages.make_environment.command_card import POWERSHELL, SH
from gpuconfig_app.ui.pages.make_environment.sizes_text import elapsed_text
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import Card, IconLabel
from gpuconfig_app.ui.widgets.command_line import CommandLine
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.wizard.layouts import clear_layout

LOCK_FILE = "requirements.lock"
SAVING = "environment-lock"
Render = Callable[[Message | LocalText | None], str]


class HowToUse(Card):
    """Two lines to copy, and the lock file to save."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._lock_text = ""
        self.body.addWidget(TextLabel(self.tr("How to use it"), "heading"))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(24)
        self.body.addLayout(self._row)

    def show_made(self, made: MadeEnvironment) -> None:
        """Show the lines of what was made."""
        clear_layout(self._row)
        self._lock_text = made.lock_text
        shell = POWERSHELL if made.plan.platform == "windows" else SH
        if made.activate is not None:
            self._add_column(self.tr("In a terminal"), made.activate, shell, None)
        if made.sync is not None and made.lock_text:
            save = Button(self.tr("Save lock file…"), OUTLINED, "save", scale="small", on_click=self._save_lock)
            save.setObjectName("save_lock")
            self._add_column(self.tr("On another machine of the same kind"), made.sync, shell, save)
        self.setVisible(self._row.count() > 0)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Put the lines below each other on a narrow window."""
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self._row.setSpacing(12 if is_narrow else 24)

    def _add_column(self, title: str, command: PlannedLine, shell: str, button: Button | None) -> None:
        column = QVBoxLayout()
        self._row.addLayout(column, 1)  # first, so that its parts have a parent when they are shown
        column.setSpacing(6)
        label = TextLabel(title, "small", "secondary")
        line = CommandLine(command.powershell if shell == POWERSHELL else command.posix, shell)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(line, 1)
        if button is not None:
            row.addWidget(button)
        column.addWidget(label)
        column.addLayout(row)
        for part in (label, line, button):
            if part is not None:
                part.show()  # a layout counts what is not shown yet as empty

    def _save_lock(self) -> None:
        start = str(Path.home() / LOCK_FILE)
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Save the lock file"), start)
        if chosen:
            text, state, path = self._lock_text, self._state, Path(chosen)
            done = Notice(SAVING, Severity.GOOD, Message("making.lock-saved", {"path": chosen}))
            state.background.run(SAVING, lambda _: write_text(path, text), lambda _: state.post(done))


class WhatWasRun(Card):
    """The commands that were run, each with its time.

    Args:
        text: Renders a text in the shown language.
    """

    def __init__(self, text: Render, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.body.addWidget(TextLabel(self.tr("What was run"), "heading"))
        self._rows = QVBoxLayout()
        self._rows.setSpacing(7)
        self.body.addLayout(self._rows)

    def show_made(self, made: MadeEnvironment) -> None:
        """Show the steps of what was made, also those that failed."""
        clear_layout(self._rows)
        is_windows = made.plan.platform == "windows"
        for step in made.steps:
            planned = made.plan.step(step.kind)
            if planned is None or step.state is StepState.WAITING:
                continue
            command = planned.command
            line = "" if command is None else command.powershell if is_windows else command.posix
            self._add(step.state, line or self._text(planned.title), step.elapsed_s)

    def _add(self, state: StepState, line: str, elapsed_s: float | None) -> None:
        severity = "good" if state is StepState.DONE else "blocked"
        row = QHBoxLayout()
        row.setSpacing(10)
        icon = IconLabel(current_theme().severity_icon(severity), 16, f"{severity}.fg")
        command = ElidedLabel(line.replace("\n", " ⏎ "), "mono")
        time = TextLabel(elapsed_text(elapsed_s) if elapsed_s is not None else "", "small", "muted")
        row.addWidget(icon)
        row.addWidget(command, 1)
        row.addWidget(time)
        self._rows.addLayout(row)
        for part in (icon, command, time):
            part.show()  # a layout counts what is not shown yet as empty
