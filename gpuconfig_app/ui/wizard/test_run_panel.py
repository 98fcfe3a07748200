"""The test run inside the wizard: start, live log, stop, and measured beside predicted."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.bundle import ScriptBundle
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.run_result import RunKind, RunResult, RunState
from gpuconfig_app.core.units import format_duration
from gpuconfig_app.runner.test_run import start_test_run, wait_for_end
from gpuconfig_app.runner.training import RunRequest, start_run
from gpuconfig_app.scriptgen.write import write_bundle
from gpuconfig_app.ui.models.run_list_model import SEVERITIES
from gpuconfig_app.ui.run_follower import RunFollower, RunNews
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard, Line
from gpuconfig_app.ui.widgets.code_view import LogView
from gpuconfig_app.ui.widgets.compared_grid import ComparedGrid
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.draft import WizardDraft

TEST_RUN = "test-run"
_LOG_HEIGHT = 190
_SIDE = 420


class TestRunPanel(QFrame):
    """Try the script before it is trusted."""

    __test__ = False  # not a test class, whatever pytest thinks of its name

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._draft = draft
        self._folder: Path | None = None
        self._control = JobControl()
        self._follower = RunFollower(self)
        self._follower.news.connect(self._show_news)
        self._card = HeadedCard(self.tr("Test run"))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._card)
        self._badge = SeverityBadge()
        self._card.head.insertWidget(1, self._badge)
        self._smoke = Button(self.tr("Try on made-up data"), OUTLINED, "play", scale="small")
        self._smoke.setObjectName("run_smoke")
        self._smoke.clicked.connect(partial(self._start, RunKind.SMOKE))
        self._test = Button(self.tr("Try on my data"), OUTLINED, "database", scale="small")
        self._test.setObjectName("run_test")
        self._test.clicked.connect(partial(self._start, RunKind.TEST))
        self._stop = Button(self.tr("Stop"), OUTLINED, "circle-stop", scale="small", on_click=self._cancel)
        self._stop.setObjectName("run_stop")
        for button in (self._smoke, self._test, self._stop):
            self._card.head.addWidget(button)
        self._card.body.addWidget(Line())
        row = QHBoxLayout()
        row.setSpacing(0)
        left = QVBoxLayout()
        self._hint = TextLabel("", "small", "secondary", wraps=True)
        self._hint.setContentsMargins(16, 10, 16, 10)
        self._log = LogView()
        self._log.setFixedHeight(_LOG_HEIGHT)
        left.addWidget(self._hint)
        left.addWidget(self._log)
        row.addLayout(left, 1)
        row.addWidget(Line(is_vertical=True))
        self._compared = ComparedGrid(state.text)
        self._compared.setFixedWidth(_SIDE)
        row.addWidget(self._compared)
        self._card.body.addLayout(row)
        draft.bundle_changed.connect(self._refresh)
        state.background.busy_changed.connect(self._busy)
        state.compat_changed.connect(self._refresh)
        self._result: RunResult | None = None
        self._refresh()

    def on_enter(self) -> None:
        """Follow a run that goes on."""
        if self._folder is not None and self._state.background.is_busy(TEST_RUN):
            self._follower.follow(self._folder)

    def on_leave(self) -> None:
        """Follow no more."""
        self._follower.stop()

    def start_training(self) -> None:
        """Start the whole training; it outlives the window and is shown on the page Runs."""
        folder, plan, environment = self._draft.folder, self._draft.plan, self._state.environment
        if folder is None or plan is None or environment is None:
            return
        request = RunRequest(
            bundle=folder,
            python=environment.executable,
            kind=RunKind.TRAINING,
            plan=plan,
            template_id=plan.workload.template_id,
        )
        places, clock = self._state.workbench.places, self._state.workbench.clock
        self._state.background.run(
            "start-training",
            lambda _: start_run(request, places, clock),
            lambda handle: self._state.navigate("runs", {"run": handle.record.id}),
        )

    def _start(self, kind: RunKind, *_: object) -> None:
        bundle, environment, plan = self._draft.bundle, self._state.environment, self._draft.plan
        if bundle is None or environment is None or plan is None:
            return
        self._log.clear_log()
        self._result = None
        saved, bench = self._draft.folder, self._state.workbench
        report = self._state.report if not self._state.is_recorded else None

        def work(control: JobControl) -> RunResult:
            folder = saved if saved is not None else _write_aside(bundle, bench.places.cache)
            request = RunRequest(
                bundle=folder,
                python=environment.executable,
                kind=kind,
                plan=plan,
                template_id=plan.workload.template_id,
                report=report,
            )
            handle = start_test_run(request, bench.places, bench.clock)
            control.report(None, Message("wizard.run-started", {"path": str(handle.folder.path)}))
            return wait_for_end(handle, bench.places, control, report=report)

        self._control = self._state.background.run(
            TEST_RUN, work, self._ended, self._failed, lambda _, message: self._begin_to_follow(message)
        )
        self._refresh()

    def _begin_to_follow(self, message: Message) -> None:
        self._folder = Path(str(message.params["path"]))
        self._follower.follow(self._folder)

    def _cancel(self) -> None:
        self._control.cancel()
        self._stop.setEnabled(False)

    def _ended(self, result: RunResult) -> None:
        self._result = result
        self._refresh()

    def _failed(self, error: Exception) -> None:
        self._state.post_error(TEST_RUN, error)
        self._refresh()

    def _busy(self, topic: str, _: bool) -> None:  # Qt's signal
        if topic == TEST_RUN:
            self._refresh()

    def _show_news(self, news: RunNews) -> None:
        if news.log.is_new_file:
            self._log.clear_log()
        self._log.add_lines(news.log.lines, news.log.unfinished)

    def _refresh(self) -> None:
        is_busy = self._state.background.is_busy(TEST_RUN)
        environment = self._state.environment
        has_tensorflow = environment is not None and environment.tensorflow_version is not None
        is_ready = self._draft.bundle is not None and has_tensorflow and not is_busy and not self._state.is_recorded
        self._smoke.setEnabled(is_ready)
        self._test.setEnabled(is_ready and self._draft.dataset is not None)
        self._stop.setVisible(is_busy)
        if not is_busy:
            self._stop.setEnabled(True)
        self._hint.setText(self._hint_text(is_busy=is_busy, has_tensorflow=has_tensorflow))
        self._log.setVisible(is_busy or self._result is not None)
        self._show_result(is_busy=is_busy)

    def _hint_text(self, *, is_busy: bool, has_tensorflow: bool) -> str:
        if is_busy:
            return self.tr("Runs in {python}").format(python=self._python())
        if self._state.is_recorded:
            return self.tr("This script is for a recorded machine; run it there. Choose this machine to try it here.")
        if not has_tensorflow:
            return self.tr("The chosen Python has no TensorFlow. Choose another one on the page Overview.")
        if self._result is not None and self._result.meaning is not None:
            return self._state.text(self._result.meaning)
        return self.tr(
            "A test run proves that the script starts, trains, saves and reads back, and measures memory "
            "and time. It runs in {python}."
        ).format(python=self._python())

    def _python(self) -> str:
        return self._state.environment.executable if self._state.environment is not None else "–"

    def _show_result(self, *, is_busy: bool) -> None:
        state = RunState.RUNNING if is_busy else self._result.state if self._result is not None else None
        self._badge.setVisible(state is not None)
        if state is not None:
            word = self._state.text(Message(f"wizard.run-{state.value.replace('_', '-')}"))
            took = self._result.duration_s if self._result is not None and not is_busy else None
            text = f"{word} · {format_duration(took)}" if took is not None else word
            self._badge.show_state(SEVERITIES[state], text)
        rows = self._result.compared if self._result is not None else ()
        self._compared.show_rows(rows, self.tr("Measured values stand here after a test run on your data."))


def _write_aside(bundle: ScriptBundle, cache: Path) -> Path:
    """Write an unsaved bundle where it can be run; each try has a folder of its own."""
    cache.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="try-", dir=cache)) / "bundle"
    write_bundle(bundle, folder)
    return folder
