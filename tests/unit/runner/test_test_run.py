from __future__ import annotations

import ast
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.plan import Interval, MemoryPrediction, TrainingPlan
from gpuconfig_app.core.run_result import RunKind, RunState
from gpuconfig_app.core.sample import DeviceKey, Sample
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.runner import test_run as runs
from gpuconfig_app.runner.gpu_memory import GpuPeak
from gpuconfig_app.runner.training import RunRequest, find_runs
from gpuconfig_app.storage.places import Places, user_places
from tests.fakes import FakeClock
from tests.unit.runner.bundles import GOOD, STUBBORN, make_bundle
from tests.unit.telemetry.fake_source import FakeSource, Receiver


@pytest.fixture
def places() -> Places:
    return user_places()


def request_for(folder: Path, body: str, **options: object) -> RunRequest:
    options = {"kind": RunKind.TEST} | options
    return RunRequest(bundle=make_bundle(folder / "bundle", body), python=sys.executable, **options)


def test_a_test_run_waits_for_the_end_and_keeps_its_files_apart(tmp_path: Path, places) -> None:
    body = GOOD + "os.makedirs(options.out)\nopen(os.path.join(options.out, 'model'), 'w').close()\nprint(options)"

    result = runs.test_run(request_for(tmp_path, body), places)

    (record,) = find_runs(places)
    assert result.state is RunState.FINISHED
    assert "steps=20" in result.last_lines[-1]
    assert "smoke=False" in result.last_lines[-1]
    assert (places.runs / record.id / "output" / "model").exists()
    assert sorted(path.name for path in Path(record.bundle).iterdir()) == ["train.py"]
    assert record.time_limit_s == runs.USUAL_LIMIT_S[RunKind.TEST]


def test_a_smoke_run_asks_for_made_up_data_and_compares_nothing(tmp_path: Path, places) -> None:
    plan = TrainingPlan(workload=Workload(), memory=MemoryPrediction(total=Interval(low=1.0, expected=2.0, high=3.0)))

    result = runs.test_run(request_for(tmp_path, GOOD + "print(options.smoke)", kind=RunKind.SMOKE, plan=plan), places)

    assert result.last_lines[-1] == "True"
    assert all(item.predicted is None for item in result.compared)


def test_what_could_not_be_measured_says_why(tmp_path: Path, places) -> None:
    plan = TrainingPlan(workload=Workload(), memory=MemoryPrediction(total=Interval(low=1.0, expected=2.0, high=3.0)))

    result = runs.test_run(request_for(tmp_path, GOOD, plan=plan), places)

    memory = next(item for item in result.compared if item.id == "memory_peak_bytes")
    assert memory.measured is None
    assert memory.is_inside is None
    assert memory.reason.id == "runner.no-memory-count-on-cpu"


def test_cancelling_ends_the_script_and_says_so(tmp_path: Path, places) -> None:
    control = JobControl()
    threading.Timer(0.5, control.cancel).start()

    result = runs.test_run(request_for(tmp_path, STUBBORN), places, control)

    assert result.state is RunState.CANCELLED
    assert result.meaning.id == "runner.stopped"


def test_the_time_limit_of_a_request_counts(tmp_path: Path, places) -> None:
    result = runs.test_run(request_for(tmp_path, "time.sleep(600)", time_limit_s=0.5), places)

    assert result.state is RunState.TIMED_OUT


class ProcessSource(FakeSource):
    """One card whose processes are told by the test."""

    def __init__(self) -> None:
        super().__init__(1)
        self.processes: tuple[GpuProcess, ...] | None = None

    def read(self, key: DeviceKey, *, is_slow: bool) -> Sample:
        self.reads += 1
        return Sample(key=key, taken_at=0.0, monotonic_s=0.0, processes=self.processes if is_slow else None)


def test_the_peak_is_the_largest_sum_of_the_script_s_own_processes() -> None:
    source = ProcessSource()
    clock = FakeClock()
    receiver = Receiver()
    peak = GpuPeak(source, lambda: frozenset({10, 11}), clock, interval_s=0.05)
    take = peak._take
    peak._sampler._on_sample = lambda sample: (take(sample), receiver(sample))
    peak.start()
    try:
        for sizes in ((100, 50), (300, 60), (20, None)):
            source.processes = (
                GpuProcess(pid=10, memory_used_bytes=sizes[0]),
                GpuProcess(pid=11, memory_used_bytes=sizes[1]),
                GpuProcess(pid=99, memory_used_bytes=9000),
            )
            wanted = source.processes
            receiver.wait(lambda sample, wanted=wanted: sample.processes == wanted)
    finally:
        peak.stop()

    assert peak.peak_bytes == 360


def test_processes_the_driver_does_not_tell_give_no_peak() -> None:
    source = ProcessSource()
    source.processes = (GpuProcess(pid=10, memory_used_bytes=None),)
    peak = GpuPeak(source, lambda: frozenset({10}), FakeClock())

    peak._take(source.read(source.keys()[0], is_slow=True))

    assert peak.peak_bytes is None


def test_the_watching_probe_is_python_3_7(root: Path) -> None:
    source = (root / "resources" / "probes" / "run_script.py").read_text(encoding="utf-8")

    ast.parse(source, feature_version=(3, 7))


def test_the_time_limit_also_ends_a_python_that_hangs_before_it_starts(tmp_path: Path, places, monkeypatch) -> None:
    hanging = tmp_path / "python"
    hanging.write_text("#!/bin/sh\nwhile :; do /bin/sleep 1; done\n", encoding="utf-8")
    hanging.chmod(0o755)
    monkeypatch.setattr(runs, "WATCHER_MARGIN_S", 0.0)
    monkeypatch.setattr(runs, "GRACE_S", {RunKind.TEST: 0.0})
    request = request_for(tmp_path, GOOD, time_limit_s=0.5)

    result = runs.test_run(replace(request, python=str(hanging)), places)

    assert result.state is RunState.TIMED_OUT
    assert result.meaning is not None
    assert result.meaning.id == "runner.timed-out"
