"""Puts the decisions into the rows of the review table, in its order."""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Choice, ChoiceGroup
from gpuconfig_app.core.workload import StrategyKind
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.decisions import Decisions
from gpuconfig_app.planner.request import PlanRequest
from gpuconfig_app.planner.safety import choose_safety


def list_choices(request: PlanRequest, decisions: Decisions) -> tuple[Choice, ...]:
    """Give every choice with its value, the value in words and the reason."""
    return (
        *_hardware(request, decisions),
        *_numbers(decisions),
        *_input(request, decisions),
        *choose_safety(request.workload, decisions.network, request.report.host),
    )


def _hardware(request: PlanRequest, decisions: Decisions) -> tuple[Choice, ...]:
    cards = decisions.strategy.cards
    rows = [
        Choice(
            id="devices",
            group=ChoiceGroup.HARDWARE,
            value=[card.gpu.index for card in cards],
            shown=_shown_devices(cards, has_uuid=request.is_for_this_machine),
            reason=_devices_reason(decisions),
            is_requested=decisions.devices.is_requested,
            step="hardware",
        )
    ]
    rows += [
        Choice(
            id="left-out-cards" if number == 0 else f"left-out-cards-{number + 1}",
            group=ChoiceGroup.HARDWARE,
            value=str(reason.params["index"]),
            shown=Message("planner.shown-left-out", {"index": reason.params["index"]}),
            reason=reason,
            step="hardware",
        )
        for number, reason in enumerate(joined(decisions.devices.left_out))
    ]
    rows.append(
        Choice(
            id="strategy",
            group=ChoiceGroup.HARDWARE,
            value=decisions.strategy.strategy.value,
            shown=Message(f"planner.shown-strategy-{decisions.strategy.strategy.value.replace('_', '-')}"),
            reason=decisions.strategy.reason,
            is_requested=decisions.strategy.is_requested,
            step="hardware",
        )
    )
    if cards:
        rows.append(_growth(decisions))
    return tuple(rows)


def joined(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Join messages that differ only in the card's index: ``index`` becomes ``1, 2``."""
    indexes: dict[tuple[object, ...], list[str]] = {}
    first: dict[tuple[object, ...], Message] = {}
    for message in messages:
        rest = tuple(sorted((name, value) for name, value in message.params.items() if name != "index"))
        key = (message.id, rest)
        first.setdefault(key, message)
        index = str(message.params["index"])
        if index not in indexes.setdefault(key, []):
            indexes[key].append(index)
    return tuple(
        Message(message.id, dict(message.params) | {"index": ", ".join(indexes[key])}) for key, message in first.items()
    )


def _shown_devices(cards: tuple[Card, ...], *, has_uuid: bool) -> Message:
    if not cards:
        return Message("planner.shown-devices-processor")
    indexes = ", ".join(str(card.gpu.index) for card in cards)
    if cards[0].slice is not None:
        return Message("planner.shown-devices-slice", {"index": indexes, "slice": cards[0].slice.index})
    name = "planner.shown-devices-uuid" if has_uuid else "planner.shown-devices"
    return Message(name, {"index": indexes})


def _growth(decisions: Decisions) -> Choice:
    cards = decisions.strategy.cards
    limit = decisions.device.limit_bytes
    if limit is not None:
        return Choice(
            id="memory-growth",
            group=ChoiceGroup.HARDWARE,
            value=False,
            shown=Message("planner.shown-memory-limit", {"limit_bytes": limit}),
            reason=Message("planner.growth-shared-memory"),
            step="hardware",
        )
    screens = [str(card.gpu.index) for card in cards if card.gpu.display_active]
    busy = [str(card.gpu.index) for card in cards if card.gpu.processes]
    if screens:
        reason = Message("planner.growth-screen", {"index": ", ".join(screens)})
    elif busy:
        reason = Message("planner.growth-busy", {"index": ", ".join(busy)})
    else:
        reason = Message("planner.growth-needed-only")
    return Choice(
        id="memory-growth",
        group=ChoiceGroup.HARDWARE,
        value=True,
        shown=Message("planner.shown-on"),
        reason=reason,
        step="hardware",
    )


def _devices_reason(decisions: Decisions) -> Message:
    """Say why these cards; where several work and one is used, it is the freest of them."""
    cards, found = decisions.strategy.cards, decisions.devices
    if len(cards) == 1 and len(found.cards) > 1 and not found.is_requested:
        return Message("planner.devices-freest", {"count": len(found.cards), "name": cards[0].name})
    return found.reason


def _numbers(decisions: Decisions) -> tuple[Choice, ...]:
    batch, rate = decisions.batch, decisions.rate
    replicas = max(1, len(decisions.strategy.cards))
    together = batch.per_replica * replicas
    shown = Message("planner.shown-batch", {"batch": batch.per_replica})
    if replicas > 1:
        shown = Message("planner.shown-batch-each", {"batch": batch.per_replica, "together": together})
    return (
        Choice(
            id="precision",
            group=ChoiceGroup.NUMBERS,
            value=decisions.precision.precision.value,
            shown=Message("planner.shown-precision", {"precision": decisions.precision.precision.value}),
            reason=decisions.precision.reason,
            is_requested=decisions.precision.is_requested,
            step="training",
        ),
        Choice(
            id="batch",
            group=ChoiceGroup.NUMBERS,
            value=batch.per_replica,
            shown=shown,
            reason=batch.reason,
            is_requested=batch.is_requested,
            step="model",
        ),
        Choice(
            id="accumulation",
            group=ChoiceGroup.NUMBERS,
            value=batch.accumulation,
            shown=Message("planner.shown-off")
            if batch.accumulation == 1
            else Message("planner.shown-accumulation", {"steps": batch.accumulation, "total": decisions.global_batch}),
            reason=batch.accumulation_reason,
            is_requested=batch.is_accumulation_requested,
            step="training",
        ),
        Choice(
            id="learning-rate",
            group=ChoiceGroup.NUMBERS,
            value=rate.rate,
            shown=Message("planner.shown-rate", {"rate": f"{rate.rate:g}"}),
            reason=rate.reason,
            is_requested=rate.is_requested,
            step="training",
        ),
        Choice(
            id="jit-compile",
            group=ChoiceGroup.NUMBERS,
            value=decisions.jit.jit_compile,
            shown=Message("planner.shown-on" if decisions.jit.jit_compile else "planner.shown-off"),
            reason=decisions.jit.reason,
            is_requested=decisions.jit.is_requested,
            step="training",
        ),
    )


def _input(request: PlanRequest, decisions: Decisions) -> tuple[Choice, ...]:
    pipeline = decisions.pipeline
    plan = pipeline.plan
    readers = Message("planner.shown-readers-auto")
    if plan.parallel_calls:
        readers = Message("planner.shown-readers", {"readers": plan.parallel_calls})
    cache = Message(f"planner.shown-cache-{plan.cache}")
    if plan.cache != "none" and pipeline.cache_bytes is not None:
        cache = Message(f"planner.shown-cache-{plan.cache}-size", {"cache_bytes": pipeline.cache_bytes})
    rows = [
        Choice(
            id="readers",
            group=ChoiceGroup.INPUT,
            value=plan.parallel_calls,
            shown=readers,
            reason=pipeline.readers_reason,
            step="training",
        ),
        Choice(
            id="prefetch",
            group=ChoiceGroup.INPUT,
            value=plan.prefetch_batches,
            shown=Message("planner.shown-prefetch", {"batches": plan.prefetch_batches}),
            reason=Message("planner.prefetch-reason"),
            step="training",
        ),
        Choice(
            id="cache",
            group=ChoiceGroup.INPUT,
            value=plan.cache,
            shown=cache,
            reason=pipeline.cache_reason,
            is_requested=pipeline.is_cache_requested,
            step="training",
        ),
        Choice(
            id="shuffle",
            group=ChoiceGroup.INPUT,
            value=plan.shuffle_buffer,
            shown=Message("planner.shown-shuffle", {"buffer": plan.shuffle_buffer}),
            reason=pipeline.shuffle_reason,
            step="training",
        ),
    ]
    if request.dataset is not None and request.dataset.broken_count:
        rows.append(
            Choice(
                id="broken-files",
                group=ChoiceGroup.INPUT,
                value=request.dataset.broken_count,
                shown=Message("planner.shown-broken-files", {"count": request.dataset.broken_count}),
                reason=Message("planner.broken-files-left-out"),
                step="data",
            )
        )
    return tuple(rows)


def is_one_of_several(decisions: Decisions) -> bool:
    """Whether one card was chosen though several could be used."""
    return decisions.strategy.strategy is StrategyKind.ONE_GPU and len(decisions.devices.cards) > 1
