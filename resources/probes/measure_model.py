"""Measures the memory of real training steps on the CPU, in the order in which a GPU runs them.

A maintainer's tool: ``python measure_model.py --path FOLDER --out FILE module:function,float32,adam,32 ...``. It is run
by a Python that has TensorFlow, needs nothing else, and appends one JSON line to FILE for each case, so that a crash
keeps what was measured. The function gives a Keras model; one without a loss gets sparse categorical cross-entropy and
accuracy, a compiled one keeps its own loss.

How: the CPU allocator is switched to the one TensorFlow uses on a GPU, TensorFlow's own profiler notes every allocation
and release of one step, and the notes are replayed. What a kernel frees before it ends is scratch of the CPU's kernels
and told apart, for a GPU's kernels need other scratch. Graph mode, no oneDNN, one thread.

The order matters: when a tensor dies depends on what runs first. TensorFlow's executor hands every CPU kernel that it
finds expensive to a thread pool, which runs the newest first and measures again with each step what is expensive. A
kernel on a GPU never counts as expensive, so that there everything runs from one queue, oldest first. This tool makes
CPU kernels inexpensive too, by replacing one small function in memory; see ``KernelOrder``.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import glob
import importlib
import json
import mmap
import os
import platform
import shutil
import sys
import tempfile

ENVIRONMENT = {
    "KERAS_BACKEND": "tensorflow",
    "TF_CPU_ALLOCATOR_USE_BFC": "true",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
}
ALLOCATOR_GRAIN = 256
# Machine code of a function that gives false.
GIVES_FALSE = {"x86_64": b"\x31\xc0\xc3", "amd64": b"\x31\xc0\xc3", "aarch64": b"\x00\x00\x80\x52\xc0\x03\x5f\xd6"}
PROTECTION_READ_RUN, PROTECTION_ALL = 5, 7
MAX_WARM_UP_STEPS = 6


def rounded(size):
    """Rounds as the allocator does; an empty tensor takes nothing."""
    return (size + ALLOCATOR_GRAIN - 1) // ALLOCATOR_GRAIN * ALLOCATOR_GRAIN


class KernelOrder:
    """Changes in this process whether a CPU kernel may count as expensive, for steps that are built afterwards.

    On a GPU none does: the whole step runs from one queue, first in, first out. Here the start of the function
    ``tensorflow::OpKernel::IsExpensive`` is replaced by "return false", or put back. Linux only.

    Raises:
        RuntimeError: This processor or this TensorFlow does not allow it.
    """

    def __init__(self):
        import tensorflow as tf

        self.code = GIVES_FALSE.get(platform.machine().lower())
        if self.code is None or not sys.platform.startswith("linux"):
            raise RuntimeError("The order of a GPU is only possible on Linux, on x86-64 and aarch64.")
        self.originals = {}
        for library in ("libtensorflow_framework.so.2", "libtensorflow_cc.so.2"):
            try:
                loaded = ctypes.CDLL(os.path.join(os.path.dirname(tf.__file__), library))
                function = loaded._ZN10tensorflow8OpKernel11IsExpensiveEv
            except (OSError, AttributeError):
                continue
            address = ctypes.cast(function, ctypes.c_void_p).value
            self.originals[address] = ctypes.string_at(address, len(self.code))
        if not self.originals:
            raise RuntimeError("This TensorFlow has no function OpKernel::IsExpensive to replace.")

    def follow_gpu(self):
        """Lets no kernel count as expensive."""
        for address in self.originals:
            self.write(address, self.code)

    def follow_cpu(self):
        """Lets TensorFlow decide again."""
        for address, original in self.originals.items():
            self.write(address, original)

    @staticmethod
    def write(address, code):
        """Writes machine code over a function."""
        libc = ctypes.CDLL(None, use_errno=True)
        page = ctypes.c_void_p(address - address % mmap.PAGESIZE)
        size = ctypes.c_size_t(2 * mmap.PAGESIZE)
        if libc.mprotect(page, size, PROTECTION_ALL) != 0:
            raise RuntimeError("The system does not let this process change its own code.")
        ctypes.memmove(address, code, len(code))
        libc.mprotect(page, size, PROTECTION_READ_RUN)


def make_optimizer(name):
    """Makes an optimizer by the product's names."""
    import keras

    if name == "momentum":
        return keras.optimizers.SGD(0.001, momentum=0.9)
    made = {"sgd": "SGD", "rmsprop": "RMSprop", "adam": "Adam", "adamw": "AdamW"}
    return getattr(keras.optimizers, made[name])(0.0001)


def load_model(name):
    """Calls ``module:function``."""
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(module), function)()


def compile_model(model, optimizer):
    """Compiles with the optimizer; gives whether the loss of each output is a sparse one, in the order of outputs."""
    import keras

    count = len(model.outputs)
    if not model.compiled:
        loss = [keras.losses.SparseCategoricalCrossentropy(from_logits=True) for _ in range(count)]
        metrics = [["accuracy"] for _ in range(count)]
        single = count == 1
        model.compile(
            optimizer=optimizer,
            loss=loss[0] if single else loss,
            metrics=metrics[0] if single else metrics,
            jit_compile=False,
        )
        return [True] * count
    loss, weights = model.loss, getattr(model._compile_loss, "_user_loss_weights", None)
    model.compile(optimizer=optimizer, loss=loss, loss_weights=weights, jit_compile=False)
    if isinstance(loss, dict):
        names = list(keras.tree.flatten({name: name for name in model._outputs_struct}))
        losses = [loss.get(name) for name in names]
    else:
        losses = list(loss) if isinstance(loss, (list, tuple)) else [loss] * count
    return ["sparse" in str(getattr(one, "name", one)).lower() for one in losses]


def make_batch(model, are_sparse, batch):
    """Makes inputs and targets as the model wants them, with numbers of a fixed seed."""
    import keras
    import numpy
    import tensorflow as tf

    generator = numpy.random.default_rng(1)
    tables = [layer.input_dim for layer in model._flatten_layers() if hasattr(layer, "input_dim")]
    highest = min([size for size in tables if isinstance(size, int)] or [2])

    def numbers(shape, dtype, below):
        shape = (batch,) + tuple(shape[1:])
        if "int" in dtype:
            return tf.constant(generator.integers(0, below, shape), dtype=dtype)
        return tf.constant(generator.random(shape, dtype=numpy.float32), dtype=dtype)

    inputs = keras.tree.map_structure(
        lambda tensor: numbers(tensor.shape, keras.backend.standardize_dtype(tensor.dtype), highest),
        model._inputs_struct,
    )
    targets = [
        numbers(output.shape[:-1], "int32", output.shape[-1]) if is_sparse else numbers(output.shape, "float32", 0)
        for output, is_sparse in zip(model.outputs, are_sparse)
    ]
    return inputs, keras.tree.pack_sequence_as(model._outputs_struct, targets)


def stat_values(event, names):
    """Gives the statistics of one profiler event by name."""
    found = {}
    for stat in event.stats:
        kind = stat.WhichOneof("value")
        value = getattr(stat, kind)
        found[names.get(stat.metadata_id, "")] = names.get(value, "") if kind == "ref_value" else value
    return found


def read_memory_events(folder):
    """Gives the allocations and releases of a trace in time order: (time, sign, statistics of the event)."""
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
                    if name in ("MemoryAllocation", "MemoryDeallocation"):
                        when = line.timestamp_ns * 1000 + event.offset_ps
                        events.append((when, 1 if name == "MemoryAllocation" else -1, stat_values(event, stats)))
    events.sort(key=lambda event: event[0])
    return events


def scratch_allocations(events):
    """Gives the positions of allocations that are scratch: asked for as such, and freed before another kernel asks.

    Some kernels ask for scratch and give it out as their result (Sum, Mean), or keep it as a variable's new value; that
    lives on when the next kernel begins. A release does not say which kernel it belongs to.
    """
    running, begun, found = None, {}, set()
    for position, (_, sign, stats) in enumerate(events):
        address = stats.get("addr")
        if sign > 0:
            kernel = stats.get("tf_op")
            if kernel is None or kernel != running:
                running, begun = kernel, {}
            begun.pop(address, None)
            if str(stats.get("region_type", "")).strip() == "temp":
                begun[address] = position
        elif address in begun:
            found.add(begun.pop(address))
    return found


def replay(events):
    """Follows the sum of live tensors through a step, beside what was there when it began.

    What was allocated before the step and is freed in it (a variable's old value) makes the sum smaller, for its new
    value was added.

    Returns:
        Highest sum of tensors, highest sum of tensors and scratch, and the sum that is left at the end, in bytes.
    """
    scratch_positions = scratch_allocations(events)
    live = {}
    tensors = scratch = peak_tensors = peak_all = 0
    for position, (_, sign, stats) in enumerate(events):
        address = stats.get("addr")
        size = rounded(int(stats.get("requested_bytes", 0)))
        if sign > 0:
            live[address] = (size, position in scratch_positions)
            if position in scratch_positions:
                scratch += size
            else:
                tensors += size
        else:
            size, was_scratch = live.pop(address, (size, False))
            if was_scratch:
                scratch -= size
            else:
                tensors -= size
        peak_tensors = max(peak_tensors, tensors)
        peak_all = max(peak_all, tensors + scratch)
    return peak_tensors, peak_all, tensors


def traced(step):
    """Runs a step under the profiler; gives its memory events and what the step gave."""
    import tensorflow as tf

    folder = tempfile.mkdtemp(prefix="gpuconfig-measure-")
    try:
        options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2, python_tracer_level=0)
        gc.collect()
        tf.profiler.experimental.start(folder, options)
        given = step()
        tf.profiler.experimental.stop()
        return read_memory_events(folder), given
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def bytes_of(tensors):
    """Sums tensors or variables as the allocator would hold them, each once."""
    import tensorflow as tf

    total = 0
    for tensor in {id(tensor): tensor for tensor in tensors}.values():
        count = 1
        for size in tensor.shape:
            count *= int(size)
        total += rounded(count * tf.as_dtype(tensor.dtype).size)
    return total


def optimizer_variables(optimizer):
    """Gives the variables of an optimizer, of the one it wraps too."""
    inner = getattr(optimizer, "inner_optimizer", None)
    return list(optimizer.variables) + ([] if inner is None else list(inner.variables))


def make_step(model, inputs, targets):
    """Gives a function, built anew, that runs one training step as fit does, and says whether it updated the weights.

    Loss scaling leaves an update out when a gradient is not finite; such a step needs less memory.
    """
    model.make_train_function(force=True)
    optimizer = model.optimizer
    if hasattr(optimizer, "dynamic_scale"):
        optimizer.build(model.trainable_variables)
        optimizer.dynamic_scale.assign(1.0)

    def step():
        before = int(optimizer.iterations.numpy())
        logs = model.train_function(iter([(inputs, targets, None)]))
        del logs
        return int(optimizer.iterations.numpy()) > before

    return step


def run_twice(model, inputs, targets):
    """Builds the step anew and runs it twice under the profiler, after it has settled; gives what was replayed."""
    step = make_step(model, inputs, targets)
    for _ in range(MAX_WARM_UP_STEPS):
        if step():
            break
    traces = [traced(step) for _ in range(2)]
    if not all(updated for _, updated in traces):
        raise RuntimeError("A step did not update the weights: a number was not finite.")
    runs = [replay(events) for events, _ in traces]
    return {
        "live": max(run[0] for run in runs),
        "scratch": max(run[1] for run in runs) - max(run[0] for run in runs),
        "left": runs[-1][2],
        "differs": max(run[0] for run in runs) - min(run[0] for run in runs),
    }


def measure(name, precision, optimizer, batch, order, is_plain_too):
    """Measures one point; gives its numbers as a dictionary, bytes as the allocator is asked for."""
    import keras
    import tensorflow as tf

    keras.backend.clear_session()
    keras.mixed_precision.set_global_policy(precision)
    keras.utils.set_random_seed(1)
    model = load_model(name)
    are_sparse = compile_model(model, make_optimizer(optimizer))
    inputs, targets = make_batch(model, are_sparse, batch)
    order.follow_gpu()
    tf.config.experimental.reset_memory_stats("CPU:0")
    found = run_twice(model, inputs, targets)
    allocator_peak = tf.config.experimental.get_memory_info("CPU:0")["peak"]
    own = optimizer_variables(model.optimizer)
    variables = bytes_of(list(model.variables) + list(model.metrics_variables) + own)
    held = bytes_of(keras.tree.flatten((inputs, targets)))
    total = variables + held + found["live"]
    point = {
        "params": int(model.count_params()),
        "weight_bytes": bytes_of(model.weights),
        "optimizer_bytes": bytes_of(own),
        "variable_bytes": variables,
        "input_bytes": held,
        "live_bytes": found["live"],
        "step_peak_bytes": total,
        "scratch_bytes": found["scratch"],
        "left_bytes": found["left"],
        "spread": round(found["differs"] / total, 5),
        "allocator_peak_bytes": int(allocator_peak),
        "tensorflow": tf.__version__,
        "keras": keras.__version__,
    }
    if is_plain_too:
        order.follow_cpu()
        plain = run_twice(model, inputs, targets)
        point["plain_step_bytes"] = variables + held + plain["live"]
        point["plain_spread"] = round(plain["differs"] / total, 5)
    return point


def main():
    """Measures the given cases one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    form = "MODULE:FUNCTION,PRECISION,OPTIMIZER,BATCH[,plain]"
    parser.add_argument("cases", nargs="+", metavar=form, help="plain: in the order of a CPU too, as plain_step_bytes")
    parser.add_argument("--path", action="append", default=[], help="folder to look for modules in")
    parser.add_argument("--out", required=True, help="file that JSON lines are appended to")
    arguments = parser.parse_args()
    sys.path[:0] = arguments.path
    os.environ.update(ENVIRONMENT)
    import tensorflow as tf

    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    order = KernelOrder()
    for text in arguments.cases:
        words = text.split(",")
        model, precision, optimizer, batch = words[0], words[1], words[2], int(words[3])
        point = {"precision": precision, "optimizer": optimizer, "batch": batch, "model": model.partition(":")[2]}
        try:
            point.update(measure(model, precision, optimizer, batch, order, words[-1] == "plain"))
        except Exception as error:  # a case that fails must not lose the others
            point["error"] = "%s: %s" % (type(error).__name__, str(error)[:500])
        with open(arguments.out, "a") as file:
            file.write(json.dumps(point, sort_keys=True) + "\n")
        gc.collect()


if __name__ == "__main__":
    main()
