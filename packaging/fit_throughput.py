"""Fit the model of training times to public figures, say how good it is, and write resources/knowledge/throughput.toml.

``.venv/bin/python packaging/fit_throughput.py`` prints what leaving out each card, and each network, gives, and writes
the table; ``--into FOLDER`` writes elsewhere. The model stands in throughput_fit.py; what the networks move is counted
by count_traffic.py.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

import throughput_fit as model  # noqa: E402  # a neighbour, however this file is started

# A plan says "eight times in ten". The band of a card that was left out is made for nine: most figures are of Turing
# cards, which foretell each other well, and a family that nobody measured is off by more. Cards are counted alike.
COVERED, COVERED_OF_NETWORKS = 0.9, 0.8
# Two times are in an order from here on.
NOTABLE = math.log(1.1)
CHECKED_ON = "2026-11-30"

OFFERED = {
    "ConvNeXtTiny": "convnext_tiny",
    "DenseNet121": "densenet121",
    "EfficientNetV2B0": "efficientnet_v2_b0",
    "MobileNetV2": "mobilenet_v2",
    "MobileNetV3Large": "mobilenet_v3_large",
    "ResNet50": "resnet50",
    "small_cnn": "small_cnn",
    "mlp": "mlp",
}


@dataclass(frozen=True)
class Quality:
    """How good predictions are.

    Attributes:
        median: Absolute relative error of the time.
        covered: Part of the figures inside the band, and the mean of that part by card.
        width: High end of the band over its low end.
        order: Part of the pairs of records in the right order, and how many pairs.
        order_of_cells: The same with one median for each card, network, precision and setting.
    """

    median: float
    p80: float
    balanced: float
    covered: float
    covered_by_card: float
    width: float
    order: tuple[float, int]
    order_of_cells: tuple[float, int]

    def __str__(self) -> str:
        return (
            f"median {self.median:.1%}, 80th percentile {self.p80:.1%}, mean of the medians by card "
            f"{self.balanced:.1%}; band holds {self.covered:.1%} "
            f"(mean by card {self.covered_by_card:.1%}), wide x{self.width:.2f}; order right in "
            f"{self.order[0]:.1%} of {self.order[1]} pairs of records, {self.order_of_cells[0]:.1%} of "
            f"{self.order_of_cells[1]} pairs of cards"
        )


def half_width(data: model.Figures, predicted: model.FLOATS, groups: NDArray[Any], wanted: float = COVERED) -> float:
    """Give the half width of the band (logarithm) that holds the wanted part, each group counted alike."""
    error = np.abs(data.log_time - predicted)
    count = Counter(groups.tolist())
    weight = np.array([1 / count[group] for group in groups.tolist()])
    order = np.argsort(error)
    reached = np.cumsum(weight[order]) / weight.sum()
    return float(error[order][np.searchsorted(reached, wanted)])


def judge(data: model.Figures, predicted: model.FLOATS) -> Quality:
    """Judge predictions made without the card; the band for a card comes from the errors on the other cards."""
    error = data.log_time - predicted
    size, covered, widths = np.abs(np.expm1(-error)), np.zeros(len(error), bool), []
    for chip in np.unique(data.chip):
        own = data.chip == chip
        half = half_width(data.where(~own), predicted[~own], data.chip[~own])
        covered[own] = np.abs(error[own]) <= half
        widths.append(math.exp(2 * half))
    return Quality(
        median=float(np.median(size)),
        p80=float(np.quantile(size, 0.8)),
        balanced=float(np.mean([np.median(size[data.chip == chip]) for chip in np.unique(data.chip)])),
        covered=float(covered.mean()),
        covered_by_card=float(np.mean([covered[data.chip == chip].mean() for chip in np.unique(data.chip)])),
        width=max(widths),
        order=order_of_records(data, predicted),
        order_of_cells=order_of_cells(data, predicted),
    )


def _jobs(data: model.Figures) -> dict[tuple[Any, ...], list[int]]:
    jobs = defaultdict(list)
    for place in range(len(data.log_time)):
        setting = (data.names[place], data.is_mixed[place], data.is_xla[place], data.framework[place])
        jobs[setting].append(place)
    return jobs


def order_of_records(data: model.Figures, predicted: model.FLOATS) -> tuple[float, int]:
    """Give the part of the pairs of records of two kinds of card, same job, that come in the right order."""
    right = total = 0
    for places in _jobs(data).values():
        for one, other in itertools.combinations(places, 2):
            apart = data.log_time[one] - data.log_time[other]
            if data.chip[one] != data.chip[other] and abs(apart) > NOTABLE:
                total += 1
                right += apart * (predicted[one] - predicted[other]) > 0
    return right / total, total


def order_of_cells(data: model.Figures, predicted: model.FLOATS) -> tuple[float, int]:
    """Give the same with the median of each card's records of a job."""
    right = total = 0
    for places in _jobs(data).values():
        cells = {chip: [place for place in places if data.chip[place] == chip] for chip in data.chip[places]}
        for one, other in itertools.combinations(cells.values(), 2):
            apart = np.median(data.log_time[one]) - np.median(data.log_time[other])
            if abs(apart) > NOTABLE:
                total += 1
                right += int(apart * (np.median(predicted[one]) - np.median(predicted[other])) > 0)
    return right / total, total


def print_groups(data: model.Figures, predicted: model.FLOATS, groups: NDArray[Any]) -> None:
    """Print the errors by group: how many, median, and how much slower it was than predicted."""
    error = data.log_time - predicted
    for group in np.unique(groups):
        own = groups == group
        size = np.median(np.abs(np.expm1(-error[own])))
        print(f"    {group!s:34} {own.sum():4}  median {size:6.1%}  slower by {np.expm1(np.median(error[own])):+6.1%}")


def report(data: model.Figures) -> tuple[model.FLOATS, float, float]:
    """Fit, leave out, print; gives the parameters and the half widths for known and for new networks."""
    count = int(data.network.max()) + 1
    theta = model.fit(data, count)
    print(f"{len(data.log_time)} figures, {len(np.unique(data.chip))} kinds of card, {count} networks")
    print("in sample:       ", judge(data, model.predict(theta, data, count)))
    by_card = model.leave_out(data, data.chip)
    print("card left out:   ", judge(data, by_card))
    print_groups(data, by_card, data.chip)
    print_groups(data, by_card, np.where(data.is_mixed, "mixed precision", "float32"))
    print_groups(data, by_card, np.where(data.is_xla, "with XLA", "without XLA"))
    kept = ~data.is_odd
    print(f"the same without {data.is_odd.sum()} figures that are slower in mixed precision than the same system is in")
    print("float32 on matrix units:", judge(data.where(kept), by_card[kept]))
    nvidia = data.is_amd == 0
    print("NVIDIA only:     ", judge(data.where(nvidia), by_card[nvidia]))
    by_network = model.leave_out(data, data.network)
    print("network left out:", judge(data, by_network))
    print_groups(data, by_network, data.names)
    known = half_width(data, by_card, data.chip)
    new = math.hypot(known, half_width(data, by_network, data.network, COVERED_OF_NETWORKS))
    print(
        f"band: x{math.exp(-known):.2f} to x{math.exp(known):.2f}, "
        f"new network x{math.exp(-new):.2f} to x{math.exp(new):.2f}"
    )
    return theta, known, new


def table_text(theta: model.FLOATS, known: float, new: float) -> str:
    """Write the table."""
    names = model.network_names()
    of = dict(zip(model.GLOBALS, theta, strict=False))
    own, mixed = (theta[start : start + len(names)] for start in (len(model.GLOBALS), len(model.GLOBALS) + len(names)))
    rows = [_HEADER]
    shares = (("fp32", "fp32", 0.0), ("tf32", "matrix", of["matrix-fall"]), ("fp16", "matrix", of["matrix-fall"]))
    for name, key, fall in shares:
        rows.append(_row("arithmetic", {"id": name, "share": math.exp(-of[key]), "fall": fall}))
    rows.append(_row("maker", {"id": "amd", "factor": math.exp(of["amd"])}))
    rows.append(_row("maker", {"id": "nvidia", "factor": 1.0}))
    for name in ("convolution", "depthwise", "transformer"):
        parts = {part: math.exp(of.get(f"{name}-{part}", 0.0)) for part in ("compute", "memory")}
        rows.append(_row("kind", {"id": name} | parts))
    for name, effect, tilt in zip(names, own, mixed, strict=True):
        halves = {"float32": math.exp(effect - tilt / 2), "mixed": math.exp(effect + tilt / 2)}
        rows.append(_row("network", {"id": name} | halves))
    fused = {short: _fused_share(key) for key, short in (("float32", "float32"), ("mixed_bfloat16", "mixed"))}
    numbers = {
        "fused-float32": (fused["float32"], _FUSED.format("ResNet-50 in float32,")),
        "fused-mixed": (fused["mixed"], _FUSED.format("ResNet-50 in mixed precision,")),
        "keras-3-band": (_KERAS_BAND, "Added to either band: nobody published how fast Keras 3 trains without XLA."),
        "optimizer-bytes": (_OPTIMIZER_BYTES, "Bytes that Adam of Keras 3 reads and writes for each trained weight."),
        "graph-layer-s": (_GRAPH_LAYER_S, _GRAPH),
        "kernel-layer-s": (0.03, "Estimated, not measured: trying kernels for a layer in the first step on a card."),
        "kernel-start-s": (4.0, "Estimated, not measured: loading CUDA's libraries and making a context."),
        "ptx-compile-s": (
            300.0,
            "Estimated, not measured: the driver compiles TensorFlow's kernels at the first start.",
        ),
        "xla-layer-s": (0.15, "Estimated, not measured: XLA compiles the operations of a layer for a card."),
        "layer-start-s": (math.exp(of["layer-start"]), "Time a layer adds to a step, whatever the batch."),
        "memory-share": (math.exp(-of["memory"]), "Part of the bandwidth that a training reaches."),
        "known-network-band": (math.exp(known), _KNOWN),
        "new-network-band": (math.exp(new), "The same for a network that no public figure speaks of."),
        "reference-peak": (model.REFERENCE_PEAK, "Operations per second at which the shares of matrix units hold."),
        "xla-float32": (math.exp(of["xla-float32"]), "What XLA leaves of the traffic in float32."),
        "xla-mixed": (math.exp(of["xla-mixed"]), "What XLA leaves of the traffic in mixed precision."),
    }
    rows += [
        _row("number", {"id": key, "value": value, "meaning": text}) for key, (value, text) in sorted(numbers.items())
    ]
    return "\n".join(rows + [_traffic(row) for row in _counted() if row["name"] in OFFERED])


def _counted() -> list[model.Row]:
    found = json.loads((model.DATA / "networks.json").read_text(encoding="utf-8"))["networks"]
    return sorted((row for row in found if not row["is_fused"]), key=lambda row: OFFERED[row["name"]])


def _fused_share(policy: str) -> float:
    found = json.loads((model.DATA / "networks.json").read_text(encoding="utf-8"))["networks"]
    bytes_of = {row["is_fused"]: row[policy]["sample_bytes"] for row in found if row["name"].lower() == "resnet50"}
    return float(bytes_of[True] / bytes_of[False])


def _traffic(row: model.Row) -> str:
    values = {"id": OFFERED[row["name"]]} | {key: row[key] for key in ("params", "output_elements")}
    for key, short in (("float32", "float32"), ("mixed_bfloat16", "mixed")):
        for suffix in ("", "_frozen"):
            if key + suffix in row:
                values |= {
                    f"{short}{suffix}_{part}": row[key + suffix][part] for part in ("sample_bytes", "step_bytes")
                }
    return _row("traffic", values, _COUNTED)


def _row(kind: str, values: model.Row, source: str | None = None) -> str:
    lines = [f"[[{kind}]]"]
    for key, value in values.items():
        text = (
            json.dumps(value) if isinstance(value, str) else f"{value:.4g}" if isinstance(value, float) else str(value)
        )
        lines.append(f"{key} = {text}")
    return "\n".join([*lines, f"source = {source or _FITTED}", f'checked_on = "{CHECKED_ON}"', ""])


_KNOWN = (
    "Factor to both sides that holds nine public figures in ten when their card was left out, cards counted alike; "
    "eight in ten are promised."
)
# Counted from update_step in keras/src/optimizers/adam.py: 30 numbers of 4 bytes are read or written for each weight.
_OPTIMIZER_BYTES = 120.0
# A judgement, not a fit: no public figure of a GPU tells how near the counted traffic of Keras 3 comes to the truth.
_KERAS_BAND = 1.35
_GRAPH_LAYER_S = 0.06
_GRAPH = (
    "Building the graph of a layer, Keras 3.15.1, CPU: 0.05 measured (EfficientNetB0), 0.4 on an overloaded machine."
)
_FUSED = (
    "What is left of the traffic when XLA joins the operations that Keras 3 leaves apart: {} counted fused / as built."
)
_FITTED = (
    '[{ title = "GPUConfig: fitted by packaging/fit_throughput.py to tests/data/throughput/public.json" }, '
    '{ title = "lambdal/lambda-tensorflow-benchmark, logs", '
    'address = "https://github.com/lambdal/lambda-tensorflow-benchmark" }, '
    '{ title = "NVIDIA/DeepLearningExamples, tables of training performance", '
    'address = "https://github.com/NVIDIA/DeepLearningExamples" }]'
)
_COUNTED = '{ title = "GPUConfig: counted by packaging/count_traffic.py, TensorFlow 2.21.0, Keras 3.15.1, graph mode" }'
_HEADER = """\
# How long trainings take: fitted to public figures by packaging/fit_throughput.py, which writes this file: don't edit.
#
# Seconds for one sample = maker · (network · kind · operations / (share · (reference / peak)^fall · peak)
# + kind · bytes / (memory share · bandwidth)) + layers · start / batch.
# [[traffic]]: bytes that the operations of one training step read and write, for each sample and for each step.
schema = 1
"""


def main(arguments: list[str]) -> int:
    """Fit, report, write; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT / "resources" / "knowledge", help="folder to write to")
    wanted = parser.parse_args(arguments)
    theta, known, new = report(model.read_figures())
    (wanted.into / "throughput.toml").write_text(table_text(theta, known, new), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
