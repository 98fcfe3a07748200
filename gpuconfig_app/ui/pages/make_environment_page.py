"""Make a working environment: the plan with every command, the making, and the proof that it works."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from gpuconfig_app.core.environment_made import MakeOutcome
from gpuconfig_app.ui.environment_making import making_of
from gpuconfig_app.ui.pages.make_environment.failure_step import FailureStep
from gpuconfig_app.ui.pages.make_environment.footer import Footer
from gpuconfig_app.ui.pages.make_environment.make_step import MakeStep
from gpuconfig_app.ui.pages.make_environment.plan_desk import DESK, desk_of
from gpuconfig_app.ui.pages.make_environment.plan_form import PYTHON, RELEASE
from gpuconfig_app.ui.pages.make_environment.plan_step import PlanStep
from gpuconfig_app.ui.pages.make_environment.plan_words import shell_of, why_not
from gpuconfig_app.ui.pages.make_environment.proof_step import ProofStep
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.sub_page import SubPage
from gpuconfig_app.ui.widgets.command_line import CopyButton
from gpuconfig_app.ui.widgets.stepper import Stepper
from gpuconfig_app.ui.wizard.step_stack import StepStack, order_tabs
from gpuconfig_app.workbench.make_environment import plan_script


class Stage(IntEnum):
    """Where the page stands; a failure is shown at the second step."""

    PLAN = 0
    MAKE = 1
    PROOF = 2
    FAILED = 3


class MakeEnvironmentPage(SubPage):
    """The page; ``release`` and ``python`` among the arguments of ``navigate`` are answers given beforehand.

    Args:
        state: State of the window; answers, plan and making live there.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__(state, DESK)
        self._state = state
        self._desk, self._making = desk_of(state), making_of(state)
        self._stage: Stage | None = None
        self.set_title(self.tr("Make a working environment"))
        self._stepper = Stepper((self.tr("Plan"), self.tr("Make"), self.tr("Proof")))
        self._stepper.setObjectName("stepper")
        self._stepper.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it shows where the work is; nothing leads back and forth
        self._stack = StepStack()
        self._plan = PlanStep(state, self._desk, self._stack)
        self._make = MakeStep(state, self._making, self._stack)
        self._proof = ProofStep(state, self._making, self._stack)
        self._failure = FailureStep(state, self._making, self._stack)
        self._steps: dict[Stage, QWidget] = {
            Stage.PLAN: self._plan,
            Stage.MAKE: self._make,
            Stage.PROOF: self._proof,
            Stage.FAILED: self._failure,
        }
        for step in self._steps.values():
            step.hide()
        self._footer = Footer()
        self._copy = CopyButton("", self.tr("Copy as script"), scale="normal")
        self._copy.setObjectName("copy_run_script")
        self.buttons.addWidget(self._copy)
        self.body.addWidget(self._stepper)
        self.body.addWidget(self._stack, 1)
        self.set_footer(self._footer)
        self._connect()
        self._refresh()

    @property
    def stage(self) -> Stage:
        """What is shown: a recorded machine only has a plan."""
        if self._state.is_recorded:
            return Stage.PLAN
        if self._making.is_running:
            return Stage.MAKE
        made = self._making.made
        if made is None:
            return Stage.PLAN
        return Stage.FAILED if made.outcome is MakeOutcome.FAILED else Stage.PROOF

    def _connect(self) -> None:
        state, footer = self._state, self._footer
        self._desk.changed.connect(self._refresh_when_seen)
        self._making.changed.connect(self._refresh_when_seen)
        for signal in (state.busy_changed, state.compat_changed, state.machine_changed, state.report_changed):
            signal.connect(self._refresh_when_seen)
        footer.left.connect(self.go_back)
        footer.make_asked.connect(self._start)
        footer.end_asked.connect(self._making.cancel)
        footer.removal_asked.connect(self._making.remove)
        footer.log_asked.connect(self._open_log)
        footer.script_asked.connect(self._write_script)
        footer.plan_asked.connect(self._back_to_plan)
        footer.asked.connect(self._refresh)
        footer.copy_script.pressed.connect(self._take_script)
        self._copy.pressed.connect(self._take_run_script)

    def _refresh_when_seen(self, *_: object) -> None:
        if self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        stage = self.stage
        if stage is not self._stage:
            self._show_stage(stage)
        step = self._steps[stage]
        if isinstance(step, PlanStep | MakeStep | ProofStep | FailureStep):
            step.refresh()
        self._show_footer(stage)

    def _show_stage(self, stage: Stage) -> None:
        former, self._stage = self._stage, stage
        focused = QApplication.focusWidget()
        if former is not None and focused is not None and self.isAncestorOf(focused):
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # the control that had it goes away with its step
        shown = Stage.MAKE if stage is Stage.FAILED else stage
        self._stepper.show_step(int(shown), int(shown))
        self._stack.show_step(self._steps[stage])
        if self._page_area is not None:
            self._page_area.verticalScrollBar().setValue(0)
        if stage is Stage.PLAN and former is Stage.MAKE:
            self._desk.plan_again()  # ended, or refused because the folder is not empty any more

    def _show_footer(self, stage: Stage) -> None:
        desk, making, footer = self._desk, self._making, self._footer
        made = making.made
        self._copy.setVisible(stage is Stage.PROOF)
        has_log = made is not None and made.log is not None
        if stage is Stage.PLAN:
            why = why_not(desk, self._state.text, is_recorded=self._state.is_recorded)
            has_plan = desk.plan is not None and bool(desk.plan.steps)
            footer.show_plan(can_make=desk.can_make and not why, why=why, has_plan=has_plan)
        elif stage is Stage.MAKE:
            footer.show_making(is_ending=making.is_ending)
        elif stage is Stage.FAILED:
            footer.show_failed(has_log=has_log, is_primary=not self._failure.holds_primary)
        else:
            folder = made.folder if made is not None else ""
            is_primary = not self._proof.holds_primary
            footer.show_made(folder, has_log=has_log, is_primary=is_primary, is_removing=making.is_removing)

    def _start(self) -> None:
        if self._desk.plan is not None and self._desk.can_make:
            self._making.start(self._desk.plan, may_wake=self._desk.may_wake)

    def _back_to_plan(self) -> None:
        made = self._making.made
        self._making.forget()
        if made is not None and made.outcome is not MakeOutcome.FAILED:
            self._desk.start_over()
        else:
            self._desk.plan_again()

    def _take_script(self) -> None:
        plan = self._desk.plan
        if plan is not None:
            self._footer.copy_script.set_copied_text(plan_script(plan, shell_of(self._desk, plan)))

    def _take_run_script(self) -> None:
        made = self._making.made
        if made is not None:
            self._copy.set_copied_text(plan_script(made.plan, shell_of(self._desk, made.plan)))

    def _open_log(self) -> None:
        made = self._making.made
        if made is not None and made.log is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(made.log))

    def _write_script(self) -> None:
        if not self._proof.is_used:
            self._making.use()
        self._state.navigate("new_script")

    @override
    def on_enter(self, arguments: Mapping[str, object]) -> None:
        self._making.set_watched(is_watched=True)
        self._desk.set_watched(is_watched=True)
        for field in (RELEASE, PYTHON):  # asked for by the page that leads here
            if isinstance(value := arguments.get(field), str):
                self._desk.answer(field, value)
        if not self._state.is_recorded:
            self._desk.look_for_leftovers()
        self._refresh()

    @override
    def on_leave(self) -> None:
        self._making.set_watched(is_watched=False)
        self._desk.set_watched(is_watched=False)

    @override
    def on_width_changed(self) -> None:
        for step in (self._plan, self._proof, self._failure):
            step.set_narrow(is_narrow=self.is_narrow)

    @override
    def focusNextPrevChild(self, next: bool) -> bool:  # Qt's own name
        """Go through the controls as they are laid out, whenever they were made."""
        order_tabs(self._stack, self._footer)
        return super().focusNextPrevChild(next)
