"""What shall be trained, in numbers the planner understands; made from a template's answers by ``scriptgen``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.record import JsonValue, Record, path_text, public_text


class Precision(StrEnum):
    """Keras dtype policies the product plans for."""

    FLOAT32 = "float32"
    MIXED_FLOAT16 = "mixed_float16"
    MIXED_BFLOAT16 = "mixed_bfloat16"


class StrategyKind(StrEnum):
    """How the work is spread."""

    CPU = "cpu"
    ONE_GPU = "one_gpu"
    MIRRORED = "mirrored"


class Optimizer(StrEnum):
    """Optimizers of the templates; slots per trainable parameter follow from it."""

    SGD = "sgd"
    MOMENTUM = "momentum"
    RMSPROP = "rmsprop"
    ADAM = "adam"
    ADAMW = "adamw"


@dataclass(frozen=True, kw_only=True)
class Requests(Record):
    """What the user insists on; None leaves the choice to the planner."""

    precision: Precision | None = None
    per_replica_batch: int | None = None
    accumulation_steps: int | None = None
    learning_rate: float | None = None
    jit_compile: bool | None = None
    devices: tuple[int, ...] | None = None
    cache: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class Workload(Record):
    """One training job.

    Attributes:
        template_id: Template it belongs to.
        task: ``image_classification``, ``tabular_classification``, ``tabular_regression``.
        model_id: Row of ``resources/knowledge/models.toml`` or a model of the template's own (``small_cnn``, ``mlp``).
        model_options: What shapes the model (``width``, ``hidden_units``, ``alpha`` …).
        input_shape: One sample, without the batch: (height, width, channels) or (features,).
        output_units: Width of the head.
        is_pretrained: Starts from published weights.
        is_backbone_frozen: Only the head is trained.
        sample_count: Training samples, None when not known.
        sample_bytes: Mean bytes of one sample on disk.
        decoded_sample_bytes: Bytes of one sample as a tensor, what a cache in memory holds.
    """

    template_id: str = public_text("")
    task: str = public_text("")
    model_id: str = public_text("")
    model_options: Mapping[str, JsonValue] = field(default_factory=dict, metadata={"privacy": "public"})
    input_shape: tuple[int, ...] = ()
    output_units: int = 1
    is_pretrained: bool = False
    is_backbone_frozen: bool = False
    optimizer: Optimizer = Optimizer.ADAM
    epochs: int = 1
    sample_count: int | None = None
    sample_bytes: int | None = None
    decoded_sample_bytes: int | None = None
    data_path: str | None = path_text()
    requests: Requests = Requests()
