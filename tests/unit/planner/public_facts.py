"""Reads what real trainings did (``tests/data/memory/public_facts.toml``) and holds predictions against it.

A network that the product knows is predicted as in a plan; for the others the product's own formula gets a curve that
was traced beforehand (``public_networks.json``, made by ``packaging/trace_public_networks.py``).
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from gpuconfig_app.core.plan import Interval
from gpuconfig_app.core.workload import Optimizer, Precision, Workload
from gpuconfig_app.knowledge.models import Scratch, load_training_facts
from gpuconfig_app.planner.memory import DeviceMemory, StepMemory
from gpuconfig_app.planner.network import FLOAT_BYTES, Network, StepCurve, describe_network

FOLDER = Path(__file__).resolve().parents[2] / "data" / "memory"

# Where a report does not print what TensorFlow had: all of the card at most, and at least this part of it. TensorFlow
# and the driver keep 7 to 18 % of cards from 8 GB on, a desktop some more.
LEAST_USABLE = 0.8

# As in the shipped curves of networks of this kind (step_memory.toml).
LOW, HIGH, HIGH_LAID_OUT, EXTENT = 0.97, 1.05, 1.18, 1.04

KINDS = ("fits", "out_of_memory", "largest", "peak_bytes")

Predict = Callable[["Fact", int], Interval]


class Verdict(StrEnum):
    """How a prediction stands to a fact."""

    CONSISTENT = "consistent"
    LOOSE = "loose"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True)
class Fact:
    """One row.

    Attributes:
        fails_at: Batch that does not fit, for ``largest``.
        least_usable: Bytes that TensorFlow had at least; for ``peak_bytes`` the measured bytes.
        most_usable: Bytes that it had at most.
        way: How the network is predicted: ``product`` or ``traced``.
    """

    id: str
    network: str
    precision: Precision
    optimizer: Optimizer
    kind: str
    batch: int
    fails_at: int | None
    least_usable: float
    most_usable: float
    jit: bool
    fits_factor: float
    fails_factor: float
    way: str = ""

    def judge(self, predict: Predict) -> Verdict:
        """Hold a prediction against the row, at first without the looser bounds it may state."""
        if not self._excess(predict, 1.0, 1.0):
            return Verdict.CONSISTENT
        return Verdict.CONTRADICTION if self._excess(predict, self.fits_factor, self.fails_factor) else Verdict.LOOSE

    def _excess(self, predict: Predict, fits_factor: float, fails_factor: float) -> bool:
        """Tell whether a prediction is beyond a bound on either side."""
        too_high = too_low = False
        if self.kind in ("fits", "largest", "peak_bytes"):
            too_high = predict(self, self.batch).low > self.most_usable * fits_factor
        failing = {"out_of_memory": self.batch, "peak_bytes": self.batch, "largest": self.fails_at}.get(self.kind)
        if failing is not None:
            too_low = predict(self, failing).high * fails_factor < self.least_usable
        return too_high or too_low


@cache
def rows() -> dict[str, Any]:
    """The table as it is written."""
    return tomllib.loads((FOLDER / "public_facts.toml").read_text("utf-8"))


@cache
def networks() -> dict[str, dict[str, Any]]:
    """The networks of the table by id."""
    return {row["id"]: row for row in rows()["network"]}


@cache
def traced() -> dict[tuple[str, str], dict[str, Any]]:
    """Traced curves by network and precision; whatever the optimizer was, weights and activations are the same."""
    path = FOLDER / "public_networks.json"
    found = json.loads(path.read_text("utf-8")) if path.is_file() else []
    return {(row["name"], row["precision"]): row for row in found}


@cache
def facts() -> tuple[Fact, ...]:
    """Every row in each way in which its network can be predicted."""
    found = []
    for row in rows()["fact"]:
        if networks()[row["network"]].get("model"):
            found.append(_fact(row, "product"))
        if (row["network"], row["precision"]) in traced():
            found.append(_fact(row, "traced"))
    return tuple(found)


def _fact(row: dict[str, Any], way: str) -> Fact:
    known = row.get("usable_bytes") or row.get("peak_bytes")
    return Fact(
        id=row["id"],
        network=row["network"],
        precision=Precision(row["precision"]),
        optimizer=Optimizer(row["optimizer"]),
        kind=row["kind"],
        batch=row["batch"],
        fails_at=row.get("fails_at"),
        least_usable=known or row["card_bytes"] * LEAST_USABLE,
        most_usable=known or row["card_bytes"],
        jit=row.get("jit", False),
        fits_factor=row.get("fits_factor", 1.0),
        fails_factor=row.get("fails_factor", 1.0),
        way=way,
    )


def predict(fact: Fact, batch: int) -> Interval:
    """Predict as the product does."""
    memory = StepMemory(
        network=_network(fact), optimizer=fact.optimizer, precision=fact.precision, jit_compile=fact.jit
    )
    return memory.predict(batch, DeviceMemory()).total


def _network(fact: Fact) -> Network:
    row = networks()[fact.network]
    if fact.way == "traced":
        return _traced_network(traced()[fact.network, fact.precision.value])
    workload = Workload(
        model_id=row["model"],
        model_options={"hidden_units": row["hidden_units"]} if "hidden_units" in row else {},
        input_shape=tuple(row["input_shape"]),
        output_units=row["units"],
        optimizer=fact.optimizer,
    )
    network = describe_network(workload, load_training_facts())
    assert network is not None
    return network


def _traced_network(row: dict[str, Any]) -> Network:
    """Give the product's formula a traced curve; only what memory needs is filled in."""
    floor, base, slope = row["floor_bytes"], row["base_bytes"], row["sample_bytes"]
    meets = max(1.0, (floor - base) / slope)
    is_laid_out = row["scratch"] == "convolution" and row["precision"] == "float32"
    knots = ((0.0, floor), (meets, base + slope * meets), (2 * meets + 4096, base + slope * (2 * meets + 4096)))
    curve = StepCurve(
        knots=knots,
        gradients=(0.0, 0.0, 0.0),
        lows=tuple(size * LOW for _, size in knots),
        highs=tuple(size * (HIGH_LAID_OUT if is_laid_out else HIGH) for _, size in knots),
        extent=EXTENT,
        basis="traced",
    )
    return Network(
        name=row["name"],
        params=row["weight_bytes"] // FLOAT_BYTES,
        trainable_params=row["trainable_bytes"] // FLOAT_BYTES,
        macs=0,
        trained_share=1.0,
        output_elements=0,
        layer_count=0,
        is_depthwise=False,
        scratch=Scratch(row["scratch"]),
        curves={Precision(row["precision"]): curve},
    )
