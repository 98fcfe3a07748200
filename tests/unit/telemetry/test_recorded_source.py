from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.gpu import Gpu, GpuProcess, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.telemetry.sources.recorded import RecordedSource
from tests.fakes import FakeClock

KEY = DeviceKey("desk", "0")


def recorded(second: float, device: str = "0", **values: float) -> Sample:
    return Sample(
        key=DeviceKey("desk", device),
        taken_at=500.0 + second,
        monotonic_s=second,
        values={Metric(name): value for name, value in values.items()},
        processes=(GpuProcess(pid=1),),
    )


def report(*gpus: Gpu) -> SystemReport:
    return SystemReport(machine_id="desk", recorded_from="desk", gpus=gpus or (Gpu(index=0, vendor=Vendor.NVIDIA),))


TRACK = tuple(recorded(second, utilization_pct=second * 10.0, pcie_tx_bytes_s=second) for second in range(4))


def utilization(source: RecordedSource) -> float:
    return source.read(KEY, is_slow=False).values[Metric.UTILIZATION_PCT]


def test_the_place_follows_the_clock_and_begins_again_at_the_end() -> None:
    clock = FakeClock()
    source = RecordedSource(report(), TRACK, clock)
    source.open()

    seen = []
    for _ in range(9):
        seen.append(utilization(source))
        clock.advance(1.0)

    assert seen == [0.0, 10.0, 20.0, 30.0, 0.0, 10.0, 20.0, 30.0, 0.0]


def test_times_are_moved_to_now() -> None:
    clock = FakeClock()
    source = RecordedSource(report(), TRACK, clock)
    source.open()
    clock.advance(2.5)

    sample = source.read(KEY, is_slow=False)

    assert sample.taken_at == clock.now()
    assert sample.monotonic_s == clock.monotonic()


def test_double_speed() -> None:
    clock = FakeClock()
    source = RecordedSource(report(), TRACK, clock, speed=2.0)
    source.open()
    clock.advance(1.0)

    assert utilization(source) == 20.0


def test_played_once_it_ends() -> None:
    clock = FakeClock()
    source = RecordedSource(report(), TRACK, clock, loops=False)
    source.open()
    clock.advance(3.5)
    assert utilization(source) == 30.0

    clock.advance(1.0)

    assert source.read(KEY, is_slow=False).liveness is Liveness.ENDED


def test_slow_and_fast_readings_come_apart() -> None:
    source = RecordedSource(report(), TRACK, FakeClock())
    source.open()

    fast, slow = source.read(KEY, is_slow=False), source.read(KEY, is_slow=True)

    assert set(fast.values) == {Metric.UTILIZATION_PCT}
    assert fast.processes is None
    assert set(slow.values) == {Metric.PCIE_TX_BYTES_S}
    assert slow.processes == (GpuProcess(pid=1),)


def test_a_loss_half_way_is_played_too() -> None:
    clock = FakeClock()
    lost = replace(recorded(2), values={}, liveness=Liveness.LOST, error=Message("x.lost"))
    source = RecordedSource(report(), (*TRACK[:2], lost), clock)
    source.open()
    clock.advance(2.0)

    sample = source.read(KEY, is_slow=False)

    assert sample.liveness is Liveness.LOST
    assert sample.error == Message("x.lost")


def test_a_device_without_recording_says_so_and_shows_no_zero() -> None:
    gpu = Gpu(index=0, vendor=Vendor.NVIDIA, memory_used_bytes=5)
    source = RecordedSource(report(gpu), (), FakeClock())
    source.open()

    sample = source.read(KEY, is_slow=False)

    assert sample.values == {Metric.MEMORY_USED_BYTES: 5}
    assert sample.absent[Metric.POWER_W].id == "telemetry.not-recorded"


@pytest.mark.parametrize(("state", "liveness"), [(GpuState.ASLEEP, Liveness.ASLEEP), (GpuState.LOST, Liveness.LOST)])
def test_a_card_that_could_not_be_used_says_so(state: GpuState, liveness: Liveness) -> None:
    gpu = Gpu(index=0, vendor=Vendor.NVIDIA, state=state, memory_used_bytes=5, state_reason=Message("x.y"))
    source = RecordedSource(report(gpu), (), FakeClock())

    sample = source.read(KEY, is_slow=False)

    assert sample.liveness is liveness
    assert sample.values == {}


def test_a_machine_without_cards_gives_a_reason() -> None:
    source = RecordedSource(SystemReport(machine_id="desk"), (), FakeClock())

    assert source.open() == Message("telemetry.recorded-without-devices")
    assert source.keys() == ()


def test_processes_of_the_survey_stand_in_for_a_recording_without_its_own() -> None:
    process = GpuProcess(pid=7, name="python", memory_used_bytes=5)
    report = SystemReport(
        machine_id="m", gpus=(Gpu(index=0, vendor=Vendor.NVIDIA, processes=(process,)),), recorded_from="m"
    )
    key = DeviceKey("m", "0")
    sample = Sample(key=key, taken_at=1.0, monotonic_s=1.0, values={Metric.UTILIZATION_PCT: 50.0})
    source = RecordedSource(report, (sample,), FakeClock())
    source.open()

    assert source.read(key, is_slow=True).processes == (process,)
    assert source.read(key, is_slow=False).processes is None
