"""How long a step takes: a roofline over the card's peaks, fitted to public figures, always with a wide interval.

``seconds/sample = (2 + 4·trained) · MACs / (share · peak) + passes · layer outputs / (0.8 · bandwidth)``; a step is not
shorter than the processor needs to start its operations. Leaving one card type out of the fit, half of the public
points lie within 16 % and nine in ten within 64 %; hence ×0.5 to ×1.6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gpuconfig_app.core.plan import Interval, TimePrediction
from gpuconfig_app.core.workload import Precision
from gpuconfig_app.knowledge.models import TrainingFacts
from gpuconfig_app.planner.calibration import Calibration
from gpuconfig_app.planner.cards import Arithmetic, Card
from gpuconfig_app.planner.network import Network

LOW, HIGH = 0.5, 1.6
# Depthwise convolutions came out 56 to 80 % too fast in the public figures (EfficientNets).
HIGH_DEPTHWISE = 2.5

_BANDWIDTH_SHARE = 0.8
_BYTES = {Arithmetic.FP32: 4, Arithmetic.TF32: 4, Arithmetic.FP16: 2}
# Without a reading of the link: PCI Express 3.0 with eight lanes, half of it for waiting.
_UNKNOWN_LINK_BYTES_PER_S = 8e9
_LINK_SHARE = 0.5


@dataclass(frozen=True)
class SampleTime:
    """Time of one sample on one card, by what limits it."""

    compute_s: float
    memory_s: float

    @property
    def total_s(self) -> float:
        """Both together."""
        return self.compute_s + self.memory_s

    @property
    def limited_by(self) -> str:
        """The larger part."""
        return "compute" if self.compute_s >= self.memory_s else "memory_bandwidth"


def arithmetic_of(card: Card, precision: Precision) -> Arithmetic:
    """Tell which arithmetic a precision means on a card: float32 runs as TF32 where the card has it."""
    if precision is not Precision.FLOAT32 and card.has_tensor_cores:
        return Arithmetic.FP16
    capability = card.compute_capability
    has_tf32 = capability is not None and capability.major >= 8 and card.peak_flops(Arithmetic.TF32) is not None
    return Arithmetic.TF32 if has_tf32 else Arithmetic.FP32


def sample_time(network: Network, card: Card, precision: Precision, facts: TrainingFacts) -> SampleTime | None:
    """Estimate the time of one sample in a training step, None where the catalogue has no figures."""
    arithmetic = arithmetic_of(card, precision)
    peak, bandwidth = card.peak_flops(arithmetic), card.bandwidth_bytes_per_s
    if not peak or not bandwidth:
        return None
    fitted = facts.efficiency(arithmetic.value)
    operations = network.macs * (2 + 4 * network.trained_share)
    passes = fitted.passes * (1 + 2 * network.trained_share) / 3
    outputs = network.output_elements * _BYTES[arithmetic]
    return SampleTime(
        compute_s=operations / (fitted.compute_share * peak),
        memory_s=passes * outputs / (_BANDWIDTH_SHARE * bandwidth),
    )


def start_time(network: Network, facts: TrainingFacts) -> float:
    """Estimate what the processor needs to start the operations of one step."""
    return facts.number("step-overhead-s") + network.layer_count * facts.number("layer-overhead-s")


def join_time(network: Network, card: Card, replicas: int, facts: TrainingFacts) -> float:
    """Estimate what adding gradients over several cards costs each step (ring, gradients in float32)."""
    if replicas < 2:
        return 0.0
    link = card.link_bytes_per_s or _UNKNOWN_LINK_BYTES_PER_S
    moved = 2 * (replicas - 1) / replicas * network.trainable_params * 4
    return facts.number("strategy-overhead-s") + moved / (link * _LINK_SHARE)


def replica_step_time(
    network: Network, card: Card, precision: Precision, batch: int, facts: TrainingFacts
) -> float | None:
    """Estimate one step of one card, None where the catalogue has no figures."""
    sample = sample_time(network, card, precision, facts)
    return None if sample is None else max(sample.total_s * batch, start_time(network, facts))


@dataclass(frozen=True, kw_only=True)
class Pace:
    """What the time of a training depends on beside network and card."""

    per_replica_batch: int
    replicas: int
    accumulation_steps: int
    epochs: int
    sample_count: int | None
    input_s: float | None = None


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
    sample = None if card is None else sample_time(network, card, precision, facts)
    is_waiting = False
    measured = _measured_step(calibration, precision, pace.per_replica_batch)
    if measured is not None and calibration is not None:
        spread = calibration.time_spread(pace.per_replica_batch)
        low, high, source = 1 / (1 + spread), 1 + spread, "measured"
        step = measured
    elif sample is not None:
        low, high, source = LOW, HIGH_DEPTHWISE if network.is_depthwise else HIGH, "rules"
        step = max(sample.total_s * pace.per_replica_batch, start_time(network, facts))
        is_waiting = step > sample.total_s * pace.per_replica_batch
    else:
        return TimePrediction()
    limited_by = sample.limited_by if sample is not None and not is_waiting else "unknown"
    step *= pace.accumulation_steps
    step += 0.0 if card is None else join_time(network, card, pace.replicas, facts)
    if pace.input_s is not None and pace.input_s > step:
        limited_by, step = "input", pace.input_s
    interval = Interval(low=step * low, expected=step, high=step * high)
    epoch = _times(interval, _steps_in_epoch(pace))
    return TimePrediction(
        step=interval,
        epoch=epoch,
        training=_times(epoch, pace.epochs),
        limited_by=limited_by,
        source=source,
        measured_at=(calibration.measured_at or None) if source == "measured" and calibration is not None else None,
    )


def _measured_step(calibration: Calibration | None, precision: Precision, batch: int) -> float | None:
    if calibration is None or calibration.step_s is None or calibration.precision is not precision:
        return None
    return calibration.step_s * batch / calibration.per_replica_batch


def _steps_in_epoch(pace: Pace) -> int | None:
    if pace.sample_count is None:
        return None
    return math.ceil(pace.sample_count / (pace.per_replica_batch * pace.replicas * pace.accumulation_steps))


def _times(interval: Interval | None, factor: int | None) -> Interval | None:
    if interval is None or factor is None:
        return None
    return Interval(low=interval.low * factor, expected=interval.expected * factor, high=interval.high * factor)
