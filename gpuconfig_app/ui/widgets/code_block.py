"""A command in full, over as many lines as it needs, with a button that copies it."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from gpuconfig_app.ui.widgets.command_line import CopyButton
from gpuconfig_app.ui.widgets.labels import TextLabel

# Where a long word may go on in the next line: a space of no width is put behind these.
_BREAKS = re.compile(r"(?<=[/\\=,:])(?=\S)")
_NO_WIDTH = "\u200b"


class CodeBlock(QFrame):
    """The command; only the button gives it to the clipboard, because what is shown holds invisible break marks.

    Args:
        command: May hold line breaks.
        shell: ``sh``, ``powershell`` or ``python``: the sign before it.
        name: What the button copies, for screen readers.
    """

    def __init__(self, command: str, shell: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.command = command
        self.setProperty("role", "code")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(command)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 5, 5)
        row.setSpacing(8)
        sign = TextLabel({"powershell": ">", "python": ">>>"}.get(shell, "$"), "mono", "muted")
        sign.setContentsMargins(0, 5, 0, 5)
        text = TextLabel(_BREAKS.sub(_NO_WIDTH, command), "mono", wraps=True)
        text.setAccessibleName(command)
        text.setContentsMargins(0, 5, 0, 5)
        self.button = CopyButton(command)
        self.button.setAccessibleName(name)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(sign, 0, top)
        row.addWidget(text, 1)
        row.addWidget(self.button, 0, top)
