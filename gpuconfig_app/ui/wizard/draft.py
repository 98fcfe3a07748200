"""What the user has answered so far, and what follows from it; lives in the state, so no rebuild loses an answer.

Every change asks for a new plan in the background; the newest one wins. Nothing is written before the last step.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from gpuconfig_app.core.bundle import BundleRecipe, ScriptBundle
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.answers import CheckedAnswers
from gpuconfig_app.scriptgen.manifest import QuestionKind, Template, WizardStep
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.wizard.progress import can_reach
from gpuconfig_app.ui.wizard.steps import Step

logger = logging.getLogger(__name__)
PLAN = "wizard-plan"
SCAN = "wizard-scan"
BUNDLE = "wizard-bundle"
PLAN_DELAY_MS = 60


@dataclass(frozen=True)
class ScanProgress:
    """How far a scan is; ``share`` is None while the amount is not known."""

    share: float | None
    message: Message


class WizardDraft(QObject):
    """Answers and their consequences.

    Attributes:
        step: Step that is shown.
        template: Chosen task, None at first.
        answers: As given, by question id; what was never touched is not in it.
        checked: Answers with defaults and problems.
        dataset: What the scan found.
        devices: Cards the user insists on, None lets the planner choose.
        plan: Newest plan, None while there is none.
        before: The plan before the last change, for "what did it change".
        plan_error: Why there is no plan.
        bundle: Rendered script of the newest plan.
        folder: Where the bundle was saved.

    Signals:
        changed(): Answers, template or devices changed.
        step_changed(object): Another ``Step`` is shown.
        dataset_changed(): A scan began, ended or failed.
        scan_progressed(object): ``ScanProgress``.
        plan_changed(): A plan, or the reason why there is none, is there.
        bundle_changed(): The rendered script or its folder changed.
    """

    changed = Signal()
    step_changed = Signal(object)
    dataset_changed = Signal()
    scan_progressed = Signal(object)
    plan_changed = Signal()
    bundle_changed = Signal()

    def __init__(self, state: AppState) -> None:
        super().__init__(state)
        self._state = state
        self.step = Step.TASK
        self.template: Template | None = None
        self.answers: dict[str, JsonValue] = {}
        self.checked = CheckedAnswers({})
        self.dataset: DatasetFacts | None = None
        self.scan_error: Exception | None = None
        self.devices: tuple[int, ...] | None = None
        self.plan: TrainingPlan | None = None
        self.before: TrainingPlan | None = None
        self.plan_error: Exception | None = None
        self.bundle: ScriptBundle | None = None
        self.folder: Path | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PLAN_DELAY_MS)
        self._timer.timeout.connect(self._make_plan)
        state.compat_changed.connect(self.replan)

    @property
    def is_scanning(self) -> bool:
        """Whether the data are being looked at."""
        return self._state.background.is_busy(SCAN)

    def templates(self) -> tuple[Template, ...]:
        """Give the tasks to choose from."""
        return self._state.workbench.templates()

    def choose_template(self, template: Template) -> None:
        """Choose a task; answers that the new one asks as well stay."""
        if template is self.template:
            return
        kept = {question.id for question in template.questions}
        self.template = template
        self.answers = {key: value for key, value in self.answers.items() if key in kept}
        if self.dataset is not None and self.dataset.kind is not template.data_kind:
            self.dataset = None
            self.dataset_changed.emit()
        self._after_change()

    def start_over(self) -> None:
        """Forget everything and show the first step."""
        self._state.background.cancel(SCAN)
        self.template, self.answers, self.checked = None, {}, CheckedAnswers({})
        self.dataset, self.scan_error, self.devices, self.folder = None, None, None, None
        self.plan, self.before, self.plan_error, self.bundle = None, None, None, None
        self.step = Step.TASK
        self.changed.emit()
        self.dataset_changed.emit()
        self.step_changed.emit(self.step)

    def answer(self, question_id: str, value: JsonValue) -> None:
        """Give an answer; None takes it back to its default."""
        if value is None:
            self.answers.pop(question_id, None)
        else:
            self.answers[question_id] = value
        self._after_change()

    def reset_step(self, step: WizardStep) -> None:
        """Take all answers of a step back to their defaults."""
        if self.template is None:
            return
        for question in self.template.questions:
            if question.step is step and question.kind is not QuestionKind.PATH:
                self.answers.pop(question.id, None)
        self._after_change()

    def choose_devices(self, devices: tuple[int, ...] | None) -> None:
        """Insist on these cards, or let the planner choose with None."""
        self.devices = devices
        self._after_change()

    def go_to(self, step: Step) -> None:
        """Show a step; one that can't be reached yet is not shown."""
        if step is not self.step and can_reach(self, step):
            self.step = step
            self.step_changed.emit(step)
            if step in (Step.REVIEW, Step.SCRIPT):
                self.render()

    def scan(self, path: str) -> None:
        """Look into the data; a running scan is replaced."""
        template = self.template
        question = self.data_question()
        if template is None or question is None:
            return
        self.answers[question] = path
        self.dataset, self.scan_error = None, None
        work = Path(path).expanduser()
        self._state.background.run(
            SCAN,
            lambda control: self._state.workbench.scan_data(work, control),
            self._take_dataset,
            self._scan_failed,
            lambda share, message: self.scan_progressed.emit(ScanProgress(share, message)),
        )
        self._after_change()
        self.dataset_changed.emit()

    def cancel_scan(self) -> None:
        """End a running scan; the path stays."""
        self._state.background.cancel(SCAN)
        self.dataset_changed.emit()

    def forget_data(self) -> None:
        """Go on with made-up data; a task that needs to know its columns takes those of its example."""
        question = self.data_question()
        if self.template is not None:
            self.answers = {**self.template.example, **self.answers}
        self._state.background.cancel(SCAN)
        self.dataset, self.scan_error = None, None
        if question is not None:
            self.answers.pop(question, None)
        self._after_change()
        self.dataset_changed.emit()

    def data_question(self) -> str | None:
        """Give the id of the question that asks for the data."""
        if self.template is None:
            return None
        return next((item.id for item in self.template.questions if item.kind is QuestionKind.PATH), None)

    def replan(self) -> None:
        """Ask for a new plan soon; many changes at once give one plan."""
        if self.template is not None:
            self._timer.start()

    def render(self) -> None:
        """Render the script of the newest plan in the background."""
        template, plan, dataset = self.template, self.plan, self.dataset
        if template is None or plan is None:
            return
        answers = dict(self.answers)
        self._state.background.run(
            BUNDLE,
            lambda _: self._state.workbench.generate(template, answers, plan, dataset),
            self._take_bundle,
            self._bundle_failed,
        )

    def take_over(self, folder: Path, template: Template, recipe: BundleRecipe) -> None:
        """Take everything from a saved bundle and show the review."""
        self.template, self.answers = template, dict(recipe.answers)
        self.dataset, self.scan_error, self.folder = recipe.dataset, None, folder
        self.devices = recipe.plan.workload.requests.devices
        self.plan, self.plan_error = recipe.plan, None
        self._after_change()
        self.dataset_changed.emit()
        self.step = Step.REVIEW
        self.step_changed.emit(self.step)

    def set_folder(self, folder: Path) -> None:
        """Remember where the bundle was saved."""
        self.folder = folder
        self.bundle_changed.emit()

    def _after_change(self) -> None:
        if self.template is not None:
            self.checked = self._state.workbench.check_answers(self.template, self.answers, self.dataset)
        self.bundle = None
        self.changed.emit()
        self.replan()

    def _make_plan(self) -> None:
        template, machine = self.template, self._state.machine
        if template is None or machine is None or self.checked.problems:
            return
        answers, dataset, devices = dict(self.answers), self.dataset, self.devices
        environment, compat = self._state.environment, self._state.compat

        def work(_: JobControl) -> TrainingPlan:
            bench = self._state.workbench
            return bench.plan(template, answers, machine, environment, dataset, compat, devices)

        self._state.background.run(PLAN, work, self._take_plan, self._plan_failed)

    def _take_plan(self, plan: TrainingPlan) -> None:
        if self.plan is not None and plan != self.plan:
            self.before = self.plan
        self.plan, self.plan_error, self.bundle = plan, None, None
        self.plan_changed.emit()
        if self.step in (Step.REVIEW, Step.SCRIPT):
            self.render()

    def _plan_failed(self, error: Exception) -> None:
        self.plan, self.plan_error, self.bundle = None, error, None
        if not isinstance(error, GpuConfigError):
            self._state.post_error(PLAN, error)
        self.plan_changed.emit()

    def _take_bundle(self, bundle: ScriptBundle) -> None:
        self.bundle = bundle
        self.bundle_changed.emit()

    def _bundle_failed(self, error: Exception) -> None:
        self.bundle = None
        self._state.post_error(BUNDLE, error)
        self.bundle_changed.emit()

    def _take_dataset(self, dataset: DatasetFacts) -> None:
        self.dataset, self.scan_error = dataset, None
        self._after_change()
        self.dataset_changed.emit()

    def _scan_failed(self, error: Exception) -> None:
        self.dataset, self.scan_error = None, error
        if not isinstance(error, GpuConfigError):
            self._state.post_error(SCAN, error)
        self._after_change()
        self.dataset_changed.emit()
