"""Traces the training steps of the networks that templates write; a maintainer's tool.

    make_step_memory.py trace FOLDER [--python PYTHON] [--only TEXT] [--probe FILE]

Each case is one process of the memory probe, writes one file of graphs to FOLDER, and is left out when its file is
there, so a stopped run goes on. ``packaging/step_memory_table.py`` turns the folder into the table that ships.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROBE = ROOT / "resources" / "probes" / "trace_step.py"
APPLICATIONS = ("resnet50", "mobilenet_v2", "efficientnet_v2_b0", "mobilenet_v3_large", "convnext_tiny", "densenet121")
PRECISIONS = ("float32", "mixed_float16", "mixed_bfloat16")
OTHER_OPTIMIZERS = ("adamw", "momentum", "sgd", "rmsprop")
USUAL_SIDE = 224
OTHER_SIDES = (128, 384)
TIME_LIMIT_S = 1200.0

# Two traces tell every batch, as long as the graphs are alike: TensorFlow joins constants that happen to be equal, so
# batches are taken that no layer has as a size.
BATCHES, TABLE_BATCHES, SMALL_BATCH = (11, 37), (11, 509), 2


@dataclass(frozen=True)
class Case:
    """One process of the probe.

    Attributes:
        model: Function in ``built_in_models``.
        batches: The step is traced with each.
    """

    model: str
    precision: str
    optimizer: str
    batches: tuple[int, ...]

    @property
    def name(self) -> str:
        """Name of its file."""
        return f"{self.model}-{self.precision}-{self.optimizer}"


def all_cases() -> Iterator[Case]:
    """Give every case, the most wanted first.

    With other optimizers than Adam one small batch is enough: they differ in what the update needs, which does not grow
    with the batch, and in bfloat16 it is what it is in float32; at another picture size one large batch, for only the
    part that grows with the batch is another.
    """
    for model, precision in product(own_networks(), PRECISIONS):
        yield Case(model, precision, "adam", TABLE_BATCHES if model.startswith("mlp") else BATCHES)
    for model, precision in product(APPLICATIONS, PRECISIONS):
        yield Case(f"{model}_{USUAL_SIDE}", precision, "adam", BATCHES)
    for model, precision in product(APPLICATIONS, PRECISIONS):
        yield Case(f"{model}_{USUAL_SIDE}_head", precision, "adam", BATCHES)
    for model, precision, side in product(APPLICATIONS, PRECISIONS[:2], OTHER_SIDES):
        yield Case(f"{model}_{side}", precision, "adam", BATCHES[1:])
    for model, optimizer, precision in product(APPLICATIONS, OTHER_OPTIMIZERS, PRECISIONS[:2]):
        yield Case(f"{model}_{USUAL_SIDE}", precision, optimizer, (SMALL_BATCH,))


def own_networks() -> Iterator[str]:
    """Give networks of free shape that the rules for them are fitted to and judged on."""
    for width, blocks, side in (
        (32, 3, 224), (16, 2, 64), (64, 4, 128), (32, 5, 180), (16, 3, 32), (64, 1, 96), (8, 6, 320), (96, 3, 96),
    ):  # fmt: skip
        yield f"small_cnn_w{width}_b{blocks}_{side}"
    for features, layers, units in (
        (20, 2, 128), (100, 1, 64), (300, 3, 512), (1000, 2, 2048), (40, 12, 256), (10, 4, 4096), (20, 1, 8192),
    ):  # fmt: skip
        yield f"mlp_f{features}_l{layers}_u{units}"


def trace(case: Case, folder: Path, python: str, probe: Path) -> str:
    """Run the probe for a case and tell how it went; a failed case leaves no file."""
    target, unfinished = folder / f"{case.name}.jsonl", folder / f"{case.name}.part"
    unfinished.unlink(missing_ok=True)
    command = [python, str(probe), "--out", str(unfinished), "--path", str(ROOT / "packaging")]
    command += ["--model", f"built_in_models:{case.model}", "--precision", case.precision]
    command += ["--optimizer", case.optimizer, *(part for batch in case.batches for part in ("--batch", str(batch)))]
    begin = time.monotonic()
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{case.name}: took longer than {TIME_LIMIT_S:.0f} s"
    if done.returncode != 0:
        words = unfinished.read_text(encoding="utf-8")[-300:] if unfinished.exists() else done.stderr[-300:]
        return f"{case.name}: {words}"
    unfinished.replace(target)
    return f"{case.name}: {time.monotonic() - begin:.0f} s"


def main() -> int:
    """Trace what is missing; the exit code is 1 when something failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("trace",))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default=str(ROOT / ".venv-tensorflow" / "bin" / "python"))
    parser.add_argument("--only", default="", help="only cases whose name holds this")
    parser.add_argument("--probe", type=Path, default=PROBE)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    has_failed = False
    for case in all_cases():
        if arguments.only not in case.name or (arguments.folder / f"{case.name}.jsonl").exists():
            continue
        if (arguments.folder / f"{case.name}.part").exists() and not arguments.only:
            continue  # another run is at it
        told = trace(case, arguments.folder, arguments.python, arguments.probe)
        has_failed = has_failed or not told.endswith(" s") or "took longer" in told
        sys.stdout.write(told + "\n")
        sys.stdout.flush()
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
