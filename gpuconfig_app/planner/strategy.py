"""One card or several: several only where they are really faster than one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.workload import Precision, StrategyKind, Workload
from gpuconfig_app.knowledge.models import TrainingFacts
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.network import Network
from gpuconfig_app.planner.throughput import join_time, replica_step_time

# Several cards must be at least so much faster than one.
WORTHWHILE_SPEEDUP = 1.3

# With fewer steps in an epoch, starting and joining outweigh the work.
STEPS_IN_EPOCH = 20
_USUAL_BATCH = 32

# Where no speed is known of the card: a job of so many multiply-adds in an epoch is worth several.
_LARGE_EPOCH_MACS = 1e13


@dataclass(frozen=True, kw_only=True)
class StrategyChoice:
    """How the work is spread.

    Attributes:
        cards: Those really used.
        speedup: Against one card, None where unknown or only one is there.
    """

    strategy: StrategyKind
    cards: tuple[Card, ...]
    reason: Message
    is_requested: bool = False
    speedup: float | None = None
    warnings: tuple[Message, ...] = ()


def choose_strategy(
    cards: tuple[Card, ...],
    workload: Workload,
    network: Network | None,
    precision: Precision,
    facts: TrainingFacts,
    *,
    is_requested: bool,
) -> StrategyChoice:
    """Choose the strategy for the cards that can be used; ``is_requested``: the user named them."""
    if not cards:
        return StrategyChoice(strategy=StrategyKind.CPU, cards=(), reason=Message("planner.strategy-processor"))
    if len(cards) == 1:
        return StrategyChoice(strategy=StrategyKind.ONE_GPU, cards=cards, reason=Message("planner.strategy-one"))
    speedup = expected_speedup(cards, workload, network, precision, facts)
    too_small = _too_small(cards, workload, network, speedup)
    if is_requested:
        warnings = () if too_small is None else (Message("planner.warning-too-small", {"count": len(cards)}),)
        return _mirrored(cards, speedup, is_requested=True, warnings=warnings)
    if too_small is not None:
        return StrategyChoice(
            strategy=StrategyKind.ONE_GPU, cards=(freest_card(cards),), reason=too_small, speedup=speedup
        )
    return _mirrored(cards, speedup)


def expected_speedup(
    cards: tuple[Card, ...], workload: Workload, network: Network | None, precision: Precision, facts: TrainingFacts
) -> float | None:
    """Estimate how many times faster all cards are than one, each with the usual batch; None where unknown."""
    if network is None:
        return None
    slowest = min(cards, key=lambda card: card.best_peak_flops)
    batch = workload.requests.per_replica_batch or usual_batch(workload, len(cards))
    step = replica_step_time(network, slowest, precision, batch, facts)
    if not step:
        return None
    return len(cards) * step / (step + join_time(network, slowest, len(cards), facts))


def usual_batch(workload: Workload, replicas: int) -> int:
    """Give a batch that the data allow, for comparing before the real batch is known."""
    if workload.sample_count is None:
        return _USUAL_BATCH
    return max(1, min(_USUAL_BATCH, workload.sample_count // (50 * replicas)))


def freest_card(cards: tuple[Card, ...]) -> Card:
    """Give the card with the most free memory; one that draws no screen among equals."""
    return max(
        cards,
        key=lambda card: (
            card.memory_free_bytes if card.memory_free_bytes is not None else card.memory_total_bytes or 0,
            not card.gpu.display_active,
            -card.gpu.index,
        ),
    )


def _too_small(
    cards: tuple[Card, ...], workload: Workload, network: Network | None, speedup: float | None
) -> Message | None:
    """Say why one card is better, None when several are."""
    count = workload.sample_count
    together = (workload.requests.per_replica_batch or 16) * len(cards)
    if count is not None and math.ceil(count / together) < STEPS_IN_EPOCH:
        steps = math.ceil(count / together)
        return Message("planner.strategy-few-steps", {"count": len(cards), "steps": steps})
    if speedup is not None:
        if speedup < WORTHWHILE_SPEEDUP:
            return Message("planner.strategy-no-speedup", {"count": len(cards), "percent": _percent(speedup)})
        return None
    if network is not None and count is not None and network.macs * count < _LARGE_EPOCH_MACS:
        return Message("planner.strategy-small-job", {"count": len(cards)})
    return None


def _percent(speedup: float) -> int:
    return max(0, round(100 * (speedup - 1)))


def _mirrored(
    cards: tuple[Card, ...],
    speedup: float | None,
    *,
    is_requested: bool = False,
    warnings: tuple[Message, ...] = (),
) -> StrategyChoice:
    has_link = all(card.has_nvlink for card in cards)
    count = len(cards)
    if speedup is None:
        reason = Message(f"planner.strategy-mirrored-{'nvlink' if has_link else 'pcie'}", {"count": count})
    else:
        name = "planner.strategy-mirrored-nvlink-speedup" if has_link else "planner.strategy-mirrored-pcie-speedup"
        reason = Message(name, {"count": count, "speedup": round(speedup, 1)})
    return StrategyChoice(
        strategy=StrategyKind.MIRRORED,
        cards=cards,
        reason=reason,
        is_requested=is_requested,
        speedup=speedup,
        warnings=warnings,
    )
