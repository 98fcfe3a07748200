"""The sampler over the real binding on the stand-in library: hangs, losses, sleep, a driver that comes late."""

from __future__ import annotations

from pathlib import Path

from tests.native.child import copy_profile, read_calls, run_child

BEGIN = """
from gpuconfig_app.core.clock import SystemClock
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.telemetry.sampler import Sampler
from gpuconfig_app.telemetry.sources.local import LocalSource
from tests.unit.telemetry.fake_source import Receiver

def begin(count, **options):
    gpus = tuple(
        Gpu(index=index, vendor=Vendor.NVIDIA, pci_bus_id=f"00000000:0{index + 1}:00.0") for index in range(count)
    )
    source = LocalSource(SystemReport(machine_id="this", gpus=gpus), root=folder)
    sampler = Sampler((source,), SystemClock(), receiver, interval_s=0.1, slow_interval_s=0.1, retry_s=0.2)
    sampler.start()
    return sampler

receiver = Receiver()

def live(device):
    return lambda sample: sample.key.device == device and Metric.POWER_W in sample.values

def said(device, liveness):
    return lambda sample: sample.key.device == device and sample.liveness is liveness
"""


def test_fast_and_slow_readings_of_eight_cards(tmp_path: Path) -> None:
    given = run_child(
        BEGIN
        + """
sampler = begin(8)
slow = lambda device: lambda sample: sample.key.device == device and sample.processes is not None
for device in "01234567":
    fast = receiver.wait(live(device))[0]
    pcie = receiver.wait(slow(device))[0]
statuses = {status.key.device: status.liveness.value for status in sampler.statuses()}
give([sorted(fast.values), sorted(pcie.values), statuses, fast.throttle_reasons])
sampler.stop()
""",
        copy_profile(tmp_path, "8xh100"),
    )

    fast, slow, statuses, throttle = given
    assert "utilization_pct" in fast
    assert not set(fast) & set(slow)
    assert "pcie_tx_bytes_s" in slow
    assert set(statuses.values()) == {"live"}
    assert throttle == ["power_cap"]


def test_a_driver_call_that_hangs_spoils_nothing_else_and_ends_silence_when_it_returns(tmp_path: Path) -> None:
    given = run_child(
        BEGIN
        + """
sampler = begin(2)
receiver.wait(live("0"))
receiver.wait(live("1"))
(folder / "hang").touch()
silent = receiver.wait(said("1", Liveness.SILENT))[0]
mark = receiver.mark()
receiver.wait(live("0"), count=5, after=mark)
receiver.wait(lambda sample: sample.key.device == "0" and sample.processes is not None, count=3, after=mark)
during = {status.key.device: status.liveness.value for status in sampler.statuses()}
well = [sample.liveness.value for sample in receiver.samples[mark:] if sample.key.device == "1"]
(folder / "hang").unlink()
receiver.wait(live("1"), count=2, after=receiver.mark())
give([silent.error.id, silent.values, during, sampler.statuses()[1].liveness.value, well])
sampler.stop()
""",
        copy_profile(tmp_path, "hang"),
    )

    assert given == ["telemetry.no-answer", {}, {"0": "live", "1": "silent"}, "live", []]


def test_the_program_leaves_with_code_0_while_the_driver_hangs(tmp_path: Path) -> None:
    given = run_child(
        BEGIN
        + """
sampler = begin(2)
receiver.wait(live("1"))
(folder / "hang").touch()
receiver.wait(said("1", Liveness.STALE))
sampler.stop()
give("leaves")
sys.exit(0)
""",
        copy_profile(tmp_path, "hang"),
    )

    assert given == "leaves"
    assert (tmp_path / "hang").exists()


def test_a_card_that_falls_off_the_bus_is_told_and_read_again_when_it_is_back(tmp_path: Path) -> None:
    given = run_child(
        BEGIN
        + """
healthy = profile.read_text()
sampler = begin(2)
receiver.wait(live("1"))
replace_profile(healthy.replace("[system]", "[system]\\nfault = * 1 gpu_is_lost", 1))
lost = receiver.wait(said("1", Liveness.LOST))[0]
receiver.wait(live("0"), count=3, after=receiver.mark())
replace_profile(healthy)
receiver.wait(live("1"), after=receiver.mark())
give([lost.error.id, lost.values])
sampler.stop()
""",
        copy_profile(tmp_path, "gpu-lost", ("fault = * 1 gpu_is_lost after 20", "")),
    )

    assert given == ["hardware.gpu-lost", {}]


def test_a_driver_that_is_loaded_late_is_found(tmp_path: Path) -> None:
    healthy = copy_profile(tmp_path, "1x4090").read_text(encoding="utf-8")
    (tmp_path / "healthy").write_text(healthy, encoding="utf-8")

    given = run_child(
        BEGIN
        + """
sampler = begin(1)
lost = receiver.wait(said("0", Liveness.LOST))[0]
replace_profile((folder / "healthy").read_text())
receiver.wait(live("0"))
give(lost.error.id)
sampler.stop()
""",
        copy_profile(tmp_path, "not-loaded"),
    )

    assert given == "hardware.driver-not-loaded"


def test_a_sleeping_card_is_left_alone_without_one_driver_call(tmp_path: Path) -> None:
    status = tmp_path / "sys/bus/pci/devices/0000:01:00.0/power/runtime_status"
    status.parent.mkdir(parents=True)
    status.write_text("suspended\n")
    calls = tmp_path / "calls"

    given = run_child(
        BEGIN
        + """
sampler = begin(1)
receiver.wait(said("0", Liveness.ASLEEP), count=6)
give([sampler.statuses()[0].liveness.value, len(receiver.samples[0].values)])
sampler.stop()
""",
        copy_profile(tmp_path, "1x4090"),
        calls,
    )

    assert given == ["asleep", 0]
    assert read_calls(calls) == []


def test_no_driver_call_is_made_on_the_main_thread(tmp_path: Path) -> None:
    calls = tmp_path / "calls"

    main = run_child(
        BEGIN
        + """
import threading
sampler = begin(2)
receiver.wait(live("0"), count=2)
receiver.wait(live("1"), count=2)
sampler.set_intervals(0.2, 0.2)
sampler.set_paused(True)
sampler.statuses()
sampler.set_paused(False)
receiver.wait(live("1"), after=receiver.mark())
sampler.stop()
give(threading.get_native_id())
""",
        copy_profile(tmp_path, "2-unlike"),
        calls,
    )

    threads = {thread for _, _, thread in read_calls(calls)}
    assert threads
    assert main not in threads
