"""Write the layers of the measured networks anew: tests/data/memory/layers.jsonl, from which layer rules are judged.

``python packaging/list_truth_layers.py --python INTERPRETER [NAME]...`` starts one process of that interpreter (it
needs TensorFlow) for each measured network in float32 and, where it was measured in a mixed policy, in mixed_float16,
whose layers are those of mixed_bfloat16 too. Without names all of them; about ten minutes on one core.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "data" / "memory"
PROBE = ROOT / "resources" / "probes" / "trace_step.py"
LIMIT_S = 300.0
ABOUT_VERSIONS = ("record", "loss", "tensorflow", "keras")


def measured() -> list[tuple[str, str]]:
    """Give networks and policies of the truth set."""
    points = [json.loads(line) for line in (FOLDER / "truth.jsonl").read_text().splitlines()]
    return sorted({(one["model"], one["precision"].replace("mixed_bfloat16", "mixed_float16")) for one in points})


def layers_of(python: str, model: str, precision: str) -> dict[str, Any]:  # Any: a line of JSON
    """Run the probe and give its record."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "layers.jsonl"
        words = [python, str(PROBE), "--out", str(out), "--model", f"{FOLDER / 'architectures.py'}:{model}"]
        words += ["--batch", "1", "--precision", precision, "--layers-only"]
        subprocess.run(words, check=True, timeout=LIMIT_S, capture_output=True)
        records = [json.loads(line) for line in out.read_text(encoding="ascii").splitlines()]
    (found,) = [record for record in records if record["record"] == "layers"]
    return {key: value for key, value in found.items() if key not in ABOUT_VERSIONS}


def main() -> int:
    """List what was asked for, keep the rest of the file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--python", required=True, help="interpreter with TensorFlow")
    parser.add_argument("names", nargs="*", help="networks; without any all of them")
    arguments = parser.parse_args()
    place = FOLDER / "layers.jsonl"
    rows = [json.loads(line) for line in place.read_text().splitlines()] if place.is_file() else []
    tables = {(row["model"], row["precision"]): row for row in rows}
    for model, precision in measured():
        if not arguments.names or model in arguments.names:
            tables[model, precision] = {
                "model": model, "precision": precision, **layers_of(arguments.python, model, precision),
            }  # fmt: skip
            print(model, precision, flush=True)
    lines = [json.dumps(tables[key], separators=(",", ":")) for key in sorted(tables)]
    place.write_text("".join(line + "\n" for line in lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
