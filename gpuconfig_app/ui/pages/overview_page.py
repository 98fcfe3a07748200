"""Overview: the verdict, the cards, the machine, its Python environments; and what to do when there is no card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QHBoxLayout
from typing_extensions import override

from gpuconfig_app.compat.ways_on import has_ways
from gpuconfig_app.core.finding import Verdict
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.ui.card_tracker import CURVE_S, CardTracker
from gpuconfig_app.ui.card_words import age_text, clock_text
from gpuconfig_app.ui.models.card_facts import CardContext, CardFactsMaker
from gpuconfig_app.ui.models.machine_rows import MachineRows
from gpuconfig_app.ui.page import Page
from gpuconfig_app.ui.pages.overview.banner_block import BannerBlock
from gpuconfig_app.ui.pages.overview.cards_block import COMPACT_FROM, CardsBlock
from gpuconfig_app.ui.pages.overview.empty_block import EmptyBlock
from gpuconfig_app.ui.pages.overview.environments_block import EnvironmentsBlock
from gpuconfig_app.ui.pages.overview.machine_block import MachineBlock, MachineLine
from gpuconfig_app.ui.pages.overview.machine_menu import MachineMenu
from gpuconfig_app.ui.pages.overview.obstacles_block import ObstaclesBlock, stands_in_the_way
from gpuconfig_app.ui.pages.overview.search_block import SearchBlock
from gpuconfig_app.ui.pages.overview.summary import summary_text
from gpuconfig_app.ui.pages.overview.verdict_words import FIX, PROVE, SCAN, SCRIPT, BannerShown, VerdictWords
from gpuconfig_app.ui.widgets.command_line import CopyButton
from gpuconfig_app.workbench.machine import ShippedMachine, list_shipped_machines

if TYPE_CHECKING:
    from gpuconfig_app.ui.state import AppState

_LOOK_MS = 1000


class OverviewPage(Page):
    """The first page."""

    def __init__(self, state: AppState) -> None:
        super().__init__()
        self._state = state
        self._tracker = CardTracker()
        self._maker = CardFactsMaker(state.text, self)
        self._rows = MachineRows(self)
        self._words = VerdictWords(state.text, self)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.set_title(self.tr("Overview"))
        self._copy = CopyButton(label=self.tr("Copy summary"), scale="normal")
        self.buttons.addWidget(self._copy)
        self.banner = BannerBlock(self._summary, self)
        self.cards = CardsBlock(self._maker, self._tracker, self)
        self.empty = EmptyBlock(self)
        self.search = SearchBlock(self.tr("What was looked at"), self._state.text, self)
        self.obstacles = ObstaclesBlock(self.tr("What stands in the way"), self._state.text, self)
        self.machine = MachineBlock(self.tr("This machine"), self._rows, self)
        self.machine_line = MachineLine(self._rows, self)
        self.environments = EnvironmentsBlock(self.tr("Python environments"), self._state.text, self)
        self._pair = QHBoxLayout()
        self._below = QHBoxLayout()
        for block in (self.banner, self.cards, self.empty):
            self.body.addWidget(block)
        self.body.addLayout(self._pair)
        self.body.addWidget(self.machine_line)
        self.body.addLayout(self._below)
        self.body.addStretch(1)
        self._arrange()

    def _connect(self) -> None:
        state = self._state
        state.machine_changed.connect(self._forget)
        state.report_changed.connect(self._show_all)
        state.compat_changed.connect(self._show_all)
        state.verdicts_changed.connect(self._show_environments)
        state.busy_changed.connect(self._show_environments)
        state.samples_arrived.connect(self._take_samples)
        self._timer.timeout.connect(self._show_ages)
        self._copy.pressed.connect(self._fill_clipboard_text)
        self.banner.acted.connect(self._act)
        self.cards.opened.connect(lambda device: state.navigate("monitor", {"device": device}))
        self.environments.environment_chosen.connect(state.select_python)
        self.environments.scan_asked.connect(state.refresh)
        self.environments.making_asked.connect(lambda: state.navigate("make_environment"))
        self.obstacles.opened.connect(lambda: state.navigate("compatibility"))
        self.empty.script_asked.connect(lambda: state.navigate("new_script"))
        self.empty.machine_asked.connect(self._ask_for_machine)

    def _show_all(self) -> None:
        report, compat = self._state.report, self._state.compat
        gpus = report.gpus if report is not None else ()
        self.cards.setVisible(bool(gpus) or report is None)
        self.empty.setVisible(report is not None and not gpus)
        if report is not None:
            self.machine.title.setText(self.tr("The machine") if self._state.is_recorded else self.tr("This machine"))
            self.machine.show_report(report)
            self.machine_line.show_report(report)
            self.search.show_report(report)
            self.cards.show_gpus(gpus, self._context(report))
        else:
            self.cards.show_loading()
        self.obstacles.show_requirements(compat.requirements if compat is not None else ())
        self._arrange()
        self._show_environments()
        self._show_banner()
        self._show_title()

    def _arrange(self) -> None:
        """Put machine, obstacles and environments where this machine needs them."""
        report, compat = self._state.report, self._state.compat
        count = len(report.gpus) if report is not None else 0
        is_blocked = compat is not None and compat.verdict is Verdict.BLOCKED and stands_in_the_way(compat.requirements)
        shows_line = count >= COMPACT_FROM
        is_empty = report is not None and count == 0
        first = self.search if is_empty else self.obstacles
        shows_pair = is_empty or (is_blocked and count > 0 and not shows_line)
        for layout in (self._pair, self._below):
            while layout.takeAt(0) is not None:
                pass
        self.obstacles.setVisible(shows_pair and not is_empty)
        self.search.setVisible(is_empty)
        self.machine.setVisible(report is not None and not shows_line)
        self.machine_line.setVisible(shows_line)
        self.environments.setVisible(report is not None)
        gap = 12 if self.is_narrow else 16
        wide, small = (0, 0) if self.is_narrow else (19, 12)
        direction = QHBoxLayout.Direction.TopToBottom if self.is_narrow else QHBoxLayout.Direction.LeftToRight
        for layout in (self._pair, self._below):
            layout.setSpacing(gap)
            layout.setDirection(direction)
        if shows_pair:
            self._pair.addWidget(first, wide)
            self._pair.addWidget(self.machine, small)
            self._below.addWidget(self.environments)
        elif shows_line:
            self._below.addWidget(self.environments)
        else:
            self._below.addWidget(self.machine, small)
            self._below.addWidget(self.environments, wide)

    def _show_banner(self) -> None:
        self.banner.show_banner(self._banner())

    def _banner(self) -> BannerShown:
        state = self._state
        report, compat = state.report, state.compat
        if report is None:
            return self._words.waiting(knows_machine=False, is_recorded=state.is_recorded)
        silent_s = self._silent_s(report)
        if silent_s is not None:
            return self._words.silent(age_text(silent_s, state.language))
        if not report.gpus and (compat is None or compat.verdict is not Verdict.BLOCKED):
            return self._words.without_gpu(report, state.environment)
        if compat is None:
            return self._words.waiting(knows_machine=True, is_recorded=state.is_recorded)
        return self._words.verdict(compat, state.environment, is_recorded=state.is_recorded)

    def _act(self, name: str) -> None:
        state = self._state
        if name == SCAN:
            state.refresh()
        elif name == SCRIPT:
            state.navigate("new_script")
        elif name == FIX:
            leads_on = state.report is not None and state.compat is not None and has_ways(state.report, state.compat)
            state.navigate("ways_on" if leads_on else "compatibility")
        elif name == PROVE:
            state.navigate("compatibility", {PROVE: True})

    def _show_environments(self) -> None:
        report = self._state.report
        if report is None:
            return
        background = self._state.background
        chosen = self._state.environment.executable if self._state.environment is not None else None
        self.environments.show_environments(
            report.environments,
            self._state.verdicts,
            chosen,
            is_searching=background.is_busy("environments") or background.is_busy("survey"),
            is_told=not report.is_cards_alone,
        )

    def _show_title(self) -> None:
        report = self._state.report
        subtitle = ""
        if report is not None and not self._state.is_recorded:
            subtitle = self.tr("Updated {time}").format(time=clock_text(report.taken_at))
        self.set_title(self.tr("Overview"), subtitle)

    def _show_ages(self) -> None:
        report = self._state.report
        if report is not None:
            self.cards.take(set(), self._context(report))
            self.cards.show_gpus(report.gpus, self._context(report))
            self._show_banner()

    def _take_samples(self, samples: list[Sample]) -> None:
        report = self._state.report
        if report is None:
            return
        changed = self._tracker.take(samples)
        if not self.isVisible():
            return
        if any(len(self._tracker.curve(device)) <= 1 for device in changed):
            self._preload()
        self.cards.take(changed, self._context(report))
        self._show_banner()

    def _silent_s(self, report: SystemReport) -> float | None:
        """Longest silence of a device of this machine, None when all answer."""
        ages = []
        for gpu in report.gpus:
            readings = self._tracker.readings(str(gpu.index))
            if readings.said is Liveness.SILENT:
                ages.append(self._state.workbench.clock.now() - readings.read_at if readings.read_at else 3.0)
        return max(ages, default=None)

    def _context(self, report: SystemReport) -> CardContext:
        return CardContext(
            language=self._state.language,
            drivers={driver.vendor: driver.version for driver in report.drivers if driver.version},
            compat=self._state.compat,
            now=self._state.workbench.clock.now(),
            is_recorded=self._state.is_recorded,
            host_memory=report.host.memory,
        )

    def _forget(self) -> None:
        self._tracker.clear()
        self._show_all()

    def _preload(self) -> None:
        """Begin with the readings that came before the page was opened."""
        report = self._state.report
        if report is None:
            return
        history = self._state.sampling.history
        for gpu in report.gpus:
            key = DeviceKey(report.machine_id, str(gpu.index))
            newest = history.newest_s(key, Metric.UTILIZATION_PCT)
            if newest is not None:
                series = history.series(key, Metric.UTILIZATION_PCT, newest - CURVE_S)
                self._tracker.preload(str(gpu.index), zip(series.times, series.values, strict=True))
        self._tracker.take(self._state.latest.values())

    def _summary(self) -> str:
        report = self._state.report
        rows = self._rows.rows(report) if report is not None else ()
        shown = self.banner.shown
        return summary_text(shown.word, shown.sentence, [card.facts for card in self.cards.cards], rows, shown.meta)

    def _fill_clipboard_text(self) -> None:
        self._copy.set_copied_text(self._summary())

    def _ask_for_machine(self) -> None:
        self._state.background.run("machine menu", lambda _: list_shipped_machines(), self._show_machines)

    def _show_machines(self, machines: tuple[ShippedMachine, ...]) -> None:
        menu = MachineMenu(self._state, machines, self)
        menu.popup(self.empty.mapToGlobal(QPoint(self.empty.width() // 2, 40)))

    @override
    def on_enter(self, arguments: Mapping[str, object]) -> None:
        self._preload()
        self._show_all()
        self._timer.start()

    @override
    def on_leave(self) -> None:
        self._timer.stop()

    @override
    def on_width_changed(self) -> None:
        self.cards.set_narrow(is_narrow=self.is_narrow)
        self.banner.set_narrow(is_narrow=self.is_narrow)
        self._arrange()
