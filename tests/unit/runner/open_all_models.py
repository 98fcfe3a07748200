"""Run by a Python with TensorFlow: opens and traces every model that is named, all in this one process.

    open_all_models.py PROBES FOLDER CASES OUT

CASES is a JSON file with {name: [model, batch, precision, [input shapes]]}; OUT gets {name: the probe's records}.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path

probes, folder, cases, out = map(Path, sys.argv[1:])
os.chdir(folder)
spec = importlib.util.spec_from_file_location("trace_step", probes / "trace_step.py")
trace_step = importlib.util.module_from_spec(spec)
spec.loader.exec_module(trace_step)


def records_of(model, batch, precision, shapes):
    records = out.with_name("records.jsonl")
    records.unlink(missing_ok=True)
    sys.argv = ["trace_step.py", "--out", str(records), "--model", model, "--path", str(folder), "--batch", str(batch)]
    sys.argv += ["--precision", precision] + [word for shape in shapes for word in ("--input-shape", shape)]
    path = list(sys.path)
    trace_step.main()
    sys.path[:] = path
    return [json.loads(line) for line in records.read_text().splitlines()]


asked = json.loads(cases.read_text())
out.write_text(json.dumps({name: records_of(*case) for name, case in asked.items()}))
