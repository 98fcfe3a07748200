"""First step: what shall be learnt. A card for each template, and what it needs and gives at the right."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.plan import Fit, TrainingPlan
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.scriptgen.manifest import Template
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import Card, Line
from gpuconfig_app.ui.widgets.choice_card import CardContent, ChoiceCard
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.layouts import clear_layout
from gpuconfig_app.ui.wizard.step_page import FIT_SEVERITY, StepPage, fit_of

_TWO_COLUMNS_FROM = 460
_THREE_COLUMNS_FROM = 1100


class TaskStep(StepPage):
    """Choose a template."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(state, draft, parent)
        self._cards: dict[str, ChoiceCard] = {}
        self._looks: dict[str, TrainingPlan] = {}
        self._group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(16)
        self._grid = QGridLayout()
        self._grid.setSpacing(12)
        for template in state.workbench.templates():
            card = ChoiceCard(self._content(template))
            card.setObjectName(f"template_{template.id}")
            card.clicked.connect(partial(self._choose, template))
            self._group.addButton(card)
            self._cards[template.id] = card
        self._arrange(2)
        row.addLayout(self._grid, 1)
        self._side = Card()
        self._side.setFixedWidth(current_theme().size("width.wizard_side"))
        row.addWidget(self._side, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(row)
        self.column.addStretch(1)
        draft.changed.connect(self._refresh)
        state.compat_changed.connect(self._look)
        self._look()
        self._told: Template | None = None
        self._show_side(None)
        self._refresh()

    def _arrange(self, columns: int) -> None:
        """Put the cards side by side, or below each other in a small window."""
        for number, card in enumerate(self._cards.values()):
            self._grid.addWidget(card, number // columns, number % columns)
        self._grid.setRowStretch(len(self._cards), 1)

    def _look(self) -> None:
        """Ask what each task would need on this machine with its usual answers."""
        machine, bench = self.state.machine, self.state.workbench
        environment, compat = self.state.environment, self.state.compat
        if machine is None or compat is None:
            return
        templates = self.state.workbench.templates()

        def work(control: JobControl) -> dict[str, TrainingPlan]:
            plans = {}
            for template in templates:
                control.check()
                plans[template.id] = bench.plan(template, template.example, machine, environment, None, compat)
            return plans

        self.state.background.run("wizard-first-look", work, self._take_looks)

    def _take_looks(self, plans: dict[str, TrainingPlan]) -> None:
        self._looks = plans
        for template in self.state.workbench.templates():
            self._cards[template.id].show_content(self._content(template))

    def _choose(self, template: Template, _checked: bool = False) -> None:  # Qt's clicked(bool)
        self.draft.choose_template(template)

    def _refresh(self) -> None:
        chosen = self.draft.template
        self._group.setExclusive(False)
        for template_id, card in self._cards.items():
            card.setChecked(chosen is not None and template_id == chosen.id)
        self._group.setExclusive(True)
        if chosen is not self._told:
            self._told = chosen
            self._show_side(chosen)

    def _content(self, template: Template) -> CardContent:
        texts = (template.summary, template.data_text, template.models_text)
        plan = self._looks.get(template.id)
        memory = plan.memory if plan is not None else None
        fit = fit_of(plan)
        return CardContent(
            icon=template.icon,
            title=self.state.text(template.name),
            lines=tuple(self.state.text(text) for text in texts),
            severity=FIT_SEVERITY[fit] if memory is not None else "",
            badge=self._fit_word(fit) if memory is not None else "",
            remark=self.tr("from {n}").format(n=format_bytes(int(memory.total.expected))) if memory is not None else "",
        )

    def _fit_word(self, fit: Fit) -> str:
        words = {
            Fit.FITS: self.tr("Fits this machine"),
            Fit.MAY_FAIL: self.tr("May not fit"),
            Fit.TOO_BIG: self.tr("Too big"),
            Fit.UNKNOWN: self.tr("Memory not known"),
        }
        return words[fit]

    def _show_side(self, template: Template | None) -> None:
        body = self._side.body
        clear_layout(body)
        if template is None:
            body.addWidget(TextLabel(self.tr("Nothing chosen yet"), "heading"))
            text = self.tr(
                "Choose what the model should learn. Each step explains what it decides, and every answer can "
                "be changed later."
            )
            body.addWidget(TextLabel(text, "body", "secondary", wraps=True))
            return
        body.addWidget(TextLabel(self.state.text(template.name), "heading"))
        body.addWidget(TextLabel(self.state.text(template.description), "body", "secondary", wraps=True))
        body.addWidget(Line())
        self._add_part(self.tr("You need"), self.state.text(template.needs))
        body.addSpacing(4)
        body.addWidget(TextLabel(self.tr("You get"), "body_strong"))
        body.addLayout(self._files())
        self._add_part(self.tr("Runs on"), self.tr("The processor, one GPU, or all GPUs of a machine"))

    def _files(self) -> QGridLayout:
        files = {
            "train.py": self.tr("trains, can go on later"),
            "predict.py": self.tr("uses the result"),
            "requirements.txt": self.tr("what to install"),
            "README.md": self.tr("how to run it"),
            "plan.json": self.tr("opens here again"),
        }
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, (name, what) in enumerate(files.items()):
            grid.addWidget(TextLabel(name, "mono"), row, 0)
            grid.addWidget(TextLabel(what, "small", "muted", wraps=True), row, 1)
        return grid

    def _add_part(self, title: str, text: str) -> None:
        self._side.body.addSpacing(4)
        self._side.body.addWidget(TextLabel(title, "body_strong"))
        self._side.body.addWidget(TextLabel(text, "body", "secondary", wraps=True))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = event.size().width() - self._side.width()
        columns = 1 + (width >= _TWO_COLUMNS_FROM) + (width >= _THREE_COLUMNS_FROM)
        self._arrange(min(columns, max(len(self._cards), 1)))
