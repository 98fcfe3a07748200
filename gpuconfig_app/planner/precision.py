"""Which Keras dtype policy pays on a card, by what the card really does, not by what its capability number suggests."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.workload import Precision
from gpuconfig_app.knowledge.models import TrainingFacts
from gpuconfig_app.planner.cards import Arithmetic, Card
from gpuconfig_app.planner.network import Network
from gpuconfig_app.planner.throughput import arithmetic_of, replica_step_time

# A smaller gain than this is not worth 16-bit arithmetic; it saves some memory besides.
WORTHWHILE_GAIN = 1.05

# Below it one more digit is shown, so that 1.06 is not called 1.1.
_SMALL_GAIN = 1.2

# bfloat16 matrix units exist from compute capability 8.0 on (NVIDIA CUDA Programming Guide, arithmetic by capability).
_BFLOAT16_MAJOR = 8


@dataclass(frozen=True, kw_only=True)
class PrecisionChoice:
    """A policy and why.

    Attributes:
        gain: How much faster than float32 a step is expected to be, None where unknown.
    """

    precision: Precision
    reason: Message
    is_requested: bool = False
    warnings: tuple[Message, ...] = ()
    gain: float | None = None


def choose_precision(
    cards: tuple[Card, ...],
    network: Network | None,
    requested: Precision | None,
    batch: int | None,
    facts: TrainingFacts,
) -> PrecisionChoice:
    """Choose the policy for these cards; none means the processor.

    Args:
        batch: Per card, as asked for or as the data allow; a small one leaves nothing to gain.
    """
    own = _own_choice(cards, network, batch, facts)
    if requested is None:
        return own
    warnings = _warnings(cards, requested)
    reason = Message("planner.precision-requested")
    return PrecisionChoice(precision=requested, reason=reason, is_requested=True, warnings=warnings, gain=own.gain)


def _own_choice(
    cards: tuple[Card, ...], network: Network | None, batch: int | None, facts: TrainingFacts
) -> PrecisionChoice:
    if not cards:
        return _float32("planner.precision-processor")
    card = min(cards, key=lambda item: (bool(item.has_tensor_cores), item.best_peak_flops))
    capability = card.compute_capability
    if card.has_tensor_cores is None:
        return _float32("planner.precision-unknown-card", name=card.name)
    if not card.has_tensor_cores:
        return _without_tensor_cores(card)
    has_bfloat16 = capability is not None and capability.major >= _BFLOAT16_MAJOR
    policy = Precision.MIXED_BFLOAT16 if has_bfloat16 else Precision.MIXED_FLOAT16
    gain = expected_gain(card, network, policy, batch, facts)
    if gain is not None and gain < WORTHWHILE_GAIN:
        kind = "tf32" if arithmetic_of(card, Precision.FLOAT32) is Arithmetic.TF32 else "fp32"
        return PrecisionChoice(
            precision=Precision.FLOAT32,
            reason=Message(f"planner.precision-no-gain-{kind}", {"percent": max(0, math.floor((gain - 1) * 100)) + 1}),
            gain=gain,
        )
    return PrecisionChoice(precision=policy, reason=_why(card, policy, gain), gain=gain)


def _why(card: Card, policy: Precision, gain: float | None) -> Message:
    """Argue with the gain of a step where it is known: peaks promise more than a real network gets."""
    name = "bfloat16" if policy is Precision.MIXED_BFLOAT16 else "float16"
    if gain is not None:
        return Message(f"planner.precision-{name}-gain", {"factor": round(gain, 2 if gain < _SMALL_GAIN else 1)})
    half, full = card.peak_flops(Arithmetic.FP16), card.peak_flops(arithmetic_of(card, Precision.FLOAT32))
    if half is None or full is None:
        return Message("planner.precision-tensor-cores", {"capability": str(card.compute_capability)})
    return Message(f"planner.precision-{name}", {"half": half / 1e12, "full": full / 1e12})


def expected_gain(
    card: Card, network: Network | None, policy: Precision, batch: int | None, facts: TrainingFacts
) -> float | None:
    """Estimate how many times faster a step is than with float32, None where the card's figures are not known."""
    if network is None:
        return None
    size = batch or _LARGE_BATCH
    full = replica_step_time(network, card, Precision.FLOAT32, size, facts)
    half = replica_step_time(network, card, policy, size, facts)
    return None if full is None or half is None else full / half


_LARGE_BATCH = 256


def _without_tensor_cores(card: Card) -> PrecisionChoice:
    capability = card.compute_capability
    half, full = card.peak_flops(Arithmetic.FP16), card.peak_flops(Arithmetic.FP32)
    if capability is not None and capability.major >= 7:
        return _float32("planner.precision-no-tensor-cores", name=card.name, capability=str(capability))
    if half is not None and full is not None and half < full / 2:
        return _float32("planner.precision-slow-float16", name=card.name, ratio=round(full / half))
    return _float32("planner.precision-old-card", name=card.name)


def _float32(reason: str, **params: str | int) -> PrecisionChoice:
    return PrecisionChoice(precision=Precision.FLOAT32, reason=Message(reason, params))


def _warnings(cards: tuple[Card, ...], requested: Precision) -> tuple[Message, ...]:
    if requested is Precision.FLOAT32:
        return ()
    if not cards:
        return (Message("planner.warning-precision-processor", {"precision": requested.value}),)
    warnings = []
    for card in {item.name: item for item in cards}.values():
        capability = card.compute_capability
        if card.has_tensor_cores is False:
            warnings.append(
                Message("planner.warning-precision-slow", {"precision": requested.value, "name": card.name})
            )
        elif requested is Precision.MIXED_BFLOAT16 and capability is not None and capability.major < _BFLOAT16_MAJOR:
            warnings.append(Message("planner.warning-no-bfloat16", {"name": card.name, "capability": str(capability)}))
    return tuple(warnings)
