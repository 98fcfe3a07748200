"""Will TensorFlow use the GPU? The cause and its fix first, then needed beside found, then every release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.compat.ways_on import has_ways
from gpuconfig_app.core.finding import CompatReport, Finding, Requirement, Verdict
from gpuconfig_app.ui.card_words import clock_text
from gpuconfig_app.ui.finding_words import finding_source, requirement_source, verdict_word
from gpuconfig_app.ui.page import Page
from gpuconfig_app.ui.pages.compatibility.choice_block import ChoiceBlock
from gpuconfig_app.ui.pages.compatibility.findings_block import FindingsBlock
from gpuconfig_app.ui.pages.compatibility.releases_block import ReleasesBlock
from gpuconfig_app.ui.pages.compatibility.what_if_bar import WhatIfBar
from gpuconfig_app.ui.pages.compatibility.what_if_desk import WhatIfDesk
from gpuconfig_app.ui.pages.compatibility.what_if_panel import WhatIfPanel
from gpuconfig_app.ui.pages.compatibility.what_if_words import assumed_sentence, changed_rows, problem_text
from gpuconfig_app.ui.proof_panel import ProofPanel
from gpuconfig_app.ui.question import Question
from gpuconfig_app.ui.state import CHECK, SURVEY, AppState
from gpuconfig_app.ui.widgets.buttons import FLAT, OUTLINED, Button, square_button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.requirement_table import RequirementTable
from gpuconfig_app.ui.widgets.source_card import SourceCard, SourceShown
from gpuconfig_app.workbench.what_if import what_if_choices

_TABLE_SHARE, _SIDE_SHARE = 17, 10


class CompatibilityPage(Page):
    """Verdict in full.

    Attributes:
        real_actions: Buttons that act on the open machine; disabled while something is assumed.

    Args:
        state: State of the window.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__()
        self._state = state
        self._checked_at: float | None = None
        self._what_if = WhatIfDesk(state, self)
        self.real_actions: list[QWidget] = []
        self.set_title(self.tr("Compatibility"))
        self._build_buttons()
        self._choice = ChoiceBlock()
        self._choice.end.addWidget(self._when)
        self._choice.end.addWidget(self._again)
        self._choice.end.addWidget(self._again_small)
        self._panel = WhatIfPanel()
        self._panel.hide()
        self._bar = WhatIfBar()
        self._bar.hide()
        self._findings = FindingsBlock(state.text)
        self._releases = ReleasesBlock(state.text)
        for block in (self._choice, self._panel, self._bar, self._findings):
            self.body.addWidget(block)
        self.body.addLayout(self._build_middle())
        self.body.addWidget(self._releases)
        self.body.addStretch(1)
        self._connect()
        self._show_all()

    def _build_buttons(self) -> None:
        self._ask = Button(self.tr("What if…"), FLAT, "git-compare", on_click=self._toggle_panel)
        self._ask.setObjectName("what_if")
        self._ask.setToolTip(self.tr("The verdict with another driver, card, Python or release"))
        explain = partial(self._state.navigate, "explain")
        self._explain = Button(self.tr("Explain an error…"), OUTLINED, "message-square-text", on_click=explain)
        self._explain.setObjectName("explain")
        make = partial(self._state.navigate, "make_environment")
        self._make = Button(self.tr("Make a working environment…"), OUTLINED, "plus", on_click=make)
        self._make.setObjectName("make_environment")
        for button in (self._ask, self._explain, self._make):
            self.buttons.addWidget(button)
        self.real_actions.append(self._make)
        self._when = TextLabel("", "small", "muted")
        self._again = Button(self.tr("Check again"), FLAT, "refresh-cw", on_click=self._state.refresh)
        self._again.setObjectName("check_again")
        self._again_small = square_button("refresh-cw", self.tr("Check again"), self._state.refresh)
        self._again_small.hide()

    def _build_middle(self) -> QHBoxLayout:
        row = self._middle = QHBoxLayout()
        row.setSpacing(12)
        self._table_card = Card(padding=0)
        self._table = RequirementTable(self._state.text)
        self._table_card.body.addWidget(self._table, 1)
        self._table_card.body.addStretch(0)
        row.addWidget(self._table_card, _TABLE_SHARE)
        side = QVBoxLayout()
        side.setSpacing(12)
        self._proof = ProofPanel(self._state, self)
        self._proof_place = QWidget()
        place = QVBoxLayout(self._proof_place)
        place.setContentsMargins(0, 0, 0, 0)
        place.addWidget(self._proof)
        self._side = SourceCard()
        side.addWidget(self._proof_place)
        side.addWidget(self._side, 1)
        row.addLayout(side, _SIDE_SHARE)
        return row

    def _connect(self) -> None:
        state = self._state
        state.compat_changed.connect(self._take_verdict)
        state.report_changed.connect(self._show_choice)
        state.machine_changed.connect(self._forget)
        state.busy_changed.connect(self._show_busy)
        self._choice.environment_chosen.connect(state.select_python)
        self._choice.release_chosen.connect(self._choose_release)
        self._choice.cards_chosen.connect(self._choose_cards)
        self._findings.source_asked.connect(self._ask_source)
        self._findings.ways_asked.connect(partial(state.navigate, "ways_on"))
        self._table.requirement_selected.connect(self._show_requirement)
        self._releases.series_chosen.connect(self._choose_series)
        self._panel.asked.connect(lambda said, is_alone: self._what_if.ask(said, is_alone=is_alone))
        self._panel.closed.connect(self._end_what_if)
        self._bar.back_asked.connect(self._end_what_if)
        self._what_if.changed.connect(self._show_what_if)

    @property
    def _compat(self) -> CompatReport | None:
        """The verdict that is shown: of the open machine, or of what is assumed."""
        answer = self._what_if.answer
        return answer.compat if answer is not None and answer.compat is not None else self._state.compat

    def _show_all(self) -> None:
        self._show_choice()
        self._show_verdict()
        self._show_busy()

    def _forget(self) -> None:
        self._checked_at = None
        self._end_what_if()
        self._show_all()

    def _take_verdict(self) -> None:
        if self._state.compat is not None:
            self._checked_at = self._state.workbench.clock.now()
        self._show_all()

    def _show_choice(self) -> None:
        state = self._state
        report, chosen = state.report, state.environment
        self._choice.show_environments(report, chosen)
        installed = chosen.tensorflow_version if chosen is not None else None
        is_fresh = report is not None and report.is_cards_alone
        self._choice.show_versions(installed, state.compat, state.question.tensorflow or "", is_fresh=is_fresh)
        self._choice.show_cards(report.gpus if report is not None else (), state.question.devices)

    def _show_verdict(self) -> None:
        compat = self._compat
        report = self._state.report if not self._what_if.is_active else None
        is_led_on = report is not None and compat is not None and has_ways(report, compat)
        self._findings.show_verdict(compat, has_ways=is_led_on)
        for part in (self._table_card, self._side, self._releases):
            part.setVisible(compat is not None)
        severities = {Verdict.BLOCKED: "blocked", Verdict.CPU_ONLY: "warning"}
        real = self._state.compat
        self.attention_changed.emit(severities.get(real.verdict, "") if real is not None else "")
        if compat is None:
            return
        self._table.show_requirements(compat.requirements)
        self._releases.show_verdicts(compat)
        if compat.primary is not None:
            self._table.clearSelection()
            self._show_source(compat.primary)
        elif not self._table.currentIndex().isValid() and compat.requirements:
            self._table.choose(compat.requirements[0].id)
        self._side.setMinimumHeight(0)

    def _show_source(self, finding: Finding | None) -> None:
        self._show_side(finding_source(finding, self._state.text) if finding is not None else SourceShown())

    def _ask_source(self, finding: Finding) -> None:
        self._show_source(finding)
        self.scroll_to(self._side)

    def _show_requirement(self, requirement: Requirement) -> None:
        self._show_side(requirement_source(self._table.name_of(requirement), requirement, self._state.text))

    def _show_side(self, shown: SourceShown) -> None:
        self._side.setMinimumHeight(self._side.height())  # or the rows beside it would move under the mouse
        head = self.tr("Under these assumptions") if self._what_if.is_active else ""
        self._side.show_source(replace(shown, seen_head=head))

    def _show_busy(self) -> None:
        background = self._state.background
        is_busy = background.is_busy(CHECK) or background.is_busy(SURVEY)
        for button in (self._again, self._again_small):
            button.setEnabled(not is_busy and not self._what_if.is_active)
        text = self.tr("Checking…") if is_busy else ""
        if not is_busy and self._checked_at is not None:
            text = self.tr("Checked {time}").format(time=clock_text(self._checked_at))
        self._when.setText(text)

    def _choose_release(self, release: str) -> None:
        self._state.check(question=Question(release or None, self._state.question.devices))

    def _choose_cards(self, devices: Sequence[int] | None) -> None:
        wanted = tuple(devices) if devices is not None else None
        self._state.check(question=Question(self._state.question.tensorflow, wanted))

    def _choose_series(self, series: str) -> None:
        compat = self._compat
        release = next((item for item in compat.releases if item.series == series), None) if compat else None
        if release is None:
            return
        if self._what_if.is_active:
            self._panel.assume("tensorflow", series)
        else:
            self._choose_release("" if release.is_installed else release.release)

    def _toggle_panel(self) -> None:
        if not self._panel.isHidden():
            self._end_what_if()
            return
        self._state.background.run("what-if-choices", lambda _: what_if_choices(), self._panel.show_choices)
        self._panel.show()
        self._panel.fields["gpu"].combo.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _end_what_if(self) -> None:
        self._panel.clear()
        self._panel.hide()
        self._what_if.end()

    def _show_what_if(self) -> None:
        desk, answer, state = self._what_if, self._what_if.answer, self._state
        problems = answer.problems if answer is not None else {}
        self._panel.show_problems({key: problem_text(error, state.text) for key, error in problems.items()})
        is_active = desk.is_active
        self._bar.setVisible(is_active)
        self._proof_place.setVisible(not is_active)
        self._choice.hold(is_held=is_active)
        for part in self.real_actions:
            part.setEnabled(not is_active)
        if is_active and answer is not None and answer.compat is not None:
            sentence = assumed_sentence(
                answer, desk.assumptions, state.report, state.environment, is_alone=desk.is_alone
            )
            now = state.compat if not desk.is_alone else None
            changes = changed_rows(now, answer.compat, self._table.name_of, state.text) if now is not None else []
            present = verdict_word(now) if now is not None else None
            self._bar.show_machine(is_recorded=state.is_recorded)
            self._bar.show_answer(sentence, present, verdict_word(answer.compat), changes)
        self._show_all()

    @override
    def on_width_changed(self) -> None:
        direction = QBoxLayout.Direction
        self._side.setMinimumHeight(0)
        self._middle.setDirection(direction.TopToBottom if self.is_narrow else direction.LeftToRight)
        self._when.setVisible(not self.is_narrow)
        self._again.setVisible(not self.is_narrow)
        self._again_small.setVisible(self.is_narrow)

    @override
    def on_enter(self, arguments: Mapping[str, object]) -> None:
        self._show_all()
        if arguments.get("prove"):
            self.scroll_to(self._proof)

    @override
    def on_leave(self) -> None:
        self._end_what_if()
