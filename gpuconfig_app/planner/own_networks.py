"""Networks whose shape the user chooses: their layers, counted, and the memory of their step by fitted rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.knowledge.step_memory import OwnNetworkRule
from gpuconfig_app.planner.step_curve import StepCurve

FLOAT_BYTES = 4
SMALL_CNN = "small_cnn"
MLP = "mlp"

# How sharply a rule's curve bends from its floor to its line, found on traced networks.
BEND = 4.0
_POWERS = 18


class RuleWeights(Protocol):
    """What a rule weighs its sums with, in bytes for each number."""

    @property
    def per_sample(self) -> Mapping[str, float]:
        """What grows with the batch."""
        ...

    @property
    def fixed(self) -> Mapping[str, float]:
        """What is there beside it."""
        ...

    @property
    def floor(self) -> Mapping[str, float]:
        """What the update needs whatever the batch."""
        ...


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
    out of pooling; ``input`` goes in; ``trained`` weights are updated, ``adjacent`` of them in the largest two layers
    that follow each other; ``one`` is 1.
    """
    options, shape = dict(workload.model_options), workload.input_shape
    layers = count_layers(workload)
    if layers is None:
        return None
    if workload.model_id == MLP:
        computed, pooled = list(mlp_widths(options)), [0]
        kernels = [before * after for before, after in pairwise([math.prod(shape), *computed, workload.output_units])]
    else:
        computed, pooled, kernels = _cnn_sizes(shape, small_cnn_widths(options), workload.output_units)
    return {
        "computed": sum(computed),
        "largest": max(computed),
        "pooled": sum(pooled),
        "input": math.prod(shape),
        "trained": layers.trainable_params,
        "adjacent": max(before + after for before, after in pairwise(kernels)),
        "one": 1,
    }


def _cnn_sizes(shape: tuple[int, ...], widths: Sequence[int], units: int) -> tuple[list[int], list[int], list[int]]:
    """Give the numbers out of each convolution and each pooling, and the weights of each kernel."""
    height, width, channels = shape
    computed, pooled, kernels = [], [], []
    for filters in widths:
        computed.append(height * width * filters)
        kernels.append(9 * channels * filters)
        height, width, channels = (height + 1) // 2, (width + 1) // 2, filters
        pooled.append(height * width * filters)
    return computed, pooled, [*kernels, channels * units]


def rule_curve(rule: OwnNetworkRule, sums: Mapping[str, int]) -> StepCurve:
    """Give the curve that a rule makes of a network's sums: a line above a floor, and a bend where they meet."""
    batches = tuple(float(2**power) for power in range(_POWERS))
    sizes = rule_sizes(rule, sums, batches)
    gradients = min(sums["trained"] * FLOAT_BYTES, _weighed(rule.floor, sums))
    return StepCurve(
        knots=tuple(zip(batches, sizes, strict=True)),
        gradients=tuple(min(gradients, size) if size < 2 * sizes[0] else 0.0 for size in sizes),
        lows=tuple(size * rule.low for size in sizes),
        highs=tuple(size * rule.high for size in sizes),
        extent=rule.extent,
        basis="rules",
    )


def rule_sizes(rule: RuleWeights, sums: Mapping[str, int], batches: Sequence[float]) -> tuple[float, ...]:
    """Give the live bytes that a rule tells for batches.

    The update's needs and the activations overlap in time where they are alike, so the larger does not simply win.
    """
    slope, base, floor = (_weighed(part, sums) for part in (rule.per_sample, rule.fixed, rule.floor))
    return tuple((floor**BEND + (base + slope * batch) ** BEND) ** (1 / BEND) for batch in batches)


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
