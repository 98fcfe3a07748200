"""What the installer says, with the time before each line in the colour of a gutter."""

from __future__ import annotations

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.environment_made import InstallerLine
from gpuconfig_app.ui.card_words import clock_text
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import FLAT
from gpuconfig_app.ui.widgets.cards import HeadedCard, Line
from gpuconfig_app.ui.widgets.code_view import LogView
from gpuconfig_app.ui.widgets.command_line import CopyButton

TIME_WIDTH = 8
LEAST_HEIGHT = 180
_GAP = "  "


class InstallerLog(HeadedCard):
    """The log with a button that copies all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title.setText(self.tr("What the installer says"))
        self._lines: list[InstallerLine] = []
        self._count = 0
        self._copy = CopyButton("", kind=FLAT)
        self._copy.setObjectName("copy_log")
        self._copy.setAccessibleName(self.tr("Copy what the installer says"))
        self._copy.pressed.connect(self._take_text)
        self.head.addWidget(self._copy)
        self.view = LogView()
        self.view.setMinimumHeight(LEAST_HEIGHT)
        self.view.setAccessibleName(self.tr("What the installer says"))
        self._colors = _TimeColors(self.view)
        current_theme().changed.connect(self._colors.rehighlight)
        inside = QVBoxLayout()
        inside.setContentsMargins(1, 0, 1, 1)
        inside.addWidget(self.view)
        self.body.addWidget(Line())
        self.body.addLayout(inside, 1)

    @property
    def text(self) -> str:
        """All lines as they are copied."""
        return "\n".join(_line(item) for item in self._lines)

    def show_lines(self, lines: list[InstallerLine]) -> None:
        """Show what was said so far; what is new in the same list is added at the end."""
        if lines is not self._lines or len(lines) < self._count:
            self._lines, self._count = lines, 0
            self.view.clear_log()
        if len(lines) > self._count:
            added = tuple(_line(item) for item in lines[self._count :])
            self._count = len(lines)
            self.view.add_lines(added)

    def _take_text(self) -> None:
        self._copy.set_copied_text(self.text)


class _TimeColors(QSyntaxHighlighter):
    def __init__(self, view: LogView) -> None:
        super().__init__(view.document())

    @override
    def highlightBlock(self, text: str) -> None:
        made = QTextCharFormat()
        made.setForeground(current_theme().color("code.gutter"))
        self.setFormat(0, TIME_WIDTH, made)


def _line(line: InstallerLine) -> str:
    return f"{clock_text(line.at)}{_GAP}{line.text}"
