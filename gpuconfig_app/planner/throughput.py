"""How long a training takes: steps, epochs and the whole, always as an interval.

The card's part comes from ``roofline.py`` and its doubts from ``time_band.py``; here come several cards, accumulation
and the input. A step is as slow as the slower of card and input. What an earlier run measured replaces the card's part.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gpuconfig_app.core.plan import Interval, TimePrediction
from gpuconfig_app.core.workload import Precision
from gpuconfig_app.knowledge.models import TrainingFacts
from gpuconfig_app.planner.calibration import Calibration
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.network import Network
from gpuconfig_app.planner.roofline import arithmetic_of, replica_step_time, sample_time, start_time, work_of
from gpuconfig_app.planner.time_band import time_factors

__all__ = [
    "Pace",
    "arithmetic_of",
    "join_interval",
    "join_time",
    "predict_time",
    "replica_step_time",
    "sample_time",
    "start_time",
]

# Without a reading of the link: PCI Express 3.0 with eight lanes.
_UNKNOWN_LINK_BYTES_PER_S = 8e9
# Part of a link's rate that a ring reaches, the rest is waiting; a judgement.
_LINK_SHARE = 0.5
# Judgements: TensorFlow adds gradients while later ones are still computed, at best so that this part shows; cards
# behind one PCI Express switch share its way to the others, and which do is not known.
_SHOWING_AT_BEST = 0.3
_SHARED_SWITCH, _NVLINK_SPREAD = 2.0, 1.3
# How far the estimate of the input may be off to either side; a judgement.
_INPUT_LOW, _INPUT_HIGH = 0.7, 1.5


@dataclass(frozen=True, kw_only=True)
class Pace:
    """What the time of a training depends on beside network and card.

    Attributes:
        input_s: What reading and decoding one global batch takes, None when it limits nothing.
        jit_compile: XLA compiles the step.
    """

    per_replica_batch: int
    replicas: int
    accumulation_steps: int
    epochs: int
    sample_count: int | None
    input_s: float | None = None
    jit_compile: bool = False


def join_interval(network: Network, card: Card, replicas: int, facts: TrainingFacts) -> Interval:
    """Estimate what adding gradients over several cards costs each step (ring, gradients in float32)."""
    if replicas < 2:  # one card has nothing to add
        return Interval(low=0.0, expected=0.0, high=0.0)
    start = facts.number("strategy-overhead-s")
    link = card.link_bytes_per_s or _UNKNOWN_LINK_BYTES_PER_S
    moving = 2 * (replicas - 1) / replicas * network.trainable_params * 4 / (link * _LINK_SHARE)
    spread = _NVLINK_SPREAD if card.has_nvlink else _SHARED_SWITCH
    return Interval(low=start + _SHOWING_AT_BEST * moving, expected=start + moving, high=start + spread * moving)


def join_time(network: Network, card: Card, replicas: int, facts: TrainingFacts) -> float:
    """Give the expected part of ``join_interval``."""
    return join_interval(network, card, replicas, facts).expected


def predict_time(
    network: Network,
    card: Card | None,
    precision: Precision,
    pace: Pace,
    facts: TrainingFacts,
    calibration: Calibration | None = None,
) -> TimePrediction:
    """Predict step, epoch and training; empty where nothing is known of the card.

    Args:
        card: None for the processor.
        calibration: Of this precision, with or without XLA as asked for.
    """
    measured = _measured_step(calibration, network, card, precision, pace, facts)
    on_card = measured if measured is not None else _predicted_step(network, card, precision, pace, facts)
    if on_card is None:
        return TimePrediction()
    limited_by = _limit(network, card, precision, pace, facts)
    step = _times(on_card, pace.accumulation_steps)
    if card is not None:
        step = _sum(step, join_interval(network, card, pace.replicas, facts))
    if pace.input_s is not None:
        if pace.input_s > step.expected:
            limited_by = "input"
        step = _slower(step, pace.input_s)
    steps = _steps_in_epoch(pace)
    epoch = None if steps is None else _times(step, steps)
    return TimePrediction(
        step=step,
        epoch=epoch,
        training=None if epoch is None else _times(epoch, pace.epochs),
        limited_by=limited_by,
        source="rules" if measured is None else "measured",
        measured_at=None if measured is None or calibration is None else calibration.measured_at or None,
    )


def _predicted_step(
    network: Network, card: Card | None, precision: Precision, pace: Pace, facts: TrainingFacts
) -> Interval | None:
    """Predict one step of one replica; None for a processor and an unknown card."""
    sample = None if card is None else sample_time(network, card, precision, jit_compile=pace.jit_compile)
    if card is None or sample is None:
        return None
    start = start_time(network, facts, jit_compile=pace.jit_compile)
    busy = sample.at(pace.per_replica_batch)
    work = work_of(network, precision, jit_compile=pace.jit_compile)
    low, high = time_factors(work, card, busy, start, jit_compile=pace.jit_compile)
    step = max(busy, start)
    return Interval(low=step * low, expected=step, high=step * high)


def _limit(network: Network, card: Card | None, precision: Precision, pace: Pace, facts: TrainingFacts) -> str:
    sample = None if card is None else sample_time(network, card, precision, jit_compile=pace.jit_compile)
    if sample is None:
        return "unknown"
    start = start_time(network, facts, jit_compile=pace.jit_compile)
    return "unknown" if sample.at(pace.per_replica_batch) <= start else sample.limited_by


def _measured_step(
    calibration: Calibration | None,
    network: Network,
    card: Card | None,
    precision: Precision,
    pace: Pace,
    facts: TrainingFacts,
) -> Interval | None:
    """Give what a run measured, moved to another batch as our own estimate moves; on a processor in proportion."""
    if calibration is None or calibration.step_s is None or calibration.precision is not precision:
        return None
    here, there = pace.per_replica_batch, calibration.per_replica_batch
    ratio = here / there
    sample = None if card is None else sample_time(network, card, precision, jit_compile=pace.jit_compile)
    if sample is not None:
        start = start_time(network, facts, jit_compile=pace.jit_compile)
        ratio = max(sample.at(here), start) / max(sample.at(there), start)
    step, spread = calibration.step_s * ratio, calibration.time_spread(here)
    return Interval(low=step / (1 + spread), expected=step, high=step * (1 + spread))


def _steps_in_epoch(pace: Pace) -> int | None:
    if pace.sample_count is None:
        return None
    return math.ceil(pace.sample_count / (pace.per_replica_batch * pace.replicas * pace.accumulation_steps))


def _times(interval: Interval, factor: int) -> Interval:
    return Interval(low=interval.low * factor, expected=interval.expected * factor, high=interval.high * factor)


def _sum(one: Interval, other: Interval) -> Interval:
    return Interval(low=one.low + other.low, expected=one.expected + other.expected, high=one.high + other.high)


def _slower(step: Interval, input_s: float) -> Interval:
    """Give the slower of card and input at both ends."""
    return Interval(
        low=max(step.low, input_s * _INPUT_LOW),
        expected=max(step.expected, input_s),
        high=max(step.high, input_s * _INPUT_HIGH),
    )
