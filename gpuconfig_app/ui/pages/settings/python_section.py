"""Folders that are searched for Python environments beside the usual places."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from gpuconfig_app.ui.pages.settings.section import Section
from gpuconfig_app.ui.widgets.buttons import Button

if TYPE_CHECKING:
    from gpuconfig_app.ui.state import AppState


class PythonSection(Section):
    """Extra folders, each with a button to leave it out again."""

    def __init__(self, state: AppState, title: str, parent: QWidget | None = None) -> None:
        super().__init__("python", "package", title, parent)
        self._state = state
        self.add = Button(self.tr("Add a folder…"), icon_name="plus", scale="small", on_click=self._ask)
        self.head.addWidget(self.add)
        self._fill()

    def add_folder(self, folder: str) -> None:
        """Search a folder from now on; the machine is looked at again."""
        folders = self._state.settings.extra_python_folders
        if folder not in folders:
            self._set((*folders, folder))

    def _fill(self) -> None:
        self.clear()
        folders = self._state.settings.extra_python_folders
        for folder in folders:
            button = Button(self.tr("Remove"), scale="small", on_click=partial(self._leave_out, folder))
            button.setAccessibleName(self.tr("Remove {folder}").format(folder=folder))
            self.add_row(folder, "", button)
        if not folders:
            self.add_row(
                self.tr("Only the usual places are searched"),
                self.tr("The active environment, conda, pyenv, uv, the system, and .venv folders below your home"),
            )

    def _leave_out(self, folder: str) -> None:
        self._set(tuple(item for item in self._state.settings.extra_python_folders if item != folder))

    def _set(self, folders: tuple[str, ...]) -> None:
        self._state.update_settings(extra_python_folders=folders)
        self._fill()
        self._state.refresh()

    def _ask(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Folder with Python environments"))
        if folder:
            self.add_folder(folder)
