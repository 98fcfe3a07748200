"""What the frame of the window shows of the state: machine chooser, recorded bar, sampling line, marks of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gpuconfig_app.core.finding import Verdict
from gpuconfig_app.core.sample import Liveness, Sample
from gpuconfig_app.ui.card_tracker import CardTracker
from gpuconfig_app.ui.card_words import age_text, cards_in_words, clock_text, date_text, usable_count
from gpuconfig_app.ui.widgets.sampling_line import LIVE, RECORDED, SILENT, WAITING
from gpuconfig_app.workbench.machine import ShippedMachine, list_shipped_machines

if TYPE_CHECKING:
    from gpuconfig_app.ui.rail import Rail
    from gpuconfig_app.ui.state import AppState
    from gpuconfig_app.ui.widgets.recorded_bar import RecordedBar

_LOOK_MS = 1000
_TROUBLED = {Verdict.BLOCKED: "blocked", Verdict.CPU_ONLY: "warning"}


class WindowFacts(QObject):
    """Watches the state for the frame.

    Signals:
        changed(): Something the frame shows has changed.
    """

    changed = Signal()

    def __init__(self, state: AppState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._machines: tuple[ShippedMachine, ...] = ()
        self._tracker = CardTracker()
        self._has_samples = False
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.changed)
        state.machine_changed.connect(self._forget)
        state.report_changed.connect(self.changed)
        state.compat_changed.connect(self.changed)
        state.settings_changed.connect(self.changed)
        state.samples_arrived.connect(self._take_samples)
        state.background.run("machines", lambda _: list_shipped_machines(), self._take_machines)

    def show_in(self, rail: Rail, recorded: RecordedBar) -> None:
        """Show everything."""
        state = self._state
        title = self._title()
        rail.chooser.set_machines(tuple((item.name, state.text(item.title)) for item in self._machines))
        rail.chooser.show_machine(title, self._contents())
        recorded.setVisible(state.is_recorded)
        if title is not None:
            taken_at = state.report.taken_at if state.report is not None else 0.0
            recorded.show_machine(title, date_text(taken_at, state.language) if taken_at else "")
        rail.sampling.show_state(*self._sampling())
        verdict = state.compat.verdict if state.compat is not None else None
        rail.set_severity("compatibility", _TROUBLED.get(verdict, "") if verdict is not None else "")

    def _title(self) -> str | None:
        state = self._state
        if not state.is_recorded:
            return None
        if state.machine is not None and state.machine.title is not None:
            return state.text(state.machine.title)
        return (state.machine_name or "").rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]

    def _contents(self) -> str:
        report = self._state.report
        if report is None:
            return self.tr("Looking…")
        if not report.gpus:
            return self.tr("No GPU")
        usable = usable_count(report.gpus)
        if usable < len(report.gpus):
            return self.tr("{usable} of {total} usable").format(usable=usable, total=len(report.gpus))
        return cards_in_words(report.gpus) or self.tr("%n GPU(s)", "", len(report.gpus))

    def _sampling(self) -> tuple[str, str]:
        state = self._state
        report = state.report
        if report is None:
            return WAITING, self.tr("Looking…")
        if state.is_recorded:
            return RECORDED, self.tr("Recorded {date}").format(date=date_text(report.taken_at, state.language))
        if usable_count(report.gpus) == 0:
            return LIVE, self.tr("Scanned {time}").format(time=clock_text(report.taken_at))
        silent_s = self._silent_for_s()
        if silent_s is not None:
            return SILENT, self.tr("No answer for {age}").format(age=age_text(silent_s, state.language))
        if state.sampling.is_paused:
            return WAITING, self.tr("Paused")
        if not state.latest:
            return WAITING, self.tr("Asking the driver…")
        return LIVE, self.tr("Live · every {seconds} s").format(seconds=f"{state.settings.sampling_interval_s:g}")

    def _silent_for_s(self) -> float | None:
        """Longest silence of a device that does not answer, None when all do."""
        now = self._state.workbench.clock.now()
        ages = []
        for key in self._state.latest:
            readings = self._tracker.readings(key.device)
            if readings.said is Liveness.SILENT:
                ages.append(now - readings.read_at if readings.read_at is not None else 0.0)
        return max(ages, default=None)

    def _take_samples(self, samples: list[Sample]) -> None:
        had_samples, self._has_samples = self._has_samples, True
        before = self._silent_for_s() is not None
        self._tracker.take(samples)
        is_silent = self._silent_for_s() is not None
        if is_silent and not self._timer.isActive():
            self._timer.start()
        elif not is_silent:
            self._timer.stop()
        if is_silent != before or not had_samples:
            self.changed.emit()

    def _take_machines(self, machines: tuple[ShippedMachine, ...]) -> None:
        self._machines = machines
        self.changed.emit()

    def _forget(self) -> None:
        self._tracker.clear()
        self._has_samples = False
        self._timer.stop()
        self.changed.emit()
