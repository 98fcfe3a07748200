"""The rail at the left: machine, pages, sampling line, settings. It knows the list of pages and nothing else."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from gpuconfig_app.ui.language import page_title
from gpuconfig_app.ui.pages import PAGES
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.machine_chooser import MachineChooser
from gpuconfig_app.ui.widgets.nav_item import NavItem
from gpuconfig_app.ui.widgets.sampling_line import SamplingLine


class Rail(QWidget):
    """Navigation.

    Attributes:
        chooser: Which machine is open.
        sampling: Line above the settings.

    Signals:
        page_asked(str): The user chose a page.
    """

    page_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(current_theme().size("width.rail"))
        self.setAccessibleName(self.tr("Navigation"))
        self.chooser = MachineChooser()
        self.sampling = SamplingLine()
        self._items: dict[str, NavItem] = {}
        self._group = QButtonGroup(self)
        self._build()

    def item(self, page_id: str) -> NavItem:
        """Give the entry of a page."""
        return self._items[page_id]

    def show_page(self, page_id: str) -> None:
        """Mark a page as the one that is shown."""
        self._items[page_id].setChecked(True)

    def set_severity(self, page_id: str, severity: str) -> None:
        """Show that a page needs attention; empty for none."""
        words = {"blocked": self.tr("something is wrong"), "warning": self.tr("needs attention")}
        shown = severity if severity in words else ""
        self._items[page_id].set_severity(shown, words.get(shown, ""))

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 12, 9, 8)
        column.setSpacing(2)
        column.addWidget(self.chooser)
        column.addSpacing(10)
        for spec in PAGES:
            if not spec.is_apart:
                column.addWidget(self._make_item(spec.id, spec.icon, spec.title))
        column.addStretch(1)
        column.addWidget(self.sampling)
        column.addSpacing(6)
        for spec in PAGES:
            if spec.is_apart:
                column.addWidget(self._make_item(spec.id, spec.icon, spec.title))

    def _make_item(self, page_id: str, icon: str, title: str) -> NavItem:
        item = NavItem(page_title(title), icon)
        item.setObjectName(f"nav_{page_id}")
        item.clicked.connect(lambda *_: self.page_asked.emit(page_id))
        self._group.addButton(item)
        self._items[page_id] = item
        return item
