"""The proof as a card: the button, what is being tried, and then each step with the device it really ran on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.ui.widgets.buttons import LINK, OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard, Line
from gpuconfig_app.ui.widgets.key_values import KeyValues
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.widgets.spinner import Spinner


@dataclass(frozen=True)
class ProofRow:
    """One step.

    Attributes:
        name: What was computed.
        time: How long it took, per card; empty when it failed.
        device: Where it really ran.
        severity: ``good``, ``warning`` or ``blocked``.
        word: Beside the severity's icon.
    """

    name: str
    time: str
    device: str
    severity: str
    word: str


@dataclass(frozen=True)
class ProofShown:
    """What the card shows.

    Attributes:
        severity: Of the badge: ``good``, ``stale``, ``warning``, ``blocked``, ``to_do``.
        word: Of the badge.
        sentence: What came out, or what the test would do.
        taken: When, and how long it took.
        rows: Steps, in order.
        loaded: Libraries and memory as (label, value, remark).
        quoted: Lines that TensorFlow or the loader said.
        button: Text of the button.
        reason: Why it can't be pressed; empty when it can.
        question: Asked before it starts; empty for none.
        said: All that can be explained of a failure; empty for none.
    """

    severity: str
    word: str
    sentence: str
    button: str
    taken: str = ""
    rows: tuple[ProofRow, ...] = ()
    loaded: tuple[tuple[str, str, str], ...] = ()
    quoted: tuple[str, ...] = ()
    reason: str = ""
    question: str = ""
    said: str = ""


class ProofCard(HeadedCard):
    """Proof of one environment.

    Signals:
        asked(bool): The test shall run; True when the question before it (waking a card) was answered with yes.
        cancelled(): The running test shall end.
        explain_asked(str): What was said shall be explained.
    """

    asked = Signal(bool)
    cancelled = Signal()
    explain_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title.setText(self.tr("Proof on the GPU"))
        self.setAccessibleName(self.tr("Proof on the GPU"))
        self._question = ""
        self._said = ""
        self._build_head()
        self._build_body()

    @property
    def sentence(self) -> str:
        """The sentence below the head."""
        return self._sentence.text()

    def show_proof(self, shown: ProofShown) -> None:
        """Show what came out, or what the test would do."""
        self._question, self._said = shown.question, shown.said
        self._spinner.stop()
        self._badge.show_state(shown.severity, shown.word)
        self._badge.show()
        self._taken.setText(shown.taken)
        self._sentence.setText(shown.sentence)
        self._start.setText(shown.button)
        self._start.setEnabled(not shown.reason)
        self._start.setToolTip(shown.reason)
        self._show_buttons(is_running=False)
        self._show_rows(shown.rows)
        self._quoted.setText("\n".join(shown.quoted))
        self._loaded.show_rows(shown.loaded)
        self._set_details(has_rows=bool(shown.rows), has_quoted=bool(shown.quoted), has_loaded=bool(shown.loaded))
        self._explain.setVisible(bool(shown.said))

    def show_running(self, step: str) -> None:
        """Show that the test runs and at which step it is."""
        self._badge.hide()
        self._spinner.start()
        self._taken.setText("")
        self._sentence.setText(step)
        self._show_buttons(is_running=True)
        self._set_details(has_rows=False, has_quoted=False, has_loaded=False)
        self._explain.hide()

    def _build_head(self) -> None:
        self._spinner = Spinner(parent=self)
        self._spinner.setVisible(False)
        self.head.insertWidget(1, self._spinner)
        self._start = Button("", OUTLINED, "shield-check", scale="small", on_click=self._ask)
        self._start.setObjectName("prove")
        self._yes = Button(self.tr("Wake it and test"), OUTLINED, "zap", scale="small", on_click=self._answer_yes)
        self._yes.setObjectName("prove_wakes")
        self._no = Button(self.tr("Not now"), OUTLINED, scale="small", on_click=self._answer_no)
        self._no.setObjectName("prove_not_now")
        self._stop = Button(self.tr("Stop"), OUTLINED, "circle-stop", scale="small", on_click=self.cancelled.emit)
        self._stop.setObjectName("prove_stop")
        for button in (self._start, self._yes, self._no, self._stop):
            self.head.addWidget(button)

    def _build_state(self) -> QHBoxLayout:
        self._badge = SeverityBadge()
        self._taken = TextLabel("", "small", "muted")
        line = QHBoxLayout()
        line.setContentsMargins(16, 0, 16, 8)
        line.setSpacing(8)
        line.addWidget(self._badge)
        line.addWidget(self._taken)
        line.addStretch(1)
        return line

    def _build_body(self) -> None:
        self._sentence = TextLabel("", "body", "secondary", wraps=True, is_selectable=True)
        self._sentence.setContentsMargins(16, 0, 16, 12)
        self._asking = TextLabel("", "body", "text", wraps=True)
        self._asking.setContentsMargins(16, 0, 16, 12)
        self._line = Line()
        self._steps = QWidget()
        self._grid = QGridLayout(self._steps)
        self._grid.setContentsMargins(16, 8, 16, 10)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self._quoted = TextLabel("", "mono", "secondary", wraps=True, is_selectable=True)
        self._quoted.setObjectName("prove_quoted")
        self._quoted.setAccessibleName(self.tr("What TensorFlow said"))
        quoted = QHBoxLayout()
        quoted.setContentsMargins(16, 2, 16, 4)
        quoted.addWidget(self._quoted)
        self._explain = Button(
            self.tr("Explain this error"), LINK, scale="small", on_click=lambda: self.explain_asked.emit(self._said)
        )
        self._explain.setObjectName("prove_explain")
        explain = QHBoxLayout()
        explain.setContentsMargins(16, 0, 16, 6)
        explain.addWidget(self._explain)
        explain.addStretch(1)
        self._loaded = KeyValues(label_width=120)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addLayout(self._build_state())
        for part in (self._sentence, self._asking, self._line, self._steps):
            column.addWidget(part)
        column.addLayout(quoted)
        column.addLayout(explain)
        column.addWidget(self._loaded)
        self.body.addLayout(column)
        self._set_details(has_rows=False, has_quoted=False, has_loaded=False)
        self._explain.hide()
        self._show_buttons(is_running=False)

    def _set_details(self, *, has_rows: bool, has_quoted: bool, has_loaded: bool) -> None:
        self._line.setVisible(has_rows)
        self._steps.setVisible(has_rows)
        self._quoted.setVisible(has_quoted)
        self._loaded.setVisible(has_loaded)

    def _show_buttons(self, *, is_running: bool, is_asking: bool = False) -> None:
        self._start.setVisible(not is_running and not is_asking)
        self._stop.setVisible(is_running)
        self._yes.setVisible(is_asking)
        self._no.setVisible(is_asking)
        self._asking.setVisible(is_asking)

    def _show_rows(self, rows: Sequence[ProofRow]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for place, row in enumerate(rows):
            texts = QWidget()
            column = QVBoxLayout(texts)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(TextLabel(row.name))
            about = " · ".join(part for part in (row.time, row.device) if part)
            if about:
                column.addWidget(ElidedLabel(about, "small", "secondary", mode=Qt.TextElideMode.ElideRight))
            self._put(place, 0, texts)
            badge = SeverityBadge(row.severity, row.word, is_boxed=False)
            badge.setAccessibleName(f"{row.name}: {row.word}")
            self._put(place, 1, badge)

    def _put(self, row: int, column: int, cell: QWidget) -> None:
        self._grid.addWidget(cell, row, column)
        cell.show()  # a layout counts what is not shown yet as empty

    def _ask(self) -> None:
        if not self._question:
            self.asked.emit(False)
            return
        self._asking.setText(self._question)
        self._show_buttons(is_running=False, is_asking=True)
        self._no.setFocus()

    def _answer_yes(self) -> None:
        self._show_buttons(is_running=False)
        self.asked.emit(True)

    def _answer_no(self) -> None:
        self._show_buttons(is_running=False)
        self._start.setFocus()
