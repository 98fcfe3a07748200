"""Live readings on the stand-in: the real binding in a child process."""

from __future__ import annotations

from gpuconfig_app.core.codec import decode
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.readings import FAST_METRICS, SLOW_METRICS, DeviceReadings
from tests.native.child import copy_profile, read_calls, run_child

OPEN = """
reader = NvidiaReader(root=folder)
trouble = reader.open()
"""
BOTH = OPEN + "assert trouble is None, trouble\ngive([reader.read_fast(0), reader.read_slow(0)])"


def readings(data) -> list[DeviceReadings]:
    return [decode(DeviceReadings, one) for one in data]


def test_every_metric_has_a_value_or_a_reason(tmp_path) -> None:
    fast, slow = readings(run_child(BOTH, copy_profile(tmp_path, "1x4090", more="time_s = 5")))

    assert fast.values.keys() | fast.absent.keys() == set(FAST_METRICS)
    assert slow.values.keys() == set(SLOW_METRICS)
    assert fast.values[Metric.POWER_W] > 100
    assert fast.values[Metric.CLOCK_MEMORY_MHZ] == 10501
    assert fast.absent[Metric.MEMORY_TEMPERATURE_C].id == "hardware.not-supported"
    assert fast.throttle_reasons == ()
    assert fast.processes is None
    assert {process.kind for process in slow.processes} == {"both", "graphics"}


def test_pcie_counters_are_read_in_slow_rounds_only(tmp_path) -> None:
    calls = tmp_path / "calls"

    run_child(OPEN + "reader.read_fast(0)", copy_profile(tmp_path, "1x4090"), calls)

    assert "nvmlDeviceGetPcieThroughput" not in {function for function, _, _ in read_calls(calls)}


def test_a_fast_round_takes_few_calls_and_leaves_out_what_the_card_lacks(tmp_path) -> None:
    calls = tmp_path / "calls"
    script = (
        OPEN + "reader.read_fast(0); (folder / 'mark').write_text(''); n = 50\nfor _ in range(n): reader.read_fast(0)"
    )

    run_child(script, copy_profile(tmp_path, "2-unlike"), calls)

    functions = [function for function, _, _ in read_calls(calls)]
    assert functions.count("nvmlDeviceGetUtilizationRates") == 51
    assert functions.count("nvmlDeviceGetEncoderUtilization") == 1  # not supported by this profile
    assert len(functions) < 51 * 12


def test_throttling_is_told_in_words(tmp_path) -> None:
    change = ("throttle = 0", "throttle = 69")  # idle, power cap, hardware thermal slowdown

    fast, _ = readings(run_child(BOTH, copy_profile(tmp_path, "1x4090", change)))

    assert fast.throttle_reasons == ("power_cap", "hw_thermal")


def test_an_old_driver_tells_throttling_by_the_old_name(tmp_path) -> None:
    fast, slow = readings(run_child(BOTH, copy_profile(tmp_path, "old-driver", ("throttle = 0", "throttle = 4"))))

    assert fast.throttle_reasons == ("power_cap",)
    assert slow.processes is None


def test_mig_use_is_unknown_and_slices_have_their_memory(tmp_path) -> None:
    script = OPEN + "give([reader.read_fast(3), reader.read_slow(3)])"

    fast, slow = readings(run_child(script, copy_profile(tmp_path, "8xa100-mig")))

    assert Metric.UTILIZATION_PCT not in fast.values
    assert fast.absent[Metric.UTILIZATION_PCT].id == "hardware.mig-not-for-whole-card"
    assert fast.slices[0].values == {Metric.MEMORY_USED_BYTES: 11091 * MIB}
    assert fast.slices[0].absent[Metric.UTILIZATION_PCT].id == "hardware.mig-not-for-slices"
    assert [process.mig_index for process in slow.processes] == [0, 0]


def test_unsupported_power_and_shared_memory_are_reasons(tmp_path) -> None:
    changes = ("memory_mib = 24564", "memory_mib = n/a"), ("power_w = sine 48 412 20", "power_w = n/a")

    fast, _ = readings(run_child(BOTH, copy_profile(tmp_path, "1x4090", *changes)))

    assert fast.absent[Metric.MEMORY_USED_BYTES].id == "hardware.memory-shared"
    assert fast.absent[Metric.POWER_W].id == "hardware.not-supported"


def test_a_card_is_lost_and_comes_back(tmp_path) -> None:
    script = (
        OPEN
        + """
first = reader.read_fast(0)
(folder / "lost").touch()
lost = reader.read_fast(0)
other = reader.read_fast(1)
(folder / "lost").unlink()
give([first, lost, other, reader.read_fast(0), reader.read_slow(0)])
"""
    )

    profile = copy_profile(tmp_path, "2-unlike", more="fault = * 0 gpu_is_lost while lost")
    first, lost, other, back, slow = readings(run_child(script, profile))

    assert first.liveness is Liveness.LIVE
    assert (lost.liveness, lost.error.id, lost.values) == (Liveness.LOST, "hardware.gpu-lost", {})
    assert other.liveness is back.liveness is slow.liveness is Liveness.LIVE
    assert back.values[Metric.TEMPERATURE_C] > 0


def test_a_driver_that_was_reloaded_is_used_again(tmp_path) -> None:
    script = (
        OPEN
        + """
reader.read_fast(0)
pynvml.nvmlShutdown()  # as if the driver had gone: every call answers "uninitialized"
gone = reader.read_fast(0)
give([gone, reader.read_fast(0)])
"""
    )

    gone, back = readings(run_child(script, copy_profile(tmp_path, "1x4090")))

    assert (gone.liveness, gone.error.id) == (Liveness.LOST, "hardware.driver-unloaded")
    assert back.liveness is Liveness.LIVE


def test_a_hanging_card_leaves_the_other_alone(tmp_path) -> None:
    script = (
        OPEN
        + """
import threading
(folder / "hang").touch()
answers = []
stuck = threading.Thread(target=lambda: answers.append(reader.read_fast(1)), daemon=True)
stuck.start()
stuck.join(0.1)
other = reader.read_fast(0)
was_stuck = stuck.is_alive()
(folder / "hang").unlink()
stuck.join(20)
give([was_stuck, other, answers[0]])
"""
    )

    was_stuck, other, freed = run_child(script, copy_profile(tmp_path, "hang"))

    assert was_stuck is True
    assert [one.liveness for one in readings([other, freed])] == [Liveness.LIVE, Liveness.LIVE]


def test_a_sleeping_card_is_not_read_and_not_woken(tmp_path) -> None:
    status = tmp_path / "sys/bus/pci/devices/0000:02:00.0/power/runtime_status"
    status.parent.mkdir(parents=True)
    status.write_text("suspended\n")
    calls = tmp_path / "calls"
    script = """
reader = NvidiaReader(root=folder)
reader.open({0: "0000:01:00.0", 1: "0000:02:00.0"})
give([reader.read_fast(0), reader.read_fast(1), reader.read_slow(1)])
"""

    awake, asleep, slow = readings(run_child(script, copy_profile(tmp_path, "2-unlike"), calls))

    assert awake.liveness is Liveness.LIVE
    assert asleep.liveness is slow.liveness is Liveness.ASLEEP
    assert asleep.error.id == "hardware.asleep"
    assert 1 not in {slot for _, slot, _ in read_calls(calls)}


def test_why_there_is_nothing_to_read(tmp_path) -> None:
    expected = {
        "mismatch": "hardware.driver-library-mismatch",
        "not-loaded": "hardware.driver-not-loaded",
        "no-permission": "hardware.no-permission",
    }

    for name, sentence in expected.items():
        assert run_child(OPEN + "give(trouble)", copy_profile(tmp_path, name))["id"] == sentence


def test_a_process_list_that_grows_is_read(tmp_path) -> None:
    change = ("[device 0]", "[device 0]\nprocess_count = 2000\nprocess_growth = 4000")
    script = OPEN + "give([len(reader.read_slow(0).processes) for _ in range(5)])"

    counts = run_child(script, copy_profile(tmp_path, "1x4090", change))

    assert counts == sorted(counts)
    assert counts[0] >= 2000
