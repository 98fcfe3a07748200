"""The section of the fact tables: how old they are, and the refresh from the package index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.ui.notice import Notice
from gpuconfig_app.ui.pages.settings.fact_tables import FactTable, read_fact_tables
from gpuconfig_app.ui.pages.settings.section import Section
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.settings_row import SettingsRow
from gpuconfig_app.workbench.facts import Refreshed, refresh_facts

if TYPE_CHECKING:
    from gpuconfig_app.ui.state import AppState

TABLES = "fact tables"
REFRESH = "facts refresh"


class FactsSection(Section):
    """Fact tables with their dates; those of TensorFlow can be read anew.

    Attributes:
        button: Starts the refresh, or ends the one that runs.
    """

    def __init__(self, state: AppState, title: str, parent: QWidget | None = None) -> None:
        super().__init__("facts", "database", title, parent)
        self._state = state
        self._tables: tuple[FactTable, ...] = ()
        self._step = ""
        self.button = self._make_button()
        self._first_row: SettingsRow = self.add_row(self.tr("Reading the tables…"), "", self.button)
        self._show_state()
        state.busy_changed.connect(self._follow)
        self._read()

    def show_tables(self, tables: tuple[FactTable, ...]) -> None:
        """Show what was read."""
        self._tables = tables
        is_focused = self.button.hasFocus()
        self.clear()
        self.button = self._make_button()
        for table in tables:
            row = self.add_row(*self._words(table), self.button if table.id == "releases" else None)
            if table.id == "releases":
                self._first_row = row
        if is_focused:
            self.button.setFocus()
        self._show_state()

    def _make_button(self) -> Button:
        button = Button(self.tr("Refresh now"), icon_name="refresh-cw", scale="small", on_click=self._press)
        button.setObjectName("refreshFacts")
        button.setToolTip(
            self.tr(
                "Asks the package index that pip uses: some MB, several hundred for each new release. "
                "Nothing else is sent."
            )
        )
        return button

    def _words(self, table: FactTable) -> tuple[str, str]:
        date = self.tr("checked {date}").format(date=table.checked_on)
        origin = self.tr("refreshed by you") if table.is_refreshed else self.tr("shipped with the program")
        if table.id == "releases":
            name, contents = self.tr("TensorFlow packages"), self.tr("{first} to {last}")
            contents = contents.format(first=table.first, last=table.last)
        elif table.id == "packages":
            name, contents = self.tr("Other packages around TensorFlow"), self.tr("%n package(s)", "", table.count)
        elif table.id == "cards":
            name, contents = self.tr("GPU catalogue"), self.tr("%n card(s)", "", table.count)
        else:
            name, contents = self.tr("Models"), self.tr("%n model(s)", "", table.count)
        return name, f"{date} · {contents} · {origin}"

    def _press(self) -> None:
        background = self._state.background
        if background.is_busy(REFRESH):
            background.cancel(REFRESH)
            return
        state = self._state
        environment = state.environment if not state.is_recorded else None
        others = (environment.executable,) if environment is not None else ()

        def work(control: JobControl) -> Refreshed:
            return refresh_facts(state.workbench.places, control, others=others, clock=state.workbench.clock)

        def done(refreshed: Refreshed) -> None:
            severity = Severity.WARNING if refreshed.warnings else Severity.GOOD
            hint = refreshed.warnings[0] if refreshed.warnings else None
            state.post(Notice(REFRESH, severity, refreshed.sentence, hint))
            if state.machine is not None:
                state.check()  # the verdict rests on these tables

        # The refresh may outlive this page, when the language changes: what comes of it goes to the state.
        self._step = state.text(Message("harvest.asking"))
        background.run(REFRESH, work, done, lambda error: state.post_error(REFRESH, error), self._show_step)
        self._show_state()

    def _show_step(self, share: float | None, message: Message) -> None:
        percent = f"{round((share or 0) * 100)} % · "
        self._step = percent + self._state.text(message)
        self._show_state()

    def _follow(self, topic: str, is_busy: bool) -> None:  # the two values of the state's signal
        if topic != REFRESH:
            return
        self._show_state()
        if not is_busy:
            self._read()

    def _show_state(self) -> None:
        is_running = self._state.background.is_busy(REFRESH)
        self.button.setText(self.tr("Cancel") if is_running else self.tr("Refresh now"))
        self.button.set_icon_name("x" if is_running else "refresh-cw")
        name = self.tr("Cancel the refresh") if is_running else self.tr("Refresh the reference data now")
        self.button.setAccessibleName(name)
        self.button.setEnabled(bool(self._tables))
        if not self._tables:
            return
        usual = next((self._words(table)[1] for table in self._tables if table.id == "releases"), "")
        running = self._step or self._state.text(Message("harvest.asking"))
        self._first_row.remark.setText(running if is_running else usual)

    def _read(self) -> None:
        self._state.background.run(TABLES, lambda _: read_fact_tables(), self.show_tables)
