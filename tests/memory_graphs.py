"""Graphs of training steps that are stored for the tests, so that predictions are compared with the truth anywhere.

A stored graph is what ``resources/probes/trace_step.py`` wrote for two batches, without names and with everything that
both share written once. Tensors and operations are named by their distance, which compresses well.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from gpuconfig_app.core.step_graph import StepGraph, parse_step_graph, read_step_graph
from gpuconfig_app.planner.liveness import StepTraces
from gpuconfig_app.planner.liveness_batches import pair_up

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "data" / "memory" / "graphs"
_LEFT_OUT = ("names", "sizes", "batch", "data_bytes", "python", "trace_s", "record", "model")


def name_of(model: str, precision: str, optimizer: str) -> str:
    """File name of a stored graph."""
    return f"{model}-{precision}-{optimizer}.json.gz"


def pack(lines: list[str]) -> bytes:
    """Make a stored graph of the probe's lines; the last one gives the structure.

    Raises:
        ValueError: The graphs differ in more than sizes.
    """
    graphs = sorted((parse_step_graph(line) for line in lines), key=lambda graph: graph.batch)
    large = graphs[-1]
    document: dict[str, Any] = next(item for item in map(json.loads, lines) if item["batch"] == large.batch)
    batches = [{"batch": large.batch, "sizes": list(large.tensor_bytes), "data_bytes": list(large.data_bytes)}]
    for graph in graphs[:-1]:
        pair = pair_up(graph, large)
        if pair is None:
            raise ValueError(f"batches {graph.batch} and {large.batch} are built differently")
        batches.insert(0, {"batch": graph.batch, "sizes": list(pair.before), "data_bytes": list(graph.data_bytes)})
    kept = {key: value for key, value in document.items() if key not in _LEFT_OUT}
    kept["variables"] = [["", role, size] for _, role, size in document["variables"]]
    kept["ops"] = _by_distance(document["ops"])
    text = json.dumps({"graph": kept, "batches": batches}, separators=(",", ":"))
    return gzip.compress(text.encode("ascii"), 9, mtime=0)


def load(path: Path) -> StepTraces:
    """Read a stored graph."""
    stored = json.loads(gzip.decompress(path.read_bytes()))
    stored["graph"]["ops"] = _by_distance(stored["graph"]["ops"])
    return StepTraces([_graph(stored["graph"], batch) for batch in stored["batches"]])


def _graph(shared: dict[str, Any], batch: dict[str, Any]) -> StepGraph:
    return read_step_graph({**shared, **batch})


def _by_distance(rows: list[list[Any]]) -> list[list[Any]]:
    """Write places as distances, or distances as places: the same sum either way."""
    first, changed = 0, []
    for number, (kind, inputs, controls, types, *rest) in enumerate(rows):
        changed.append([kind, [first - item for item in inputs], [number - item for item in controls], types, *rest])
        first += len(types)
    return changed
