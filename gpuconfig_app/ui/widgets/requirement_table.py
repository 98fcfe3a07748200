"""The table of requirements, rows of 32; the failing row stands out, a selected one tells its source."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from gpuconfig_app.core.finding import Requirement
from gpuconfig_app.core.messages import Message
from gpuconfig_app.ui.models.requirement_model import RequirementModel
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.table import PlainTable


class RequirementTable(PlainTable):
    """Requirements of one verdict.

    Signals:
        requirement_selected(object): ``Requirement`` of the row the user is on.
    """

    requirement_selected = Signal(object)

    def __init__(self, text: Callable[[Message | None], str], parent: QWidget | None = None) -> None:
        super().__init__(parent, current_theme().size("height.table_row_dense"))
        self.setObjectName("requirementTable")
        self.setAccessibleName(self.tr("Requirements"))
        self._model = RequirementModel(text, self)
        self.setModel(self._model)
        self.selectionModel().currentRowChanged.connect(self._tell)
        self._divide()
        self.fit()

    def show_requirements(self, requirements: Sequence[Requirement]) -> None:
        """Replace all rows."""
        self._model.set_requirements(requirements)
        self.fit()

    def _tell(self, current: QModelIndex) -> None:
        if current.isValid():
            self.requirement_selected.emit(self._model.requirement(current.row()))

    def _divide(self) -> None:
        width = max(self.width(), 420)
        self.set_columns({0: round(width * 0.22), 1: round(width * 0.25), 3: round(width * 0.17)}, 2)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()
