"""The one cause from which the ways lead on, in a bar that stays."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel


class CauseBar(QFrame):
    """Icon, cause in bold, explanation, and a link to where it comes from.

    Args:
        on_source: Shows or hides the source.
    """

    def __init__(self, on_source: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "message")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.severity = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 10, 14, 10)
        row.setSpacing(10)
        self._icon = IconLabel("info", 18)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        self._title = TextLabel("", "body_strong", wraps=True)
        self._text = TextLabel("", "body", "text", wraps=True, is_selectable=True)
        texts.addWidget(self._title)
        texts.addWidget(self._text)
        row.addLayout(texts, 1)
        self._link = Button(self.tr("Where this comes from"), LINK, scale="small", on_click=on_source)
        row.addWidget(self._link, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def title(self) -> str:
        """The cause."""
        return self._title.text()

    def show_cause(self, severity: str, title: str, text: str, *, has_source: bool = False) -> None:
        """Say another cause, or that there is none."""
        self.severity = severity
        self.setProperty("severity", severity)
        self.style().unpolish(self)
        self.style().polish(self)
        icon = current_theme().severity_icon(severity if severity != "neutral" else "note")
        self._icon.show_icon(icon, f"{severity}.fg")
        self._title.setText(title)
        self._title.set_tone(severity if severity != "neutral" else "text")
        self._text.setText(text)
        self._link.setVisible(has_source)
        self.setAccessibleName(f"{title} {text}".strip())
