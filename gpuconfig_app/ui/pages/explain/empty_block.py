"""Before the first log: where to put it, that it stays here, and what to collect."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import OUTLINED, PRIMARY, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard, IconLabel, Line
from gpuconfig_app.ui.widgets.command_line import CommandLine
from gpuconfig_app.ui.widgets.flowing_body import FlowingBody
from gpuconfig_app.ui.widgets.labels import TextLabel

_DROP_HEIGHT = 220
_BAR_GAP = 8


class EmptyBlock(QScrollArea):
    """Drop area and advice; scrolls where the window is low.

    Args:
        choice: Check box that says whether the log is from the open machine.
        is_windows: The commands are for PowerShell.

    Signals:
        paste_asked(): Take what is on the clipboard.
        file_asked(): Ask for a file.
    """

    paste_asked = Signal()
    file_asked = Signal()

    def __init__(self, choice: QWidget, *, is_windows: bool) -> None:
        super().__init__()
        self._is_windows = is_windows
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = FlowingBody()
        inside.setObjectName("pageBody")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addWidget(self._build_drop(choice))
        column.addWidget(self._build_advice())
        column.addStretch(1)
        self.setWidget(inside)
        self.verticalScrollBar().rangeChanged.connect(
            lambda _, top: column.setContentsMargins(0, 0, _BAR_GAP if top > 0 else 0, 0)
        )

    def _build_drop(self, choice: QWidget) -> QFrame:
        frame = QFrame()
        frame.setObjectName("dropArea")
        frame.setProperty("role", "dashed")
        frame.setAccessibleName(self.tr("Drop a log here"))
        frame.setMinimumHeight(_DROP_HEIGHT)
        frame.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(frame)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(8)
        middle = Qt.AlignmentFlag.AlignHCenter
        column.addWidget(IconLabel("clipboard-paste", current_theme().size("icon.banner"), "accent_text"), 0, middle)
        for text, role, tone in (
            (self.tr("Paste or drop the log here"), "heading", "text"),
            (
                self.tr("Text from the terminal (Ctrl+V anywhere on this page) or a file: up to 50 MB, any encoding."),
                "body",
                "secondary",
            ),
        ):
            label = TextLabel(text, role, tone, wraps=True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        buttons = QHBoxLayout()
        buttons.setSpacing(12)
        paste = Button(self.tr("Paste"), PRIMARY, "clipboard-paste", on_click=self.paste_asked.emit)
        paste.setObjectName("paste")
        paste.setToolTip("Ctrl+V")
        choose = Button(self.tr("Open a log file…"), OUTLINED, "folder-open", on_click=self.file_asked.emit)
        choose.setObjectName("open_file")
        buttons.addStretch(1)
        buttons.addWidget(paste)
        buttons.addWidget(choose)
        buttons.addStretch(1)
        column.addSpacing(4)
        column.addLayout(buttons)
        column.addSpacing(4)
        column.addWidget(choice, 0, middle)
        column.addLayout(self._build_privacy())
        return frame

    def _build_privacy(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addStretch(1)
        row.addWidget(IconLabel("lock", 14, "text_muted"))
        row.addWidget(TextLabel(self.tr("It stays on this machine: nothing is sent anywhere."), "small", "muted"))
        row.addStretch(1)
        return row

    def _build_advice(self) -> HeadedCard:
        card = HeadedCard(self.tr("What a log should hold"))
        card.setObjectName("collect")
        tips = (
            (
                "list-checks",
                self.tr("Everything the program printed, from its first line on: the cause often stands far above the "
                    "last line."),
                "",
            ),
            (
                "terminal",
                self.tr("Started once more like this, it is all in one file:"),
                "python train.py *> train.log" if self._is_windows else "python train.py > train.log 2>&1",
            ),
            (
                "gpu",
                self.tr("What the driver says of the card, pasted together with it:"),
                "nvidia-smi",
            ),
        )  # fmt: skip
        for icon, text, command in tips:
            card.body.addWidget(Line())
            card.body.addLayout(self._tip(icon, text, command))
        return card

    def _tip(self, icon: str, text: str, command: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(16, 10, 16, 10)
        row.setSpacing(12)
        row.addWidget(IconLabel(icon, 16, "text_secondary"))
        row.addWidget(TextLabel(text, "body", "secondary", wraps=True), 11)
        if command:
            row.addWidget(CommandLine(command, "powershell" if self._is_windows else "sh"), 10)
        return row
