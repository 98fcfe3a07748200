"""What the user has answered so far; lives in the state, so no rebuild of the pages loses an answer.

What follows from the answers is made by the ``PlanDesk``; a trial of the script is watched by the ``Trial``. Nothing is
written before the last step.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gpuconfig_app.core.bundle import BundleRecipe, ScriptBundle
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.core.plan import TimePrediction, TrainingPlan
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.answers import CheckedAnswers
from gpuconfig_app.scriptgen.manifest import Template
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.wizard import kept_answers
from gpuconfig_app.ui.wizard.plan_desk import BUNDLE, PlanDesk, PlanQuestion
from gpuconfig_app.ui.wizard.progress import can_reach
from gpuconfig_app.ui.wizard.steps import Step
from gpuconfig_app.ui.wizard.trial import Trial

__all__ = ["BUNDLE", "SCAN", "Saved", "ScanProgress", "WizardDraft"]

SCAN = "wizard-scan"
_NEEDS_SCRIPT = (Step.REVIEW, Step.SCRIPT)


@dataclass(frozen=True)
class ScanProgress:
    """How far a scan is; ``share`` is None while the amount is not known."""

    share: float | None
    message: Message


@dataclass(frozen=True)
class Saved:
    """Where a bundle lies on disk, and what it was made of."""

    folder: Path
    recipe: BundleRecipe


@dataclass
class Work:
    """What belongs to one task, kept while another one is looked at."""

    answers: dict[str, JsonValue] = field(default_factory=dict)
    dataset: DatasetFacts | None = None
    scan_error: Exception | None = None
    is_made_up: bool = False
    saved: Saved | None = None


class WizardDraft(QObject):
    """Answers and their consequences.

    Attributes:
        step: Step that is shown.
        template: Chosen task, None at first.
        checked: Answers with defaults and problems.
        devices: Cards the user insists on, None lets the planner choose; kept for each machine.
        occupied: Folder that holds files already, in which the bundle was to be saved; the user is asked.
        desk: Plan and script.
        trial: Test run.

    Signals:
        changed(): Answers, template or devices changed.
        step_changed(object): Another ``Step`` is shown.
        dataset_changed(): A scan began, ended or failed.
        scan_progressed(object): ``ScanProgress``.
        plan_changed(): A plan, or the reason why there is none, is there.
        bundle_changed(): The rendered script or where it is saved changed.
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
        self.checked = CheckedAnswers({})
        self.devices: tuple[int, ...] | None = None
        self.occupied: Path | None = None
        self._work = Work()
        self._shelf: dict[str, Work] = {}
        self._machine_name = state.machine_name
        self._devices_of: dict[str | None, tuple[int, ...] | None] = {}
        self.desk = PlanDesk(state, self)
        self.desk.plan_changed.connect(self.plan_changed)
        self.desk.bundle_changed.connect(self.bundle_changed)
        self.trial = Trial(state, self)
        state.compat_changed.connect(self.replan)
        state.machine_changed.connect(self._take_machine)

    @property
    def answers(self) -> dict[str, JsonValue]:
        """As given, by question id; what was never touched is not in it."""
        return self._work.answers

    @property
    def dataset(self) -> DatasetFacts | None:
        """What the scan found."""
        return self._work.dataset

    @property
    def scan_error(self) -> Exception | None:
        """Why the data can't be used."""
        return self._work.scan_error

    @property
    def is_made_up(self) -> bool:
        """Whether the user goes on without data."""
        return self._work.is_made_up

    @property
    def plan(self) -> TrainingPlan | None:
        """Newest plan, None while there is none."""
        return self.desk.plan

    @property
    def bundle(self) -> ScriptBundle | None:
        """Rendered script of the newest plan."""
        return self.desk.bundle

    @property
    def folder(self) -> Path | None:
        """Where the bundle was saved last."""
        return self._work.saved.folder if self._work.saved is not None else None

    @property
    def is_saved(self) -> bool:
        """Whether the script that is shown lies in ``folder`` as it is; what is predicted of it may have changed."""
        saved, bundle = self._work.saved, self.bundle
        return saved is not None and bundle is not None and _bare(saved.recipe) == _bare(bundle.recipe)

    @property
    def is_scanning(self) -> bool:
        """Whether the data are being looked at."""
        return self._state.background.is_busy(SCAN)

    def choose_template(self, template: Template) -> None:
        """Choose a task; the work on the former one is kept for a way back."""
        if template is self.template:
            return
        self._state.background.cancel(SCAN)
        if self.template is not None:
            self._shelf[self.template.id] = self._work
        fresh = Work(kept_answers.carried_over(self.answers, template))
        self._work = self._shelf.pop(template.id, fresh)
        self.template = template
        self.desk.forget()
        self._after_change()
        self.dataset_changed.emit()
        self.bundle_changed.emit()

    def start_over(self) -> None:
        """Forget everything and show the first step."""
        self._state.background.cancel(SCAN)
        self.template, self._work, self._shelf = None, Work(), {}
        self.checked, self.devices, self.occupied, self._devices_of = CheckedAnswers({}), None, None, {}
        self.desk.forget()
        self.trial.forget()
        self.step = Step.TASK
        self.changed.emit()
        self.dataset_changed.emit()
        self.step_changed.emit(self.step)

    def answer(self, question_id: str, value: JsonValue) -> None:
        """Give an answer; None takes it back to its default."""
        self.answer_all({question_id: value})

    def answer_all(self, values: dict[str, JsonValue]) -> None:
        """Give several answers at once."""
        self.desk.remember(self._question())
        self._work.answers = {key: item for key, item in (self.answers | values).items() if item is not None}
        self._after_change()

    def choose_devices(self, devices: tuple[int, ...] | None) -> None:
        """Insist on these cards, or let the planner choose with None."""
        self.desk.remember(self._question())
        self.devices = devices
        self._after_change()

    def undo(self) -> None:
        """Take the last change back."""
        change = self.desk.change
        if change is not None and change.question.template is self.template:
            self._work.answers, self.devices = dict(change.question.answers), change.question.devices
            self.desk.forget_change()
            self._after_change()

    def go_to(self, step: Step) -> None:
        """Show a step; one that can't be reached yet is not shown."""
        if step is not self.step and can_reach(self, step):
            self.step = step
            self.desk.forget_change()
            self.step_changed.emit(step)
            self.desk.set_wants_script(wants=step in _NEEDS_SCRIPT)

    def scan(self, path: str) -> None:
        """Look into the data; a running scan is replaced."""
        question = kept_answers.path_question(self.template)
        if self.template is None or question is None:
            return
        example = self.template.example if self.is_made_up else {}
        kept = {key: value for key, value in self.answers.items() if key not in example or value != example[key]}
        self._work.answers, self._work.is_made_up = kept | {question: path}, False
        self._work.dataset, self._work.scan_error = None, None
        work, environment = expanded(path), self._state.environment
        python = environment.executable if environment is not None and not self._state.is_recorded else None
        self._state.background.run(
            SCAN,
            lambda control: self._state.workbench.scan_data(work, control, python),
            self._take_dataset,
            self._scan_failed,
            lambda share, message: self.scan_progressed.emit(ScanProgress(share, message)),
        )
        self._after_change()
        self.dataset_changed.emit()

    def cancel_scan(self) -> None:
        """End a running scan; the path stays."""
        self._state.background.cancel(SCAN)
        self.set_dataset(None, None)

    def forget_data(self) -> None:
        """Go on with made-up data; a task that needs to know its columns takes those of its example."""
        question = kept_answers.path_question(self.template)
        if self.template is None or question is None:
            return
        self._state.background.cancel(SCAN)
        answers = {key: value for key, value in self.answers.items() if key != question}
        answers |= kept_answers.made_up(self.template, answers)
        self._work.answers, self._work.is_made_up = answers, True
        self.set_dataset(None, None)

    def replan(self, *_: object) -> None:
        """Ask for a new plan soon; many changes at once give one plan."""
        self.desk.ask(self._question() if not self.checked.problems else None)

    def take_over(self, folder: Path, template: Template, recipe: BundleRecipe) -> None:
        """Take everything from a saved bundle and show the review."""
        self.start_over()
        self.template = template
        answers = kept_answers.lean(template, recipe.answers, recipe.dataset)
        self._work = Work(answers, recipe.dataset, None, recipe.dataset is None, Saved(folder, recipe))
        self.devices = recipe.plan.workload.requests.devices
        self._after_change()
        self.dataset_changed.emit()
        self.step = Step.REVIEW
        self.step_changed.emit(self.step)
        self.desk.set_wants_script(wants=True)

    def set_saved(self, folder: Path, bundle: ScriptBundle) -> None:
        """Remember where the bundle was saved."""
        self._work.saved, self.occupied = Saved(folder, bundle.recipe), None
        self.bundle_changed.emit()

    def set_occupied(self, folder: Path | None) -> None:
        """A folder holds files already; None when that is settled."""
        self.occupied = folder
        self.bundle_changed.emit()

    def _question(self) -> PlanQuestion | None:
        if self.template is None:
            return None
        return PlanQuestion(self.template, dict(self.answers), self.dataset, self.devices)

    def _after_change(self) -> None:
        if self.template is not None:
            self.checked = self._state.workbench.check_answers(self.template, self.answers, self.dataset)
        self.replan()
        self.changed.emit()

    def _take_machine(self) -> None:
        self._devices_of[self._machine_name] = self.devices
        self._machine_name = self._state.machine_name
        self.devices = self._devices_of.get(self._machine_name)
        self.desk.forget()
        self._after_change()

    def _take_dataset(self, dataset: DatasetFacts) -> None:
        if self.template is not None:
            self._work.answers = kept_answers.fitting(self.template, self.answers, dataset)
        self.set_dataset(dataset, None)

    def _scan_failed(self, error: Exception) -> None:
        if not isinstance(error, GpuConfigError):
            self._state.post_error(SCAN, error)
        self.set_dataset(None, error)

    def set_dataset(self, dataset: DatasetFacts | None, error: Exception | None) -> None:
        """Take what is known of the data, or why they can't be used."""
        self._work.dataset, self._work.scan_error = dataset, error
        self._after_change()
        self.dataset_changed.emit()


def _bare(recipe: BundleRecipe) -> BundleRecipe:
    """Give what a script is made of, without reasons and predictions."""
    plan = replace(recipe.plan, choices=(), memory=None, time=TimePrediction(), warnings=(), advice=())
    return replace(recipe, plan=plan)
