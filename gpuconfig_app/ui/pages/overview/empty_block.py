"""No card was found: three ways on, and a list for the hand."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuconfig_app.ui.pages.overview.search_block import CheckList
from gpuconfig_app.ui.widgets.empty_state import WayOn, WaysOn


class EmptyBlock(QWidget):
    """Ways on.

    Signals:
        script_asked(): The user wants to train on the processor.
        machine_asked(): The user wants to plan for another machine.
    """

    script_asked = Signal()
    machine_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        self._check_list = self._make_check_list()
        self._check_list.hide()
        column.addWidget(WaysOn(self._ways()))
        column.addWidget(self._check_list)

    def _ways(self) -> list[WayOn]:
        return [
            WayOn(
                "gpu",
                self.tr("Is a card fitted?"),
                self.tr(
                    "A card that sits loosely, lacks a power plug or is switched off in the firmware is not seen "
                    "by anything."
                ),
                self.tr("Show the check list"),
                "list-checks",
                lambda: self._check_list.setVisible(not self._check_list.isVisible()),
            ),
            WayOn(
                "cpu",
                self.tr("Train on the processor"),
                self.tr(
                    "Small models learn here too. The script wizard knows that there is no GPU and sizes batch, "
                    "threads and time for this processor."
                ),
                self.tr("New training script"),
                "wand-sparkles",
                self.script_asked.emit,
            ),
            WayOn(
                "server",
                self.tr("Plan for another machine"),
                self.tr(
                    "Open a recorded machine from a colleague or a server. Checks, scripts and memory work the same."
                ),
                self.tr("Choose a machine…"),
                "folder-open",
                self.machine_asked.emit,
            ),
        ]

    def _make_check_list(self) -> CheckList:
        steps = (
            self.tr("Switch the machine off and unplug it. Check that the card sits fully in its slot."),
            self.tr("Check that every power plug of the card is in, each from its own cable where it asks for two."),
            self.tr("In the firmware set-up, turn on “Above 4G decoding”; turn off a setting that disables the slot."),
            self.tr("In a virtual machine, pass the card through on the host; start a container with GPU access."),
            self.tr("Start the machine and scan again."),
        )
        return CheckList(self.tr("Check list"), steps)
