"""How the newest readings are put together, and what a recorded machine brings along."""

from __future__ import annotations

import threading

import pytest

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.storage.settings import Settings
from gpuconfig_app.ui.live_sampling import LiveSampling, as_past, limits_of, merged
from gpuconfig_app.workbench.bench import Workbench
from tests.fakes import FakeClock
from tests.ui.fakes_ui import make_gpu, make_report, make_sample, make_silence
from tests.ui.real_window import machine_folder

WHY = Message("telemetry.not-recorded")
LIMIT_S = 20.0


def test_fast_and_slow_looks_complete_each_other():
    fast = make_sample(0, 1.0, values={Metric.UTILIZATION_PCT: 50.0}, throttle_reasons=("thermal",))
    slow = make_sample(
        0,
        2.0,
        values={Metric.PCIE_TX_BYTES_S: 1e9},
        throttle_reasons=None,
        processes=(GpuProcess(pid=1),),
    )

    both = merged(fast, slow)

    assert both.values == {Metric.UTILIZATION_PCT: 50.0, Metric.PCIE_TX_BYTES_S: 1e9}
    assert both.throttle_reasons == ("thermal",)
    assert [process.pid for process in both.processes or ()] == [1]
    assert both.monotonic_s == slow.monotonic_s
    assert merged(both, fast).processes == both.processes


def test_newer_value_replaces_the_older():
    older = make_sample(0, 1.0, values={Metric.UTILIZATION_PCT: 50.0, Metric.POWER_W: 300.0})

    both = merged(older, make_sample(0, 2.0, values={Metric.UTILIZATION_PCT: 70.0}))

    assert both.values == {Metric.UTILIZATION_PCT: 70.0, Metric.POWER_W: 300.0}


def test_empty_list_of_processes_replaces_the_older_one():
    older = make_sample(0, 1.0, processes=(GpuProcess(pid=1),), throttle_reasons=("thermal",))

    both = merged(older, make_sample(0, 2.0, processes=(), throttle_reasons=()))

    assert both.processes == ()
    assert both.throttle_reasons == ()


@pytest.mark.parametrize("liveness", [Liveness.LOST, Liveness.SILENT, Liveness.STALE, Liveness.ASLEEP])
def test_old_numbers_never_stand_under_a_card_that_does_not_answer(liveness):
    both = merged(make_sample(0, 1.0), make_silence(0, 2.0, liveness))

    assert both.values == {}
    assert both.liveness is liveness


def test_card_that_comes_back_begins_anew():
    back = make_sample(0, 9.0, values={Metric.UTILIZATION_PCT: 1.0})

    assert merged(make_silence(0, 2.0, Liveness.LOST), back).values == {Metric.UTILIZATION_PCT: 1.0}
    assert merged(None, back) is back


def test_reason_goes_when_the_reading_comes_and_comes_when_it_goes():
    without = make_sample(0, 1.0, values={Metric.UTILIZATION_PCT: 5.0}, absent={Metric.POWER_W: WHY})
    came = merged(without, make_sample(0, 2.0, values={Metric.POWER_W: 90.0}))
    gone = merged(came, make_sample(0, 3.0, values={Metric.UTILIZATION_PCT: 6.0}, absent={Metric.POWER_W: WHY}))

    assert came.absent == {}
    assert gone.absent == {Metric.POWER_W: WHY}


def test_past_of_a_recording_ends_now_and_keeps_its_distances():
    samples = [make_sample(0, second) for second in (30.0, 0.0, 10.0)]

    past = as_past(samples, 5000.0)

    assert [sample.monotonic_s for sample in past] == [4970.0, 4980.0, 5000.0]
    assert as_past([], 5000.0) == []


def test_limits_are_those_the_cards_tell():
    report = make_report((make_gpu(0, temperature_slowdown_c=90), make_gpu(1, temperature_slowdown_c=None)))

    limits = limits_of(report)

    assert limits[DeviceKey("this", "0")].temperature_slowdown_c == 90
    assert limits[DeviceKey("this", "1")].temperature_slowdown_c is None


@pytest.fixture
def heard():
    return []


@pytest.fixture
def sampling(private_home, heard):
    came = threading.Event()

    def put(sample: Sample) -> None:
        heard.append(sample)
        came.set()

    clock = FakeClock(monotonic=5000.0)
    made = LiveSampling(clock, put)
    made.came = came
    yield made
    made.stop()


def test_recorded_machine_opens_with_the_stretch_it_carries(sampling, heard):
    machine = Workbench().open_machine(machine_folder("training-2x4090"))

    sampling.open(machine, Settings())

    key = DeviceKey(machine.report.machine_id, "0")
    series = sampling.history.series(key, Metric.UTILIZATION_PCT, until_s=5000.0)
    assert len(series) > 60
    assert series.times[0] < 4900
    assert sampling.came.wait(LIMIT_S)
    assert heard[0].key.machine == machine.report.machine_id


def test_other_machine_begins_with_an_empty_history(sampling):
    bench = Workbench()
    first, second = (bench.open_machine(machine_folder(name)) for name in ("training-2x4090", "no-gpu"))

    sampling.open(first, Settings())
    former = sampling.history
    sampling.open(second, Settings())

    assert sampling.history is not former
    assert sampling.history.keys == ()


def test_pause_holds_for_the_next_machine_too_and_ends(sampling):
    machine = Workbench().open_machine(machine_folder("training-2x4090"))
    sampling.set_paused(True)

    sampling.open(machine, Settings())

    assert sampling.is_paused
    assert sampling._sampler.is_paused
    sampling.set_paused(False)
    assert sampling.came.wait(LIMIT_S)


def test_same_machine_with_other_cards_keeps_its_history(sampling):
    machine = Workbench().open_machine(machine_folder("training-2x4090"))
    sampling.open(machine, Settings())
    former = sampling.history

    sampling.open(machine, Settings(), keeps_history=True)

    assert sampling.history is former
