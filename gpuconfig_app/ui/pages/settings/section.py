"""A section: a card with a title and rows parted by hairlines, which a search can thin out."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gpuconfig_app.ui.widgets.cards import HeadedCard, Line
from gpuconfig_app.ui.widgets.settings_row import SettingsRow


class Section(HeadedCard):
    """Rows of one subject.

    Attributes:
        section_id: Name for navigation.
        icon: Lucide name beside it in the list.
    """

    def __init__(self, section_id: str, icon: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.section_id = section_id
        self.icon = icon
        self.setObjectName(f"settings_{section_id}")
        self.head.setContentsMargins(20, 8, 20, 8)
        self._rows: list[tuple[Line, SettingsRow]] = []

    @property
    def rows(self) -> tuple[SettingsRow, ...]:
        """Rows in order."""
        return tuple(row for _, row in self._rows)

    def add_row(self, name: str, remark: str, control: QWidget | None = None) -> SettingsRow:
        """Add a row at the end."""
        row = SettingsRow(name, remark, control)
        line = Line()
        self.body.addWidget(line)
        self.body.addWidget(row)
        self._rows.append((line, row))
        return row

    def clear(self) -> None:
        """Take all rows away."""
        for line, row in self._rows:
            for widget in (line, row):
                self.body.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
        self._rows.clear()

    def search(self, words: str) -> bool:
        """Show only what matches; True when something does. A matching title shows all rows."""
        is_whole = bool(words) and words.casefold() in self.title.text().casefold()
        found = False
        for line, row in self._rows:
            fits = not words or is_whole or row.matches(words)
            line.setVisible(fits)
            row.setVisible(fits)
            found = found or fits
        self.setVisible(found)
        return found
