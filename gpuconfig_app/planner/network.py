"""A workload's network in numbers: weights, multiply-adds, layer outputs, and the memory curve of its training step.

Networks of Keras Applications come from what was measured (``models.toml``), scaled by the picture's size. Networks
that a template writes itself have free shapes: their layers are counted here and multiplied by what was measured for
nets of the same kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.workload import Optimizer, Precision, Workload
from gpuconfig_app.knowledge.models import ModelFacts, Scratch, StepMeasurement, TrainingFacts

FLOAT_BYTES = 4

# Relative errors of a prediction's activations, low and high, found by predicting measurements that the table's
# lines were not drawn through (tests/unit/planner/test_network.py): the same network at another batch, at another
# picture size, and a network of free shape.
BAND_MEASURED = (0.07, 0.12)
BAND_SCALED = (0.12, 0.18)
BAND_RULES = (0.18, 0.25)

OPTIMIZER_NAMES = {
    Optimizer.SGD: "SGD",
    Optimizer.MOMENTUM: "SGD + momentum",
    Optimizer.RMSPROP: "RMSprop",
    Optimizer.ADAM: "Adam",
    Optimizer.ADAMW: "AdamW",
}

# Networks of free shape, in multiples of their trained weights: a step never needs less than the first, whatever the
# batch (a mixed policy holds half copies too), and the second comes on top of the layer outputs (models.toml).
_FLOOR_UPDATES = {Precision.FLOAT32: 1.3, Precision.MIXED_FLOAT16: 2.1, Precision.MIXED_BFLOAT16: 2.1}
_BASE_UPDATES = 0.25

SMALL_CNN = "small_cnn"
MLP = "mlp"


@dataclass(frozen=True, kw_only=True)
class StepCurve:
    """Bytes that live at the worst moment of a step, beside weights, slots and kernels' scratch.

    They grow with the batch on a straight line, but not below what the weights' update needs.

    Attributes:
        band: Relative error to the low and to the high side.
        basis: ``measured``, ``scaled`` or ``rules``.
    """

    floor_bytes: float
    base_bytes: float
    sample_bytes: float
    band: tuple[float, float]
    basis: str

    def at(self, batch: int) -> float:
        """Give the bytes for a batch."""
        return max(self.floor_bytes, self.base_bytes + self.sample_bytes * batch)


@dataclass(frozen=True, kw_only=True)
class Network:
    """The network of a workload.

    Attributes:
        params: All weights, the head and those that are not trained included.
        macs: Multiply-adds of one sample, forward.
        trained_share: Part of the multiply-adds that is trained; the backward pass does not enter a frozen backbone.
        output_elements: Numbers in all layer outputs of one sample.
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


@dataclass(frozen=True)
class _Layers:
    """What counting the layers of a network of free shape gives."""

    params: int
    trainable_params: int
    macs: int
    output_elements: int
    layer_count: int


def describe_network(workload: Workload, facts: TrainingFacts) -> Network | None:
    """Give the network of a workload, None when it is neither listed nor of a known free shape."""
    model = facts.model(workload.model_id)
    if model is None:
        return None
    if model.keras_name is None:
        layers = _count_layers(workload)
        return None if layers is None else _free_network(model, layers, workload)
    return _application_network(model, workload)


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


def _application_network(model: ModelFacts, workload: Workload) -> Network | None:
    width, macs, elements = model.feature_width, model.macs, model.output_elements
    if width is None or macs is None or elements is None or model.params is None:
        return None
    head = (width + 1) * workload.output_units
    is_frozen = workload.is_backbone_frozen
    trainable = head if is_frozen else head + (model.trainable_params or model.params)
    scale = _pixel_scale(workload.input_shape, model.input_shape)
    head_macs = width * workload.output_units
    curves = {
        precision: _measured_curve(model, precision, scale, workload, is_frozen=is_frozen) for precision in Precision
    }
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
        curves={precision: curve for precision, curve in curves.items() if curve is not None},
    )


def _pixel_scale(shape: tuple[int, ...], usual: tuple[int, ...]) -> float:
    return math.prod(shape[:2]) / math.prod(usual[:2])


def _measured_curve(
    model: ModelFacts, precision: Precision, scale: float, workload: Workload, *, is_frozen: bool
) -> StepCurve | None:
    """Draw the line through the two largest batches measured; bfloat16 needs what float16 needs."""
    wanted = Precision.MIXED_FLOAT16 if precision is Precision.MIXED_BFLOAT16 else precision
    steps = [
        step
        for step in model.steps
        if not step.is_check
        and step.precision is wanted
        and step.is_backbone_frozen == is_frozen
        and step.input_shape == model.input_shape
    ]
    if not steps:
        return _measured_curve(model, precision, scale, workload, is_frozen=False) if is_frozen else None
    steps = sorted(steps, key=lambda step: step.batch)
    base, slope = _line(steps)
    return StepCurve(
        floor_bytes=float(steps[0].step_bytes) if steps[0].batch == 1 and scale >= 1 else max(0.0, base),
        base_bytes=base,
        sample_bytes=slope * scale + math.prod(workload.input_shape) * FLOAT_BYTES,
        band=BAND_MEASURED if math.isclose(scale, 1.0) else BAND_SCALED,
        basis="measured" if math.isclose(scale, 1.0) else "scaled",
    )


def _line(steps: Sequence[StepMeasurement]) -> tuple[float, float]:
    last = steps[-1]
    if len(steps) == 1:
        return 0.0, last.step_bytes / last.batch
    before = steps[-2]
    slope = (last.step_bytes - before.step_bytes) / (last.batch - before.batch)
    return last.step_bytes - slope * last.batch, slope


def _free_network(model: ModelFacts, layers: _Layers, workload: Workload) -> Network:
    update = layers.trainable_params * FLOAT_BYTES
    curves = {}
    for precision in Precision:
        rates = [
            step.step_bytes / step.batch / step.output_elements
            for step in model.steps
            if step.precision is precision and not step.is_check
        ]
        if rates:
            curves[precision] = StepCurve(
                floor_bytes=_FLOOR_UPDATES[precision] * update,
                base_bytes=_BASE_UPDATES * update,
                sample_bytes=max(rates) * layers.output_elements + math.prod(workload.input_shape) * FLOAT_BYTES,
                band=BAND_RULES,
                basis="rules",
            )
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
        curves=curves,
    )


def _count_layers(workload: Workload) -> _Layers | None:
    options = dict(workload.model_options)
    if workload.model_id == SMALL_CNN and len(workload.input_shape) == 3:
        parts = list(_cnn_layers(workload.input_shape, small_cnn_widths(options), workload.output_units))
    elif workload.model_id == MLP:
        parts = list(_mlp_layers(math.prod(workload.input_shape), mlp_widths(options), workload.output_units))
    else:
        return None
    total = _Layers(0, 0, 0, math.prod(workload.input_shape), 1)
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


def _cnn_layers(shape: tuple[int, ...], widths: Sequence[int], units: int) -> Iterator[_Layers]:
    """Count scaling, blocks of convolution, normalisation, activation and pooling, then pooling, drop-out and head."""
    height, width, channels = shape
    yield _Layers(0, 0, 0, height * width * channels, 1)
    for filters in widths:
        outputs = height * width * filters
        kernel = 9 * channels * filters
        yield _Layers(kernel, kernel, kernel * height * width, outputs, 1)
        yield _Layers(4 * filters, 2 * filters, 0, 2 * outputs, 2)
        height, width, channels = (height + 1) // 2, (width + 1) // 2, filters
        yield _Layers(0, 0, 0, height * width * filters, 1)
    yield _Layers(0, 0, 0, 2 * channels, 2)
    yield _dense(channels, units)


def _mlp_layers(features: int, widths: Sequence[int], units: int) -> Iterator[_Layers]:
    """Count scaling, then fully connected layers with drop-out, then the head."""
    yield _Layers(0, 0, 0, features, 1)
    for width in widths:
        yield _dense(features, width)
        yield _Layers(0, 0, 0, width, 1)
        features = width
    yield _dense(features, units)


def _dense(features: int, units: int) -> _Layers:
    weights = features * units + units
    return _Layers(weights, weights, features * units, units, 1)
