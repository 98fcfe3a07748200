"""Measure the truth set of memory predictions anew: real training steps of the networks in tests/data/memory.

``python packaging/measure_truth.py --python INTERPRETER`` starts processes of that interpreter (it needs TensorFlow,
nothing else) for a few points each, one after the other, and writes tests/data/memory/truth.jsonl after each. Points
that are in the file already are kept; ``--anew`` measures everything. A process that fails or takes too long costs the
point it was at; the next one goes on behind it. About 45 minutes on one core.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "data" / "memory"
PROBE = ROOT / "resources" / "probes" / "measure_model.py"
LIMIT_S = 900.0
PER_PROCESS = 4
# A point that two runs of the same step don't agree on, or that leaves tensors behind, is no truth.
HIGHEST_SPREAD = 0.01

# A batch at which weights and slots decide, and one at which what is kept for the backward pass does.
BATCHES = {
    "bert_base": (2, 12),
    "bert_small": (4, 32),
    "cbam_net": (16, 64),
    "conv1d_series": (16, 128),
    "conv3d_video": (2, 16),
    "conv_autoencoder": (16, 96),
    "convnext_own": (8, 48),
    "convnext_tiny": (4, 16),
    "dense_blocks": (8, 48),
    "densenet121": (4, 12),
    "efficientnet_b0": (4, 16),
    "efficientnet_v2_b0": (4, 16),
    "frozen_mobilenet_v2": (16, 32),
    "frozen_resnet50": (8, 16),
    "gpt_grouped": (8, 48),
    "gpt_small": (4, 24),
    "gru_series": (16, 64),
    "inception_small": (32, 128),
    "inception_v3": (4, 12),
    "lstm_text": (16, 64),
    "mlp_deep": (256, 8192),
    "mlp_mixer": (16, 64),
    "mlp_regression": (256, 16384),
    "mlp_tabular": (256, 16384),
    "mlp_wide": (64, 2048),
    "mobilenet_v2": (8, 24),
    "mobilenet_v3_large": (8, 24),
    "multi_task": (16, 128),
    "nasnet_mobile": (4, 8),
    "recommender": (256, 16384),
    "resnet20": (32, 256),
    "resnet50": (4, 12),
    "resnet50_v2": (4, 12),
    "separable_net": (16, 48),
    "siamese": (8, 32),
    "small_cnn": (32, 128),
    "squeeze_excite_net": (8, 32),
    "strided_cnn": (8, 32),
    "super_resolution": (4, 16),
    "temporal_convolution": (16, 96),
    "text_encoder": (16, 128),
    "unet_transpose": (2, 8),
    "unet_upsampling": (4, 16),
    "vgg16": (2, 8),
    "vgg_dense_top": (4, 16),
    "vit_class_token": (16, 64),
    "vit_small": (8, 48),
    "wide_and_deep": (128, 8192),
    "xception": (4, 8),
}
# Thousands of operations: seconds to trace, minutes to run in half precision without a GPU.
LARGE = frozenset({
    "bert_base", "convnext_tiny", "densenet121", "efficientnet_b0", "efficientnet_v2_b0", "inception_v3",
    "mobilenet_v2", "mobilenet_v3_large", "nasnet_mobile", "resnet50", "resnet50_v2", "vgg16", "xception",
    "frozen_resnet50", "frozen_mobilenet_v2",
})  # fmt: skip
# The processor has no kernel in half precision for one of their layers.
NO_HALF = frozenset({"conv3d_video"})
OPTIMIZERS = ("adamw", "sgd", "momentum", "rmsprop", "adam")


@dataclass(frozen=True)
class Architectures:
    """What ``architectures.py`` says about its networks, read without importing it.

    Attributes:
        families: Family by name of the network.
        held_out: Networks that nobody tunes on.
        cudnn: Networks that a GPU runs with kernels of cuDNN.
    """

    families: dict[str, str]
    held_out: frozenset[str]
    cudnn: frozenset[str]


class Point(NamedTuple):
    """One measured point; sorted as in the file."""

    model: str
    precision: str
    optimizer: str
    batch: int


def read_architectures(file: Path = FOLDER / "architectures.py") -> Architectures:
    """Read the tables of ``architectures.py``."""
    found = {}
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value.args[0] if isinstance(node.value, ast.Call) else node.value
            found[node.targets[0].id] = ast.literal_eval(value)
    return Architectures(found["FAMILY"], frozenset(found["HELD_OUT"]), frozenset(found["CUDNN"]))


def points() -> Iterator[Point]:
    """All that is measured: small networks first, as they come and in half precision, and last what takes long."""
    small = [model for model in BATCHES if model not in LARGE]
    for model in small:
        yield Point(model, "float32", "adam", BATCHES[model][1])
        yield Point(model, "float32", "adam", BATCHES[model][0])
    for number, model in enumerate(small):
        precision = "float32" if number % 2 else "mixed_bfloat16"
        if model not in NO_HALF:
            yield Point(model, "mixed_float16", OPTIMIZERS[number % 5], BATCHES[model][0])
        yield Point(model, precision, OPTIMIZERS[(2 * number + 1) % 5], BATCHES[model][1] // 2)
    for model in sorted(LARGE):
        yield Point(model, "float32", "adam", BATCHES[model][0])
        yield Point(model, "float32", "adam", BATCHES[model][1])
    for number, model in enumerate(sorted(LARGE)):
        yield Point(model, "mixed_float16", OPTIMIZERS[number % 5], max(2, BATCHES[model][1] // 4))
        yield Point(model, "float32", OPTIMIZERS[(2 * number + 1) % 5], BATCHES[model][1] // 2)
    for number, model in enumerate(small):
        if model not in NO_HALF:
            yield Point(model, "mixed_float16", OPTIMIZERS[number % 5], BATCHES[model][1])


def measure(wanted: list[Point], python: str, folder: Path) -> list[dict[str, object]]:
    """Measure points in one process; gives their rows.

    Where the process ends early, the point it was at gets a row with ``error`` and the rest is missing.
    """
    out = folder / "points.jsonl"
    out.unlink(missing_ok=True)
    words = [python, PROBE, "--path", FOLDER, "--out", out, *(_case(point) for point in wanted)]
    try:
        done = subprocess.run(
            [str(word) for word in words], capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
        failure = f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    except subprocess.TimeoutExpired:
        failure = f"took longer than {LIMIT_S:.0f} s"
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    lost = wanted[len(lines) : len(lines) + 1]
    return [json.loads(line) for line in lines] + [{**point._asdict(), "error": failure} for point in lost]


def _case(point: Point) -> str:
    """A point as the probe takes it; one of each network is measured in the order of a CPU too."""
    small, large = BATCHES[point.model]
    is_first = point[1:] == ("float32", "adam", small if point.model in LARGE else large)
    words = (f"architectures:{point.model}", point.precision, point.optimizer, str(point.batch))
    return ",".join((*words, "plain") if is_first else words)


def usable(row: dict[str, object]) -> bool:
    """Whether a row is a truth: measured, repeatable, and nothing left behind."""
    if "error" in row:
        return False
    left, peak = row["left_bytes"], row["step_peak_bytes"]
    is_settled = isinstance(left, int) and isinstance(peak, int) and abs(left) <= HIGHEST_SPREAD * peak
    return is_settled and isinstance(row["spread"], float) and row["spread"] <= HIGHEST_SPREAD


def place(row: dict[str, object]) -> Point:
    """The point that a row was measured at."""
    return Point(str(row["model"]), str(row["precision"]), str(row["optimizer"]), int(str(row["batch"])))


def write(rows: dict[Point, dict[str, object]], into: Path) -> None:
    """Write the points in their order; the file is whole at every moment."""
    text = "".join(json.dumps(rows[key], sort_keys=True) + "\n" for key in sorted(rows))
    draft = into.with_name(into.name + ".part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(into)


def main(arguments: list[str]) -> int:
    """Measure and write; gives 1 when something failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="interpreter that has TensorFlow")
    parser.add_argument("--into", type=Path, default=FOLDER / "truth.jsonl", help="file to write")
    parser.add_argument("--anew", action="store_true", help="measure points again that are in the file")
    parser.add_argument("--only", action="append", default=[], metavar="NETWORK", help="measure these networks only")
    wanted = parser.parse_args(arguments)
    known = read_architectures()
    rows: dict[Point, dict[str, object]] = {}
    if wanted.into.exists() and not wanted.anew:
        rows = {place(row): row for row in map(json.loads, wanted.into.read_text(encoding="utf-8").splitlines())}
    failed = 0
    with TemporaryDirectory(prefix="gpuconfig-truth-") as scratch:
        todo = [point for point in points() if point not in rows and (not wanted.only or point.model in wanted.only)]
        while todo:
            started = time.monotonic()
            measured = measure(todo[:PER_PROCESS], wanted.python, Path(scratch))
            todo = todo[len(measured) :]
            for row in measured:
                if not usable(row):
                    failed += 1
                    print(f"not usable: {json.dumps(row, sort_keys=True)}", flush=True)
                    continue
                name = str(row["model"])
                row["family"], row["is_held_out"] = known.families[name], name in known.held_out
                row["is_cudnn"], row["measured_on"] = name in known.cudnn, datetime.now(UTC).date().isoformat()
                rows[place(row)] = row
            write(rows, wanted.into)
            print(f"{len(rows):4} points, {len(todo)} to go, {time.monotonic() - started:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
