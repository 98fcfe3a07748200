"""The making of an environment: goes on whichever page is shown, and is told when it is over.

It belongs to the state (``AppState.drafts``), not to a page, for pages are thrown away when the language changes.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from gpuconfig_app.core.environment_made import InstallerLine, MadeEnvironment, MakeOutcome, MakeProgress, Removal
from gpuconfig_app.core.environment_plan import EnvironmentPlan
from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.ui.notice import Notice
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.workbench.make_environment import make_environment, remove_environment
from gpuconfig_app.workbench.prove import ProveOptions

logger = logging.getLogger(__name__)
MAKING = "environment-making"
PAGE = "make_environment"
REMOVING = "environment-removing"
FINDING = "environment-finding"
MOST_LINES = 10_000
CLEAN_LIMIT_MS = 30_000
_SEVERITIES = {
    MakeOutcome.PROVEN: Severity.GOOD,
    MakeOutcome.CPU_PROVEN: Severity.GOOD,
    MakeOutcome.NOT_PROVEN: Severity.WARNING,
    MakeOutcome.FAILED: Severity.BLOCKED,
    MakeOutcome.CANCELLED: Severity.NEUTRAL,
}


class EnvironmentMaking(QObject):
    """One making at a time.

    Args:
        make: Carries a plan out; another one in tests.

    Attributes:
        plan: What is made or was made last, None before the first.
        progress: Newest, None while nothing runs.
        progress_at: Time of the monotonic clock when it came.
        lines: What the installer said so far; another list when it is another making or the oldest are left out.
        made: What came out of the last making, None before and while one runs.
        is_ending: It was cancelled and cleans up.
        is_watched: The page is in sight, so that no line in the message bar has to tell.

    Signals:
        changed(): It began, was asked to end, ended, or what came out was removed or forgotten.
        progressed(): ``progress`` and ``lines`` have news.
    """

    changed = Signal()
    progressed = Signal()
    _told = Signal(object, object)

    def __init__(self, state: AppState, make: Callable[..., MadeEnvironment] = make_environment) -> None:
        super().__init__(state)
        self._state = state
        self._make = make
        self._control = JobControl()
        self._afterwards: Callable[[], object] | None = None
        self._insists = False
        self.plan: EnvironmentPlan | None = None
        self.progress: MakeProgress | None = None
        self.progress_at = 0.0
        self.lines: list[InstallerLine] = []
        self.made: MadeEnvironment | None = None
        self.is_ending = False
        self.is_watched = False
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.setInterval(CLEAN_LIMIT_MS)
        self._limit.timeout.connect(self._go_on_afterwards)
        self._told.connect(self._take_progress, Qt.ConnectionType.QueuedConnection)
        state.compat_changed.connect(self._insist)

    @property
    def is_running(self) -> bool:
        """Whether an environment is made now, or a cancelled one is cleaned up."""
        return self._state.background.is_busy(MAKING)

    @property
    def is_awaited(self) -> bool:
        """Whether something is done as soon as it has ended."""
        return self._afterwards is not None

    @property
    def is_removing(self) -> bool:
        """Whether what was made is being removed."""
        return self._state.background.is_busy(REMOVING)

    def start(self, plan: EnvironmentPlan, *, may_wake: bool = False) -> None:
        """Carry a plan out.

        Args:
            may_wake: The proof may wake a sleeping card.
        """
        report = self._state.report
        if self.is_running or report is None or not plan.can_start:
            return
        bench, make = self._state.workbench, self._make
        self.plan, self.progress, self.made = plan, None, None
        self.lines = []
        self.is_ending = False

        def work(control: JobControl) -> MadeEnvironment:
            options = ProveOptions(may_wake=may_wake)
            places, clock, texts = bench.places, bench.clock, bench.texts
            return make(places, clock, texts, report, plan, control, lambda news: self._tell(control, news), options)

        self._control = self._state.background.run(MAKING, work, self._ended, self._failed)
        self.changed.emit()

    def cancel(self) -> None:
        """End it and remove what was made; what came of that is told as usual."""
        if self.is_running and not self.is_ending:
            self.is_ending = True
            self._control.cancel()
            self.changed.emit()

    def end_before(self, afterwards: Callable[[], object]) -> None:
        """End it, wait until everything is removed (at most half a minute), then do something else."""
        if not self.is_running:
            afterwards()
            return
        self._afterwards = afterwards
        self._limit.start()
        self.cancel()

    def set_watched(self, *, is_watched: bool) -> None:
        """The page came into sight, or left it; what it shows needs no line in the message bar."""
        self.is_watched = is_watched
        if is_watched and not self.is_running:
            self._state.post(Notice(MAKING, Severity.NEUTRAL, Message("making.seen"), is_over=True))

    def forget(self) -> None:
        """The page begins with a plan again."""
        if not self.is_running:
            self.plan, self.progress, self.made = None, None, None
            self.lines = []
            self.changed.emit()

    def use(self) -> None:
        """Choose the new environment for everything that follows."""
        if self.made is not None and self.made.interpreter:
            self._insists = True
            self._state.select_python(self.made.interpreter)

    def remove(self) -> None:
        """Remove what was made."""
        made = self.made
        if made is None or not made.folder or self.is_removing:
            return
        places = self._state.workbench.places
        self._state.background.run(
            REMOVING, lambda _: remove_environment(places, made.folder), self._removed, self._removal_failed
        )
        self.changed.emit()

    def _insist(self, *_: object) -> None:
        """Choose it once more when a look at the machine, under way as it was chosen, brought the former one back."""
        made, environment, settings = self.made, self._state.environment, self._state.settings
        if not self._insists or environment is None or self._state.compat is None:
            return
        self._insists = False
        if made is not None and settings.python == made.interpreter != environment.executable:
            self._state.select_python(made.interpreter)

    def _tell(self, control: JobControl, progress: MakeProgress) -> None:
        """Bring news to the window's thread; called from the job's."""
        try:
            self._told.emit(control, progress)
        except RuntimeError:  # the window is gone while the making is being cleaned up
            logger.debug("progress came after the window was closed")

    def _take_progress(self, control: JobControl, progress: MakeProgress) -> None:
        if not self.is_running or control is not self._control:
            return
        self.lines.extend(new_lines(self.lines, progress.lines))
        if len(self.lines) > MOST_LINES:
            self.lines = self.lines[MOST_LINES // 2 :]
        self.progress, self.progress_at = progress, self._state.workbench.clock.monotonic()
        self.progressed.emit()

    def _ended(self, made: MadeEnvironment) -> None:
        self.is_ending = False
        if made.outcome is MakeOutcome.CANCELLED:
            self.plan, self.progress = None, None
            self._say(made.headline, Severity.WARNING if made.left_behind else Severity.NEUTRAL)
        else:
            self.made = made
            if made.outcome is not MakeOutcome.FAILED:
                self._look_again()
            if not self.is_watched:
                severity = _SEVERITIES[made.outcome]
                self._state.post(Notice(MAKING, severity, made.headline, page=PAGE, stays=True))
        self.changed.emit()
        self._go_on_afterwards()

    def _failed(self, error: Exception) -> None:
        self.is_ending = False
        self.plan, self.progress = None, None
        if not isinstance(error, JobCancelledError):
            self._state.post_error(MAKING, error)
        self.changed.emit()
        self._go_on_afterwards()

    def _say(self, message: Message, severity: Severity, hint: Message | None = None) -> None:
        self._state.post(Notice(MAKING, severity, message, hint))

    def _go_on_afterwards(self) -> None:
        self._limit.stop()
        afterwards, self._afterwards = self._afterwards, None
        if afterwards is not None:
            afterwards()

    def _look_again(self) -> None:
        """Let the new environment appear in every list, wherever its folder lies."""
        state = self._state
        state.background.run(FINDING, state.workbench.find_environments, self._take_environments)

    def _take_environments(self, found: SystemReport) -> None:
        state, made = self._state, self.made
        if made is None or state.is_recorded:
            return
        same = os.path.normpath(made.folder)
        if all(os.path.normpath(item.prefix) != same for item in found.environments):
            folders = state.settings.extra_python_folders
            state.update_settings(extra_python_folders=(*folders, made.folder))
        state.refresh()

    def _removed(self, removal: Removal) -> None:
        state, made = self._state, self.made
        if made is not None and state.environment is not None and state.environment.executable == made.interpreter:
            state.environment = None  # it is gone: the next look at the machine chooses by the rule
            state.update_settings(python=None)
        folders = tuple(item for item in state.settings.extra_python_folders if item != removal.folder)
        state.update_settings(extra_python_folders=folders)
        self.plan, self.progress, self.made = None, None, None
        kept = Message("making.kept", {"path": ", ".join(removal.kept)}) if removal.kept else None
        name = "making.removed" if removal.is_gone else "making.removed-in-part"
        severity = Severity.GOOD if removal.is_gone else Severity.WARNING
        self._say(Message(name, {"path": removal.folder}), severity, kept)
        state.refresh()
        self.changed.emit()

    def _removal_failed(self, error: Exception) -> None:
        self._state.post_error(REMOVING, error)
        self.changed.emit()


def making_of(state: AppState) -> EnvironmentMaking:
    """Give the one making of a state; it lives as long as the state."""
    making = state.drafts.get(MAKING)
    if not isinstance(making, EnvironmentMaking):
        making = EnvironmentMaking(state)
        state.drafts[MAKING] = making
    return making


def new_lines(known: Sequence[InstallerLine], newest: Sequence[InstallerLine]) -> tuple[InstallerLine, ...]:
    """Give the lines of a sliding window that are not at the end of ``known`` yet."""
    for overlap in range(min(len(known), len(newest)), 0, -1):
        if tuple(known[-overlap:]) == tuple(newest[:overlap]):
            return tuple(newest[overlap:])
    return tuple(newest)
