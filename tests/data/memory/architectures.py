"""Networks that memory predictions are measured, traced and judged on; our own work, Apache-2.0.

Each function without arguments builds one network under the dtype policy that is set at that moment and gives it back,
uncompiled unless it has a loss of its own. ``architectures:resnet50`` names one everywhere. Nothing here says a batch
size, an optimizer or a precision: those belong to the measured point (``truth.jsonl``).

How a training step is made from one, by whoever measures or traces it:

- An uncompiled network gets sparse categorical cross-entropy from logits for every output, and the metric
  ``accuracy``; targets are int32 of ``output.shape[:-1]``.
- A compiled one keeps its ``model.loss`` and loss weights and gets no metric; targets are int32 of
  ``output.shape[:-1]`` where the output's loss is a sparse one, else float32 of ``output.shape``. Inputs and losses may
  be dictionaries by name.
- Optimizer, policy and ``jit_compile=False`` come from outside. ``model.inputs`` tell shapes and dtypes of a batch;
  integers stay below the smallest ``input_dim`` of an Embedding.

``HELD_OUT`` was fixed on 30 November 2026, before any of them was measured. Nobody looks at their figures while
changing a predictor, and the list does not change.
"""

from __future__ import annotations

import keras
from keras import layers

# Published networks without their top, as the image template writes them.


def _head(features, units=10):
    features = layers.Dropout(0.2)(features)
    return layers.Dense(units, dtype="float32")(features)


def _published(name, side, trainable=True, units=10):
    backbone = getattr(keras.applications, name)(include_top=False, weights=None, input_shape=(side, side, 3))
    backbone.trainable = trainable
    inputs = keras.Input((side, side, 3))
    features = backbone(inputs) if trainable else backbone(inputs, training=False)
    return keras.Model(inputs, _head(layers.GlobalAveragePooling2D()(features), units))


def vgg16():
    return _published("VGG16", 96)


def resnet50():
    return _published("ResNet50", 160)


def resnet50_v2():
    return _published("ResNet50V2", 128)


def densenet121():
    return _published("DenseNet121", 128)


def mobilenet_v2():
    return _published("MobileNetV2", 160)


def mobilenet_v3_large():
    return _published("MobileNetV3Large", 160)


def efficientnet_b0():
    return _published("EfficientNetB0", 128)


def efficientnet_v2_b0():
    return _published("EfficientNetV2B0", 128)


def xception():
    return _published("Xception", 128)


def nasnet_mobile():
    return _published("NASNetMobile", 128)


def inception_v3():
    return _published("InceptionV3", 139)


def convnext_tiny():
    return _published("ConvNeXtTiny", 96)


def frozen_mobilenet_v2():
    return _published("MobileNetV2", 160, trainable=False)


def frozen_resnet50():
    return _published("ResNet50", 160, trainable=False)


# Convolution, our own.


def small_cnn():
    """As the image template writes it."""
    inputs = keras.Input((96, 96, 3))
    features = layers.Rescaling(1 / 255)(inputs)
    for block in range(3):
        features = layers.Conv2D(32 * 2**block, 3, padding="same", use_bias=False)(features)
        features = layers.BatchNormalization()(features)
        features = layers.Activation("relu")(features)
        features = layers.MaxPooling2D(padding="same")(features)
    return keras.Model(inputs, _head(layers.GlobalAveragePooling2D()(features)))


def vgg_dense_top():
    """Convolutions followed by the large dense layers of early networks."""
    inputs = keras.Input((64, 64, 3))
    features = inputs
    for width, count in ((64, 2), (128, 2), (256, 3)):
        for _ in range(count):
            features = layers.Conv2D(width, 3, padding="same", activation="relu")(features)
        features = layers.MaxPooling2D()(features)
    features = layers.Flatten()(features)
    for _ in range(2):
        features = layers.Dropout(0.5)(layers.Dense(2048, activation="relu")(features))
    return keras.Model(inputs, layers.Dense(100, dtype="float32")(features))


def strided_cnn():
    """Strided convolutions with bias, no normalisation, leaky activations."""
    inputs = keras.Input((128, 128, 3))
    features = inputs
    for width in (48, 96, 192, 384):
        features = layers.LeakyReLU(0.1)(layers.Conv2D(width, 5, strides=2, padding="same")(features))
        features = layers.SpatialDropout2D(0.1)(features)
    features = layers.Dense(256, activation="gelu")(layers.Flatten()(features))
    return keras.Model(inputs, _head(features, 20))


def _residual(features, width, stride=1, squeeze=False):
    shortcut = features
    out = layers.Conv2D(width, 3, strides=stride, padding="same", use_bias=False)(features)
    out = layers.Activation("relu")(layers.BatchNormalization()(out))
    out = layers.BatchNormalization()(layers.Conv2D(width, 3, padding="same", use_bias=False)(out))
    if squeeze:
        gate = layers.GlobalAveragePooling2D(keepdims=True)(out)
        gate = layers.Dense(width // 8, activation="relu")(gate)
        out = layers.Multiply()([out, layers.Dense(width, activation="sigmoid")(gate)])
    if stride != 1 or shortcut.shape[-1] != width:
        shortcut = layers.Conv2D(width, 1, strides=stride, use_bias=False)(shortcut)
        shortcut = layers.BatchNormalization()(shortcut)
    return layers.Activation("relu")(layers.Add()([out, shortcut]))


def resnet20():
    inputs = keras.Input((32, 32, 3))
    features = layers.Activation("relu")(
        layers.BatchNormalization()(layers.Conv2D(16, 3, padding="same", use_bias=False)(inputs))
    )
    for width in (16, 32, 64):
        for number in range(3):
            features = _residual(features, width, 2 if number == 0 and width > 16 else 1)
    return keras.Model(inputs, layers.Dense(10, dtype="float32")(layers.GlobalAveragePooling2D()(features)))


def squeeze_excite_net():
    inputs = keras.Input((96, 96, 3))
    features = layers.Conv2D(48, 5, strides=2, padding="same", activation="swish")(inputs)
    for width in (64, 128, 256):
        features = _residual(features, width, 2, squeeze=True)
        features = _residual(features, width, squeeze=True)
    return keras.Model(inputs, _head(layers.GlobalAveragePooling2D()(features), 50))


def cbam_net():
    """Channel and place attention on top of convolutions."""
    inputs = keras.Input((96, 96, 3))
    features = layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    for width in (64, 128):
        features = layers.Conv2D(width, 3, strides=2, padding="same")(features)
        features = layers.Activation("relu")(layers.GroupNormalization(8)(features))
        squeezed = [layers.GlobalAveragePooling2D()(features), layers.GlobalMaxPooling2D()(features)]
        shared = keras.Sequential([layers.Dense(width // 8, activation="relu"), layers.Dense(width)])
        gate = layers.Activation("sigmoid")(layers.Add()([shared(part) for part in squeezed]))
        features = layers.Multiply()([features, layers.Reshape((1, 1, width))(gate)])
        place = layers.Conv2D(1, 7, padding="same", activation="sigmoid")(features)
        features = layers.Multiply()([features, place])
    return keras.Model(inputs, _head(layers.GlobalAveragePooling2D()(features)))


def dense_blocks():
    """A small DenseNet: every layer sees all that came before."""
    inputs = keras.Input((64, 64, 3))
    features = layers.Conv2D(32, 3, padding="same", use_bias=False)(inputs)
    for block in range(3):
        for _ in range(6):
            new = layers.Activation("relu")(layers.BatchNormalization()(features))
            new = layers.Conv2D(16, 3, padding="same", use_bias=False)(new)
            features = layers.Concatenate()([features, layers.Dropout(0.1)(new)])
        if block < 2:
            features = layers.Conv2D(features.shape[-1] // 2, 1, use_bias=False)(features)
            features = layers.AveragePooling2D(2)(features)
    return keras.Model(inputs, _head(layers.GlobalAveragePooling2D()(features)))


def separable_net():
    """Depthwise-separable convolutions without shortcuts."""
    inputs = keras.Input((112, 112, 3))
    features = layers.Conv2D(32, 3, strides=2, padding="same", activation="relu")(inputs)
    for width, stride in ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1)):
        features = layers.SeparableConv2D(width, 3, strides=stride, padding="same", use_bias=False)(features)
        features = layers.Activation("relu")(layers.BatchNormalization()(features))
    return keras.Model(inputs, _head(layers.GlobalAveragePooling2D()(features)))


def inception_small():
    inputs = keras.Input((96, 96, 3))
    features = layers.Conv2D(32, 3, strides=2, padding="same", activation="relu")(inputs)
    for width in (32, 48, 64):
        branches = [
            layers.Conv2D(width, 1, activation="relu")(features),
            layers.Conv2D(width, 3, padding="same", activation="relu")(layers.Conv2D(width // 2, 1)(features)),
            layers.Conv2D(width, 5, padding="same", activation="relu")(layers.Conv2D(width // 4, 1)(features)),
            layers.Conv2D(width, 1)(layers.MaxPooling2D(3, strides=1, padding="same")(features)),
        ]
        features = layers.BatchNormalization()(layers.Concatenate()(branches))
        features = layers.MaxPooling2D()(features)
    return keras.Model(inputs, _head(layers.GlobalAveragePooling2D()(features)))


def convnext_own():
    """ConvNeXt blocks in the way a user writes them: big depthwise kernels, layer normalisation, GELU."""
    inputs = keras.Input((96, 96, 3))
    features = layers.LayerNormalization(epsilon=1e-6)(layers.Conv2D(48, 4, strides=4)(inputs))
    for stage, (width, depth) in enumerate(((48, 2), (96, 2), (192, 4))):
        if stage:
            features = layers.Conv2D(width, 2, strides=2)(layers.LayerNormalization(epsilon=1e-6)(features))
        for _ in range(depth):
            out = layers.DepthwiseConv2D(7, padding="same")(features)
            out = layers.LayerNormalization(epsilon=1e-6)(out)
            out = layers.Dense(width)(layers.Dense(4 * width, activation="gelu")(out))
            features = layers.Add()([features, out])
    features = layers.LayerNormalization()(layers.GlobalAveragePooling2D()(features))
    return keras.Model(inputs, layers.Dense(10, dtype="float32")(features))


# Tables.


def mlp_tabular():
    """As the tabular template writes it."""
    inputs = keras.Input((40,))
    features = layers.Normalization(mean=0.0, variance=1.0)(inputs)
    for units in (128, 128):
        features = layers.Dropout(0.1)(layers.Dense(units, activation="relu")(features))
    return keras.Model(inputs, layers.Dense(10, dtype="float32")(features))


def mlp_wide():
    inputs = keras.Input((784,))
    features = inputs
    for _ in range(3):
        features = layers.Dropout(0.3)(layers.Dense(4096, activation="relu")(features))
    return keras.Model(inputs, layers.Dense(10, dtype="float32")(features))


def mlp_deep():
    """Many narrow layers with batch normalisation and shortcuts."""
    inputs = keras.Input((200,))
    features = layers.Dense(512)(inputs)
    for _ in range(8):
        out = layers.Activation("selu")(layers.BatchNormalization()(features))
        features = layers.Add()([features, layers.Dense(512)(out)])
    return keras.Model(inputs, layers.Dense(5, dtype="float32")(features))


def mlp_regression():
    """Compiled with a loss of its own: one number per row."""
    inputs = keras.Input((64,))
    features = layers.Normalization(mean=0.0, variance=1.0)(inputs)
    for units in (1024, 512, 256):
        features = layers.Dense(units, activation="swish")(features)
    model = keras.Model(inputs, layers.Dense(1, dtype="float32")(features))
    model.compile(loss="mse")
    return model


def recommender():
    """Two large embeddings and a small network; their gradients come as slices."""
    user = keras.Input((), dtype="int32", name="user")
    item = keras.Input((), dtype="int32", name="item")
    parts = [layers.Embedding(200_000, 64)(user), layers.Embedding(50_000, 64)(item)]
    features = layers.Concatenate()(parts)
    for units in (256, 128):
        features = layers.Dense(units, activation="relu")(features)
    return keras.Model({"user": user, "item": item}, layers.Dense(5, dtype="float32")(features))


def wide_and_deep():
    """Bags of categories through one embedding each, beside numbers."""
    numbers = keras.Input((13,), name="numbers")
    bags = [keras.Input((8,), dtype="int32", name=f"bag_{number}") for number in range(6)]
    parts = [layers.GlobalAveragePooling1D()(layers.Embedding(20_000, 32)(bag)) for bag in bags]
    features = layers.Concatenate()([layers.BatchNormalization()(numbers), *parts])
    for units in (512, 256):
        features = layers.Dropout(0.1)(layers.Dense(units, activation="relu")(features))
    return keras.Model([numbers, *bags], layers.Dense(2, dtype="float32")(features))


# Attention.


class Positions(layers.Layer):
    """Adds a learned vector for every place in a sequence."""

    def build(self, input_shape):
        self.table = self.add_weight(shape=tuple(input_shape[1:]), initializer="random_normal", name="table")

    def call(self, inputs):
        return inputs + keras.ops.cast(self.table, inputs.dtype)


class ClassToken(layers.Layer):
    """Puts one learned vector in front of a sequence."""

    def build(self, input_shape):
        self.token = self.add_weight(shape=(1, 1, input_shape[-1]), initializer="zeros", name="token")

    def call(self, inputs):
        token = keras.ops.cast(self.token, inputs.dtype)
        token = keras.ops.broadcast_to(token, (keras.ops.shape(inputs)[0], 1, inputs.shape[-1]))
        return keras.ops.concatenate([token, inputs], axis=1)


def _block(features, heads, width, hidden, causal=False, norm_first=True, dropout=0.1):
    """One transformer block; normalisation before or after each half."""
    given = layers.LayerNormalization(epsilon=1e-6)(features) if norm_first else features
    out = layers.MultiHeadAttention(heads, width // heads, dropout=dropout)(given, given, use_causal_mask=causal)
    features = layers.Add()([features, layers.Dropout(dropout)(out)])
    if not norm_first:
        features = layers.LayerNormalization(epsilon=1e-12)(features)
    given = layers.LayerNormalization(epsilon=1e-6)(features) if norm_first else features
    out = layers.Dense(width)(layers.Dense(hidden, activation="gelu")(given))
    features = layers.Add()([features, layers.Dropout(dropout)(out)])
    return features if norm_first else layers.LayerNormalization(epsilon=1e-12)(features)


def _bert(vocabulary, length, width, depth, heads):
    tokens = keras.Input((length,), dtype="int32")
    features = Positions()(layers.Embedding(vocabulary, width)(tokens))
    features = layers.Dropout(0.1)(layers.LayerNormalization(epsilon=1e-12)(features))
    for _ in range(depth):
        features = _block(features, heads, width, 4 * width, norm_first=False)
    pooled = layers.Dense(width, activation="tanh")(features[:, 0])
    return keras.Model(tokens, _head(pooled, 2))


def bert_small():
    return _bert(30_522, 128, 256, 4, 4)


def bert_base():
    return _bert(30_522, 64, 768, 12, 12)


def text_encoder():
    """Two blocks and a mean, the smallest useful text classifier; padding is masked."""
    tokens = keras.Input((200,), dtype="int32")
    features = Positions()(layers.Embedding(20_000, 64)(tokens))
    for _ in range(2):
        features = _block(features, 4, 64, 128)
    return keras.Model(tokens, _head(layers.GlobalAveragePooling1D()(features), 4))


def gpt_small():
    tokens = keras.Input((128,), dtype="int32")
    features = Positions()(layers.Embedding(8_000, 256)(tokens))
    for _ in range(4):
        features = _block(features, 4, 256, 1024, causal=True)
    features = layers.LayerNormalization(epsilon=1e-6)(features)
    return keras.Model(tokens, layers.Dense(8_000, dtype="float32")(features))


def gpt_grouped():
    """The newer shape of a language model: grouped queries, RMS normalisation, gated layers, one table at both ends."""
    tokens = keras.Input((96,), dtype="int32")
    table = layers.ReversibleEmbedding(6_000, 192)
    features = table(tokens)
    for _ in range(3):
        given = layers.RMSNormalization()(features)
        out = layers.GroupQueryAttention(32, 6, 2, use_bias=False)(given, given, use_causal_mask=True)
        features = layers.Add()([features, out])
        given = layers.RMSNormalization()(features)
        gate = layers.Dense(512, activation="silu", use_bias=False)(given)
        out = layers.Multiply()([gate, layers.Dense(512, use_bias=False)(given)])
        features = layers.Add()([features, layers.Dense(192, use_bias=False)(out)])
    logits = table(layers.RMSNormalization()(features), reverse=True)
    return keras.Model(tokens, layers.Activation("linear", dtype="float32")(logits))


def vit_small():
    inputs = keras.Input((128, 128, 3))
    features = layers.Conv2D(192, 16, strides=16)(inputs)
    features = Positions()(layers.Reshape((64, 192))(features))
    for _ in range(6):
        features = _block(features, 3, 192, 768)
    features = layers.LayerNormalization(epsilon=1e-6)(features)
    return keras.Model(inputs, _head(layers.GlobalAveragePooling1D()(features), 100))


def vit_class_token():
    """A vision transformer behind a convolutional stem, read out at a class token."""
    inputs = keras.Input((96, 96, 3))
    features = inputs
    for width in (32, 64, 128):
        features = layers.Conv2D(width, 3, strides=2, padding="same", use_bias=False)(features)
        features = layers.Activation("relu")(layers.BatchNormalization()(features))
    features = Positions()(ClassToken()(layers.Reshape((144, 128))(features)))
    for _ in range(4):
        features = _block(features, 4, 128, 384, dropout=0.0)
    features = layers.LayerNormalization(epsilon=1e-6)(features)[:, 0]
    return keras.Model(inputs, layers.Dense(10, dtype="float32")(features))


def mlp_mixer():
    inputs = keras.Input((96, 96, 3))
    features = layers.Reshape((144, 128))(layers.Conv2D(128, 8, strides=8)(inputs))
    for _ in range(4):
        out = layers.Permute((2, 1))(layers.LayerNormalization()(features))
        out = layers.Dense(144)(layers.Dense(288, activation="gelu")(out))
        features = layers.Add()([features, layers.Permute((2, 1))(out)])
        out = layers.Dense(512, activation="gelu")(layers.LayerNormalization()(features))
        features = layers.Add()([features, layers.Dense(128)(out)])
    return keras.Model(inputs, _head(layers.GlobalAveragePooling1D()(features)))


# Pictures out of pictures.


def _twice(features, width):
    for _ in range(2):
        features = layers.Conv2D(width, 3, padding="same", use_bias=False)(features)
        features = layers.Activation("relu")(layers.BatchNormalization()(features))
    return features


def unet_transpose():
    inputs = keras.Input((128, 128, 3))
    features, kept = inputs, []
    for width in (32, 64, 128):
        features = _twice(features, width)
        kept.append(features)
        features = layers.MaxPooling2D()(features)
    features = _twice(features, 256)
    for width in (128, 64, 32):
        features = layers.Conv2DTranspose(width, 2, strides=2)(features)
        features = _twice(layers.Concatenate()([features, kept.pop()]), width)
    return keras.Model(inputs, layers.Conv2D(21, 1, dtype="float32")(features))


def unet_upsampling():
    """Segmentation with bilinear upsampling and separable convolutions."""
    inputs = keras.Input((128, 128, 3))
    features, kept = inputs, []
    for width in (24, 48, 96):
        features = layers.SeparableConv2D(width, 3, padding="same", activation="relu")(features)
        features = layers.BatchNormalization()(features)
        kept.append(features)
        features = layers.Conv2D(width, 3, strides=2, padding="same", activation="relu")(features)
    for width in (96, 48, 24):
        features = layers.UpSampling2D(interpolation="bilinear")(features)
        features = layers.Concatenate()([features, kept.pop()])
        features = layers.SeparableConv2D(width, 3, padding="same", activation="relu")(features)
    return keras.Model(inputs, layers.Conv2D(3, 1, dtype="float32")(features))


def conv_autoencoder():
    """Compiled with a loss of its own: gives the picture back."""
    inputs = keras.Input((96, 96, 3))
    features = inputs
    for width in (32, 64, 128):
        features = layers.Conv2D(width, 3, strides=2, padding="same", activation="relu")(features)
    code = layers.Dense(64)(layers.Flatten()(features))
    features = layers.Reshape((12, 12, 128))(layers.Dense(12 * 12 * 128, activation="relu")(code))
    for width in (128, 64, 32):
        features = layers.Conv2DTranspose(width, 3, strides=2, padding="same", activation="relu")(features)
    model = keras.Model(inputs, layers.Conv2D(3, 3, padding="same", activation="sigmoid", dtype="float32")(features))
    model.compile(loss="mse")
    return model


class PixelShuffle(layers.Layer):
    """Turns channels into places, twice as many in each direction."""

    def call(self, inputs):
        height, width, channels = inputs.shape[1], inputs.shape[2], inputs.shape[3] // 4
        parts = keras.ops.reshape(inputs, (-1, height, width, 2, 2, channels))
        parts = keras.ops.transpose(parts, (0, 1, 3, 2, 4, 5))
        return keras.ops.reshape(parts, (-1, 2 * height, 2 * width, channels))


def super_resolution():
    """Compiled with a loss of its own: a picture of twice the size."""
    inputs = keras.Input((48, 48, 3))
    features = first = layers.Conv2D(64, 3, padding="same")(inputs)
    for _ in range(6):
        out = layers.Conv2D(64, 3, padding="same", activation="relu")(features)
        features = layers.Add()([features, layers.Conv2D(64, 3, padding="same")(out)])
    features = layers.Add()([first, features])
    features = PixelShuffle()(layers.Conv2D(256, 3, padding="same")(features))
    model = keras.Model(inputs, layers.Conv2D(3, 3, padding="same", dtype="float32")(features))
    model.compile(loss="mae")
    return model


# Sequences and volumes.


def lstm_text():
    tokens = keras.Input((80,), dtype="int32")
    features = layers.LSTM(128)(layers.Embedding(10_000, 64)(tokens))
    return keras.Model(tokens, _head(features, 2))


def gru_series():
    inputs = keras.Input((96, 12))
    features = layers.Bidirectional(layers.GRU(96, return_sequences=True))(inputs)
    features = layers.GRU(64)(features)
    return keras.Model(inputs, _head(features, 6))


def conv1d_series():
    inputs = keras.Input((1024, 6))
    features = inputs
    for width in (64, 128, 256):
        features = layers.Conv1D(width, 7, padding="same", use_bias=False)(features)
        features = layers.MaxPooling1D(2)(layers.Activation("relu")(layers.BatchNormalization()(features)))
    return keras.Model(inputs, _head(layers.GlobalAveragePooling1D()(features), 12))


def temporal_convolution():
    """Dilated causal convolutions with shortcuts, an answer for every moment."""
    inputs = keras.Input((512, 8))
    features = layers.Conv1D(64, 1)(inputs)
    for dilation in (1, 2, 4, 8, 16):
        out = layers.Conv1D(64, 3, padding="causal", dilation_rate=dilation, activation="relu")(features)
        out = layers.SpatialDropout1D(0.1)(layers.LayerNormalization()(out))
        features = layers.Add()([features, out])
    return keras.Model(inputs, layers.Dense(9, dtype="float32")(features))


def conv3d_video():
    inputs = keras.Input((16, 56, 56, 3))
    features = inputs
    for width in (16, 32, 64):
        features = layers.Conv3D(width, 3, padding="same", use_bias=False)(features)
        features = layers.Activation("relu")(layers.BatchNormalization()(features))
        features = layers.MaxPooling3D((2, 2, 2))(features)
    return keras.Model(inputs, _head(layers.GlobalAveragePooling3D()(features)))


# Several inputs, several outputs, shared layers.


def multi_task():
    """Compiled with losses of its own: a picture and a row of numbers give a class and a value."""
    picture = keras.Input((64, 64, 3), name="picture")
    numbers = keras.Input((20,), name="numbers")
    features = picture
    for width in (32, 64, 128):
        features = layers.Conv2D(width, 3, padding="same", activation="relu")(features)
        features = layers.MaxPooling2D()(features)
    features = layers.Concatenate()([layers.GlobalAveragePooling2D()(features), layers.Dense(64)(numbers)])
    features = layers.Dense(256, activation="relu")(features)
    kind = layers.Dense(12, dtype="float32", name="kind")(features)
    value = layers.Dense(1, dtype="float32", name="value")(features)
    model = keras.Model({"picture": picture, "numbers": numbers}, {"kind": kind, "value": value})
    sparse = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(loss={"kind": sparse, "value": "mse"}, loss_weights={"kind": 1.0, "value": 0.5})
    return model


def siamese():
    """Two pictures through one and the same network."""
    pair = [keras.Input((80, 80, 1), name="first"), keras.Input((80, 80, 1), name="second")]
    shared = keras.Sequential(name="tower")
    for width in (32, 64, 128):
        shared.add(layers.Conv2D(width, 3, padding="same", activation="relu"))
        shared.add(layers.BatchNormalization())
        shared.add(layers.MaxPooling2D())
    shared.add(layers.Flatten())
    shared.add(layers.Dense(128))
    first, second = (shared(picture) for picture in pair)
    features = layers.Concatenate()([layers.Subtract()([first, second]), layers.Multiply()([first, second])])
    return keras.Model(pair, layers.Dense(2, dtype="float32")(features))


FAMILY = {
    "small_cnn": "plain CNN",
    "vgg16": "plain CNN",
    "vgg_dense_top": "plain CNN",
    "strided_cnn": "plain CNN",
    "resnet50": "residual",
    "resnet50_v2": "residual",
    "resnet20": "residual",
    "squeeze_excite_net": "attention CNN",
    "cbam_net": "attention CNN",
    "densenet121": "dense",
    "dense_blocks": "dense",
    "mobilenet_v2": "depthwise",
    "mobilenet_v3_large": "depthwise",
    "efficientnet_b0": "depthwise",
    "efficientnet_v2_b0": "depthwise",
    "xception": "depthwise",
    "nasnet_mobile": "depthwise",
    "separable_net": "depthwise",
    "inception_v3": "inception",
    "inception_small": "inception",
    "convnext_tiny": "ConvNeXt",
    "convnext_own": "ConvNeXt",
    "frozen_mobilenet_v2": "frozen",
    "frozen_resnet50": "frozen",
    "mlp_tabular": "MLP",
    "mlp_wide": "MLP",
    "mlp_deep": "MLP",
    "mlp_regression": "MLP",
    "recommender": "recommender",
    "wide_and_deep": "recommender",
    "bert_small": "transformer",
    "bert_base": "transformer",
    "text_encoder": "transformer",
    "gpt_small": "causal transformer",
    "gpt_grouped": "causal transformer",
    "vit_small": "vision transformer",
    "vit_class_token": "vision transformer",
    "mlp_mixer": "vision transformer",
    "unet_transpose": "segmentation",
    "unet_upsampling": "segmentation",
    "conv_autoencoder": "picture regression",
    "super_resolution": "picture regression",
    "lstm_text": "recurrent",
    "gru_series": "recurrent",
    "conv1d_series": "1-D convolution",
    "temporal_convolution": "1-D convolution",
    "conv3d_video": "3-D convolution",
    "multi_task": "several inputs",
    "siamese": "several inputs",
}

# A GPU runs these with cuDNN's own kernels, which keep other buffers than the loop the CPU runs: measured, told apart.
CUDNN = frozenset({"lstm_text", "gru_series"})

HELD_OUT = frozenset({
    "strided_cnn",
    "resnet50_v2",
    "cbam_net",
    "dense_blocks",
    "mobilenet_v3_large",
    "efficientnet_v2_b0",
    "inception_small",
    "convnext_own",
    "frozen_resnet50",
    "mlp_deep",
    "wide_and_deep",
    "bert_base",
    "gpt_grouped",
    "vit_class_token",
    "unet_upsampling",
    "super_resolution",
    "gru_series",
    "temporal_convolution",
    "siamese",
})  # fmt: skip
