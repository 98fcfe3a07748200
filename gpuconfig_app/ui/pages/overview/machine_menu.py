"""Menu of recorded machines, for planning where no card is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from gpuconfig_app.workbench.machine import ShippedMachine

if TYPE_CHECKING:
    from gpuconfig_app.ui.state import AppState


class MachineMenu(QMenu):
    """The machines that ship, and a folder of one's own."""

    def __init__(self, state: AppState, machines: tuple[ShippedMachine, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self._state = state
        for machine in machines:
            action = self.addAction(state.text(machine.title))
            action.triggered.connect(lambda *_, name=machine.name: state.select_machine(name))
        self.addSeparator()
        self.addAction(self.tr("Open a folder…")).triggered.connect(lambda *_: self._open_folder())
        self.addAction(self.tr("Open the output of nvidia-smi or another tool…")).triggered.connect(
            lambda *_: self._open_output()
        )

    def _open_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self.parentWidget(), self.tr("Open a recorded machine"))
        if folder:
            self._state.select_machine(folder)

    def _open_output(self) -> None:
        """Open what a tool printed on another machine, saved as a text file."""
        path, _ = QFileDialog.getOpenFileName(self.parentWidget(), self.tr("Open the output of a tool"))
        if path:
            self._state.select_machine(path)
