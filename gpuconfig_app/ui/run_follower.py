"""Follow one run while a page shows it: its log, what the script tells, and how it ends.

Files are read on a daemon thread of its own; the window's thread only gets the news.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.run_result import RunResult, RunState
from gpuconfig_app.runner.script_events import ScriptEvents, read_events
from gpuconfig_app.runner.script_log import LogChange, LogTail
from gpuconfig_app.runner.training import read_result
from gpuconfig_app.storage.runs import RunFolder

logger = logging.getLogger(__name__)
LOOK_EVERY_S = 0.5


@dataclass(frozen=True)
class RunNews:
    """What came since the last look.

    Attributes:
        events: All that the script told so far.
        result: How the run stands.
    """

    log: LogChange
    events: ScriptEvents
    result: RunResult


class RunFollower(QObject):
    """Follows a run folder until it ends or nobody looks any more.

    Signals:
        news(object): ``RunNews``, on the window's thread.
        ended(object): ``RunResult``, once, when the run is over.
        failed(object): The folder can't be read (``GpuConfigError``).
    """

    news = Signal(object)
    ended = Signal(object)
    failed = Signal(object)
    _posted = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stopped = threading.Event()
        self._posted.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def follow(self, folder: Path) -> None:
        """Begin to follow; a run followed before is left."""
        self.stop()
        self._stopped = threading.Event()
        arguments = (folder, self._stopped)
        threading.Thread(target=self._look, args=arguments, name=f"follow-{folder.name}", daemon=True).start()

    def stop(self) -> None:
        """Look no more; the run goes on."""
        self._stopped.set()

    def _look(self, folder: Path, stopped: threading.Event) -> None:
        files, tail = RunFolder(folder), LogTail(RunFolder(folder).log)
        try:
            while not stopped.is_set():
                result = read_result(folder)
                news = RunNews(tail.poll(), read_events(files.metrics), result)
                self._post(news, stopped)
                if result.state is not RunState.RUNNING:
                    return
                stopped.wait(LOOK_EVERY_S)
        except GpuConfigError as error:
            logger.warning("run %s: %s", folder.name, error)
            self._post(error, stopped)

    def _post(self, what: object, stopped: threading.Event) -> None:
        try:
            self._posted.emit(what, stopped)
        except RuntimeError:  # the page is gone
            stopped.set()

    def _deliver(self, what: object, stopped: threading.Event) -> None:
        if stopped.is_set():
            return
        if isinstance(what, RunNews):
            self.news.emit(what)
            if what.result.state is not RunState.RUNNING:
                self.ended.emit(what.result)
        else:
            self.failed.emit(what)
