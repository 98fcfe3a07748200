"""Rows of what was looked at before anything is made, and of what the plan does for a reason of its own."""

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
    """Rows of icon, name and what was found; a row without a name is one sentence.

    Args:
        title: Its heading.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self._shown: tuple[CheckShown, ...] = ()
        self.body.addWidget(TextLabel(title, "heading"))
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
        for row, check in enumerate(checks):
            icon = IconLabel(current_theme().severity_icon(check.severity), 16, f"{check.severity}.fg")
            tone = check.severity if check.severity in ("warning", "blocked") else "secondary"
            found = TextLabel(check.found, "body", tone, wraps=True, is_selectable=True)
            self._place(icon, row, 0)
            if check.name:
                found.setAccessibleName(f"{check.name}: {check.found}")
                name = TextLabel(check.name)
                name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
                self._place(name, row, 1)
                self._place(found, row, 2)
            else:
                self._place(found, row, 1, columns=2)

    def _place(self, part: QWidget, row: int, column: int, columns: int = 1) -> None:
        self._grid.addWidget(part, row, column, 1, columns, Qt.AlignmentFlag.AlignTop)
        part.show()  # a layout counts what is not shown yet as empty
