"""``make_plan()``: from a workload and a machine to everything a training script needs, each choice with its reason.

A plain function over frozen words; it asks no hardware and starts nothing, so it works as well for a machine that is
not here. The single decisions live in the modules beside this one; here they are only put in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gpuconfig_app.core.finding import Outcome
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import MemoryPrediction, TimePrediction, TrainingPlan
from gpuconfig_app.core.versions import is_below
from gpuconfig_app.core.workload import StrategyKind
from gpuconfig_app.knowledge.models import TrainingFacts, load_training_facts
from gpuconfig_app.planner.advice import give_advice
from gpuconfig_app.planner.batch import choose_batch, likely_batch
from gpuconfig_app.planner.calibration import Calibration
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.choices import list_choices
from gpuconfig_app.planner.decisions import Decisions, JitChoice
from gpuconfig_app.planner.devices import choose_devices
from gpuconfig_app.planner.memory import (
    DeviceMemory,
    StepMemory,
    card_memory,
    host_memory,
    processor_memory,
)
from gpuconfig_app.planner.network import Network, describe_network
from gpuconfig_app.planner.pipeline import choose_pipeline, decode_time
from gpuconfig_app.planner.precision import choose_precision
from gpuconfig_app.planner.request import PlanRequest, check_workload
from gpuconfig_app.planner.safety import choose_learning_rate
from gpuconfig_app.planner.strategy import choose_strategy
from gpuconfig_app.planner.throughput import Pace, predict_time
from gpuconfig_app.planner.warm_up import warm_up_time

__all__ = ["Calibration", "PlanRequest", "make_plan", "memory_at_batches"]

_NOT_READY = (Outcome.IMPORT_FAILS, Outcome.CANNOT_INSTALL)


@dataclass(frozen=True)
class _Versions:
    tensorflow: str | None
    keras: str | None


def make_plan(request: PlanRequest) -> TrainingPlan:
    """Decide everything.

    Raises:
        WorkloadError: The workload holds numbers that no training can have.
        UnusableFileError: A fact table cannot be used (a defect of the installation).
    """
    decisions = _decide(request)
    memory = decisions.memory_prediction
    versions = _versions(request)
    return TrainingPlan(
        workload=request.workload,
        choices=list_choices(request, decisions),
        devices=tuple(
            card.planned(is_for_this_machine=request.is_for_this_machine) for card in decisions.strategy.cards
        ),
        strategy=decisions.strategy.strategy,
        precision=decisions.precision.precision,
        per_replica_batch=decisions.batch.per_replica,
        accumulation_steps=decisions.batch.accumulation,
        global_batch=decisions.global_batch,
        learning_rate=decisions.rate.rate,
        jit_compile=decisions.jit.jit_compile,
        memory_growth=decisions.device.limit_bytes is None,
        memory_limit_bytes=decisions.device.limit_bytes,
        input=decisions.pipeline.plan,
        memory=memory,
        time=decisions.time,
        tensorflow_version=versions.tensorflow,
        keras_version=versions.keras,
        python=_interpreter(request),
        machine_id=request.report.machine_id,
        is_for_this_machine=request.is_for_this_machine,
        warnings=_warnings(request, decisions),
        advice=give_advice(request, decisions),
    )


def memory_at_batches(request: PlanRequest, batches: Sequence[int]) -> tuple[tuple[int, MemoryPrediction], ...]:
    """Predict the memory of one replica for other batches, everything else as planned; empty for unknown networks.

    Raises:
        WorkloadError: The workload holds numbers that no training can have.
    """
    decisions = _decide(request)
    if decisions.memory is None:
        return ()
    return tuple((batch, decisions.memory.predict(batch, decisions.device)) for batch in batches)


def _decide(request: PlanRequest) -> Decisions:
    check_workload(request.workload)
    facts = load_training_facts()
    workload, host = request.workload, request.report.host
    is_recorded = request.report.recorded_from is not None
    network = describe_network(workload, facts)
    smallest = None if network is None else _step_memory(request, network, (), StrategyKind.ONE_GPU)

    def has_room(card: Card) -> bool:
        device = card_memory(card, host.memory, facts, is_recorded=is_recorded)
        if smallest is None or device.usable_bytes is None:
            return True
        return smallest.predict(1, device).total.high <= device.usable_bytes

    devices = choose_devices(request.report, request.compat, workload.requests.devices, has_room)
    batch_size = likely_batch(workload, host_memory(host.memory), has_cards=bool(devices.cards))
    precision = choose_precision(devices.cards, network, workload.requests.precision, batch_size, facts)
    strategy = choose_strategy(
        devices.cards, workload, network, precision.precision, facts, is_requested=devices.is_requested
    )
    device = _device_memory(strategy.cards, request, facts)
    jit = _choose_jit(request, strategy.strategy)
    memory = None
    if network is not None and precision.precision in network.curves:
        memory = _step_memory(request, network, strategy.cards, strategy.strategy, jit_compile=jit.jit_compile)
        memory = memory.with_precision(precision.precision)
    replicas = max(1, len(strategy.cards))
    batch = choose_batch(workload, memory, device, replicas, host_memory(host.memory), has_cards=bool(strategy.cards))
    if memory is not None and batch.accumulation > 1 and not memory.accumulates:
        memory = memory.with_accumulation()
        batch = choose_batch(
            workload, memory, device, replicas, host_memory(host.memory), has_cards=bool(strategy.cards)
        )
    together = batch.per_replica * replicas * batch.accumulation
    pipeline = choose_pipeline(workload, host, together)
    decisions = Decisions(
        facts=facts,
        network=network,
        devices=devices,
        precision=precision,
        strategy=strategy,
        device=device,
        jit=jit,
        memory=memory,
        batch=batch,
        global_batch=together,
        rate=choose_learning_rate(workload, together),
        pipeline=pipeline,
    )
    return decisions.with_time(_time(request, decisions))


def _step_memory(
    request: PlanRequest,
    network: Network,
    cards: tuple[Card, ...],
    strategy: StrategyKind,
    *,
    jit_compile: bool = False,
) -> StepMemory:
    """Give the step's memory in float32; the precision is set once it is chosen."""
    workload = request.workload
    return StepMemory(
        network=network,
        optimizer=workload.optimizer,
        copies=strategy is StrategyKind.MIRRORED,
        accumulates=(workload.requests.accumulation_steps or 1) > 1,
        jit_compile=jit_compile,
        calibration=_calibration(request, cards),
    )


def _calibration(request: PlanRequest, cards: tuple[Card, ...]) -> Calibration | None:
    if not cards:
        return None
    name, tensorflow = cards[0].gpu.name, _versions(request).tensorflow
    about = (item for item in request.calibrations if item.is_about(request.workload, name, tensorflow))
    return next((item for item in about if not item.ran_out_of_memory), None)


def _device_memory(cards: tuple[Card, ...], request: PlanRequest, facts: TrainingFacts) -> DeviceMemory:
    """Give what the poorest card has."""
    host = request.report.host.memory
    if not cards:
        return processor_memory(host)
    is_recorded = request.report.recorded_from is not None
    known = [card_memory(card, host, facts, is_recorded=is_recorded) for card in cards]
    return min(known, key=lambda item: item.usable_bytes if item.usable_bytes is not None else -1)


def _choose_jit(request: PlanRequest, strategy: StrategyKind) -> JitChoice:
    wanted = request.workload.requests.jit_compile
    if wanted and strategy is StrategyKind.MIRRORED:
        reason = Message("planner.jit-mirrored")
        return JitChoice(jit_compile=False, reason=reason, warnings=(Message("planner.warning-jit-mirrored"),))
    if wanted is not None:
        warnings = (Message("planner.warning-jit-unmeasured"),) if wanted else ()
        reason = Message("planner.jit-requested")
        return JitChoice(jit_compile=wanted, reason=reason, is_requested=True, warnings=warnings)
    name = "planner.jit-off-mirrored" if strategy is StrategyKind.MIRRORED else "planner.jit-off"
    return JitChoice(jit_compile=False, reason=Message(name))


def _time(request: PlanRequest, decisions: Decisions) -> TimePrediction:
    cards = decisions.strategy.cards
    if decisions.network is None or not cards:
        return TimePrediction()
    size = request.dataset.image_size if request.dataset is not None else None
    readers = decisions.pipeline.plan.parallel_calls
    is_cached = decisions.pipeline.plan.cache != "none"
    pace = Pace(
        per_replica_batch=decisions.batch.per_replica,
        replicas=len(cards),
        accumulation_steps=decisions.batch.accumulation,
        epochs=request.workload.epochs,
        sample_count=request.workload.sample_count,
        input_s=None
        if is_cached
        else decode_time(request.workload, size, readers, decisions.global_batch, decisions.facts),
        jit_compile=decisions.jit.jit_compile,
    )
    slowest = min(cards, key=lambda card: card.best_peak_flops)
    time = predict_time(
        decisions.network, slowest, decisions.precision.precision, pace, decisions.facts, _calibration(request, cards)
    )
    outcome = request.compat.outcome if request.compat is not None else None
    warm_up = warm_up_time(decisions.network, jit_compile=pace.jit_compile, outcome=outcome)
    return replace(time, warm_up=warm_up)


def _interpreter(request: PlanRequest) -> str | None:
    if request.python is not None:
        return request.python.executable
    return request.compat.python if request.compat is not None else None


def _versions(request: PlanRequest) -> _Versions:
    """Give the releases the script is written for; before TensorFlow 2.16 Keras 2 came with it."""
    tensorflow = request.python.tensorflow_version if request.python is not None else None
    if tensorflow is None and request.compat is not None:
        tensorflow = request.compat.tensorflow
    keras = request.python.packages.get("keras") if request.python is not None else None
    if keras is None and is_below(tensorflow, "2.16"):
        keras = tensorflow
    return _Versions(tensorflow, keras)


def _warnings(request: PlanRequest, decisions: Decisions) -> tuple[Message, ...]:
    found = list(decisions.devices.warnings)
    compat = request.compat
    if compat is not None and compat.outcome in _NOT_READY:
        found.append(Message("planner.warning-tensorflow-not-ready"))
    found += decisions.strategy.warnings
    found += decisions.precision.warnings
    found += decisions.batch.warnings
    found += decisions.jit.warnings
    found += decisions.pipeline.warnings
    if decisions.network is None:
        found.append(Message("planner.warning-unknown-network", {"model": request.workload.model_id}))
    return tuple(found)
