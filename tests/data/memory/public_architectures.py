"""Networks that public reports of real cards speak of (``public_facts.toml``); our own work, Apache-2.0.

Each function without arguments builds one network at the input size of the report, under the dtype policy that is set
at that moment, and gives it back uncompiled; ``packaging/trace_public_networks.py`` traces them into
``public_networks.json``. Where a report's own code differs (fused normalisation, other drop-out), its row says so.
"""

from __future__ import annotations

import keras
from architectures import ClassToken, Positions
from keras import layers


def _published(name, height, width=None):
    """Give a network of Keras Applications with its own top for 1000 classes, logits out."""
    build = getattr(keras.applications, name)
    return build(weights=None, input_shape=(height, width or height, 3), classes=1000, classifier_activation=None)


def _without_top(name, side, units):
    """Give a network as the image template writes it, which is how transfer learning is written too."""
    inputs = keras.Input((side, side, 3))
    features = getattr(keras.applications, name)(include_top=False, weights=None, input_shape=(side, side, 3))(inputs)
    features = layers.GlobalAveragePooling2D()(features)
    return keras.Model(inputs, layers.Dense(units, dtype="float32")(features))


def resnet50_224():
    return _published("ResNet50", 224)


def resnet50_240x320():
    return _published("ResNet50", 240, 320)


def resnet101_224():
    return _published("ResNet101", 224)


def resnet152_224():
    return _published("ResNet152", 224)


def vgg16_224():
    return _published("VGG16", 224)


def inception_v3_299():
    return _published("InceptionV3", 299)


def inception_v3_170():
    return _without_top("InceptionV3", 170, 10)


def inception_resnet_v2_299():
    return _without_top("InceptionResNetV2", 299, 5)


def efficientnet_b0_224():
    return _published("EfficientNetB0", 224)


def efficientnet_b4_380():
    return _published("EfficientNetB4", 380)


def efficientnet_b7_320():
    return _without_top("EfficientNetB7", 320, 10)


def mobilenet_v2_224():
    return _without_top("MobileNetV2", 224, 8)


def densenet121_224():
    return _published("DenseNet121", 224)


def xception_299():
    return _published("Xception", 299)


def convnext_tiny_224():
    return _published("ConvNeXtTiny", 224)


def small_xception_180():
    """The network of the Keras example "Image classification from scratch" in words of our own."""
    inputs = keras.Input((180, 180, 3))
    features = layers.Rescaling(1 / 255)(inputs)
    features = layers.Conv2D(128, 3, strides=2, padding="same")(features)
    features = kept = layers.Activation("relu")(layers.BatchNormalization()(features))
    for width in (256, 512, 728):
        for _ in range(2):
            features = layers.SeparableConv2D(width, 3, padding="same")(layers.Activation("relu")(features))
            features = layers.BatchNormalization()(features)
        features = layers.MaxPooling2D(3, strides=2, padding="same")(features)
        features = kept = layers.Add()([features, layers.Conv2D(width, 1, strides=2, padding="same")(kept)])
    features = layers.BatchNormalization()(layers.SeparableConv2D(1024, 3, padding="same")(features))
    features = layers.GlobalAveragePooling2D()(layers.Activation("relu")(features))
    return keras.Model(inputs, layers.Dense(1, dtype="float32")(layers.Dropout(0.25)(features)))


def unet_medical_572():
    """U-Net of the 2015 paper: unpadded convolutions, no normalisation, 572 in and 388 out."""
    inputs = keras.Input((572, 572, 1))
    features, kept = inputs, []
    for width in (64, 128, 256, 512):
        features = _two_convolutions(features, width)
        kept.append(features)
        features = layers.MaxPooling2D()(features)
    features = layers.Dropout(0.5)(_two_convolutions(features, 1024))
    for width in (512, 256, 128, 64):
        features = layers.Conv2DTranspose(width, 3, strides=2, padding="same", activation="relu")(features)
        beside = kept.pop()
        rest = (beside.shape[1] - features.shape[1]) // 2
        features = layers.Concatenate()([features, layers.Cropping2D(rest)(beside)])
        features = _two_convolutions(features, width)
    return keras.Model(inputs, layers.Conv2D(2, 1, dtype="float32")(features))


def _two_convolutions(features, width):
    for _ in range(2):
        features = layers.Conv2D(width, 3, activation="relu")(features)
    return features


def _half(features, norm_first, dropout, inner):
    """One half of a transformer block with its shortcut; normalisation before or after it."""
    given = layers.LayerNormalization(epsilon=1e-6)(features) if norm_first else features
    out = inner(given)
    out = layers.Dropout(dropout)(out) if dropout else out
    features = layers.Add()([features, out])
    return features if norm_first else layers.LayerNormalization(epsilon=1e-12)(features)


def _block(features, heads, width, *, causal=False, norm_first=True, dropout=0.0):
    attention = layers.MultiHeadAttention(heads, width // heads, dropout=dropout)
    features = _half(features, norm_first, dropout, lambda given: attention(given, given, use_causal_mask=causal))
    wide, narrow = layers.Dense(4 * width, activation="gelu"), layers.Dense(width)
    return _half(features, norm_first, dropout, lambda given: narrow(wide(given)))


def _bert(length, width, depth, heads):
    """Classifier as fine-tuned: post-normalised blocks, drop-out 0.1, pooled first token, two classes."""
    tokens, kinds = keras.Input((length,), dtype="int32"), keras.Input((length,), dtype="int32")
    features = layers.Add()([layers.Embedding(30_522, width)(tokens), layers.Embedding(2, width)(kinds)])
    features = layers.Dropout(0.1)(layers.LayerNormalization(epsilon=1e-12)(Positions()(features)))
    for _ in range(depth):
        features = _block(features, heads, width, norm_first=False, dropout=0.1)
    pooled = layers.Dense(width, activation="tanh")(features[:, 0])
    return keras.Model([tokens, kinds], layers.Dense(2, dtype="float32")(layers.Dropout(0.1)(pooled)))


def bert_base_64():
    return _bert(64, 768, 12, 12)


def bert_base_128():
    return _bert(128, 768, 12, 12)


def bert_base_200():
    return _bert(200, 768, 12, 12)


def bert_base_256():
    return _bert(256, 768, 12, 12)


def bert_base_320():
    return _bert(320, 768, 12, 12)


def bert_base_384():
    return _bert(384, 768, 12, 12)


def bert_base_512():
    return _bert(512, 768, 12, 12)


def bert_large_128():
    return _bert(128, 1024, 24, 16)


def bert_large_384():
    return _bert(384, 1024, 24, 16)


def bert_large_512():
    return _bert(512, 1024, 24, 16)


class AttentionByHand(layers.Layer):
    """Causal attention out of single operations, as the first public code of GPT-2 writes it: softmax by hand."""

    def __init__(self, heads, width):
        super().__init__()
        self.heads, self.width = heads, width
        self.wide, self.narrow = layers.Dense(3 * width), layers.Dense(width)

    def call(self, inputs):
        length = inputs.shape[1]
        parts = keras.ops.reshape(self.wide(inputs), (-1, length, 3, self.heads, self.width // self.heads))
        query, key, value = keras.ops.unstack(keras.ops.transpose(parts, (2, 0, 3, 1, 4)))
        scores = keras.ops.matmul(query, keras.ops.transpose(key, (0, 1, 3, 2))) / (self.width // self.heads) ** 0.5
        seen = keras.ops.cast(keras.ops.tri(length), scores.dtype)
        scores = scores * seen - 1e10 * (1 - seen)
        powers = keras.ops.exp(scores - keras.ops.max(scores, axis=-1, keepdims=True))
        mixed = keras.ops.matmul(powers / keras.ops.sum(powers, axis=-1, keepdims=True), value)
        return self.narrow(keras.ops.reshape(keras.ops.transpose(mixed, (0, 2, 1, 3)), (-1, length, self.width)))


def _gelu_by_hand(inputs):
    inner = 0.7978845608 * (inputs + 0.044715 * keras.ops.power(inputs, 3))
    return 0.5 * inputs * (1 + keras.ops.tanh(inner))


def _block_by_hand(features, heads, width):
    features = _half(features, True, 0.0, AttentionByHand(heads, width))
    wide, narrow = layers.Dense(4 * width, activation=_gelu_by_hand), layers.Dense(width)
    return _half(features, True, 0.0, lambda given: narrow(wide(given)))


def _gpt2(width, depth, heads, *, dropout=0.0, by_hand=False):
    """Pre-normalised causal blocks over 1024 tokens; one table at both ends."""
    tokens = keras.Input((1024,), dtype="int32")
    table = layers.ReversibleEmbedding(50_257, width)
    features = Positions()(table(tokens))
    features = layers.Dropout(dropout)(features) if dropout else features
    for _ in range(depth):
        if by_hand:
            features = _block_by_hand(features, heads, width)
        else:
            features = _block(features, heads, width, causal=True, dropout=dropout)
    logits = table(layers.LayerNormalization(epsilon=1e-5)(features), reverse=True)
    return keras.Model(tokens, layers.Activation("linear", dtype="float32")(logits))


def gpt2_small_1024():
    """As in Hugging Face's library, where drop-out is 0.1."""
    return _gpt2(768, 12, 12, dropout=0.1)


def gpt2_small_by_hand_1024():
    """As in OpenAI's code and what was made of it: no drop-out."""
    return _gpt2(768, 12, 12, by_hand=True)


def gpt2_medium_1024():
    """As in OpenAI's code and what was made of it: no drop-out."""
    return _gpt2(1024, 24, 16, by_hand=True)


def vit_base_16_224():
    inputs = keras.Input((224, 224, 3))
    features = layers.Reshape((196, 768))(layers.Conv2D(768, 16, strides=16)(inputs))
    features = Positions()(ClassToken()(features))
    for _ in range(12):
        features = _block(features, 12, 768)
    features = layers.LayerNormalization(epsilon=1e-6)(features)[:, 0]
    return keras.Model(inputs, layers.Dense(1000, dtype="float32")(features))
