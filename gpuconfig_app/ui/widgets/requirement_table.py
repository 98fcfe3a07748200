"""The table of requirements, rows of 32; the failing row stands out, a selected one tells its source."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.core.finding import Requirement
from gpuconfig_app.core.messages import Message
from gpuconfig_app.ui.models.requirement_model import RequirementModel
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.painting import text_width
from gpuconfig_app.ui.widgets.table import PlainTable

# Largest share of each column; the one for what was found takes the rest.
_SHARES = {0: 0.26, 1: 0.30, 3: 0.28}
_MOST_ROW = 44  # rows share the room beside a longer column up to this height
_PADDING = {0: 32, 1: 24, 3: 40}


class RequirementTable(PlainTable):
    """Requirements of one verdict.

    Signals:
        requirement_selected(object): ``Requirement`` of the row the user is on.
    """

    requirement_selected = Signal(object)

    def __init__(self, text: Callable[[Message | None], str], parent: QWidget | None = None) -> None:
        super().__init__(parent, current_theme().size("height.table_row_dense"))
        self.setObjectName("requirementTable")
        self.setProperty("head", "top")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Requirements"))
        self._model = RequirementModel(text, self)
        self.setModel(self._model)
        self.selectionModel().currentRowChanged.connect(self._tell)
        self._divide()
        self.fit()

    def show_requirements(self, requirements: Sequence[Requirement]) -> None:
        """Replace all rows."""
        row = self.currentIndex().row()
        kept = self._model.requirement(row).id if row >= 0 else ""
        self._model.set_requirements(requirements)
        self._divide()
        self.fit()
        self.choose(kept)

    def choose(self, requirement_id: str) -> None:
        """Select a row by its id; nothing is selected when there is none."""
        row = self._model.row_of(requirement_id)
        if row >= 0:
            self.setCurrentIndex(self._model.index(row, 0))

    def name_of(self, requirement: Requirement) -> str:
        """Give what a requirement is called in the table."""
        return self._model.name(requirement)

    @override
    def fit(self) -> None:
        """Need the height of dense rows, and take what is beside it up to ``_MOST_ROW`` a row."""
        head = 0 if self.horizontalHeader().isHidden() else self.horizontalHeader().height()
        rows = self._model.rowCount()
        self.setMinimumHeight(head + rows * self._row_height)
        self.setMaximumHeight(head + rows * _MOST_ROW)
        self.updateGeometry()
        self._share_height()

    def _share_height(self) -> None:
        """Divide the height by the rows, the pixels that are left over to the first ones."""
        rows = self._model.rowCount()
        if not rows:
            return
        head = 0 if self.horizontalHeader().isHidden() else self.horizontalHeader().height()
        room = min(max(self.height() - head, rows * self._row_height), rows * _MOST_ROW)
        each, more = divmod(room, rows)
        for row in range(rows):
            self.setRowHeight(row, each + (row < more))

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def _tell(self, current: QModelIndex) -> None:
        if current.isValid():
            self.requirement_selected.emit(self._model.requirement(current.row()))

    def _divide(self) -> None:
        width = max(self.width(), 420)
        wanted = {column: min(self._wanted_width(column), round(width * share)) for column, share in _SHARES.items()}
        self.set_columns(wanted, 2)

    def _wanted_width(self, column: int) -> int:
        """Give the width that shows every text of a column in full."""
        theme = current_theme()
        texts = [self._model.headerData(column, Qt.Orientation.Horizontal)]
        texts += [self._model.index(row, column).data() for row in range(self._model.rowCount())]
        widest = max(text_width(str(text), theme.font("body_strong" if column == 0 else "body")) for text in texts)
        return round(widest) + _PADDING[column]

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()
        self._share_height()
