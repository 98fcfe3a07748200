"""What CUDA_VISIBLE_DEVICES leaves visible."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.gpu import MigInstance
from gpuconfig_app.core.visible_cards import visible_cards
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


@pytest.mark.parametrize("value", ["²", "٠", "9" * 5000])
def test_digits_of_other_scripts_and_endless_ones_name_no_card(value):
    assert visible_cards(value, CARDS) == ()


def test_a_whole_uuid_that_no_card_has_is_told_even_in_a_recorded_machine():
    value = "GPU-00000000-1111-2222-3333-444444444444"
    assert visible_cards(value, CARDS, has_real_uuids=False) == ()


def test_an_index_among_unlike_cards_means_nothing_until_the_order_is_set():
    unlike = (card(index=0), card("NVIDIA GeForce RTX 5090", "12.0", index=1))

    assert visible_cards("0", unlike) is None
    assert visible_cards("0", unlike, is_in_pci_order=True) == (0,)
    assert visible_cards("2", unlike) == ()


def test_with_a_sliced_card_the_indexes_count_its_slice_only():
    sliced = (CARDS[0], replace(CARDS[1], mig_enabled=True))

    assert visible_cards("0", sliced) == (1,)
    assert visible_cards("1", sliced) == ()
    assert visible_cards("GPU-aaaa1111", sliced) == (0,)
