"""A command to copy: the line in code type and a button that says for two seconds that it was copied."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from gpuconfig_app.ui.widgets.buttons import OUTLINED, PRIMARY, Button
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel

COPIED_MS = 2000


class CopyButton(Button):
    """Puts a text on the clipboard and reads "Copied" for two seconds.

    Args:
        text: What is copied.
        label: Word on the button; default "Copy".
    """

    def __init__(
        self, text: str = "", label: str = "", kind: str = OUTLINED, parent: QWidget | None = None, scale: str = "small"
    ) -> None:
        super().__init__("", kind, "copy", parent, scale=scale)
        self._copied = text
        self._label = label or self.tr("Copy")
        self._rest_kind = kind
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(COPIED_MS)
        self._timer.timeout.connect(self._show_rest)
        self.setText(self._label)
        self.clicked.connect(lambda *_: self.copy())

    def set_copied_text(self, text: str) -> None:
        """Change what is copied."""
        self._copied = text

    def copy(self) -> None:
        """Copy and say so."""
        QGuiApplication.clipboard().setText(self._copied)
        self.setMinimumWidth(self.width())
        self.setText(self.tr("Copied"))
        self.set_kind(OUTLINED)
        self.set_icon_name("check")
        self._timer.start()

    def _show_rest(self) -> None:
        self.setMinimumWidth(0)
        self.setText(self._label)
        self.set_kind(self._rest_kind)
        self.set_icon_name("copy")


class CommandLine(QFrame):
    """One command.

    Args:
        command: Shown shortened in the middle, copied whole.
        shell: ``sh``, ``powershell`` or ``python``: the sign before it.
        is_primary: Its button is the page's filled one.
    """

    def __init__(
        self, command: str, shell: str = "sh", parent: QWidget | None = None, *, is_primary: bool = False
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "code")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(40)
        self.setAccessibleName(command)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 5, 5)
        row.setSpacing(8)
        row.addWidget(TextLabel({"powershell": ">", "python": ">>>"}.get(shell, "$"), "mono", "muted"))
        line = ElidedLabel(command.replace("\n", " ⏎ "), "mono")
        row.addWidget(line, 1)
        self.button = CopyButton(command, kind=PRIMARY if is_primary else OUTLINED)
        self.button.setAccessibleName(self.tr("Copy the command"))
        row.addWidget(self.button)
