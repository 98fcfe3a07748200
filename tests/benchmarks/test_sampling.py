"""One sampling pass against the bare NVML calls it stands for, on the stand-in: a ratio, never an absolute time.

The bounds are wide, they catch a pass that got several times dearer.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.native.child import copy_profile, run_child

MEASURE = """
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.sample import DeviceKey
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.telemetry.sources.local import LocalSource

CARDS, ROUNDS, REPEATS = 8, 60, 5
gpus = tuple(Gpu(index=index, vendor=Vendor.NVIDIA, pci_bus_id=f"00000000:0{index + 1}:00.0") for index in range(CARDS))
source = LocalSource(SystemReport(machine_id="this", gpus=gpus), root=folder)
source.open()
history = History()
pynvml.nvmlInit()
handles = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(CARDS)]

def bare():
    for handle in handles:
        pynvml.nvmlDeviceGetUtilizationRates(handle)
        pynvml.nvmlDeviceGetMemoryInfo(handle, version=pynvml.nvmlMemory_v2)
        pynvml.nvmlDeviceGetTemperature(handle, pynvml.NVML_TEMPERATURE_GPU)
        pynvml.nvmlDeviceGetFieldValues(handle, [pynvml.NVML_FI_DEV_MEMORY_TEMP])
        pynvml.nvmlDeviceGetPowerUsage(handle)
        pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_SM)
        pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_MEM)
        pynvml.nvmlDeviceGetEncoderUtilization(handle)
        pynvml.nvmlDeviceGetDecoderUtilization(handle)
        pynvml.nvmlDeviceGetCurrentClocksEventReasons(handle)

def sampled():
    for key in source.keys():
        history.add(source.read(key, is_slow=False))

def cpu_s(work):
    best = float("inf")
    for _ in range(REPEATS):
        begin = time.process_time()
        for _ in range(ROUNDS):
            work()
        best = min(best, time.process_time() - begin)
    return best / ROUNDS / CARDS

bare(), sampled()
give([cpu_s(bare), cpu_s(sampled)])
"""

FOLLOW = """
from gpuconfig_app.core.clock import SystemClock
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.telemetry.sampler import Sampler
from gpuconfig_app.telemetry.sources.local import LocalSource
from tests.unit.telemetry.fake_source import Receiver

gpus = tuple(Gpu(index=index, vendor=Vendor.NVIDIA) for index in range(8))
source = LocalSource(SystemReport(machine_id="this", gpus=gpus), root=folder)
receiver = Receiver()
sampler = Sampler((source,), SystemClock(), receiver, interval_s=0.1, slow_interval_s=0.1)
sampler.start()
is_fast = lambda sample: Metric.POWER_W in sample.values
is_slow = lambda sample: sample.processes is not None
receiver.wait(is_fast, count=16)
mark, begin = receiver.mark(), time.monotonic()
receiver.wait(is_fast, count=80, after=mark)
passed = time.monotonic() - begin
sampler.stop()
give([passed / 1.0, sum(1 for sample in receiver.samples if is_slow(sample))])
"""


def test_one_pass_against_the_bare_calls(tmp_path: Path, tell: Callable[[str], None]) -> None:
    bare_s, sampled_s = run_child(MEASURE, copy_profile(tmp_path, "8xh100"))

    ratio = sampled_s / bare_s
    tell(
        f"one card: bare NVML calls {bare_s * 1e6:.0f} µs, sampled and kept {sampled_s * 1e6:.0f} µs, ratio {ratio:.1f}"
    )
    assert ratio < 20


def test_slow_counters_do_not_hold_up_the_fast_pace(tmp_path: Path, tell: Callable[[str], None]) -> None:
    """Eight cards at 10 Hz whose PCIe counters take 20 ms each: ten rounds take about one second."""
    share, slow = run_child(FOLLOW, copy_profile(tmp_path, "8xh100"))

    tell(f"ten rounds of eight cards took {share:.2f} of their time, {slow} slow readings beside them")
    assert slow > 0
    assert share < 3
