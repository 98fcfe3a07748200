"""The networks that templates write, as functions for the memory trace: ``built_in_models:resnet50_224_head``.

Names are made of a network that the image template offers, what shapes it, and what is trained: ``resnet50_224``,
``resnet50_224_head`` (frozen backbone), ``small_cnn_w32_b3_224``, ``mlp_f20_l2_u128``. A part ``_c100`` gives another
number of classes than ten. It is run by a Python that has TensorFlow. That these are the templates' networks is
compared in ``tests/templates/test_built_in_models.py``.
"""

from __future__ import annotations

import re
import sys
import tomllib
from functools import partial
from pathlib import Path

import keras

TABLE = Path(__file__).resolve().parents[1] / "resources" / "templates" / "image_classification" / "template.toml"
CLASSES = 10
_NAME = re.compile(r"^(?P<model>.+?)_(?P<side>\d+)(?:_c(?P<classes>\d+))?(?P<head>_head)?$")
_SMALL_CNN = re.compile(r"^small_cnn_w(?P<width>\d+)_b(?P<blocks>\d+)_(?P<side>\d+)(?:_c(?P<classes>\d+))?$")
_MLP = re.compile(r"^mlp_f(?P<features>\d+)_l(?P<layers>\d+)_u(?P<units>\d+)(?:_c(?P<classes>\d+))?$")


def __getattr__(name: str) -> partial[keras.Model]:
    """Give the function that builds the network of this name."""
    for pattern, build in ((_SMALL_CNN, small_cnn), (_MLP, mlp), (_NAME, published)):
        found = pattern.match(name)
        if found is not None:
            given = {key: value for key, value in found.groupdict().items() if value is not None}
            return partial(build, **{key: int(value) if value.isdecimal() else value for key, value in given.items()})
    raise AttributeError(name)


def small_cnn(width: int, blocks: int, side: int, classes: int = CLASSES) -> keras.Model:
    """Build the image template's own network."""
    inputs = keras.Input((side, side, 3))
    x = keras.layers.Rescaling(1 / 255)(inputs)
    for block in range(blocks):
        x = keras.layers.Conv2D(width * 2**block, 3, padding="same", use_bias=False)(x)
        x = keras.layers.BatchNormalization(momentum=0.9)(x)
        x = keras.layers.ReLU()(x)
        x = keras.layers.MaxPooling2D(padding="same")(x)
    return _with_head(inputs, x, classes)


def mlp(features: int, layers: int, units: int, classes: int = CLASSES) -> keras.Model:
    """Build the tabular template's network on numbers."""
    inputs = {"numbers": keras.Input((features,), name="numbers")}
    x = keras.layers.Normalization(mean=[0.0] * features, variance=[1.0] * features)(inputs["numbers"])
    for _ in range(layers):
        x = keras.layers.Dense(units, activation="relu")(x)
        x = keras.layers.Dropout(0.1)(x)
    return _compiled(keras.Model(inputs, keras.layers.Dense(classes, activation="softmax", dtype="float32")(x)))


def published(model: str, side: int, classes: int = CLASSES, head: str = "") -> keras.Model:
    """Build a network of Keras Applications with the template's head; ``head``: only that is trained."""
    row = tomllib.loads(TABLE.read_text(encoding="utf-8"))["models"][model]
    inputs = keras.Input((side, side, 3))
    backbone = getattr(keras.applications, row["keras_name"])(
        include_top=False, weights=None, input_shape=(side, side, 3)
    )
    x = inputs
    if row["preprocess"]:
        x = getattr(keras.applications, row["preprocess"]).preprocess_input(x)
    if head:
        backbone.trainable = False
        x = backbone(x, training=False)
    else:
        x = backbone(x)
    return _with_head(inputs, x, classes)


def _with_head(inputs: keras.KerasTensor, x: keras.KerasTensor, classes: int) -> keras.Model:
    x = keras.layers.GlobalAveragePooling2D()(x)
    x = keras.layers.Dropout(0.2)(x)
    return _compiled(keras.Model(inputs, keras.layers.Dense(classes, activation="softmax", dtype="float32")(x)))


def _compiled(model: keras.Model) -> keras.Model:
    model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy", metrics=["accuracy"], jit_compile=False)
    return model


if __name__ == "__main__":
    getattr(sys.modules[__name__], sys.argv[1])().summary()
