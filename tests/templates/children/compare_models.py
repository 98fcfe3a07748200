"""Tells whether networks of generated scripts are those that packaging/built_in_models.py builds.

``compare_models.py PACKAGING JOBS ANSWERS``: JOBS holds rows of (train.py, arguments of its build_model, name there).
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import SimpleNamespace


def layers_of(model):
    """Gives kind, shape and policy of every layer, nested models opened."""
    found = []
    for layer in model.layers:
        if hasattr(layer, "layers"):
            found += layers_of(layer)
        else:
            shape = str(getattr(layer, "output", None).shape)
            found.append([type(layer).__name__, shape, layer.dtype_policy.name, bool(layer.trainable)])
    return found


def main():
    """Compares one after the other."""
    packaging, jobs, answers = map(Path, sys.argv[1:])
    sys.path.insert(0, str(packaging))
    import built_in_models

    differences = {}
    for number, (script, arguments, name) in enumerate(json.loads(jobs.read_text())):
        spec = importlib.util.spec_from_file_location(f"train_{number}", script)
        module = importlib.util.module_from_spec(spec)
        sys.argv = [script]
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        given = [SimpleNamespace(**item) if isinstance(item, dict) else item for item in arguments]
        one, other = layers_of(module.build_model(*given)), layers_of(getattr(built_in_models, name)())
        differences[name] = (
            [] if one == other else [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]] or ["length"]
        )
    answers.write_text(json.dumps(differences))


if __name__ == "__main__":
    main()
