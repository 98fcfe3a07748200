"""What would change the plan, best first, each with its numbers."""

from __future__ import annotations

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.workload import Precision, StrategyKind
from gpuconfig_app.planner.choices import is_one_of_several
from gpuconfig_app.planner.decisions import Decisions
from gpuconfig_app.planner.largest_batch import GRAIN, largest_fitting, safe_batch
from gpuconfig_app.planner.measures_of_cards import NOTABLE_USE
from gpuconfig_app.planner.memory import StepMemory, card_memory, training_bytes
from gpuconfig_app.planner.precision import WORTHWHILE_GAIN, expected_gain
from gpuconfig_app.planner.request import PlanRequest
from gpuconfig_app.planner.throughput import Pace, predict_time, replica_step_time

_NOTABLE_GAIN_PCT = 2


def give_advice(request: PlanRequest, decisions: Decisions, told: frozenset[str]) -> tuple[Message, ...]:
    """List what would change the plan, beside what needs less memory.

    Args:
        told: Measures against too little memory that are shown beside it.
    """
    found = [
        _later_card(request, decisions),
        _recorded_use(request, decisions),
        None if "precision" in told else _precision(decisions),
        _larger_batch(decisions),
        _one_card(request, decisions),
        _all_cards(request, decisions),
        _input_limit(request, decisions),
    ]
    return tuple(item for item in found if item is not None)


def _later_card(request: PlanRequest, decisions: Decisions) -> Message | None:
    """Tell what a card would do that TensorFlow cannot use yet."""
    unused, network = decisions.devices.unused, decisions.network
    if not unused or network is None:
        return None
    card = unused[0]
    memory = StepMemory(network=network, optimizer=request.workload.optimizer)
    batch = largest_fitting(memory, card_memory(card, request.report.host.memory, decisions.facts), 256)
    if batch is None:
        return None
    return Message("planner.advice-later-card", {"name": card.name, "batch": batch})


def _larger_batch(decisions: Decisions) -> Message | None:
    """Name the largest batch that fits, when a smaller one is planned."""
    memory, device = decisions.memory, decisions.device
    cards = decisions.strategy.cards
    if memory is None or not cards or device.usable_bytes is None:
        return None
    if not decisions.batch.is_requested and decisions.batch.reason.id != "planner.batch-busy":
        return None
    size = safe_batch(memory, device, decisions.batch.failed, 4 * max(GRAIN, decisions.batch.per_replica))
    if size is None or size <= decisions.batch.per_replica:
        return None
    params: dict[str, int | float] = {
        "batch": size,
        "high_bytes": int(memory.predict(size, device).total.high),
        "usable_bytes": device.usable_bytes,
    }
    gain = _gain_of_batch(decisions, size)
    if gain is None:
        return Message("planner.advice-larger-batch", params)
    if gain < _NOTABLE_GAIN_PCT:
        return None
    return Message("planner.advice-larger-batch-gain", params | {"percent": gain})


def _gain_of_batch(decisions: Decisions, size: int) -> int | None:
    network, cards = decisions.network, decisions.strategy.cards
    if network is None:
        return None
    precision, now = decisions.precision.precision, decisions.batch.per_replica
    before = replica_step_time(network, cards[0], precision, now, decisions.facts)
    after = replica_step_time(network, cards[0], precision, size, decisions.facts)
    if before is None or after is None:
        return None
    return max(0, round(100 * ((before / now) / (after / size) - 1)))


def _recorded_use(request: PlanRequest, decisions: Decisions) -> Message | None:
    """Tell that trainings which ran at the recording are taken to have ended."""
    used = max((training_bytes(card) for card in decisions.strategy.cards), default=0)
    if request.report.recorded_from is None or used < NOTABLE_USE:
        return None
    return Message("planner.advice-recorded-use", {"used_bytes": used})


def _precision(decisions: Decisions) -> Message | None:
    """Name the other policy when the one asked for is slower or gains nothing."""
    cards, network = decisions.strategy.cards, decisions.network
    if not decisions.precision.is_requested or not cards or network is None:
        return None
    capability = cards[0].compute_capability
    is_new = capability is not None and capability.major >= 8
    half = Precision.MIXED_BFLOAT16 if is_new else Precision.MIXED_FLOAT16
    gain = expected_gain(cards[0], network, half, decisions.batch.per_replica, decisions.facts)
    if gain is None:
        return None
    if decisions.precision.precision is Precision.FLOAT32:
        if gain < WORTHWHILE_GAIN or not cards[0].has_tensor_cores:
            return None
        return Message("planner.advice-mixed", {"precision": half.value, "factor": round(gain, 1)})
    if gain >= WORTHWHILE_GAIN:
        return None
    return Message("planner.advice-float32", {"percent": max(0, round((gain - 1) * 100))})


def _one_card(request: PlanRequest, decisions: Decisions) -> Message | None:
    if decisions.strategy.strategy is not StrategyKind.MIRRORED:
        return None
    return _training_on(request, decisions, 1, "planner.advice-one-card")


def _all_cards(request: PlanRequest, decisions: Decisions) -> Message | None:
    if not is_one_of_several(decisions):
        return None
    return _training_on(request, decisions, len(decisions.devices.cards), "planner.advice-all-cards")


def _training_on(request: PlanRequest, decisions: Decisions, replicas: int, name: str) -> Message | None:
    """Give the expected time of the whole training with another number of cards."""
    network, cards = decisions.network, decisions.strategy.cards
    if network is None:
        return None
    pace = Pace(
        per_replica_batch=decisions.batch.per_replica,
        replicas=replicas,
        accumulation_steps=decisions.batch.accumulation,
        epochs=request.workload.epochs,
        sample_count=request.workload.sample_count,
    )
    predicted = predict_time(network, cards[0], decisions.precision.precision, pace, decisions.facts).training
    if predicted is None:
        return None
    return Message(name, {"count": replicas, "training_s": predicted.expected})


def _input_limit(request: PlanRequest, decisions: Decisions) -> Message | None:
    if decisions.time.limited_by != "input" or decisions.time.step is None:
        return None
    step_s, speed = decisions.time.step.expected, request.disk_speed
    if not decisions.input.is_reading or speed is None:
        return Message("planner.advice-input", {"step_s": step_s})
    return Message("planner.advice-read", {"step_s": step_s, "rate_bytes": int(speed.read_bytes_per_s)})
