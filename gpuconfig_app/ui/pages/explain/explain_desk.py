"""The log that is being explained: where it came from, its answer, and the work on it. Outlives the page.

It belongs to the state, so that a change of the language, which builds the pages anew, loses neither log nor answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.workbench.explain_log import ExplainedLog, explain_again, explain_log, read_log_of

EXPLAIN = "explain"
Facts = tuple[SystemReport | None, PythonEnvironment | None]


class Origin(StrEnum):
    """How a log came in."""

    PASTED = "pasted"
    FILE = "file"
    HANDED = "handed"  # by another page of the window


@dataclass(frozen=True)
class LogOrigin:
    """Where a log came from.

    Attributes:
        name: Of the file or the run, empty for pasted text.
        at: When, seconds since the epoch.
    """

    kind: Origin
    name: str
    at: float


class ExplainDesk(QObject):
    """One log at a time.

    Args:
        state: State of the window; the desk becomes a part of it.

    Attributes:
        origin: Of the log, None before the first.
        explained: The answer, None before it is there.
        problem: Why there is none: what happened and what to do.
        uses_machine: The log is from the open machine, so its facts count.

    Signals:
        changed(): One of the attributes is another, or work began or ended.
        progressed(object, str): Share done from 0 to 1 or None, and what is happening.
    """

    changed = Signal()
    progressed = Signal(object, str)

    def __init__(self, state: AppState) -> None:
        super().__init__(state)
        self._state = state
        self._facts: Facts = (None, None)
        self._facts_of_answer: Facts = (None, None)
        self.origin: LogOrigin | None = None
        self.explained: ExplainedLog | None = None
        self.problem: tuple[Message, Message | None] | None = None
        self.uses_machine = True
        state.compat_changed.connect(self._look_again)

    @classmethod
    def of(cls, state: AppState) -> ExplainDesk:
        """Give the desk of a window, made when it is first asked for."""
        desk = state.drafts.get(EXPLAIN)
        if not isinstance(desk, cls):
            desk = state.drafts[EXPLAIN] = cls(state)
        return desk

    @property
    def had_machine(self) -> bool:
        """Whether the answer was sought with the facts of a machine beside the log."""
        return self._facts_of_answer[0] is not None

    @property
    def is_busy(self) -> bool:
        """Whether a log is being read or explained."""
        return self._state.background.is_busy(EXPLAIN)

    def take_text(self, text: str, kind: Origin = Origin.PASTED, name: str = "") -> None:
        """Explain a text."""
        self._begin(kind, name)
        facts = self._facts
        self._run(lambda control: explain_log(text.encode("utf-8", "replace"), *facts, control))

    def take_file(self, path: Path, kind: Origin = Origin.FILE, name: str = "") -> None:
        """Read a file and explain it."""
        self._begin(kind, name or path.name)
        facts = self._facts
        self._run(lambda control: explain_log(read_log_of(path, control), *facts, control))

    def refuse(self, message: Message, hint: Message | None) -> None:
        """Say why something that was handed over is no log."""
        self.clear()
        self.problem = (message, hint)
        self.changed.emit()

    def use_machine(self, *, uses_machine: bool) -> None:
        """Say whether the log is from the open machine; the answer is made anew."""
        self.uses_machine = uses_machine
        self._look_again()
        self.changed.emit()

    def clear(self) -> None:
        """Begin anew."""
        self._state.background.cancel(EXPLAIN)
        self.origin, self.explained, self.problem = None, None, None
        self.changed.emit()

    def cancel(self) -> None:
        """End the work; an answer that was there stays."""
        self._state.background.cancel(EXPLAIN)
        if self.explained is None:
            self.origin = None
        else:
            self._facts = self._facts_of_answer
            self.uses_machine = self.had_machine
        self.changed.emit()

    def _begin(self, kind: Origin, name: str) -> None:
        self.origin = LogOrigin(kind, name, self._state.workbench.clock.now())
        self.explained, self.problem = None, None
        self._facts = self._wanted_facts()

    def _wanted_facts(self) -> Facts:
        return (self._state.report, self._state.environment) if self.uses_machine else (None, None)

    def _look_again(self) -> None:
        """Explain the same log again when the facts beside it are others."""
        facts, explained = self._wanted_facts(), self.explained
        is_looking = self.uses_machine and self._state.compat is None
        if explained is None or is_looking or facts == self._facts:
            return
        self._facts = facts
        self._run(lambda control: explain_again(explained, *facts, control))

    def _run(self, work: Callable[[JobControl], ExplainedLog]) -> None:
        self._state.background.run(EXPLAIN, work, self._take, self._fail, self._tell)
        self.changed.emit()

    def _take(self, explained: ExplainedLog) -> None:
        self.explained = explained
        self._facts_of_answer = self._facts
        self.changed.emit()
        self._look_again()  # the machine may have become another meanwhile

    def _fail(self, error: Exception) -> None:
        self.origin = None
        if isinstance(error, GpuConfigError):
            self.problem = (error.message, error.hint)
        else:
            self._state.post_error(EXPLAIN, error)
        self.changed.emit()

    def _tell(self, share: float | None, message: Message) -> None:
        self.progressed.emit(share, self._state.text(message))
