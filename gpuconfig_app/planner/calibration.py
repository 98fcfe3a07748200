"""Lets what earlier runs measured replace the estimate: which of them count, and what they say of another batch.

A measured peak is moved along our own line to another batch. Between two measured batches the line is drawn through
both. What is moved carries the line's error, so a prediction near a measurement is narrow and one far away is wide,
and memory never falls when the batch grows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpuconfig_app.core.calibration import ENOUGH_STEPS, FEW_STEPS_FACTOR, SPREAD, Calibration
from gpuconfig_app.core.plan import Interval
from gpuconfig_app.core.workload import Precision

__all__ = [
    "FASTEST_STEP_S",
    "SPREAD",
    "Calibration",
    "MeasuredMemory",
    "StepShape",
    "measured_memory",
    "measured_step",
    "usable_peaks",
    "xla_is_faster",
    "xla_was_measured",
]

# One region or a limit leave kernels other room than growth does.
OTHER_REGIME_SPREAD = 0.05
# What was counted may miss a little that our sum holds, but not more.
LEAST_SHARE = 0.95
# No step is faster than starting its operations, none slower than a day.
FASTEST_STEP_S, SLOWEST_STEP_S = 1e-5, 86_400.0
# Slow steps that take a hundred times the usual one say nothing of the usual one.
MOST_DEVIATION = 100.0
# XLA is chosen where it was at least so much faster; less may be chance.
XLA_GAIN = 0.95
# Its memory does not follow the line of graph mode.
_XLA_ERROR = 0.6


@dataclass(frozen=True, kw_only=True)
class StepShape:
    """How the memory of a step moves, in the terms of its planner.

    Attributes:
        line: Bytes that move with the batch.
        added: Bytes that the asked-for step needs and a measured one did not (negative the other way round).
        least: Bytes below which a measured peak can't be true.
        errors: Relative error of what the line moves, to the low and to the high side.
        regime: How TensorFlow shall take the memory.
    """

    line: Callable[[int], float]
    added: Callable[[Calibration], float]
    least: float
    errors: tuple[float, float]
    regime: str


@dataclass(frozen=True, kw_only=True)
class MeasuredMemory:
    """A prediction out of measurements.

    Attributes:
        nearest: The run that it leans on most.
    """

    total: Interval
    nearest: Calibration


@dataclass(frozen=True)
class _Point:
    batch: int
    peak: float
    spread: float
    run: Calibration


def usable_peaks(
    found: Sequence[Calibration], precision: Precision, least: float, *, jit_compile: bool
) -> tuple[Calibration, ...]:
    """Give the runs whose peak counts for a precision and XLA or not; the order stays.

    A peak below what the weights alone need, or above what the device has, is refused.
    """
    return tuple(
        item
        for item in found
        if not item.ran_out_of_memory
        and item.precision is precision
        and item.jit_compile == jit_compile
        and item.per_replica_batch >= 1
        and item.peak_bytes is not None
        and item.peak_bytes >= max(least * LEAST_SHARE, 1)
        and (item.device_bytes is None or item.peak_bytes <= item.device_bytes)
    )


def measured_memory(
    found: Sequence[Calibration], precision: Precision, batch: int, shape: StepShape, *, jit_compile: bool
) -> MeasuredMemory | None:
    """Predict the memory for a batch from runs on this machine; None without one that counts.

    Args:
        found: Runs of this job on this kind of card, newest first.
    """
    usable = usable_peaks(found, precision, shape.least, jit_compile=jit_compile)
    same = [item for item in usable if item.regime in (shape.regime, "host")]
    points = _rising(same or usable, shape)
    if not points:
        return None
    expected = _moved(points, batch, shape.line)
    low_error, high_error = shape.errors
    if jit_compile:
        low_error, high_error = max(low_error, _XLA_ERROR), max(high_error, _XLA_ERROR)
    low = max(expected - point.peak * point.spread - abs(expected - point.peak) * low_error for point in points)
    high = min(expected + point.peak * point.spread + abs(expected - point.peak) * high_error for point in points)
    nearest = min(points, key=lambda point: abs(math.log2(batch / point.batch)))
    return MeasuredMemory(
        total=Interval(low=max(0.0, min(low, expected)), expected=expected, high=max(high, expected)),
        nearest=nearest.run,
    )


def measured_step(
    found: Sequence[Calibration], precision: Precision, batch: int, *, jit_compile: bool, replicas: int = 1
) -> Calibration | None:
    """Give the run whose step time is nearest to a batch, of equally near ones the newest; None without one."""
    timed = [
        item
        for item in found
        if _is_timed(item)
        and item.precision is precision
        and item.jit_compile == jit_compile
        and item.replicas == replicas
    ]
    return min(timed, key=lambda item: abs(math.log2(max(batch, 1) / item.per_replica_batch)), default=None)


def xla_was_measured(found: Sequence[Calibration], precision: Precision) -> bool:
    """Whether a run with XLA was passed."""
    return any(item.jit_compile and item.precision is precision and _is_timed(item) for item in found)


def xla_is_faster(found: Sequence[Calibration], precision: Precision) -> bool:
    """Whether with XLA even slow steps took less time than fast ones without it, at the same batch."""
    for item in found:
        if not item.jit_compile or item.precision is not precision or not _is_timed(item):
            continue
        plain = [
            other
            for other in found
            if not other.jit_compile
            and other.precision is precision
            and other.replicas == item.replicas
            and other.per_replica_batch == item.per_replica_batch
            and _is_timed(other)
        ]
        if plain:  # the newest of both
            return _slow_s(item) <= _fast_s(plain[0]) * XLA_GAIN
    return False


def _slow_s(item: Calibration) -> float:
    """Give the time of the slower steps."""
    return (item.step_s or 0.0) * (1 + (item.step_deviation or 0.0))


def _fast_s(item: Calibration) -> float:
    """Give the time of the faster steps."""
    return (item.step_s or 0.0) * max(0.0, 1 - (item.step_deviation or 0.0))


def _is_timed(item: Calibration) -> bool:
    if item.ran_out_of_memory or item.step_s is None or item.per_replica_batch < 1:
        return False
    if not 0 <= (item.step_deviation or 0.0) <= MOST_DEVIATION:
        return False
    return FASTEST_STEP_S <= item.step_s <= SLOWEST_STEP_S  # neither is ever true of what is no number


def _rising(found: Sequence[Calibration], shape: StepShape) -> list[_Point]:
    """Give a point for each batch, rising; where two contradict each other the newer one stays."""
    points: list[_Point] = []
    for item in found:
        spread = SPREAD * (1.0 if item.steps >= ENOUGH_STEPS else FEW_STEPS_FACTOR)
        spread += 0.0 if item.regime in (shape.regime, "host") else OTHER_REGIME_SPREAD
        peak = max(float(item.peak_bytes or 0) + shape.added(item), shape.least)
        point = _Point(item.per_replica_batch, peak, spread, item)
        if all(_agree(point, other) for other in points):
            points.append(point)
    return sorted(points, key=lambda point: point.batch)


def _agree(one: _Point, other: _Point) -> bool:
    if one.batch == other.batch:
        return False
    return (one.batch < other.batch) == (one.peak < other.peak) or one.peak == other.peak


def _moved(points: Sequence[_Point], batch: int, line: Callable[[int], float]) -> float:
    """Give the peak at a batch: through two measured ones, outside them along our own line."""
    below = [point for point in points if point.batch <= batch]
    above = [point for point in points if point.batch >= batch]
    if not above:
        return below[-1].peak + line(batch) - line(below[-1].batch)
    first = above[0]
    if not below:
        smallest = first.peak + line(batch) - line(first.batch)
        return max(smallest, 0.0)
    last = below[-1]
    whole = line(first.batch) - line(last.batch)
    if whole <= 0:
        return first.peak
    return last.peak + (first.peak - last.peak) * (line(batch) - line(last.batch)) / whole
