"""Work off the window's thread: one daemon thread per job, results come back as signals.

Never a thread pool or QThread: those wait at exit for a driver call that may never return (design decision 6). A job
that is replaced by a newer one of the same topic is cancelled and its late result is dropped.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message

logger = logging.getLogger(__name__)
Result = TypeVar("Result")


@dataclass
class _Job:
    topic: str
    number: int
    control: JobControl
    on_done: Callable[[Any], object]  # Any: each job has its own result type
    on_failed: Callable[[Exception], None]
    on_progress: Callable[[float | None, Message], None] | None


class Background(QObject):
    """Runs jobs and brings their results to the window's thread.

    Signals:
        busy_changed(str, bool): A topic started or ended its newest job.
        failed(str, object): A job of that topic failed with this exception and had no handler of its own.
    """

    busy_changed = Signal(str, bool)
    failed = Signal(str, object)
    _finished = Signal(object, object, object)
    _progressed = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: dict[str, _Job] = {}
        self._count = 0
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._progressed.connect(self._deliver_progress, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        topic: str,
        work: Callable[[JobControl], Result],
        on_done: Callable[[Result], object],
        on_failed: Callable[[Exception], None] | None = None,
        on_progress: Callable[[float | None, Message], None] | None = None,
    ) -> JobControl:
        """Start a job; an older one of the same topic is cancelled and never delivered.

        Args:
            topic: Names what is worked on; one job per topic.
            work: Runs in a thread of its own and must not touch widgets.
            on_done: Gets the result, on the window's thread.
            on_failed: Gets the exception, on the window's thread; default is the signal ``failed``.
            on_progress: Gets share (0 to 1 or None) and message, on the window's thread.
        """
        self.cancel(topic)
        self._count += 1
        job = _Job(topic, self._count, JobControl(), on_done, on_failed or self._report, on_progress)
        job.control = JobControl(lambda share, message: self._post_progress(job, share, message))
        self._jobs[topic] = job
        self.busy_changed.emit(topic, True)
        threading.Thread(target=self._work, args=(job, work), name=f"gpuconfig-{topic}", daemon=True).start()
        return job.control

    def cancel(self, topic: str) -> None:
        """Cancel the job of a topic; nothing of it is delivered any more."""
        job = self._jobs.pop(topic, None)
        if job is not None:
            job.control.cancel()
            self.busy_changed.emit(topic, False)

    def cancel_all(self) -> None:
        """Cancel everything; used when the window closes."""
        for topic in list(self._jobs):
            self.cancel(topic)

    def is_busy(self, topic: str) -> bool:
        """Whether a job of that topic runs."""
        return topic in self._jobs

    def _work(self, job: _Job, work: Callable[[JobControl], Any]) -> None:  # Any: see run
        result: object = None
        error: Exception | None = None
        try:
            result = work(job.control)
        except JobCancelledError as cancelled:
            error = cancelled
        except Exception as problem:  # the border: everything is reported on the window's thread
            logger.warning("job %s failed", job.topic, exc_info=True)
            error = problem
        self._emit(self._finished, job, result, error)

    def _post_progress(self, job: _Job, share: float | None, message: Message) -> None:
        if job.on_progress is not None:
            self._emit(self._progressed, job, share, message)

    @staticmethod
    def _emit(signal: Any, *values: object) -> None:  # Any: bound signals have no public type
        try:
            signal.emit(*values)
        except RuntimeError:  # the window is gone while a late job ends
            logger.debug("result of a job came after the window was closed")

    def _deliver(self, job: _Job, result: object, error: Exception | None) -> None:
        current = self._jobs.get(job.topic)
        if current is None or current.number != job.number:
            return
        del self._jobs[job.topic]
        self.busy_changed.emit(job.topic, False)
        if isinstance(error, JobCancelledError):
            return
        if error is None:
            _call(job.on_done, result)
        elif job.on_failed == self._report:
            self.failed.emit(job.topic, error)
        else:
            _call(job.on_failed, error)

    def _deliver_progress(self, job: _Job, share: float | None, message: Message) -> None:
        current = self._jobs.get(job.topic)
        if current is not None and current.number == job.number and job.on_progress is not None:
            _call(job.on_progress, share, message)

    def _report(self, error: Exception) -> None:
        self.failed.emit("", error)


def _call(receiver: Callable[..., object], *values: object) -> None:
    """Hand over a result, unless the page that asked is gone (pages are built anew when the language changes)."""
    owner = getattr(receiver, "__self__", None)
    if isinstance(owner, QObject) and not isValid(owner):
        logger.debug("whoever asked for %s is gone", getattr(receiver, "__name__", "a result"))
        return
    receiver(*values)
