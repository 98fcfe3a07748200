"""Layers of real models, written down by real TensorFlow, and what becomes of a step that can't be traced."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gpuconfig_app.core.layer_table import LayerTable, read_layer_table
from gpuconfig_app.core.model_memory import ModelMemory, PeakSource
from gpuconfig_app.core.step_graph import read_step_graph
from gpuconfig_app.planner.liveness import peak_bytes
from gpuconfig_app.resources import resource_path
from gpuconfig_app.workbench.machine import OpenMachine
from gpuconfig_app.workbench.model_memory import memory_order, predict_model_memory
from tests.unit.planner.machines import card, machine

DATA = Path(__file__).parents[2] / "data" / "memory"

NETS = """
import keras
from keras import layers


class Block(layers.Layer):
    def __init__(self):
        super().__init__()
        self.attention = layers.MultiHeadAttention(2, 16, dropout=0.1)
        self.wide = layers.Dense(32, activation="gelu")

    def call(self, values):
        return values + self.wide(self.attention(values, values))


class NeedsWeights(keras.Model):
    def train_step(self, data):
        inputs, targets, weights = data
        return super().train_step((inputs, targets, weights))


class Resists(layers.Layer):
    def call(self, values):
        if values.shape[0] == 1009:
            raise ValueError("not this batch")
        return values


def text(kind=keras.Model):
    words = keras.Input((24,), dtype="int32")
    block = Block()
    features = block(block(layers.Embedding(500, 32)(words)))
    return kind(words, layers.Dense(500)(layers.Reshape((24, 32))(features)))


def needs_weights():
    return text(NeedsWeights)


def resists():
    inputs = keras.Input((20,))
    return keras.Model(inputs, layers.Dense(3)(Resists()(inputs)))
"""


def _probe(python: Path, folder: Path, model: str) -> list[dict[str, Any]]:  # Any: a line of JSON
    (folder / "nets.py").write_text(NETS, encoding="utf-8")
    out = folder / f"{model.rpartition(':')[2]}.jsonl"
    probe = resource_path("probes", "trace_step.py")
    words = [python, probe, "--out", out, "--model", model, "--path", folder, "--batch", "8"]
    environment = {**os.environ, "PYTHONPATH": ""}
    subprocess.run([str(word) for word in words], capture_output=True, timeout=240, check=False, env=environment)
    return [json.loads(line) for line in out.read_text(encoding="ascii").splitlines()]


def _layers(records: list[dict[str, Any]]) -> LayerTable:
    (record,) = [record for record in records if record["record"] == "layers"]
    table = read_layer_table(record)
    assert table is not None
    return table


@pytest.fixture(scope="module")
def text(tensorflow_python: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return _probe(tensorflow_python, tmp_path_factory.mktemp("text"), "nets:text")


@pytest.fixture(scope="module")
def rough(tensorflow_python: Path, tmp_path_factory: pytest.TempPathFactory) -> ModelMemory:
    folder = tmp_path_factory.mktemp("rough")
    (folder / "nets.py").write_text(NETS, encoding="utf-8")
    order = memory_order(f"{folder / 'nets.py'}:needs_weights", "8")
    return predict_model_memory(order, str(tensorflow_python), OpenMachine(machine(card("3060"))))


def test_a_layer_called_twice_is_noted_twice_and_its_weights_once(text: list[dict[str, Any]]) -> None:
    calls = _layers(text).calls
    attentions = [call for call in calls if call.kind == "MultiHeadAttention"]
    wide = [call for call in calls if call.kind == "Dense" and call.has_activation]

    assert [call.inner for call in attentions] == [2 * 24 * 24] * 2
    assert [call.trainable_bytes for call in wide] == [(32 * 32 + 32) * 4, 0]
    assert [call.given for call in wide] == [24 * 32] * 2
    assert calls[attentions[0].inside].kind == "Layer"


def test_every_weight_is_there_once(text: list[dict[str, Any]]) -> None:
    table = _layers(text)
    (graph,) = [read_step_graph(record) for record in text if record["record"] == "graph"]

    trained = sorted(one.size_bytes for one in graph.variables if one.role.value == "trainable")
    assert sorted(table.trainable) == trained
    assert sum(call.trainable_bytes for call in table.calls) == sum(trained)
    assert (table.input_bytes, table.output_elements) == (24 * 4, 24 * 500)


def test_a_step_that_cannot_be_traced_gives_a_rough_estimate(rough: ModelMemory, text: list[dict[str, Any]]) -> None:
    """The same network with a step of its own that wants weights of samples; the traced one tells the truth here."""
    (graph,) = [read_step_graph(record) for record in text if record["record"] == "graph"]

    assert rough.source is PeakSource.LAYERS
    assert rough.interval_bytes.low <= peak_bytes(graph) <= rough.interval_bytes.high
    assert [warning.id for warning in rough.warnings[:2]] == ["memory.warning-layers", "memory.error-step-fails"]
    assert "expected 3, got 2" in str(rough.warnings[1].params["detail"])
    assert rough.loss == "sparse_categorical_crossentropy"


def test_layers_that_resist_never_spoil_the_trace(tensorflow_python: Path, tmp_path: Path) -> None:
    records = _probe(tensorflow_python, tmp_path, "nets:resists")

    assert [record["record"] for record in records if record["record"] in ("layers", "graph", "done")] == [
        "graph", "done",
    ]  # fmt: skip


def test_the_stored_layers_are_what_the_probe_writes(tensorflow_python: Path, tmp_path: Path) -> None:
    place = DATA / "architectures.py"
    fresh = _layers(_probe(tensorflow_python, tmp_path, f"{place}:small_cnn"))

    rows = [json.loads(line) for line in (DATA / "layers.jsonl").read_text().splitlines()]
    stored = next(row for row in rows if (row["model"], row["precision"]) == ("small_cnn", "float32"))
    table = read_layer_table(stored)
    assert table is not None
    assert (table.calls, table.trainable, table.state) == (fresh.calls, fresh.trainable, fresh.state)
