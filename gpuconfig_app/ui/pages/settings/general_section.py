"""Language and appearance; both take effect at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QWidget

from gpuconfig_app.ui.language import CHINESE, ENGLISH, SYSTEM, resolve_language
from gpuconfig_app.ui.pages.settings.section import Section
from gpuconfig_app.ui.theme import DARK, LIGHT
from gpuconfig_app.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from gpuconfig_app.ui.state import AppState

# names of languages stand in their own language
_NAMES = {ENGLISH: "English", CHINESE: "简体中文"}


class GeneralSection(Section):
    """The first section."""

    def __init__(self, state: AppState, title: str, parent: QWidget | None = None) -> None:
        super().__init__("general", "settings", title, parent)
        self.language = QComboBox()
        self.language.setMinimumWidth(220)
        own = _NAMES[resolve_language(SYSTEM)]
        self.language.addItem(self.tr("Follow the system ({language})").format(language=own), SYSTEM)
        for value, name in _NAMES.items():
            self.language.addItem(name, value)
        self.language.setCurrentIndex(max(self.language.findData(state.settings.language), 0))
        self.language.activated.connect(lambda _: state.update_settings(language=self.language.currentData()))
        self.add_row(self.tr("Language"), self.tr("Takes effect at once, no restart"), self.language)
        self.theme = SegmentedControl([(SYSTEM, self.tr("System")), (LIGHT, self.tr("Light")), (DARK, self.tr("Dark"))])
        self.theme.set_value(state.settings.theme)
        self.theme.chosen.connect(lambda value: state.update_settings(theme=value))
        self.add_row(self.tr("Appearance"), "", self.theme)
