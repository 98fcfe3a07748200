"""Memory of a training step from a table of layers alone: rough, for models whose step can't be traced.

Weights and slots are exact. What the way back needs follows from rules by kind of layer: how many of its outputs stay
alive. Gradients and what the update of the weights needs are the floor below which no batch comes. Rules and band were
fitted on the measured networks that are there to be tuned on (``tests/data/memory``), never on the held-out ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpuconfig_app.core.layer_table import LayerCall, LayerTable
from gpuconfig_app.core.model_memory import ByteInterval, StepParts
from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.knowledge.models import Scratch
from gpuconfig_app.planner.allocator import rounded
from gpuconfig_app.planner.liveness import PeakCurve
from gpuconfig_app.planner.memory import FRAGMENTED, SLOTS
from gpuconfig_app.planner.step_needs import HOLES, KNOTS, StepNeeds

# What really moves (all but weights and slots) as a factor of the estimate. Nine in ten of the measured networks that
# were tuned on lie between 0.74 and 1.41; a network of another kind may lie farther out.
BAND = (0.5, 2.0)
# With XLA, which was not measured, and where sizes of layers are not known and count as nothing.
WIDE_BAND = (0.25, 4.0)

_FLOAT_BYTES = 4
# Counters of the optimizer, its learning rate, the loss and one metric.
_SMALL_VARIABLES = 6

# Outputs that stay alive until the way back, by kind; others keep one. Fitted on measured networks: where one layer's
# output is the next one's input, and the allocator hands it on, less than one stays.
_KEPT: Mapping[str, float] = {
    **dict.fromkeys(("Flatten", "Reshape", "InputLayer", "Identity", "ExpandDims", "Squeeze"), 0.0),
    **dict.fromkeys(("Functional", "Sequential", "Model", "Bidirectional", "TimeDistributed", "Wrapper"), 0.0),
    **dict.fromkeys(("MultiHeadAttention", "GroupedQueryAttention"), 0.0),
    **dict.fromkeys(("Conv1D", "Conv2D", "Conv3D", "DepthwiseConv2D"), 0.5),
    **dict.fromkeys(("Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose"), 0.5),
    **dict.fromkeys(("Activation", "ReLU", "Relu", "Add", "Subtract"), 0.5),
    **dict.fromkeys(("Dropout", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D"), 0.5),
    **dict.fromkeys(("Dense", "EinsumDense", "SeparableConv1D", "SeparableConv2D"), 1.5),
    **dict.fromkeys(("Gelu", "Silu", "LeakyReLU", "ELU", "Softmax"), 2.0),
    **dict.fromkeys(("LayerNormalization", "GroupNormalization", "RMSNormalization", "UnitNormalization"), 4.0),
}
# Of what is made inside: scores of an attention, gates and states of a recurrent layer.
_KEPT_INSIDE: Mapping[str, float] = {
    "MultiHeadAttention": 2.0,
    "GroupedQueryAttention": 2.0,
    "LSTM": 8.0,
    "GRU": 6.0,
    "SimpleRNN": 2.0,
}
_ACTIVATION_KEEPS = 0.5
# A layer of the user's: made of other layers, it adds them up or the like; else nobody knows.
_OWN, _OWN_OF_LAYERS_KEEPS, _OWN_KEEPS = "Layer", 1.0, 2.0
_CONVOLUTIONS = ("Conv1D", "Conv2D", "Conv3D", "Separable")

# Share of the gradients that is there while the most activations still are.
_EARLY_GRADIENTS = 0.75


@dataclass(frozen=True, kw_only=True)
class LayerEstimate:
    """What the layers tell of a step.

    Attributes:
        parts: At the worst moment; their sum is the estimate.
        interval: Wide; weights and slots are in it without any error.
        unknown: Calls of layers whose sizes are open.
    """

    parts: StepParts
    interval: ByteInterval
    unknown: int

    @property
    def peak_bytes(self) -> int:
        """The estimate."""
        return self.parts.total


def estimate_step(
    table: LayerTable, batch: int, precision: Precision, optimizer: Optimizer, *, jit: bool = False
) -> LayerEstimate:
    """Estimate one training step.

    Args:
        batch: Samples of one step, 1 or more.
    """
    weights = sum(rounded(size) for size in (*table.trainable, *table.state))
    trainable = sum(rounded(size) for size in table.trainable)
    copies = 0 if precision is Precision.FLOAT32 else trainable // 2  # of the weights, in half precision
    samples = batch * (table.input_bytes + table.output_elements * _FLOAT_BYTES)
    activations = samples + batch * _kept_bytes(table.calls)
    gradients = round(_EARLY_GRADIENTS * trainable)
    temporaries = batch * max((call.width * (call.given or 0) for call in table.calls), default=0) + copies
    update = max(table.trainable, default=0) + copies
    if activations + gradients + temporaries < samples + trainable + update:
        activations, gradients, temporaries = samples, trainable, update
    parts = StepParts(
        weights=weights,
        gradients=gradients,
        slots=SLOTS[optimizer] * trainable + _SMALL_VARIABLES * rounded(1),
        activations=activations,
        temporaries=temporaries,
    )
    resident = parts.weights + parts.slots
    moving = parts.total - resident
    unknown = sum(call.given is None or call.inner is None for call in table.calls)
    below, above = WIDE_BAND if unknown or jit else BAND
    interval = ByteInterval(
        low=resident + round(moving * below), expected=parts.total, high=resident + round(moving * above)
    )
    return LayerEstimate(parts=parts, interval=interval, unknown=unknown)


def needs_by_layers(
    table: LayerTable, batch: int, precision: Precision, optimizer: Optimizer, *, jit: bool = False
) -> StepNeeds:
    """Give what a step needs of a card, as far as its layers tell."""
    peaks = {
        samples: estimate_step(table, samples, precision, optimizer, jit=jit) for samples in sorted({*KNOTS, batch})
    }
    asked = peaks[batch]
    moving = asked.peak_bytes - asked.parts.weights - asked.parts.slots
    return StepNeeds(
        interval=asked.interval,
        allocator_bytes=(round(moving * HOLES), round(moving * (FRAGMENTED - 1))),
        batch=batch,
        curve=PeakCurve(tuple((samples, estimate.peak_bytes) for samples, estimate in peaks.items())),
        scratch=_scratch_of(table),
    )


def _kept_bytes(calls: Sequence[LayerCall]) -> int:
    """Give the bytes of one sample that stay alive until the way back."""
    around = {call.inside for call in calls}
    first = next((place for place, call in enumerate(calls) if call.trainable_bytes), 0)  # nothing goes back farther
    kept = (
        _kept_by(call, calls, is_made_of_layers=place in around) for place, call in enumerate(calls) if place >= first
    )
    return round(sum(kept))


def _kept_by(call: LayerCall, calls: Sequence[LayerCall], *, is_made_of_layers: bool) -> float:
    holder = calls[call.inside].kind if call.inside >= 0 else ""
    if holder in _KEPT_INSIDE and (call.kind in ("Softmax", "Dropout") or call.kind.endswith("Cell")):
        return 0.0  # counted with the layer around
    kept = _KEPT.get(call.kind, 1.0)
    if call.kind == _OWN:
        kept = _OWN_OF_LAYERS_KEEPS if is_made_of_layers else _OWN_KEEPS
    if call.has_activation and call.kind != "Activation":
        kept += _ACTIVATION_KEEPS
    width = _FLOAT_BYTES if call.kind.endswith("Normalization") else call.width  # Keras makes them float32
    return width * (kept * (call.given or 0) + _KEPT_INSIDE.get(call.kind, 0.0) * (call.inner or 0))


def _scratch_of(table: LayerTable) -> Scratch:
    has_convolution = any(call.kind.startswith(_CONVOLUTIONS) for call in table.calls)
    return Scratch.CONVOLUTION if has_convolution else Scratch.MATMUL
