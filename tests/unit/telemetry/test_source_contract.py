"""What every source must do; a new kind is added to ``SOURCES``."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.gpu import Gpu, MigInstance, Vendor
from gpuconfig_app.core.sample import Liveness, Metric, Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.telemetry.sources.local import LocalSource
from gpuconfig_app.telemetry.sources.recorded import RecordedSource
from gpuconfig_app.telemetry.sources.registry import SOURCE_KINDS, SourceRequest, make_source
from tests.fakes import FakeClock
from tests.unit.telemetry.test_local_source import FakeReader

GPUS = (Gpu(index=0, vendor=Vendor.NVIDIA, mig_instances=(MigInstance(index=0),)), Gpu(index=1, vendor=Vendor.NVIDIA))
REPORT = SystemReport(machine_id="desk", gpus=GPUS)
SOURCES = {
    "local": lambda report, clock, root: LocalSource(report, clock=clock, reader=FakeReader(), root=root),
    "recorded": lambda report, clock, root: RecordedSource(report, (), clock),
}


@pytest.fixture(params=SOURCES)
def make(request, tmp_path):
    return lambda report=REPORT, clock=None: SOURCES[request.param](report, clock or FakeClock(), tmp_path)


def test_every_kind_is_tested_here() -> None:
    assert set(SOURCES) == set(SOURCE_KINDS)


def test_keys_are_of_its_machine_and_the_same_before_and_after_opening(make) -> None:
    source = make()
    before = source.keys()

    assert source.open() is None
    assert source.keys() == before
    assert {key.machine for key in before} == {source.machine} == {"desk"}
    assert [key.device for key in before if "/" not in key.device] == ["0", "1"]


def test_a_sample_has_the_asked_key_and_the_clock_s_times(make) -> None:
    clock = FakeClock()
    source = make(clock=clock)
    source.open()
    clock.advance(5.0)
    keys = source.keys()

    for key in keys:
        for is_slow in (False, True):
            sample = source.read(key, is_slow=is_slow)
            assert isinstance(sample, Sample)
            assert sample.key == key
            assert sample.taken_at == clock.now()
            assert sample.monotonic_s == clock.monotonic()


def test_no_reading_is_both_there_and_missing_and_slow_ones_come_slow(make) -> None:
    source = make()
    source.open()
    keys = source.keys()

    for key in keys:
        fast, slow = source.read(key, is_slow=False), source.read(key, is_slow=True)
        assert not set(fast.values) & set(fast.absent)
        assert Metric.PCIE_TX_BYTES_S not in fast.values
        assert Metric.UTILIZATION_PCT not in slow.values
        assert fast.liveness is not Liveness.LIVE or fast.error is None


def test_a_machine_without_cards_has_a_reason(make) -> None:
    source = make(SystemReport(machine_id="bare"))

    assert source.open() is not None
    assert source.keys() == ()


@pytest.mark.parametrize(("recorded_from", "kind"), [(None, LocalSource), ("desk", RecordedSource)])
def test_the_fitting_kind_is_made(recorded_from, kind) -> None:
    report = SystemReport(machine_id="desk", gpus=GPUS, recorded_from=recorded_from)

    assert isinstance(make_source(SourceRequest(report, FakeClock())), kind)
