from __future__ import annotations

import ast
import json
import os
import subprocess
from pathlib import Path

import pytest

from gpuconfig_app.core.step_graph import StepGraph, VariableRole, parse_step_graph
from gpuconfig_app.planner.liveness import StepTraces, peak_bytes, step_peak
from gpuconfig_app.resources import resource_path

PROBE = resource_path("probes", "trace_step.py")

NETS = """
import keras
from keras import layers


def picture():
    inputs = keras.Input((16, 16, 3))
    features = layers.Conv2D(8, 3, padding="same", use_bias=False)(inputs)
    features = layers.BatchNormalization()(features)
    features = layers.Dropout(0.2)(layers.Activation("relu")(features))
    features = layers.GlobalAveragePooling2D()(features)
    return keras.Model(inputs, layers.Dense(4, dtype="float32")(features))


def own_loss():
    inputs = keras.Input((6,))
    model = keras.Model(inputs, layers.Dense(3)(layers.Dense(8, activation="gelu")(inputs)))
    model.compile(optimizer="sgd", loss="mse")
    return model


def words():
    inputs = keras.Input((12,), dtype="int32")
    features = layers.LSTM(8)(layers.Embedding(50, 8)(inputs))
    return keras.Model(inputs, layers.Dense(2, dtype="float32")(features))


def open_shape():
    inputs = keras.Input((None, 3))
    return keras.Model(inputs, layers.Dense(2)(inputs))


def raises():
    raise ValueError("the data folder is missing")
"""


def trace(python: Path, folder: Path, name: str, *words: str) -> list[dict[str, object]]:
    (folder / "nets.py").write_text(NETS, encoding="utf-8")
    out = folder / "out.jsonl"
    out.unlink(missing_ok=True)
    command = [python, PROBE, "--out", out, "--model", f"nets:{name}", "--path", folder, *words]
    environment = {**os.environ, "PYTHONPATH": ""}
    subprocess.run([str(word) for word in command], capture_output=True, timeout=240, check=False, env=environment)
    return [json.loads(line) for line in out.read_text(encoding="ascii").splitlines()]


def graphs(records: list[dict[str, object]]) -> list[StepGraph]:
    assert records[-1]["record"] == "done", records
    return [parse_step_graph(json.dumps(record)) for record in records if record["record"] == "graph"]


def test_old_pythons_can_read_it() -> None:
    tree = ast.parse(PROBE.read_text(encoding="utf-8"), feature_version=(3, 7))

    assert not any(isinstance(node, ast.NamedExpr) for node in ast.walk(tree))


def test_a_small_net_is_traced(tensorflow_python: Path, tmp_path: Path) -> None:
    found = graphs(
        trace(tensorflow_python, tmp_path, "picture", "--batch", "4", "--batch", "16", "--gpu-layout", "8.6")
    )
    assert [(graph.batch, graph.layout) for graph in found] == [(4, ""), (4, "8.6"), (16, ""), (16, "8.6")]
    small, _, large, laid_out = found
    assert small.is_optimized
    assert small.open_sizes == 0
    assert small.loss == "sparse_categorical_crossentropy"
    sizes = dict.fromkeys(VariableRole, 0)
    for variable in small.variables:
        sizes[variable.role] += variable.size_bytes
    assert sizes[VariableRole.TRAINABLE] == 4 * (3 * 3 * 3 * 8 + 8 + 8 + 8 * 4 + 4)
    assert sizes[VariableRole.SLOT] == 2 * sizes[VariableRole.TRAINABLE]
    kinds = {operation.kind for operation in large.operations}
    assert {"Conv2D", "Conv2DBackpropFilter", "AssignSubVariableOp"} <= kinds

    traces = StepTraces([small, large])
    middle = traces.at(8)
    assert middle is not None
    assert peak_bytes(small) < peak_bytes(middle) < peak_bytes(large) <= peak_bytes(laid_out)
    assert step_peak(large, laid_out).high_bytes > peak_bytes(laid_out)


def test_half_precision_and_a_loss_of_its_own(tensorflow_python: Path, tmp_path: Path) -> None:
    (found,) = graphs(
        trace(
            tensorflow_python, tmp_path, "own_loss", "--batch", "8", "--precision", "mixed_float16",
            "--optimizer", "momentum",
        )
    )  # fmt: skip

    assert found.loss == "own"
    assert found.data_bytes == (8 * 6 * 4, 8 * 3 * 4)
    slots = [variable.size_bytes for variable in found.variables if variable.role is VariableRole.SLOT]
    assert sum(slots) == 4 * (6 * 8 + 8 + 8 * 3 + 3)
    assert {"Switch", "Merge"} <= {operation.kind for operation in found.operations}, "loss scaling"
    assert step_peak(found).parts.weights_bytes > 0


@pytest.mark.parametrize(("words", "kind"), [((), "CudnnRNNV3"), (("--no-cudnn",), "LoopCond")])
def test_recurrent_layers(tensorflow_python: Path, tmp_path: Path, words: tuple[str, ...], kind: str) -> None:
    (found,) = graphs(trace(tensorflow_python, tmp_path, "words", "--batch", "4", *words))

    assert kind in {operation.kind for operation in found.operations}
    peak = step_peak(found)
    assert peak.high_bytes > 1.4 * peak.peak_bytes


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("open_shape", "open-shape", "(batch, ?, 3)"),
        ("raises", "function-fails", "the data folder is missing"),
    ],
)
def test_trouble_is_told(tensorflow_python: Path, tmp_path: Path, name: str, kind: str, words: str) -> None:
    record = trace(tensorflow_python, tmp_path, name, "--batch", "4")[-1]

    assert record["record"] == "error"
    assert record["kind"] == kind
    assert words in f"{record.get('value')} {record.get('detail')}"
