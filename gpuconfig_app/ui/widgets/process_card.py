"""Processes on the GPUs, and a way to end one's own after a second look."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from gpuconfig_app.ui.models.process_model import ProcessModel, ProcessRow
from gpuconfig_app.ui.theme import set_style_property
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard, IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.table import PlainTable

_MOST_ROWS = 8


class ProcessCard(HeadedCard):
    """The table in its card.

    Signals:
        end_asked(object): The user confirmed to end this process (``ProcessRow``).
    """

    end_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title.setText(self.tr("Processes on the GPUs"))
        self.setAccessibleName(self.tr("Processes on the GPUs"))
        self._asked: ProcessRow | None = None
        self._model = ProcessModel(self)
        self._table = PlainTable(fits_rows=False)
        self._table.setObjectName("processTable")
        self._table.setAccessibleName(self.tr("Processes on the GPUs"))
        self._table.setModel(self._model)
        self._table.set_columns({0: 70, 1: 76, 2: 96, 4: 96, 5: 76}, 3)
        self._end = Button(self.tr("End process…"), OUTLINED, "circle-stop", scale="small", on_click=self._ask)
        self._end.setObjectName("end_process")
        self._end.setEnabled(False)
        self._end.hide()
        self.head.addWidget(self._end)
        self._table.selectionModel().currentRowChanged.connect(lambda *_: self._look())
        self._empty = TextLabel("", "body", "muted")
        self._empty.setContentsMargins(16, 4, 16, 14)
        self.body.addWidget(self._build_question())
        self.body.addWidget(self._table)
        self.body.addWidget(self._empty)

    def show_rows(self, rows: Sequence[ProcessRow], why_none: str) -> None:
        """Show these processes, or why there are none."""
        current = self._model.row(self._table.currentIndex().row())
        self._model.show_rows(rows)
        if current is not None:
            for number, row in enumerate(rows):
                if row.process.pid == current.process.pid:
                    self._table.setCurrentIndex(self._model.index(number, 0))
        if self._asked is not None and all(row.process.pid != self._asked.process.pid for row in rows):
            self._forget()  # it has ended by itself
        count = len({device for row in rows for device in row.devices})
        on_gpus = self.tr("on %n GPU(s)", "", count)
        processes = self.tr("%n process(es)", "", len(rows))
        self.set_note(f"{processes} {on_gpus}" if rows else "")
        self._end.setVisible(any(row.is_own is not None for row in rows))
        self._table.setVisible(bool(rows))
        self._empty.setVisible(not rows)
        self._empty.setText(why_none)
        head = self._table.horizontalHeader().height()
        self._table.setFixedHeight(head + min(len(rows), _MOST_ROWS) * 34 + 2)
        self._look()

    def _build_question(self) -> QFrame:
        self._question = QFrame()
        self._question.setProperty("role", "message")
        set_style_property(self._question, "severity", "warning")
        line = QHBoxLayout(self._question)
        line.setContentsMargins(12, 6, 8, 6)
        line.setSpacing(10)
        line.addWidget(IconLabel("triangle-alert", 18, "warning.fg"))
        self._question_text = TextLabel("", "body", wraps=True)
        line.addWidget(self._question_text, 1)
        self._yes = Button(self.tr("End it"), OUTLINED, scale="small", on_click=self._confirm)
        self._yes.setObjectName("end_process_yes")
        self._no = Button(self.tr("Keep it"), OUTLINED, scale="small", on_click=self._forget)
        line.addWidget(self._yes)
        line.addWidget(self._no)
        self._question.hide()
        return self._question

    def _look(self) -> None:
        row = self._model.row(self._table.currentIndex().row())
        self._end.setEnabled(row is not None and bool(row.is_own))
        if row is None:
            tip = self.tr("Select a process first")
        else:
            tip = "" if row.is_own else self.tr("Only your own processes on this machine can be ended")
        self._end.setToolTip(tip)

    def _ask(self) -> None:
        self._asked = self._model.row(self._table.currentIndex().row())
        if self._asked is None:
            return
        process = self._asked.process
        text = self.tr("End process {pid} ({name})? What it has not saved is lost.")
        self._question_text.setText(text.format(pid=process.pid, name=process.name or "?"))
        self._question.show()
        self._no.setFocus()

    def _confirm(self) -> None:
        asked = self._asked
        self._forget()
        if asked is not None:
            self.end_asked.emit(asked)

    def _forget(self) -> None:
        self._asked = None
        self._question.hide()
