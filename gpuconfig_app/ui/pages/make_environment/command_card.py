"""Every command before it runs, in the words of the user's shell, each to copy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.ui.pages.make_environment.shown import CommandShown
from gpuconfig_app.ui.widgets.cards import HeadedCard
from gpuconfig_app.ui.widgets.code_block import CodeBlock
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.segmented import SegmentedControl
from gpuconfig_app.ui.wizard.layouts import clear_layout

SH = "sh"
POWERSHELL = "powershell"


class CommandCard(HeadedCard):
    """The commands in order.

    Signals:
        shell_chosen(str): ``sh`` or ``powershell``.
    """

    shell_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title.setText(self.tr("Commands, run for you in this order"))
        self._shown: tuple[tuple[CommandShown, ...], str] = ((), "")
        self.shells = SegmentedControl(((SH, "bash, zsh"), (POWERSHELL, "PowerShell")))
        self.shells.setObjectName("shell")
        self.shells.setAccessibleName(self.tr("Shell of the commands"))
        self.shells.chosen.connect(self.shell_chosen)
        self.head.addWidget(self.shells)
        self._rows = QVBoxLayout()
        self._rows.setContentsMargins(16, 0, 16, 16)
        self._rows.setSpacing(6)
        self.body.addLayout(self._rows)

    def show_commands(self, commands: Sequence[CommandShown], shell: str) -> None:
        """Show the commands as one shell takes them."""
        if (tuple(commands), shell) == self._shown:
            return
        self._shown = (tuple(commands), shell)
        self.shells.set_value(shell)
        clear_layout(self._rows)
        for number, command in enumerate(commands, start=1):
            self._add(number, command, shell)

    def _add(self, number: int, command: CommandShown, shell: str) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        if number > 1:
            self._rows.addSpacing(6)
        mark = TextLabel(str(number), "body_strong")
        title = TextLabel(command.title, "body_strong", wraps=True)
        time = TextLabel(command.time, "small", "muted")
        time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        name = self.tr("Copy: {title}").format(title=command.title)
        line = CodeBlock(command.lines.get(shell, ""), shell, name)
        head.addWidget(mark)
        head.addWidget(title, 1)
        head.addWidget(time)
        self._rows.addLayout(head)
        self._rows.addWidget(line)
        for part in (mark, title, time, line):
            part.show()  # a layout counts what is not shown yet as empty
