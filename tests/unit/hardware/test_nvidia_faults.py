"""Every function that the back-end and the reader really call fails in every way, one at a time."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.codec import decode
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.core.system import BackendState
from gpuconfig_app.hardware.backend import BackendResult
from gpuconfig_app.hardware.nvidia_card import REASONED_FIELDS
from gpuconfig_app.hardware.readings import FAST_METRICS, SLOW_METRICS, DeviceReadings
from tests.native.child import copy_profile, read_calls, run_child

HARMLESS = ("not_supported", "no_permission", "function_not_found", "unknown", "insufficient_size", "77")
ONE_MIG_CARD = (("devices = 8", "devices = 1"), ("[device 3]", "[device 0]"))
LOOK_AT_ALL = """
reader = NvidiaReader(root=folder)
assert reader.open() is None
give([detect(), reader.read_fast(0), reader.read_slow(0)])
"""
WITH_EACH_FAULT = """
reader = NvidiaReader(root=folder)
assert reader.open() is None
found = []
for line in profile.read_text().splitlines():
    if line.startswith("fault"):
        switch = folder / line.split()[-1]
        switch.touch()
        found.append([switch.name, detect(), reader.read_fast(0), reader.read_slow(0)])
        switch.unlink()
        if FORGETS:
            reader = NvidiaReader(root=folder)
            reader.open()
found.append(["healed", detect(), reader.read_fast(0), reader.read_slow(0)])
give(found)
"""


@pytest.fixture(scope="module")
def used_functions(tmp_path_factory) -> list[str]:
    """Names of all functions that are called for a card, as the library saw them."""
    folder = tmp_path_factory.mktemp("calls")
    run_child(LOOK_AT_ALL, copy_profile(folder, "8xa100-mig", *ONE_MIG_CARD), folder / "calls")
    return sorted({function for function, slot, _ in read_calls(folder / "calls") if slot >= 0})


def with_each_fault(folder, functions, error):
    # a reader remembers what a card lacks; a lost card must come back in the same reader
    script = f"FORGETS = {error != 'gpu_is_lost'}\n{WITH_EACH_FAULT}"
    rules = [f"fault = {name} * {error} while {name}.{error}" for name in functions]
    profile = copy_profile(folder, "8xa100-mig", *ONE_MIG_CARD, more="\n".join(["time_s = 0", *rules]))
    for name, result, fast, slow in run_child(script, profile):
        yield (
            name,
            decode(BackendResult, result),
            decode(DeviceReadings, fast),
            decode(DeviceReadings, slow),
        )


def assert_complete(name, result, fast, slow) -> None:
    assert result.status.state is BackendState.READY or result.status.reason is not None, name
    for gpu in result.gpus:
        missing = [item for item in REASONED_FIELDS if getattr(gpu, item) is None and item not in gpu.absent]
        assert not missing, (name, missing)
    for readings, metrics in ((fast, FAST_METRICS), (slow, SLOW_METRICS)):
        if readings.error is None:
            assert readings.values.keys() | readings.absent.keys() == set(metrics), name


@pytest.mark.parametrize("error", HARMLESS)
def test_one_failing_function_costs_only_its_own_readings(error, used_functions, tmp_path) -> None:
    for name, result, fast, slow in with_each_fault(tmp_path, used_functions, error):
        assert_complete(name, result, fast, slow)
        if name.startswith("nvmlDeviceGetHandleByIndex"):
            continue
        (gpu,) = result.gpus
        assert gpu.state is GpuState.READY, name
        assert fast.error is None, name
        assert (Metric.POWER_W in fast.values) is (not name.startswith("nvmlDeviceGetPowerUsage")), name
        assert (gpu.uuid is not None) is (not name.startswith("nvmlDeviceGetUUID")), name


def test_a_card_that_gets_lost_in_any_function_is_lost_and_comes_back(used_functions, tmp_path) -> None:
    for name, result, fast, slow in with_each_fault(tmp_path, used_functions, "gpu_is_lost"):
        assert_complete(name, result, fast, slow)
        for readings in (fast, slow):
            assert (readings.liveness is Liveness.LOST) is (readings.error is not None), name
            assert not (readings.error and readings.values), name
        if name == "healed":
            assert (result.gpus[0].state, fast.liveness) == (GpuState.READY, Liveness.LIVE)


@pytest.mark.parametrize("error", [*HARMLESS, "driver_not_loaded"])
def test_system_functions_may_fail(error, tmp_path) -> None:
    names = ["nvmlSystemGetDriverVersion", "nvmlSystemGetCudaDriverVersion_v2", "nvmlDeviceGetCount_v2"]
    rules = [f"fault = {name} - {error} while {name}" for name in names]
    script = """
found = {}
for line in profile.read_text().splitlines():
    if line.startswith("fault"):
        switch = folder / line.split()[-1]
        switch.touch()
        found[switch.name] = detect()
        switch.unlink()
give(found)
"""

    found = run_child(script, copy_profile(tmp_path, "1x4090", more="\n".join(rules)))

    version, cuda, count = (decode(BackendResult, found[name]) for name in names)
    assert version.driver.version is None
    assert "version" in version.driver.absent
    assert version.gpus[0].state is GpuState.READY
    assert cuda.driver.cuda_version == "13.0"  # the older function still answers
    assert count.gpus == ()
    assert count.status.reason is not None
