"""Builds the training step of a model as Keras would run it and writes down its graph; nothing is computed.

    python trace_step.py --out FILE --model MODULE:FUNCTION [--path FOLDER] --batch N [--batch M]...
        [--precision POLICY] [--optimizer NAME] [--jit] [--input-shape SIZES]...

``--model`` may also name a ``.keras`` or ``.h5`` file (``open_model.py``). The function takes no arguments and gives a
plain or a compiled model, built under the policy that is set at that moment. JSON lines are appended to FILE, so that a
crash keeps what was written: ``begin`` for each stage, ``facts`` and ``note`` about the model, ``graph`` for each batch,
or ``error`` with a kind and the values of the sentence about it.

The graph is the one TensorFlow would execute, after its own optimizer, with the bytes of every tensor. Host memory is
needed for weights and the optimizer's slots only; no GPU is touched. Standard library and TensorFlow 2.16 or newer,
Python 3.7 syntax. What the graph means is decided by the application.
"""

import argparse
import faulthandler
import importlib
import importlib.util
import json
import os
import sys
import time

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

SCHEMA = "gpuconfig-step/1"
LONGEST_TEXT = 2000
LARGEST_VALUE = 64
BACKWARD = "gradient_tape"
DEFAULT_LOSS = "sparse_categorical_crossentropy"
GPU_QUESTION = "_is_gpu" + "_available"  # Keras's own, not the old one of TensorFlow
PROCESSOR = "/job:localhost/replica:0/task:0/device:CPU:0"
GPU = "/job:localhost/replica:0/task:0/device:GPU:0"
OPTIMIZERS = ("sgd", "momentum", "rmsprop", "adam", "adamw")
ELEMENTWISE = frozenset((
    "Abs Add AddN AddV2 Cast Cos Div DivNoNan Equal Erf Erfc Exp ExpandDims Expm1 Floor Greater GreaterEqual Identity "
    "IsFinite IsInf IsNan Less LessEqual Log Log1p LogicalAnd LogicalNot LogicalOr Maximum Merge Minimum Mul Neg "
    "NotEqual Pow RealDiv Reciprocal Relu ReluGrad Reshape Rsqrt RsqrtGrad Select SelectV2 Sigmoid SigmoidGrad Sign "
    "Sin Sqrt SqrtGrad Square SquaredDifference Squeeze StopGradient Sub Switch Tanh TanhGrad Transpose "
    "_UnaryOpsComposition "
).split())


def make_optimizer(name):
    """Makes an optimizer by the product's names."""
    import keras

    if name == "momentum":
        return keras.optimizers.SGD(0.01, momentum=0.9)
    made = {"sgd": keras.optimizers.SGD, "rmsprop": keras.optimizers.RMSprop, "adam": keras.optimizers.Adam}
    made["adamw"] = keras.optimizers.AdamW
    return made[name](0.001)


def allow_cudnn():
    """Lets Keras take cuDNN's recurrent kernels as it does where there is a GPU; only the graph is made of them."""
    try:
        recurrent = importlib.import_module("keras.src.backend.tensorflow.rnn")
        setattr(recurrent, GPU_QUESTION, lambda: True)
    except ImportError:
        pass  # another layout of Keras: loops instead, which are followed too


def sibling(name):
    """Loads a Python file beside this one, without its folder among those that the user's modules are looked for in."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("gpuconfig_" + name, place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


opening = sibling("open_model")
listing = sibling("list_layers")


def prepare(model, symbols, optimizer):
    """Compiles with our optimizer and tells how: the loss, and for each output whether its targets are whole numbers.

    None in the place of the latter means that the model computes its loss without targets.
    """
    import keras

    outputs, names = flat_outputs(model, symbols)
    own = getattr(model, "loss", None)
    if own is None and getattr(model, "compiled", False):
        model.compile(optimizer=make_optimizer(optimizer), jit_compile=False)
        return "own", None
    if own is not None:
        losses = [own.get(name) for name in names] if isinstance(own, dict) else own
        losses = list(losses) if isinstance(losses, (list, tuple)) else [losses] * len(outputs)
        compiled = getattr(model, "_compile_loss", None)
        weights = getattr(compiled, "_user_loss_weights", None)
        model.compile(optimizer=make_optimizer(optimizer), loss=own, loss_weights=weights, jit_compile=False)
        return "own", [is_sparse(loss) for loss in losses]
    loss = [keras.losses.SparseCategoricalCrossentropy(from_logits=True) for _ in outputs]
    metrics = [["accuracy"] for _ in outputs]
    if isinstance(symbols[1], dict):
        loss, metrics = dict(zip(names, loss)), dict(zip(names, metrics))
    elif len(outputs) == 1:
        loss, metrics = loss[0], metrics[0]
    model.compile(optimizer=make_optimizer(optimizer), loss=loss, metrics=metrics, jit_compile=False)
    return DEFAULT_LOSS, [True] * len(outputs)


def is_sparse(loss):
    """Tells whether a loss takes whole numbers as targets."""
    name = loss if isinstance(loss, str) else getattr(loss, "name", None) or getattr(loss, "__name__", "")
    return "sparse" in str(name)


def flat_outputs(model, symbols):
    """Gives the model's outputs and their names as fit would match them with targets."""
    output = symbols[1]
    if isinstance(output, dict):
        return [output[key] for key in output], list(output)
    outputs = list(output) if isinstance(output, (list, tuple)) else [output]
    return outputs, list(getattr(model, "output_names", None) or []) or [str(number) for number in range(len(outputs))]


def data_specs(model, symbols, batch, sparse):
    """Gives inputs and targets of one batch as TensorSpecs, in the structure that fit passes on."""
    import tensorflow as tf

    def with_batch(tensor, dtype, cut=None):
        return tf.TensorSpec((batch,) + tuple(tensor.shape)[1:cut], dtype)

    outputs, names = flat_outputs(model, symbols)
    inputs = tf.nest.map_structure(lambda tensor: with_batch(tensor, str(tensor.dtype)), symbols[0])
    if sparse is None:
        return (inputs,)
    targets = [
        with_batch(output, "int32", -1) if whole else with_batch(output, "float32")
        for output, whole in zip(outputs, sparse)
    ]
    if isinstance(symbols[1], dict):
        return inputs, dict(zip(names, targets))
    return inputs, targets if len(targets) > 1 else targets[0]


def build_step(model, specs):
    """Gives the concrete function of one training step, with all variables made before it is traced."""
    import keras
    import tensorflow as tf

    if not model.optimizer.built:
        model.optimizer.build(model.trainable_variables)
    symbolic = tf.nest.map_structure(lambda spec: keras.KerasTensor(spec.shape, spec.dtype.name), specs)
    try:
        model._symbolic_build(data_batch=symbolic)
    except (AttributeError, TypeError):
        pass  # older Keras makes what is missing while tracing

    def train_step(data):
        return model.distribute_strategy.run(model.train_step, args=(data,))

    return tf.function(train_step, reduce_retracing=True).get_concrete_function(specs)


def execution_graph(concrete):
    """Gives the graph as a function is executed: arguments and results are nodes; and the names of the results."""
    import tensorflow as tf
    from tensorflow.core.framework import graph_pb2
    from tensorflow.python.ops import handle_data_util

    given = concrete.graph.as_graph_def(add_shapes=True)
    graph = graph_pb2.GraphDef()
    graph.versions.CopyFrom(given.versions)
    graph.library.CopyFrom(given.library)
    arguments = set()
    for number, tensor in enumerate(concrete.graph.inputs):
        node = graph.node.add(name=tensor.op.name, op="_Arg")
        arguments.add(tensor.op.name)
        node.attr["T"].type = tensor.dtype.as_datatype_enum
        node.attr["index"].i = number
        if tensor.dtype == tf.resource:
            for part in handle_data_util.get_resource_handle_data(tensor).shape_and_type:
                node.attr["_handle_dtypes"].list.type.append(part.dtype)
                node.attr["_handle_shapes"].list.shape.add().CopyFrom(part.shape)
        else:
            node.attr["_output_shapes"].list.shape.add().CopyFrom(tensor.shape.as_proto())
    for node in given.node:
        if node.name not in arguments:
            graph.node.add().CopyFrom(node)
    results = []
    for number, tensor in enumerate(concrete.graph.outputs):
        node = graph.node.add(name="gpuconfig_result_%d" % number, op="_Retval")
        node.attr["T"].type = tensor.dtype.as_datatype_enum
        node.attr["index"].i = number
        node.input.append(tensor.name)
        results.append(node.name)
    return graph, results


def optimized(concrete, graph, results, capability):
    """Gives the graph after TensorFlow's own optimizer.

    With a compute capability it is optimized for such a GPU, which need not be here: convolutions may get another
    layout, with transposes around them.
    """
    from tensorflow.core.protobuf import config_pb2, meta_graph_pb2, rewriter_config_pb2
    from tensorflow.python.grappler import tf_optimizer

    config = config_pb2.ConfigProto()
    options = config.graph_options.rewrite_options
    options.min_graph_nodes = -1
    options.memory_optimization = rewriter_config_pb2.RewriterConfig.NO_MEM_OPT
    whole = meta_graph_pb2.MetaGraphDef()
    whole.graph_def.CopyFrom(graph)
    for node in whole.graph_def.node:
        node.device = GPU if capability else PROCESSOR
    kept = whole.collection_def["train_op"].node_list.value
    kept.extend(results)
    kept.extend(operation.name for operation in concrete.graph.control_outputs)
    devices = imagined(capability) if capability else None
    return tf_optimizer.OptimizeGraph(config, whole, False, b"step", devices)


def imagined(capability):
    """Gives a machine with one GPU, as far as TensorFlow's optimizer asks."""
    from tensorflow.core.protobuf import device_properties_pb2
    from tensorflow.python.grappler import cluster

    gpu = device_properties_pb2.NamedDevice(name=GPU)
    gpu.properties.type, gpu.properties.vendor = "GPU", "NVIDIA"
    gpu.properties.environment["architecture"] = capability
    gpu.properties.environment["cudnn"] = "90000"
    gpu.properties.num_cores, gpu.properties.frequency = 80, 1500
    gpu.properties.memory_size = 1 << 40
    processor = device_properties_pb2.NamedDevice(name=PROCESSOR)
    processor.properties.type = "CPU"
    processor.properties.num_cores, processor.properties.frequency = 8, 3000
    processor.properties.memory_size = 1 << 40
    return cluster.Cluster(devices=[gpu, processor])


def constant(operation):
    """Gives the value of a small constant as a list of numbers, None for anything else."""
    import tensorflow as tf

    if operation.type != "Const" or not operation.outputs[0].dtype.is_integer:
        return None
    shape = operation.outputs[0].shape
    if shape.rank is None or shape.num_elements() is None or shape.num_elements() > LARGEST_VALUE:
        return None
    value = tf.make_ndarray(operation.get_attr("value"))
    return [int(number) for number in value.flatten()]


def is_view(operation):
    """Tells whether the kernel hands on a part of its input instead of copying, as its constant arguments decide."""
    inputs, outputs = operation.inputs, operation.outputs
    if operation.type in ("Split", "SplitV"):
        axis = constant(inputs[0 if operation.type == "Split" else 2].op)
        return axis is not None and axis == [0]
    if operation.type == "Unpack":
        return operation.get_attr("axis") == 0
    if operation.type in ("Slice", "StridedSlice"):
        before, after = inputs[0].shape, outputs[0].shape
        if operation.type == "StridedSlice" and constant(inputs[3].op) not in ([1], [1] * 8):
            return False
        same = before.is_fully_defined() and after.is_fully_defined() and before.rank == after.rank
        return bool(same and before.rank and list(before)[1:] == list(after)[1:])
    if operation.type == "Transpose":
        order = constant(inputs[1].op)
        shape = inputs[0].shape
        if order is None or not shape.is_fully_defined():
            return False
        moved = [axis for axis in order if shape[axis] != 1]
        return moved == sorted(moved)
    return False


def count_elements(operations, original):
    """Gives the elements of each tensor by name, None where nothing tells them.

    TensorFlow forgets some shapes when it moves operations. The graph as traced may still tell them; operations that
    work element by element tell them of each other, forwards and backwards.
    """
    counts = {}
    for operation in operations:
        before = original.get(operation.name)
        for slot, tensor in enumerate(operation.outputs):
            counts[tensor.name] = elements_of(tensor)
            if counts[tensor.name] is None and before is not None and slot < len(before.outputs):
                counts[tensor.name] = elements_of(before.outputs[slot])
    if None not in counts.values():
        return counts
    for _ in range(2):
        for operation in operations:
            if operation.type in ELEMENTWISE:
                known = [counts[tensor.name] for tensor in operation.inputs if counts[tensor.name] is not None]
                for tensor in operation.outputs[: 2 if operation.type == "Switch" else 1]:
                    if known and counts[tensor.name] is None:
                        counts[tensor.name] = max(known)
        for operation in reversed(operations):
            if operation.type in ELEMENTWISE and operation.outputs and counts[operation.outputs[0].name] is not None:
                for tensor in operation.inputs:
                    if counts[tensor.name] is None:
                        counts[tensor.name] = counts[operation.outputs[0].name]
    return counts


def elements_of(tensor):
    """Gives the number of elements of a tensor, None when its shape is open."""
    return None if tensor.shape.rank is None else tensor.shape.num_elements()


def handle_bytes(handle):
    """Gives the bytes behind a handle that belongs to no variable of the model; 0 for tables and the like."""
    import tensorflow as tf
    from tensorflow.python.ops import handle_data_util

    parts = handle_data_util.get_resource_handle_data(handle).shape_and_type
    shapes = [(tf.TensorShape(part.shape), tf.as_dtype(part.dtype)) for part in parts]
    return sum(int(shape.num_elements() or 0) * int(kind.size) for shape, kind in shapes if shape.rank is not None)


def describe_variables(model, concrete):
    """Gives all variables of the step as (name, role, bytes), and which of them an argument of the graph hands over."""
    import tensorflow as tf

    seen = {}
    rows = []
    optimizer = model.optimizer
    trainable = {id(variable) for variable in model.trainable_variables}
    metric = {id(variable) for variable in model.metrics_variables}
    slots = {id(variable) for variable in optimizer.variables}
    inner = getattr(optimizer, "inner_optimizer", optimizer)  # without what loss scaling keeps
    own = (getattr(inner, "iterations", None), getattr(inner, "_learning_rate", None))
    inner_ids = {id(variable) for variable in inner.variables} - {id(variable) for variable in own}
    shapes = {tuple(variable.shape) for variable in model.trainable_variables}
    for variable in list(model.variables) + list(optimizer.variables) + list(model.metrics_variables):
        value = getattr(variable, "value", variable)
        handle = id(getattr(value, "handle", value))
        if handle in seen:
            continue
        if id(variable) in trainable:
            role = "trainable"
        elif id(variable) in metric:
            role = "metric"
        elif id(variable) in slots:
            is_slot = id(variable) in inner_ids and tuple(variable.shape) in shapes
            role = "slot" if is_slot else "optimizer"
        else:
            role = "state"
        seen[handle] = len(rows)
        rows.append([variable.path, role, int(value.shape.num_elements() or 0) * int(value.dtype.size)])
    captures = concrete.captured_inputs
    inner_handles = concrete.graph.inputs[len(concrete.graph.inputs) - len(captures) :]
    for captured, inside in zip(captures, inner_handles):
        if captured.dtype == tf.resource and id(captured) not in seen:
            seen[id(captured)] = len(rows)
            rows.append(["", "state", handle_bytes(inside)])
    return rows, seen


def describe_graph(graph, original, concrete, handles):
    """Gives the operations in order, in columns that hold little: kinds by number, tensors counted through."""
    import tensorflow as tf

    for node in graph.node:
        if node.op != "_Arg":
            node.attr.pop("_output_shapes", None)  # of the graph before it was optimized
    with tf.Graph().as_default() as imported:
        tf.import_graph_def(graph, name="")
    operations = [imported.get_operation_by_name(node.name) for node in graph.node]
    first, tensors = {}, 0
    for operation in operations:
        first[operation.name] = tensors
        tensors += len(operation.outputs)
    place = {operation.name: number for number, operation in enumerate(operations)}
    argument_variable = {}
    free = len(concrete.graph.inputs) - len(concrete.captured_inputs)
    for number, captured in enumerate(concrete.captured_inputs):
        if id(captured) in handles:
            argument_variable[free + number] = handles[id(captured)]
    kinds, types, rows, sizes, values = {}, {}, [], [], {}
    counts = count_elements(operations, original)
    open_sizes = 0
    for number, operation in enumerate(operations):
        kind = kinds.setdefault(operation.type, len(kinds))
        row_types = []
        for tensor in operation.outputs:
            count, width = counts[tensor.name], tensor.dtype.size
            size = None if count is None or not width else int(count) * int(width)
            row_types.append(types.setdefault(tensor.dtype.name, len(types)))
            if size is None and width and tensor.dtype not in (tf.resource, tf.variant):
                open_sizes += 1
            sizes.append(size or 0)
        inputs = [first[tensor.op.name] + tensor.value_index for tensor in operation.inputs]
        controls = sorted(place[other.name] for other in operation.control_inputs)
        row = [kind, inputs, controls, row_types]
        flags = (1 if BACKWARD in operation.name else 0) | (2 if is_view(operation) else 0)
        if operation.type == "_Arg" and operation.get_attr("index") in argument_variable:
            row += [flags, argument_variable[operation.get_attr("index")]]
        elif flags:
            row.append(flags)
        value = constant(operation)
        if value is not None and len(value) == 1:
            values[number] = value[0]
        rows.append(row)
    return {
        "kinds": list(kinds),
        "types": list(types),
        "ops": rows,
        "sizes": sizes,
        "scalars": values,
        "names": [operation.name for operation in operations],
        "open_sizes": open_sizes,
    }


def trace(model, symbols, batch, sparse, capability):
    """Yields everything about one training step with this batch: as it is, then as a GPU would get it."""
    import tensorflow as tf

    specs = data_specs(model, symbols, batch, sparse)
    concrete = build_step(model, specs)
    graph, results = execution_graph(concrete)
    variables, handles = describe_variables(model, concrete)
    original = {operation.name: operation for operation in concrete.graph.get_operations()}
    sizes = [int(spec.shape.num_elements() or 0) * int(spec.dtype.size) for spec in tf.nest.flatten(specs)]
    for layout in ("", capability) if capability else ("",):
        answer = {"is_optimized": True, "layout": layout, "variables": variables, "data_bytes": sizes}
        try:
            final = optimized(concrete, graph, results, layout)
        except Exception as error:  # the graph as traced is better than none
            if layout:
                return
            answer.update(is_optimized=False, why_not_optimized=opening.words_of(error))
            final = graph
        answer.update(describe_graph(final, original, concrete, handles))
        yield answer


def write(destination, record, **values):
    """Appends one JSON line."""
    line = json.dumps(dict(values, record=record), separators=(",", ":")) + "\n"
    descriptor = os.open(destination, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, line.encode("ascii"))
    finally:
        os.close(descriptor)


def open_all(arguments):
    """Gives the model, ready to be traced, its inputs and outputs as symbols, how its loss is told, and its facts."""
    write(arguments.out, "begin", stage="tensorflow", pid=os.getpid())
    opening.start_tensorflow()
    if not arguments.no_cudnn:
        allow_cudnn()
    write(arguments.out, "begin", stage="model")
    notes = []
    model = opening.open_model(arguments.model, arguments.path or ".", arguments.precision, notes)
    symbols = opening.symbols_of(model, arguments.input_shape)
    if not model.trainable_variables:
        raise opening.Refused("nothing-to-train")
    facts = {"recurrent": opening.recurrent_layers(model), "policy": opening.policy_of(model)}
    write(arguments.out, "facts", python=sys.version.split()[0], **facts)
    for kind, values in notes:
        write(arguments.out, "note", kind=kind, **values)
    return model, symbols


def write_layers(arguments, model, symbols):
    """Writes the layers, for a rough estimate should the step not be traced; a model that resists has none."""
    import keras
    import tensorflow as tf

    loss = "own" if getattr(model, "loss", None) or getattr(model, "compiled", False) else DEFAULT_LOSS
    try:
        listed = listing.layers_of(model, symbols)
    except Exception:  # what a layer of the user's raises
        return
    write(arguments.out, "layers", loss=loss, tensorflow=tf.__version__, keras=keras.__version__, **listed)


def trace_all(arguments):
    """Traces every batch and writes each at once."""
    model, symbols = open_all(arguments)
    import keras
    import tensorflow as tf

    write(arguments.out, "begin", stage="trace", batch=arguments.batch[0])
    write_layers(arguments, model, symbols)
    if arguments.layers_only:
        return
    loss, sparse = prepare(model, symbols, arguments.optimizer)
    about = {
        "schema": SCHEMA,
        "model": arguments.model if ":" in arguments.model else os.path.basename(arguments.model),
        "precision": arguments.precision,
        "optimizer": arguments.optimizer,
        "jit_compile": arguments.jit,
        "loss": loss,
        "tensorflow": tf.__version__,
        "keras": keras.__version__,
        "python": sys.version.split()[0],
    }
    for batch in arguments.batch:
        started = time.time()
        write(arguments.out, "begin", stage="trace", batch=batch)
        for traced in trace(model, symbols, batch, sparse, arguments.gpu_layout):
            traced.update(about, batch=batch, trace_s=round(time.time() - started, 3))
            write(arguments.out, "graph", **traced)
    write(arguments.out, "done")


def main():
    """Traces the given model; the exit code is 0 when every batch was written."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True, help="file that JSON lines are appended to")
    parser.add_argument("--model", required=True, help="MODULE:FUNCTION, FILE.py:FUNCTION or a Keras file")
    parser.add_argument("--path", help="folder that all of them are seen from; default the working folder")
    parser.add_argument("--batch", type=int, action="append", required=True)
    parser.add_argument("--precision", default="float32", choices=("float32", "mixed_float16", "mixed_bfloat16"))
    parser.add_argument("--optimizer", default="adam", choices=OPTIMIZERS)
    parser.add_argument("--jit", action="store_true", help="only noted: the graph is the one without XLA")
    parser.add_argument("--gpu-layout", metavar="CAPABILITY", help="also the graph that such a GPU gets, as 8.6")
    parser.add_argument("--layers-only", action="store_true", help="the layers, without any step")
    parser.add_argument("--no-cudnn", action="store_true", help="recurrent layers as loops, as on a processor")
    parser.add_argument("--input-shape", action="append", default=[], help="sizes of one sample, see open_model.py")
    parser.add_argument("--time-limit", type=float, default=0.0, help="seconds after which this process ends itself")
    arguments = parser.parse_args()
    faulthandler.enable()  # says where a crash happened
    if arguments.time_limit > 0:  # should whoever started us be gone by then
        faulthandler.dump_traceback_later(arguments.time_limit, exit=True)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or ".") != here]  # as if started elsewhere
    try:
        trace_all(arguments)
    except opening.Refused as error:
        write(arguments.out, "error", kind=error.kind, **error.values)
        return 1
    except MemoryError:
        write(arguments.out, "error", kind="memory")
        return 1
    except Exception as error:  # the user's model may fail in any way
        kind = "memory" if type(error).__name__ == "ResourceExhaustedError" else "step-fails"
        write(arguments.out, "error", kind=kind, detail=opening.words_of(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
