"""The wizard: stepper at the top, one step at a time, back and next at the bottom. Answers live in the draft."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QFileDialog, QFrame, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.messages import Message
from gpuconfig_app.scriptgen.manifest import WizardStep
from gpuconfig_app.ui.card_words import cards_in_words
from gpuconfig_app.ui.page import Page
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import FLAT, OUTLINED, PRIMARY, Button
from gpuconfig_app.ui.widgets.choice_card import ChoiceCard
from gpuconfig_app.ui.widgets.command_line import CopyButton
from gpuconfig_app.ui.widgets.labels import ElidedLabel
from gpuconfig_app.ui.widgets.stepper import Stepper
from gpuconfig_app.ui.wizard.bundle_files import open_bundle
from gpuconfig_app.ui.wizard.conflict_card import ConflictCard
from gpuconfig_app.ui.wizard.data_step import DataStep
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.fit_note import TOO_BIG, FitNote
from gpuconfig_app.ui.wizard.form_step import FormStep
from gpuconfig_app.ui.wizard.hardware_step import HardwareStep
from gpuconfig_app.ui.wizard.plan_text import plan_text
from gpuconfig_app.ui.wizard.progress import furthest, problem_of
from gpuconfig_app.ui.wizard.review_step import ReviewStep
from gpuconfig_app.ui.wizard.script_step import ScriptStep
from gpuconfig_app.ui.wizard.step_page import StepPage
from gpuconfig_app.ui.wizard.step_stack import StepStack, order_tabs
from gpuconfig_app.ui.wizard.steps import STEPS, Step
from gpuconfig_app.ui.wizard.task_step import TaskStep

DRAFT = "wizard"


class NewScriptPage(Page):
    """From a task to a script that runs.

    Args:
        state: State of the window; it keeps the draft when the page is rebuilt.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__()
        self._state = state
        self._draft = _draft_of(state)
        self._built: dict[Step, StepPage] = {}
        self._names = self._step_names()
        self.body.addWidget(self._build_stepper())
        self._stack = StepStack()
        self.body.addWidget(self._stack, 1)
        self._build_head_buttons()
        self._footer = self._build_footer()
        self.set_footer(self._above_footer())
        self.set_footer(self._footer)
        self._connect()
        self._show_step(self._draft.step)

    @property
    def step_page(self) -> StepPage:
        """The step that is shown."""
        return self._built[self._draft.step]

    def _build_head_buttons(self) -> None:
        self._open = Button(self.tr("Open a saved bundle…"), OUTLINED, "folder-open", on_click=self._ask_for_bundle)
        self._open.setObjectName("open_bundle")
        self._copy = CopyButton("", self.tr("Copy plan"), OUTLINED, scale="normal")
        self._copy.setObjectName("copy_plan")
        self._copy.setToolTip(self.tr("Copy every choice with its reason as text"))
        self._save = Button(self.tr("Save bundle…"), OUTLINED, "save", on_click=self._save_bundle)
        self._save.setObjectName("save_bundle")
        for button in (self._open, self._copy, self._save):
            self.buttons.addWidget(button)

    def _connect(self) -> None:
        draft = self._draft
        draft.step_changed.connect(self._show_step)
        for signal in (draft.changed, draft.plan_changed, draft.dataset_changed, draft.bundle_changed):
            signal.connect(self._refresh)
        keys = {"Alt+Left": self._back, "Alt+Right": self._next, "Ctrl+Return": self._next, "Ctrl+Enter": self._next}
        for keys_of, button in keys.items():
            shortcut = QShortcut(QKeySequence(keys_of), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(button.click)

    def _step_names(self) -> tuple[str, ...]:
        return (
            self.tr("Task"),
            self.tr("Data"),
            self.tr("Model"),
            self.tr("Hardware"),
            self.tr("Training"),
            self.tr("Review"),
            self.tr("Script"),
        )

    def _build_stepper(self) -> Stepper:
        self._stepper = Stepper(self._names)
        self._stepper.setObjectName("stepper")
        self._stepper.chosen.connect(lambda number: self._draft.go_to(STEPS[number]))
        return self._stepper

    def _above_footer(self) -> QWidget:
        """The conflict stands where it is seen however far the step is scrolled."""
        self._conflict = ConflictCard(self._state, self._draft)
        place = QWidget()
        inside = QVBoxLayout(place)
        inside.setContentsMargins(24, 0, 24, 0)
        inside.addWidget(self._conflict)
        inside.addSpacing(12)
        self._conflict.shown.connect(place.setVisible)
        place.hide()
        return place

    def _build_footer(self) -> QFrame:
        footer = QFrame()
        footer.setProperty("role", "footer")
        footer.setFixedHeight(current_theme().size("height.wizard_footer"))
        line = QHBoxLayout(footer)
        line.setContentsMargins(24, 0, 24, 0)
        line.setSpacing(8)
        self._again = Button(self.tr("Start over"), FLAT, on_click=self._start_over)
        self._again.setObjectName("start_over")
        self._problem = ElidedLabel("", "small", "muted", mode=Qt.TextElideMode.ElideRight)
        self._problem.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._back = Button(self.tr("Back"), OUTLINED, "arrow-left", on_click=lambda: self._move(-1))
        self._back.setObjectName("back")
        self._next = Button("", PRIMARY, "arrow-right", icon_after=True, on_click=self._go_on)
        self._next.setObjectName("next")
        line.addWidget(self._again)
        line.addWidget(self._problem, 1)
        self._fit = FitNote(self._state, self._draft)
        line.addWidget(self._fit)
        line.addWidget(self._back)
        line.addWidget(self._next)
        self._back.setToolTip(self.tr("Alt+Left; no answer is lost"))
        return footer

    def _make_step(self, step: Step) -> StepPage:
        state, draft = self._state, self._draft
        makers: dict[Step, Callable[[], StepPage]] = {
            Step.TASK: lambda: TaskStep(state, draft),
            Step.DATA: lambda: DataStep(state, draft),
            Step.MODEL: lambda: FormStep(state, draft, WizardStep.MODEL, self.tr("Model"), 430),
            Step.HARDWARE: lambda: HardwareStep(state, draft),
            Step.TRAINING: lambda: FormStep(state, draft, WizardStep.TRAINING, self.tr("Training"), 460),
            Step.REVIEW: lambda: ReviewStep(state, draft),
            Step.SCRIPT: lambda: ScriptStep(state, draft),
        }
        return makers[step]()

    def _show_step(self, step: Step) -> None:
        former = self._stack.current
        if isinstance(former, StepPage):
            former.on_leave()
        if step not in self._built:
            self._built[step] = self._make_step(step)
        self._take_focus_from(former)
        self._stack.show_step(self._built[step])
        self._refresh()
        if self._page_area is not None:
            self._page_area.verticalScrollBar().setValue(0)
        self._built[step].on_enter()

    def _take_focus_from(self, former: QWidget | None) -> None:
        """Keep the keyboard on the page when the control that had it is hidden with its step."""
        focused = QApplication.focusWidget()
        if former is not None and focused is not None and former.isAncestorOf(focused):
            self._stepper.setFocus(Qt.FocusReason.OtherFocusReason)

    def _refresh(self) -> None:
        step = self._draft.step
        number = STEPS.index(step)
        self._stepper.show_step(number, max(furthest(self._draft), number))
        self.set_title(self.tr("New training script"), self._subtitle_of(step))
        problem = problem_of(self._draft, step)
        is_said = problem is not None and problem.id == TOO_BIG  # the badge beside says it
        self._problem.setText("" if is_said else self._state.text(problem))
        self._back.setEnabled(number > 0)
        self._open.setVisible(step is Step.TASK)
        self._save.setVisible(step is Step.SCRIPT)
        self._save.setEnabled(self._draft.bundle is not None)
        self._copy.setVisible(step is Step.REVIEW and self._draft.plan is not None)
        if self._draft.plan is not None:
            self._copy.set_copied_text(plan_text(self._draft.plan, self._state))
        self._conflict.refresh()
        self._fit.refresh(self._built.get(step))
        can_go_on = problem is None
        if step is Step.SCRIPT:
            self._next.setText(self.tr("Start training"))
            self._next.set_icon_name("play")
            can_go_on = self._can_train()
            if not can_go_on:
                self._problem.setText(self._why_no_training())
        else:
            self._next.setText(self.tr("Next: {step}").format(step=self._names[number + 1]))
            self._next.set_icon_name("arrow-right")
        if not can_go_on and self._next.hasFocus() and not self._fit.take_focus():
            self._stepper.setFocus(Qt.FocusReason.OtherFocusReason)
        self._next.setEnabled(can_go_on)
        self._next.setToolTip(self._state.text(problem))

    def _subtitle_of(self, step: Step) -> str:
        template, dataset = self._draft.template, self._draft.dataset
        if template is None or step is Step.TASK:
            return self.tr("What should the model learn? Nothing is written before the last step.")
        parts = [self._state.text(template.name)]
        if dataset is not None:
            parts.append(Path(dataset.path).name or dataset.path)
        plan = self._draft.plan
        if plan is not None and plan.devices and self._state.report is not None:
            chosen = {device.index for device in plan.devices}
            parts.append(cards_in_words(tuple(gpu for gpu in self._state.report.gpus if gpu.index in chosen)))
        return " · ".join(part for part in parts if part)

    def _can_train(self) -> bool:
        environment = self._state.environment
        has_tensorflow = environment is not None and environment.tensorflow_version is not None
        return self._draft.is_saved and has_tensorflow and not self._state.is_recorded

    def _why_no_training(self) -> str:
        if self._state.is_recorded:
            return self.tr("Made for a recorded machine")
        if self._draft.folder is None:
            return self.tr("Save the bundle first")
        if not self._draft.is_saved:
            return self.tr("Save the changes first")
        return self._state.text(Message("wizard.no-tensorflow"))

    def _move(self, by: int) -> None:
        place = STEPS.index(self._draft.step) + by
        if 0 <= place < len(STEPS):
            self._draft.go_to(STEPS[place])

    def _go_on(self) -> None:
        page = self.step_page
        if isinstance(page, ScriptStep):
            self._draft.trial.start_training()
        else:
            self._move(1)

    def _save_bundle(self) -> None:
        page = self.step_page
        if isinstance(page, ScriptStep):
            page.save()

    def _ask_for_bundle(self) -> None:
        start = self._state.settings.last_bundle_folder or str(Path.home())
        folder = QFileDialog.getExistingDirectory(self, self.tr("Open a saved bundle"), start)
        if folder:
            open_bundle(self._state, self._draft, Path(folder))

    def _start_over(self) -> None:
        self._draft.start_over()

    @override
    def focusNextPrevChild(self, next: bool) -> bool:  # Qt's own name
        """Go through the controls as they are laid out, whenever they were made."""
        order_tabs(self._stepper, self._stack, self._conflict, self._footer)
        return super().focusNextPrevChild(next)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter on a card chooses it and goes on; in a field it only ends the input."""
        focused = QApplication.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, ChoiceCard):
            if not focused.isChecked():
                focused.click()
            if self._next.isEnabled():
                self._go_on()
            return
        super().keyPressEvent(event)

    @override
    def on_enter(self, arguments: Mapping[str, object]) -> None:
        bundle = arguments.get("bundle")
        if isinstance(bundle, str):
            open_bundle(self._state, self._draft, Path(bundle))
        self.step_page.on_enter()
        self._refresh()

    @override
    def on_leave(self) -> None:
        self.step_page.on_leave()


def _draft_of(state: AppState) -> WizardDraft:
    draft = state.drafts.get(DRAFT)
    if not isinstance(draft, WizardDraft):
        draft = WizardDraft(state)
        state.drafts[DRAFT] = draft
    return draft
