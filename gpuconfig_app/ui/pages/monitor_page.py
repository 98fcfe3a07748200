"""Live graphs of every card on one time axis, its processes, and what happened lately.

One card gets four tall panels, up to eight a row each, more a strip with the selected rows in full below.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.sample import DeviceKey, Metric
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.units import GIB, format_duration
from gpuconfig_app.telemetry.alarms import AlarmKind
from gpuconfig_app.ui.alarm_notices import EVERYDAY
from gpuconfig_app.ui.card_words import cards_in_words
from gpuconfig_app.ui.messages import split_lead
from gpuconfig_app.ui.models.process_model import ProcessRow, process_rows
from gpuconfig_app.ui.monitor_export import MonitorExport
from gpuconfig_app.ui.monitor_rows import graph_rows
from gpuconfig_app.ui.page import Page
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.empty_state import WayOn, WaysOn
from gpuconfig_app.ui.widgets.event_card import EventCard, EventShown
from gpuconfig_app.ui.widgets.graph_rows import GraphColumn, GraphRow
from gpuconfig_app.ui.widgets.graph_stack import GraphStack
from gpuconfig_app.ui.widgets.process_card import ProcessCard
from gpuconfig_app.ui.widgets.segmented import SegmentedControl
from gpuconfig_app.workbench.processes import end_process, own_processes

_SPANS = {"60": 60.0, "600": 600.0, "3600": 3600.0, "21600": 21600.0, "86400": 86400.0}
_DRAFT = "monitor"
_REDRAW_MS = 250


class MonitorPage(Page):
    """Graphs, processes, events.

    Args:
        state: State of the window.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__()
        self._state = state
        self._own: dict[int, float] | None = {}
        self._seen_pids: frozenset[int] = frozenset()
        self._columns = self._graph_columns()
        self._draft = state.drafts.setdefault(_DRAFT, {"span": "600"})
        self._timer = QTimer(self)
        self._timer.setInterval(_REDRAW_MS)
        self._timer.timeout.connect(self._redraw)
        self._export = MonitorExport(state, self)
        self._add_buttons()
        self._graphs = GraphStack(state.workbench.clock, self._columns)
        self._card = Card(padding=1)
        self._card.body.addWidget(self._graphs)
        self.body.addWidget(self._card)
        self._processes = ProcessCard()
        self._processes.end_asked.connect(self._end_process)
        self._events = EventCard()
        self._lower = QWidget()
        row = QHBoxLayout(self._lower)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(self._processes, 5, Qt.AlignmentFlag.AlignTop)
        side = QVBoxLayout()
        side.addWidget(self._events)
        side.addStretch(1)
        row.addLayout(side, 2)
        self.body.addWidget(self._lower)
        self._empty = QWidget()
        self._empty_column = QVBoxLayout(self._empty)
        self._empty_column.setContentsMargins(0, 0, 0, 0)
        self.body.addWidget(self._empty)
        self.body.addStretch(1)
        state.report_changed.connect(self._show_machine)
        state.machine_changed.connect(self._begin_pause)
        state.machine_changed.connect(self._show_machine)
        state.samples_arrived.connect(self._show_samples)
        state.alarms_changed.connect(self._show_alarms)
        state.settings_changed.connect(self._show_machine)
        self._show_machine()

    def _graph_columns(self) -> tuple[GraphColumn, ...]:
        return (
            GraphColumn(Metric.UTILIZATION_PCT, self.tr("Utilisation"), "%", "metric.util"),
            GraphColumn(Metric.MEMORY_USED_BYTES, self.tr("Memory"), "GiB", "metric.memory", GIB, 1),
            GraphColumn(Metric.TEMPERATURE_C, self.tr("Temperature"), "°C", "metric.temp"),
            GraphColumn(Metric.POWER_W, self.tr("Power"), "W", "metric.power"),
        )

    def _add_buttons(self) -> None:
        self._spans = SegmentedControl(self._span_choices())
        self._spans.setObjectName("spans")
        self._spans.setAccessibleName(self.tr("Stretch of time"))
        self._spans.set_value(self._draft["span"])
        self._spans.chosen.connect(self._choose_span)
        self._pause = Button("", OUTLINED, "pause", on_click=self._toggle_pause)
        self._pause.setObjectName("pause")
        self.buttons.addWidget(self._spans)
        self.buttons.addWidget(self._pause)
        self.buttons.addWidget(self._export.button)

    def _span_choices(self) -> list[tuple[str, str]]:
        names = (
            ("60", self.tr("1 min")),
            ("600", self.tr("10 min")),
            ("3600", self.tr("1 h")),
            ("21600", self.tr("6 h")),
            ("86400", self.tr("24 h")),
        )
        kept = self._state.settings.history_hours * 3600
        return [item for item in names if _SPANS[item[0]] <= max(kept, 3600.0)]

    def _choose_span(self, value: str) -> None:
        self._draft["span"] = value
        self._graphs.set_span(_SPANS[value], self._state.settings.sampling_interval_s)

    def _toggle_pause(self) -> None:
        sampling = self._state.sampling
        sampling.set_paused(not sampling.is_paused)
        self._begin_pause()
        self._show_pause()

    def _begin_pause(self) -> None:
        """Keep the moment that is shown; another machine is held where it was opened."""
        self._draft["paused_s"] = self._state.workbench.clock.monotonic() if self._state.sampling.is_paused else None

    def _show_pause(self) -> None:
        is_paused = self._state.sampling.is_paused
        self._pause.setText(self.tr("Go on") if is_paused else self.tr("Pause"))
        self._pause.set_icon_name("play" if is_paused else "pause")
        self._graphs.set_frozen(self._draft.get("paused_s") if is_paused else None)

    def _show_machine(self) -> None:
        report = self._state.report
        has_cards = report is not None and bool(report.gpus)
        interval = self._state.settings.sampling_interval_s
        cards = cards_in_words(report.gpus) if report is not None else ""
        self.set_title(self.tr("Monitor"), f"{cards} · {self._pace()}" if cards else "")
        self._card.setVisible(has_cards)
        self._lower.setVisible(has_cards)
        self._empty.setVisible(report is not None and not has_cards)
        for widget in (self._spans, self._pause, self._export.button):
            widget.setVisible(has_cards)
        self._spans.set_choices(self._span_choices())
        self._graphs.set_span(_SPANS[self._spans.value], interval)
        self._show_pause()
        if report is not None and not has_cards:
            self._show_empty()
        self._show_samples()
        self._show_alarms()

    def _pace(self) -> str:
        machine = self._state.machine
        if machine is None or not machine.is_recorded:
            return self.tr("every {n} s").format(n=f"{self._state.settings.sampling_interval_s:g}")
        times = [sample.taken_at for sample in machine.samples]
        if not times:
            return self.tr("the recording has no readings over time")
        length_s = max(times) - min(times)
        if length_s <= 0:
            return self.tr("one look that was recorded")
        return self.tr("a recording of {time}, played in a loop").format(time=format_duration(length_s))

    def _show_empty(self) -> None:
        while (item := self._empty_column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        ways = (
            WayOn(
                "shield-check",
                self.tr("Why is no GPU seen?"),
                self.tr("The page Compatibility says what was looked at and what is missing."),
                self.tr("See why"),
                "arrow-right",
                partial(self._state.navigate, "compatibility"),
            ),
            WayOn(
                "history",
                self.tr("Look at a recorded machine"),
                self.tr("Graphs and all pages also work on a recorded machine."),
                self.tr("Open an example"),
                "arrow-right",
                partial(self._state.select_machine, "training-2x4090"),
            ),
        )
        self._empty_column.addWidget(WaysOn(ways))

    def _rows(self, report: SystemReport) -> tuple[GraphRow, ...]:
        return graph_rows(report, self._state.latest, self._state.events, self._state.text)

    def _show_samples(self) -> None:
        report = self._state.report
        if report is None or not report.gpus or not self.isVisible():
            return
        self._graphs.show_rows(self._state.sampling.history, self._rows(report))
        rows = process_rows(self._state.latest, self._own)
        self._processes.show_rows(rows, self._why_no_processes())
        self._look_for_own(frozenset(row.process.pid for row in rows))

    def _look_for_own(self, pids: frozenset[int]) -> None:
        if self._state.is_recorded:
            self._own, self._seen_pids = None, frozenset()
        elif pids != self._seen_pids:
            self._seen_pids = pids
            self._state.background.run("own-processes", lambda _: own_processes(pids), self._take_own)

    def _take_own(self, own: dict[int, float]) -> None:
        self._own = own
        self._show_samples()

    def _why_no_processes(self) -> str:
        samples = self._state.latest.values()
        if self._state.is_recorded and all(sample.processes is None for sample in samples):
            return self.tr("The recording does not say which processes used the GPUs.")
        if any(sample.processes is not None for sample in samples):
            return self.tr("No process uses a GPU now.")
        return self.tr("The driver has not told which processes use the GPUs.")

    def _show_alarms(self) -> None:
        report = self._state.report
        shown = []
        for event in self._state.events.events:
            time = datetime.fromtimestamp(event.taken_at).astimezone().strftime("%H:%M:%S")
            whole = self._state.text(event.message)
            text = f"GPU {event.key.device}: {split_lead(whole)[0]}"
            severity = "blocked" if event.kind in (AlarmKind.LOST, AlarmKind.NO_ANSWER) else "warning"
            shown.append(EventShown(time, text, not event.is_raised, severity, whole))
        self._events.show_events(shown)
        keys = [DeviceKey(report.machine_id, str(gpu.index)) for gpu in report.gpus] if report is not None else []
        raised = {kind for key in keys for kind in self._state.events.raised(key)}
        severity = "blocked" if AlarmKind.LOST in raised else "warning" if raised - EVERYDAY else ""
        self.attention_changed.emit(severity)

    def _end_process(self, row: ProcessRow) -> None:
        self._state.background.run(
            "end-process",
            lambda _: end_process(row.process, row.started_at),
            lambda _: self._state.refresh(),
        )

    def _redraw(self) -> None:
        self._graphs.refresh()

    @override
    def on_enter(self, arguments: Mapping[str, object]) -> None:
        self._timer.start()
        self._show_machine()
        device = arguments.get("device")
        report = self._state.report
        if report is not None and isinstance(device, int | str):
            self._graphs.select([DeviceKey(report.machine_id, str(device))])
        QTimer.singleShot(0, self, self._show_samples)

    @override
    def on_leave(self) -> None:
        self._timer.stop()
