"""What would need less memory, or give more, with what it saves and what it costs in time.

Savings are told at the plan's batch and are differences of predictions, so they are what a measure really does to this
network at this batch, not a rule of thumb: 16-bit arithmetic saves far less than half, and at a small batch it costs.
Where memory keeps the batch small, only what leads to a larger one is listed.

Gradient checkpointing is not offered. ``keras.remat`` fits around blocks without batch normalisation only; our small
CNN and all but one of the ready-made networks have it in every block, the parts of ready-made ones are not ours to
wrap, and in a fully connected network the layer outputs are the small part of the memory. No template asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import MemoryMeasure
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.workload import Optimizer, Precision, StrategyKind, Workload
from gpuconfig_app.planner.batch import seen_by_normalisation
from gpuconfig_app.planner.decisions import Decisions
from gpuconfig_app.planner.largest_batch import rounded
from gpuconfig_app.planner.measure_ground import Ground, Way, stand_on
from gpuconfig_app.planner.measures_of_cards import larger_card, other_programs, whole_card
from gpuconfig_app.planner.memory import SLOTS
from gpuconfig_app.planner.network import MLP, OPTIMIZER_NAMES, SMALL_CNN, describe_network
from gpuconfig_app.planner.own_networks import mlp_widths
from gpuconfig_app.planner.request import PlanRequest

_SMALLER_SIDE = 0.75
_SIDE_GRAIN = 32
# The scripts take at most so many parts of a batch for one update (templates, ``accumulation_steps``).
_MOST_PARTS = 64
_LEAST_WIDTH = 4
# Savings below this part of the whole are not worth a line.
_NOTABLE_SHARE = 0.01

_FEWER_SLOTS = {
    Optimizer.ADAM: Optimizer.MOMENTUM,
    Optimizer.ADAMW: Optimizer.MOMENTUM,
    Optimizer.MOMENTUM: Optimizer.SGD,
    Optimizer.RMSPROP: Optimizer.SGD,
}


def list_measures(request: PlanRequest, decisions: Decisions) -> tuple[MemoryMeasure, ...]:
    """List what would help, best first: the same result before another one, what is enough before what is not."""
    ground = stand_on(request, decisions)
    if ground is None:
        return ()
    found = (measure(ground) for measure in _MEASURES)
    notable = [item for item in found if item is not None and _is_notable(item, ground)]
    return tuple(sorted(notable, key=lambda item: _rank(item, ground)))


def _is_notable(measure: MemoryMeasure, ground: Ground) -> bool:
    return measure.saved_bytes is None or measure.saved_bytes >= _NOTABLE_SHARE * ground.total.expected


def _rank(measure: MemoryMeasure, ground: Ground) -> tuple[bool, bool, bool, bool, float, int]:
    """Order: measured, with what is here, same result, enough, little time, much saved."""
    is_part_of_it = measure.id in ("accumulation", "smaller-batch")
    is_enough = is_part_of_it or (measure.batch or 0) >= ground.wanted
    return (
        not measure.is_measured,
        measure.id == "larger-card",
        measure.changes_result,
        not is_enough,
        round(measure.time_factor if measure.time_factor is not None else 1.0, 2),
        -(measure.saved_bytes or 0),
    )


def _smaller_batch(ground: Ground) -> MemoryMeasure | None:
    """Work through the batch in parts: gradients are added up, where the scripts can take so many parts.

    Not where the planner chose less than would be sensible: more parts would only make fewer updates then.
    """
    if ground.is_limited or ground.batch == 1:
        return None
    size = min(ground.safe_size(Way()) or 1, ground.batch)
    if size == ground.batch:
        size = max(1, rounded(ground.batch // 2))
    in_parts = _in_parts(ground, size)
    if in_parts is not None:
        return in_parts
    return ground.measure(
        "smaller-batch",
        Message("measures.smaller-batch", {"batch": size, "saved_bytes": ground.saved(Way(), size)}),
        Way(),
        size=size,
        changes_result=True,
        change={"requests.per_replica_batch": size},
    )


def _in_parts(ground: Ground, size: int) -> MemoryMeasure | None:
    """Find parts that fit together with what they keep: gradients, and the inputs of all parts."""
    wanted = ground.batch * ground.decisions.batch.accumulation
    way = Way(accumulation=-(-wanted // size))
    while (fitting := min(ground.safe_size(way) or 0, size)) < size:
        if fitting == 0:
            return None
        size = fitting
        way = Way(accumulation=-(-wanted // size))
    steps = way.accumulation or 1
    if steps > _MOST_PARTS:
        return None
    numbers = {"steps": steps, "batch": size, "wanted": wanted, "saved_bytes": ground.saved(way, size)}
    message = Message("measures.accumulation", numbers)
    seen = seen_by_normalisation(ground.workload, size, max(1, len(ground.cards)))
    if seen is not None:
        message = Message("measures.accumulation-norm", numbers | {"seen": seen})
    return ground.measure(
        "accumulation",
        message,
        way,
        size=size,
        change={"requests.per_replica_batch": size, "requests.accumulation_steps": steps},
    )


def _precision(ground: Ground) -> MemoryMeasure | None:
    """The other policy, whichever way it saves; only where tensor cores make 16 bits worth it."""
    now, cards = ground.decisions.precision.precision, ground.cards
    if not cards or not all(card.has_tensor_cores for card in cards):
        return None
    is_new = all(card.compute_capability is not None and card.compute_capability.major >= 8 for card in cards)
    half = Precision.MIXED_BFLOAT16 if is_new else Precision.MIXED_FLOAT16
    other = half if now is Precision.FLOAT32 else Precision.FLOAT32
    way = Way(precision=other)
    if other not in ground.network.curves or ground.saved(way) <= 0:
        return None
    name = "measures.precision" if other is half else "measures.precision-float32"
    share = round(100 * ground.saved(way) / ground.total.expected)
    numbers = {"precision": other.value, "batch": ground.batch, "saved_bytes": ground.saved(way), "percent": share}
    return ground.measure("precision", Message(name, numbers), way, change={"requests.precision": other.value})


def _optimizer(ground: Ground) -> MemoryMeasure | None:
    now = ground.workload.optimizer
    other = _FEWER_SLOTS.get(now)
    if other is None:
        return None
    way = Way(optimizer=other)
    numbers: dict[str, str | int | float] = {
        "optimizer": OPTIMIZER_NAMES[other],
        "now": OPTIMIZER_NAMES[now],
        "kept": SLOTS[other],
        "had": SLOTS[now],
        "saved_bytes": ground.saved(way),
    }
    return ground.measure(
        "optimizer",
        Message("measures.optimizer", numbers),
        way,
        changes_result=True,
        change={"optimizer": other.value},
    )


def _smaller_input(ground: Ground) -> MemoryMeasure | None:
    shape = ground.workload.input_shape
    side = int(shape[0] * _SMALLER_SIDE) // _SIDE_GRAIN * _SIDE_GRAIN
    if len(shape) != 3 or side < _SIDE_GRAIN:
        return None
    change: dict[str, JsonValue] = {"input_shape": [side, side, shape[2]]}
    smaller = replace(ground.workload, input_shape=(side, side, shape[2]))
    return _other_network(ground, "smaller-input", smaller, {"side": side}, change)


def _frozen_backbone(ground: Ground) -> MemoryMeasure | None:
    """Only published weights can be frozen; the templates refuse it from scratch."""
    if not ground.workload.is_pretrained or ground.workload.is_backbone_frozen:
        return None
    frozen = replace(ground.workload, is_backbone_frozen=True)
    return _other_network(ground, "frozen-backbone", frozen, {}, {"is_backbone_frozen": True})


def _narrower(ground: Ground) -> MemoryMeasure | None:
    """Half the width of a network of our own; every other shape is published as it is."""
    model, options = ground.workload.model_id, dict(ground.workload.model_options)
    if model == SMALL_CNN:
        name, now = "width", options.get("width", 32)
    elif model == MLP:
        name, now = "hidden_units", options.get("hidden_units", mlp_widths(options)[0])
    else:
        return None
    if not isinstance(now, int) or now // 2 < _LEAST_WIDTH:
        return None
    options[name] = now // 2
    narrow = replace(ground.workload, model_options=options)
    numbers = {"width": now // 2, "now": now}
    return _other_network(ground, "narrower", narrow, numbers, {f"model_options.{name}": now // 2})


def _other_network(
    ground: Ground, name: str, workload: Workload, numbers: dict[str, int], change: dict[str, JsonValue]
) -> MemoryMeasure | None:
    network = describe_network(workload, ground.decisions.facts)
    if network is None or ground.decisions.precision.precision not in network.curves:
        return None
    way = Way(network=network, workload=workload)
    values: dict[str, str | int | float] = {"batch": ground.batch, "saved_bytes": ground.saved(way), **numbers}
    return ground.measure(name, Message(f"measures.{name}", values), way, changes_result=True, change=change)


def _xla(ground: Ground) -> MemoryMeasure | None:
    """Never with numbers: nobody measured its memory on a GPU; on several cards it fails."""
    if ground.decisions.jit.jit_compile or ground.decisions.strategy.strategy is not StrategyKind.ONE_GPU:
        return None
    change: dict[str, JsonValue] = {"requests.jit_compile": True}
    return MemoryMeasure(id="xla", message=Message("measures.xla"), change=change, is_measured=False)


_MEASURES: tuple[Callable[[Ground], MemoryMeasure | None], ...] = (
    other_programs,
    _smaller_batch,
    _precision,
    _optimizer,
    _smaller_input,
    _frozen_backbone,
    _narrower,
    whole_card,
    larger_card,
    _xla,
)
