"""Makes a working TensorFlow environment: the plan with every command, the making, the proof, and the way back.

All verbs may take long (disk, index, child processes): the window calls them in the background only.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.log_doctor import explain
from gpuconfig_app.compat.log_reading import read_log
from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.environment_made import (
    MadeEnvironment,
    MakeFailure,
    MakeOutcome,
    MakeProgress,
    Removal,
    StepState,
)
from gpuconfig_app.core.environment_plan import (
    CheckKind,
    CheckState,
    EnvironmentOrder,
    EnvironmentPlan,
    PlanCheck,
    PlanGoal,
    StepKind,
)
from gpuconfig_app.core.errors import GpuConfigError, UnusableFileError, UsageError
from gpuconfig_app.core.finding import CompatReport, Proven
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.log_report import LogReport
from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.core.proof import Proof, ProofResult, ProofStage
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.login_shell import read_user_variables
from gpuconfig_app.hardware.python_envs import find_environments
from gpuconfig_app.runner.environment_commands import script_text
from gpuconfig_app.runner.environment_lock import lock_text, sync_command
from gpuconfig_app.runner.environment_making import (
    EnvironmentMaker,
    MakingJournal,
    MakingProgress,
    StepFailedError,
    begin_journal,
)
from gpuconfig_app.runner.environment_removal import (
    folder_bytes,
    remove_scratch,
)
from gpuconfig_app.storage.makings import (
    MakingState,
    drop_old_logs,
    log_file,
)
from gpuconfig_app.storage.places import Places
from gpuconfig_app.storage.settings import load_settings
from gpuconfig_app.workbench.environment_planning import make_plan
from gpuconfig_app.workbench.environment_remains import (
    clean_leftover,
    find_leftovers,
    remove_environment,
    remove_remains,
)
from gpuconfig_app.workbench.environment_words import activate_command, made_headline
from gpuconfig_app.workbench.prove import ProveOptions, prove_and_judge
from gpuconfig_app.workbench.text import Texts

__all__ = [
    "clean_leftover", "find_leftovers", "make_environment", "plan_environment", "plan_script", "remove_environment",
]  # fmt: skip
logger = logging.getLogger(__name__)
OnProgress = Callable[[MakeProgress], None]


def plan_environment(
    places: Places,
    report: SystemReport,
    order: EnvironmentOrder,
    control: JobControl | None = None,
    *,
    asks_index: bool = True,
) -> EnvironmentPlan:
    """Decide release, Python, pins and commands for a machine, and check beforehand what can be checked.

    Nothing is written or changed. Takes seconds, because interpreters and the package index are asked.

    Args:
        places: Where journals of earlier makings lie; not written to.
        report: The machine with its environments; a recorded one gives a plan that can be read but not carried out.
        asks_index: Ask the package index for releases and sizes; without it both come from the fact tables, at once.

    Raises:
        UsageError: The folder, release, Python, wheelhouse or lock file asked for can't be meant; one sentence.
        UnusableFileError: A fact table or the lock file cannot be used.
        JobCancelledError: The user ended it.
    """
    plan = make_plan(report, order, control or JobControl(), asks_index=asks_index)
    if not plan.is_here or all(leftover.folder != plan.order.folder for leftover in find_leftovers(places)):
        return plan
    said = Message("environment.folder-is-leftover", {"path": plan.order.folder})
    checks = (replace(item, text=said) if _is_bad_folder(item) else item for item in plan.checks)
    return replace(plan, checks=tuple(checks))


def make_environment(
    places: Places,
    clock: Clock,
    texts: Texts,
    report: SystemReport,
    plan: EnvironmentPlan,
    control: JobControl | None = None,
    on_progress: OnProgress | None = None,
    options: ProveOptions | None = None,
) -> MadeEnvironment:
    """Carry a plan out: make, install, prove. A cancelled or failed making removes exactly what it made.

    Args:
        control: Its cancellation ends the process tree and cleans up; the answer is then ``CANCELLED``, nothing is
            raised.
        on_progress: Called from the caller's thread, at most ten times a second and at each change of step.
        options: How the proof is run; a sleeping card that may not be woken gives ``NOT_PROVEN``.

    Raises:
        UsageError: The plan can't be carried out (``EnvironmentPlan.can_start``), or the folder is not empty any more.
        StorageError: The journal can't be written, without which nothing is begun.
    """
    if not plan.can_start:
        blockers = plan.blockers
        raise UsageError(blockers[0].text if blockers else plan.headline)
    variables = read_user_variables().values
    journal = begin_journal(places, plan, clock, variables)
    making = _Making(places, clock, texts, report, plan, journal, control or JobControl(), variables, on_progress)
    wanted = options or ProveOptions()
    may_wake = wanted.may_wake or load_settings(places)[0].wakes_sleeping_gpus
    return making.run(replace(wanted, may_wake=may_wake))


def plan_script(plan: EnvironmentPlan, shell: str) -> str:
    """Give all commands of a plan as a script to save or copy.

    Args:
        shell: ``sh`` or ``powershell``.
    """
    return script_text(plan, shell)


@dataclass
class _Making:
    """One making from its journal to its answer."""

    places: Places
    clock: Clock
    texts: Texts
    report: SystemReport
    plan: EnvironmentPlan
    journal: MakingJournal
    control: JobControl
    variables: Mapping[str, str]
    on_progress: OnProgress | None

    def __post_init__(self) -> None:
        self._started = self.clock.monotonic()
        self._progress = MakingProgress(self.plan, self.clock, self.on_progress)
        self._removal: Removal | None = None

    def run(self, options: ProveOptions) -> MadeEnvironment:
        """Make and prove; clean up whatever comes instead."""

        def progress_of(scratch: Path) -> MakingProgress:
            self._progress = MakingProgress(self.plan, self.clock, self.on_progress, scratch)
            return self._progress

        is_whole = False
        try:
            maker = EnvironmentMaker(self.plan, self.journal, progress_of, self.clock, self.control, self.variables)
            maker.make()
            environment = self._read_environment()
            compat, words = self._prove(environment, options)
            self._take_away_scratch()
            self.journal.note(state=MakingState.MADE, pid=None, pid_started_at=None)
            is_whole = True
        except JobCancelledError:
            return self._ended(MakeOutcome.CANCELLED, None)
        except StepFailedError as error:
            return self._ended(MakeOutcome.FAILED, self._explained(error))
        except GpuConfigError as error:
            if isinstance(error, UsageError) and self.journal.making.folder_inode is None:
                raise
            return self._ended(MakeOutcome.FAILED, MakeFailure(step=self._current(), sentence=error.message))
        finally:
            if not is_whole:  # also for what nobody expected, and for Ctrl-C
                self._clean()
        drop_old_logs(self.places)
        return self._made(environment, compat, words)

    def _read_environment(self) -> PythonEnvironment:
        folder = Path(self.plan.order.folder)
        found = find_environments((folder,), variables=self.variables)
        wanted = folder.resolve()
        made = next((item for item in found if Path(item.prefix).resolve() == wanted), None)
        if made is None or made.problem is not None:
            sentence = Message("environment.failed-no-interpreter-made", {"path": str(folder)})
            raise StepFailedError(StepKind.INSTALL, sentence)
        if made.tensorflow_version is None:
            raise StepFailedError(StepKind.INSTALL, Message("environment.failed-without-tensorflow"))
        return made

    def _prove(self, environment: PythonEnvironment, options: ProveOptions) -> tuple[CompatReport, Message | None]:
        """Run the proof; what keeps it from being run is told, and the environment stays."""
        self._progress.start(StepKind.PROVE, Message("environment.step-prove"))
        others = tuple(item for item in self.report.environments if item.prefix != environment.prefix)
        report = replace(self.report, environments=(environment, *others))
        control = _Forwarding(self.control, self._progress)
        words: Message | None = None
        try:
            compat = prove_and_judge(self.places, self.clock, report, environment, options, self.texts, control)
            state = StepState.DONE
        except (UsageError, UnusableFileError) as error:
            words, state = error.message, StepState.FAILED
            compat = check(report, CheckOptions(environment=environment))
        if compat.proof is not None and compat.proof.result is ProofResult.FAILED:
            state = StepState.FAILED
        self._progress.end(StepKind.PROVE, state)
        return compat, words

    def _made(self, environment: PythonEnvironment, compat: CompatReport, words: Message | None) -> MadeEnvironment:
        outcome = _outcome(compat, self.plan)
        folder = Path(self.plan.order.folder)
        locked = lock_text(folder)
        return MadeEnvironment(
            outcome=outcome,
            headline=words or made_headline(outcome, self.plan, compat),
            plan=self.plan,
            folder=str(folder),
            interpreter=self.plan.interpreter,
            python_version=environment.python_version,
            packages=environment.packages,
            compat=compat,
            steps=self._progress.steps,
            duration_s=self.clock.monotonic() - self._started,
            disk_bytes=folder_bytes(folder),
            activate=activate_command(self.plan, self.variables.get("HOME")),
            sync=sync_command(self.plan.installer),
            lock_text=locked,
            log=self._log(),
        )

    def _ended(self, outcome: MakeOutcome, failure: MakeFailure | None) -> MadeEnvironment:
        self._progress.fail_running()
        removal = self._clean()
        params: dict[str, MessageValue] = {"path": removal.folder, "count": len(removal.kept)}
        name = "cancelled" if outcome is MakeOutcome.CANCELLED else "failed"
        if removal.kept:
            name += "-but-kept"
        if outcome is MakeOutcome.CANCELLED:
            log_file(self.places, self.journal.making.id).unlink(missing_ok=True)
        return MadeEnvironment(
            outcome=outcome,
            headline=Message(f"environment.made-{name}", params),
            plan=self.plan,
            folder=removal.folder,
            failure=failure,
            steps=self._progress.steps,
            duration_s=self.clock.monotonic() - self._started,
            log=self._log(),
            left_behind=removal.kept,
        )

    def _clean(self) -> Removal:
        """Remove what was made, once."""
        if self._removal is None:
            self._progress.clean()
            self._removal = remove_remains(self.places, self.journal.making)
        return self._removal

    def _take_away_scratch(self) -> None:
        remove_scratch(self.journal.making)
        self.journal.note(scratch=None)

    def _explained(self, error: StepFailedError) -> MakeFailure:
        """Let the log doctor read what the installer printed."""
        found: LogReport | None = None
        if error.output.strip():
            try:
                found = explain(read_log(error.output.encode("utf-8", "replace")), self.report)
            except (UnusableFileError, JobCancelledError) as problem:
                logger.info("installer's output not explained: %s", problem)
        return MakeFailure(step=error.step, sentence=error.sentence, explained=found, exit_code=error.exit_code)

    def _current(self) -> StepKind | None:
        return next((step.kind for step in self._progress.steps if step.state is StepState.RUNNING), None)

    def _log(self) -> str | None:
        path = log_file(self.places, self.journal.making.id)
        return str(path) if path.exists() else None


class _Forwarding(JobControl):
    """Hands the proof's own steps on as words of the making, and the user's cancellation down to it."""

    def __init__(self, outer: JobControl, progress: MakingProgress) -> None:
        super().__init__(lambda _, message: progress.say(message))
        self._outer = outer

    @property
    def is_cancelled(self) -> bool:
        """Whether the making was cancelled."""
        return self._outer.is_cancelled

    def check(self) -> None:
        """Raise JobCancelledError when the making was cancelled."""
        self._outer.check()

    def wait_cancelled(self, timeout_s: float) -> bool:
        """Wait at most ``timeout_s`` for the cancellation of the making."""
        return self._outer.wait_cancelled(timeout_s)


def _is_bad_folder(check: PlanCheck) -> bool:
    return check.kind is CheckKind.FOLDER and check.state is CheckState.BAD


def _outcome(compat: CompatReport, plan: EnvironmentPlan) -> MakeOutcome:
    if compat.proven is Proven.TRUE:
        return MakeOutcome.PROVEN
    if plan.goal is PlanGoal.CPU_ONLY and compat.proof is not None and _ran_on_processor(compat.proof):
        return MakeOutcome.CPU_PROVEN
    return MakeOutcome.NOT_PROVEN


def _ran_on_processor(proof: Proof) -> bool:
    steps = [step for step in proof.steps if step.gpu_index is None and step.stage is not ProofStage.XLA]
    return proof.result is ProofResult.NO_GPU and bool(steps) and all(step.is_good for step in steps)
