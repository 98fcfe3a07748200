"""Fourth step: on which cards it runs. The planner's choice is marked; cards that can't train say why."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.units import format_duration, join_range
from gpuconfig_app.core.workload import StrategyKind
from gpuconfig_app.scriptgen.manifest import WizardStep
from gpuconfig_app.ui.card_words import cards_in_words
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.cards import Card, HeadedCard, IconLabel, Line
from gpuconfig_app.ui.widgets.choice_card import CardContent, ChoiceCard
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.fix_first_card import FixFirstCard
from gpuconfig_app.ui.wizard.gpu_row import GpuRow, left_out
from gpuconfig_app.ui.wizard.layouts import clear_layout
from gpuconfig_app.ui.wizard.question_form import QuestionForm
from gpuconfig_app.ui.wizard.step_page import FIT_SEVERITY, StepPage, fit_of, fit_word

_CARD_HEIGHT = 144
_WAYS = "wizard-ways"
_AUTOMATIC, _ONE, _ALL = "automatic", "one", "all"
_ABOUT_CARDS = (
    "planner.warning-asleep", "planner.warning-mixed", "planner.warning-one-slice",
    "planner.warning-mig-hides-cards", "planner.warning-requested-unusable",
)  # fmt: skip


class HardwareStep(StepPage):
    """Choose the cards."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(state, draft, parent)
        self._rows: dict[int, GpuRow] = {}
        self._report: object = None
        self._plans: dict[str, TrainingPlan] = {}
        self._machine = Card()
        line = QHBoxLayout()
        line.setSpacing(12)
        self._machine_icon = IconLabel("pc-case", 20)
        line.addWidget(self._machine_icon)
        self._machine_name = TextLabel("", "body_strong")
        self._machine_note = TextLabel("", "small", "muted", wraps=True)
        line.addWidget(self._machine_name)
        line.addWidget(self._machine_note, 1)
        self._machine.body.addLayout(line)
        self.column.addWidget(self._machine)
        self._unusable = FixFirstCard(state)
        self.column.addWidget(self._unusable)
        self._cards = HeadedCard(self.tr("GPUs"))
        self.column.addWidget(self._cards)
        self.column.addLayout(self._build_ways())
        self._form_card = Card()
        self._form = QuestionForm(state, draft, WizardStep.HARDWARE)
        self._form_card.body.addWidget(self._form)
        self.column.addWidget(self._form_card)
        self.column.addLayout(self._build_reason())
        self.column.addStretch(1)
        draft.plan_changed.connect(self._take_news)
        draft.plan_changed.connect(self._compare_ways)
        draft.changed.connect(self._take_news)
        state.report_changed.connect(self._take_news)
        self._refresh()

    def on_enter(self) -> None:
        """Show the newest plan and see what each way would take."""
        self._refresh()
        self._compare_ways()

    def _build_ways(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        self._ways: dict[str, ChoiceCard] = {}
        self._group = QButtonGroup(self)
        for name in (_AUTOMATIC, _ONE, _ALL):
            card = ChoiceCard(CardContent("gpu", ""), _CARD_HEIGHT)
            card.setObjectName(f"way_{name}")
            card.clicked.connect(partial(self._choose_way, name))
            self._group.addButton(card)
            self._ways[name] = card
            row.addWidget(card, 1)
        return row

    def _build_reason(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(10)
        line.setContentsMargins(4, 0, 0, 0)
        self._why_icon = IconLabel("info", 16, "text_muted")
        line.addWidget(self._why_icon, 0, Qt.AlignmentFlag.AlignTop)
        self._why = TextLabel("", "small", "secondary", wraps=True)
        line.addWidget(self._why, 1)
        return line

    def _usable(self) -> list[Gpu]:
        report = self.state.report
        return [gpu for gpu in report.gpus if self._rows[gpu.index].is_usable] if report is not None else []

    def _devices_of(self, name: str) -> tuple[int, ...] | None:
        usable = [gpu.index for gpu in self._usable()]
        planned = [device.index for device in self.draft.plan.devices] if self.draft.plan is not None else []
        if name == _AUTOMATIC or not usable:
            return None
        return tuple(usable) if name == _ALL else ((planned or usable)[0],)

    def _choose_way(self, name: str, *_: object) -> None:
        self.draft.choose_devices(self._devices_of(name))

    def _toggle(self, index: int, *_: object) -> None:
        chosen = [number for number, row in self._rows.items() if row.box.isChecked()]
        if not chosen:
            self._rows[index].box.setChecked(True)
            return
        self.draft.choose_devices(tuple(chosen))

    def _compare_ways(self) -> None:
        """Plan every way in the background, to show whether it fits and how long it takes."""
        template, machine = self.draft.template, self.state.machine
        if not self.isVisible() or template is None or machine is None or self.draft.checked.problems:
            return
        bench, environment, compat = self.state.workbench, self.state.environment, self.state.compat
        answers, dataset = dict(self.draft.answers), self.draft.dataset
        ways = {name: self._devices_of(name) for name in self._ways if name == _AUTOMATIC or self._usable()}

        def work(control: JobControl) -> dict[str, TrainingPlan]:
            plans = {}
            for name, devices in ways.items():
                control.check()
                plans[name] = bench.plan(template, answers, machine, environment, dataset, compat, devices)
            return plans

        self.state.background.run(_WAYS, work, self._take_ways)

    def _take_ways(self, plans: dict[str, TrainingPlan]) -> None:
        self._plans = plans
        self._show_ways()

    def _take_news(self, *_: object) -> None:
        if self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        report, plan = self.state.report, self.draft.plan
        if report is None:
            return
        if report is not self._report:
            self._report, self._plans = report, {}
            self._build_rows()
        self._show_machine()
        planned = [device.index for device in plan.devices] if plan is not None else []
        chosen = list(self.draft.devices) if self.draft.devices is not None else planned
        fit, reasons = fit_of(plan), left_out(plan)
        for index, row in self._rows.items():
            row.show_plan(reasons.get(index), fit, is_chosen=index in chosen, is_recorded=self.state.is_recorded)
        self._unusable.show_plan(plan)
        self._show_ways()
        self._form_card.setVisible(not self._form.is_empty)
        self._show_reason(plan)

    def _show_machine(self) -> None:
        machine = self.state.machine
        is_recorded = machine is not None and machine.is_recorded
        name = self.tr("This machine")
        note = self.tr("To plan for another machine, choose it at the top of the left bar; every answer stays.")
        if machine is not None and is_recorded:
            name = self.state.text(machine.title)
            note = self.tr("Planned for a recorded machine; the script names GPUs by position.")
        self._machine_icon.show_icon("history" if is_recorded else "pc-case")
        self._machine_name.setText(name)
        self._machine_note.setText(note)

    def _build_rows(self) -> None:
        clear_layout(self._cards.body)
        self._rows = {}
        report = self.state.report
        gpus = report.gpus if report is not None else ()
        for gpu in gpus:
            row = GpuRow(gpu, self.state)
            row.box.clicked.connect(partial(self._toggle, gpu.index))
            self._rows[gpu.index] = row
            self._cards.body.addWidget(Line())
            self._cards.body.addWidget(row)
        if not gpus:
            nothing = self.tr("No GPU here. The script will run on the processor, slowly.")
            text = TextLabel(nothing, "body", "secondary", wraps=True)
            text.setContentsMargins(16, 0, 16, 14)
            self._cards.body.addWidget(text)
        note = self.tr("named by UUID in the script, so a changed slot order does no harm")
        self._cards.set_note(note if gpus and not self.state.is_recorded else "")

    def _show_ways(self) -> None:
        usable, devices = self._usable(), self.draft.devices
        texts = {
            _AUTOMATIC: ("sparkles", self.tr("Recommended"), self._recommended(), ""),
            _ONE: ("gpu", self.tr("One GPU"), self.tr("Simplest"), self.tr("No distribution code in the script")),
            _ALL: (
                "grid-2x2",
                self.tr("All usable GPUs"),
                self.tr("MirroredStrategy, one process"),
                self.tr("Each card holds the whole model, the batch is shared"),
            ),
        }
        for name, card in self._ways.items():
            icon, title, first, second = texts[name]
            plan = self._plans.get(name)
            fit, lines = fit_of(plan), tuple(line for line in (first, second) if line)
            badge = fit_word(self.state, fit) if plan is not None and plan.memory is not None else ""
            card.show_content(CardContent(icon, title, lines, FIT_SEVERITY[fit], badge, _takes(plan)))
        self._ways[_ONE].setVisible(bool(usable))
        self._ways[_ALL].setVisible(len(usable) > 1)
        chosen = _AUTOMATIC if devices is None else _ONE if len(devices) == 1 else ""
        if devices is not None and len(devices) > 1 and set(devices) == {gpu.index for gpu in usable}:
            chosen = _ALL
        self._group.setExclusive(False)
        for name, card in self._ways.items():
            card.setChecked(name == chosen)
        self._group.setExclusive(True)

    def _recommended(self) -> str:
        plan, report = self._plans.get(_AUTOMATIC), self.state.report
        if plan is None or report is None:
            return self.tr("What is fastest and still fits")
        chosen = {device.index for device in plan.devices}
        words = cards_in_words(tuple(gpu for gpu in report.gpus if gpu.index in chosen))
        return words or self.tr("The processor")

    def _show_reason(self, plan: TrainingPlan | None) -> None:
        wanted = ("devices", "strategy")
        choices = [choice for choice in plan.choices if choice.id in wanted] if plan is not None else []
        sentences = [self.state.text(choice.reason) for choice in choices]
        if plan is not None:
            sentences += [self.state.text(item) for item in plan.warnings if item.id in _ABOUT_CARDS]
            if plan.strategy is StrategyKind.MIRRORED:
                fixed = self.tr(
                    "Also fixed with several GPUs: XLA off, one step per call, accumulation inside the training "
                    "step, synchronized BatchNorm in our own models."
                )
                sentences.append(fixed)
        self._why.setText("\n".join(sentences))
        self._why_icon.setVisible(bool(sentences))


def _takes(plan: TrainingPlan | None) -> str:
    training = plan.time.training if plan is not None else None
    if training is None:
        return ""
    spread = join_range(format_duration(training.low), format_duration(training.high))
    return f"{format_duration(training.expected)} ({spread})"
