"""Reader of ``models.toml``: the built-in networks in numbers.

Also holds the few numbers about TensorFlow itself that every prediction needs, such as what it leaves free on a card.
Deciding anything from them is the planner's work.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table

TABLE = "models"


class Scratch(StrEnum):
    """Which kernels of a network need scratch memory beside its tensors."""

    CONVOLUTION = "convolution"
    MATMUL = "matmul"


@dataclass(frozen=True, kw_only=True)
class ModelFacts:
    """A network that templates offer.

    Attributes:
        id: As in a ``Workload``.
        name: Proper name, the same in all languages.
        keras_name: Attribute of ``keras.applications``, None for networks that a template writes itself.
        input_shape: Usual input, at which ``macs`` and ``output_elements`` hold; empty for networks of free shape.
        params: Weights without the head, those that are not trained included; None for networks of free shape.
        feature_width: Numbers that the head sees.
        macs: Multiply-adds of one sample, forward.
        output_elements: Numbers in all layer outputs of one sample.
        layer_count: Layers, nested ones counted.
        is_depthwise: Mostly depthwise convolutions: slower than their multiply-adds suggest.
    """

    id: str
    name: str
    scratch: Scratch
    source: tuple[FactSource, ...]
    checked_on: str
    keras_name: str | None = None
    is_depthwise: bool = False
    input_shape: tuple[int, ...] = ()
    params: int | None = None
    trainable_params: int | None = None
    feature_width: int | None = None
    macs: int | None = None
    output_elements: int | None = None
    layer_count: int | None = None


@dataclass(frozen=True, kw_only=True)
class KeptFree:
    """What TensorFlow leaves to the system on a card, from a compute capability's major number on.

    Attributes:
        below_bytes: Only where less than this is available, whatever the capability; None everywhere else.
    """

    id: str
    from_major: int
    size_bytes: int
    source: tuple[FactSource, ...]
    checked_on: str
    below_bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class TrainingNumber:
    """One number about TensorFlow that predictions need; ``meaning`` says what it is."""

    id: str
    value: float
    meaning: str
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class TrainingFacts:
    """The whole table.

    Attributes:
        models: Networks that templates offer.
        kept_free: What TensorFlow leaves free, by compute capability.
        numbers: Everything else, by id.
    """

    models: tuple[ModelFacts, ...]
    kept_free: tuple[KeptFree, ...]
    numbers: tuple[TrainingNumber, ...]

    def model(self, model_id: str) -> ModelFacts | None:
        """Give a network by its id or its name in Keras, None when it is not listed."""
        return next((model for model in self.models if model_id in (model.id, model.keras_name)), None)

    def kept_free_bytes(self, major: int | None, available_bytes: int) -> int:
        """Give what TensorFlow leaves free on a card.

        Args:
            major: Of its compute capability; not known, the most that is left on any card.
            available_bytes: Free memory after the CUDA context. What is left is less where that is little, and nothing
                where it would be all.
        """
        small = [row for row in self.kept_free if row.below_bytes is not None and available_bytes < row.below_bytes]
        usual = [row for row in self.kept_free if row.below_bytes is None]
        rows = small or [row for row in usual if major is None or row.from_major <= major] or usual
        kept = max(rows, key=lambda row: row.from_major).size_bytes
        return kept if kept < available_bytes else 0

    def number(self, number_id: str) -> float:
        """Give a number by its id.

        Raises:
            KeyError: It is not listed.
        """
        return {row.id: row.value for row in self.numbers}[number_id]


@cache
def load_training_facts() -> TrainingFacts:
    """Read the whole table.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    data = read_table(TABLE)
    models = read_rows(TABLE, data, "model", ModelFacts)
    check_unique(TABLE, [model.id for model in models])
    return TrainingFacts(
        models=models,
        kept_free=read_rows(TABLE, data, "kept_free", KeptFree),
        numbers=read_rows(TABLE, data, "number", TrainingNumber),
    )


def load_models() -> tuple[ModelFacts, ...]:
    """Give the networks that templates offer.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return load_training_facts().models
