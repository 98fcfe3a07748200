from __future__ import annotations

import pytest

from gpuconfig_app.knowledge.models import load_models
from gpuconfig_app.knowledge.throughput import load_throughput_facts


def test_every_offered_network_was_counted() -> None:
    assert {model.id for model in load_models()} == set(load_throughput_facts().traffic)


def test_counted_networks_are_the_ones_offered() -> None:
    """Layer outputs differ only by the head, which the templates make themselves."""
    traffic = load_throughput_facts().traffic

    for model in load_models():
        if model.output_elements is not None:
            assert traffic[model.id].output_elements == pytest.approx(model.output_elements, rel=0.02)


def test_a_frozen_network_moves_less() -> None:
    for row in load_throughput_facts().traffic.values():
        for is_mixed in (False, True):
            frozen = row.sample_bytes(is_mixed=is_mixed, is_frozen=True)
            assert 0 < frozen < 0.6 * row.sample_bytes(is_mixed=is_mixed, is_frozen=False), row.id


def test_shares_are_those_of_a_card() -> None:
    facts = load_throughput_facts()

    assert all(0.1 < row.share < 1.5 for row in facts.arithmetic.values())
    assert 0.5 < facts.numbers["memory-share"] < 1
    assert 1 < facts.numbers["known-network-band"] < facts.numbers["new-network-band"] < 2.5
