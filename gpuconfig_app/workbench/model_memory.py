"""The memory of any Keras model's training step: the order is checked, the step traced in the user's Python, judged.

The model's own code runs only in that process; here nothing of it is imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gpuconfig_app.core.errors import UnusableFileError, UsageError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.layer_table import LayerTable
from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.core.model_memory import CardFit, ModelMemory, PeakSource, StepParts
from gpuconfig_app.core.paths import expanded, is_file, is_folder
from gpuconfig_app.core.step_graph import StepGraph
from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.knowledge.models import load_training_facts
from gpuconfig_app.planner.devices import usable_cards
from gpuconfig_app.planner.layer_rules import estimate_step, needs_by_layers
from gpuconfig_app.planner.liveness import StepPeak, StepTraces, step_peak
from gpuconfig_app.planner.liveness_order import Order
from gpuconfig_app.planner.step_needs import (
    MOST_BATCH,
    StepNeeds,
    curve_of,
    fit_on_card,
    largest_kept_free,
    needs_of,
    scratch_of,
    traced_batches,
)
from gpuconfig_app.runner.step_trace import USUAL_LIMIT_S, StepTrace, TraceRequest, trace_step
from gpuconfig_app.workbench.machine import OpenMachine

_FILES = (".keras", ".h5", ".hdf5")
_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_SHAPE = re.compile(r"([^=:,\s]+=)?\d*(,\d+)*(:[a-z]+\d*)?")

# The commonest capability of cards in use; TensorFlow lays out convolutions alike for all from 7.0 on.
_USUAL_CAPABILITY = "8.6"


@dataclass(frozen=True, kw_only=True)
class MemoryOrder:
    """What is asked, checked.

    Attributes:
        model: As the probe takes it.
        is_file: A Keras file, not the user's code.
    """

    model: str
    is_file: bool
    batch: int
    precision: Precision = Precision.FLOAT32
    optimizer: Optimizer = Optimizer.ADAM
    jit: bool = False
    input_shapes: tuple[str, ...] = ()
    time_limit_s: float = USUAL_LIMIT_S


def memory_order(
    model: str,
    batch: str,
    *,
    precision: str = Precision.FLOAT32.value,
    optimizer: str = Optimizer.ADAM.value,
    jit: bool = False,
    input_shapes: tuple[str, ...] = (),
    time_limit_s: float = USUAL_LIMIT_S,
) -> MemoryOrder:
    """Check what a person typed.

    Raises:
        UsageError: A value makes no sense.
        UnusableFileError: The model's file is not there.
    """
    if not 0 < time_limit_s < float("inf"):
        raise UsageError(Message("cli.bad-time-limit"))
    precisions, optimizers = [item.value for item in Precision], [item.value for item in Optimizer]
    if precision not in precisions:
        raise UsageError(Message("memory.bad-precision", {"value": precision, "names": ", ".join(precisions)}))
    if optimizer not in optimizers:
        raise UsageError(Message("memory.bad-optimizer", {"value": optimizer, "names": ", ".join(optimizers)}))
    shapes = tuple("".join(shape.split()).strip("()").rstrip(",") for shape in input_shapes)
    for shape, typed in zip(shapes, input_shapes, strict=True):
        if not shape or not _SHAPE.fullmatch(shape):
            raise UsageError(Message("memory.bad-shape", {"value": typed}))
    name, is_from_file = _model_name(model)
    return MemoryOrder(
        model=name,
        is_file=is_from_file,
        batch=_batch(batch),
        precision=Precision(precision),
        optimizer=Optimizer(optimizer),
        jit=jit,
        input_shapes=shapes,
        time_limit_s=time_limit_s,
    )


def predict_model_memory(
    order: MemoryOrder,
    python: str,
    machine: OpenMachine,
    *,
    variables: Mapping[str, str] | None = None,
    control: JobControl | None = None,
) -> ModelMemory:
    """Trace the step in a Python of this machine and say what it takes, and where it fits.

    Args:
        python: Interpreter with TensorFlow.
        machine: Whose cards are judged, not where it is traced.
        variables: Complete environment of the process; None takes the one of this program.

    Raises:
        UnusableFileError: The model can't be read, imported or built.
        NotPossibleError: That Python can't trace it, or the process was ended.
        StorageError: There is no room for the probe's answers.
        JobCancelledError: The user ended it.
    """
    trace = trace_step(
        TraceRequest(
            python=python,
            model=order.model,
            batches=traced_batches(order.batch),
            precision=order.precision,
            optimizer=order.optimizer,
            jit=order.jit,
            input_shapes=order.input_shapes,
            gpu_layout=_capability(machine),
            folder=working_folder(),
            variables=variables,
            time_limit_s=order.time_limit_s,
        ),
        control,
    )
    return judge_trace(order, trace, python, machine)


@dataclass(frozen=True, kw_only=True)
class _Told:
    """What the traced steps or the layers tell, whichever there is."""

    source: PeakSource
    parts: StepParts
    needs: StepNeeds
    needs_at: Callable[[int], StepNeeds | None]
    about: StepGraph | LayerTable


def judge_trace(order: MemoryOrder, trace: StepTrace, python: str, machine: OpenMachine) -> ModelMemory:
    """Say what traced steps take and where they fit; the first graph is the one of the batch that was asked for.

    Without a card on the machine the operations start in the order of a processor. Without any graph the layers tell.
    """
    report = machine.report
    starts = Order.GPU if usable_cards(report) else Order.PROCESSOR
    told = _by_layers(order, trace.layers) if trace.layers is not None else _by_graphs(order, trace, starts)
    needs, facts = told.needs, load_training_facts()
    cards = tuple(
        fit_on_card(needs, card, report.host.memory, facts, needs_at=told.needs_at, is_recorded=machine.is_recorded)
        for card in usable_cards(report)
    )
    best = max(cards, key=lambda card: card.usable_bytes or 0, default=None)
    context = round(facts.number("context-bytes"))
    kept = largest_kept_free(facts) if best is None else best.kept_free_bytes
    return ModelMemory(
        model=order.model,
        batch=order.batch,
        precision=order.precision,
        optimizer=order.optimizer,
        jit=order.jit,
        loss=told.about.loss,
        tensorflow=told.about.tensorflow,
        keras=told.about.keras,
        python=python,
        source=told.source,
        step_peak_bytes=needs.interval.expected,
        interval_bytes=needs.interval,
        parts=told.parts,
        needed_bytes=needs.parts(context, kept).total,
        needed_interval_bytes=needs.needed(context, kept),
        needed_parts=needs.parts(context, kept),
        machine=machine.name,
        fit=cards,
        warnings=_warnings(order, trace, cards),
    )


def _by_graphs(order: MemoryOrder, trace: StepTrace, starts: Order) -> _Told:
    graph = trace.graphs[0]
    traces, laid_out = StepTraces(trace.graphs), StepTraces(trace.laid_out)
    asked = step_peak(graph, laid_out.at(order.batch), starts)
    curve = curve_of(traces, order.batch)
    scratch = scratch_of([operation.kind for operation in graph.operations])

    @cache
    def needs_at(batch: int) -> StepNeeds | None:
        other = traces.at(batch)
        return None if other is None else needs_of(step_peak(other, laid_out.at(batch), starts), curve, scratch)

    return _Told(
        source=PeakSource.TRACE,
        parts=_parts(asked),
        needs=needs_of(asked, curve, scratch),
        needs_at=needs_at,
        about=graph,
    )


def _by_layers(order: MemoryOrder, layers: LayerTable) -> _Told:
    @cache
    def needs_at(batch: int) -> StepNeeds:
        return needs_by_layers(layers, batch, order.precision, order.optimizer, jit=order.jit)

    return _Told(
        source=PeakSource.LAYERS,
        parts=estimate_step(layers, order.batch, order.precision, order.optimizer).parts,
        needs=needs_at(order.batch),
        needs_at=needs_at,
        about=layers,
    )


def _parts(peak: StepPeak) -> StepParts:
    parts = peak.parts
    return StepParts(
        weights=parts.weights_bytes,
        gradients=parts.gradients_bytes,
        slots=parts.slots_bytes,
        activations=parts.activations_bytes,
        temporaries=parts.temporaries_bytes,
    )


def _warnings(order: MemoryOrder, trace: StepTrace, cards: tuple[CardFit, ...]) -> tuple[Message, ...]:
    warnings = [Message("memory.warning-layers"), trace.why_not] if trace.why_not is not None else []
    warnings += trace.notes
    if order.jit:
        warnings.append(Message("memory.warning-jit"))
    if trace.recurrent:
        names = ", ".join(trace.recurrent)
        warnings.append(Message("memory.warning-recurrent", {"names": names}))
    if trace.policy is not None and trace.policy != order.precision.value:
        values: dict[str, MessageValue] = {"value": trace.policy, "name": order.precision.value}
        warnings.append(Message("memory.note-other-policy", values))
    for graph in trace.graphs[:1]:
        if graph.open_sizes and not trace.recurrent:  # of cuDNN's kernels, which are told already
            warnings.append(Message("memory.warning-open-sizes", {"count": graph.open_sizes}))
        if not graph.is_optimized:
            warnings.append(Message("memory.warning-not-optimized"))
    if not cards:
        warnings.append(Message("memory.warning-no-card"))
    return tuple(warnings)


def working_folder() -> Path:
    """Give the folder the program was started in.

    Raises:
        UsageError: It is gone or may not be looked at.
    """
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError(Message("memory.no-folder")) from error


def _capability(machine: OpenMachine) -> str:
    """Give the compute capability of the card with most memory, the usual one where none is known."""
    cards = sorted(usable_cards(machine.report), key=lambda card: -(card.memory_total_bytes or 0))
    known = [str(card.compute_capability) for card in cards if card.compute_capability is not None]
    return known[0] if known else _USUAL_CAPABILITY


def _batch(text: str) -> int:
    try:
        batch = int(text)
    except ValueError:
        batch = 0
    if not 1 <= batch <= MOST_BATCH:
        raise UsageError(Message("memory.bad-batch", {"value": text, "most": MOST_BATCH}))
    return batch


def _model_name(text: str) -> tuple[str, bool]:
    """Give the model as the probe takes it, and whether it is a Keras file."""
    if text.lower().endswith(_FILES):
        path = expanded(text)
        _check_file(path)
        return str(path), True
    place, _, attribute = text.rpartition(":")
    if not place or not _NAME.fullmatch(attribute):
        if text.lower().endswith(".py"):
            raise UsageError(Message("memory.no-function-named", {"value": text}))
        if text and is_folder(expanded(text)):
            raise UnusableFileError(Message("memory.error-is-folder", {"path": text}))
        raise UsageError(Message("memory.bad-model", {"value": text}))
    if place.lower().endswith(".py") or "/" in place or "\\" in place:
        path = expanded(place)
        if not is_file(path) and not is_file(path.with_name(path.name + ".py")):
            raise UnusableFileError(Message("memory.error-no-python-file", {"path": str(path)}))
        return f"{path}:{attribute}", False
    if not _NAME.fullmatch(place):
        raise UsageError(Message("memory.bad-model", {"value": text}))
    return text, False


def _check_file(path: Path) -> None:
    if is_folder(path):
        raise UnusableFileError(Message("memory.error-is-folder", {"path": str(path)}))
    if not is_file(path):
        raise UnusableFileError(Message("memory.error-no-file", {"path": str(path)}))
