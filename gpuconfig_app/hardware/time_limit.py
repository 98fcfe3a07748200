"""Waiting for a driver that may never answer.

A call into a driver can't be interrupted, so it runs on a daemon thread of its own and the caller stops waiting. Such
a thread ends with its call or with the process; it never delays the exit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class PendingAnswer(Generic[T]):
    """One piece of work on its own daemon thread.

    Args:
        work: What to do; its exception, if any, is raised by ``result``.
        name: Name of the thread, for logs.
    """

    def __init__(self, work: Callable[[], T], name: str) -> None:
        self._work = work
        self._values: list[T] = []
        self._error: BaseException | None = None
        self._done = threading.Event()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    @property
    def is_done(self) -> bool:
        """Whether the work ended, well or not."""
        return self._done.is_set()

    def wait(self, timeout_s: float) -> bool:
        """Wait at most ``timeout_s`` for the end; True when it came."""
        return self._done.wait(max(0.0, timeout_s))

    def result(self) -> T:
        """Give what the work gave, or raise what it raised; only after ``is_done``."""
        if self._error is not None:
            raise self._error
        return self._values[0]

    def _run(self) -> None:
        try:
            self._values.append(self._work())
        except BaseException as error:  # noqa: BLE001  # handed to the caller by result()
            self._error = error
        finally:
            self._done.set()


def answer_within(limit_s: float, work: Callable[[], T], name: str) -> PendingAnswer[T]:
    """Start one piece of work and wait for it at most ``limit_s`` seconds; ask ``is_done`` of what comes back."""
    pending = PendingAnswer(work, name)
    pending.wait(limit_s)
    return pending


def answers_within(limit_s: float, works: Sequence[Callable[[], T]], name: str) -> list[PendingAnswer[T]]:
    """Do several pieces of work side by side and wait at most ``limit_s`` seconds for all of them together."""
    end = time.monotonic() + limit_s
    pending = [PendingAnswer(work, f"{name}-{number}") for number, work in enumerate(works)]
    for one in pending:
        one.wait(end - time.monotonic())
    return pending
