from __future__ import annotations

import pytest

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.knowledge.amd_chips import amd_chip, load_amd_chips
from gpuconfig_app.knowledge.catalogue import load_catalogue
from gpuconfig_app.knowledge.identify import fill_gpu
from gpuconfig_app.knowledge.pci_ids import load_pci_ids


@pytest.mark.parametrize(
    ("pci_id", "name", "target"),
    [
        ("1002:73df", None, "gfx1031"),
        ("1002:738c", None, "gfx908"),
        ("1002:66a1", None, "gfx906"),
        (None, "Navi 22 [Radeon RX 6700/6700 XT / 6800M]", "gfx1031"),
        (None, "Aldebaran/MI200 [Instinct MI210]", "gfx90a"),
        (None, "Navi 21 GL-XL [Radeon PRO W6800]", "gfx1030"),
        (None, "Radeon RX 6700 XT", None),
        (None, "Navi 2", None),
        (None, None, None),
        ("1002:ffff", "Navi 22 [x]", "gfx1031"),
    ],
)
def test_target_by_code_name(pci_id, name, target):
    found = amd_chip(pci_id, name)

    assert (found.target if found else None) == target


def test_card_without_a_target_gets_the_one_of_its_chip():
    gpu = fill_gpu(Gpu(index=0, vendor=Vendor.AMD, pci_id="1002:73ff"))

    assert (gpu.target, gpu.architecture) == ("gfx1032", "RDNA 2")


def test_what_the_card_tells_stays():
    assert fill_gpu(Gpu(index=0, vendor=Vendor.AMD, pci_id="1002:73df", target="gfx1030")).target == "gfx1030"


def test_both_tables_agree():
    for row in load_catalogue():
        for pci_id in row.pci_ids:
            found = amd_chip(pci_id, None)
            assert found is None or found.target == row.target, row.id


def test_the_list_knows_every_code_name_or_is_older_than_the_chip():
    texts = {entry.text for pci_id, entry in load_pci_ids().items() if pci_id.startswith("1002:")}
    newer = {"Navi 32", "Navi 44", "Navi 48", "Aqua Vanjaram"}

    known = {chip for row in load_amd_chips() for chip in row.chips if any(text.startswith(chip) for text in texts)}

    assert {chip for row in load_amd_chips() for chip in row.chips} - known <= newer
