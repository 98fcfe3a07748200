"""A workload's network in numbers: weights, multiply-adds, layer outputs, and the memory curve of its training step.

Networks of Keras Applications come from what was traced (``step_memory.toml``), scaled by the picture's size. Networks
that a template writes itself have free shapes: their layers are counted in ``planner.own_networks``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gpuconfig_app.core.workload import Optimizer, Precision, Workload
from gpuconfig_app.knowledge.models import ModelFacts, Scratch, TrainingFacts
from gpuconfig_app.knowledge.step_memory import NetworkMemory, PictureSize, TracedCurve, load_step_memory
from gpuconfig_app.planner.own_networks import (
    FLOAT_BYTES,
    MLP,
    SMALL_CNN,
    count_layers,
    own_network_sums,
    rule_curve,
)
from gpuconfig_app.planner.step_curve import StepCurve

__all__ = ["FLOAT_BYTES", "MLP", "OPTIMIZER_NAMES", "SMALL_CNN", "Network", "StepCurve", "describe_network"]

OPTIMIZER_NAMES = {
    Optimizer.SGD: "SGD",
    Optimizer.MOMENTUM: "SGD + momentum",
    Optimizer.RMSPROP: "RMSprop",
    Optimizer.ADAM: "Adam",
    Optimizer.ADAMW: "AdamW",
}

# Between two picture sizes that were traced, and beyond them, what rounds up in the layers adds so much at most
# (tests/unit/planner/test_network.py).
_BETWEEN_SIZES = 0.04
_BEYOND_SIZES = 0.08


@dataclass(frozen=True, kw_only=True)
class Network:
    """The network of a workload.

    Attributes:
        params: All weights, the head and those that are not trained included.
        macs: Multiply-adds of one sample, forward.
        trained_share: Part of the multiply-adds that is trained; the backward pass does not enter a frozen backbone.
        output_elements: Numbers in all layer outputs of one sample.
        curves: Memory of the step with the workload's optimizer, by precision.
    """

    name: str
    params: int
    trainable_params: int
    macs: int
    trained_share: float
    output_elements: int
    layer_count: int
    is_depthwise: bool
    scratch: Scratch
    curves: dict[Precision, StepCurve]


def describe_network(workload: Workload, facts: TrainingFacts) -> Network | None:
    """Give the network of a workload, None when it is neither listed nor of a known free shape."""
    model = facts.model(workload.model_id)
    if model is None:
        return None
    if model.keras_name is None:
        return _own_network(model, workload)
    return _application_network(model, workload)


def _application_network(model: ModelFacts, workload: Workload) -> Network | None:
    width, macs, elements = model.feature_width, model.macs, model.output_elements
    if width is None or macs is None or elements is None or model.params is None:
        return None
    head = (width + 1) * workload.output_units
    is_frozen = workload.is_backbone_frozen
    trainable = head if is_frozen else head + (model.trainable_params or model.params)
    scale = math.prod(workload.input_shape[:2]) / math.prod(model.input_shape[:2])
    head_macs = width * workload.output_units
    return Network(
        name=model.name,
        params=model.params + head,
        trainable_params=trainable,
        macs=round(macs * scale) + head_macs,
        trained_share=head_macs / (macs * scale + head_macs) if is_frozen else 1.0,
        output_elements=round(elements * scale),
        layer_count=model.layer_count or 0,
        is_depthwise=model.is_depthwise,
        scratch=model.scratch,
        curves=_traced_curves(model, workload, width),
    )


def _traced_curves(model: ModelFacts, workload: Workload, width: int) -> dict[Precision, StepCurve]:
    memory = load_step_memory().network(model.id)
    if memory is None:
        return {}
    found = {}
    for precision in Precision:
        traced = memory.curve(precision, workload.optimizer, is_frozen=workload.is_backbone_frozen)
        if traced is not None:
            wider_head = (width + 1) * max(0, workload.output_units - memory.classes) * FLOAT_BYTES
            found[precision] = _at_size(_traced_curve(traced), memory, precision, workload).raised(wider_head)
    return found


def _traced_curve(traced: TracedCurve) -> StepCurve:
    return StepCurve(
        knots=tuple(zip(map(float, traced.batches), map(float, traced.live_bytes), strict=True)),
        gradients=tuple(map(float, traced.gradient_bytes)),
        lows=tuple(map(float, traced.low_bytes)),
        highs=tuple(map(float, traced.high_bytes)),
        extent=traced.extent,
        basis="traced",
    )


def _at_size(curve: StepCurve, memory: NetworkMemory, precision: Precision, workload: Workload) -> StepCurve:
    """Stretch a curve to the workload's picture size, by the sizes that were traced; bfloat16 grows as float16 does."""
    pixels = math.prod(workload.input_shape[:2])
    if pixels == memory.usual_side**2:
        return curve
    wanted = Precision.FLOAT32 if precision is Precision.FLOAT32 else Precision.MIXED_FLOAT16
    usual = PictureSize(precision=wanted, side=memory.usual_side, factor=1.0)
    sizes = sorted([usual, *(item for item in memory.sizes if item.precision is wanted)], key=lambda item: item.side)
    known = [(item.side**2, item.factor) for item in sizes]
    is_traced = any(pixels == place for place, _ in known)
    is_inside = known[0][0] <= pixels <= known[-1][0]
    stretched = curve.for_samples(_interpolated(known, pixels))
    return stretched.widened(0.0 if is_traced else _BETWEEN_SIZES if is_inside else _BEYOND_SIZES, "scaled")


def _interpolated(known: Sequence[tuple[int, float]], pixels: int) -> float:
    """Give the factor on the line through the two sizes next to this one, below the smallest through nothing."""
    pairs = list(pairwise([(0, 0.0), *known]))
    (before, low), (after, high) = next((pair for pair in pairs if pixels <= pair[1][0]), pairs[-1])
    return low + (high - low) * (pixels - before) / (after - before)


def _own_network(model: ModelFacts, workload: Workload) -> Network | None:
    layers, sums = count_layers(workload), own_network_sums(workload)
    if layers is None or sums is None:
        return None
    rules = load_step_memory().rules_of(model.id)
    return Network(
        name=model.name,
        params=layers.params,
        trainable_params=layers.trainable_params,
        macs=layers.macs,
        trained_share=1.0,
        output_elements=layers.output_elements,
        layer_count=layers.layer_count,
        is_depthwise=model.is_depthwise,
        scratch=model.scratch,
        curves={precision: rule_curve(rule, sums) for precision, rule in rules.items()},
    )
