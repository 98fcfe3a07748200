"""Test runs and trainings that were started here: how they stand, their curves, their log, and a way to stop them."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.run_result import RunRecord, RunState
from gpuconfig_app.runner.training import find_runs, read_result, run_folder, stop_run
from gpuconfig_app.storage.places import Places
from gpuconfig_app.ui.card_words import clock_text, date_text
from gpuconfig_app.ui.models.run_list_model import RunListModel, RunShown, run_name
from gpuconfig_app.ui.page import Page
from gpuconfig_app.ui.run_follower import RunFollower, RunNews
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.empty_state import WayOn, WaysOn
from gpuconfig_app.ui.widgets.run_detail import RunDetail
from gpuconfig_app.ui.widgets.run_list import RunList

logger = logging.getLogger(__name__)
_LIST_WIDTH = 252
_DRAFT = "runs"
_BAR_GAP = 8


class RunsPage(Page):
    """Runs.

    Args:
        state: State of the window.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__(scrolls=False)
        self._state = state
        self._chosen = str(state.drafts.get(_DRAFT, ""))
        self.set_title(self.tr("Runs"))
        new = Button(self.tr("New training script"), OUTLINED, "plus", on_click=partial(state.navigate, "new_script"))
        self.buttons.addWidget(new)
        self._follower = RunFollower(self)
        self._follower.news.connect(self._take_news)
        self._follower.ended.connect(lambda _: self._look())
        self._follower.failed.connect(partial(state.post_error, "runs"))
        self._model = RunListModel(state.text, self._when, self)
        self._list = RunList(self._model)
        self._list.run_chosen.connect(self._choose)
        card = Card(padding=8)
        card.setFixedWidth(_LIST_WIDTH)
        card.body.addWidget(self._list)
        self._detail = RunDetail(state.text)
        self._detail.stop_confirmed.connect(self._stop)
        self._detail.folder_asked.connect(self._open_folder)
        self._detail.bundle_asked.connect(self._open_bundle)
        self._detail.explain_asked.connect(self._explain)
        self._both = QWidget()
        row = QHBoxLayout(self._both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(card)
        self._area = self._scrolled(self._detail)
        bar = self._area.verticalScrollBar()
        bar.rangeChanged.connect(lambda _, top: self._detail.keep_clear_of_bar(_BAR_GAP if top > 0 else 0))
        row.addWidget(self._area, 1)
        self._empty = self._build_empty()
        self.body.addWidget(self._both, 1)
        self.body.addWidget(self._empty)
        self.body.addStretch(0)  # holds the room while the runs are read
        self._both.hide()
        self._empty.hide()

    @staticmethod
    def _scrolled(widget: QWidget) -> QScrollArea:
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(widget)
        return area

    def _build_empty(self) -> QWidget:
        empty = QWidget()
        column = QVBoxLayout(empty)
        column.setContentsMargins(0, 0, 0, 0)
        way = WayOn(
            "wand-sparkles",
            self.tr("Nothing has run yet"),
            self.tr(
                "Write a training script first; its test run and its training then stand here, with log and curves, "
                "and a training goes on when this window is closed."
            ),
            self.tr("New training script"),
            "arrow-right",
            partial(self._state.navigate, "new_script"),
        )
        column.addWidget(WaysOn((way,)))
        column.addStretch(1)
        return empty

    def _look(self) -> None:
        places = self._state.workbench.places
        self._state.background.run("runs", lambda _: _read_runs(places), self._show_runs)

    def _show_runs(self, runs: tuple[RunShown, ...]) -> None:
        self._model.show_runs(runs)
        self._both.setVisible(bool(runs))
        self._empty.setVisible(not runs)
        running = sum(run.result.state is RunState.RUNNING for run in runs)
        self.set_title(self.tr("Runs"), self.tr("%n running", "", running) if running else "")
        if runs and self._model.row_of(self._chosen) < 0:
            self._chosen = runs[0].record.id
        if runs:
            self._list.choose(self._chosen)
            self._show_chosen()

    def _choose(self, run_id: str) -> None:
        if run_id == self._chosen and self._detail.record is not None and self._detail.record.id == run_id:
            return
        self._chosen = run_id
        self._state.drafts[_DRAFT] = run_id
        self._show_chosen()

    def _show_chosen(self) -> None:
        row = self._model.row_of(self._chosen)
        if row < 0:
            return
        run = self._model.runs[row]
        is_new = self._detail.record is None or self._detail.record.id != run.record.id
        self._detail.show_run(run.record, run.result, self._when(run.record.started_at))
        if is_new:
            self._follower.follow(run_folder(run.record, self._state.workbench.places))

    def _take_news(self, news: RunNews) -> None:
        if self._detail.record is not None and news.result.run_id == self._detail.record.id:
            self._detail.show_news(news)
            self._model.show_result(news.result)

    def _stop(self, record: RunRecord) -> None:
        places = self._state.workbench.places
        self._state.background.run("stop-run", lambda _: stop_run(record, places), lambda _: self._look())

    def _open_folder(self, path: str) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(path))

    def _open_bundle(self, path: str) -> None:
        self._state.navigate("new_script", {"bundle": path})

    def _explain(self, path: str) -> None:
        record = self._detail.record
        name = run_name(record) if record is not None else ""
        self._state.navigate("explain", {"path": path, "name": name})

    def _when(self, moment: float) -> str:
        day = date_text(moment, self._state.language)
        today = date_text(time.time(), self._state.language)
        clock = clock_text(moment)[:5]
        if day == today:
            return self._state.text(Message("ui.today", {"time": clock}))
        return day

    @override
    def on_enter(self, arguments: Mapping[str, object]) -> None:
        run = arguments.get("run")
        if isinstance(run, str):
            self._chosen = run
        self._detail.forget()
        self._look()

    @override
    def on_leave(self) -> None:
        self._follower.stop()


def _read_runs(places: Places) -> tuple[RunShown, ...]:
    shown = []
    for record in find_runs(places):
        try:
            shown.append(RunShown(record, read_result(run_folder(record, places))))
        except UnusableFileError as error:  # deleted meanwhile
            logger.warning("run %s: %s", record.id, error)
    return tuple(shown)
