"""One setting: name and second line at the left, its control at the right; saved at once."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.ui.widgets.labels import TextLabel


class SettingsRow(QWidget):
    """A row of 52.

    Args:
        name: What is set; also the control's accessible name unless it has one.
        remark: Second line, empty for none.
        control: At the right.
    """

    def __init__(self, name: str, remark: str, control: QWidget | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.remark = TextLabel(remark, "small", "muted", wraps=True)
        if not remark:
            self.remark.hide()  # never shown here: without a parent it would be a window of its own
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 7, 20, 7)
        row.setSpacing(16)
        self.setMinimumHeight(50)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addStretch(1)
        texts.addWidget(TextLabel(name))
        texts.addWidget(self.remark)
        texts.addStretch(1)
        row.addLayout(texts, 1)
        if control is not None:
            row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
            if not control.accessibleName():
                control.setAccessibleName(name)

    def matches(self, words: str) -> bool:
        """Whether a search finds this row."""
        text = f"{self.name} {self.remark.text()}".casefold()
        return all(word in text for word in words.casefold().split())
