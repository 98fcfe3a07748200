"""First step: what is made at the left, what it costs, every command and what was checked at the right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QFileDialog, QVBoxLayout, QWidget

from gpuconfig_app.core.environment_plan import EnvironmentPlan, PlanGoal
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.ui.pages.make_environment.check_card import CheckCard
from gpuconfig_app.ui.pages.make_environment.command_card import CommandCard
from gpuconfig_app.ui.pages.make_environment.leftover_card import LeftoverCard
from gpuconfig_app.ui.pages.make_environment.plan_desk import PlanDesk
from gpuconfig_app.ui.pages.make_environment.plan_form import FOLDER, LOCK, PLACE, PlanForm
from gpuconfig_app.ui.pages.make_environment.plan_words import (
    checks_shown,
    commands_shown,
    form_shown,
    goal_shown,
    notes_shown,
    shell_of,
    tiles_shown,
)
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import ANY_SIZE
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.metric_strip import MetricStrip
from gpuconfig_app.ui.widgets.verdict_banner import VerdictBanner
from gpuconfig_app.ui.widgets.ways_card import WaysCard, WayShown
from gpuconfig_app.ui.wizard.layouts import clear_layout

WAYS_PAGE = "ways_on"  # shows the ways on of the machine
_FORM_WIDTH = 340


class PlanStep(QWidget):
    """The plan with its form.

    Args:
        desk: Holds answers and plan.
    """

    def __init__(self, state: AppState, desk: PlanDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state, self._desk = state, desk
        self._ways_of: EnvironmentPlan | None = None
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(12)
        self.form = PlanForm()
        self._wakes = QCheckBox()
        self._wakes.setObjectName("wake_cards")
        self._wakes.clicked.connect(lambda is_on: desk.choose_waking(may_wake=is_on))
        self.form.body.addWidget(self._wakes)
        self._row.addWidget(self.form, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(self._build_right(), 1)
        self._connect()
        self.set_narrow(is_narrow=False)

    def refresh(self) -> None:
        """Show answers and plan as they are."""
        desk, state = self._desk, self._state
        plan, text = desk.plan, state.text
        self.form.show_form(form_shown(desk, text))
        self._show_waking()
        self._leftovers.show_leftovers(desk.leftovers)
        is_possible = plan is not None and plan.goal is not PlanGoal.IMPOSSIBLE
        for part in (self._tiles, self._sizes, self.commands, self.checks, self.notes):
            part.setVisible(is_possible)
        self._show_banner(plan)
        if plan is not None and is_possible:
            self._tiles.show_metrics(tiles_shown(plan))
            self._sizes.setText(" ".join(filter(None, (text(plan.size.source_text), text(plan.size.time_text)))))
            self._sizes.setVisible(bool(self._sizes.text()))
            self.commands.show_commands(commands_shown(plan, text), shell_of(desk, plan))
            self.checks.show_checks(checks_shown(plan, text))
            self.notes.show_checks(notes_shown(plan, text))
            self.notes.setVisible(bool(self.notes.shown))
        self._show_ways(plan)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Put the form above the plan on a narrow window."""
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self._row.setAlignment(self.form, Qt.AlignmentFlag(0) if is_narrow else Qt.AlignmentFlag.AlignTop)
        self.form.setMinimumWidth(0 if is_narrow else _FORM_WIDTH)
        self.form.setMaximumWidth(ANY_SIZE if is_narrow else _FORM_WIDTH)
        self.form.set_wide(is_wide=is_narrow)
        self._banner.set_narrow(is_narrow=is_narrow)

    def _build_right(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(12)
        self._leftovers = LeftoverCard()
        self._banner = VerdictBanner()
        self._tiles = MetricStrip(is_tall=True)
        self._sizes = TextLabel("", "small", "muted", wraps=True)
        self.commands = CommandCard()
        self.checks = CheckCard(self.tr("Checked beforehand"))
        self.notes = CheckCard(self.tr("Good to know"))
        self._ways_first, self._ways_last = QVBoxLayout(), QVBoxLayout()
        column.addWidget(self._leftovers)
        column.addWidget(self._banner)
        column.addLayout(self._ways_first)
        for part in (self._tiles, self._sizes, self.commands, self.checks, self.notes):
            column.addWidget(part)
        column.addLayout(self._ways_last)
        column.addStretch(1)
        return column

    def _connect(self) -> None:
        desk = self._desk
        self.form.answered.connect(desk.answer)
        self.form.folder_asked.connect(self._ask_for_folder)
        self.form.place_asked.connect(self._ask_for_place)
        self.commands.shell_chosen.connect(desk.choose_shell)
        self._leftovers.cleaning_asked.connect(desk.clean)

    def _show_waking(self) -> None:
        sleeping = self._desk.sleeping
        self._wakes.setVisible(bool(sleeping) and not self._state.settings.wakes_sleeping_gpus)
        self._wakes.setText(self.tr("Wake {cards} for the proof").format(cards=", ".join(sleeping)))
        self._wakes.setChecked(self._desk.may_wake)

    def _show_banner(self, plan: EnvironmentPlan | None) -> None:
        desk, text = self._desk, self._state.text
        if plan is not None:
            severity, word = goal_shown(plan)
            self._banner.show_verdict(severity, word, text(plan.headline))
            self._banner.setVisible(plan.goal is not PlanGoal.GPU)
        elif isinstance(desk.error, GpuConfigError):
            hint = text(desk.error.hint)
            self._banner.show_verdict("blocked", self.tr("No plan"), f"{text(desk.error.message)} {hint}".strip())
            self._banner.show()
        elif desk.lacks_place:
            self._banner.show_verdict(
                "neutral",
                self.tr("One more answer"),
                self.tr("Name where the packages come from, then the plan follows."),
            )
            self._banner.show()
        else:
            self._banner.show_verdict(
                "neutral",
                self.tr("Working out the plan…"),
                self.tr("Interpreters, free room and the releases for this machine are looked at."),
                icon_name="loader-circle",
            )
            self._banner.show()

    def _show_ways(self, plan: EnvironmentPlan | None) -> None:
        if plan is self._ways_of:
            return
        self._ways_of = plan
        clear_layout(self._ways_first)
        clear_layout(self._ways_last)
        if plan is None or not plan.ways_on:
            return
        text = self._state.text
        leads = any(way.leads_to is not None for way in plan.ways_on)
        # where the card stays idle, what helps comes before what it would cost without
        is_idle = plan.goal in (PlanGoal.IMPOSSIBLE, PlanGoal.CPU_ONLY)
        ways = self._ways_first if is_idle and leads else self._ways_last
        shown = [WayShown(text(way.text), way.commands, way.shell, text(way.changes)) for way in plan.ways_on]
        card = WaysCard(shown, first=1)
        ways.addWidget(card)
        card.show()  # a layout counts what is not shown yet as empty
        if leads:
            more = Button(self.tr("Show the ways on"), OUTLINED, "arrow-right", on_click=self._open_ways)
            more.setObjectName("ways_on")
            ways.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)
            more.show()

    def _open_ways(self) -> None:
        self._state.navigate(WAYS_PAGE)

    def _ask_for_folder(self) -> None:
        start = expanded(self.form.folder.line.text() or "~").parent
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Where should the new folder lie?"), str(start))
        if chosen:
            name = Path(self.form.folder.line.text()).name or "tf"
            self._desk.answer(FOLDER, str(Path(chosen) / name))

    def _ask_for_place(self, source: str) -> None:
        start = str(expanded(self._desk.place)) if self._desk.place else str(Path.home())
        if source == LOCK:
            chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Lock file"), start)
        else:
            chosen = QFileDialog.getExistingDirectory(self, self.tr("Folder of wheels"), start)
        if chosen:
            self._desk.answer(PLACE, chosen)
