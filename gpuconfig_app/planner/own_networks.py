"""Networks whose shape the user chooses: their layers, counted, and the memory of their step by fitted rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.knowledge.step_memory import OwnNetworkRule
from gpuconfig_app.planner.step_curve import StepCurve

FLOAT_BYTES = 4
SMALL_CNN = "small_cnn"
MLP = "mlp"

# Batches at which a rule's line may leave its floor or meet it; the curve bends between them.
_SMALLEST_BATCH = 1.0
_LARGE_BATCH = 65_536.0


@dataclass(frozen=True)
class Layers:
    """What counting the layers of a network of free shape gives.

    Attributes:
        params: All weights.
        macs: Multiply-adds of one sample, forward.
        output_elements: Numbers in all layer outputs of one sample.
    """

    params: int
    trainable_params: int
    macs: int
    output_elements: int
    layer_count: int


def small_cnn_widths(options: dict[str, JsonValue]) -> tuple[int, ...]:
    """Give the channels of each block of the template's own small network."""
    width = _whole(options.get("width"), 32)
    return tuple(width * 2**block for block in range(_whole(options.get("blocks"), 3)))


def mlp_widths(options: dict[str, JsonValue]) -> tuple[int, ...]:
    """Give the units of each hidden layer of the tabular template's network."""
    units = options.get("hidden_units")
    if isinstance(units, Sequence) and not isinstance(units, str):
        return tuple(_whole(item, 128) for item in units)
    return (_whole(units, 128),) * _whole(options.get("hidden_layers"), 2)


def _whole(value: JsonValue, default: int) -> int:
    return max(1, int(value)) if isinstance(value, int | float) and not isinstance(value, bool) else default


def own_network_sums(workload: Workload) -> Mapping[str, int] | None:
    """Give the sums that rules weigh, None for another network.

    ``computed`` numbers come out of convolutions or hidden layers, ``largest`` out of the largest of these, ``pooled``
    out of pooling; ``input`` goes in; ``trained`` weights are updated, ``widest`` of them in one variable; ``one`` is
    1.
    """
    options = dict(workload.model_options)
    shape = workload.input_shape
    if workload.model_id == SMALL_CNN and len(shape) == 3:
        height, width, channels = shape
        computed, pooled, widest = [], [], 0
        for filters in small_cnn_widths(options):
            computed.append(height * width * filters)
            widest = max(widest, 9 * channels * filters)
            height, width, channels = (height + 1) // 2, (width + 1) // 2, filters
            pooled.append(height * width * filters)
        widest = max(widest, channels * workload.output_units)
    elif workload.model_id == MLP:
        computed, pooled = list(mlp_widths(options)), [0]
        steps = [math.prod(shape), *computed, workload.output_units]
        widest = max(before * after for before, after in pairwise(steps))
    else:
        return None
    layers = count_layers(workload)
    return None if layers is None else {
        "computed": sum(computed),
        "largest": max(computed),
        "pooled": sum(pooled),
        "input": math.prod(shape),
        "trained": layers.trainable_params,
        "widest": widest,
        "one": 1,
    }  # fmt: skip


def rule_curve(rule: OwnNetworkRule, sums: Mapping[str, int]) -> StepCurve:
    """Give the curve that a rule makes of a network's sums: a line above a floor."""
    slope, base, floor = (_weighed(part, sums) for part in (rule.per_sample, rule.fixed, rule.floor))
    floor = max(floor, base + slope * _SMALLEST_BATCH)
    meets = (floor - base) / slope if slope else _SMALLEST_BATCH
    knots = [(_SMALLEST_BATCH, floor)]
    if meets > _SMALLEST_BATCH:
        knots.append((meets, floor))
    knots.append((max(_LARGE_BATCH, 2 * meets), base + slope * max(_LARGE_BATCH, 2 * meets)))
    gradients = min(sums["trained"] * FLOAT_BYTES, floor)
    return StepCurve(
        knots=tuple(knots),
        gradients=(gradients,) * len(knots),
        low=rule.low,
        high=rule.high,
        extent=rule.extent,
        basis="rules",
    )


def _weighed(weights: Mapping[str, float], sums: Mapping[str, int]) -> float:
    return sum(weight * sums[name] for name, weight in weights.items())


def count_layers(workload: Workload) -> Layers | None:
    """Count the layers of a network of free shape, None for another."""
    options = dict(workload.model_options)
    if workload.model_id == SMALL_CNN and len(workload.input_shape) == 3:
        parts = list(_cnn_layers(workload.input_shape, small_cnn_widths(options), workload.output_units))
    elif workload.model_id == MLP:
        parts = list(_mlp_layers(math.prod(workload.input_shape), mlp_widths(options), workload.output_units))
    else:
        return None
    total = Layers(0, 0, 0, math.prod(workload.input_shape), 1)
    for part in parts:
        total = replace(
            total,
            params=total.params + part.params,
            trainable_params=total.trainable_params + part.trainable_params,
            macs=total.macs + part.macs,
            output_elements=total.output_elements + part.output_elements,
            layer_count=total.layer_count + part.layer_count,
        )
    return total


def _cnn_layers(shape: tuple[int, ...], widths: Sequence[int], units: int) -> Iterator[Layers]:
    """Count scaling, blocks of convolution, normalisation, activation and pooling, then pooling, drop-out and head."""
    height, width, channels = shape
    yield Layers(0, 0, 0, height * width * channels, 1)
    for filters in widths:
        outputs = height * width * filters
        kernel = 9 * channels * filters
        yield Layers(kernel, kernel, kernel * height * width, outputs, 1)
        yield Layers(4 * filters, 2 * filters, 0, 2 * outputs, 2)
        height, width, channels = (height + 1) // 2, (width + 1) // 2, filters
        yield Layers(0, 0, 0, height * width * filters, 1)
    yield Layers(0, 0, 0, 2 * channels, 2)
    yield _dense(channels, units)


def _mlp_layers(features: int, widths: Sequence[int], units: int) -> Iterator[Layers]:
    """Count scaling, then fully connected layers with drop-out, then the head."""
    yield Layers(0, 0, 0, features, 1)
    for width in widths:
        yield _dense(features, width)
        yield Layers(0, 0, 0, width, 1)
        features = width
    yield _dense(features, units)


def _dense(features: int, units: int) -> Layers:
    weights = features * units + units
    return Layers(weights, weights, features * units, units, 1)
