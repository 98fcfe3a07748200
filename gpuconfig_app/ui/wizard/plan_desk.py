"""What follows from the answers: the plan, what the last change did to it, other batch sizes, and the script.

Everything is made in the background; the newest question wins. The desk belongs to the draft and lives as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gpuconfig_app.core.bundle import ScriptBundle
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit, MemoryPrediction, TrainingPlan
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.manifest import Template
from gpuconfig_app.storage.measured_runs import unusable_measured_runs
from gpuconfig_app.ui.notice import Notice

if TYPE_CHECKING:
    from gpuconfig_app.ui.state import AppState

PLAN = "wizard-plan"
BUNDLE = "wizard-bundle"
MEASURED = "measured-runs"
PLAN_DELAY_MS = 60
_LARGEST_BATCH = 65536
_MOST_SIZES = 6
_BATCH = "requests.per_replica_batch"
_SMALLER = ("smaller-batch", "accumulation")
Batches = tuple[tuple[int, MemoryPrediction], ...]


@dataclass(frozen=True)
class PlanQuestion:
    """What a plan is asked for.

    Attributes:
        devices: Cards the user insists on, None lets the planner choose.
    """

    template: Template
    answers: dict[str, JsonValue]
    dataset: DatasetFacts | None
    devices: tuple[int, ...] | None


@dataclass(frozen=True)
class LastChange:
    """What stood before the last change, for its effect and for Undo."""

    question: PlanQuestion
    plan: TrainingPlan


class PlanDesk(QObject):
    """Makes plans and scripts of the newest answers.

    Attributes:
        plan: Newest plan, None while there is none.
        error: Why there is no plan.
        batches: Memory at other batch sizes, smallest first; empty where it can't be told.
        change: The last change that altered the plan.
        bundle: Rendered script of the newest plan.

    Signals:
        plan_changed(): A plan, or the reason why there is none, is there.
        bundle_changed(): The rendered script changed.
    """

    plan_changed = Signal()
    bundle_changed = Signal()

    def __init__(self, state: AppState, parent: QObject) -> None:
        super().__init__(parent)
        self._state = state
        self.plan: TrainingPlan | None = None
        self.error: Exception | None = None
        self.batches: Batches = ()
        self.change: LastChange | None = None
        self.bundle: ScriptBundle | None = None
        self._before: LastChange | None = None
        self._question: PlanQuestion | None = None
        self._wants_script = False
        self._unusable = unusable_measured_runs(state.workbench.places)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PLAN_DELAY_MS)
        self._timer.timeout.connect(self._make_plan)

    @property
    def is_waiting(self) -> bool:
        """Whether a plan is to be asked for in a moment."""
        return self._timer.isActive()

    def remember(self, question: PlanQuestion | None) -> None:
        """Keep what stands now, because it is about to change; changes in quick succession count as one."""
        if self._before is None and self.plan is not None and question is not None:
            self._before = LastChange(question, self.plan)

    def forget_change(self) -> None:
        """The last change is settled."""
        self._before, self.change = None, None

    def ask(self, question: PlanQuestion | None) -> None:
        """Ask for a plan soon; None while the answers hold problems. The script of the former one is void."""
        self._question = question
        self.bundle = None
        if question is None:
            self._timer.stop()
        else:
            self._timer.start()

    def forget(self) -> None:
        """There is no plan any more."""
        self._timer.stop()
        for topic in (PLAN, BUNDLE):
            self._state.background.cancel(topic)
        self.plan, self.error, self.bundle, self.batches, self._question = None, None, None, (), None
        self.forget_change()
        self.plan_changed.emit()

    def set_wants_script(self, *, wants: bool) -> None:
        """From now on render the script of each new plan, or don't."""
        self._wants_script = wants
        if wants and self.bundle is None:
            self._render()

    def _make_plan(self) -> None:
        question, machine = self._question, self._state.machine
        if question is None or machine is None:
            return
        bench, environment, compat = self._state.workbench, self._state.environment, self._state.compat
        shown = tuple(batch for batch, _ in self.batches)

        def work(_: JobControl) -> tuple[PlanQuestion, TrainingPlan, Batches]:
            asked = (question.template, question.answers, machine, environment, question.dataset, compat)
            plan = bench.plan(*asked, question.devices)
            wanted = batches_to_show(plan, shown)
            return question, plan, bench.memory_at_batches(wanted, *asked, question.devices)

        self._state.background.run(PLAN, work, self._take_plan, self._plan_failed)

    def _take_plan(self, answer: tuple[PlanQuestion, TrainingPlan, Batches]) -> None:
        _, plan, batches = answer
        before, self._before = self._before, None
        self.change = before if before is not None and before.plan != plan else None
        self.plan, self.error, self.bundle, self.batches = plan, None, None, batches
        self._tell_unusable()
        self.plan_changed.emit()
        if self._wants_script:
            self._render()

    def _tell_unusable(self) -> None:
        """Tell once of each file with measurements that was set aside since the desk is there."""
        found = unusable_measured_runs(self._state.workbench.places)
        for path in sorted(found - self._unusable):
            message = Message("core.measured-unusable", {"path": str(path)})
            self._state.post(Notice(MEASURED, Severity.WARNING, message, stays=True))
        self._unusable = found

    def _plan_failed(self, error: Exception) -> None:
        self.plan, self.error, self.bundle, self.batches = None, error, None, ()
        if not isinstance(error, GpuConfigError):
            self._state.post_error(PLAN, error)
        self.plan_changed.emit()

    def _render(self) -> None:
        question, plan = self._question, self.plan
        if question is None or plan is None or self._timer.isActive():
            return
        bench = self._state.workbench
        self._state.background.run(
            BUNDLE,
            lambda _: bench.generate(question.template, question.answers, plan, question.dataset),
            self._take_bundle,
            self._bundle_failed,
        )

    def _take_bundle(self, bundle: ScriptBundle) -> None:
        self.bundle = bundle
        self.bundle_changed.emit()

    def _bundle_failed(self, error: Exception) -> None:
        self.bundle = None
        self._state.post_error(BUNDLE, error)
        self.bundle_changed.emit()


def batches_to_show(plan: TrainingPlan, shown: tuple[int, ...]) -> tuple[int, ...]:
    """Give the batch sizes to compare: those shown already, so that a press moves no card, else some around the plan's.

    Where all of them are too big the largest that surely fits is among them, and half of it.
    """
    sizes = shown if plan.per_replica_batch in shown else batches_around(plan.per_replica_batch)
    smaller = [measure.change.get(_BATCH) for measure in plan.measures if measure.id in _SMALLER]
    fitting = max((batch for batch in smaller if isinstance(batch, int)), default=None)
    if fitting is None or fitting >= sizes[0] or plan.memory is None or plan.memory.fit is Fit.FITS:
        return sizes
    small = sorted({max(1, fitting // 2), fitting})
    rest = [size for size in sizes if size != plan.per_replica_batch][: _MOST_SIZES - len(small) - 1]
    return tuple(sorted({*small, *rest, plan.per_replica_batch}))


def batches_around(batch: int) -> tuple[int, ...]:
    """Give up to six batch sizes to compare, the given one among them, smallest first."""
    wanted = {batch // 4, batch // 2, batch, batch * 3 // 2, batch * 2, batch * 4}
    return tuple(sorted(item for item in wanted if 1 <= item <= _LARGEST_BATCH))
