"""Python environments with their verdicts; a row's mark chooses the one that is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.ui.models.environment_model import VERDICT, EnvironmentModel, EnvironmentOrder
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.painting import text_width
from gpuconfig_app.ui.widgets.table import PlainTable

_MOST_VERDICT = 0.42  # of the table's width; the environments' own names need theirs
_BADGE = 48


class EnvironmentTable(PlainTable):
    """The table.

    Args:
        text: Renders a text in the shown language.

    Attributes:
        source: The unsorted model.

    Signals:
        environment_chosen(str): Interpreter of the row the user chose.
    """

    environment_chosen = Signal(str)

    def __init__(self, text: Callable[[Message | LocalText | None], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("environmentTable")
        self.setAccessibleName(self.tr("Python environments"))
        self.setProperty("radio", "true")
        self.source = EnvironmentModel(text, self)
        self._order = EnvironmentOrder(self)
        self._order.setSourceModel(self.source)
        self.setModel(self._order)
        self._most_rows: int | None = None
        self._chosen: str | None = None
        self.clicked.connect(self._choose)
        self._divide()
        self.fit()

    @property
    def hidden_rows(self) -> int:
        """Rows that are not shown."""
        return 0 if self._most_rows is None else max(self._order.rowCount() - self._most_rows, 0)

    def show_environments(
        self,
        environments: Sequence[PythonEnvironment],
        verdicts: Mapping[str, CompatReport],
        chosen: str | None,
    ) -> None:
        """Replace all rows; see ``EnvironmentModel.show_environments``."""
        self._chosen = chosen
        self.source.show_environments(environments, verdicts, chosen)
        self._order.sort(VERDICT)
        self._hide_rest()
        self._divide()
        first = self._order.index(0, 0)
        if chosen is not None and first.isValid():
            self.selectRow(0)
        self.fit()

    def set_most_rows(self, count: int | None) -> None:
        """Show at most so many rows, None for all."""
        self._most_rows = count
        self._hide_rest()
        self.fit()

    def _hide_rest(self) -> None:
        for row in range(self._order.rowCount()):
            self.setRowHidden(row, self._most_rows is not None and row >= self._most_rows)

    def _choose(self, index: QModelIndex) -> None:
        environment = self.source.environment(self._order.mapToSource(index).row())
        if environment.executable != self._chosen:
            self.environment_chosen.emit(environment.executable)

    def _divide(self) -> None:
        width = max(self.width(), 440)
        wanted = max((self._badge_width(row) for row in range(self.source.rowCount())), default=0)
        verdict = min(max(wanted, 160), round(width * _MOST_VERDICT))
        self.set_columns({1: round(width * 0.12), 2: round(width * 0.15), 3: verdict}, 0)

    def _badge_width(self, row: int) -> int:
        """Give the width that shows a verdict in full."""
        word = str(self.source.index(row, VERDICT).data())
        return round(text_width(word, current_theme().font("small_strong"))) + _BADGE

    @override
    def fit(self) -> None:
        super().fit()
        hidden = self.hidden_rows
        if hidden:
            self.setFixedHeight(self.height() - hidden * self.verticalHeader().defaultSectionSize())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.currentIndex().isValid():
            self._choose(self.currentIndex())
            return
        super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()
