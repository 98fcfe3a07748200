"""Reader of ``throughput.toml``: how well trainings use cards, fitted to public figures, and what their steps move.

``packaging/fit_throughput.py`` writes the table. Turning it into a time is the planner's work.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from gpuconfig_app.knowledge.models import TrainingNumber
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table

TABLE = "throughput"


@dataclass(frozen=True, kw_only=True)
class ArithmeticShare:
    """How much of a card's peak rate a training reaches.

    Attributes:
        id: ``fp32``, ``tf32`` or ``fp16`` (any 16-bit type on matrix units).
        share: Part of the peak rate at the reference peak.
        fall: Exponent with which that part falls as the peak rises; 0 is the same for all cards.
    """

    id: str
    share: float
    fall: float
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class Maker:
    """How many times longer everything takes on a maker's cards than their figures say, NVIDIA's being 1."""

    id: str
    factor: float
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class NetworkKind:
    """How a kind of network differs from plain convolutions.

    Attributes:
        id: ``convolution``, ``depthwise`` or ``transformer``.
        compute: Factor on the time of the arithmetic.
        memory: Factor on the traffic, with XLA only: the kinds were measured with it.
    """

    id: str
    compute: float
    memory: float
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class KnownNetwork:
    """A network of the public figures: factor on the time of its arithmetic in each policy."""

    id: str
    float32: float
    mixed: float
    source: tuple[FactSource, ...]
    checked_on: str


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """What the operations of one training step of an offered network read and write, as Keras 3 builds it.

    Attributes:
        id: As in ``models.toml``.
        output_elements: Numbers in all layer outputs of one sample, at which the bytes for a sample hold.
        float32_sample_bytes: For each sample; ``step_bytes`` once in each step, without the optimizer's.
        float32_frozen_sample_bytes: Only the head is trained; None where nothing can be frozen.
    """

    id: str
    params: int
    output_elements: int
    float32_sample_bytes: int
    float32_step_bytes: int
    mixed_sample_bytes: int
    mixed_step_bytes: int
    source: tuple[FactSource, ...]
    checked_on: str
    float32_frozen_sample_bytes: int | None = None
    float32_frozen_step_bytes: int | None = None
    mixed_frozen_sample_bytes: int | None = None
    mixed_frozen_step_bytes: int | None = None

    def sample_bytes(self, *, is_mixed: bool, is_frozen: bool) -> float:
        """Give the bytes for each sample; a forward pass is a third where a frozen network was not counted."""
        whole = self.mixed_sample_bytes if is_mixed else self.float32_sample_bytes
        frozen = self.mixed_frozen_sample_bytes if is_mixed else self.float32_frozen_sample_bytes
        if not is_frozen:
            return whole
        return whole / 3 if frozen is None else frozen

    def step_bytes(self, *, is_mixed: bool, is_frozen: bool) -> float:
        """Give the bytes that do not depend on the batch."""
        whole = self.mixed_step_bytes if is_mixed else self.float32_step_bytes
        frozen = self.mixed_frozen_step_bytes if is_mixed else self.float32_frozen_step_bytes
        if not is_frozen:
            return whole
        return whole / 3 if frozen is None else frozen


@dataclass(frozen=True)
class ThroughputFacts:
    """The whole table, each kind of row by id."""

    arithmetic: dict[str, ArithmeticShare]
    makers: dict[str, Maker]
    kinds: dict[str, NetworkKind]
    networks: dict[str, KnownNetwork]
    traffic: dict[str, Traffic]
    numbers: dict[str, float]


@cache
def load_throughput_facts() -> ThroughputFacts:
    """Read the table.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    data = read_table(TABLE)
    arithmetic = read_rows(TABLE, data, "arithmetic", ArithmeticShare)
    makers = read_rows(TABLE, data, "maker", Maker)
    kinds = read_rows(TABLE, data, "kind", NetworkKind)
    networks = read_rows(TABLE, data, "network", KnownNetwork)
    traffic = read_rows(TABLE, data, "traffic", Traffic)
    numbers = read_rows(TABLE, data, "number", TrainingNumber)
    for rows in (arithmetic, makers, kinds, networks, traffic, numbers):
        check_unique(TABLE, [row.id for row in rows])
    return ThroughputFacts(
        arithmetic={row.id: row for row in arithmetic},
        makers={row.id: row for row in makers},
        kinds={row.id: row for row in kinds},
        networks={row.id: row for row in networks},
        traffic={row.id: row for row in traffic},
        numbers={row.id: row.value for row in numbers},
    )
