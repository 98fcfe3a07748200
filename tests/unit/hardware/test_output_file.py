"""Files with the output of a tool as machines: the public field cases, one by one, through the product's own door."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.gpu import DriverModel, Vendor
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState, OsFamily
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.output_file import load_output_file, open_recorded
from gpuconfig_app.knowledge.identify import fill_from_catalogue

DATA = Path(__file__).resolve().parents[2] / "data"
NVIDIA = DATA / "nvidia_smi"
VENDORS = DATA / "vendor_tools"


def opened(path: Path):
    machine = load_output_file(path)
    assert machine.report.is_cards_alone
    assert machine.report.recorded_from == machine.report.machine_id == machine.name
    for sample in machine.samples:
        assert not set(sample.values) & set(sample.absent)
        assert set(sample.values) | set(sample.absent) == set(Metric)
    return machine


def only_card(path: Path):
    (gpu,) = opened(path).report.gpus
    return gpu


def test_b01_rtx_4000_sff_ada_tree_of_schema_13():
    machine = opened(NVIDIA / "rtx-4000-sff-ada-v13.xml")

    (gpu,) = machine.report.gpus
    (driver,) = machine.report.drivers
    assert (driver.version, driver.cuda_version) == ("595.84", "13.2")
    assert (gpu.memory_total_bytes, gpu.memory_used_bytes) == (20475 * MIB, 3534 * MIB)
    assert (gpu.memory_free_bytes, gpu.memory_reserved_bytes) == (16482 * MIB, 460 * MIB)
    assert [process.kind for process in gpu.processes] == ["graphics", "graphics", "compute", "both"]
    assert gpu.display_active is True
    assert machine.samples[0].values[Metric.POWER_W] == 8.44


def test_b02_a100_with_four_slices_of_which_one_card_is_described():
    machine = opened(NVIDIA / "a100-sxm4-mig-v12.xml")

    (gpu,) = machine.report.gpus
    assert [note.params for note in machine.report.notes if note.id == "host.output-describes-fewer"] == [
        {"told": 4, "found": 1}
    ]
    assert [(one.index, one.gpu_instance_id, one.memory_total_bytes) for one in gpu.mig_instances] == [
        (0, 3, 19968 * MIB), (1, 4, 19968 * MIB), (2, 5, 19968 * MIB), (3, 6, 19968 * MIB),
    ]  # fmt: skip
    assert gpu.mig_enabled is True
    assert machine.samples[0].absent[Metric.UTILIZATION_PCT].id == "hardware.mig-not-for-whole-card"


def test_b03_minimal_tree_shows_what_is_there():
    machine = opened(NVIDIA / "gtx-1070-ti-minimal.xml")

    (gpu,) = machine.report.gpus
    (driver,) = machine.report.drivers
    assert (driver.version, driver.cuda_version) == (None, None)
    assert (gpu.name, gpu.memory_total_bytes, gpu.pci_id) == ("GeForce GTX 1070 Ti", 4096 * MIB, None)
    assert machine.samples[0].values[Metric.TEMPERATURE_C] == 39
    assert machine.report.host.os.family is OsFamily.OTHER


def test_b04_card_without_a_name_is_known_by_its_pci_id():
    gpu = only_card(NVIDIA / "unnamed-gtx-1660-ti.xml")

    assert (gpu.name, gpu.pci_id, gpu.memory_total_bytes) == (None, "10de:2184", 5912 * MIB)
    assert gpu.absent["name"].id == "hardware.no-marketing-name"
    assert gpu.compute_capability is None


def test_b05_quadro_p2000():
    machine = opened(NVIDIA / "quadro-p2000-v12.xml")

    (gpu,) = fill_from_catalogue(machine.report).gpus
    assert machine.report.drivers[0].cuda_version == "12.0"
    assert (gpu.compute_capability, gpu.ecc_enabled, gpu.mig_enabled) == ("6.1", None, None)


def test_b06_radeon_rx_6700_xt():
    machine = opened(VENDORS / "rocm-smi_6.1.2_rx6700xt.json")

    (gpu,) = machine.report.gpus
    assert (gpu.vendor, gpu.target, gpu.pci_id, gpu.pci_bus_id) == (
        Vendor.AMD, "gfx1031", "1002:73df", "00000000:07:00.0",
    )  # fmt: skip
    assert (gpu.memory_total_bytes, gpu.memory_used_bytes) == (12868124672, 1572745216)
    assert gpu.power_limit_w == 211.0
    assert machine.report.drivers[0].version == "6.3.6"
    assert machine.samples[0].values[Metric.TEMPERATURE_C] == 45


def test_b07_four_mi100_whose_target_comes_from_elsewhere():
    machine = opened(VENDORS / "rocm-smi_6.0.2_4xmi100.json")

    gpus = fill_from_catalogue(machine.report).gpus
    assert [gpu.pci_bus_id for gpu in gpus] == [f"00000000:{bus}:00.0" for bus in ("83", "a3", "c3", "e3")]
    assert {gpu.memory_total_bytes for gpu in gpus} == {34342961152}
    assert {gpu.name for gpu in gpus} == {"Arcturus GL-XL [Instinct MI100]"}
    assert {gpu.target for gpu in machine.report.gpus} == {None}
    assert {gpu.target for gpu in gpus} == {"gfx908"}
    assert not any("target" in gpu.absent for gpu in gpus)


@pytest.mark.parametrize("state", ["idle", "load"])
def test_b08_h100_with_mig_rows(state):
    machine = opened(NVIDIA / f"h100-mig_{state}.csv")

    (gpu,) = machine.report.gpus
    assert (gpu.mig_enabled, gpu.compute_capability) == (True, "9.0")
    assert "mig_instances" in gpu.absent
    assert Metric.UTILIZATION_PCT not in machine.samples[0].values


def test_b08_h100_with_mig_table():
    gpu = only_card(NVIDIA / "h100-mig.txt")

    assert [one.memory_total_bytes // MIB for one in gpu.mig_instances] == [40448, 20096, 9984, 9984]
    assert [one.profile for one in gpu.mig_instances] == ["3g.40gb", "2g.20gb", "1g.10gb", "1g.10gb"]
    assert len(gpu.processes) == 3


@pytest.mark.parametrize("name", ["windows-rtx-2080-super.txt", "windows-rtx-2080-super_load.csv"])
def test_b09_new_words_of_the_610_drivers_on_windows(name):
    machine = opened(NVIDIA / name)

    (gpu,) = machine.report.gpus
    assert machine.report.drivers[0].version == "610.62"
    assert machine.report.host.os.family is OsFamily.WINDOWS
    assert gpu.driver_model is DriverModel.WDDM
    assert (gpu.name, gpu.memory_total_bytes) == ("NVIDIA GeForce RTX 2080 SUPER", 8192 * MIB)
    assert not any(process.memory_used_bytes is not None for process in gpu.processes or ())


def test_b10_ascend_910b3_the_loaded_table_counts():
    machine = opened(VENDORS / "npu-smi_24_910B3.txt")

    gpus = machine.report.gpus
    assert [gpu.name for gpu in gpus] == ["Ascend 910B3"] * 3
    assert [gpu.memory_total_bytes for gpu in gpus] == [65536 * MIB] * 3
    assert [gpu.memory_used_bytes for gpu in gpus] == [65521 * MIB, 65330 * MIB, 3401 * MIB]
    assert [gpu.pci_bus_id for gpu in gpus] == [f"00000000:{bus}:00.0" for bus in ("c1", "01", "c2")]
    assert [process.pid for process in gpus[0].processes] == [201837, 201838]
    assert (gpus[1].processes, gpus[2].processes) == (None, ())
    assert machine.report.drivers[0].version == "24.1.0.3"


def test_b10_ascend_910b3_idle_is_not_empty(tmp_path):
    text = (VENDORS / "npu-smi_24_910B3.txt").read_text(encoding="utf-8").partition("# state: loaded")[0]
    path = tmp_path / "idle.txt"
    path.write_text(text)

    assert [gpu.memory_used_bytes for gpu in opened(path).report.gpus] == [3401 * MIB, 3403 * MIB]


def test_b11_eight_dcu_cards_tell_memory_in_percent_only():
    machine = opened(VENDORS / "hy-smi_8cards.txt")

    gpus = machine.report.gpus
    assert len(gpus) == 8
    assert {gpu.vendor for gpu in gpus} == {Vendor.HYGON}
    assert {gpu.power_limit_w for gpu in gpus} == {400.0}
    assert {(gpu.memory_total_bytes, gpu.memory_used_bytes) for gpu in gpus} == {(None, None)}
    assert {gpu.absent["memory_total_bytes"].id for gpu in gpus} == {"hardware.memory-only-in-percent"}
    assert [sample.values[Metric.POWER_W] for sample in machine.samples] == [114, 109, 106, 107, 118, 113, 106, 115]


def test_b12_gb10_shares_the_systems_memory():
    machine = opened(NVIDIA / "gb10.txt")

    (gpu,) = machine.report.gpus
    assert (gpu.name, gpu.pci_bus_id, gpu.memory_is_shared) == ("NVIDIA GB10", "0000000f:01:00.0", True)
    assert (gpu.memory_total_bytes, gpu.absent["memory_total_bytes"].id) == (None, "hardware.memory-shared")
    assert [process.memory_used_bytes for process in gpu.processes] == [19135 * MIB]
    host = machine.report.host
    assert (host.memory.total_bytes, host.memory.available_bytes) == (127600748 * 1024, 118566368 * 1024)
    assert host.os.architecture == "aarch64"
    assert machine.samples[0].values[Metric.POWER_W] in (3, 11.17)


def test_b13_gtx_770_without_headings_tells_its_name():
    machine = opened(NVIDIA / "gtx770_not_supported.csv")

    (gpu,) = machine.report.gpus
    assert gpu.name == "GeForce GTX 770"
    assert gpu.absent["memory_total_bytes"].id == "hardware.column-without-heading"
    assert [sample.values for sample in machine.samples] in ([], [{}])


def test_b13_gtx_770_with_the_command_before_it(tmp_path):
    columns = (
        "name,utilization.gpu,utilization.memory,temperature.gpu,power.draw,power.limit,fan.speed,pstate,"
        "clocks.current.sm,clocks.current.memory,clocks.max.sm,clocks.max.memory"
    )
    row = (NVIDIA / "gtx770_not_supported.csv").read_text(encoding="utf-8")
    path = tmp_path / "gtx770.txt"
    path.write_text(f"$ nvidia-smi --query-gpu={columns} --format=csv,noheader\n{row}")

    machine = opened(path)

    assert machine.report.gpus[0].name == "GeForce GTX 770"
    assert machine.samples[0].values == {Metric.TEMPERATURE_C: 52, Metric.FAN_PCT: 52}


def test_b14_old_windows_table_with_a_name_cut_off():
    machine = opened(NVIDIA / "windows_wddm_old_table.txt")

    (gpu,) = machine.report.gpus
    assert (gpu.name, gpu.absent["name"].id) == (None, "hardware.name-cut-off")
    assert (gpu.memory_total_bytes, gpu.driver_model) == (11264 * MIB, DriverModel.WDDM)
    assert fill_from_catalogue(machine.report).gpus[0].compute_capability is None
    assert gpu.processes is None


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_any_encoding_and_line_end(tmp_path, encoding):
    text = (NVIDIA / "windows-rtx-2080-super.txt").read_text(encoding="utf-8")
    path = tmp_path / "mailed.txt"
    path.write_bytes(text.replace("\n", "\r\n").encode(encoding))

    assert only_card(path).name == "NVIDIA GeForce RTX 2080 SUPER"


def test_quoted_in_a_mail_with_words_around_it(tmp_path):
    text = (NVIDIA / "gb10.txt").read_text(encoding="utf-8")
    path = tmp_path / "mail.txt"
    path.write_text("".join(f"> {line}\n" for line in f"Hello,\nhere it is:\n\n{text}\nBye".splitlines()))

    assert only_card(path).name == "NVIDIA GB10"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Failed to initialize NVML: Driver/library version mismatch\n", "driver_library_mismatch"),
        ("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.", "driver_not_loaded"),
        ("Unable to determine the device handle for GPU0000:02:00.0: Unknown Error\n", "gpu_lost"),
        ("Command 'nvidia-smi' not found, but can be installed with:\n", "library_not_found"),
        ("NVIDIA-SMI couldn't find libNVIDIA-ml.so library in your system.", "library_not_found"),
    ],
)  # fmt: skip
def test_refusal_of_the_tool_is_a_machine_with_that_fault(tmp_path, said, code):
    path = tmp_path / "said.txt"
    path.write_text(said)

    report = opened(path).report

    assert [gpu.pci_bus_id for gpu in report.gpus] == (["00000000:02:00.0"] if code == "gpu_lost" else [])
    assert report.backend(Vendor.NVIDIA).code == code


def test_no_devices_lists_no_card_and_does_not_say_that_there_is_none(tmp_path):
    path = tmp_path / "none.txt"
    path.write_text("No devices were found\n")
    report = opened(path).report
    status = report.backend(Vendor.NVIDIA)

    assert report.gpus == ()
    assert (status.state, status.code) == (BackendState.FAILED, "no_devices")
    assert status.reason.id == "hardware.no-devices-told"


@pytest.mark.parametrize(
    "data",
    [b"", b"\x00" * 64, b"hello world\n", b"{}", b"<html></html>", b"a,b,c\n1,2,3\n", b"name, value\nfoo, 1\n",
     b"\xff\xfe", bytes(range(256)) * 8, b"GPU Temp 5%\n", b"import os, sys\n",
     b"ssh: no permission\n"],
)  # fmt: skip
def test_anything_else_is_one_clear_sentence(tmp_path, data):
    path = tmp_path / "other.bin"
    path.write_bytes(data)

    with pytest.raises(UnusableFileError) as caught:
        load_output_file(path)

    assert caught.value.message.id == "host.output-not-recognised"
    assert caught.value.hint is not None


def test_too_large_a_file_is_refused(tmp_path):
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(64 * MIB)

    with pytest.raises(UnusableFileError) as caught:
        load_output_file(path)

    assert caught.value.message.id == "core.file-too-large"


def test_folder_shipped_name_and_file_are_told_apart(tmp_path):
    assert open_recorded("8xh100").name == "8xh100"
    assert open_recorded(str(DATA.parent / "machines" / "wsl2")).name == "wsl2"
    assert open_recorded(str(DATA.parent / "machines" / "wsl2" / "machine.json")).name == "wsl2"
    assert open_recorded(str(NVIDIA / "gb10.txt")).name == "gb10"
    with pytest.raises(UnusableFileError):
        open_recorded(str(tmp_path / "nothing-here"))


def test_outputs_of_two_makers_number_their_cards_on(tmp_path):
    path = tmp_path / "both.txt"
    first, second = (NVIDIA / "quadro-p2000-v12.xml"), (VENDORS / "rocm-smi_6.1.2_rx6700xt.json")
    path.write_text(first.read_text(encoding="utf-8") + "\n" + second.read_text(encoding="utf-8"))

    machine = opened(path)

    assert [(gpu.index, gpu.vendor) for gpu in machine.report.gpus] == [(0, Vendor.NVIDIA), (1, Vendor.AMD)]
    assert [sample.key.device for sample in machine.samples] == ["0", "1"]
    assert machine.samples[1].values[Metric.MEMORY_USED_BYTES] == 1572745216
