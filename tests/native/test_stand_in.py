"""The stand-in itself, as NVIDIA's own binding and the dynamic loader see it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.native.build import PROFILES, missing_functions, profile_path
from tests.native.child import BUILD, copy_profile, read_calls, run_child


def test_the_binding_runs_on_it_unchanged(tmp_path) -> None:
    script = """
pynvml.nvmlInit()
handle = pynvml.nvmlDeviceGetHandleByIndex(0)
memory = pynvml.nvmlDeviceGetMemoryInfo(handle, version=pynvml.nvmlMemory_v2)
plain = pynvml.nvmlDeviceGetMemoryInfo(handle)
give({
    "count": pynvml.nvmlDeviceGetCount(),
    "name": pynvml.nvmlDeviceGetName(handle),
    "capability": list(pynvml.nvmlDeviceGetCudaComputeCapability(handle)),
    "cuda": pynvml.nvmlSystemGetCudaDriverVersion_v2(),
    "reserved": memory.reserved,
    "reserved_is_used_in_old_call": plain.used - memory.used == memory.reserved,
    "throughput": pynvml.nvmlDeviceGetPcieThroughput(handle, 0),
})
"""

    found = run_child(script, copy_profile(tmp_path, "1x4090", more="time_s = 3"))

    assert found["count"] == 1
    assert found["name"] == "NVIDIA GeForce RTX 4090"
    assert found["capability"] == [8, 9]
    assert found["cuda"] == 13000
    assert found["reserved"] == 460 * 1024**2
    assert found["reserved_is_used_in_old_call"] is True


def test_readings_depend_on_time_alone(tmp_path) -> None:
    script = """
pynvml.nvmlInit()
handles = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(8)]
give([[pynvml.nvmlDeviceGetPowerUsage(handle), pynvml.nvmlDeviceGetUtilizationRates(handle).gpu] for handle in handles])
"""
    at_three = copy_profile(tmp_path, "8xh100", more="time_s = 3.5")
    first, second = run_child(script, at_three), run_child(script, at_three)
    later = run_child(script, copy_profile(tmp_path, "8xh100", more="time_s = 9"))

    assert first == second
    assert later != first
    assert len({power for power, _ in first}) == 8


def test_an_old_driver_really_lacks_the_newer_functions(tmp_path) -> None:
    missing = missing_functions(profile_path("old-driver"))
    # in a child: a library that was loaded once is found by its name ever after
    script = f"""
import ctypes
library = ctypes.CDLL("libnvidia-ml.so.1")
give([name for name in {[*missing, "nvmlDeviceGetMemoryInfo"]!r} if hasattr(library, name)])
"""

    found = run_child(script, copy_profile(tmp_path, "old-driver"))

    assert "nvmlDeviceGetMemoryInfo_v2" in missing
    assert found == ["nvmlDeviceGetMemoryInfo"]


def test_the_unversioned_process_list_of_an_old_driver_is_no_nvml_error(tmp_path) -> None:
    script = """
pynvml.nvmlInit()
handle = pynvml.nvmlDeviceGetHandleByIndex(0)
try:
    pynvml.nvmlDeviceGetComputeRunningProcesses(handle)
except Exception as error:
    give([type(error).__name__, isinstance(error, pynvml.NVMLError)])
"""

    assert run_child(script, copy_profile(tmp_path, "old-driver")) == ["NVMLLibraryMismatchError", False]


def test_a_fault_comes_and_goes_while_the_program_runs(tmp_path) -> None:
    script = """
pynvml.nvmlInit()
handle = pynvml.nvmlDeviceGetHandleByIndex(0)
good = profile.read_text()

def power():
    try:
        return pynvml.nvmlDeviceGetPowerUsage(handle)
    except pynvml.NVMLError as error:
        return -error.value

before = power()
replace_profile(good.replace("[system]", "[system]\\nfault = nvmlDeviceGetPowerUsage 0 no_permission"))
until(lambda: power() == -4)
replace_profile("this is no profile")
during = power()
replace_profile(good)
until(lambda: power() > 0)
give([before > 0, during])
"""

    assert run_child(script, copy_profile(tmp_path, "1x4090")) == [True, -4]


def test_a_hang_ends_when_its_file_goes(tmp_path) -> None:
    script = """
import threading
(folder / "hang").touch()
pynvml.nvmlInit()
handle = pynvml.nvmlDeviceGetHandleByIndex(1)
answers = []
thread = threading.Thread(target=lambda: answers.append(pynvml.nvmlDeviceGetUtilizationRates(handle).gpu))
thread.start()
thread.join(0.2)
hangs = thread.is_alive()
other = pynvml.nvmlDeviceGetUtilizationRates(pynvml.nvmlDeviceGetHandleByIndex(0)).gpu
(folder / "hang").unlink()
thread.join(20)
give([hangs, len(answers), other >= 0])
"""

    assert run_child(script, copy_profile(tmp_path, "hang")) == [True, 1, True]


def test_a_card_pulled_out_is_lost_and_gone_after_a_new_start(tmp_path) -> None:
    script = """
pynvml.nvmlInit()
last = pynvml.nvmlDeviceGetHandleByIndex(7)
replace_profile(profile.read_text().replace("[system]", "[system]\\nremoved = 3"))

def lost():
    try:
        pynvml.nvmlDeviceGetHandleByIndex(3)
    except pynvml.NVMLError_GpuIsLost:
        return True
    return False

until(lost)
before = pynvml.nvmlDeviceGetCount()
pynvml.nvmlShutdown()
pynvml.nvmlInit()
give([before, pynvml.nvmlDeviceGetCount(), pynvml.nvmlDeviceGetPciInfo(pynvml.nvmlDeviceGetHandleByIndex(3)).bus])
"""

    assert run_child(script, copy_profile(tmp_path, "8xh100")) == [8, 7, 5]


def test_calls_are_written_down_with_card_and_thread(tmp_path) -> None:
    calls = tmp_path / "calls"
    script = "pynvml.nvmlInit(); pynvml.nvmlDeviceGetName(pynvml.nvmlDeviceGetHandleByIndex(1)); give(os.getpid())"

    pid = run_child(script, copy_profile(tmp_path, "2-unlike"), calls)

    assert read_calls(calls) == [
        ("nvmlInitWithFlags", -1, pid),
        ("nvmlDeviceGetHandleByIndex_v2", 1, pid),
        ("nvmlDeviceGetName", 1, pid),
    ]


@pytest.mark.parametrize("path", sorted(PROFILES.glob("*.profile")), ids=lambda path: path.stem)
def test_every_ready_profile_can_be_read(path, tmp_path) -> None:
    script = """
try:
    pynvml.nvmlInit()
    give(pynvml.nvmlDeviceGetCount())
except pynvml.NVMLError as error:
    give(-error.value)
"""
    expected = {"mismatch": -18, "not-loaded": -9, "no-permission": -4}

    found = run_child(script, copy_profile(tmp_path, path.stem))

    assert found == expected.get(path.stem, found)
    assert found != 0


def test_a_misspelt_profile_ends_the_program_with_its_line(tmp_path) -> None:
    profile = tmp_path / "bad.profile"
    profile.write_text("[system]\ndevices = 1\n[device 0]\nnmae = x\n", encoding="utf-8")

    with pytest.raises(AssertionError, match=r"line 4: can't read nmae = x"):
        run_child("pynvml.nvmlInit()", profile)


def test_one_command_starts_a_program_on_it() -> None:
    command = [sys.executable, "tests/native/run_on_stand_in.py", "--profile", "16xh100", "--", "python", "-c"]
    program = "import pynvml; pynvml.nvmlInit(); print(pynvml.nvmlDeviceGetCount())"

    done = subprocess.run(
        [*command, program], cwd=BUILD.parents[2], capture_output=True, text=True, timeout=60, check=False
    )

    assert done.stdout.strip() == "16", done.stderr


def test_an_unknown_profile_is_one_sentence() -> None:
    command = [sys.executable, "tests/native/run_on_stand_in.py", "--profile", "nothing"]

    done = subprocess.run(command, cwd=BUILD.parents[2], capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 3
    assert done.stderr.startswith("no profile nothing; ready ones: 16xh100")
