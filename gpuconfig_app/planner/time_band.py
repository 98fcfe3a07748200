"""How far a predicted time may be off: the band that holds eight times in ten, wider with every reason to doubt.

The band of a known network on a card that was left out is measured on public figures; so is that of a network no
figure speaks of. Every other width is a judgement and says so. Independent doubts add like errors do: their
logarithms by squares.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.knowledge.throughput import load_throughput_facts
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.roofline import DEPTHWISE, TRANSFORMER, Work

# Judgements, as factors to both sides.
# Public figures end with Ampere; later cards differ in caches and matrix units.
_NEWER_THAN_FIGURES = 1.25
# Figures of two cards only, and MIOpen chooses kernels worse than cuDNN for some shapes.
_AMD = 1.3
# A rate in the catalogue is marked as not sure.
_UNSURE_CARD = 1.3
# Nobody published trainings on a slice; caches and copy engines are shared.
_SLICE = 1.25
# A laptop, or a card whose limit was lowered, clocks by heat and mains.
_POWER_LIMITED = 1.25
# XLA on this card was not measured.
_XLA = 1.5
# Efficiency of depthwise kernels differs between cuDNN releases.
_DEPTHWISE = 1.2
# The processor starts the operations, and processors differ by this factor.
_STARTING = 2.0
# Little work for each operation: a card is not filled.
_SMALL_BATCH = 1.3

_LAST_FIGURES = (8, 6)
_LOWERED = 0.85
_LAPTOP_WORDS = ("Laptop", "Max-Q", "Mobile")
_RATES = {"bandwidth_gbs", "fp32_tflops", "tf32_tflops", "fp16_tflops", "bf16_tflops"}
# A step is small when it takes less than this many times what starting it takes.
_FILLED = 4


def time_factors(work: Work, card: Card, step_s: float, start_s: float, *, jit_compile: bool) -> tuple[float, float]:
    """Give the factors from the expected time to both ends of the band.

    Args:
        work: What one step asks.
        step_s: Expected time of the step on the card.
        start_s: What the processor needs to start it.
    """
    doubts = [*_of_network(work), *_of_card(card)]
    if jit_compile:
        doubts.append(_XLA)
    if step_s <= start_s:
        doubts.append(_STARTING)
    elif step_s < _FILLED * start_s:
        doubts.append(_SMALL_BATCH)
    width = math.sqrt(math.fsum(math.log(factor) ** 2 for factor in doubts))
    return math.exp(-width), math.exp(width)


def _of_network(work: Work) -> Iterator[float]:
    numbers = load_throughput_facts().numbers
    yield numbers["known-network-band" if work.is_known else "new-network-band"]
    if work.kind != TRANSFORMER or not work.uses_xla:
        yield numbers["keras-3-band"]
    if work.kind == DEPTHWISE:
        yield _DEPTHWISE


def _of_card(card: Card) -> Iterator[float]:
    capability, facts, gpu = card.compute_capability, card.facts, card.gpu
    if gpu.vendor is Vendor.AMD:
        yield _AMD
    elif capability is None or (capability.major, capability.minor) > _LAST_FIGURES:
        yield _NEWER_THAN_FIGURES
    if facts is not None and _RATES.intersection(facts.unsure):
        yield _UNSURE_CARD
    if card.slice is not None:
        yield _SLICE
    limit, usual = gpu.power_limit_w, gpu.power_limit_default_w
    is_lowered = limit is not None and usual is not None and limit < _LOWERED * usual
    if is_lowered or any(word in (gpu.name or "") for word in _LAPTOP_WORDS):
        yield _POWER_LIMITED
