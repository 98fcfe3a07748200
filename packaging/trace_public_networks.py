"""Trace the networks of the public facts that the product cannot name, for ``tests/unit/planner/public_facts.py``.

``python packaging/trace_public_networks.py --tensorflow PYTHON`` builds every network and precision that
tests/data/memory/public_facts.toml speaks of with a Python that has TensorFlow, one after the other, and writes what
their steps need to tests/data/memory/public_networks.json, after each one. Rows that are there already are left alone;
``--again`` makes them anew. The largest take 5 GB of memory.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gpuconfig_app.core.errors import GpuConfigError  # noqa: E402  # runs from the checkout
from gpuconfig_app.core.step_graph import StepGraph, VariableRole  # noqa: E402  # as above
from gpuconfig_app.core.workload import Optimizer, Precision  # noqa: E402  # as above
from gpuconfig_app.knowledge.models import Scratch  # noqa: E402  # as above
from gpuconfig_app.planner.liveness import StepTraces, peak_bytes  # noqa: E402  # as above
from gpuconfig_app.runner.step_trace import TraceRequest, trace_step  # noqa: E402  # as above

FOLDER = ROOT / "tests" / "data" / "memory"
LIMIT_S = 3600.0

_KINDS_OF_CONVOLUTION = frozenset({"Conv2D", "DepthwiseConv2dNative"})


@dataclass
class Wanted:
    """One network in one precision, with the batches that facts speak of."""

    name: str
    precision: str
    optimizer: str
    input_shape: list[int]
    batches: set[int] = field(default_factory=set)

    @property
    def traced(self) -> tuple[int, ...]:
        """Batches to trace: smallest and largest of the facts, and 1 by itself, which TensorFlow builds otherwise."""
        first = max(2, min(self.batches))
        return (*self.batches & {1}, first, max(*self.batches, first + 1))


def main(arguments: list[str]) -> int:
    """Trace and write; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tensorflow", required=True, help="a Python that has TensorFlow")
    parser.add_argument("--only", action="append", help="network to trace, may be given several times")
    parser.add_argument("--again", action="store_true", help="trace what is there already as well")
    given = parser.parse_args(arguments)
    path = FOLDER / "public_networks.json"
    rows = (
        {(row["name"], row["precision"]): row for row in json.loads(path.read_text("utf-8"))} if path.is_file() else {}
    )
    failed = 0
    for wanted in networks_of_facts():
        key = (wanted.name, wanted.precision)
        if (given.only and wanted.name not in given.only) or (key in rows and not given.again):
            continue
        row = trace(wanted, given.tensorflow)
        if row is None:
            failed += 1
            continue
        rows[key] = row
        lines = ",\n".join(f"  {json.dumps(rows[key])}" for key in sorted(rows))
        path.write_text(f"[\n{lines}\n]\n", "utf-8")
    return 1 if failed else 0


def networks_of_facts() -> list[Wanted]:
    """Give what the facts speak of; the optimizer is that of the first fact.

    Networks that the product cannot name come first, and of them those with a largest batch.
    """
    table = tomllib.loads((FOLDER / "public_facts.toml").read_text("utf-8"))
    shapes = {row["id"]: row["input_shape"] for row in table["network"] if "hidden_units" not in row}
    found: dict[tuple[str, str], Wanted] = {}
    for row in table["fact"]:
        name, precision = row["network"], row["precision"]
        if name in shapes:
            wanted = Wanted(name, precision, row["optimizer"], shapes[name])
            found.setdefault((name, precision), wanted).batches.update(
                row[key] for key in ("batch", "fails_at") if key in row
            )
    both_sides = {row["network"] for row in table["fact"] if row["kind"] == "largest"}
    named = {row["id"] for row in table["network"] if row.get("model")}
    return sorted(found.values(), key=lambda wanted: (wanted.name in named, wanted.name not in both_sides))


def trace(wanted: Wanted, python: str) -> dict[str, Any] | None:
    """Trace one network and give its row, None when that does not work."""
    request = TraceRequest(
        python=str(Path(python).absolute()),
        model=f"public_architectures:{wanted.name}",
        batches=wanted.traced,
        precision=Precision(wanted.precision),
        optimizer=Optimizer(wanted.optimizer),
        folder=FOLDER,
        time_limit_s=LIMIT_S,
    )
    try:
        graphs = trace_step(request).graphs
    except GpuConfigError as error:
        print(f"{wanted.name} {wanted.precision}: {error}", file=sys.stderr)
        return None
    if len(graphs) != len(wanted.traced):
        print(f"{wanted.name} {wanted.precision}: not every batch was traced", file=sys.stderr)
        return None
    return row_of(wanted, graphs)


def row_of(wanted: Wanted, graphs: Sequence[StepGraph]) -> dict[str, Any]:
    """Walk the traced step and give what the test's formula needs; says how far it is from the walk at the facts."""
    traces = StepTraces(graphs)
    variables = graphs[0].variables

    def size_of(*roles: VariableRole) -> int:
        return sum(variable.size_bytes for variable in variables if variable.role in roles)

    walked: dict[int, int] = {}
    for batch in sorted({1, *wanted.traced, *wanted.batches}):
        graph = traces.at(batch)
        if graph is not None:
            walked[batch] = peak_bytes(graph) - graph.variable_bytes
    first, last = wanted.traced[-2:]
    slope = (walked[last] - walked[first]) / (last - first)
    floor = walked.get(1, walked[first])  # graphs that differ tell nothing of batch 1: too much, below the first
    base, sample = round(walked[first] - slope * first), round(slope)
    row: dict[str, object] = {
        "name": wanted.name,
        "precision": wanted.precision,
        "optimizer": wanted.optimizer,
        "input_shape": wanted.input_shape,
        "weight_bytes": size_of(VariableRole.TRAINABLE, VariableRole.STATE),
        "trainable_bytes": size_of(VariableRole.TRAINABLE),
        "slot_bytes": size_of(VariableRole.SLOT),
        "floor_bytes": floor,
        "base_bytes": base,
        "sample_bytes": sample,
        "scratch": scratch_of({operation.kind for operation in graphs[0].operations}).value,
    }
    line = {batch: max(floor, base + sample * batch) for batch in walked}
    off = max(abs(line[batch] / walked[batch] - 1) for batch in walked)
    print(f"{wanted.name} {wanted.precision}: {sample / 1e6:.1f} MB a sample, line off by {off:.1%}")
    return row


def scratch_of(kinds: set[str]) -> Scratch:
    """Tell which scratch memory the kernels want."""
    return Scratch.CONVOLUTION if kinds & _KINDS_OF_CONVOLUTION else Scratch.MATMUL


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
