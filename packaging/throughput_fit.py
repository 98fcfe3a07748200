"""The model of training times and its fit to the public figures in tests/data/throughput.

Seconds for one sample = maker · (network · 6 · multiply-adds / (share · peak) + bytes / (share · bandwidth))
+ layers · start / batch. A network's own effect is shrunk towards its kind, so it helps where the network is known and
harms little where it is not. There is no effect of a card: a card is its peak rates and its bandwidth. The loss is
Huber's on the logarithm of the time; repeated measurements of one card, network and precision share their weight.
``fit_throughput.py`` is the command on top.
"""

from __future__ import annotations

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
sys.path.insert(0, str(ROOT))

from gpuconfig_app.knowledge.catalogue import catalogue_gpu  # noqa: E402  # runs from the checkout

DATA = ROOT / "tests" / "data" / "throughput"
FLOATS = NDArray[np.float64]
Row = dict[str, Any]  # JSON

DEPTHWISE = ("EfficientNetB0", "EfficientNetB4", "EfficientNetV2-S at 300x300", "EfficientDet-D0")
TRANSFORMERS = ("BERT-Large pre-training seq 128", "BERT-Large pre-training seq 512")
# Two versions of one network share their effect and are left out together.
SAME_NETWORK = {"ResNet50 v1.5": "resnet50", TRANSFORMERS[1]: TRANSFORMERS[0]}

REFERENCE_PEAK = 6e13
_ASSUMED_BATCH = 64
_MOMENTUM_BYTES = 8 * 4
_NOISE, _HUBER = 0.12, 1.345

# Logarithms: what is expected before any figure was seen, and how sure that is.
GLOBALS = {
    "fp32": (0.0, 0.7),
    "matrix": (0.3, 0.7),
    "matrix-fall": (0.0, 0.3),
    "memory": (0.2, 0.5),
    "xla-float32": (-0.1, 0.3),
    "xla-mixed": (-0.2, 0.3),
    "amd": (0.4, 0.4),
    "depthwise-compute": (0.0, 0.7),
    "depthwise-memory": (0.0, 0.7),
    "transformer-compute": (0.0, 0.7),
    "transformer-memory": (0.0, 0.7),
    "layer-start": (math.log(3e-5), 1.0),
}
_NETWORK_SPREAD, _MIXED_SPREAD = 0.4, 0.2


@dataclass(frozen=True)
class Figures:
    """The records as columns; times are for one sample."""

    log_time: FLOATS
    compute_s: FLOATS
    memory_s: FLOATS
    peak: FLOATS
    layers_per_sample: FLOATS
    is_matrix: FLOATS
    is_mixed: FLOATS
    is_xla: FLOATS
    is_amd: FLOATS
    is_depthwise: FLOATS
    is_transformer: FLOATS
    network: NDArray[np.int64]
    chip: NDArray[np.str_]
    names: NDArray[np.str_]
    framework: NDArray[np.str_]
    is_odd: NDArray[np.bool_]

    def where(self, mask: NDArray[np.bool_]) -> Figures:
        """Give some of the records."""
        return Figures(**{name: column[mask] for name, column in vars(self).items()})


def read_networks() -> dict[str, Row]:
    """Give what was counted of each network of the public figures, by name."""
    counted = json.loads((DATA / "networks.json").read_text(encoding="utf-8"))["networks"]
    found = {row["name"]: row for row in counted if row["is_fused"]}
    for row in json.loads((DATA / "public.json").read_text(encoding="utf-8"))["estimated_networks"]:
        found[row["name"]] = row | {
            key: {"sample_bytes": row["sample_bytes"][short], "step_bytes": 12 * row["params"]}
            for key, short in (("float32", "float32"), ("mixed_bfloat16", "mixed"))
        }
    found["ResNet50 v1.5"] = found["resnet50"]
    return found


def read_cards() -> dict[str, Row]:
    """Give the cards by id, their rates from the catalogue where it has them."""
    cards = {}
    for row in json.loads((DATA / "public.json").read_text(encoding="utf-8"))["cards"]:
        known = catalogue_gpu(row["catalogue"]) if "catalogue" in row else None
        if known is not None:
            row |= {
                "vendor": known.vendor.value,
                "fp32_tflops": known.fp32_tflops,
                "tf32_tflops": known.tf32_tflops,
                "fp16_tflops": known.fp16_tflops if known.has_tensor_cores else None,
                "bandwidth_gbs": known.bandwidth_gbs,
            }
        cards[row["id"]] = row
    return cards


def read_records() -> list[Row]:
    """Give the public figures."""
    records: list[Row] = json.loads((DATA / "public.json").read_text(encoding="utf-8"))["records"]
    return records


def arithmetic(record: Row, card: Row) -> str:
    """Tell which arithmetic ran; a mixed policy without matrix units computes in float32 on 16-bit numbers."""
    if record["precision"] != "float32":
        return "fp16" if card.get("fp16_tflops") else "fp32"
    return "tf32" if card.get("tf32_tflops") and record.get("has_tf32", True) else "fp32"


def read_figures() -> Figures:
    """Turn the records into columns."""
    cards, networks, records = read_cards(), read_networks(), read_records()
    index = {name: number for number, name in enumerate(sorted({_network(record) for record in records}))}
    rows = defaultdict(list)
    plain = {(r.get("system"), r["network"]): r["samples_per_s"] for r in records if r["precision"] == "float32"}
    for record in records:
        card, network = cards[record["card"]], networks[record["network"]]
        kind, is_mixed = arithmetic(record, card), record["precision"] != "float32"
        batch = record["batch"] or _ASSUMED_BATCH
        counted = network["mixed_bfloat16" if is_mixed else "float32"]
        moved = counted["sample_bytes"] + (counted["step_bytes"] + _MOMENTUM_BYTES * network["params"]) / batch
        peak = card[f"{kind}_tflops"] * 1e12
        without = plain.get((record.get("system"), record["network"]), 0.0) if "system" in record else 0.0
        rows["log_time"].append(-math.log(record["samples_per_s"]))
        rows["compute_s"].append(6 * network["macs"] / peak)
        rows["memory_s"].append(moved / (card["bandwidth_gbs"] * 1e9))
        rows["peak"].append(peak)
        rows["layers_per_sample"].append(network["layer_count"] / batch)
        rows["is_matrix"].append(kind != "fp32")
        rows["is_mixed"].append(is_mixed)
        rows["is_xla"].append(record["is_xla"])
        rows["is_amd"].append(card["vendor"] == "amd")
        rows["is_depthwise"].append(record["network"] in DEPTHWISE)
        rows["is_transformer"].append(record["network"] in TRANSFORMERS)
        rows["network"].append(index[_network(record)])
        rows["chip"].append(card["chip"])
        rows["names"].append(record["network"])
        rows["framework"].append(record["framework"])
        rows["is_odd"].append(kind == "fp16" and record["samples_per_s"] < without)
    texts = ("chip", "names", "framework")
    numbers = {"network": np.int64, "is_odd": np.bool_}
    return Figures(**{
        name: np.array(column) if name in texts else np.array(column, dtype=numbers.get(name, np.float64))
        for name, column in rows.items()
    })  # fmt: skip


def _network(record: Row) -> str:
    name: str = record["network"]
    return SAME_NETWORK.get(name, name)


def network_names() -> list[str]:
    """Give the networks in the order of their effects."""
    return sorted({_network(record) for record in read_records()})


def predict(theta: FLOATS, data: Figures, count: int) -> FLOATS:
    """Give the logarithm of the seconds for one sample."""
    of = dict(zip(GLOBALS, theta, strict=False))
    own = theta[len(GLOBALS) + data.network]
    mixed = theta[len(GLOBALS) + count + data.network] * (data.is_mixed - 0.5)
    share = np.where(data.is_matrix, of["matrix"] + of["matrix-fall"] * np.log(data.peak / REFERENCE_PEAK), of["fp32"])
    compute = np.log(data.compute_s) + share + own + mixed
    compute += of["depthwise-compute"] * data.is_depthwise + of["transformer-compute"] * data.is_transformer
    memory = np.log(data.memory_s) + of["memory"]
    memory += np.where(data.is_mixed, of["xla-mixed"], of["xla-float32"]) * data.is_xla
    memory += of["depthwise-memory"] * data.is_depthwise + of["transformer-memory"] * data.is_transformer
    busy = np.logaddexp(compute, memory) + of["amd"] * data.is_amd
    seconds: FLOATS = np.logaddexp(busy, of["layer-start"] + np.log(data.layers_per_sample))
    return seconds


def weights(data: Figures) -> FLOATS:
    """Weigh n repetitions of one card, network, precision and XLA setting like √n figures."""
    cells = list(zip(data.chip, data.names, data.is_mixed, data.is_xla, strict=True))
    count = Counter(cells)
    return np.array([count[cell] ** -0.5 for cell in cells])


def fit(data: Figures, count: int) -> FLOATS:
    """Find the most likely parameters (Levenberg-Marquardt, iteratively reweighted)."""
    spread = np.array([pair[1] for pair in GLOBALS.values()] + [_NETWORK_SPREAD] * count + [_MIXED_SPREAD] * count)
    centre = np.array([pair[0] for pair in GLOBALS.values()] + [0.0] * (2 * count))
    theta, weight, damping = centre.copy(), weights(data), 1e-2

    def cost(at: FLOATS) -> float:
        error = np.abs(data.log_time - predict(at, data, count)) / _NOISE
        loss = np.where(error < _HUBER, error**2 / 2, _HUBER * (error - _HUBER / 2))
        return float((weight * loss).sum() + (((at - centre) / spread) ** 2).sum() / 2)

    before = cost(theta)
    for _ in range(60):
        base = predict(theta, data, count)
        error = data.log_time - base
        trust = weight * np.minimum(1, _HUBER / np.maximum(np.abs(error) / _NOISE, 1e-9)) / _NOISE**2
        slopes = _slopes(theta, base, data, count)
        curve = slopes.T @ (trust[:, None] * slopes) + np.diag(spread**-2)
        pull = slopes.T @ (trust * error) - (theta - centre) / spread**2
        for _ in range(12):
            step = np.linalg.solve(curve + damping * np.diag(np.diag(curve)), pull)
            after = cost(theta + step)
            if after <= before:
                break
            damping *= 4
        else:
            return theta
        theta, damping = theta + step, damping / 5
        if before - after < 1e-9 * before:
            return theta
        before = after
    return theta


def _slopes(theta: FLOATS, base: FLOATS, data: Figures, count: int) -> FLOATS:
    """Give how each prediction moves with each parameter; a network's effect moves its own records only."""

    def moved(places: slice) -> FLOATS:
        shifted = theta.copy()
        shifted[places] += 1e-6
        return (predict(shifted, data, count) - base) / 1e-6

    first = len(GLOBALS)
    common = [moved(slice(place, place + 1)) for place in range(first)]
    is_own = data.network[:, None] == np.arange(count)
    own = moved(slice(first, first + count))[:, None] * is_own
    return np.hstack([np.array(common).T, own, own * (data.is_mixed - 0.5)[:, None]])


def leave_out(data: Figures, groups: NDArray[Any]) -> FLOATS:
    """Predict each record from all records of other groups."""
    count, found = int(data.network.max()) + 1, np.empty(len(data.log_time))
    for group in np.unique(groups):
        held = groups == group
        theta = fit(data.where(~held), count)
        found[held] = predict(theta, data.where(held), count)
    return found
