"""Constructed relatives of the field recordings of AMD, Hygon and Ascend: other releases, columns, noise, cut ends."""

from __future__ import annotations

from pathlib import Path

from gpuconfig_app.core.gpu import GpuState, Vendor
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.tool_output import recognise_output
from gpuconfig_app.hardware.tool_text import plain_text

DATA = Path(__file__).resolve().parents[2] / "data"


def read(text: str):
    """Give the one output in a text."""
    (output,) = recognise_output(plain_text(text))
    return output


def cards(text: str):
    return read(text).result.gpus


def test_rocm_json_between_warnings_and_colours():
    text = (
        "WARNING: AMD GPU device(s) is/are in a low-power state.\n"
        '\x1b[33m{"card0": {"GPU use (%)": "N/A", "VRAM Total Memory (B)": "17163091968", '
        '"VRAM Total Used Memory (B)": "None", "Card Series": "0x744c", "Device ID": "0x744c", '
        '"Current Socket Graphics Package Power (W)": "N/A (Secondary die)", "GFX Version": "gfx1100", '
        '"0": "500Mhz", "Temperature (Sensor edge) (C)": "0.0"}, "0": {"1": "x"}, '
        '"system": {"Driver version": "6.8.5"}}\x1b[0m'
    )

    output = read(text)

    (gpu,) = output.result.gpus
    assert (gpu.name, gpu.pci_id, gpu.target) == (None, "1002:744c", "gfx1100")
    assert (gpu.memory_total_bytes, gpu.memory_used_bytes, gpu.memory_free_bytes) == (17163091968, None, None)
    readings = output.readings[0]
    assert readings.absent[Metric.POWER_W].id == "hardware.other-half-tells"
    assert {Metric.UTILIZATION_PCT, Metric.TEMPERATURE_C, Metric.MEMORY_USED_BYTES} <= set(readings.absent)
    assert readings.values == {}


def test_rocm_json_cut_off_keeps_the_whole_cards():
    text = (DATA / "vendor_tools" / "rocm-smi_6.0.2_4xmi100.json").read_text(encoding="utf-8")

    found = cards(text[: text.index('"card2"') + 300])

    assert [gpu.pci_bus_id for gpu in found] == ["00000000:83:00.0", "00000000:a3:00.0"]


ROCM_5 = """\
======================= ROCm System Management Interface =======================
================================= Concise Info =================================
GPU  Temp (DieEdge)  AvgPwr  SCLK    MCLK     Fan    Perf  PwrCap  VRAM%  GPU%
0    45.0c           36.0W   300Mhz  1200Mhz  0%     auto  290.0W    0%   7%
1    N/A             N/A     None    1200Mhz  0%     auto  Unsupported    0%   0%
================================================================================
============================= End of ROCm SMI Log ==============================
"""
ROCM_6 = """\
=========================================== ROCm System Management Interface ===========================================
===================================================== Concise Info =====================================================
Device  Node  IDs              Temp    Power  Partitions          SCLK  MCLK   Fan  Perf  PwrCap  VRAM%  GPU%
\x20             (DID,     GUID)  (Edge)  (Avg)  (Mem, Compute, ID)
========================================================================================================================
0       1     0x73df,   24893  45.0°C  6.0W   N/A, N/A, 0         0Mhz  96Mhz  0%   auto  211.0W  12%    3%
========================================================================================================================
"""


def test_rocm_table_of_release_5():
    first, second = read(ROCM_5).readings

    assert first.values[Metric.TEMPERATURE_C] == 45
    assert first.values[Metric.UTILIZATION_PCT] == 7
    assert {Metric.TEMPERATURE_C, Metric.POWER_W} <= set(second.absent)


def test_rocm_table_of_release_6():
    output = read(ROCM_6)

    (gpu,) = output.result.gpus
    assert (gpu.vendor, gpu.power_limit_w) == (Vendor.AMD, 211.0)
    assert output.readings[0].values[Metric.POWER_W] == 6
    assert output.readings[0].values[Metric.UTILIZATION_PCT] == 3


def test_hy_smi_json_with_noise_around_it():
    text = (
        "\x1b[1m====== System Management Interface ======\x1b[0m\r\n"
        '\x1b[0m{"card0": {"HCU use (%)": "55.0", "HCU memory use (%)": "12", "Temperature (Sensor core) (C)": "61.0",'
        ' "Average Graphics Package Power (W)": "180.5"},\r\n "card1": {"HCU use (%)": "N/A"}}\r\n====== End ======'
    )

    output = read(text)

    assert {gpu.vendor for gpu in output.result.gpus} == {Vendor.HYGON}
    assert output.readings[0].values == {
        Metric.UTILIZATION_PCT: 55, Metric.TEMPERATURE_C: 61, Metric.POWER_W: 180.5,
    }  # fmt: skip
    assert output.readings[1].values == {}
    assert output.result.gpus[0].absent["memory_total_bytes"].params["percent"] == "12"


def test_older_dcu_table_with_clocks():
    output = read(
        "DCU  Temp   AvgPwr  SCLK     MCLK    Fan   Perf  PwrCap  VRAM%  DCU%\n"
        "0    37.0c  24.0W   1319Mhz  800Mhz  0.0%  auto  300.0W  3%     0%\n"
        "1    38.0c  25.0W\n"
    )

    first, second = output.result.gpus
    assert (first.vendor, first.power_limit_w, second.power_limit_w) == (Vendor.HYGON, 300.0, None)
    assert output.readings[0].values[Metric.CLOCK_SM_MHZ] == 1319
    assert output.readings[1].values == {}


# --- npu-smi ---

NPU_310 = """\
+------------------------------------------------------------------------------+
| npu-smi 23.0.5                        Version: 23.0.5                        |
+-------------------+-----------------+----------------------------------------+
| NPU     Name      | Health          | Power(W)     Temp(C)   Hugepages-Usage(page) |
| Chip    Device    | Bus-Id          | AICore(%)    Memory-Usage(MB)          |
+===================+=================+========================================+
| 0       310       | OK              | 12.8         45        0    / 970      |
| 0       0         | 0000:01:00.0    | 0            2703 / 8192               |
+-------------------+-----------------+----------------------------------------+
| 0       310       | Alarm           | NA           46        0    / 970      |
| 1       1         | 0000:02:00.0    | 99           NA   / 8192               |
+===================+=================+========================================+
| 4       310P3     | Warning         | 0.0          NA        0    / 0        |
| 0       2         | NA              | NA           1625 / 21527              |
+===================+=================+========================================+
"""


def test_npu_with_one_column_of_memory_and_several_chips():
    output = read(NPU_310)

    first, second, third = output.result.gpus
    assert (first.name, first.memory_total_bytes, first.memory_used_bytes) == ("Ascend 310", 8192 * MIB, 2703 * MIB)
    assert (second.state, second.state_reason.id) == (GpuState.FAILED, "hardware.card-unhealthy")
    assert (second.memory_total_bytes, second.memory_used_bytes) == (8192 * MIB, None)
    assert (third.state, third.pci_bus_id, third.memory_total_bytes) == (GpuState.READY, None, 21527 * MIB)
    assert {Metric.POWER_W, Metric.TEMPERATURE_C, Metric.UTILIZATION_PCT} <= set(output.readings[2].absent)
    assert output.readings[1].values[Metric.UTILIZATION_PCT] == 99
    assert output.result.driver.version == "23.0.5"


def test_npu_910a_has_memory_of_its_processor_beside_its_own():
    text = (DATA / "vendor_tools" / "npu-smi_24_910B3.txt").read_text(encoding="utf-8").partition("# state: loaded")[0]
    text = text.replace("910B3", "910A ").replace("24.1.0.3", "25.2.rc1")
    text = text.replace("0    / 0          3401 / 65536 ", "2345 / 15137      77   / 32768 ")

    output = read(text)

    first = output.result.gpus[0]
    assert (first.name, first.memory_total_bytes, first.memory_used_bytes) == ("Ascend 910A", 32768 * MIB, 77 * MIB)
    assert output.result.driver.version == "25.2.rc1"


def test_npu_table_cut_off_inside_a_number():
    text = (DATA / "vendor_tools" / "npu-smi_24_910B3.txt").read_text(encoding="utf-8")

    (gpu,) = cards(text[: text.index("3401 / 65536") + len("3401 / 655")])

    assert (gpu.memory_total_bytes, gpu.absent["memory_total_bytes"].id) == (None, "hardware.not-told-by-tool")


def test_npu_table_that_lists_nothing():
    output = read("| npu-smi 24.1.0   Version: 24.1.0 |\n")

    assert (output.result.status.state, output.result.status.code) == (BackendState.FAILED, "no_devices")


def test_rocm_rows():
    text = (
        "device,GPU use (%),VRAM Total Memory (B),VRAM Total Used Memory (B),Card Series\n"
        'card0,7,17163091968,10919936,"Navi 31 [Radeon RX 7900 XT/7900 XTX]"\n'
        "card1,N/A,N/A,N/A,N/A\n"
    )

    output = read(text)

    first, second = output.result.gpus
    assert (first.name, first.memory_total_bytes) == ("Navi 31 [Radeon RX 7900 XT/7900 XTX]", 17163091968)
    assert output.readings[0].values[Metric.UTILIZATION_PCT] == 7
    assert (second.name, second.memory_total_bytes, output.readings[1].values) == (None, None, {})


def test_rocm_lines():
    text = (
        "============ ROCm System Management Interface ============\n"
        "Driver version: 6.8.5\n"
        "GPU[0]\t\t: Card series: \t\tNavi 21 [Radeon RX 6800/6800 XT / 6900 XT]\n"
        "GPU[0]\t\t: Temperature (Sensor edge) (C): 41.0\n"
        "GPU[0]\t\t: GPU use (%): 99\n"
        "GPU[0]\t\t: VRAM Total Memory (B): 17163091968\n"
        "GPU[1]\t\t: GPU use (%): N/A\n"
    )

    output = read(text)

    assert output.result.driver.version == "6.8.5"
    assert [gpu.memory_total_bytes for gpu in output.result.gpus] == [17163091968, None]
    assert output.readings[0].values[Metric.UTILIZATION_PCT] == 99
    assert output.readings[0].values[Metric.TEMPERATURE_C] == 41
    assert Metric.UTILIZATION_PCT in output.readings[1].absent


def test_hy_lines_tell_memory_in_their_own_unit():
    (gpu,) = cards("HCU[0] \t\t: vram Total Memory (MiB): 65520\nHCU[0] \t\t: vram Total Used Memory (MiB): 2\n")

    assert (gpu.vendor, gpu.memory_total_bytes, gpu.memory_used_bytes) == (Vendor.HYGON, 65520 * MIB, 2 * MIB)


def test_npu_table_of_release_25_with_two_chips_on_a_board():
    text = """\
| npu-smi 25.0.rc1                 Version: 25.0.rc1                                             |
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip  Phy-ID              | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
| 0     Ascend910           | OK            | 171.3       36                0    / 0             |
| 0     0                   | 0000:9D:00.0  | 3           0    / 0          3114 / 65536         |
| 0     Ascend910           | OK            | -           36                0    / 0             |
| 1     1                   | 0000:9F:00.0  | 0           0    / 0          2888 / 65536         |
| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
| 0       1                 | 4711          | python3                  | 2500                    |
"""

    first, second = cards(text)

    assert [gpu.name for gpu in (first, second)] == ["Ascend910"] * 2
    assert [gpu.memory_used_bytes for gpu in (first, second)] == [3114 * MIB, 2888 * MIB]
    assert (first.processes, [one.pid for one in second.processes]) == (None, [4711])
    assert Metric.POWER_W in read(text).readings[1].absent
