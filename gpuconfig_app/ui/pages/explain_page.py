"""Explain an error: a log comes in by paste, drop or file; its lines at the left, what they mean at the right."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.core.system import OsFamily
from gpuconfig_app.ui.card_words import cards_in_words
from gpuconfig_app.ui.pages.explain.answer_column import AnswerColumn
from gpuconfig_app.ui.pages.explain.empty_block import EmptyBlock
from gpuconfig_app.ui.pages.explain.explain_desk import ExplainDesk, Origin
from gpuconfig_app.ui.pages.explain.log_card import LogCard
from gpuconfig_app.ui.pages.explain.machine_card import MachineChoice
from gpuconfig_app.ui.pages.explain.reading_bar import ReadingBar
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.sub_page import SubPage
from gpuconfig_app.ui.theme import set_style_property
from gpuconfig_app.ui.widgets.buttons import FLAT, OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.workbench.explain_log import ExplainedLog

PAGE_ID = "explain"


class ExplainPage(SubPage):
    """The page; opened with ``text`` or ``path``, and ``name``, it explains those at once.

    Args:
        state: State of the window.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__(state, PAGE_ID, scrolls=False)
        self._state = state
        self._desk = ExplainDesk.of(state)
        self._shown: ExplainedLog | None = None
        self.set_title(self.tr("Explain an error"))
        self.setAcceptDrops(True)
        self._build()
        self._connect()
        self._refresh()

    def _build(self) -> None:
        self._open = Button(self.tr("Open a log file…"), OUTLINED, "folder-open", on_click=self._ask_for_file)
        self._open.setObjectName("open_another")
        self._clear = Button(self.tr("Clear"), FLAT, "x", on_click=self._desk.clear)
        self._clear.setObjectName("clear")
        self.buttons.addWidget(self._open)
        self.buttons.addWidget(self._clear)
        self._problem = self._build_problem()
        self._reading = ReadingBar()
        self.body.addWidget(self._problem)
        self.body.addWidget(self._reading)
        self._empty: EmptyBlock | None = None
        self._both = QWidget()
        row = self._row = QHBoxLayout(self._both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        self._log = LogCard()
        self._answer = AnswerColumn(self._state.text)
        row.addWidget(self._log, 8)
        row.addWidget(self._answer, 7)
        self.body.addWidget(self._both, 1)
        self._rest = QWidget()  # holds the room while there is neither
        self.body.addWidget(self._rest, 1)

    def _build_problem(self) -> QFrame:
        frame = QFrame()
        frame.setObjectName("logProblem")
        frame.setProperty("role", "message")
        set_style_property(frame, "severity", "warning")
        row = QHBoxLayout(frame)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(10)
        row.addWidget(IconLabel("triangle-alert", 18, "warning.fg"))
        self._problem_text = TextLabel("", "body", wraps=True, is_selectable=True)
        row.addWidget(self._problem_text, 1)
        return frame

    def _connect(self) -> None:
        self._desk.changed.connect(self._refresh)
        self._desk.progressed.connect(self._reading.show_step)
        self._reading.cancelled.connect(self._desk.cancel)
        self._log.paste_asked.connect(self._paste)
        self._log.view.finding_chosen.connect(self._answer.show_finding)
        self._log.view.harmless_chosen.connect(self._answer.show_harmless)
        self._answer.line_asked.connect(self._log.view.show_line)
        self._answer.proof_asked.connect(lambda: self._state.navigate("compatibility", {"prove": True}))
        self._state.report_changed.connect(self._refresh_machine)
        self._state.compat_changed.connect(self._refresh_machine)
        paste = QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), self)
        paste.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        paste.activated.connect(self._paste)

    def _refresh(self) -> None:
        desk = self._desk
        explained = desk.explained
        is_empty = explained is None and not desk.is_busy
        self._open.setVisible(not is_empty)
        self._clear.setVisible(not is_empty)
        self._problem.setVisible(desk.problem is not None)
        if desk.problem is not None:
            self._problem_text.setText(" ".join(filter(None, map(self._state.text, desk.problem))))
            self._problem.setAccessibleName(self._problem_text.text())
        if desk.is_busy and self._reading.isHidden():
            self._reading.start()
        self._reading.setVisible(desk.is_busy)
        self._show_empty(is_empty=is_empty)
        self._both.setVisible(explained is not None)
        self._rest.setVisible(not is_empty and explained is None)
        if explained is not None and explained is not self._shown:
            self._show(explained)
        self._shown = explained
        self._keep_focus()

    def _keep_focus(self) -> None:
        """Give the focus to what came in the place of what had it."""
        focused = cast("QWidget | None", self.window().focusWidget())
        is_kept = focused is not None and focused is not self and focused.isVisible()
        if is_kept or not self.isVisible():
            return
        if self._shown is not None:
            self._log.view.setFocus(Qt.FocusReason.OtherFocusReason)
        elif (paste := self.findChild(Button, "paste")) is not None:
            paste.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, explained: ExplainedLog) -> None:
        self._log.show_log(explained, self._desk.origin)
        self._show_answer(explained)

    def _show_answer(self, explained: ExplainedLog) -> None:
        can_prove = explained.report.has_machine and not self._state.is_recorded
        self._answer.show_answer(
            explained.report, self._choice(wraps=True), self._machine_rest(explained), can_prove=can_prove
        )

    def _show_empty(self, *, is_empty: bool) -> None:
        if self._empty is not None and not is_empty:
            self._empty.hide()
            self.body.removeWidget(self._empty)
            self._empty.deleteLater()
            self._empty = None
        if is_empty and self._empty is None:
            report = self._state.report
            is_windows = report is not None and report.host.os.family is OsFamily.WINDOWS
            self._empty = EmptyBlock(self._choice(wraps=False), is_windows=is_windows)
            self._empty.paste_asked.connect(self._paste)
            self._empty.file_asked.connect(self._ask_for_file)
            self.body.insertWidget(self.body.indexOf(self._both), self._empty, 1)

    def _refresh_machine(self) -> None:
        """Say anew which machine it is."""
        for choice in self.findChildren(MachineChoice):
            choice.show_text(self._choice_text())

    def _choice(self, *, wraps: bool) -> MachineChoice:
        return MachineChoice(
            self._choice_text(),
            lambda is_on: self._desk.use_machine(uses_machine=is_on),
            is_on=self._desk.uses_machine,
            wraps=wraps,
        )

    def _choice_text(self) -> str:
        report, environment = self._state.report, self._state.environment
        parts = [cards_in_words(report.gpus) if report is not None else ""]
        parts.append(environment.name or environment.prefix if environment is not None else "")
        about = ", ".join(part for part in parts if part)
        if self._state.is_recorded:
            text = self.tr("This log is from the recorded machine ({about})")
        else:
            text = self.tr("This log is from this machine ({about})")
        return text.format(about=about) if about else text.replace(" ({about})", "").replace("（{about}）", "")

    def _machine_rest(self, explained: ExplainedLog) -> str:
        if explained.report.has_machine:
            return self.tr("Nothing that is known of this machine changes the answer.")
        if self._desk.had_machine:
            return self.tr("The log tells of another system than this machine, so what is known of it was left out.")
        if self._desk.uses_machine:
            return self.tr("The machine is still being looked at; until then the log is read by itself.")
        return self.tr("The log is read by itself: causes that print the same words are not told apart.")

    def _ask_for_file(self) -> None:
        kinds = self.tr("Logs and text") + " (*.log *.txt *.out *.err *.gz);;" + self.tr("All files") + " (*)"
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Open a log file"), "", kinds)
        if path:
            self._desk.take_file(Path(path))

    def _paste(self) -> None:
        data = cast("QMimeData | None", QGuiApplication.clipboard().mimeData())  # None on some platforms when empty
        self._take(data if data is not None else QMimeData())

    def _take(self, data: QMimeData) -> None:
        """Take what was pasted or dropped: files before text."""
        urls = data.urls() if data.hasUrls() else []
        local = [url.toLocalFile() for url in urls if url.isLocalFile()]
        if len(local) > 1:
            self._desk.refuse(Message("explain.several-files"), Message("explain.several-files-hint"))
        elif local:
            self._desk.take_file(Path(local[0]))
        elif data.hasText() and data.text().strip():
            self._desk.take_text(data.text())
        elif urls:
            self._desk.refuse(Message("explain.not-here"), Message("explain.not-here-hint"))
        else:
            self._desk.refuse(Message("explain.no-text"), Message("explain.no-text-hint"))

    def _mark_drop(self, *, is_over: bool) -> None:
        area = self.findChild(QFrame, "dropArea")
        if area is not None:
            set_style_property(area, "over", is_over)

    @override
    def on_width_changed(self) -> None:
        self._row.setStretch(0, 1 if self.is_narrow else 8)
        self._row.setStretch(1, 1 if self.is_narrow else 7)

    @override
    def on_enter(self, arguments: Mapping[str, object]) -> None:
        text, path, name = arguments.get("text"), arguments.get("path"), str(arguments.get("name", ""))
        if isinstance(text, str):
            self._desk.take_text(text, Origin.HANDED, name)
        elif isinstance(path, str):
            self._desk.take_file(expanded(path), Origin.HANDED, name)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or event.mimeData().hasText():
            event.acceptProposedAction()
            self._mark_drop(is_over=True)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._mark_drop(is_over=False)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._mark_drop(is_over=False)
        event.acceptProposedAction()
        self._take(event.mimeData())
