"""NVIDIA's back-end on the stand-in: the real binding in a child process, whole and with every fault."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.codec import decode
from gpuconfig_app.core.gpu import ComputeMode, DriverModel, GpuState, ValueOrigin
from gpuconfig_app.core.system import BackendState
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.backend import BackendResult
from tests.native.child import copy_profile, read_calls, run_child

DETECT = "give(detect())"


def detect(profile, script=DETECT, calls=None) -> BackendResult:
    return decode(BackendResult, run_child(script, profile, calls))


def test_a_healthy_card_tells_all_about_itself(tmp_path) -> None:
    result = detect(copy_profile(tmp_path, "1x4090", more="time_s = 0"))

    (gpu,) = result.gpus
    assert (result.status.state, result.status.code, result.status.source) == (BackendState.READY, None, "nvml")
    assert result.driver is not None
    assert (result.driver.version, result.driver.cuda_version) == ("580.126.09", "13.0")
    assert (gpu.name, gpu.state) == ("NVIDIA GeForce RTX 4090", GpuState.READY)
    assert (gpu.pci_bus_id, gpu.pci_id, gpu.pci_subsystem_id) == ("00000000:01:00.0", "10de:2684", "1043:165b")
    assert (gpu.compute_capability, gpu.compute_capability_origin) == ("8.9", ValueOrigin.CARD)
    assert gpu.memory_total_bytes == 24564 * MIB
    assert gpu.memory_reserved_bytes == 460 * MIB
    assert gpu.memory_used_bytes == 3800 * MIB
    assert gpu.memory_used_bytes + gpu.memory_free_bytes + gpu.memory_reserved_bytes == gpu.memory_total_bytes
    assert (gpu.power_limit_w, gpu.power_limit_min_w, gpu.power_limit_max_w) == (450.0, 150.0, 600.0)
    assert (gpu.architecture, gpu.display_active, gpu.ecc_enabled) == ("Ada Lovelace", True, False)
    assert gpu.compute_mode is ComputeMode.DEFAULT
    assert (gpu.pcie.generation, gpu.pcie.max_width) == (4, 16)


def test_processes_have_their_names_users_and_kinds(tmp_path) -> None:
    (gpu,) = detect(copy_profile(tmp_path, "1x4090")).gpus

    own = next(process for process in gpu.processes if process.kind == "both")
    assert own.name.startswith("python")
    assert own.user
    assert own.memory_used_bytes == 412 * MIB


def test_an_a100_cut_into_slices(tmp_path) -> None:
    gpus = detect(copy_profile(tmp_path, "8xa100-mig")).gpus

    assert [gpu.index for gpu in gpus] == list(range(8))
    assert [gpu.mig_enabled for gpu in gpus] == [index == 3 for index in range(8)]
    slices = gpus[3].mig_instances
    assert [(one.index, one.profile, one.gpu_instance_id) for one in slices] == [
        (0, "3g.40gb", 2),
        (1, "2g.20gb", 3),
        (2, "1g.10gb", 9),
        (3, "1g.10gb", 10),
    ]
    assert slices[0].memory_total_bytes == 40448 * MIB
    assert slices[0].sm_count == 42
    assert len({one.uuid for one in slices}) == 4
    assert all(one.uuid.startswith("MIG-") for one in slices)
    assert [process.mig_index for process in gpus[3].processes] == [0, 0]


def test_nvlinks_lead_to_the_neighbour(tmp_path) -> None:
    gpus = detect(copy_profile(tmp_path, "8xh100")).gpus

    assert len(gpus[0].nvlinks) == 18
    assert gpus[0].nvlinks[0].is_active is True
    assert gpus[0].nvlinks[0].remote_pci_bus_id == gpus[1].pci_bus_id


def test_unlike_cards_keep_their_order(tmp_path) -> None:
    gpus = detect(copy_profile(tmp_path, "2-unlike")).gpus

    assert [gpu.compute_capability for gpu in gpus] == ["8.6", "6.1"]


@pytest.mark.parametrize("profile", ["1x4090", "not-loaded", "mismatch"])
def test_what_the_driver_does_not_tell_has_a_reason(tmp_path, profile) -> None:
    driver = detect(copy_profile(tmp_path, profile)).driver

    told = ("version", "kernel_version", "cuda_version", "is_open_kernel_module")
    assert driver is not None
    assert not [name for name in told if getattr(driver, name) is None and name not in driver.absent]
    assert not [name for name in told if getattr(driver, name) is not None and name in driver.absent]


def test_mismatch_names_both_versions(tmp_path) -> None:
    version = tmp_path / "proc" / "driver" / "nvidia" / "version"
    version.parent.mkdir(parents=True)
    version.write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  460.91.03  Fri Jul  2 06:04:10 UTC 2021\n")

    result = detect(copy_profile(tmp_path, "mismatch"))

    assert (result.status.state, result.status.code) == (BackendState.FAILED, "driver_library_mismatch")
    assert result.status.reason is not None
    assert result.status.reason.id.startswith("hardware.driver-library-mismatch")
    assert result.driver is not None
    assert result.driver.kernel_version == "460.91.03"
    assert result.gpus == ()


def test_module_not_loaded(tmp_path) -> None:
    profile = copy_profile(tmp_path, "not-loaded")

    unknown = detect(profile)
    with_card = detect(profile, 'give(detect(pci_bus_ids=("0000:01:00.0",)))')
    without = detect(profile, "give(detect(pci_bus_ids=()))")

    assert (unknown.status.state, unknown.status.code) == (BackendState.DRIVER_MISSING, "driver_not_loaded")
    assert with_card.status.state is BackendState.DRIVER_MISSING
    assert (without.status.state, without.status.code) == (BackendState.NOT_PRESENT, None)
    assert unknown.status.reason.id == "hardware.driver-not-loaded"


def test_no_permission_for_the_driver(tmp_path) -> None:
    status = detect(copy_profile(tmp_path, "no-permission")).status

    assert (status.state, status.code) == (BackendState.FAILED, "no_permission")
    assert status.reason.id == "hardware.no-permission"


def test_one_card_that_denies_access_leaves_the_others(tmp_path) -> None:
    result = detect(copy_profile(tmp_path, "2-unlike", more="fault = * 0 no_permission"))

    assert result.status.state is BackendState.READY
    assert [gpu.state for gpu in result.gpus] == [GpuState.NO_PERMISSION, GpuState.READY]
    assert result.gpus[0].state_reason.id == "hardware.card-no-permission"
    assert result.gpus[1].name == "NVIDIA GeForce GTX 1080 Ti"


def test_a_lost_card_leaves_the_others(tmp_path) -> None:
    result = detect(copy_profile(tmp_path, "gpu-lost", ("after 20", "after 0")))

    assert result.status.state is BackendState.READY
    assert [gpu.state for gpu in result.gpus] == [GpuState.READY, GpuState.LOST]
    assert result.gpus[1].state_reason.id == "hardware.gpu-lost"
    assert result.gpus[1].absent["memory_total_bytes"].id == "hardware.gpu-lost"


def test_a_card_lost_half_way_keeps_what_it_told(tmp_path) -> None:
    profile = copy_profile(tmp_path, "1x4090", more="fault = nvmlDeviceGetMemoryInfo_v2 0 gpu_is_lost")

    result = detect(profile)

    (gpu,) = result.gpus
    assert (result.status.state, result.status.code) == (BackendState.FAILED, "gpu_lost")
    assert (gpu.state, gpu.name, gpu.compute_capability) == (GpuState.LOST, "NVIDIA GeForce RTX 4090", "8.9")
    assert gpu.memory_total_bytes is None


def test_an_old_driver_gives_reasons_and_the_rest(tmp_path) -> None:
    (gpu,) = detect(copy_profile(tmp_path, "old-driver")).gpus

    assert gpu.memory_total_bytes == 11178 * MIB
    assert gpu.memory_reserved_bytes is None
    assert gpu.absent["memory_reserved_bytes"].id == "hardware.reserved-inside-used"
    assert gpu.processes is None
    assert gpu.absent["processes"].id == "hardware.reading-driver-too-old"
    assert gpu.absent["mig_enabled"].id == "hardware.reading-driver-too-old"


def test_a_driver_between_old_and_new_uses_the_older_process_list(tmp_path) -> None:
    missing = "missing = nvmlDeviceGetComputeRunningProcesses_v3 nvmlDeviceGetGraphicsRunningProcesses_v3"

    (gpu,) = detect(copy_profile(tmp_path, "1x4090", more=missing)).gpus

    assert {process.kind for process in gpu.processes} == {"both", "graphics"}


def test_a_driver_that_hangs_at_its_start_is_given_up(tmp_path) -> None:
    script = '(folder / "hang").touch(); give(detect(time_limit_s=0.2))'

    status = detect(copy_profile(tmp_path, "1x4090", more="hang = nvmlInitWithFlags - while hang"), script).status

    assert (status.state, status.code) == (BackendState.FAILED, "no_answer")
    assert status.reason.id == "hardware.driver-no-answer"
    assert status.reason.params == {"limit_s": 0.2}


def test_a_card_that_hangs_keeps_what_it_told_and_does_not_hold_up_the_exit(tmp_path) -> None:
    script = """
(folder / "hang").touch()
stuck = detect(time_limit_s=0.5)
(folder / "hang").unlink()
freed = detect()
(folder / "hang").touch()
detect(time_limit_s=0.2)
give([stuck, freed])  # and the process ends while the last call still hangs
"""
    calls = tmp_path / "calls"

    stuck, freed = (decode(BackendResult, one) for one in run_child(script, copy_profile(tmp_path, "hang"), calls))

    assert stuck.status.state is BackendState.READY
    assert [gpu.state for gpu in stuck.gpus] == [GpuState.READY, GpuState.NO_ANSWER]
    assert stuck.gpus[1].name == "NVIDIA RTX A5000"
    assert stuck.gpus[1].memory_total_bytes is None
    assert stuck.gpus[1].absent["memory_total_bytes"].id == "hardware.no-answer"
    assert [gpu.state for gpu in freed.gpus] == [GpuState.READY, GpuState.READY]
    assert [function for function, _, _ in read_calls(calls)].count("nvmlShutdown") == 1


def test_no_card_in_the_drivers_list(tmp_path) -> None:
    profile = copy_profile(tmp_path, "1x4090", ("devices = 1", "devices = 0"))

    nothing = detect(profile).status
    hidden = detect(profile, 'give(detect(pci_bus_ids=("0000:01:00.0",)))').status

    assert (nothing.state, nothing.code) == (BackendState.NOT_PRESENT, None)
    assert (hidden.state, hidden.code) == (BackendState.FAILED, "no_devices")
    assert hidden.reason.id == "hardware.no-devices"


def test_seventy_two_cards(tmp_path) -> None:
    result = detect(copy_profile(tmp_path, "8xh100", ("devices = 8", "devices = 72")))

    assert len(result.gpus) == 72
    assert all(gpu.state is GpuState.READY for gpu in result.gpus)
    assert len({gpu.uuid for gpu in result.gpus}) == 72


def test_thousands_of_processes(tmp_path) -> None:
    change = ("[device 0]", "[device 0]\nprocess_count = 5000\nprocess_growth = 3000")

    (gpu,) = detect(copy_profile(tmp_path, "1x4090", change)).gpus

    assert len(gpu.processes) >= 5000
    assert gpu.processes[-1].name is None


def test_memory_of_a_chip_without_its_own_is_named_shared(tmp_path) -> None:
    change = ("memory_mib = 24564", "memory_mib = n/a"), ("power_w = sine 48 412 20", "power_w = n/a")

    (gpu,) = detect(copy_profile(tmp_path, "1x4090", *change)).gpus

    assert gpu.memory_is_shared is True
    assert (gpu.memory_total_bytes, gpu.memory_used_bytes) == (None, None)
    assert gpu.absent["memory_total_bytes"].id == "hardware.memory-shared"


def test_a_name_the_driver_does_not_have_is_unknown(tmp_path) -> None:
    change = ("name = NVIDIA GeForce RTX 4090", "name = Graphics Device")

    (gpu,) = detect(copy_profile(tmp_path, "1x4090", change)).gpus

    assert gpu.name is None
    assert gpu.absent["name"].id == "hardware.no-marketing-name"
    assert gpu.pci_id == "10de:2684"


def test_windows_driver_model_hides_the_memory_of_processes(tmp_path) -> None:
    change = ("process = self both 412", "driver_model = wddm\nprocess = self both n/a")

    (gpu,) = detect(copy_profile(tmp_path, "1x4090", change)).gpus

    assert gpu.driver_model is DriverModel.WDDM
    assert gpu.absent["processes.memory_used_bytes"].id == "hardware.wddm-process-memory"


def test_exclusive_mode_is_told(tmp_path) -> None:
    change = ("compute_mode = default", "compute_mode = exclusive_process")

    assert detect(copy_profile(tmp_path, "1x4090", change)).gpus[0].compute_mode is ComputeMode.EXCLUSIVE_PROCESS


def test_a_sleeping_card_is_not_touched(tmp_path) -> None:
    calls = tmp_path / "calls"
    script = """
ids = ("0000:01:00.0", "0000:02:00.0")
give(detect(pci_bus_ids=ids, sleeping_bus_ids=frozenset(ids[:1])))
"""

    result = detect(copy_profile(tmp_path, "2-unlike"), script, calls)

    assert [gpu.state for gpu in result.gpus] == [GpuState.ASLEEP, GpuState.READY]
    assert result.gpus[0].pci_bus_id == "00000000:01:00.0"
    assert result.gpus[1].name == "NVIDIA GeForce GTX 1080 Ti"
    assert {slot for _, slot, _ in read_calls(calls)} == {-1, 1}


def test_the_driver_is_not_even_started_when_all_cards_sleep(tmp_path) -> None:
    calls = tmp_path / "calls"
    script = 'give(detect(pci_bus_ids=("0000:01:00.0",), sleeping_bus_ids=frozenset({"0000:01:00.0"})))'

    result = detect(copy_profile(tmp_path, "1x4090"), script, calls)

    assert result.status.state is BackendState.READY
    assert [gpu.state for gpu in result.gpus] == [GpuState.ASLEEP]
    assert read_calls(calls) == []


def test_a_sleeping_card_is_asked_when_the_user_wants_it(tmp_path) -> None:
    script = """
give(detect(pci_bus_ids=("0000:01:00.0",), sleeping_bus_ids=frozenset({"0000:01:00.0"}), wakes_sleeping_gpus=True))
"""

    assert detect(copy_profile(tmp_path, "1x4090"), script).gpus[0].name == "NVIDIA GeForce RTX 4090"
