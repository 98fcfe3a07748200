"""Says always, and first, that a recorded machine is looked at; it cannot be closed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import FLAT, Button
from gpuconfig_app.ui.widgets.cards import IconLabel
from gpuconfig_app.ui.widgets.labels import ElidedLabel


class RecordedBar(QFrame):
    """Neutral bar with the history icon.

    Signals:
        back_asked(): The user wants this machine again.
        other_asked(): The user wants to open another recorded machine.
    """

    back_asked = Signal()
    other_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recordedBar")
        self.setProperty("role", "message")
        self.setProperty("severity", "neutral")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setMinimumHeight(current_theme().size("height.message_bar"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 8, 5)
        row.setSpacing(10)
        row.addWidget(IconLabel("history", 18, "neutral.fg"))
        self._lead = ElidedLabel("", "body_strong", "text", mode=Qt.TextElideMode.ElideRight)
        self._lead.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row.addWidget(self._lead)
        self._sentence = ElidedLabel("", "body", "secondary", mode=Qt.TextElideMode.ElideRight)
        row.addWidget(self._sentence, 1)
        row.addStretch(0)  # takes the room of a sentence that is left out, else the buttons would
        self._other = Button(
            self.tr("Open another…"), FLAT, "folder-open", scale="small", on_click=self.other_asked.emit
        )
        self._back = Button(
            self.tr("Back to this machine"), icon_name="pc-case", scale="small", on_click=self.back_asked.emit
        )
        row.addWidget(self._other)
        row.addWidget(self._back)

    def show_machine(self, title: str, date: str) -> None:
        """Show which machine it is and when it was recorded; ``date`` may be empty."""
        self._lead.setText(self.tr("Recorded machine “{name}”.").format(name=title))
        as_it_was = self.tr("As it was on {date}. Not live.").format(date=date)
        self._sentence.setText(as_it_was if date else self.tr("Not live."))
        self.setAccessibleName(f"{self._lead.text()} {self._sentence.text()}")
        self._fit()

    def _fit(self) -> None:
        """Keep what matters where all has no room: the rail can open another machine too, the date is in the rail."""
        room = self.width() - self._back.sizeHint().width() - 18 - 5 * 10
        room -= self._lead.sizeHint().width() + self._sentence.sizeHint().width()
        self._other.setVisible(room >= self._other.sizeHint().width())
        self._sentence.setVisible(room >= 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
