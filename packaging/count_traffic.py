"""Count the multiply-adds and the memory traffic of training steps, for the model behind every prediction of time.

``.venv-tensorflow/bin/python packaging/count_traffic.py`` traces one training step of each network (nothing is
computed) and writes tests/data/throughput/networks.json: bytes that the step's operations read and write, one pass for
each operand, without those that only rename a tensor. Networks of the public figures are counted as they were measured
then, with a fused batch normalisation; those that templates offer as Keras 3 builds them. It takes some minutes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import keras  # after the variables
import tensorflow as tf  # after the variables
from keras import layers as kl  # after the variables
from keras.src import layers as sources  # where the applications look up their layers

Tensor = keras.KerasTensor
Builder = Callable[[], keras.Model]

ROOT = Path(__file__).resolve().parent.parent
INTO = ROOT / "tests" / "data" / "throughput" / "networks.json"

# A prime: a tensor whose size it divides belongs to the samples, all others to the weights.
BATCH = 37

# These hand a tensor on or look at its shape.
FREE = {
    "AssignVariableOp", "BroadcastGradientArgs", "Const", "ExpandDims", "Identity", "IdentityN", "NoOp", "Placeholder",
    "PreventGradient", "Rank", "ReadVariableOp", "Reshape", "Shape", "ShapeN", "Size", "Squeeze", "StopGradient",
    "StridedSlice",
}  # fmt: skip


class FusedBatchNormalization(kl.Layer):
    """The one-kernel batch normalisation that TensorFlow 1 and Keras 2 used."""

    def __init__(self, **options: object) -> None:
        super().__init__(**{key: value for key, value in options.items() if key in ("name", "dtype")})

    def build(self, shape: tuple[int, ...]) -> None:
        """Make scale, offset and the two moving statistics."""
        size = (shape[-1],)
        self.gamma = self.add_weight(shape=size, initializer="ones", dtype="float32")
        self.beta = self.add_weight(shape=size, initializer="zeros", dtype="float32")
        self.mean = self.add_weight(shape=size, initializer="zeros", trainable=False, dtype="float32")
        self.variance = self.add_weight(shape=size, initializer="ones", trainable=False, dtype="float32")

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        """Normalise as in training."""
        gamma, beta = (tf.cast(part.value, tf.float32) for part in (self.gamma, self.beta))
        return tf.compat.v1.nn.fused_batch_norm(inputs, gamma, beta, epsilon=1e-3, is_training=True)[0]


def alexnet() -> keras.Model:
    """AlexNet as in tf_cnn_benchmarks."""
    inputs = x = keras.Input((224, 224, 3))
    x = kl.MaxPooling2D(3, 2)(kl.Conv2D(64, 11, strides=4, activation="relu")(x))
    x = kl.MaxPooling2D(3, 2)(kl.Conv2D(192, 5, padding="same", activation="relu")(x))
    for filters in (384, 384, 256):
        x = kl.Conv2D(filters, 3, padding="same", activation="relu")(x)
    x = kl.Flatten()(kl.MaxPooling2D(3, 2)(x))
    for _ in range(2):
        x = kl.Dropout(0.5)(kl.Dense(4096, activation="relu")(x))
    return keras.Model(inputs, kl.Dense(1001)(x))


def _unit(x: Tensor, filters: int, kernel: int | tuple[int, int], strides: int = 1, padding: str = "same") -> Tensor:
    x = kl.Conv2D(filters, kernel, strides=strides, padding=padding, use_bias=False)(x)
    return kl.Activation("relu")(sources.BatchNormalization()(x))


def _chain(x: Tensor, *steps: tuple) -> Tensor:
    for step in steps:
        x = _unit(x, *step)
    return x


def inception4() -> keras.Model:
    """Inception v4 (arXiv 1602.07261)."""
    inputs = x = keras.Input((299, 299, 3))
    x = _chain(x, (32, 3, 2, "valid"), (32, 3, 1, "valid"), (64, 3))
    x = kl.Concatenate()([kl.MaxPooling2D(3, 2)(x), _unit(x, 96, 3, 2, "valid")])
    far = _chain(x, (64, 1), (64, (7, 1)), (64, (1, 7)), (96, 3, 1, "valid"))
    x = kl.Concatenate()([_chain(x, (64, 1), (96, 3, 1, "valid")), far])
    x = kl.Concatenate()([_unit(x, 192, 3, 2, "valid"), kl.MaxPooling2D(3, 2)(x)])
    for _ in range(4):
        parts = [_unit(kl.AveragePooling2D(3, 1, "same")(x), 96, 1), _unit(x, 96, 1)]
        x = kl.Concatenate()([*parts, _chain(x, (64, 1), (96, 3)), _chain(x, (64, 1), (96, 3), (96, 3))])
    far = _chain(x, (192, 1), (224, 3), (256, 3, 2, "valid"))
    x = kl.Concatenate()([_unit(x, 384, 3, 2, "valid"), far, kl.MaxPooling2D(3, 2)(x)])
    for _ in range(7):
        parts = [_unit(kl.AveragePooling2D(3, 1, "same")(x), 128, 1), _unit(x, 384, 1)]
        near = _chain(x, (192, 1), (224, (1, 7)), (256, (7, 1)))
        far = _chain(x, (192, 1), (192, (1, 7)), (224, (7, 1)), (224, (1, 7)), (256, (7, 1)))
        x = kl.Concatenate()([*parts, near, far])
    near = _chain(x, (192, 1), (192, 3, 2, "valid"))
    far = _chain(x, (256, 1), (256, (1, 7)), (320, (7, 1)), (320, 3, 2, "valid"))
    x = kl.Concatenate()([near, far, kl.MaxPooling2D(3, 2)(x)])
    for _ in range(3):
        parts = [_unit(kl.AveragePooling2D(3, 1, "same")(x), 256, 1), _unit(x, 256, 1)]
        near = _unit(x, 384, 1)
        far = _chain(x, (384, 1), (448, (1, 3)), (512, (3, 1)))
        parts += [_unit(part, 256, kernel) for part in (near, far) for kernel in ((1, 3), (3, 1))]
        x = kl.Concatenate()(parts)
    return keras.Model(inputs, kl.Dense(1001)(kl.Dropout(0.2)(kl.GlobalAveragePooling2D()(x))))


def nnunet() -> keras.Model:
    """nnU-Net 2D on 192 x 160 patches: two convolutions a level, normalisation and leaky ReLU after each."""
    inputs = x = keras.Input((192, 160, 1))
    levels, kept = (32, 64, 128, 256, 512, 512), []

    def unit(x: Tensor, filters: int, strides: int = 1) -> Tensor:
        x = kl.Conv2D(filters, 3, strides=strides, padding="same", use_bias=False)(x)
        return kl.LeakyReLU()(sources.BatchNormalization()(x))

    for level, filters in enumerate(levels):
        x = unit(unit(x, filters, 2 if level else 1), filters)
        kept.append(x)
    for filters, skip in zip(levels[-2::-1], kept[-2::-1], strict=True):
        x = kl.Concatenate()([kl.Conv2DTranspose(filters, 2, strides=2)(x), skip])
        x = unit(unit(x, filters), filters)
    return keras.Model(inputs, kl.Conv2D(4, 1)(x))


def unet() -> keras.Model:
    """U-Net (arXiv 1505.04597) on 572 x 572 pixels, convolutions without padding."""
    inputs = x = keras.Input((572, 572, 1))
    kept = []

    def pair(x: Tensor, filters: int) -> Tensor:
        return kl.Conv2D(filters, 3, activation="relu")(kl.Conv2D(filters, 3, activation="relu")(x))

    for filters in (64, 128, 256, 512):
        x = pair(x, filters)
        kept.append(x)
        x = kl.MaxPooling2D(2)(x)
    x = pair(x, 1024)
    for filters, skip in zip((512, 256, 128, 64), kept[::-1], strict=True):
        x = kl.Conv2DTranspose(filters, 2, strides=2)(x)
        cut = skip.shape[1] - x.shape[1]
        middle = kl.Cropping2D(((cut // 2, cut - cut // 2),) * 2)(skip)
        x = pair(kl.Concatenate()([x, middle]), filters)
    return keras.Model(inputs, kl.Conv2D(2, 1)(x))


def bert(length: int, width: int = 1024, depth: int = 24, heads: int = 16) -> keras.Model:
    """The encoder of BERT-Large; the head sees every token, as classifying does."""
    inputs = keras.Input((length,), dtype="int32")
    x = kl.Dropout(0.1)(kl.LayerNormalization()(kl.Embedding(30522, width)(inputs)))
    for _ in range(depth):
        y = kl.MultiHeadAttention(heads, width // heads, dropout=0.1)(x, x)
        x = kl.LayerNormalization()(x + kl.Dropout(0.1)(y))
        y = kl.Dense(width)(kl.Dense(4 * width, activation="gelu")(x))
        x = kl.LayerNormalization()(x + kl.Dropout(0.1)(y))
    return keras.Model(inputs, kl.Dense(2)(x[:, 0]))


def small_cnn(widths: tuple[int, ...] = (32, 64, 128), side: int = 128) -> keras.Model:
    """The image template's own network."""
    inputs = keras.Input((side, side, 3))
    x = kl.Rescaling(1 / 255)(inputs)
    for filters in widths:
        x = kl.Conv2D(filters, 3, padding="same", use_bias=False)(x)
        x = kl.MaxPooling2D()(kl.Activation("relu")(sources.BatchNormalization(momentum=0.9)(x)))
    x = kl.Dropout(0.3)(kl.GlobalAveragePooling2D()(x))
    return keras.Model(inputs, kl.Dense(10, activation="softmax", dtype="float32")(x))


def mlp(features: int = 200, widths: tuple[int, ...] = (1024, 1024, 512)) -> keras.Model:
    """The tabular template's network."""
    inputs = x = keras.Input((features,))
    for units in widths:
        x = kl.Dropout(0.2)(kl.Dense(units, activation="relu")(x))
    return keras.Model(inputs, kl.Dense(1, dtype="float32")(x))


def _application(name: str, shape: tuple[int, int, int] = (224, 224, 3)) -> Builder:
    return lambda: getattr(keras.applications, name)(weights=None, input_shape=shape)


PUBLIC = {
    "alexnet": alexnet,
    "inception3": _application("InceptionV3", (299, 299, 3)),
    "inception4": inception4,
    "resnet50": _application("ResNet50"),
    "resnet152": _application("ResNet152"),
    "vgg16": _application("VGG16"),
    "EfficientNetB0": _application("EfficientNetB0"),
    "EfficientNetB4": _application("EfficientNetB4", (380, 380, 3)),
    "EfficientNetV2-S at 300x300": _application("EfficientNetV2S", (300, 300, 3)),
    "nnU-Net 2D": nnunet,
    "U-Net medical 572x572x1": unet,
    "BERT-Large pre-training seq 128": lambda: bert(128),
    "BERT-Large pre-training seq 512": lambda: bert(512),
}
OFFERED = {
    "ConvNeXtTiny": _application("ConvNeXtTiny"),
    "DenseNet121": _application("DenseNet121"),
    "EfficientNetV2B0": _application("EfficientNetV2B0"),
    "MobileNetV2": _application("MobileNetV2"),
    "MobileNetV3Large": _application("MobileNetV3Large"),
    "ResNet50": _application("ResNet50"),
    "small_cnn": small_cnn,
    "mlp": mlp,
}


def _macs(layer: kl.Layer) -> int:
    kernel = getattr(layer, "kernel", None)
    if isinstance(layer, kl.MultiHeadAttention):
        length, width = layer.output.shape[1:]
        return 4 * length * width * width + 2 * length * length * width
    if kernel is None:
        return 0
    shape, out = [int(size) for size in kernel.shape], [int(size) for size in layer.output.shape[1:]]
    if isinstance(layer, kl.Dense):
        return shape[0] * _product(out)
    if isinstance(layer, kl.Conv2DTranspose):
        return _product(layer.input.shape[1:]) * _product(shape[:3])
    if isinstance(layer, kl.DepthwiseConv2D):
        return _product(shape[:2]) * _product(out)
    return _product(shape[:3]) * _product(out)


def _product(sizes: Iterable[int]) -> int:
    total = 1
    for size in sizes:
        total *= int(size)
    return total


def _layers(model: keras.Model) -> Iterator[kl.Layer]:
    for layer in model.layers:
        if hasattr(layer, "layers"):
            yield from _layers(layer)
        else:
            yield layer


def _traffic(model: keras.Model, *, is_frozen: bool = False) -> dict[str, int]:
    """Give bytes for each sample, bytes for each step and how many operations run."""
    trained = [weight.value for weight in model.trainable_weights]
    is_text = len(model.input_shape) == 2 and model.layers[0].dtype == "int32"

    def step(inputs: tf.Tensor) -> list[tf.Tensor]:
        with tf.GradientTape() as tape:
            outputs = model(inputs, training=not is_frozen)
            loss = tf.reduce_mean(tf.cast(outputs, tf.float32))
        return tape.gradient(loss, trained)

    kind = tf.int32 if is_text else tf.float32
    graph = (
        tf.function(step, autograph=False)
        .get_concrete_function(tf.TensorSpec((BATCH, *model.input_shape[1:]), kind))
        .graph
    )
    sample = weights = count = 0
    for operation in _needed(graph):
        if operation.type in FREE:
            continue
        count += 1
        for tensor in (*operation.inputs, *operation.outputs):
            if tensor.dtype == tf.resource or tensor.shape.rank is None or None in tensor.shape:
                continue
            elements = tensor.shape.num_elements()
            if elements % BATCH:
                weights += elements * tensor.dtype.size
            else:
                sample += elements * tensor.dtype.size
    return {"sample_bytes": sample // BATCH, "step_bytes": weights, "operations": count}


def _needed(graph: tf.Graph) -> Iterable[tf.Operation]:
    """Give the operations that run: those that lead to an output or a variable; TensorFlow drops the others."""
    waiting = [tensor.op for tensor in graph.outputs] + list(graph.control_outputs)
    needed = {}
    while waiting:
        operation = waiting.pop()
        if operation.name not in needed:
            needed[operation.name] = operation
            waiting += [tensor.op for tensor in operation.inputs] + list(operation.control_inputs)
    return needed.values()


def count(name: str, build: Builder, *, is_fused: bool) -> dict:
    """Count one network in both policies; offered ones with a frozen backbone too."""
    own = kl.BatchNormalization if not is_fused else FusedBatchNormalization
    before, sources.BatchNormalization = sources.BatchNormalization, own
    found = {"name": name, "is_fused": is_fused}
    try:
        for policy in ("float32", "mixed_bfloat16"):
            keras.backend.clear_session()
            keras.config.set_dtype_policy(policy)
            model = build()
            elements = [_product(layer.output.shape[1:]) for layer in _layers(model) if hasattr(layer, "output")]
            found["input_shape"] = list(model.input_shape[1:])
            found["params"] = model.count_params()
            found["macs"] = sum(_macs(layer) for layer in _layers(model))
            found["output_elements"] = sum(elements)
            found["layer_count"] = len(elements)
            found[policy] = _traffic(model)
            if not is_fused and name not in ("small_cnn", "mlp"):
                head = [layer for layer in model.layers if layer.weights][-1]
                for layer in model.layers:
                    layer.trainable = layer is head
                found[policy + "_frozen"] = _traffic(model, is_frozen=True)
    finally:
        sources.BatchNormalization = before
        keras.config.set_dtype_policy("float32")
    return found


def main() -> int:
    """Count everything and write the table; gives the exit code."""
    rows = []
    for networks, is_fused in ((PUBLIC, True), (OFFERED, False)):
        for name, build in networks.items():
            rows.append(count(name, build, is_fused=is_fused))
            print(json.dumps(rows[-1]), flush=True)
    about = f"Counted with TensorFlow {tf.__version__}, Keras {keras.__version__} by packaging/count_traffic.py."
    lines = ",\n".join(json.dumps(row) for row in rows)
    INTO.write_text('{"about": ' + json.dumps(about) + ', "networks": [\n' + lines + "\n]}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
