"""Back-ends of Ascend, Hygon and Intel with stand-ins for their tools and laid-out kernel files."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.gpu import GpuState, Vendor
from gpuconfig_app.core.system import BackendState
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.ascend import AscendBackend
from gpuconfig_app.hardware.backend import DetectOptions, kernel_bus_id
from gpuconfig_app.hardware.hygon import HygonBackend
from gpuconfig_app.hardware.intel import IntelBackend
from gpuconfig_app.hardware.merge import merge_cards
from gpuconfig_app.hardware.pci import PciCard, is_part_of_processor
from tests.unit.hardware.layouts import lay_out
from tests.unit.hardware.stand_ins import put_tool
from tests.unit.hardware.test_amd import bind

DATA = Path(__file__).resolve().parents[2] / "data" / "vendor_tools"
NPU = (DATA / "npu-smi_24_910B3.txt").read_text(encoding="utf-8")
HY = (DATA / "hy-smi_8cards.txt").read_text(encoding="utf-8")
BUS = ("00000000:01:00.0", "00000000:c1:00.0", "00000000:c2:00.0")
EIGHT = tuple(f"00000000:{number:02x}:00.0" for number in range(8))
MAKERS = {
    Vendor.HUAWEI: (lambda root: AscendBackend(root, str(root / "bin")), "npu-smi", BUS, NPU),
    Vendor.HYGON: (lambda root: HygonBackend(str(root / "bin")), "hy-smi", EIGHT, HY),
}
EVERY = pytest.mark.parametrize("vendor", MAKERS)


def options(bus_ids, **more):
    return DetectOptions(**({"pci_bus_ids": bus_ids, "time_limit_s": 5.0} | more))


@EVERY
def test_cards_are_what_the_tool_tells(vendor, tmp_path):
    make, tool, bus_ids, answer = MAKERS[vendor]
    put_tool(tmp_path / "bin", tool, answer)

    result = make(tmp_path).detect(options(bus_ids))

    assert (result.status.state, result.status.source) == (BackendState.READY, tool)
    assert sorted(gpu.pci_bus_id for gpu in result.gpus) == sorted(bus_ids)
    assert [gpu.index for gpu in result.gpus] == list(range(len(bus_ids)))


@EVERY
def test_without_a_card_the_tool_is_not_started(vendor, tmp_path):
    make, tool, _, answer = MAKERS[vendor]
    put_tool(tmp_path / "bin", tool, answer, told=tmp_path / "asked")

    for bus_ids, reason in (((), "no-card-of-maker"), (None, "cards-not-shown")):
        status = make(tmp_path).detect(options(bus_ids)).status
        assert (status.state, status.reason.id) == (BackendState.NOT_PRESENT, f"hardware.{reason}")
    assert not (tmp_path / "asked").exists()


@EVERY
def test_card_without_its_tool_is_a_state_of_its_own(vendor, tmp_path):
    make, _, bus_ids, _ = MAKERS[vendor]
    card = PciCard(bus_id=bus_ids[0], vendor=vendor, pci_id="19e5:d802", driver="devdrv")

    result = make(tmp_path).detect(options(bus_ids[:1]))

    assert (result.status.state, result.status.code) == (BackendState.DRIVER_MISSING, "library_not_found")
    (gpu,) = merge_cards([result], [card])
    assert (gpu.state, gpu.state_reason) == (GpuState.DRIVER_MISSING, result.status.reason)


@EVERY
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("", "failed"),
        ("sh: something else\n", "failed"),
        ("DrvMngGetConsoleLogLevel failed. Permission denied\n", "no_permission"),
    ],
)
def test_tool_that_says_nothing_useful_is_a_fault_with_a_reason(vendor, answer, code, tmp_path):
    make, tool, bus_ids, _ = MAKERS[vendor]
    put_tool(tmp_path / "bin", tool, answer, exit_code=1)

    status = make(tmp_path).detect(options(bus_ids)).status

    assert (status.state, status.code) == (BackendState.FAILED, code)
    assert status.reason is not None


@EVERY
def test_tool_that_hangs_costs_its_limit_only(vendor, tmp_path):
    make, tool, bus_ids, answer = MAKERS[vendor]
    put_tool(tmp_path / "bin", tool, answer, hangs=True)

    status = make(tmp_path).detect(options(bus_ids, time_limit_s=0.3)).status

    assert (status.state, status.code) == (BackendState.FAILED, "no_answer")


@EVERY
def test_sleeping_cards_are_left_asleep(vendor, tmp_path):
    make, tool, bus_ids, answer = MAKERS[vendor]
    put_tool(tmp_path / "bin", tool, answer, told=tmp_path / "asked")

    result = make(tmp_path).detect(options(bus_ids, sleeping_bus_ids=frozenset(bus_ids)))

    assert result.gpus == ()
    assert not (tmp_path / "asked").exists()


def test_ascend_in_a_container_is_seen_by_its_device_file(tmp_path):
    lay_out(tmp_path, {"dev/davinci0": "", "usr/local/Ascend/driver/version.info": "Version=23.0.5\n"})

    result = AscendBackend(tmp_path, str(tmp_path / "bin")).detect(options(()))

    assert result.status.state is BackendState.DRIVER_MISSING
    assert result.driver.version == "23.0.5"


def test_memory_of_ascend_in_bytes(tmp_path):
    put_tool(tmp_path / "bin", "npu-smi", NPU)

    gpus = AscendBackend(tmp_path, str(tmp_path / "bin")).detect(options(BUS)).gpus

    assert [gpu.memory_used_bytes for gpu in gpus] == [65521 * MIB, 65330 * MIB, 3401 * MIB]


def test_older_hygon_tool_is_asked_for_less(tmp_path):
    tool = put_tool(tmp_path / "bin", "rocm-smi", HY, told=tmp_path / "asked")
    script = tool.read_text(encoding="utf-8").replace(
        "/bin/cat", 'test $# -gt 0 && echo "bad option" && exit 2\n/bin/cat'
    )
    tool.write_text(script, encoding="utf-8")

    result = HygonBackend(str(tmp_path / "bin")).detect(options(EIGHT))

    assert len(result.gpus) == 8
    assert len((tmp_path / "asked").read_text().splitlines()) == 3


ARC = "sys/bus/pci/devices/0000:03:00.0"


def arc_files() -> dict[str, str]:
    return {
        f"{ARC}/vendor": "0x8086\n", f"{ARC}/device": "0x56a0\n", f"{ARC}/class": "0x030000\n",
        f"{ARC}/hwmon/hwmon2/temp2_input": "52000\n", f"{ARC}/hwmon/hwmon2/energy1_input": "1000000\n",
        f"{ARC}/hwmon/hwmon2/power1_max": "190000000\n", f"{ARC}/tile0/gt0/freq0/cur_freq": "2400\n",
    }  # fmt: skip


def test_intel_card_tells_what_the_kernel_has(tmp_path):
    lay_out(tmp_path, arc_files())
    bind(tmp_path, "xe", ARC)

    result = IntelBackend(tmp_path).detect(options(("00000000:03:00.0",)))

    (gpu,) = result.gpus
    assert (result.status.state, gpu.state, gpu.power_limit_w) == (BackendState.READY, GpuState.READY, 190.0)
    assert (gpu.memory_total_bytes, gpu.absent["memory_total_bytes"].id) == (None, "hardware.not-told-by-kernel")
    assert gpu.memory_is_shared is False


def test_intel_card_without_driver(tmp_path):
    lay_out(tmp_path, arc_files())

    status = IntelBackend(tmp_path).detect(options(("00000000:03:00.0",))).status

    assert (status.state, status.code) == (BackendState.DRIVER_MISSING, "driver_not_loaded")


def test_sleeping_intel_card_is_not_touched(tmp_path):
    bus_id = "00000000:03:00.0"

    (gpu,) = IntelBackend(tmp_path).detect(options((bus_id,), sleeping_bus_ids=frozenset({bus_id}))).gpus

    assert gpu.state is GpuState.ASLEEP


@pytest.mark.parametrize(
    ("vendor", "place", "beside", "is_part"),
    [
        ("1002", "0000:07:00.0", "1022", True),
        ("1002", "0000:07:00.0", "1002", False),
        ("1002", "0000:00:01.0", None, True),
        ("8086", "0000:00:02.0", None, True),
        ("8086", "0000:03:00.0", None, False),
    ],
)
def test_graphics_of_processors(vendor, place, beside, is_part, tmp_path):
    devices = "sys/bus/pci/devices"
    files = {f"{devices}/{place}/{name}": f"{value}\n" for name, value in
             (("vendor", f"0x{vendor}"), ("device", "0x1638"), ("class", "0x030000"))}  # fmt: skip
    if beside is not None:
        files[f"{devices}/{place[:-1]}2/vendor"] = f"0x{beside}\n"
    lay_out(tmp_path, files)

    assert is_part_of_processor(place, tmp_path) is is_part


@pytest.mark.parametrize(
    ("written", "folder"),
    [("00000000:01:00.0", "0000:01:00.0"), ("0000000f:01:00.0", "000f:01:00.0"), ("00010000:e1:00.0", "10000:e1:00.0"),
     ("nonsense", "nonsense")],
)  # fmt: skip
def test_folder_of_an_address(written, folder):
    assert kernel_bus_id(written) == folder
