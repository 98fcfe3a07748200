"""While a log is read and explained: how far it is, and a way to end it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.widgets.spinner import Spinner

_STEPS = 1_000
_BAR_WIDTH = 220


class ReadingBar(Card):
    """One line.

    Signals:
        cancelled(): The user ends it.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, padding=0)
        self.setObjectName("readingBar")
        row = QHBoxLayout()
        row.setContentsMargins(16, 9, 12, 9)
        row.setSpacing(12)
        self._spinner = Spinner()
        self._title = TextLabel(self.tr("Explaining the log…"), "body_strong")
        self._step = ElidedLabel("", "body", "secondary", mode=Qt.TextElideMode.ElideRight)
        self._bar = QProgressBar()
        self._bar.setRange(0, _STEPS)
        self._bar.setFixedWidth(_BAR_WIDTH)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self._title.text())
        self._cancel = Button(self.tr("Cancel"), OUTLINED, scale="small", on_click=self.cancelled.emit)
        self._cancel.setObjectName("cancel_reading")
        row.addWidget(self._spinner)
        row.addWidget(self._title)
        row.addWidget(self._step, 1)
        row.addWidget(self._bar)
        row.addWidget(self._cancel)
        self.body.addLayout(row)

    def start(self) -> None:
        """Begin at nothing."""
        self.show_step(None, "")
        self._spinner.start()

    def show_step(self, share: float | None, text: str) -> None:
        """Show how far it is, 0 to 1; None when that is not known."""
        self._step.setText(text)
        self._bar.setValue(round((share or 0.0) * _STEPS))

    def stop(self) -> None:
        """End the spinner."""
        self._spinner.stop()
