"""How long a card needs for one training step: its arithmetic, the traffic to its memory, and starting the layers.

``seconds/sample = maker · (network · kind · operations / (share · peak) + bytes / (share · bandwidth))``, and
``layers · start`` once in each step. Operations are ``(2 + 4 · trained part) · multiply-adds``; the bytes were counted
in the graph that Keras 3 makes, where normalisation runs in float32 and in many operations. Shares are fitted to public
figures (``throughput.toml``). A step is not shorter than the processor needs to start its operations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gpuconfig_app.core.workload import Precision
from gpuconfig_app.knowledge.models import TrainingFacts
from gpuconfig_app.knowledge.throughput import ThroughputFacts, load_throughput_facts
from gpuconfig_app.planner.cards import Arithmetic, Card
from gpuconfig_app.planner.network import Network

CONVOLUTION, DEPTHWISE, TRANSFORMER = "convolution", "depthwise", "transformer"

_BYTES = {True: 2, False: 4}
# Layer outputs of an encoder for each token: 18 of the model's width, 3 of the sequence's length for each head.
_WIDTH_OUTPUTS, _SCORE_OUTPUTS = 18, 3
# How often an output crosses the memory bus in one step: written and read, forward and twice backward.
_OUTPUT_PASSES = 6
_LAYERS_PER_BLOCK = 10
# Weights of a network that was not counted: read forward and backward, their gradients written, in float32.
_WEIGHT_BYTES = 12.0
# A judgement: XLA starts one kernel where the graph starts several.
_STARTED_WITH_XLA = 0.3


@dataclass(frozen=True, kw_only=True)
class Speed:
    """What of a card counts for its speed.

    Attributes:
        arithmetic: Kind that multiplies.
        maker: ``nvidia`` or ``amd``.
    """

    arithmetic: Arithmetic
    peak_flops: float
    bandwidth_bytes_per_s: float
    maker: str


@dataclass(frozen=True, kw_only=True)
class Work:
    """What a training step asks of a card.

    Attributes:
        operations: Multiplications and additions of one sample, forward and backward.
        sample_bytes: Read and written for each sample.
        step_bytes: Read and written once in each step: weights, gradients, the optimizer's state.
        kind: ``convolution``, ``depthwise`` or ``transformer``.
        network_id: As in the tables, None for a network of the user's own.
        uses_xla: The bytes are those of the kind's public figures, which were made with XLA.
    """

    operations: float
    sample_bytes: float
    step_bytes: float
    layer_count: int
    kind: str = CONVOLUTION
    network_id: str | None = None
    is_mixed: bool = False
    uses_xla: bool = False

    @property
    def is_known(self) -> bool:
        """Whether public figures speak of this very network."""
        return self.network_id is not None and self.network_id in load_throughput_facts().networks


@dataclass(frozen=True)
class SampleTime:
    """Time of one sample on one card, by what limits it; ``step_s`` comes once in each step."""

    compute_s: float
    memory_s: float
    step_s: float = 0.0

    @property
    def total_s(self) -> float:
        """What each sample adds."""
        return self.compute_s + self.memory_s

    @property
    def limited_by(self) -> str:
        """The larger part."""
        return "compute" if self.compute_s >= self.memory_s else "memory_bandwidth"

    def at(self, batch: int) -> float:
        """Give the time of a step with this batch."""
        return self.total_s * batch + self.step_s


def arithmetic_of(card: Card, precision: Precision) -> Arithmetic:
    """Tell which arithmetic a precision means on a card: float32 runs as TF32 where the card has it."""
    if precision is not Precision.FLOAT32 and card.has_tensor_cores:
        return Arithmetic.FP16
    capability = card.compute_capability
    has_tf32 = capability is not None and capability.major >= 8 and card.peak_flops(Arithmetic.TF32) is not None
    return Arithmetic.TF32 if has_tf32 and precision is Precision.FLOAT32 else Arithmetic.FP32


def speed_of(card: Card, precision: Precision) -> Speed | None:
    """Give what counts of a card, None where the catalogue has no figures or nobody published any of its maker."""
    arithmetic, maker = arithmetic_of(card, precision), card.gpu.vendor.value
    peak, bandwidth = card.peak_flops(arithmetic), card.bandwidth_bytes_per_s
    if not peak or not bandwidth or maker not in load_throughput_facts().makers:
        return None
    return Speed(arithmetic=arithmetic, peak_flops=peak, bandwidth_bytes_per_s=bandwidth, maker=maker)


def work_of(network: Network, precision: Precision, *, jit_compile: bool = False) -> Work:
    """Describe a training step of a network as Keras 3 builds it."""
    facts = load_throughput_facts()
    is_mixed = precision is not Precision.FLOAT32
    kind = DEPTHWISE if network.is_depthwise else CONVOLUTION
    sample, step = _traffic(network, facts, is_mixed=is_mixed)
    policy = "mixed" if is_mixed else "float32"
    if jit_compile:
        sample *= facts.numbers[f"fused-{policy}"] * facts.numbers[f"xla-{policy}"]
    return Work(
        operations=network.macs * (2 + 4 * network.trained_share),
        sample_bytes=sample,
        step_bytes=step + facts.numbers["optimizer-bytes"] * network.trainable_params,
        layer_count=network.layer_count,
        kind=kind,
        network_id=_plain(network.name),
        is_mixed=is_mixed,
    )


def transformer_work(
    params: int, tokens: int, width: int, depth: int, heads: int, precision: Precision, *, jit_compile: bool = True
) -> Work:
    """Describe a training step of a transformer by ``6 · params · tokens`` and its attention.

    Args:
        params: Weights without the embeddings, which are looked up and not multiplied.
        tokens: In one sample.
        jit_compile: Without XLA the operations are not joined and the traffic is that of each.
    """
    facts = load_throughput_facts()
    is_mixed = precision is not Precision.FLOAT32
    attention = 12 * depth * tokens * tokens * width
    outputs = depth * tokens * (_WIDTH_OUTPUTS * width + _SCORE_OUTPUTS * heads * tokens)
    policy = "mixed" if is_mixed else "float32"
    saved = facts.numbers[f"xla-{policy}"] if jit_compile else 1.0
    return Work(
        operations=6 * params * tokens + attention,
        sample_bytes=outputs * _OUTPUT_PASSES * _BYTES[is_mixed] * saved,
        step_bytes=facts.numbers["optimizer-bytes"] * params,
        layer_count=depth * _LAYERS_PER_BLOCK,
        kind=TRANSFORMER,
        is_mixed=is_mixed,
        uses_xla=jit_compile,
    )


def time_of(work: Work, speed: Speed) -> SampleTime:
    """Give the expected time of one sample and of what each step adds."""
    facts = load_throughput_facts()
    row, kind = facts.arithmetic[speed.arithmetic.value], facts.kinds[work.kind]
    share = row.share * (facts.numbers["reference-peak"] / speed.peak_flops) ** row.fall
    known = facts.networks.get(work.network_id or "")
    own = 1.0 if known is None else known.mixed if work.is_mixed else known.float32
    maker = facts.makers[speed.maker].factor
    per_byte = maker / (facts.numbers["memory-share"] * speed.bandwidth_bytes_per_s)
    per_byte *= kind.memory if work.uses_xla else 1.0
    return SampleTime(
        compute_s=maker * own * kind.compute * work.operations / (share * speed.peak_flops),
        memory_s=work.sample_bytes * per_byte,
        step_s=work.step_bytes * per_byte + work.layer_count * facts.numbers["layer-start-s"],
    )


def sample_time(network: Network, card: Card, precision: Precision, *, jit_compile: bool = False) -> SampleTime | None:
    """Estimate the time of one sample in a training step, None where the catalogue has no figures of the card."""
    speed = speed_of(card, precision)
    return None if speed is None else time_of(work_of(network, precision, jit_compile=jit_compile), speed)


def start_time(network: Network, facts: TrainingFacts, *, jit_compile: bool = False) -> float:
    """Estimate what the processor needs to start the operations of one step."""
    layers = network.layer_count * facts.number("layer-overhead-s")
    return facts.number("step-overhead-s") + layers * (_STARTED_WITH_XLA if jit_compile else 1.0)


def replica_step_time(
    network: Network,
    card: Card,
    precision: Precision,
    batch: int,
    facts: TrainingFacts,
    *,
    jit_compile: bool = False,
) -> float | None:
    """Estimate one step of one card, None where the catalogue has no figures."""
    sample = sample_time(network, card, precision, jit_compile=jit_compile)
    return None if sample is None else max(sample.at(batch), start_time(network, facts, jit_compile=jit_compile))


def _traffic(network: Network, facts: ThroughputFacts, *, is_mixed: bool) -> tuple[float, float]:
    """Give bytes for each sample and for each step, scaled by layer outputs and weights from what was counted."""
    is_frozen = network.trained_share < 0.5  # a head alone is far below, a whole network is 1
    rows = facts.traffic.values()
    counted = next((row for row in rows if _plain(row.id) == _plain(network.name)), None)
    if counted is None:
        rates = [row.sample_bytes(is_mixed=is_mixed, is_frozen=is_frozen) / row.output_elements for row in rows]
        return math.fsum(rates) / len(rates) * network.output_elements, _WEIGHT_BYTES * network.params
    sample = counted.sample_bytes(is_mixed=is_mixed, is_frozen=is_frozen) / counted.output_elements
    step = counted.step_bytes(is_mixed=is_mixed, is_frozen=is_frozen) / counted.params
    return sample * network.output_elements, step * network.params


def _plain(name: str) -> str:
    """Give a name as it is compared: ``ResNet50`` and ``resnet50`` are one network."""
    return name.lower().replace("_", "").replace(" ", "")
