"""Reader of ``step_memory.toml``: what the training steps of the templates' networks hold in memory, by batch.

Published networks were traced case by case; networks of free shape have rules that were fitted to traces. Both are made
by ``packaging/step_memory_table.py``. Turning them into a prediction is the planner's work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table

TABLE = "step_memory"


@dataclass(frozen=True, kw_only=True)
class TracedCurve:
    """Memory of one network's step over the batch, beside weights and the optimizer's slots.

    Attributes:
        side: Height and width of the pictures.
        is_backbone_frozen: Only the head is trained.
        batches: Smallest first; between two of them memory is a straight line, after the last it goes on.
        live_bytes: Highest sum of live tensors, the batch included, at each batch.
        gradient_bytes: Gradients of weights in it.
        low_bytes: Lower end of the interval at each batch.
        high_bytes: Its upper end.
        extent: What the allocator's region spans, as a share of all live bytes with weights and slots.
    """

    precision: Precision
    optimizer: Optimizer
    side: int
    is_backbone_frozen: bool = False
    batches: tuple[int, ...]
    live_bytes: tuple[int, ...]
    gradient_bytes: tuple[int, ...]
    low_bytes: tuple[int, ...]
    high_bytes: tuple[int, ...]
    extent: float


@dataclass(frozen=True, kw_only=True)
class PictureSize:
    """What a network's step needs at another picture size, at one large batch, against the usual size.

    Attributes:
        factor: Growth with each sample, as a multiple of that at the usual size.
    """

    precision: Precision
    side: int
    factor: float


@dataclass(frozen=True, kw_only=True)
class NetworkMemory:
    """All that was traced of one published network.

    Attributes:
        id: Row of ``models.toml``.
        classes: Units of the head that was traced.
        usual_side: Side of the pictures of most curves.
    """

    id: str
    classes: int
    usual_side: int
    curves: tuple[TracedCurve, ...]
    sizes: tuple[PictureSize, ...]
    source: tuple[FactSource, ...]
    checked_on: str

    def curve(self, precision: Precision, optimizer: Optimizer, *, is_frozen: bool) -> TracedCurve | None:
        """Give the curve of a case at the usual size; of a frozen backbone Adam's, for the head is small."""
        wanted = Optimizer.ADAM if is_frozen else optimizer
        return next(
            (
                item
                for item in self.curves
                if item.precision is precision and item.optimizer is wanted and item.is_backbone_frozen == is_frozen
            ),
            None,
        )


@dataclass(frozen=True, kw_only=True)
class OwnNetworkRule:
    """Memory of a network of free shape, as sums over its layers.

    Attributes:
        id: Row of ``models.toml``, and the precision.
        model: Row of ``models.toml``.
        per_sample: Weights of the sums that grow with the batch.
        fixed: Weights of the sums that do not, where the batch is large.
        floor: Weights of the sums that are needed whatever the batch.
        low: Lower end of the interval as a share of the live bytes.
        high: Upper end.
        extent: As in ``TracedCurve``.
    """

    id: str
    model: str
    precision: Precision
    per_sample: Mapping[str, float]
    fixed: Mapping[str, float]
    floor: Mapping[str, float]
    low: float
    high: float
    extent: float
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class StepMemoryFacts:
    """The whole table."""

    networks: tuple[NetworkMemory, ...]
    rules: tuple[OwnNetworkRule, ...]

    def network(self, model_id: str) -> NetworkMemory | None:
        """Give a published network, None when it was not traced."""
        return next((item for item in self.networks if item.id == model_id), None)

    def rules_of(self, model_id: str) -> Mapping[Precision, OwnNetworkRule]:
        """Give the rules of a network of free shape by precision; empty when there are none."""
        return {item.precision: item for item in self.rules if item.model == model_id}


@cache
def load_step_memory() -> StepMemoryFacts:
    """Read the whole table.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    data = read_table(TABLE)
    networks = read_rows(TABLE, data, "network", NetworkMemory)
    rules = read_rows(TABLE, data, "rule", OwnNetworkRule)
    check_unique(TABLE, [item.id for item in networks] + [item.id for item in rules])
    return StepMemoryFacts(networks=networks, rules=rules)
