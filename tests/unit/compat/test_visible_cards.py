"""What CUDA_VISIBLE_DEVICES leaves visible."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.compat.visible_cards import visible_cards
from gpuconfig_app.core.gpu import MigInstance
from tests.unit.compat.machines import card

CARDS = (
    replace(card(index=0), uuid="GPU-aaaa1111"),
    replace(card(index=1), uuid="GPU-bbbb2222", mig_instances=(MigInstance(index=0, uuid="MIG-cccc3333"),)),
)


@pytest.mark.parametrize(
    ("value", "indexes"),
    [
        (None, (0, 1)), ("0", (0,)), ("1,0", (1, 0)), (" 1 ", (1,)), ("0,0", (0,)), ("", ()), ("-1", ()), ("2", ()),
        ("NoDevFiles", ()), ("0,7,1", (0,)), ("0,-1,1", (0,)), ("GPU-aaaa", (0,)), ("gpu-BBBB2222", (1,)),
        ("MIG-cccc3333", (1,)), ("GPU-dddd", ()), ("GPU-aaaa1111,1", (0, 1)),
    ],
)  # fmt: skip
def test_entries_are_read_up_to_the_first_that_names_no_card(value, indexes):
    assert visible_cards(value, CARDS) == indexes


def test_hidden_uuids_cannot_be_told():
    assert visible_cards("GPU-dddd", CARDS, has_real_uuids=False) is None
    assert visible_cards("0", CARDS, has_real_uuids=False) == (0,)
