"""Measures the memory of real training steps of the built-in models, on the CPU, for resources/knowledge/models.toml.

A maintainer's tool: ``python measure_model.py --out FILE [--case JSON]...``. It is run by a Python that has TensorFlow,
needs nothing else, and appends one JSON line per measured step to FILE, so that a crash keeps what was measured.

The CPU allocator is switched to the one TensorFlow uses on a GPU. A step is traced by TensorFlow's own profiler, and the
allocations and releases found in the trace are replayed; scratch memory of CPU kernels is told apart, for a GPU's
kernels need other scratch. Graph mode, one operation at a time, oneDNN off.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import shutil
import sys
import tempfile
import time

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPU_ALLOCATOR_USE_BFC", "true")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

ALLOCATOR_GRAIN = 256


def build_model(case):
    """Builds the model of a case as the templates write it: own float32 head, published nets without their top."""
    import keras

    shape = tuple(case["input"])
    options = case.get("options", {})
    inputs = keras.Input(shape)
    if case["model"] == "mlp":
        features = keras.layers.Normalization(mean=0.0, variance=1.0)(inputs)
        for units in options.get("hidden_units", [128, 128]):
            features = keras.layers.Dense(units, activation="relu")(features)
            features = keras.layers.Dropout(options.get("dropout", 0.1))(features)
        backbone = None
    elif case["model"] == "small_cnn":
        features = keras.layers.Rescaling(1 / 255)(inputs)
        for block in range(options.get("blocks", 3)):
            features = keras.layers.Conv2D(
                options.get("width", 32) * 2**block, 3, padding="same", use_bias=False
            )(features)
            features = keras.layers.BatchNormalization()(features)
            features = keras.layers.Activation("relu")(features)
            features = keras.layers.MaxPooling2D(padding="same")(features)
        features = keras.layers.GlobalAveragePooling2D()(features)
        features = keras.layers.Dropout(0.2)(features)
        backbone = None
    else:
        arguments = {"include_top": False, "weights": None, "input_shape": shape}
        backbone = getattr(keras.applications, case["model"])(**arguments)
        backbone.trainable = not case.get("frozen", False)
        features = backbone(inputs, training=False) if case.get("frozen", False) else backbone(inputs)
        features = keras.layers.GlobalAveragePooling2D()(features)
        features = keras.layers.Dropout(0.2)(features)
    outputs = keras.layers.Dense(case.get("units", 10), dtype="float32")(features)
    return keras.Model(inputs, outputs), backbone


def all_layers(model):
    """Yields every layer once, nested models opened."""
    for layer in model.layers:
        if hasattr(layer, "layers"):
            for inner in all_layers(layer):
                yield inner
        else:
            yield layer


def layer_macs(layer):
    """Counts multiply-adds of one sample in a layer; 0 for layers without a kernel."""
    kernel = getattr(layer, "kernel", None)
    if kernel is None or not hasattr(layer, "output"):
        return 0
    shape = tuple(int(size) for size in kernel.shape)
    out = tuple(int(size) for size in layer.output.shape[1:])
    kind = type(layer).__name__
    if kind == "Dense":
        positions = 1
        for size in out[:-1]:
            positions *= size
        return shape[0] * shape[1] * positions
    if kind == "DepthwiseConv2D":
        return shape[0] * shape[1] * out[0] * out[1] * out[2]
    if kind in ("Conv2D",):
        return shape[0] * shape[1] * shape[2] * out[0] * out[1] * out[2]
    return 0


def output_elements(model):
    """Counts the numbers in all layer outputs of one sample."""
    total = 0
    for layer in all_layers(model):
        output = getattr(layer, "output", None)
        shape = getattr(output, "shape", None)
        if shape is None or None in tuple(shape[1:]):
            continue
        count = 1
        for size in shape[1:]:
            count *= int(size)
        total += count
    return total


def make_optimizer(name):
    """Makes an optimizer by the product's names."""
    import keras

    if name == "momentum":
        return keras.optimizers.SGD(0.01, momentum=0.9)
    made = {"sgd": keras.optimizers.SGD, "rmsprop": keras.optimizers.RMSprop, "adam": keras.optimizers.Adam}
    made["adamw"] = keras.optimizers.AdamW
    return made[name](0.001)


def rounded(size):
    """Rounds as the allocator does."""
    return (size + ALLOCATOR_GRAIN - 1) // ALLOCATOR_GRAIN * ALLOCATOR_GRAIN


def read_memory_events(folder):
    """Gives the allocations and releases of a trace in time order: (time, sign, address, bytes, is scratch)."""
    from tensorflow.tsl.profiler.protobuf import xplane_pb2

    events = []
    for path in glob.glob(os.path.join(folder, "**", "*.xplane.pb"), recursive=True):
        space = xplane_pb2.XSpace()
        with open(path, "rb") as file:
            space.ParseFromString(file.read())
        for plane in space.planes:
            names = {key: value.name for key, value in plane.event_metadata.items()}
            stats = {key: value.name for key, value in plane.stat_metadata.items()}
            for line in plane.lines:
                for event in line.events:
                    name = names.get(event.metadata_id, "")
                    if name not in ("MemoryAllocation", "MemoryDeallocation"):
                        continue
                    found = {}
                    for stat in event.stats:
                        kind = stat.WhichOneof("value")
                        value = getattr(stat, kind)
                        if kind == "ref_value":
                            value = stats.get(value, "")
                        found[stats.get(stat.metadata_id, "")] = value
                    when = line.timestamp_ns * 1000 + event.offset_ps
                    events.append((when, 1 if name == "MemoryAllocation" else -1, found))
    events.sort(key=lambda event: event[0])
    return events


def replay(events):
    """Gives the highest sum of live outputs, of outputs and scratch, and how many allocations there were."""
    live = {}
    outputs = scratch = peak_outputs = peak_all = 0
    for _, sign, stats in events:
        address = stats.get("address", stats.get("addr"))
        if sign > 0:
            size = rounded(int(stats.get("requested_bytes", stats.get("allocation_bytes", 0))))
            is_scratch = str(stats.get("region_type", "")).strip() == "temp"
            live[address] = (size, is_scratch)
            if is_scratch:
                scratch += size
            else:
                outputs += size
            peak_outputs = max(peak_outputs, outputs)
            peak_all = max(peak_all, outputs + scratch)
        elif address in live:
            size, is_scratch = live.pop(address)
            if is_scratch:
                scratch -= size
            else:
                outputs -= size
    return peak_outputs, peak_all, len(events)


def measure(case):
    """Runs one case and gives its numbers as a dictionary."""
    import keras
    import numpy
    import tensorflow as tf

    keras.mixed_precision.set_global_policy(case.get("precision", "float32"))
    keras.utils.set_random_seed(1)
    model, backbone = build_model(case)
    model.compile(
        optimizer=make_optimizer(case.get("optimizer", "adam")),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
        jit_compile=False,
    )
    batch = case["batch"]
    generator = numpy.random.default_rng(1)
    inputs = tf.constant(generator.random((batch,) + tuple(case["input"]), dtype=numpy.float32))
    targets = tf.constant(generator.integers(0, case.get("units", 10), batch))
    model.train_on_batch(inputs, targets)
    resident = tf.config.experimental.get_memory_info("CPU:0")["current"]
    tf.config.experimental.reset_memory_stats("CPU:0")
    started = time.perf_counter()
    model.train_on_batch(inputs, targets)
    step_s = time.perf_counter() - started
    allocator_peak = tf.config.experimental.get_memory_info("CPU:0")["peak"]
    folder = tempfile.mkdtemp(prefix="gpuconfig-measure-")
    try:
        tf.profiler.experimental.start(
            folder, tf.profiler.experimental.ProfilerOptions(host_tracer_level=3, python_tracer_level=0)
        )
        model.train_on_batch(inputs, targets)
        tf.profiler.experimental.stop()
        peak_outputs, peak_all, event_count = replay(read_memory_events(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {
        "case": case,
        "params": int(model.count_params()),
        "trainable_params": sum(int(numpy.prod(weight.shape)) for weight in model.trainable_weights),
        "backbone_params": int(backbone.count_params()) if backbone is not None else None,
        "backbone_trainable_params": None
        if backbone is None
        else sum(int(numpy.prod(weight.shape)) for weight in backbone.trainable_weights),
        "optimizer_bytes": sum(
            int(numpy.prod(variable.shape)) * int(tf.as_dtype(variable.dtype).size)
            for variable in model.optimizer.variables
        ),
        "macs": sum(layer_macs(layer) for layer in all_layers(model)),
        "output_elements": output_elements(model),
        "layer_count": sum(1 for _ in all_layers(model)),
        "resident_bytes": int(resident),
        "step_outputs_bytes": int(peak_outputs),
        "step_all_bytes": int(peak_all),
        "allocator_peak_bytes": int(allocator_peak),
        "event_count": event_count,
        "step_s": step_s,
        "tensorflow": tf.__version__,
        "keras": keras.__version__,
        "python": sys.version.split()[0],
    }


def main():
    """Measures the given cases one after the other in this process; a caller starts one process per model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, help="file that JSON lines are appended to")
    parser.add_argument("--case", action="append", default=[], help="JSON: model, input, batch, precision, optimizer")
    arguments = parser.parse_args()
    import tensorflow as tf

    tf.config.threading.set_inter_op_parallelism_threads(1)
    for text in arguments.case:
        case = json.loads(text)
        try:
            result = measure(case)
        except Exception as error:  # a case that fails must not lose the others
            result = {"case": case, "error": "%s: %s" % (type(error).__name__, str(error)[:500])}
        with open(arguments.out, "a") as file:
            file.write(json.dumps(result, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
