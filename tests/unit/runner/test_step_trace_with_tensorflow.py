"""Models of every kind, good and bad, opened and traced by real TensorFlow; one process for all, as a start is slow."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gpuconfig_app.core.messages import Language, Message
from gpuconfig_app.core.step_graph import StepGraph, VariableRole, read_step_graph
from gpuconfig_app.planner.liveness import step_peak
from gpuconfig_app.resources import resource_path
from gpuconfig_app.workbench.text import load_texts

NETS = """
import keras
from keras import layers

number = 3


def conv():
    image = keras.Input((32, 32, 3))
    features = layers.Conv2D(16, 3, padding="same", activation="relu")(image)
    return keras.Model(image, layers.Dense(10)(layers.GlobalAveragePooling2D()(features)))


def attention():
    words = keras.Input((24,), dtype="int32")
    features = layers.Embedding(500, 32)(words)
    features = layers.LayerNormalization()(features + layers.MultiHeadAttention(2, 16)(features, features))
    return keras.Model(words, layers.Dense(500)(features))


def recurrent():
    series = keras.Input((12, 8))
    return keras.Model(series, layers.Dense(3)(layers.Bidirectional(layers.LSTM(16))(series)))


def regression():
    inputs = keras.Input((13,))
    model = keras.Model(inputs, layers.Dense(1)(layers.Dense(64, activation="relu")(inputs)))
    model.compile("adam", loss="mse", metrics=["mae"])
    return model


def two():
    image, numbers = keras.Input((16, 16, 3), name="image"), keras.Input((7,), name="numbers")
    features = layers.Concatenate()([layers.Flatten()(layers.Conv2D(4, 3)(image)), numbers])
    outputs = {"kind": layers.Dense(3, name="kind")(features), "age": layers.Dense(1, name="age")(features)}
    model = keras.Model({"image": image, "numbers": numbers}, outputs)
    model.compile("sgd", loss={"kind": keras.losses.SparseCategoricalCrossentropy(from_logits=True), "age": "mse"})
    return model


def own_loss():
    class Penalty(layers.Layer):
        def call(self, values):
            self.add_loss(keras.ops.mean(values**2))
            return values

    inputs = keras.Input((20,))
    model = keras.Model(inputs, Penalty()(layers.Dense(20)(inputs)))
    model.compile("adam")
    return model


class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner, self.outer = layers.Dense(32), layers.Dense(4)

    def call(self, values):
        return self.outer(self.inner(values))


def unbuilt():
    return keras.Sequential([layers.Dense(8), layers.Dense(2)])


def text_of_any_length():
    words = keras.Input((None,), dtype="int32", name="words")
    return keras.Model(words, layers.Dense(2)(layers.GlobalAveragePooling1D()(layers.Embedding(100, 16)(words))))


def own_policy():
    keras.mixed_precision.set_global_policy("mixed_bfloat16")
    inputs = keras.Input((20,))
    return keras.Model(inputs, layers.Dense(20)(inputs))


built = regression()


def frozen():
    model = conv()
    model.trainable = False
    return model


def empty():
    return keras.Sequential()


def needs(a, b=1, *, c):
    return conv()


def nothing():
    conv()


def words():
    return "hello"


def raises():
    raise ValueError("two\\nlines of 原因")


def leaves():
    raise SystemExit("no licence")


def full():
    raise MemoryError


def legacy():
    kind = type("Functional", (), {"__module__": "tf_keras.src.engine.functional"})
    return kind()


def wrong_loss():
    inputs = keras.Input((13,))
    model = keras.Model(inputs, layers.Dense(1)(inputs))
    model.compile("adam", loss=lambda wanted, given: wanted.no_such_thing)
    return model
"""

FILES = """
import keras
import nets
from keras import layers

inputs = keras.Input((8,))
nets.regression().save("compiled.keras")
nets.regression().save("old.h5")
nets.regression().save_weights("only.weights.h5")
keras.Model(inputs, layers.Dense(3)(inputs)).save("plain 'net' 模型.keras")
keras.Model(inputs, layers.Dense(3)(layers.Lambda(lambda values: values * 2)(inputs))).save("lambda.keras")
keras.Model(inputs, nets.Own()(inputs)).save("custom.keras")
model = keras.Model(inputs, layers.Dense(3)(inputs))
model.compile("adam", loss=lambda wanted, given: keras.ops.mean(wanted - given))
model.save("strange_loss.keras")
whole = open("compiled.keras", "rb").read()
open("cut.keras", "wb").write(whole[:3000])
open("renamed.keras", "wb").write(open("old.h5", "rb").read())
open("text.keras", "w").write("hello")
open("empty.h5", "w").close()
"""

# name -> model, batch, precision, input shapes
GOOD: dict[str, list[Any]] = {  # Any: a row of JSON
    "conv": ["nets:conv", 8, "float32", []],
    "conv-half": ["nets:conv", 8, "mixed_float16", []],
    "attention": ["nets:attention", 4, "float32", []],
    "recurrent": ["nets:recurrent", 4, "float32", []],
    "regression": ["nets:regression", 32, "float32", []],
    "two": ["nets:two", 4, "float32", []],
    "own-loss": ["nets:own_loss", 4, "float32", []],
    "already-built": ["nets:built", 4, "float32", []],
    "by-path": ["a 'b' 模型/net file.py:conv", 4, "float32", []],
    "own-class": ["nets:Own", 4, "float32", ["16"]],
    "unbuilt": ["nets:unbuilt", 4, "float32", ["5"]],
    "any-length": ["nets:text_of_any_length", 4, "float32", ["128"]],
    "any-length-named": ["nets:text_of_any_length", 4, "float32", ["words=64"]],
    "compiled-file": ["compiled.keras", 4, "float32", []],
    "plain-file": ["plain 'net' 模型.keras", 4, "float32", []],
    "half-file": ["compiled.keras", 4, "mixed_float16", []],
    "old-file": ["old.h5", 4, "float32", []],
    "strange-loss-file": ["strange_loss.keras", 4, "float32", []],
    "own-policy": ["nets:own_policy", 4, "float32", []],  # last: it changes the policy of the process
}
BAD = {
    "no-module": ["nowhere:conv", []],
    "no-such-function": ["nets:zzz", []],
    "no-such-function-but": ["nets:atention", []],
    "not-callable": ["nets:number", []],
    "needs-arguments": ["nets:needs", []],
    "gives-nothing": ["nets:nothing", []],
    "not-a-model": ["nets:words", []],
    "function-fails": ["nets:raises", []],
    "function-exits": ["nets:leaves", []],
    "memory": ["nets:full", []],
    "legacy-model": ["nets:legacy", []],
    "empty-model": ["nets:empty", []],
    "nothing-to-train": ["nets:frozen", []],
    "no-shapes": ["nets:Own", []],
    "open-shape": ["nets:text_of_any_length", []],
    "other-shape": ["nets:text_of_any_length", ["128,3"]],
    "no-such-input": ["nets:text_of_any_length", ["letters=3"]],
    "too-many-shapes": ["nets:conv", ["32,32,3", "8"]],
    "call-fails": ["nets:Own", ["16:string"]],
    "step-fails": ["nets:wrong_loss", []],
    "module-lacks": ["lacks:f", []],
    "module-fails": ["divides:f", []],
    "module-exits": ["leaves:f", []],
    "no-python-file": ["nowhere.py:f", []],
    "no-file": ["nowhere.keras", []],
    "is-folder": ["folder.keras", []],
    "damaged-file": ["cut.keras", []],
    "renamed-file": ["renamed.keras", []],
    "not-keras-file": ["text.keras", []],
    "weights-only": ["only.weights.h5", []],
    "lambda": ["lambda.keras", []],
    "custom-objects": ["custom.keras", []],
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory, tensorflow_python) -> dict[str, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("user")
    odd = folder / "a 'b' 模型"
    odd.mkdir()
    (folder / "folder.keras").mkdir()
    (folder / "nets.py").write_text(NETS, encoding="utf-8")
    (odd / "net file.py").write_text(NETS, encoding="utf-8")
    (folder / "make_files.py").write_text(FILES, encoding="utf-8")
    (folder / "lacks.py").write_text("import not_installed_anywhere\n")
    (folder / "divides.py").write_text("\nx = 1 / 0\n")
    (folder / "syntax.py").write_text("def f(:\n")
    (folder / "leaves.py").write_text("raise SystemExit(3)\n")
    bad = {name: [model, 4, "float32", shapes] for name, (model, shapes) in BAD.items()}
    bad["syntax"] = ["syntax:f", 4, "float32", []]
    cases, out = folder / "cases.json", folder / "answers.json"
    cases.write_text(json.dumps(bad | GOOD))
    probes = resource_path("probes", "trace_step.py").parent
    script = Path(__file__).with_name("open_all_models.py")
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1", "KERAS_BACKEND": "tensorflow", "PATH": ""}
    for words in (["make_files.py"], [str(script), str(probes), str(folder), str(cases), str(out)]):
        done = subprocess.run(
            [str(tensorflow_python), *words], cwd=folder, env=quiet, capture_output=True, timeout=400, check=False
        )
        assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    told: dict[str, list[dict[str, Any]]] = json.loads(out.read_text())
    return told


def _of(records: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [record for record in records if record["record"] == kind]


def _graph(answers: dict[str, list[dict[str, Any]]], name: str) -> StepGraph:
    errors = _of(answers[name], "error")
    assert not errors, errors
    (found,) = _of(answers[name], "graph")
    return read_step_graph(found)


@pytest.mark.parametrize("name", GOOD)
def test_every_good_model_gives_a_step_whose_parts_add_up(answers, name: str) -> None:
    graph = _graph(answers, name)
    peak = step_peak(graph)
    parts = peak.parts

    assert graph.batch == GOOD[name][1]
    assert peak.peak_bytes > graph.variable_bytes
    assert peak.low_bytes <= peak.peak_bytes <= peak.high_bytes
    assert peak.peak_bytes == (
        parts.weights_bytes
        + parts.slots_bytes
        + parts.gradients_bytes
        + parts.activations_bytes
        + parts.temporaries_bytes
    )


@pytest.mark.parametrize("name", ["conv", "attention", "regression", "two", "compiled-file", "own-class"])
def test_adam_keeps_two_slots_for_each_weight(answers, name: str) -> None:
    sizes = dict.fromkeys(VariableRole, 0)
    for variable in _graph(answers, name).variables:
        sizes[variable.role] += variable.size_bytes

    assert sizes[VariableRole.SLOT] == 2 * sizes[VariableRole.TRAINABLE] > 0


def test_losses_are_the_models_own_or_the_usual_one(answers) -> None:
    own = {name for name in GOOD if _graph(answers, name).loss == "own"}

    assert own == {
        "regression", "two", "own-loss", "already-built", "compiled-file", "half-file", "old-file",
    }  # fmt: skip
    assert _graph(answers, "conv").loss == "sparse_categorical_crossentropy"
    assert _of(answers["strange-loss-file"], "note")[0]["kind"] == "loss-not-restored"


def test_the_batch_is_inputs_and_targets(answers) -> None:
    """Floats of 13 numbers and one target; pictures, numbers, a class and an age."""
    assert sorted(_graph(answers, "regression").data_bytes) == [32 * 4, 32 * 13 * 4]
    assert sorted(_graph(answers, "two").data_bytes) == sorted([4 * 16 * 16 * 3 * 4, 4 * 7 * 4, 4 * 4, 4 * 4])
    assert len(_graph(answers, "own-loss").data_bytes) == 1


def test_given_sizes_take_the_place_of_open_ones(answers) -> None:
    long, short = (_graph(answers, name).data_bytes for name in ("any-length", "any-length-named"))

    assert max(long) == 4 * 128 * 4
    assert max(short) == 4 * 64 * 4
    assert max(_graph(answers, "own-class").data_bytes) == 4 * 16 * 4


def test_precision_reaches_functions_and_files(answers) -> None:
    for name in ("conv-half", "half-file"):
        assert _of(answers[name], "facts")[0]["policy"] == "mixed_float16"
        assert any(
            "float16" in operation.types or "half" in operation.types for operation in _graph(answers, name).operations
        )
    assert _of(answers["own-policy"], "facts")[0]["policy"] == "mixed_bfloat16"


def test_recurrent_layers_are_told(answers) -> None:
    assert _of(answers["recurrent"], "facts")[0]["recurrent"] == ["LSTM"]
    assert _of(answers["conv"], "facts")[0]["recurrent"] == []


@pytest.mark.parametrize("kind", BAD)
def test_every_bad_model_is_refused_with_its_kind_and_a_whole_sentence(answers, kind: str) -> None:
    (refused,) = _of(answers[kind], "error")

    values = {key: value for key, value in refused.items() if key not in {"record", "kind"}}
    texts = load_texts()
    assert refused["kind"] == kind, refused
    for language in Language:
        sentence = texts.render(Message(f"memory.error-{kind}", values | {"python": "python"}), language)
        assert not sentence.startswith("memory."), sentence
        assert "\n" not in sentence


def test_where_it_went_wrong_is_told(answers) -> None:
    details = {
        name: _of(answers[name], "error")[0] for name in ("function-fails", "module-fails", "module-lacks", "syntax")
    }

    assert details["function-fails"]["detail"] == "ValueError: two"
    assert details["function-fails"]["place"].startswith("nets.py:")
    assert (details["module-fails"]["detail"], details["module-fails"]["place"]) == (
        "ZeroDivisionError: division by zero",
        "divides.py:2",
    )
    assert (details["module-lacks"]["value"], details["module-lacks"]["place"]) == (
        "not_installed_anywhere",
        "lacks.py:1",
    )
    assert "no_such_thing" in _of(answers["step-fails"], "error")[0]["detail"]
    assert details["syntax"]["kind"] == "module-fails"
    assert details["syntax"]["place"] == "syntax.py:1"
    assert _of(answers["needs-arguments"], "error")[0]["names"] == "a, c"
    assert "attention" in _of(answers["no-such-function-but"], "error")[0]["names"]
    assert "Own" in _of(answers["custom-objects"], "error")[0]["name"]
