"""How good the predictions of a training step's memory are, against what steps really took.

    python -m tests.memory_report                      the report, from stored graphs; no TensorFlow
    python -m tests.memory_report --fresh [MODEL]...   traces the networks anew first, with .venv-tensorflow
    python -m tests.memory_report --store [MODEL]...   the same, and stores what was traced

The truth is ``tests/data/memory/truth.jsonl``; its README tells how it was made. Networks that are held out were never
looked at while the prediction was made. Steps were measured in the order of a GPU, and one of each network in that of a
processor too; each is compared with its own prediction. Recurrent networks that a GPU runs with a kernel of cuDNN are
told apart: their truth here is a loop on the processor.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpuconfig_app.planner.liveness import StepPeak, StepTraces, step_peak
from gpuconfig_app.planner.liveness_order import Order
from tests.memory_graphs import FOLDER, ROOT, load, name_of, pack

TRUTH = FOLDER.parent / "truth.jsonl"
PROBE = ROOT / "resources" / "probes" / "trace_step.py"
LIMIT_S = 1800.0


@dataclass(frozen=True)
class Point:
    """One measured step and what was predicted for it.

    Attributes:
        is_cudnn: A GPU runs it with another kernel than the processor: no truth for a GPU.
    """

    model: str
    family: str
    precision: str
    optimizer: str
    batch: int
    is_held_out: bool
    is_cudnn: bool
    order: Order
    truth_bytes: int
    predicted: StepPeak

    @property
    def error(self) -> float:
        """Relative error, negative when too low."""
        return self.predicted.peak_bytes / self.truth_bytes - 1

    @property
    def is_inside(self) -> bool:
        """The truth lies in the stated interval."""
        return self.predicted.low_bytes <= self.truth_bytes <= self.predicted.high_bytes

    @property
    def width(self) -> float:
        """Width of the interval as a share of the truth."""
        return (self.predicted.high_bytes - self.predicted.low_bytes) / self.truth_bytes


@dataclass(frozen=True)
class Figures:
    """What a group of points says about the prediction; shares from 0 to 1."""

    count: int
    median: float
    p95: float
    worst: float
    inside: float
    width: float
    too_low: float


def figures(points: Sequence[Point]) -> Figures:
    """Sum up a group of at least one point."""
    errors = sorted(abs(point.error) for point in points)
    return Figures(
        count=len(points),
        median=statistics.median(errors),
        p95=percentile(errors, 0.95),
        worst=max(points, key=lambda point: abs(point.error)).error,
        inside=sum(point.is_inside for point in points) / len(points),
        width=statistics.median(point.width for point in points),
        too_low=sum(point.error < -0.10 for point in points) / len(points),
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Give the value that this share of the sorted values does not exceed."""
    return values[max(0, math.ceil(len(values) * share) - 1)]


def truths() -> list[dict[str, Any]]:
    """Rows of the truth set."""
    return [json.loads(line) for line in TRUTH.read_text(encoding="utf-8").splitlines()]


def combination(row: dict[str, Any]) -> tuple[str, str, str]:
    """Network, precision and optimizer of a row: what has a graph of its own."""
    return row["model"], row["precision"], row["optimizer"]


def points_of(rows: Iterable[dict[str, Any]], folder: Path = FOLDER) -> Iterator[Point]:
    """Predict every measured step whose graph is stored."""
    opened: dict[Path, StepTraces] = {}
    for row in rows:
        path = folder / name_of(*combination(row))
        if not path.exists() or "step_peak_bytes" not in row:
            continue
        if path not in opened:
            opened[path] = load(path)
        graph = opened[path].at(row["batch"])
        for order, measured in ((Order.GPU, "step_peak_bytes"), (Order.PROCESSOR, "plain_step_bytes")):
            if graph is not None and measured in row:
                yield Point(
                    *(row[key] for key in ("model", "family", "precision", "optimizer", "batch")),
                    is_held_out=row["is_held_out"],
                    is_cudnn=row["is_cudnn"],
                    order=order,
                    truth_bytes=row[measured],
                    predicted=step_peak(graph, order=order),
                )


def lines_of_report(points: Sequence[Point]) -> Iterator[str]:
    """Lines of the report: tuned and held out apart, then by family, then what is not measurable on a processor."""
    head = f"{'':34}{'points':>7}{'median':>8}{'p95':>8}{'worst':>8}{'inside':>8}{'width':>8}{'< -10%':>8}"
    measurable = [point for point in points if not point.is_cudnn]
    for order, is_held_out in itertools.product(Order, (False, True)):
        group = [point for point in measurable if point.is_held_out is is_held_out and point.order is order]
        if not group:
            continue
        yield f"{'HELD OUT' if is_held_out else 'TUNED'}, IN THE ORDER OF A {order.value.upper()}"
        yield head
        yield _line("all", group)
        for kind in ("family", "precision", "optimizer") if order is Order.GPU else ():
            for value in sorted({getattr(point, kind) for point in group}):
                yield _line(f"{kind} {value}", [point for point in group if getattr(point, kind) == value])
        yield ""
    recurrent = [point for point in points if point.is_cudnn]
    if recurrent:
        yield "CUDNN KERNEL, NOT MEASURABLE ON A PROCESSOR (loops compared)"
        yield head
        for model in sorted({point.model for point in recurrent}):
            yield _line(model, [point for point in recurrent if point.model == model])
    yield ""
    yield "worst points"
    for point in sorted(points, key=lambda point: -abs(point.error))[:10]:
        yield (
            f"  {point.model:24}{point.precision:16}{point.optimizer:9}{point.batch:6}{point.error:+8.1%}"
            f" {point.order.value}{' held out' if point.is_held_out else ''}"
        )


def _line(name: str, points: Sequence[Point]) -> str:
    found = figures(points)
    return (
        f"{name:34}{found.count:7}{found.median:8.2%}{found.p95:8.2%}{found.worst:+8.1%}{found.inside:8.0%}"
        f"{found.width:8.1%}{found.too_low:8.1%}"
    )


def trace(rows: Sequence[dict[str, Any]], python: Path, into: Path) -> list[str]:
    """Trace every network of the rows at its smallest and largest batch; gives what failed."""
    failed = []
    sizes: dict[str, set[int]] = {}
    for row in rows:
        sizes.setdefault(row["model"], set()).add(row["batch"])
    for model, precision, optimizer in sorted({combination(row) for row in rows}):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "graphs.jsonl"
            words = [python, PROBE, "--out", out, "--model", f"architectures:{model}", "--path", TRUTH.parent]
            words += ["--precision", precision, "--optimizer", optimizer, "--no-cudnn"]
            for batch in sorted({min(sizes[model]), max(sizes[model])}):
                words += ["--batch", str(batch)]
            try:
                subprocess.run([str(word) for word in words], capture_output=True, timeout=LIMIT_S, check=True)
                lines = [line for line in out.read_text().splitlines() if '"record":"graph"' in line]
                (into / name_of(model, precision, optimizer)).write_bytes(pack(lines))
            except (subprocess.SubprocessError, ValueError, OSError) as error:
                failed.append(f"{model} {precision} {optimizer}: {error}")
    return failed


def main(arguments: list[str]) -> int:
    """Print the report; 1 when tracing failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--fresh", nargs="*", metavar="MODEL", help="trace these networks anew, all without names")
    parser.add_argument("--store", nargs="*", metavar="MODEL", help="the same, and keep what was traced")
    parser.add_argument("--missing", action="store_true", help="only what has no stored graph")
    parser.add_argument("--python", type=Path, default=ROOT / ".venv-tensorflow" / "bin" / "python")
    chosen = parser.parse_args(arguments)
    rows = truths()
    wanted = chosen.store if chosen.store is not None else chosen.fresh
    if wanted is None:
        sys.stdout.write("\n".join(lines_of_report(list(points_of(rows)))) + "\n")
        return 0
    rows = [row for row in rows if not wanted or row["model"] in wanted]
    if chosen.missing:
        rows = [row for row in rows if not (FOLDER / name_of(*combination(row))).exists()]
    with tempfile.TemporaryDirectory() as folder:
        into = FOLDER if chosen.store is not None else Path(folder)
        into.mkdir(parents=True, exist_ok=True)
        failed = trace(rows, chosen.python, into)
        sys.stdout.write("\n".join([*lines_of_report(list(points_of(rows, into))), *failed]) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
