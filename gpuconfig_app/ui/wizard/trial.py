"""The test run of the script that is shown; goes on while other pages are looked at, and ends with the program."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gpuconfig_app.core.bundle import ScriptBundle
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.run_result import RunKind, RunResult
from gpuconfig_app.runner.test_run import start_test_run, wait_for_end
from gpuconfig_app.runner.training import RunHandle, RunRequest, start_run
from gpuconfig_app.scriptgen.write import write_bundle
from gpuconfig_app.workbench.measured_runs import Kept, about_plan, is_as_generated, keep_measured

if TYPE_CHECKING:
    from gpuconfig_app.ui.state import AppState
    from gpuconfig_app.ui.wizard.draft import WizardDraft

TEST_RUN = "test-run"
TRAINING = "start-training"


class Trial(QObject):
    """Starts, stops and remembers a test run.

    Attributes:
        folder: Of the run's files, None before the first.
        result: How the last run ended, None before that.
        kept: Whether later plans use what it measured, None when it measured nothing for them.

    Signals:
        changed(): A run began, got its folder, was asked to stop, or ended.
    """

    changed = Signal()

    def __init__(self, state: AppState, draft: WizardDraft) -> None:
        super().__init__(draft)
        self._state = state
        self._draft = draft
        self._control = JobControl()
        self.folder: Path | None = None
        self.result: RunResult | None = None
        self.kept: Kept | None = None
        self.is_stopping = False

    @property
    def is_running(self) -> bool:
        """Whether a script runs now."""
        return self._state.background.is_busy(TEST_RUN)

    def forget(self) -> None:
        """Stop what runs and forget how the last one ended."""
        self.stop()
        if not self.is_running:
            self.folder, self.result, self.kept = None, None, None
            self.changed.emit()

    def start(self, kind: RunKind) -> None:
        """Run the script that is shown, in the chosen Python."""
        bundle, environment, plan = self._draft.bundle, self._state.environment, self._draft.plan
        if bundle is None or environment is None or plan is None or self.is_running:
            return
        self.folder, self.result, self.kept, self.is_stopping = None, None, None, False
        saved, bench = self._draft.folder if self._draft.is_saved else None, self._state.workbench
        report = self._state.report if not self._state.is_recorded else None

        def work(control: JobControl) -> tuple[RunResult, Kept | None]:
            is_unchanged = saved is None or is_as_generated(saved)
            request = RunRequest(
                bundle=saved if saved is not None else _write_aside(bundle, bench.places.cache),
                python=environment.executable,
                kind=kind,
                plan=plan,
                template_id=plan.workload.template_id,
                report=report,
                about=about_plan(plan, report) if report is not None and is_unchanged else None,
            )
            handle = start_test_run(request, bench.places, bench.clock)
            with suppress(JobCancelledError):  # stopped this early, the wait ends the script and tells how it ended
                control.report(None, Message("wizard.run-started", {"path": str(handle.folder.path)}))
            result = wait_for_end(handle, bench.places, control, report=report)
            kept = keep_measured(bench.places, result.run_id)
            if kept is None and not is_unchanged and kind is RunKind.TEST:
                kept = Kept(None, Message("workbench.measured-script-changed"))
            return result, kept

        self._control = self._state.background.run(TEST_RUN, work, self._ended, self._failed, self._take_folder)
        self.changed.emit()

    def stop(self) -> None:
        """Ask the run to end; its result comes as usual."""
        if self.is_running:
            self.is_stopping = True
            self._control.cancel()
            self.changed.emit()

    def start_training(self) -> None:
        """Start the whole training of the saved script; it outlives the window and is shown on the page Runs."""
        folder, plan, environment = self._draft.folder, self._draft.plan, self._state.environment
        if folder is None or plan is None or environment is None or not self._draft.is_saved:
            return
        report = self._state.report if not self._state.is_recorded else None
        places, clock = self._state.workbench.places, self._state.workbench.clock

        def work(_: JobControl) -> RunHandle:
            request = RunRequest(
                bundle=folder,
                python=environment.executable,
                kind=RunKind.TRAINING,
                plan=plan,
                template_id=plan.workload.template_id,
                about=about_plan(plan, report) if report is not None and is_as_generated(folder) else None,
            )
            return start_run(request, places, clock)

        self._state.background.run(
            TRAINING,
            work,
            lambda handle: self._state.navigate("runs", {"run": handle.record.id}),
            lambda error: self._state.post_error(TRAINING, error),
        )

    def _take_folder(self, _: float | None, message: Message) -> None:
        self.folder = Path(str(message.params["path"]))
        self.changed.emit()

    def _ended(self, answer: tuple[RunResult, Kept | None]) -> None:
        (self.result, self.kept), self.is_stopping = answer, False
        self.changed.emit()
        if self.kept is not None and self.kept.run is not None:
            self._draft.replan()

    def _failed(self, error: Exception) -> None:
        self.is_stopping = False
        self._state.post_error(TEST_RUN, error)
        self.changed.emit()


def _write_aside(bundle: ScriptBundle, cache: Path) -> Path:
    """Write an unsaved bundle where it can be run; each try has a folder of its own."""
    cache.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="try-", dir=cache)) / "bundle"
    write_bundle(bundle, folder)
    return folder
