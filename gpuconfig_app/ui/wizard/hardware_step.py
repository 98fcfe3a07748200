"""Fourth step: on which cards it runs. The planner's choice is marked; cards that can't train say why."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QButtonGroup, QCheckBox, QHBoxLayout, QWidget

from gpuconfig_app.core.gpu import Gpu, GpuState
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.core.workload import StrategyKind
from gpuconfig_app.scriptgen.manifest import WizardStep
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.cards import Card, HeadedCard, IconLabel, Line
from gpuconfig_app.ui.widgets.choice_card import CardContent, ChoiceCard
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.question_form import QuestionForm
from gpuconfig_app.ui.wizard.step_page import FIT_SEVERITY, StepPage, fit_of

_NAME_WIDTH = 210
_MEMORY_WIDTH = 80
_CAPABILITY_WIDTH = 110
_CARD_HEIGHT = 140


class HardwareStep(StepPage):
    """Choose the cards."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(state, draft, parent)
        self._boxes: dict[int, QCheckBox] = {}
        self._badges: dict[int, SeverityBadge] = {}
        self._report: object = None
        self._machine = Card()
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(IconLabel("pc-case", 20))
        self._machine_name = TextLabel("", "body_strong")
        self._machine_note = TextLabel("", "small", "muted")
        line.addWidget(self._machine_name)
        line.addWidget(self._machine_note, 1)
        self._machine.body.addLayout(line)
        self.column.addWidget(self._machine)
        self._cards = HeadedCard("GPUs")
        self.column.addWidget(self._cards)
        self.column.addLayout(self._build_ways())
        self._form_card = Card()
        self._form = QuestionForm(state, draft, WizardStep.HARDWARE)
        self._form_card.body.addWidget(self._form)
        self.column.addWidget(self._form_card)
        self._why = TextLabel("", "small", "muted", wraps=True)
        self.column.addWidget(self._why)
        self.column.addStretch(1)
        draft.plan_changed.connect(self._refresh)
        draft.changed.connect(self._refresh)
        state.report_changed.connect(self._refresh)
        self._refresh()

    def _build_ways(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        self._ways: dict[str, ChoiceCard] = {}
        group = QButtonGroup(self)
        for name in ("automatic", "one", "all"):
            card = ChoiceCard(CardContent("gpu", ""), _CARD_HEIGHT)
            card.setObjectName(f"way_{name}")
            card.clicked.connect(partial(self._choose_way, name))
            group.addButton(card)
            self._ways[name] = card
            row.addWidget(card, 1)
        return row

    def _usable(self) -> list[Gpu]:
        report = self.state.report
        return [gpu for gpu in report.gpus if gpu.state is GpuState.READY] if report is not None else []

    def _choose_way(self, name: str, *_: object) -> None:
        usable = [gpu.index for gpu in self._usable()]
        planned = [device.index for device in self.draft.plan.devices] if self.draft.plan is not None else []
        if name == "automatic" or not usable:
            self.draft.choose_devices(None)
        elif name == "one":
            self.draft.choose_devices(((planned or usable)[0],))
        else:
            self.draft.choose_devices(tuple(usable))

    def _toggle(self, index: int, *_: object) -> None:
        chosen = [number for number, box in self._boxes.items() if box.isChecked()]
        if not chosen:
            self._boxes[index].setChecked(True)
            return
        self.draft.choose_devices(tuple(chosen))

    def _refresh(self) -> None:
        report, plan = self.state.report, self.draft.plan
        if report is None:
            return
        if report is not self._report:
            self._report = report
            self._build_rows()
        self._show_machine()
        planned = [device.index for device in plan.devices] if plan is not None else []
        chosen = list(self.draft.devices) if self.draft.devices is not None else planned
        for index, box in self._boxes.items():
            box.setChecked(index in chosen)
            self._show_badge(index, plan, is_chosen=index in chosen)
        self._show_ways()
        self._form_card.setVisible(not self._form.is_empty)
        self._show_reason(plan)

    def _show_machine(self) -> None:
        machine = self.state.machine
        is_recorded = machine is not None and machine.is_recorded
        name = (
            self.state.text(machine.title) if machine is not None and machine.is_recorded else self.tr("This machine")
        )
        self._machine_name.setText(name)
        if is_recorded:
            note = self.tr("Planned for a recorded machine; the script names GPUs by position.")
        else:
            note = self.tr("To plan for another machine, choose it at the top of the left bar.")
        self._machine_note.setText(note)

    def _build_rows(self) -> None:
        while (item := self._cards.body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self._boxes, self._badges = {}, {}
        report = self.state.report
        gpus = report.gpus if report is not None else ()
        for gpu in gpus:
            self._cards.body.addWidget(Line())
            self._cards.body.addWidget(self._make_row(gpu))
        if not gpus:
            text = TextLabel(self.tr("No GPU here. The script will run on the processor, slowly."), "body", "secondary")
            text.setContentsMargins(16, 0, 16, 14)
            self._cards.body.addWidget(text)
        note = self.tr("named by UUID in the script, so a changed slot order does no harm")
        self._cards.set_note(note if gpus and not self.state.is_recorded else "")

    def _make_row(self, gpu: Gpu) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(18, 8, 18, 8)
        line.setSpacing(12)
        name = gpu.name or self.state.text(Message("ui.unknown-model"))
        box = QCheckBox(f"{gpu.index}   {name}")
        box.setObjectName(f"gpu_{gpu.index}")
        box.setMinimumWidth(_NAME_WIDTH)
        is_usable = gpu.state is GpuState.READY
        box.setEnabled(is_usable)
        box.clicked.connect(partial(self._toggle, gpu.index))
        line.addWidget(box)
        memory = format_bytes(gpu.memory_total_bytes) if gpu.memory_total_bytes is not None else "–"
        line.addWidget(_fixed(memory, _MEMORY_WIDTH))
        capability = self.tr("capability {cc}").format(cc=gpu.compute_capability) if gpu.compute_capability else "–"
        line.addWidget(_fixed(capability, _CAPABILITY_WIDTH))
        line.addWidget(ElidedLabel(self._row_note(gpu), "small", "muted"), 1)
        badge = SeverityBadge(is_boxed=False)
        line.addWidget(badge)
        self._boxes[gpu.index], self._badges[gpu.index] = box, badge
        if not is_usable:
            badge.show_state("idle", self.tr("Not usable"))
        return row

    def _row_note(self, gpu: Gpu) -> str:
        if gpu.state_reason is not None:
            return self.state.text(gpu.state_reason)
        if gpu.mig_enabled:
            return self.tr("MIG is on: one slice can be used")
        if gpu.memory_used_bytes:
            return self.tr("{memory} in use now").format(memory=format_bytes(gpu.memory_used_bytes))
        return ""

    def _show_badge(self, index: int, plan: TrainingPlan | None, *, is_chosen: bool) -> None:
        badge = self._badges[index]
        if not self._boxes[index].isEnabled():
            return
        if not is_chosen:
            badge.show_state("neutral", self.tr("Not used"), "circle-minus")
            return
        fit = fit_of(plan)
        badge.show_state(FIT_SEVERITY[fit], self.state.text(Message(f"wizard.fit-{fit.value.replace('_', '-')}")))

    def _show_ways(self) -> None:
        usable, devices = self._usable(), self.draft.devices
        contents = {
            "automatic": CardContent(
                "sparkles",
                self.tr("Recommended"),
                (self.tr("GPUConfig chooses"), self.tr("What is fastest and still fits")),
            ),
            "one": CardContent(
                "gpu",
                self.tr("One GPU"),
                (self.tr("Simplest"), self.tr("No distribution code in the script")),
            ),
            "all": CardContent(
                "grid-2x2",
                self.tr("All usable GPUs"),
                (
                    self.tr("MirroredStrategy, one process"),
                    self.tr("Each card holds the whole model, the batch is shared"),
                ),
            ),
        }
        for name, card in self._ways.items():
            card.show_content(contents[name])
        self._ways["one"].setEnabled(bool(usable))
        self._ways["all"].setEnabled(len(usable) > 1)
        self._ways["all"].setVisible(len(usable) > 1)
        if devices is None:
            self._ways["automatic"].setChecked(True)
        elif len(devices) == 1:
            self._ways["one"].setChecked(True)
        elif set(devices) == {gpu.index for gpu in usable}:
            self._ways["all"].setChecked(True)

    def _show_reason(self, plan: TrainingPlan | None) -> None:
        if plan is None:
            self._why.setText("")
            return
        wanted = ("devices", "strategy")
        sentences = [self.state.text(choice.reason) for choice in plan.choices if choice.id in wanted]
        if plan.strategy is StrategyKind.MIRRORED:
            fixed = self.tr(
                "Also fixed with several GPUs: XLA off, one step per call, accumulation inside the training "
                "step, synchronized BatchNorm in our own models."
            )
            sentences.append(fixed)
        self._why.setText("\n".join(sentences))


def _fixed(text: str, width: int) -> TextLabel:
    label = TextLabel(text, "body", "secondary")
    label.setMinimumWidth(width)
    return label
