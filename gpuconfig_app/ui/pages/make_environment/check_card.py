"""What was looked at before anything is made: room, folders, driver, index."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from gpuconfig_app.ui.pages.make_environment.shown import CheckShown
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import Card, IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel

_NAME_WIDTH = 150


class CheckCard(Card):
    """Rows of icon, name and what was found."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[CheckShown, ...] = ()
        self.body.addWidget(TextLabel(self.tr("Checked beforehand"), "heading"))
        self._rows = QWidget()
        outer = QVBoxLayout(self._rows)
        outer.setContentsMargins(0, 2, 0, 0)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(9)
        self._grid.setColumnMinimumWidth(1, _NAME_WIDTH)
        self._grid.setColumnStretch(2, 1)
        outer.addLayout(self._grid)
        self.body.addWidget(self._rows)

    @property
    def shown(self) -> tuple[CheckShown, ...]:
        """What stands there."""
        return self._shown

    def show_checks(self, checks: Sequence[CheckShown]) -> None:
        """Replace the rows."""
        if tuple(checks) == self._shown:
            return
        self._shown = tuple(checks)
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        top = Qt.AlignmentFlag.AlignTop
        for row, check in enumerate(checks):
            icon = IconLabel(current_theme().severity_icon(check.severity), 16, f"{check.severity}.fg")
            name = TextLabel(check.name)
            name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            tone = check.severity if check.severity in ("warning", "blocked") else "secondary"
            found = TextLabel(check.found, "body", tone, wraps=True, is_selectable=True)
            found.setAccessibleName(f"{check.name}: {check.found}")
            for column, part in enumerate((icon, name, found)):
                self._grid.addWidget(part, row, column, top)
                part.show()  # a layout counts what is not shown yet as empty
