"""The question "what if" of the page: what is assumed, and the verdict that would be. Ends with the page's leaving."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from gpuconfig_app.ui.state import AppState
from gpuconfig_app.workbench.what_if import WhatIfAnswer, what_if

WHAT_IF = "what-if"


class WhatIfDesk(QObject):
    """One question at a time.

    Args:
        state: State of the window.

    Attributes:
        assumptions: Values by key of ``--assume``.
        is_alone: The machine consists of the assumptions, the open one plays no part.
        answer: What would be; None before it is there, and when nothing is asked.

    Signals:
        changed(): The answer is another one.
    """

    changed = Signal()

    def __init__(self, state: AppState, parent: QObject) -> None:
        super().__init__(parent)
        self._state = state
        self.assumptions: dict[str, tuple[str, ...]] = {}
        self.is_alone = False
        self.answer: WhatIfAnswer | None = None
        state.compat_changed.connect(self._ask_again)
        state.machine_changed.connect(self.end)

    @property
    def is_asked(self) -> bool:
        """Whether anything is assumed."""
        return bool(self.assumptions) or self.is_alone

    @property
    def is_active(self) -> bool:
        """Whether there is a verdict of what would be."""
        return self.answer is not None and self.answer.compat is not None

    def ask(self, assumptions: Mapping[str, tuple[str, ...]], *, is_alone: bool) -> None:
        """Ask for the verdict under assumptions; without any the question ends."""
        self.assumptions, self.is_alone = dict(assumptions), is_alone
        if self.is_asked:
            self._ask_again()
        else:
            self.end()

    def end(self) -> None:
        """Assume nothing any more."""
        self._state.background.cancel(WHAT_IF)
        had_answer = self.answer is not None or self.is_asked
        self.assumptions, self.is_alone, self.answer = {}, False, None
        if had_answer:
            self.changed.emit()

    def _ask_again(self) -> None:
        """Ask, also when the machine beside it was looked at again."""
        state = self._state
        if not self.is_asked or (state.report is None and not self.is_alone):
            return
        report = None if self.is_alone else state.report
        environment, assumptions = state.environment, dict(self.assumptions)
        state.background.run(WHAT_IF, lambda _: what_if(report, environment, assumptions), self._take)

    def _take(self, answer: WhatIfAnswer) -> None:
        self.answer = answer
        self.changed.emit()
