"""Constructed relatives of NVIDIA's field recordings: other cards, widths, releases, columns, and separators."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.gpu import ComputeMode
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import OsFamily
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


# --- nvidia-smi, table ---

WIDE = """\
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 570.86.15              Driver Version: 570.86.15      CUDA Version: 12.8     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   0  Tesla V100-SXM2-32GB           On  |   00000000:15:00.0 Off |                    0 |
| N/A   41C    P0             55W /  300W |   31229MiB /  32768MiB |     98%   E. Process |
|                                         |                        |                  N/A |
+-----------------------------------------+------------------------+----------------------+
|   1  Tesla V100-SXM2-32GB           On  |   00000000:16:00.0 Off |                  Off |
| ERR!  ERR!  ERR!           ERR! /  ERR! |   Unknown Error        |     ERR!     Default |
|                                         |                        |                  N/A |
+-----------------------------------------+------------------------+----------------------+
|   2  ERR!                           Off |   00000000:17:00.0 Off |                 ERR! |
| N/A   N/A    N/A            N/A /  N/A  |       0MiB /     0MiB  |      N/A     Default |
|                                         |                        |                  N/A |
+-----------------------------------------+------------------------+----------------------+
"""
OLD = """\
+------------------------------------------------------+
| NVIDIA-SMI 352.63     Driver Version: 352.63         |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
|   0  Tesla K80           Off  | 0000:04:00.0     Off |                    0 |
| N/A   32C    P8    26W / 149W |     55MiB / 11519MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
|   1  GeForce GT 720M     Off  | 0000:05:00.0     N/A |                  N/A |
| N/A   45C    P0    N/A /  N/A |    137MiB /  1985MiB |     N/A      Default |
+-------------------------------+----------------------+----------------------+

+-----------------------------------------------------------------------------+
| Processes:                                                       GPU Memory |
|  GPU       PID  Type  Process name                               Usage      |
|=============================================================================|
|    0     21180    C   python                                        52MiB |
|    1                  Not Supported                                         |
+-----------------------------------------------------------------------------+
"""


def test_several_cards_and_faulty_ones_in_one_table():
    output = read(WIDE)

    first, second, third = output.result.gpus
    assert (first.memory_used_bytes, first.compute_mode) == (31229 * MIB, ComputeMode.EXCLUSIVE_PROCESS)
    assert (first.ecc_enabled, second.ecc_enabled) == (True, False)
    assert (second.memory_total_bytes, second.power_limit_w) == (None, None)
    assert second.absent["memory_total_bytes"].id == "hardware.reading-failed"
    assert (third.name, third.memory_total_bytes) == (None, None)
    assert [sorted(one.values) for one in output.readings[1:]] == [[], [Metric.MEMORY_USED_BYTES]]
    assert output.os_family is OsFamily.LINUX


def test_table_before_cuda_was_in_the_header():
    output = read(OLD)

    first, second = output.result.gpus
    assert (output.result.driver.version, output.result.driver.cuda_version) == ("352.63", None)
    assert (first.name, first.pci_bus_id, first.memory_total_bytes) == ("Tesla K80", "00000000:04:00.0", 11519 * MIB)
    assert [(one.pid, one.name, one.memory_used_bytes) for one in first.processes] == [(21180, "python", 52 * MIB)]
    assert (second.name, second.power_limit_w, second.display_active) == ("GeForce GT 720M", None, None)


@pytest.mark.parametrize("model", ["TCC", "WDDM", "MCDM"])
def test_windows_driver_models(model):
    output = read(WIDE.replace("Persistence-M", " Driver-Model").replace("  On  |", f"{model:>4}  |"))

    assert output.result.gpus[0].driver_model.value == model.lower()
    assert output.os_family is OsFamily.WINDOWS


def test_mig_table_with_unknown_use():
    text = (DATA / "nvidia_smi" / "h100-mig.txt").read_text(encoding="utf-8").partition("state: load")[0]

    (gpu,) = cards(text.replace("26MiB / 40448MiB", "  N/A / 40448MiB"))

    assert len(gpu.mig_instances) == 4
    assert gpu.mig_instances[0].memory_used_bytes is None


def test_list_alone_names_cards_and_slices():
    (gpu,) = cards(
        "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-11111111-2222-3333-4444-555555555555)\n"
        "  MIG 1g.5gb      Device  0: (UUID: MIG-11111111-2222-3333-4444-666666666666)\n"
    )

    assert (gpu.name, gpu.memory_total_bytes, gpu.mig_enabled) == ("NVIDIA A100-SXM4-40GB", None, True)
    assert [one.profile for one in gpu.mig_instances] == ["1g.5gb"]


# --- nvidia-smi -q ---

LONG = """\
==============NVSMI LOG==============

Timestamp                                 : Tue Jul 14 09:00:26 2026
Driver Version                            : 610.57.04 [Deprecated; gone in CUDA 14.0. Use KMD Version instead]
KMD Version                               : 610.57.04
CUDA Version                              : 13.3 [Deprecated; use CUDA UMD Version instead]

Attached GPUs                             : 2
GPU 00000000:01:00.0
    Product Name                          : NVIDIA GeForce RTX 5090
    Product Architecture                  : Blackwell
    Display Active                        : Enabled
    Persistence Mode                      : Disabled
    MIG Mode
        Current                           : N/A
        Pending                           : N/A
    Driver Model
        Current                           : N/A
    GPU UUID                              : GPU-11111111-2222-3333-4444-555555555555
    PCI
        Device Id                         : 0x2B8510DE
        Bus Id                            : 00000000:01:00.0
        GPU Link Info
            PCIe Generation
                Max                       : 5
                Current                   : 1
            Link Width
                Max                       : 16x
                Current                   : 16x
    Fan Speed                             : 0 %
    Clocks Event Reasons
        SW Power Cap                      : Active
        HW Slowdown                       : Not Active
            HW Thermal Slowdown           : Active
    FB Memory Usage
        Total                             : 32607 MiB
        Reserved                          : 560 MiB
        Used                              : 1043 MiB
        Free                              : 31005 MiB
    BAR1 Memory Usage
        Total                             : 32768 MiB
    Compute Mode                          : Default
    Utilization
        GPU                               : 3 %
        Memory                            : N/A
    ECC Mode
        Current                           : Disabled
    Temperature
        GPU Current Temp                  : 41 C
        GPU Shutdown Temp                 : N/A
    GPU Power Readings
        Average Power Draw                : 33.10 W
        Instantaneous Power Draw          : 35.97 W
        Current Power Limit               : 575.00 W
    Clocks
        Graphics                          : 180 MHz
        SM                                : 180 MHz
        Memory                            : 405 MHz
    Processes
        GPU instance ID                   : N/A
        Compute instance ID               : N/A
        Process ID                        : 2140
            Type                          : G
            Name                          : /usr/lib/xorg/Xorg
            Used GPU Memory               : 410 MiB
        Process ID                        : 2177
            Type                          : C
            Name                          : python
            Used GPU Memory               : N/A

GPU 00000000:02:00.0
    Product Name                          : NVIDIA GeForce RTX 5090
    FB Memory Usage
        Total                             : Unknown Error
"""


def test_long_text_with_remarks_glued_on():
    output = read(LONG)

    first, second = output.result.gpus
    assert (output.result.driver.version, output.result.driver.cuda_version) == ("610.57.04", "13.3")
    assert (first.name, first.pci_id, first.architecture) == ("NVIDIA GeForce RTX 5090", "10de:2b85", "Blackwell")
    assert (first.memory_total_bytes, first.memory_used_bytes) == (32607 * MIB, 1043 * MIB)
    assert (first.pcie.generation, first.pcie.max_generation, first.pcie.width) == (1, 5, 16)
    assert (first.mig_enabled, first.ecc_enabled, first.persistence_enabled) == (None, False, False)
    assert [(one.pid, one.kind, one.memory_used_bytes) for one in first.processes] == [
        (2140, "graphics", 410 * MIB), (2177, "compute", None),
    ]  # fmt: skip
    readings = output.readings[0]
    assert readings.values[Metric.POWER_W] in (33.1, 35.97)
    assert readings.values[Metric.UTILIZATION_PCT] == 3
    assert Metric.MEMORY_UTILIZATION_PCT in readings.absent
    assert readings.throttle_reasons == ("power_cap", "hw_thermal")
    assert (second.memory_total_bytes, second.absent["memory_total_bytes"].id) == (None, "hardware.reading-failed")


# --- nvidia-smi, rows ---

HEAD = "index, name, driver_version, memory.total [MiB], memory.used [MiB], utilization.gpu [%], power.draw [W]"


@pytest.mark.parametrize(
    ("head", "row", "total_mib", "used_mib", "use"),
    [
        (HEAD, "0, NVIDIA L4, 550.54, 23034 MiB, 5 MiB, 0 %, 12.4 W", 23034, 5, 0),
        (HEAD, "0, NVIDIA L4, 550.54, 23034, 5, 0, 12.4", 23034, 5, 0),
        (HEAD.replace(", ", ";"), "0;NVIDIA L4;550.54;23034 MiB;5 MiB;0 %;12.4 W", 23034, 5, 0),
        (HEAD.replace(", ", "\t"), "0\tNVIDIA L4\t550.54\t23034 MiB\t5 MiB\t0 %\t12.4 W", 23034, 5, 0),
        (HEAD, "0, NVIDIA L4, 550.54, [N/A], [Not Supported], [Unknown Error], ERR!", None, None, None),
        (HEAD, "0, NVIDIA L4, 550.54, N/A, N/A, N/A, N/A", None, None, None),
        (HEAD, "0, NVIDIA L4, 550.54, 0 MiB, [N/A], [GPU requires reset], [N/A]", None, None, None),
        (HEAD, "0, NVIDIA L4, 550.54, 23034 MiB, 5 MiB, 0 %, 12", 23034, 5, 0),
        (HEAD.replace("memory.total [MiB]", "memory.total"), "0, NVIDIA L4, 550.54, 23034, 5, 0, 1", None, 5, 0),
    ],
)
def test_rows_with_and_without_units(head, row, total_mib, used_mib, use):
    output = read(f"{head}\n{row}\n")

    (gpu,) = output.result.gpus
    assert gpu.name == "NVIDIA L4"
    assert gpu.memory_total_bytes == (None if total_mib is None else total_mib * MIB)
    assert gpu.memory_used_bytes == (None if used_mib is None else used_mib * MIB)
    assert output.readings[0].values.get(Metric.UTILIZATION_PCT) == use


def test_memory_that_one_card_does_not_tell_is_not_called_shared():
    output = read(f"{HEAD}\n0, NVIDIA L4, 550.54, [N/A], [N/A], 0 %, 12.4 W\n")

    assert output.result.gpus[0].memory_is_shared is False
    assert output.result.gpus[0].absent["memory_total_bytes"].id == "hardware.not-supported"
    assert output.readings[0].absent[Metric.MEMORY_USED_BYTES].id == "hardware.not-supported"


def test_a_number_cut_off_at_the_end_is_no_number():
    output = read(f"{HEAD}\n0, NVIDIA L4, 550.54, 23034 MiB, 5 MiB, 0 %, 12")

    assert Metric.POWER_W in output.readings[0].absent


def test_rows_whose_heading_is_the_command():
    (gpu,) = cards(
        "root@box:~# nvidia-smi --query-gpu=gpu_name,memory.total,compute_cap --format=csv,noheader,nounits\n"
        "NVIDIA GeForce RTX 3060, 12288, 8.6\n"
    )

    assert (gpu.name, gpu.memory_total_bytes, gpu.compute_capability) == (
        "NVIDIA GeForce RTX 3060", 12288 * MIB, "8.6",
    )  # fmt: skip


def test_bare_rows_tell_what_speaks_for_itself():
    first, second = cards(
        "NVIDIA GeForce RTX 3090, 24576 MiB, 535.129.03\nNVIDIA GeForce RTX 3090, 24576 MiB, 535.129.03\n"
    )

    assert (first.name, first.index, second.index) == ("NVIDIA GeForce RTX 3090", 0, 1)
    assert first.memory_total_bytes is None
    assert first.absent["memory_total_bytes"].id == "hardware.column-without-heading"


def test_processes_with_a_comma_in_their_name_fill_the_table():
    table = (DATA / "nvidia_smi" / "gb10.txt").read_text(encoding="utf-8")
    rows = "pid, gpu_uuid, process_name, used_gpu_memory [MiB]\n7, GPU-1, C:\\a, b.exe, 100 MiB\n"

    (gpu,) = cards(table.partition("$ nvidia-smi --query-compute")[0] + rows)

    assert [(one.pid, one.name, one.memory_used_bytes) for one in gpu.processes] == [(7, "C:\\a, b.exe", 100 * MIB)]


# --- nvidia-smi -q -x ---


def test_tree_of_a_card_cut_off_in_the_middle_of_the_second():
    whole = (DATA / "nvidia_smi" / "quadro-p2000-v12.xml").read_text(encoding="utf-8")
    start, end = whole.index("<gpu "), whole.index("</gpu>") + len("</gpu>")
    two = whole[:end] + whole[start : start + 900]

    (gpu,) = cards(two)

    assert (gpu.name, gpu.memory_total_bytes) == ("Quadro P2000", 5120 * MIB)


def test_tree_cut_off_before_its_first_card_ended_is_nothing():
    whole = (DATA / "nvidia_smi" / "quadro-p2000-v12.xml").read_text(encoding="utf-8")

    assert recognise_output(plain_text(whole[: whole.index("</gpu>")])) == ()


def test_tree_with_signs_written_out():
    whole = (DATA / "nvidia_smi" / "quadro-p2000-v12.xml").read_text(encoding="utf-8")

    (gpu,) = cards(whole.replace("<", "&lt;").replace(">", "&gt;"))

    assert gpu.name == "Quadro P2000"


@pytest.mark.parametrize("entity", ["<!ENTITY a SYSTEM 'file:///etc/passwd'>", "<!ENTITY a 'b'>"])
def test_tree_with_foreign_entities_is_refused(entity):
    body = "<nvidia_smi_log><gpu><product_name>&a;</product_name></gpu></nvidia_smi_log>"
    text = f"<!DOCTYPE nvidia_smi_log [{entity}]>{body}"

    assert not any(output.result.gpus for output in recognise_output(plain_text(text)))
