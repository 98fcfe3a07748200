"""Where the script is saved; and the question what to do when files are in the chosen folder already."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import current_theme, set_style_property
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import IconLabel
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.wizard.bundle_files import save_bundle
from gpuconfig_app.ui.wizard.draft import WizardDraft


class SavedBar(QFrame):
    """One line; hidden before the first save.

    Signals:
        choose_asked(): The user wants another folder.
    """

    choose_asked = Signal()

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state, self._draft = state, draft
        self.setProperty("role", "message")
        self.setObjectName("saved_bar")
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 5, 8, 5)
        line.setSpacing(10)
        self.setMinimumHeight(current_theme().size("height.message_bar"))
        self._icon = IconLabel("circle-check", 18, "good.fg")
        self._lead = TextLabel("", "body_strong")
        self._path = ElidedLabel("", "body")
        line.addWidget(self._icon)
        line.addWidget(self._lead)
        line.addWidget(self._path, 1)
        self._replace = Button(self.tr("Replace files"), OUTLINED, scale="small", on_click=self._overwrite)
        self._replace.setObjectName("replace_files")
        self._other = Button(self.tr("Choose another folder"), OUTLINED, scale="small")
        self._other.setObjectName("other_folder")
        self._other.clicked.connect(lambda *_: self.choose_asked.emit())
        self._again = Button(self.tr("Save the changes"), OUTLINED, "save", scale="small", on_click=self._save_again)
        self._again.setObjectName("save_again")
        for button in (self._replace, self._other, self._again):
            line.addWidget(button)

    def refresh(self) -> None:
        """Show how it stands."""
        occupied, folder = self._draft.occupied, self._draft.folder
        is_changed = folder is not None and self._draft.bundle is not None and not self._draft.is_saved
        self._replace.setVisible(occupied is not None)
        self._other.setVisible(occupied is not None)
        self._again.setVisible(occupied is None and is_changed)
        self.setVisible(occupied is not None or folder is not None)
        if occupied is not None:
            self._show("warning", "triangle-alert", self.tr("Files of these names are there already"), str(occupied))
        elif is_changed:
            self._show("note", "info", self.tr("Changed since it was saved"), str(folder))
        elif folder is not None:
            self._show("good", "circle-check", self.tr("Saved"), str(folder))

    def _show(self, severity: str, icon: str, lead: str, path: str) -> None:
        set_style_property(self, "severity", severity)
        self._icon.show_icon(icon, f"{severity}.fg")
        self._lead.setText(lead)
        self._lead.set_tone(severity)
        self._path.setText(path)
        self.setAccessibleName(f"{lead}: {path}")

    def _overwrite(self) -> None:
        folder = self._draft.occupied
        if folder is not None:
            save_bundle(self._state, self._draft, folder, overwrite=True)

    def _save_again(self) -> None:
        """Save where it was saved before; that files are replaced is still asked."""
        folder = self._draft.folder
        if folder is not None:
            save_bundle(self._state, self._draft, folder)
