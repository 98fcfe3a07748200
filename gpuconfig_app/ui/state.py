"""What the window knows: the machine, the verdict, the settings; pages react to its signals and never fetch.

All slow work goes through ``background``; this class lives on the window's thread and only keeps the newest results.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.finding import CompatReport, Severity
from gpuconfig_app.core.messages import Language, LocalText, Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.sample import DeviceKey, Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.storage.settings import save_settings
from gpuconfig_app.telemetry.alarms import AlarmEvent
from gpuconfig_app.telemetry.event_list import EventList
from gpuconfig_app.ui.background import Background
from gpuconfig_app.ui.live_sampling import LiveSampling, devices_of, limits_of, merged
from gpuconfig_app.ui.notice import Notice, notice_of_error
from gpuconfig_app.ui.question import Question, judge, verdicts_of, with_environments
from gpuconfig_app.ui.telemetry_bridge import TelemetryBridge
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.machine import OpenMachine

logger = logging.getLogger(__name__)
SURVEY = "survey"
ENVIRONMENTS = "environments"
CHECK = "check"
VERDICTS = "verdicts"


class AppState(QObject):
    """State of the window.

    Attributes:
        workbench: The verbs; call them in ``background`` only.
        background: Runs jobs.
        sampling: Live readings and their history.
        question: What ``compat`` is the verdict of.
        latest: Newest sample of each device of the open machine.
        verdicts: Verdict by interpreter, for the table of environments.
        events: Alarms of the open machine.
        drafts: What must survive a rebuild of the pages (language change), by page id.

    Signals:
        machine_changed(): Another machine is opened; its report may still be on the way.
        report_changed(object): ``SystemReport`` of the open machine.
        compat_changed(object): ``CompatReport`` of the chosen environment, None while it is being made.
        verdicts_changed(): ``verdicts`` has news.
        samples_arrived(object): ``list[Sample]`` of the open machine.
        alarms_changed(): An alarm began or ended; ``events`` has it.
        settings_changed(object): ``Settings``.
        busy_changed(str, bool): A topic of background work started or ended.
        notice_posted(object): ``Notice`` for the message bar.
        navigation_requested(str, object): Page id and a mapping of arguments.
    """

    machine_changed = Signal()
    report_changed = Signal(object)
    compat_changed = Signal(object)
    verdicts_changed = Signal()
    samples_arrived = Signal(object)
    alarms_changed = Signal()
    settings_changed = Signal(object)
    busy_changed = Signal(str, bool)
    notice_posted = Signal(object)
    navigation_requested = Signal(str, object)

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.background = Background(self)
        self.bridge = TelemetryBridge(self)
        self.sampling = LiveSampling(workbench.clock, self.bridge.put)
        self.settings, self._settings_problem = workbench.settings()
        self._settings_lock = threading.Lock()
        self.machine_name: str | None = None
        self.machine: OpenMachine | None = None
        self.environment: PythonEnvironment | None = None
        self.compat: CompatReport | None = None
        self.question = Question()
        self.latest: dict[DeviceKey, Sample] = {}
        self.verdicts: dict[str, CompatReport] = {}
        self.events = EventList()
        self.drafts: dict[str, Any] = {}  # Any: each page keeps its own kind of draft
        self.background.busy_changed.connect(self.busy_changed)
        self.background.failed.connect(self._report_failure)
        self.bridge.samples_arrived.connect(self._take_samples)

    @property
    def report(self) -> SystemReport | None:
        """What is known of the open machine, None while it is surveyed for the first time."""
        return self.machine.report if self.machine is not None else None

    @property
    def is_recorded(self) -> bool:
        """Whether a recorded machine is open."""
        return self.machine_name is not None

    @property
    def language(self) -> Language:
        """Language of sentences; set by ``ui.language``."""
        return self._language

    _language = Language.ENGLISH

    def set_language(self, language: Language) -> None:
        """Take over the language that is shown; the pages are rebuilt by the window."""
        self._language = language

    def text(self, text: Message | LocalText | None) -> str:
        """Give a sentence in the shown language; empty for None."""
        if text is None:
            return ""
        if isinstance(text, LocalText):
            return text.in_language(self._language)
        return self.workbench.texts.render(text, self._language)

    def start(self, machine_name: str | None = None) -> None:
        """Open the first machine and begin; called once, after the first paint."""
        self.bridge.start()
        if self._settings_problem is not None:
            self.post(Notice("settings", Severity.WARNING, self._settings_problem))
        self.select_machine(machine_name)

    def stop(self) -> None:
        """End everything without waiting; called when the window closes."""
        self.bridge.stop()
        self.sampling.stop()
        self.background.cancel_all()

    def select_machine(self, name: str | None) -> None:
        """Open a recorded machine by folder or shipped name, or this machine (None)."""
        for topic in (SURVEY, ENVIRONMENTS, CHECK, VERDICTS):
            self.background.cancel(topic)  # what is still said of the former machine must not come into this one
        self.machine_name, self.machine, self.environment, self.compat = name, None, None, None
        self.question = Question()
        self.latest, self.verdicts, self.events = {}, {}, EventList()
        self.sampling.stop()
        self.machine_changed.emit()
        self.compat_changed.emit(None)
        self.refresh()

    def refresh(self) -> None:
        """Look at the machine again: cards first, Python environments after."""
        name = self.machine_name
        self.background.run(
            SURVEY,
            lambda control: self.workbench.open_machine(name, control, include_environments=False),
            self._take_cards,
            self._survey_failed,
        )

    def select_python(self, executable: str) -> None:
        """Judge another environment from now on; the choice is kept for this machine only."""
        if not self.is_recorded:
            self.update_settings(python=executable)
        self.check(executable)

    def check(self, executable: str | None = None, *, question: Question | None = None) -> None:
        """Ask for the verdict again.

        Args:
            executable: Environment to judge; None takes the chosen one.
            question: What to judge in it; None asks as before, in another environment for what is installed.
        """
        machine = self.machine
        if machine is None:
            return
        self.question = asked = self.question.followed_by(question, executable, self.environment)
        workbench, is_chosen_now = self.workbench, executable is not None
        self.background.run(
            CHECK,
            lambda _: judge(workbench, machine.report, asked, is_chosen_now=is_chosen_now),
            self._take_verdict,
        )

    def judge_as_installed(self) -> None:
        """End the choice of a release and of cards: the verdict is again that of what is installed, on all cards."""
        plain = self.question.as_installed()
        if plain == self.question:
            return
        self.compat = None  # the answer to the other question must not stand for the machine
        self.compat_changed.emit(None)
        self.check(question=plain)

    def update_settings(self, **changes: Any) -> None:  # Any: each setting has its own type
        """Change settings and write them at once; a failing write is told and the change still holds."""
        before = self.settings
        self.settings = replace(self.settings, **changes)
        if self.settings == before:
            return
        self.background.run("settings", lambda _: self._write_settings(), lambda _: None)
        self.sampling.set_intervals(self.settings)
        self.settings_changed.emit(self.settings)

    def _write_settings(self) -> None:
        """Write the newest settings, in a thread; whichever of several threads comes last writes them too."""
        with self._settings_lock:
            save_settings(self.workbench.places, self.settings)

    def navigate(self, page_id: str, arguments: Mapping[str, object] | None = None) -> None:
        """Ask the window to show a page."""
        self.navigation_requested.emit(page_id, dict(arguments or {}))

    def post(self, notice: Notice) -> None:
        """Show a line in the message bar."""
        self.notice_posted.emit(notice)

    def post_error(self, topic: str, error: Exception) -> None:
        """Show an error in the message bar; details are in the log."""
        if not isinstance(error, GpuConfigError):
            logger.error("%s failed", topic, exc_info=error)
        self.post(notice_of_error(topic, error))

    def _take_cards(self, machine: OpenMachine) -> None:
        former = devices_of(self.report)
        kept = self.machine.report.environments if self.machine is not None else ()
        if not machine.is_recorded and kept:
            machine = replace(machine, report=replace(machine.report, environments=kept))
        self.machine = machine
        if former != devices_of(machine.report):
            self.events = EventList(limits_of(machine.report))
            self.question = replace(self.question, devices=None)
            self.sampling.open(machine, self.settings, keeps_history=former is not None)
        self.report_changed.emit(machine.report)
        if machine.is_recorded:
            self._after_environments()
        else:
            self.background.run(
                ENVIRONMENTS,
                self.workbench.find_environments,
                self._take_environments,
            )

    def _take_environments(self, found: SystemReport) -> None:
        if self.machine is None:
            return
        self.machine = replace(self.machine, report=with_environments(self.machine.report, found))
        self.report_changed.emit(self.machine.report)
        self._after_environments()

    def _after_environments(self) -> None:
        self.check()
        machine, workbench = self.machine, self.workbench
        if machine is not None:
            report = machine.report
            self.background.run(VERDICTS, lambda control: verdicts_of(workbench, report, control), self._take_verdicts)

    def _take_verdict(self, answer: tuple[PythonEnvironment | None, CompatReport]) -> None:
        self.environment, self.compat = answer
        self.question = self.question.settled_on(self.environment)
        self.compat_changed.emit(self.compat)

    def _take_verdicts(self, verdicts: dict[str, CompatReport]) -> None:
        self.verdicts = verdicts
        self.verdicts_changed.emit()

    def _take_samples(self, samples: list[Sample]) -> None:
        report = self.report
        if report is None:
            return
        ours = [sample for sample in samples if sample.key.machine == report.machine_id]
        alarms: list[AlarmEvent] = []
        for sample in ours:
            self.latest[sample.key] = merged(self.latest.get(sample.key), sample)
            alarms.extend(self.events.add(sample))
        if ours:
            self.samples_arrived.emit(ours)
        if alarms:
            self.alarms_changed.emit()

    def _survey_failed(self, error: Exception) -> None:
        self.post_error(SURVEY, error)
        if self.machine_name is not None and self.machine is None:
            self.select_machine(None)

    def _report_failure(self, topic: str, error: Exception) -> None:
        self.post_error(topic or "work", error)
