"""Which card it is: by PCI id, else by its full name and memory; never by a part of a name."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.gpu import Gpu, GpuState, ValueOrigin, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.knowledge.catalogue import catalogue_gpu, load_catalogue
from gpuconfig_app.knowledge.identify import fill_from_catalogue, fill_gpu, identify


def _gpu(name=None, memory_mib=None, pci_id=None, vendor=Vendor.NVIDIA, **fields) -> Gpu:
    memory = memory_mib * MIB if memory_mib else None
    return Gpu(index=0, vendor=vendor, name=name, memory_total_bytes=memory, pci_id=pci_id, **fields)


@pytest.mark.parametrize(
    ("gpu", "row"),
    [
        (_gpu("NVIDIA GeForce RTX 4090", 24564), "geforce-rtx-4090"),
        (_gpu("GeForce RTX 4090", 24564), "geforce-rtx-4090"),
        (_gpu("NVIDIA GeForce RTX 3060", 12288), "geforce-rtx-3060-12gb"),
        (_gpu("NVIDIA GeForce RTX 3060", 8192), None),
        (_gpu("NVIDIA GeForce RTX 3060"), None),
        (_gpu("NVIDIA GeForce RTX 4060 Ti", 16380), "geforce-rtx-4060-ti-16gb"),
        (_gpu("NVIDIA GeForce RTX 4060 Ti", 8188), None),
        (_gpu("NVIDIA A100-SXM4-80GB", 81920), "a100-sxm4-80gb"),
        (_gpu("NVIDIA A100-SXM4-40GB", 40960), "a100-sxm4-40gb"),
        (_gpu("NVIDIA H100 80GB HBM3", 81559), "h100-sxm5-80gb"),
        (_gpu("NVIDIA H200", 143771), "h200-sxm-141gb"),
        (_gpu(None, 24564, "10de:2684"), "geforce-rtx-4090"),
        (_gpu(None, None, "10DE:2684"), "geforce-rtx-4090"),
        (_gpu(None, 12288, "10de:2504"), "geforce-rtx-3060-12gb"),
        (_gpu("Graphics Device", 5912), None),
        (_gpu("GeForce GTX 108...", 8192), None),
        (_gpu("RTX", 24564), None),
        (_gpu("NVIDIA GeForce RTX 4090 Laptop GPU", 16376), None),
        (_gpu("NVIDIA GeForce RTX 4090", 12288), None),
        (_gpu("Radeon RX 7900 XTX", 24560, vendor=Vendor.AMD), "radeon-rx-7900-xtx"),
        (_gpu("Radeon RX 7900 XTX", 24560, vendor=Vendor.NVIDIA), None),
        (_gpu(), None),
    ],
)
def test_identify(gpu, row):
    found = identify(gpu)

    assert (found.id if found else None) == row


def test_every_row_of_the_catalogue_knows_its_own_memory():
    for row in load_catalogue():
        assert row.fits_memory(int(row.memory_gb * GIB * 0.95)), row.id


def test_card_without_driver_gets_name_and_capability_marked_as_from_the_catalogue():
    silent = _gpu(pci_id="10de:2504", state=GpuState.DRIVER_MISSING, absent={"compute_capability": Message("host.no")})

    filled = fill_gpu(silent)

    assert filled.name == "NVIDIA GeForce RTX 3060 Lite Hash Rate"
    assert (filled.compute_capability, filled.compute_capability_origin) == ("8.6", ValueOrigin.CATALOGUE)
    assert filled.architecture == "Ampere"
    assert filled.catalogue_id is None
    assert "compute_capability" not in filled.absent


def test_card_newer_than_the_pci_list_is_known_by_the_catalogue():
    filled = fill_gpu(_gpu(pci_id="10de:2b85"))

    assert (filled.name, filled.compute_capability) == ("NVIDIA GeForce RTX 5090", "12.0")
    assert filled.catalogue_id == "geforce-rtx-5090"


def test_what_a_card_told_itself_stays():
    told = _gpu(
        "My card", 24564, "10de:2684", compute_capability="9.9", compute_capability_origin=ValueOrigin.CARD,
        architecture="Own",
    )  # fmt: skip

    filled = fill_gpu(told)

    assert (filled.name, filled.compute_capability, filled.architecture) == ("My card", "9.9", "Own")
    assert filled.compute_capability_origin is ValueOrigin.CARD
    assert filled.catalogue_id == "geforce-rtx-4090"


def test_name_without_a_name_is_looked_up_by_id():
    assert fill_gpu(_gpu("Graphics Device", 5912, "10de:2184")).name == "NVIDIA GeForce GTX 1660"
    assert fill_gpu(_gpu("Graphics Device", 5912)).name == "Graphics Device"
    assert fill_gpu(_gpu("Graphics Device", 5912)).compute_capability is None


@pytest.mark.parametrize(
    ("name", "capability"),
    [
        ("GeForce GTX 1070 Ti", "6.1"),
        ("Quadro P2000", "6.1"),
        ("GeForce GTX 770", "3.0"),
        ("Tesla K80", "3.7"),
        ("NVIDIA GeForce RTX 4060 Laptop GPU", "8.9"),
        ("NVIDIA GeForce GTX 1650 with Max-Q Design", "7.5"),
        ("NVIDIA RTX A2000 Laptop GPU", "8.6"),
        ("NVIDIA GeForce RTX 5070 Laptop GPU", "12.0"),
        ("NVIDIA GeForce RTX 4090 D", "8.9"),
        ("GRID T4-16C", "7.5"),
        ("NVIDIA A40-48Q", "8.6"),
        ("GRID V100D-8Q", "7.0"),
        ("GeForce GTX 750 Ti", None),
        ("GeForce GT 1030", None),
        ("GRID RTX6000-12Q", None),
        ("NVIDIA X99-8C", None),
    ],
)
def test_full_name_of_a_card_outside_the_catalogue_tells_its_chip_unless_several_bear_it(name, capability):
    assert fill_gpu(_gpu(name)).compute_capability == capability


def test_amd_gets_its_target_and_no_capability():
    filled = fill_gpu(_gpu(None, 32752, "1002:738c", vendor=Vendor.AMD))

    assert filled.target == "gfx908"
    assert filled.compute_capability is None


def test_report_without_gaps_is_given_back_as_it_is():
    report = SystemReport()

    assert fill_from_catalogue(report) is report


def test_filling_twice_changes_nothing_more():
    report = SystemReport(gpus=(_gpu(pci_id="10de:2684"),))
    once = fill_from_catalogue(report)

    assert fill_from_catalogue(once) == once
    assert once != report


def test_catalogue_row_by_id():
    row = catalogue_gpu("rtx-a5000")

    assert row is not None
    assert row.mig_max_instances == 0
    assert catalogue_gpu("nothing") is None
