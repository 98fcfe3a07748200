"""A making that was cut off, by a power cut or a killed program: what still lies there can be removed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.environment_made import Leftover
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.wizard.layouts import clear_layout


class LeftoverCard(QFrame):
    """One line for each.

    Signals:
        cleaning_asked(object): The ``Leftover`` shall be removed.
    """

    cleaning_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "message")
        self.setProperty("severity", "warning")
        self._shown: tuple[Leftover, ...] = ()
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(12, 6, 8, 6)
        self.hide()

    def show_leftovers(self, leftovers: Sequence[Leftover]) -> None:
        """Show what was left."""
        self.setVisible(bool(leftovers))
        if tuple(leftovers) == self._shown:
            return
        self._shown = tuple(leftovers)
        clear_layout(self._rows)
        for leftover in leftovers:
            row = QHBoxLayout()
            row.setSpacing(10)
            row.addWidget(IconLabel(current_theme().severity_icon("warning"), 18, "warning.fg"))
            text = self.tr("The making of {folder} was cut off; its remains still lie there.")
            label = TextLabel(text.format(folder=leftover.folder), wraps=True)
            row.addWidget(label, 1)
            button = Button(self.tr("Remove the remains"), OUTLINED, "trash-2", scale="small")
            button.setObjectName("clean_leftover")
            button.clicked.connect(lambda *_, found=leftover: self.cleaning_asked.emit(found))
            row.addWidget(button)
            self._rows.addLayout(row)
            for part in (label, button):
                part.show()  # a layout counts what is not shown yet as empty
