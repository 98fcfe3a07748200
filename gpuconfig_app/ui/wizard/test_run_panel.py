"""The test run inside the wizard: start, live log, stop, measured beside predicted. The run itself is a ``Trial``."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.run_result import RunKind, RunState
from gpuconfig_app.core.units import format_duration
from gpuconfig_app.ui.models.run_list_model import SEVERITIES
from gpuconfig_app.ui.run_follower import RunFollower, RunNews
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import ANY_SIZE
from gpuconfig_app.ui.widgets.buttons import LINK, OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard, Line
from gpuconfig_app.ui.widgets.code_view import LogView
from gpuconfig_app.ui.widgets.compared_table import ComparedTable
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.trial import TEST_RUN

_LOG_HEIGHT = 190
_SIDE = 440
_SIDE_BY_SIDE_FROM = 900


class TestRunPanel(QFrame):
    """Try the script before it is trusted."""

    __test__ = False  # not a test class, whatever pytest thinks of its name

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state, self._draft, self._trial = state, draft, draft.trial
        self._follower = RunFollower(self)
        self._follower.news.connect(self._show_news)
        self._follower.failed.connect(partial(state.post_error, TEST_RUN))
        self._followed: object = None
        self._card = HeadedCard(self.tr("Test run"))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._card)
        self._build_head()
        self._card.body.addWidget(Line())
        self._card.body.addLayout(self._build_row())
        draft.bundle_changed.connect(self._refresh)
        draft.plan_changed.connect(self._refresh)
        state.compat_changed.connect(self._refresh)
        self._trial.changed.connect(self._trial_changed)
        self._refresh()

    def on_enter(self) -> None:
        """Show the log of the run that goes on or went last."""
        self._follow()

    def on_leave(self) -> None:
        """Follow no more; the run goes on."""
        self._follower.stop()
        self._followed = None

    def _build_head(self) -> None:
        self._badge = SeverityBadge()
        self._card.head.insertWidget(1, self._badge)
        self._full = Button(self.tr("Show in Runs"), LINK, scale="small", on_click=self._show_in_runs)
        self._full.setObjectName("show_in_runs")
        self._smoke = Button(self.tr("Try on made-up data"), OUTLINED, "play", scale="small")
        self._smoke.setObjectName("run_smoke")
        self._smoke.clicked.connect(partial(self._start, RunKind.SMOKE))
        self._test = Button(self.tr("Try on my data"), OUTLINED, "database", scale="small")
        self._test.setObjectName("run_test")
        self._test.clicked.connect(partial(self._start, RunKind.TEST))
        self._stop = Button(self.tr("Stop"), OUTLINED, "circle-stop", scale="small", on_click=self._trial.stop)
        self._stop.setObjectName("run_stop")
        for button in (self._full, self._smoke, self._test, self._stop):
            self._card.head.addWidget(button)

    def _build_row(self) -> QBoxLayout:
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(0)
        left = QVBoxLayout()
        self._hint = TextLabel("", "small", "secondary", wraps=True)
        self._hint.setContentsMargins(16, 10, 16, 10)
        self._log = LogView()
        self._log.setFixedHeight(_LOG_HEIGHT)
        left.addWidget(self._hint)
        left.addWidget(self._log)
        left.addStretch(1)
        self._row.addLayout(left, 1)
        nothing = self.tr("Measured values stand here after a test run on your data.")
        self._compared = ComparedTable(self._state.text, nothing)
        self._compared.setMinimumWidth(_SIDE)
        self._line = Line(is_vertical=True)
        self._row.addWidget(self._line)
        self._row.addWidget(self._compared)
        return self._row

    def _start(self, kind: RunKind, *_: object) -> None:
        self._log.clear_log()
        self._trial.start(kind)

    def _trial_changed(self) -> None:
        if self.isVisible():
            self._follow()
        self._refresh()

    def _follow(self) -> None:
        """Read the log of the trial's run from its beginning, once."""
        folder = self._trial.folder
        if folder is None or folder == self._followed:
            return
        self._followed = folder
        self._log.clear_log()
        self._follower.follow(folder)

    def _show_news(self, news: RunNews) -> None:
        if news.log.is_new_file:
            self._log.clear_log()
        self._log.add_lines(news.log.lines, news.log.unfinished)

    def _show_in_runs(self) -> None:
        if self._trial.folder is not None:
            self._state.navigate("runs", {"run": self._trial.folder.name})

    def _refresh(self) -> None:
        had_focus = any(button.hasFocus() for button in (self._smoke, self._test, self._stop))
        is_busy = self._trial.is_running
        environment = self._state.environment
        has_tensorflow = environment is not None and environment.tensorflow_version is not None
        is_ready = self._draft.bundle is not None and has_tensorflow and not is_busy and not self._state.is_recorded
        self._smoke.setEnabled(is_ready)
        self._test.setEnabled(is_ready and self._draft.dataset is not None)
        no_data = self.tr("Choose your data in step 2 first") if self._draft.dataset is None else ""
        self._test.setToolTip(no_data)
        self._stop.setVisible(is_busy)
        self._stop.setEnabled(not self._trial.is_stopping)
        self._full.setVisible(self._trial.folder is not None)
        if had_focus:
            self._keep_focus()
        self._hint.setText(self._hint_text(is_busy=is_busy, has_tensorflow=has_tensorflow))
        self._log.setVisible(self._trial.folder is not None)
        self._show_result(is_busy=is_busy)

    def _keep_focus(self) -> None:
        """Leave the keyboard in the panel when its button can't be pressed any more: never on Start over."""
        buttons = (self._stop, self._test, self._smoke, self._full)
        if not any(button.hasFocus() for button in buttons):
            wanted = (button for button in buttons if button.isVisible() and button.isEnabled())
            (next(wanted, None) or self._log).setFocus(Qt.FocusReason.OtherFocusReason)

    def _hint_text(self, *, is_busy: bool, has_tensorflow: bool) -> str:
        if is_busy and self._trial.is_stopping:
            return self.tr("Stopping…")
        if is_busy:
            text = self.tr("Runs in {python}. It goes on when you look at another page.")
            return text.format(python=self._python())
        if self._state.is_recorded:
            return self.tr("This script is for a recorded machine; run it there. Choose this machine to try it here.")
        if not has_tensorflow:
            return self.tr("The chosen Python has no TensorFlow. Choose another one on the page Overview.")
        if self._trial.result is not None and self._trial.result.meaning is not None:
            kept = self._trial.kept
            found = self._state.text(kept.message) if kept is not None else ""
            return f"{self._state.text(self._trial.result.meaning)} {found}".strip()
        return self.tr(
            "A test run proves that the script starts, trains, saves and reads back, and measures memory "
            "and time. It runs in {python}."
        ).format(python=self._python())

    def _python(self) -> str:
        return self._state.environment.executable if self._state.environment is not None else "–"

    def _show_result(self, *, is_busy: bool) -> None:
        result = self._trial.result
        state = RunState.RUNNING if is_busy else result.state if result is not None else None
        self._badge.setVisible(state is not None)
        if state is not None:
            word = self._state.text(Message(f"wizard.run-{state.value.replace('_', '-')}"))
            took = result.duration_s if result is not None and not is_busy else None
            self._badge.show_state(SEVERITIES[state], f"{word} · {format_duration(took)}" if took is not None else word)
        self._compared.show_compared(result.compared if result is not None else ())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = event.size().width() >= _SIDE_BY_SIDE_FROM
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom)
        self._line.setVisible(is_wide)
        self._compared.setMaximumWidth(_SIDE if is_wide else ANY_SIZE)
