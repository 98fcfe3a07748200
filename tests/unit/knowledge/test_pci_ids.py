"""Names by PCI id from the bundled list."""

from __future__ import annotations

import pytest

from gpuconfig_app.knowledge.chips import chip_family, load_chips
from gpuconfig_app.knowledge.pci_ids import (
    chip_name,
    chips_of_product,
    device_name,
    load_pci_ids,
    parse_pci_ids,
)
from gpuconfig_app.resources import resource_path

TEXT = """# comment
10de  NVIDIA Corporation
\t2684  AD102 [GeForce RTX 4090]
\t\t1043 88e2  a subsystem
\t0020  NV4 [Riva TNT]
\tffff  Something without brackets
C 03  Display controller
\t00  VGA compatible controller
"""


def test_devices_are_read_and_subsystems_and_classes_left_out():
    names = parse_pci_ids(TEXT)

    assert set(names) == {"10de:2684", "10de:0020", "10de:ffff"}
    assert (names["10de:2684"].product, names["10de:2684"].chip) == ("GeForce RTX 4090", "AD102")
    assert names["10de:ffff"].product == "Something without brackets"
    assert names["10de:ffff"].chip is None


@pytest.mark.parametrize(
    ("pci_id", "name", "chip"),
    [
        ("10de:2684", "GeForce RTX 4090", "AD102"),
        ("10DE:2684", "GeForce RTX 4090", "AD102"),
        ("10de:1b06", "GeForce GTX 1080 Ti", "GP102"),
        ("10de:1db4", "Tesla V100 PCIe 16GB", "GV100"),
        ("10de:1e30", "Quadro RTX 6000/8000", "TU102"),
        ("1002:744c", "Radeon RX 7900 XT/7900 XTX", "Navi"),
        ("10de:0000", None, None),
    ],
)
def test_bundled_list(pci_id, name, chip):
    assert device_name(pci_id) == name
    assert chip_name(pci_id) == chip


def test_list_keeps_its_licence_and_says_what_was_left_out():
    text = resource_path("knowledge", "pci.ids").read_text(encoding="utf-8")

    assert "3-clause BSD License" in text
    assert "The copyright is held by" in text
    assert "shortened for GPUConfig" in text
    assert {key.split(":")[0] for key in load_pci_ids()} == {"10de", "1002", "19e5", "8086"}


def test_chips_by_full_product_name_only():
    assert chips_of_product("10de", "geforce gtx 1070 ti") == {"GP104"}
    assert chips_of_product("10de", "GeForce GTX 1070") >= {"GP104"}
    assert chips_of_product("10de", "GTX 1070") == frozenset()


@pytest.mark.parametrize(
    ("chip", "capability"),
    [("AD102", "8.9"), ("GA100", "8.0"), ("GA102", "8.6"), ("GH100", "9.0"), ("GB202", "12.0"), ("GK210", "3.7"),
     ("GM204", "5.2"), ("GP100", "6.0"), ("GP102", "6.1"), ("GV100", "7.0"), ("TU117", "7.5"), ("GA10B", "8.7")],
)  # fmt: skip
def test_capability_of_chips(chip, capability):
    family = chip_family(chip)

    assert family is not None
    assert family.compute_capability == capability


def test_chips_and_catalogue_agree():
    from gpuconfig_app.knowledge.catalogue import load_catalogue

    families = {chip: row for row in load_chips() for chip in row.chips}
    for row in load_catalogue():
        for pci_id in row.pci_ids:
            chip = chip_name(pci_id)
            if chip in families and row.compute_capability:
                assert families[chip].compute_capability == row.compute_capability, (row.id, pci_id)
