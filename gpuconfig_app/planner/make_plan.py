"""``make_plan()``: from a workload and a machine to everything a training script needs, each choice with its reason.

A plain function over frozen words; it asks no hardware and starts nothing, so it works as well for a machine that is
not here. The single decisions live in the modules beside this one; here they are only put in order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gpuconfig_app.core.finding import Outcome
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import MemoryPrediction, TimePrediction, TrainingPlan
from gpuconfig_app.core.versions import is_below
from gpuconfig_app.core.workload import Precision, StrategyKind
from gpuconfig_app.knowledge.models import TrainingFacts, load_training_facts
from gpuconfig_app.planner.advice import give_advice
from gpuconfig_app.planner.batch import BatchChoice, choose_batch, likely_batch
from gpuconfig_app.planner.calibration import Calibration, measured_step, xla_is_faster, xla_was_measured
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.choices import list_choices
from gpuconfig_app.planner.decisions import Decisions, JitChoice
from gpuconfig_app.planner.devices import choose_devices
from gpuconfig_app.planner.largest_batch import FailedSize, failed_sizes
from gpuconfig_app.planner.measure_ground import is_memory_tight
from gpuconfig_app.planner.measures import list_measures
from gpuconfig_app.planner.memory import (
    DeviceMemory,
    StepMemory,
    card_memory,
    host_memory,
    processor_memory,
)
from gpuconfig_app.planner.network import FLOAT_BYTES, Network, describe_network
from gpuconfig_app.planner.pipeline import choose_pipeline, input_time
from gpuconfig_app.planner.precision import choose_precision
from gpuconfig_app.planner.request import PlanRequest, check_workload
from gpuconfig_app.planner.safety import choose_learning_rate
from gpuconfig_app.planner.strategy import choose_strategy
from gpuconfig_app.planner.throughput import Pace, join_time, predict_time
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
    is_tight, measures = is_memory_tight(decisions), list_measures(request, decisions)
    told = frozenset(measure.id for measure in measures if is_tight)
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
        advice=give_advice(request, decisions, told),
        is_memory_tight=is_tight,
        measures=measures,
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
    smallest = None if network is None or not network.curves else _step_memory(request, network, StrategyKind.ONE_GPU)

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
    found = _calibrations(request, strategy.cards)
    jit = _choose_jit(request, strategy.strategy, precision.precision, found)
    memory = None
    if network is not None and precision.precision in network.curves:
        memory = _step_memory(request, network, strategy.strategy, jit_compile=jit.jit_compile)
        memory = replace(memory.with_precision(precision.precision), calibrations=found)
    failed = failed_sizes(found, jit_compile=jit.jit_compile)
    memory, batch = _choose_batch(request, strategy.cards, memory, device, failed)
    together = batch.per_replica * max(1, len(strategy.cards)) * batch.accumulation
    pipeline = choose_pipeline(workload, host, together, request.disk_speed)
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
        input=input_time(workload, request.dataset, host, pipeline.plan, together, facts),
    )
    return decisions.with_time(_time(request, decisions))


def _choose_batch(
    request: PlanRequest,
    cards: tuple[Card, ...],
    memory: StepMemory | None,
    device: DeviceMemory,
    failed: tuple[FailedSize, ...],
) -> tuple[StepMemory | None, BatchChoice]:
    """Choose the batch, and give the memory with the gradients and inputs that the accumulation chosen keeps."""

    def choose() -> BatchChoice:
        return choose_batch(
            request.workload,
            memory,
            device,
            max(1, len(cards)),
            host_memory(request.report.host.memory),
            has_cards=bool(cards),
            has_tensor_cores=any(card.has_tensor_cores for card in cards),
            failed=failed,
        )

    batch = choose()
    while memory is not None and batch.accumulation > memory.accumulation:
        memory = memory.with_accumulation(batch.accumulation)
        batch = choose()
    return memory, batch


def _step_memory(
    request: PlanRequest,
    network: Network,
    strategy: StrategyKind,
    *,
    jit_compile: bool = False,
) -> StepMemory:
    """Give the step's memory in float32; precision and measurements are set once they are chosen."""
    workload = request.workload
    return StepMemory(
        network=network,
        optimizer=workload.optimizer,
        copies=strategy is StrategyKind.MIRRORED,
        accumulation=workload.requests.accumulation_steps or 1,
        input_bytes=math.prod(workload.input_shape) * FLOAT_BYTES,
        jit_compile=jit_compile,
    )


def _calibrations(request: PlanRequest, cards: tuple[Card, ...]) -> tuple[Calibration, ...]:
    """Give the runs of this job on this kind of card, without cards those on the processor; newest first."""
    name, size = (cards[0].gpu.name, cards[0].memory_total_bytes) if cards else (None, None)
    if cards and name is None:
        return ()
    tensorflow = _versions(request).tensorflow
    return tuple(
        item
        for item in request.calibrations
        if item.is_about(request.workload, name, tensorflow) and (not cards or item.device_bytes in (None, size))
    )


def _device_memory(cards: tuple[Card, ...], request: PlanRequest, facts: TrainingFacts) -> DeviceMemory:
    """Give what the poorest card has."""
    host = request.report.host.memory
    if not cards:
        return processor_memory(host)
    is_recorded = request.report.recorded_from is not None
    known = [card_memory(card, host, facts, is_recorded=is_recorded) for card in cards]
    return min(known, key=lambda item: item.usable_bytes if item.usable_bytes is not None else -1)


def _choose_jit(
    request: PlanRequest, strategy: StrategyKind, precision: Precision, found: tuple[Calibration, ...]
) -> JitChoice:
    """Leave XLA off, unless the user wants it, or a run with it on this machine was faster than one without."""
    wanted = request.workload.requests.jit_compile
    if wanted and strategy is StrategyKind.MIRRORED:
        reason = Message("planner.jit-mirrored")
        return JitChoice(jit_compile=False, reason=reason, warnings=(Message("planner.warning-jit-mirrored"),))
    if wanted is not None:
        is_new = wanted and not xla_was_measured(found, precision)
        warnings = (Message("planner.warning-jit-unmeasured"),) if is_new else ()
        reason = Message("planner.jit-requested")
        return JitChoice(jit_compile=wanted, reason=reason, is_requested=True, warnings=warnings)
    if strategy is StrategyKind.MIRRORED:
        return JitChoice(jit_compile=False, reason=Message("planner.jit-off-mirrored"))
    if xla_is_faster(found, precision):
        return JitChoice(jit_compile=True, reason=Message("planner.jit-measured-faster"))
    return JitChoice(jit_compile=False, reason=Message("planner.jit-off"))


def _time(request: PlanRequest, decisions: Decisions) -> TimePrediction:
    cards, measured = decisions.strategy.cards, _measured_step(request, decisions)
    if decisions.network is None or not (cards or measured):
        return TimePrediction()
    pace = Pace(
        per_replica_batch=decisions.batch.per_replica,
        replicas=max(1, len(cards)),
        accumulation_steps=decisions.batch.accumulation,
        epochs=request.workload.epochs,
        sample_count=request.workload.sample_count,
        input_s=decisions.input.longest_s if measured is None else None,  # measured while it waited for data
        jit_compile=decisions.jit.jit_compile,
    )
    slowest = min(cards, key=lambda card: card.best_peak_flops) if cards else None
    time = predict_time(decisions.network, slowest, decisions.precision.precision, pace, decisions.facts, measured)
    outcome = request.compat.outcome if request.compat is not None else None
    warm_up = warm_up_time(decisions.network, jit_compile=pace.jit_compile, outcome=outcome, has_cards=bool(cards))
    return replace(time, warm_up=warm_up)


def _measured_step(request: PlanRequest, decisions: Decisions) -> Calibration | None:
    """Give the run that tells the time of a step; what joining several cards took is not told twice."""
    cards, network = decisions.strategy.cards, decisions.network
    found = measured_step(
        _calibrations(request, cards),
        decisions.precision.precision,
        decisions.batch.per_replica,
        jit_compile=decisions.jit.jit_compile,
        replicas=max(1, len(cards)),
    )
    if found is None or found.step_s is None or network is None or len(cards) < 2:
        return found
    slowest = min(cards, key=lambda card: card.best_peak_flops)
    joined_s = join_time(network, slowest, len(cards), decisions.facts) / found.accumulation_steps
    return replace(found, step_s=max(found.step_s - joined_s, found.step_s / 2))


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
