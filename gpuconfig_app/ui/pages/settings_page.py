"""Settings: sections at the right, their list at the left, a search above; every change is saved at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.icons import make_icon
from gpuconfig_app.ui.page import Page
from gpuconfig_app.ui.pages.settings.about_sections import AboutSection, FilesSection, PrivacySection
from gpuconfig_app.ui.pages.settings.facts_section import FactsSection
from gpuconfig_app.ui.pages.settings.general_section import GeneralSection
from gpuconfig_app.ui.pages.settings.python_section import PythonSection
from gpuconfig_app.ui.pages.settings.sampling_section import SamplingSection
from gpuconfig_app.ui.pages.settings.section import Section
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.nav_item import NavItem

if TYPE_CHECKING:
    from gpuconfig_app.ui.state import AppState

_LIST_WIDTH = 184


class SettingsPage(Page):
    """All settings."""

    def __init__(self, state: AppState) -> None:
        super().__init__(scrolls=False, bleeds=True)
        self._state = state
        self.set_title(self.tr("Settings"), self.tr("All changes are saved at once"))
        self.sections = self._make_sections()
        self._items: dict[str, NavItem] = {}
        self._group = QButtonGroup(self)
        self._build()
        current_theme().changed.connect(self._color_search)
        self._color_search()

    def show_section(self, section_id: str) -> None:
        """Scroll to a section and mark it."""
        for section in self.sections:
            if section.section_id == section_id:
                self._area.verticalScrollBar().setValue(section.y())
                self._items[section_id].setChecked(True)

    def _make_sections(self) -> tuple[Section, ...]:
        state = self._state
        return (
            GeneralSection(state, self.tr("General")),
            SamplingSection(state, self.tr("Sampling")),
            PythonSection(state, self.tr("Python folders")),
            PrivacySection(self.tr("Privacy")),
            FactsSection(state, self.tr("Reference data")),
            FilesSection(state, self.tr("Files")),
            AboutSection(self.tr("About")),
        )

    def _build(self) -> None:
        self.search = QLineEdit()
        self.search.setObjectName("settingsSearch")
        self.search.setPlaceholderText(self.tr("Search settings"))
        self.search.setAccessibleName(self.tr("Search settings"))
        self.search.setFixedWidth(240)
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._search)
        self._search_icon = QAction(self)
        self.search.addAction(self._search_icon, QLineEdit.ActionPosition.LeadingPosition)
        self.buttons.addWidget(self.search)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self._build_list(), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._build_sections(), 1)
        self.body.addLayout(row, 1)

    def _build_list(self) -> QWidget:
        card = Card(padding=8)
        card.setFixedWidth(_LIST_WIDTH)
        card.setAccessibleName(self.tr("Sections"))
        card.body.setSpacing(2)
        for section in self.sections:
            item = NavItem(section.title.text(), section.icon, is_in_card=True)
            item.clicked.connect(lambda *_, name=section.section_id: self.show_section(name))
            self._group.addButton(item)
            self._items[section.section_id] = item
            card.body.addWidget(item)
        self._items["general"].setChecked(True)
        return card

    def _build_sections(self) -> QWidget:
        content = QWidget()
        content.setObjectName("pageBody")
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 12, 24)
        column.setSpacing(12)
        for section in self.sections:
            column.addWidget(section)
        self._nothing = TextLabel(self.tr("No setting matches."), "body", "muted")
        self._nothing.hide()
        column.addWidget(self._nothing)
        column.addStretch(1)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(content)
        self._area.verticalScrollBar().valueChanged.connect(self._mark_section)
        return self._area

    def _search(self, words: str) -> None:
        found = [section.search(words.strip()) for section in self.sections]
        self._nothing.setVisible(not any(found))

    def _mark_section(self, top: int) -> None:
        """Mark the section at the top edge."""
        shown = [section for section in self.sections if not section.isHidden() and section.y() <= top + 24]
        if shown:
            self._items[shown[-1].section_id].setChecked(True)

    def _color_search(self) -> None:
        self._search_icon.setIcon(make_icon("search", 16, current_theme().color("text_muted")))

    @override
    def on_enter(self, arguments: Mapping[str, object]) -> None:
        section = arguments.get("section")
        if isinstance(section, str):
            self.show_section(section)
