"""Python environments with their verdicts, four at first."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.ui.widgets.buttons import FLAT, LINK, OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard
from gpuconfig_app.ui.widgets.environment_table import EnvironmentTable
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.spinner import Spinner

MOST_ROWS = 4


class EnvironmentsBlock(HeadedCard):
    """Table and foot.

    Args:
        text: Renders a text in the shown language.

    Signals:
        environment_chosen(str): Interpreter the user chose.
        scan_asked(): The user wants the search again.
        making_asked(): The user wants an environment with TensorFlow made; offered where there is none.
    """

    environment_chosen = Signal(str)
    scan_asked = Signal()
    making_asked = Signal()

    def __init__(
        self, title: str, text: Callable[[Message | LocalText | None], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(title, parent)
        self.setObjectName("environmentsBlock")
        self._shows_all = False
        self._count = 0
        self._spinner = Spinner()
        self.head.addWidget(self._spinner)
        self.scan = Button(self.tr("Scan again"), FLAT, "refresh-cw", scale="small", on_click=self.scan_asked.emit)
        make = self.tr("Make a working environment…")
        self.make = Button(make, OUTLINED, "plus", scale="small", on_click=self.making_asked.emit)
        self.make.setObjectName("make_environment")
        self.head.addWidget(self.scan)
        self.head.addWidget(self.make)
        self.table = EnvironmentTable(text)
        self.table.set_most_rows(MOST_ROWS)
        self.table.environment_chosen.connect(self.environment_chosen)
        self._empty = TextLabel("", "body", "secondary", wraps=True)
        self._empty.setContentsMargins(16, 6, 16, 16)
        self._empty.hide()
        self.body.addWidget(self.table)
        self.body.addWidget(self._empty)
        self._foot = self._build_foot()
        self.body.addWidget(self._foot)
        self.body.addStretch(1)

    def show_environments(
        self,
        environments: tuple[PythonEnvironment, ...],
        verdicts: dict[str, CompatReport],
        chosen: str | None,
        *,
        is_searching: bool,
        is_told: bool = True,
    ) -> None:
        """Show what was found so far.

        Args:
            is_told: False for a machine of which only the cards are known.
        """
        self._count = len(environments)
        self.table.show_environments(environments, verdicts, chosen)
        self.table.setVisible(bool(environments))
        self.make.setVisible(
            is_told and not is_searching and all(item.tensorflow_version is None for item in environments)
        )
        self._empty.setVisible(not environments)
        searching = self.tr("Looking for Python environments…")
        none = self.tr("No Python environment was found.")
        if not is_told:
            none = self.tr("The output tells nothing about Python there. The verdict takes a fresh installation.")
        self._empty.setText(searching if is_searching else none)
        self._show_foot()
        self.show_searching(is_searching=is_searching)

    def show_searching(self, *, is_searching: bool) -> None:
        """Show that the search is on."""
        self.scan.setEnabled(not is_searching)
        if is_searching:
            self._spinner.start()
        else:
            self._spinner.stop()

    def _build_foot(self) -> QWidget:
        foot = QWidget()
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 3, 12, 3)
        self._remark = TextLabel("", "small", "muted")
        row.addWidget(self._remark)
        row.addStretch(1)
        self._more = Button("", LINK, scale="small", on_click=self._toggle)
        row.addWidget(self._more, 0, Qt.AlignmentFlag.AlignRight)
        return foot

    def _show_foot(self) -> None:
        self._foot.setVisible(self._count > MOST_ROWS)
        shown = self._count if self._shows_all else min(self._count, MOST_ROWS)
        self._remark.setText(self.tr("{shown} of %n environment(s)", "", self._count).format(shown=shown))
        self._more.setText(self.tr("Show fewer") if self._shows_all else self.tr("Show all"))

    def _toggle(self) -> None:
        self._shows_all = not self._shows_all
        self.table.set_most_rows(None if self._shows_all else MOST_ROWS)
        self._show_foot()
