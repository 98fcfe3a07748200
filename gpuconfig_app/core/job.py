"""How long work is steered: progress out, cancellation in.

A ``JobControl`` is handed down to whatever takes time. It is safe to use from any thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from gpuconfig_app.core.messages import Message


class JobCancelledError(Exception):
    """The user ended the job; not a failure and never shown as one."""


class JobControl:
    """Progress and cancellation of one job.

    Args:
        on_progress: Called with (share done from 0 to 1 or None when unknown, what is happening), from the worker's
            thread.
    """

    def __init__(self, on_progress: Callable[[float | None, Message], None] | None = None) -> None:
        self._on_progress = on_progress
        self._cancelled = threading.Event()

    def report(self, share: float | None, message: Message) -> None:
        """Tell how far the job is.

        Raises:
            JobCancelledError: The job was cancelled meanwhile.
        """
        self.check()
        if self._on_progress is not None:
            self._on_progress(share, message)

    def cancel(self) -> None:
        """Ask the job to end; returns at once."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Raise JobCancelledError when the job was cancelled."""
        if self._cancelled.is_set():
            raise JobCancelledError

    def wait_cancelled(self, timeout_s: float) -> bool:
        """Wait at most ``timeout_s`` for the cancellation; True when it came."""
        return self._cancelled.wait(timeout_s)
