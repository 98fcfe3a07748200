"""A state of the window without a workbench: tests set what it knows and see what it was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpuconfig_app.core.finding import (
    CompatReport,
    Confidence,
    Finding,
    Fix,
    Outcome,
    Proven,
    Requirement,
    Severity,
    Source,
    Verdict,
)
from gpuconfig_app.core.gpu import Gpu, GpuProcess, GpuState, PcieLink, Vendor
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Language, LocalText, Message
from gpuconfig_app.core.python_environment import EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.core.system import (
    BackendState,
    BackendStatus,
    CpuInfo,
    Disk,
    DiskKind,
    DriverInfo,
    HostInfo,
    MemoryInfo,
    OsFamily,
    OsInfo,
    SystemReport,
)
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.storage.settings import Settings
from gpuconfig_app.telemetry.event_list import EventList
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.notice import Notice, notice_of_error
from gpuconfig_app.ui.question import Question
from gpuconfig_app.workbench.machine import OpenMachine
from gpuconfig_app.workbench.text import load_texts
from tests.fakes import FakeClock

NOW = 1_795_000_000.0
SAID = "test.said"  # a made-up sentence: its parameter "text" is what is shown


class FakeBackground(QObject):
    """Runs nothing by itself; tests look at what was asked and let a job happen with ``finish``."""

    busy_changed = Signal(str, bool)
    failed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.busy: set[str] = set()
        self.jobs: dict[str, tuple[Any, ...]] = {}

    def run(self, topic: str, *job: Any, **__: object) -> None:
        self.asked.append(topic)
        self.jobs[topic] = job

    def finish(self, topic: str) -> None:
        """Do the newest job of a topic now, as the thread would."""
        work, on_done, *others = self.jobs.pop(topic)
        try:
            result = work(JobControl())
        except Exception as error:  # noqa: BLE001  # the same border as the real one
            if others and others[0] is not None:
                others[0](error)
            else:
                self.failed.emit(topic, error)
            return
        on_done(result)

    def cancel(self, topic: str) -> None:
        self.busy.discard(topic)

    def is_busy(self, topic: str) -> bool:
        return topic in self.busy


class FakeSampling:
    """A history that tests fill; pausing is only remembered."""

    def __init__(self) -> None:
        self.history = History()
        self.is_paused = False

    def set_paused(self, is_paused: bool) -> None:  # as the real one
        self.is_paused = is_paused


class FakeState(QObject):
    """Stands in for ``AppState``."""

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

    def __init__(self, places: object = None) -> None:
        super().__init__()
        self.clock = FakeClock(now=NOW)
        self.workbench = SimpleNamespace(clock=self.clock, texts=load_texts(), places=places)
        self.background = FakeBackground()
        self.sampling = FakeSampling()
        self.events = EventList()
        self.settings = Settings()
        self.language = Language.ENGLISH
        self.machine_name: str | None = None
        self.machine: OpenMachine | None = None
        self.environment: PythonEnvironment | None = None
        self.compat: CompatReport | None = None
        self.question = Question()
        self.latest: dict[DeviceKey, Sample] = {}
        self.verdicts: dict[str, CompatReport] = {}
        self.drafts: dict[str, Any] = {}
        self.calls: list[tuple[str, Any]] = []

    @property
    def report(self) -> SystemReport | None:
        return self.machine.report if self.machine is not None else None

    @property
    def is_recorded(self) -> bool:
        return self.machine_name is not None

    def text(self, text: Message | LocalText | None) -> str:
        if text is None:
            return ""
        if isinstance(text, LocalText):
            return text.in_language(self.language)
        if text.id == SAID:
            return str(text.params["text"])
        return self.workbench.texts.render(text, self.language)

    def set_language(self, language: Language) -> None:
        self.language = language

    def start(self, machine_name: str | None = None) -> None:
        self.calls.append(("start", machine_name))

    def stop(self) -> None:
        self.calls.append(("stop", None))

    def select_machine(self, name: str | None) -> None:
        self.calls.append(("select_machine", name))

    def refresh(self) -> None:
        self.calls.append(("refresh", None))

    def select_python(self, executable: str) -> None:
        self.calls.append(("select_python", executable))

    def check(self, executable: str | None = None, *, question: Question | None = None) -> None:
        self.calls.append(("check", executable))
        self.question = question or self.question

    def judge_as_installed(self) -> None:
        self.calls.append(("judge_as_installed", None))
        self.question = self.question.as_installed()

    def update_settings(self, **changes: Any) -> None:
        self.calls.append(("update_settings", changes))
        self.settings = replace(self.settings, **changes)
        self.settings_changed.emit(self.settings)

    def navigate(self, page_id: str, arguments: Mapping[str, object] | None = None) -> None:
        self.calls.append(("navigate", (page_id, dict(arguments or {}))))
        self.navigation_requested.emit(page_id, dict(arguments or {}))

    def post(self, notice: Notice) -> None:
        self.notice_posted.emit(notice)

    def post_error(self, topic: str, error: Exception) -> None:
        self.post(notice_of_error(topic, error))

    def show(
        self,
        report: SystemReport | None,
        compat: CompatReport | None = None,
        *,
        environment: PythonEnvironment | None = None,
        verdicts: Mapping[str, CompatReport] | None = None,
        recorded: LocalText | None = None,
    ) -> None:
        """Open a machine with everything that is known of it, as the real state does after its survey."""
        name = "lab" if recorded is not None else None
        self.machine_name = name
        self.machine = OpenMachine(report, name, recorded) if report is not None else None
        self.environment, self.compat, self.verdicts = environment, compat, dict(verdicts or {})
        self.question = Question()
        self.machine_changed.emit()
        if report is not None:
            self.report_changed.emit(report)
        self.compat_changed.emit(compat)
        self.verdicts_changed.emit()

    def give(self, samples: list[Sample]) -> None:
        """Deliver samples, with the alarms they raise."""
        alarms = []
        for sample in samples:
            self.latest[sample.key] = sample
            alarms.extend(self.events.add(sample))
        self.samples_arrived.emit(samples)
        if alarms:
            self.alarms_changed.emit()


def make_gpu(index: int = 0, **changes: Any) -> Gpu:
    """A healthy RTX 4090."""
    gpu = Gpu(
        index=index,
        vendor=Vendor.NVIDIA,
        name="NVIDIA GeForce RTX 4090",
        memory_total_bytes=24564 * MIB,
        memory_used_bytes=18 * GIB,
        compute_capability="8.9",
        pcie=PcieLink(max_generation=4, max_width=16),
        power_limit_w=450.0,
        temperature_slowdown_c=90,
        processes=(GpuProcess(pid=48213, name="python train.py", user="you", memory_used_bytes=18 * GIB),),
    )
    return replace(gpu, **changes)


def make_report(gpus: tuple[Gpu, ...] = (), **changes: Any) -> SystemReport:
    """A workstation with these cards."""
    report = SystemReport(
        machine_id="this",
        taken_at=NOW,
        host=HostInfo(
            os=OsInfo(family=OsFamily.LINUX, name="Ubuntu 24.04 LTS", kernel="6.8.0-49-generic"),
            cpu=CpuInfo(
                name="AMD Ryzen Threadripper PRO 5965WX 24-Cores", physical_cores=24, logical_cores=48,
                usable_threads=48, flags=("avx", "avx2", "fma"),
            ),
            memory=MemoryInfo(total_bytes=128 * GIB, available_bytes=96 * GIB),
            disks=(Disk(mount="/", kind=DiskKind.NVME, total_bytes=2 * 10**12, free_bytes=1_210 * 10**9),),
        ),
        gpus=gpus,
        drivers=(DriverInfo(vendor=Vendor.NVIDIA, version="580.126.09", cuda_version="13.0"),) if gpus else (),
        backends=(
            BackendStatus(
                vendor=Vendor.NVIDIA, state=BackendState.READY if gpus else BackendState.NOT_PRESENT, source="nvml"
            ),
            BackendStatus(vendor=Vendor.AMD, state=BackendState.NOT_PRESENT),
            BackendStatus(vendor=Vendor.HUAWEI, state=BackendState.NOT_PRESENT),
        ),
        environments=make_environments(),
    )  # fmt: skip
    return replace(report, **changes)


def make_environments() -> tuple[PythonEnvironment, ...]:
    """Five environments of different kinds."""
    return (
        _environment("~/tf/.venv", "3.12.8", "2.21.0"),
        _environment("~/miniconda3/envs/keras", "3.11.9", "2.17.0", EnvironmentKind.CONDA),
        _environment("~/work/ocr/.venv", "3.11.9", "2.21.0"),
        _environment("/usr", "3.12.3", None, EnvironmentKind.SYSTEM),
        _environment("~/old/.venv", "3.8.10", "2.10.0"),
    )


def make_compat(verdict: Verdict = Verdict.READY, **changes: Any) -> CompatReport:
    """A verdict with the parts that belong to it."""
    finding = make_finding() if verdict is Verdict.BLOCKED else None
    compat = CompatReport(
        verdict=verdict,
        outcome=Outcome.NATIVE if verdict is Verdict.READY else Outcome.GPU_FAILS,
        confidence=Confidence.HIGH,
        proven=Proven.TRUE if verdict is Verdict.READY else Proven.FALSE,
        primary=finding,
        findings=(finding,) if finding else (),
        requirements=make_requirements(),
        tensorflow="2.21.0",
        python="~/tf/.venv/bin/python",
        python_version="3.12.8",
        gpu_indexes=(0, 1) if verdict is Verdict.READY else (),
    )
    return replace(compat, **changes)


def make_finding(severity: Severity = Severity.BLOCKED) -> Finding:
    """The cuDNN case with its fix."""
    return Finding(
        code="CUDNN_SHADOWED",
        severity=severity,
        title=LocalText("An older cuDNN is loaded first", "先加载了较旧的 cuDNN"),
        text=LocalText(
            "TensorFlow 2.21.0 needs cuDNN 9.3 or later, but LD_LIBRARY_PATH leads to 9.1.0. Convolutions fail.",
            "TensorFlow 2.21.0 需要 cuDNN 9.3 或更高版本，但 LD_LIBRARY_PATH 指向 9.1.0，卷积会失败。",
        ),
        fixes=(
            Fix(
                text=LocalText("leave the system folder out, in this shell", "在此终端中移除系统目录"),
                commands=("unset LD_LIBRARY_PATH",),
                changes=LocalText("Nothing is installed.", "不安装任何内容。"),
            ),
        ),
        source=Source(title="TensorFlow, tested build configurations", checked_on="2026-11-30"),
    )


def make_requirements() -> tuple[Requirement, ...]:
    """Rows that hold, fail and are not needed."""
    fits = Message("core.not-text", {"path": "fits"})
    return (
        Requirement(id="driver", severity=Severity.GOOD, verdict=fits),
        Requirement(id="cuda_libraries", severity=Severity.GOOD, verdict=fits),
        Requirement(id="cudnn", severity=Severity.BLOCKED, verdict=fits),
        Requirement(id="python", severity=Severity.GOOD, verdict=fits),
        Requirement(id="toolkit", severity=Severity.NEUTRAL, verdict=fits),
    )


def make_sample(index: int = 0, seconds: float = 0.0, **changes: Any) -> Sample:
    """A busy card."""
    sample = Sample(
        key=DeviceKey("this", str(index)),
        taken_at=NOW + seconds,
        monotonic_s=1000.0 + seconds,
        values={
            Metric.UTILIZATION_PCT: 97.0 - (index * 3 + seconds * 7) % 9,
            Metric.MEMORY_USED_BYTES: 18.6 * GIB,
            Metric.TEMPERATURE_C: 67.0,
            Metric.POWER_W: 402.0,
        },
        throttle_reasons=(),
    )
    return replace(sample, **changes)


def make_minute(index: int = 0) -> list[Sample]:
    """A minute of samples, one a second."""
    return [make_sample(index, float(second)) for second in range(60)]


def make_silence(index: int = 0, seconds: float = 60.0, liveness: Liveness = Liveness.STALE) -> Sample:
    """What the sampler sends when a device stops answering."""
    return make_sample(index, seconds, values={}, liveness=liveness, throttle_reasons=None)


def lost_gpu(index: int) -> Gpu:
    """A card that fell off the bus."""
    return make_gpu(index, state=GpuState.LOST, memory_used_bytes=None, processes=None)


def _environment(
    prefix: str, python: str, tensorflow: str | None, kind: EnvironmentKind = EnvironmentKind.VENV
) -> PythonEnvironment:
    packages = {"tensorflow": tensorflow, "nvidia-cudnn-cu12": "9.10.2.21"} if tensorflow else {}
    executable = f"{prefix}/bin/python"
    return PythonEnvironment(executable=executable, prefix=prefix, kind=kind, python_version=python, packages=packages)
