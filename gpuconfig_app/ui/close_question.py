"""Before the window closes: a training that was started here may go on or be ended; test runs end with the window.

An environment that is being made is ended, and the window waits until what was made is removed. Which runs are alive
is read in the background, so closing never waits for a disk.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QWidget

from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.run_result import RunKind, RunRecord
from gpuconfig_app.runner.training import find_runs, stop_run
from gpuconfig_app.runner.watched_process import is_watched
from gpuconfig_app.storage.places import Places
from gpuconfig_app.ui.environment_making import making_of
from gpuconfig_app.ui.models.run_list_model import run_name
from gpuconfig_app.ui.state import AppState

logger = logging.getLogger(__name__)
TOPIC = "close"
LOOK_LIMIT_MS = 1500


class CloseQuestion(QObject):
    """Finds out whether the window may close.

    Args:
        window: Parent of the question.
        close: Closes the window for good.
    """

    def __init__(self, state: AppState, window: QWidget, close: Callable[[], None]) -> None:
        super().__init__(window)
        self._state = state
        self._window = window
        self._close = close
        self._box: QMessageBox | None = None
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.setInterval(LOOK_LIMIT_MS)
        self._limit.timeout.connect(self._give_up)

    def ask(self) -> None:
        """Look for running trainings; close at once when there is none, or when looking takes too long."""
        is_asked = self._box is not None or making_of(self._state).is_awaited
        if is_asked or self._state.background.is_busy(TOPIC):
            return
        places = self._state.workbench.places
        self._limit.start()
        self._state.background.run(TOPIC, lambda _: running_trainings(places), self._decide, lambda _: self._give_up())

    def _give_up(self) -> None:
        self._state.background.cancel(TOPIC)
        self._decide(())

    def _decide(self, running: tuple[RunRecord, ...]) -> None:
        self._limit.stop()
        is_making = making_of(self._state).is_running
        if not running and not is_making:
            self._close()
            return
        box = QMessageBox(self._window)
        box.setObjectName("close_question")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("GPUConfig")
        if running:
            names = ", ".join(run_name(record) for record in running)
            box.setText(self.tr("%n training(s) still running: {names}", "", len(running)).format(names=names))
        else:
            box.setText(self.tr("An environment is being made."))
        box.setInformativeText(self._consequence(has_training=bool(running), is_making=is_making))
        keep = box.addButton(self.tr("Keep running"), QMessageBox.ButtonRole.AcceptRole) if running else None
        word = self.tr("Stop and close") if running else self.tr("End it and close")
        end = box.addButton(word, QMessageBox.ButtonRole.DestructiveRole)
        back = box.addButton(self.tr("Back to the window"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep or back)
        box.setEscapeButton(back)
        box.finished.connect(lambda _: self._answered(box.clickedButton(), keep, end, running))
        self._box = box
        box.open()

    def _consequence(self, *, has_training: bool, is_making: bool) -> str:
        """Say what closing does to what runs."""
        training = self.tr("They can go on without this window and are found again when it opens.")
        making = self.tr("The environment that is being made is ended, and what was made so far is removed.")
        return "\n".join(text for text, says in ((training, has_training), (making, is_making)) if says)

    def _answered(
        self,
        pressed: QAbstractButton | None,
        keep: QAbstractButton | None,
        end: QAbstractButton,
        running: tuple[RunRecord, ...],
    ) -> None:
        if self._box is not None:
            self._box.deleteLater()
            self._box = None
        keeps = keep is not None and pressed is keep
        if keeps or pressed is end:
            making_of(self._state).end_before(lambda: self._end_trainings(() if keeps else running))

    def _end_trainings(self, running: tuple[RunRecord, ...]) -> None:
        if not running:
            self._close()
        else:
            places = self._state.workbench.places

            def work(_: JobControl) -> None:
                for record in running:
                    stop_run(record, places)

            self._state.background.run(TOPIC, work, lambda _: self._close(), lambda _: self._close())


def running_trainings(places: Places) -> tuple[RunRecord, ...]:
    """Give the trainings whose process is alive."""
    return tuple(record for record in find_runs(places) if record.kind is RunKind.TRAINING and is_watched(record))
