from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from gpuconfig_app.core.clock import SystemClock
from gpuconfig_app.core.sample import Liveness, Metric, Sample
from gpuconfig_app.telemetry.sampler import Sampler
from tests.unit.telemetry.fake_source import WAIT_S, FakeSource, Receiver

FAST = 0.05


def is_live(sample: Sample, device: str = "0") -> bool:
    return sample.key.device == device and Metric.UTILIZATION_PCT in sample.values


def end_of_threads(name: str) -> None:
    for thread in threading.enumerate():
        if thread.name.startswith(name):
            thread.join(WAIT_S)
            assert not thread.is_alive()


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


@pytest.fixture
def start(receiver: Receiver) -> Iterator[Callable[..., Sampler]]:
    """Start a sampler that is stopped, and whose hanging calls are let go, after the test."""
    started: list[tuple[Sampler, FakeSource]] = []

    def begin(source: FakeSource, clock: object = None, **options: float) -> Sampler:
        options = {"interval_s": FAST, "slow_interval_s": FAST, "retry_s": FAST} | options
        sampler = Sampler((source,), clock or SystemClock(), receiver, **options)
        started.append((sampler, source))
        sampler.start()
        return sampler

    yield begin
    for sampler, source in started:
        sampler.stop()
        source.gate.set()
        source.open_gate.set()


def test_every_device_is_read_fast_and_slow(start, receiver) -> None:
    start(FakeSource(3))

    for device in ("0", "1", "2"):
        receiver.wait(lambda sample, device=device: is_live(sample, device), count=3)
        receiver.wait(lambda sample, device=device: sample.key.device == device and "pcie" in str(sample.values))


def test_the_first_reading_of_a_device_is_a_fast_one(start, receiver) -> None:
    start(FakeSource(1), interval_s=0.5)

    receiver.wait(lambda sample: Metric.PCIE_TX_BYTES_S in sample.values)

    assert is_live(receiver.samples[0])


def test_a_hanging_device_delays_no_other_and_is_told_silent(start, receiver) -> None:
    source = FakeSource(2)
    source.gate.clear()
    source.hanging = {"1"}
    sampler = start(source)
    assert source.entered.wait(WAIT_S)

    silent = receiver.wait(lambda sample: sample.liveness is Liveness.SILENT)
    receiver.wait(lambda sample: is_live(sample, "0"), count=3, after=receiver.mark())

    assert silent[0].key.device == "1"
    assert silent[0].values == {}
    assert silent[0].error is not None
    assert silent[0].error.id == "telemetry.no-answer"
    status = {item.key.device: item.liveness for item in sampler.statuses()}
    assert status == {"0": Liveness.LIVE, "1": Liveness.SILENT}


def test_a_device_that_hangs_later_becomes_stale_then_silent_then_live_again(start, receiver) -> None:
    source = FakeSource(1)
    start(source)
    receiver.wait(is_live, count=2)
    source.hanging = {"0"}
    source.gate.clear()

    receiver.wait(lambda sample: sample.liveness is Liveness.STALE)
    receiver.wait(lambda sample: sample.liveness is Liveness.SILENT)
    mark = receiver.mark()
    source.gate.set()

    receiver.wait(is_live, count=2, after=mark)


def test_slow_readings_that_hang_keep_the_fast_pace(start, receiver) -> None:
    source = FakeSource(1)
    source.gate.clear()
    source.hanging_slow = {"0"}
    sampler = start(source)
    assert source.entered.wait(WAIT_S)

    receiver.wait(is_live, count=5, after=receiver.mark())

    assert sampler.statuses()[0].liveness is Liveness.LIVE


def test_opening_that_hangs_blocks_neither_start_nor_stop(start, receiver) -> None:
    source = FakeSource(1)
    source.open_gate.clear()
    before = time.monotonic()
    sampler = start(source)

    assert sampler.statuses()[0].liveness is Liveness.WAITING
    assert time.monotonic() - before < WAIT_S / 2
    receiver.wait(lambda sample: sample.liveness is Liveness.SILENT)

    sampler.stop()
    assert sampler.statuses()[0].liveness is Liveness.ENDED


def test_a_lost_device_is_asked_less_often(start, receiver) -> None:
    source = FakeSource(1)
    source.lost = {"0"}
    sampler = start(source, retry_s=600.0)

    receiver.wait(lambda sample: sample.liveness is Liveness.LOST, count=2)  # the fast and the slow look

    assert receiver.is_quiet_for(FAST * 8)
    assert sampler.statuses()[0].liveness is Liveness.LOST


def test_a_lost_device_recovers(start, receiver) -> None:
    source = FakeSource(1)
    source.lost = {"0"}
    sampler = start(source, retry_s=0.2)
    receiver.wait(lambda sample: sample.liveness is Liveness.LOST)

    source.lost = set()

    receiver.wait(is_live, count=2)
    assert sampler.statuses()[0].liveness is Liveness.LIVE


def test_a_device_that_has_nothing_to_tell_yet_is_asked_again_soon_and_tells_nothing(start, receiver) -> None:
    source = FakeSource(1)
    source.waiting = {"0"}
    sampler = start(source, interval_s=600.0)
    assert source.waited.wait(WAIT_S)
    assert sampler.statuses()[0].liveness is Liveness.WAITING

    source.waiting = set()

    assert receiver.wait(is_live)
    assert is_live(receiver.samples[0])


def test_a_faulty_source_is_told_and_goes_on(start, receiver, expected_log_errors) -> None:
    expected_log_errors("reading DeviceKey")
    source = FakeSource(1)
    source.broken = {"0"}
    start(source)

    broken = receiver.wait(lambda sample: sample.error is not None)
    source.broken = set()

    assert broken[0].error.id == "telemetry.reading-failed"
    receiver.wait(is_live)


def test_pausing_stops_the_readings_and_going_on_reads_at_once(start, receiver) -> None:
    source = FakeSource(1)
    sampler = start(source, interval_s=30.0, slow_interval_s=30.0)
    receiver.wait(is_live)

    sampler.set_paused(True)
    assert sampler.is_paused
    mark = receiver.mark()
    sampler.set_paused(False)

    receiver.wait(is_live, after=mark)


def test_nothing_is_read_while_paused(start, receiver) -> None:
    source = FakeSource(1)
    sampler = start(source)
    receiver.wait(is_live)
    sampler.set_paused(True)
    receiver.is_quiet_for(FAST * 3)  # what was under way may still come

    assert receiver.is_quiet_for(FAST * 8)
    assert sampler.statuses()[0].liveness is Liveness.LIVE


def test_a_changed_interval_counts_at_once(start, receiver) -> None:
    sampler = start(FakeSource(1), interval_s=600.0, slow_interval_s=600.0)
    receiver.wait(is_live)

    sampler.set_intervals(FAST, FAST)

    receiver.wait(is_live, count=4)


def test_nothing_is_delivered_after_stop(start, receiver) -> None:
    source = FakeSource(1)
    source.gate.clear()
    source.hanging = {"0"}
    sampler = start(source)
    assert source.entered.wait(WAIT_S)

    sampler.stop()
    source.gate.set()
    reads = source.reads
    end_of_threads("telemetry-this")

    assert receiver.samples == []
    assert source.reads == reads


def test_a_source_without_devices_says_why(start) -> None:
    sampler = start(FakeSource(0))

    end_of_threads("telemetry-open")

    assert [reason.id for reason in sampler.reasons()] == ["telemetry.no-devices"]
    assert sampler.statuses() == ()


EXIT_DURING_A_HANG = """
import sys, threading
from gpuconfig_app.core.clock import SystemClock
from gpuconfig_app.telemetry.sampler import Sampler
from tests.unit.telemetry.fake_source import FakeSource

class Hanging(FakeSource):
    def read(self, key, *, is_slow):
        self.entered.set()
        threading.Event().wait(600.0)
        raise AssertionError

source = Hanging(2)
sampler = Sampler((source,), SystemClock(), print)
sampler.start()
assert source.entered.wait(20)
if sys.argv[1] == "stop":
    sampler.stop()
sys.exit(0)
"""


@pytest.mark.parametrize("how", ["stop", "leave"])
def test_the_program_leaves_at_once_while_a_call_hangs(how, root) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EXIT_DURING_A_HANG, how],
        cwd=root,
        timeout=60,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
