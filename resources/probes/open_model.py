"""Opens a model of the user for a probe: a Keras file, or what a function gives; and says by a kind why it can't be.

Loaded by ``trace_step.py`` from the folder both lie in. The user's code runs here, with TensorFlow imported before it,
the folder the program was started in on ``sys.path`` as ``python -c`` has it, and the policy already set. Standard
library, TensorFlow 2.16 or newer with its Keras 3; Python 3.7 syntax.
"""

import difflib
import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
import traceback
import zipfile

OLDEST_TENSORFLOW = (2, 16)
OLDEST_KERAS = (3, 0)
FILES = (".keras", ".h5", ".hdf5")
HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"
LONGEST_WORDS = 500
UNKNOWN_OBJECT = re.compile(
    r"[Cc]ould not locate (?:class|function) '([^']+)'"
    r"|Unknown (?:layer|loss|metric|optimizer|activation|initializer|object|\w+ function)[^:]*: '?\"?([\w>.]+)"
)


class Refused(Exception):
    """Why a model cannot be used: a kind, and the values of the sentence about it."""

    def __init__(self, kind, **values):
        Exception.__init__(self, kind)
        self.kind = kind
        self.values = values


def start_tensorflow():
    """Imports TensorFlow and its Keras and gives both; refuses what is missing, broken or too old."""
    try:
        import tensorflow as tf
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "tensorflow":
            raise Refused("no-tensorflow")
        raise Refused("tensorflow-fails", detail=words_of(error))
    except BaseException as error:  # an import may raise anything, SystemExit too
        raise Refused("tensorflow-fails", detail=words_of(error))
    version = getattr(tf, "__version__", None)
    if version is None:  # a folder of that name, without TensorFlow in it
        raise Refused("no-tensorflow")
    if numbers_of(version) < OLDEST_TENSORFLOW:
        raise Refused("old-tensorflow", version=str(version))
    try:
        import keras
    except ModuleNotFoundError as error:
        if error.name == "keras":
            raise Refused("no-keras")
        raise Refused("tensorflow-fails", detail=words_of(error))
    except BaseException as error:
        raise Refused("tensorflow-fails", detail=words_of(error))
    if numbers_of(getattr(keras, "__version__", "0")) < OLDEST_KERAS:
        raise Refused("old-keras", version=str(getattr(keras, "__version__", "?")))
    if keras.backend.backend() != "tensorflow":
        raise Refused("other-backend", name=keras.backend.backend())
    return tf, keras


def open_model(name, folder, precision, notes):
    """Gives the model that a name stands for.

    ``notes`` is a list that gets (kind, values) for what the user should know although it worked.
    """
    import keras

    keras.mixed_precision.set_global_policy(precision)
    folder = os.path.abspath(folder)
    if name.lower().endswith(FILES):
        return with_policy(read_file(os.path.join(folder, name), notes), precision)
    model = call_function(name, folder)
    if isinstance(model, keras.Model):
        if not isinstance(model, keras.Sequential) or model.layers:
            return model
        raise Refused("empty-model", name=name)
    if model is None:
        raise Refused("gives-nothing", name=name)
    kind = type(model)
    whole = "%s.%s" % (kind.__module__, kind.__name__)
    if kind.__module__.split(".")[0] in ("tf_keras", "tensorflow", "tensorflow_estimator"):
        raise Refused("legacy-model", name=name, value=whole)
    raise Refused("not-a-model", name=name, value=whole)


def read_file(path, notes):
    """Reads a Keras file; a loss that can't be restored is left out and noted."""
    import keras

    check_file(path)
    try:
        return keras.models.load_model(path)
    except BaseException as error:
        first = error
    if refusal_of(first, path).kind == "memory":
        raise Refused("memory")
    try:
        model = keras.models.load_model(path, compile=False)
    except BaseException as error:
        raise refusal_of(error, path)
    if not compiled_as_noted(model, path):
        notes.append(("loss-not-restored", {"detail": words_of(first)}))
    return model


def compiled_as_noted(model, path):
    """Compiles with the loss that an HDF5 file names; tells whether there was one that Keras knows.

    Keras 3 can't restore such a file's metrics when the loss was named in short ("mse"), and gives up the loss with it.
    """
    import keras

    if path.lower().endswith(".keras"):
        return False
    try:
        import h5py

        with h5py.File(path, "r") as file:
            noted = json.loads(file.attrs["training_config"]).get("loss")
        if isinstance(noted, dict) and "class_name" in noted:
            noted = keras.losses.deserialize(noted)
        if noted is None:
            return False
        model.compile(optimizer="sgd", loss=noted)
        keras.losses.get(noted) if isinstance(noted, str) else None
    except Exception:  # whatever is in that file, the loss is then not known
        return False
    return True


def check_file(path):
    """Refuses what can be told without Keras."""
    if os.path.isdir(path):
        raise Refused("is-folder", path=path)
    if not os.path.exists(path):
        raise Refused("no-file", path=path)
    try:
        with open(path, "rb") as file:
            head = file.read(8)
    except OSError as error:
        raise Refused("file-not-readable", path=path, detail=error.strerror or words_of(error))
    if path.lower().endswith(".keras"):
        check_archive(path, head)
    elif head != HDF5_SIGNATURE:
        raise Refused("not-keras-file", path=path)
    elif path.lower().endswith((".weights.h5", ".weights.hdf5")):
        raise Refused("weights-only", path=path)


def check_archive(path, head):
    """Refuses an archive that is none, is cut, or holds something else."""
    if head == HDF5_SIGNATURE:
        raise Refused("renamed-file", path=path)
    if head[:2] != b"PK":
        raise Refused("not-keras-file", path=path)
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            for name in ("metadata.json", "config.json"):
                if name in names:
                    archive.read(name)
    except Exception:  # zipfile raises what the bytes lead it to
        raise Refused("damaged-file", path=path)
    if "config.json" not in names:
        raise Refused("not-keras-file", path=path)


def refusal_of(error, path):
    """Gives what an error while loading means."""
    words = words_of(error)
    if isinstance(error, MemoryError) or type(error).__name__ == "ResourceExhaustedError":
        return Refused("memory")
    unknown = UNKNOWN_OBJECT.search(str(error))
    if unknown is not None:
        return Refused("custom-objects", path=path, name=unknown.group(1) or unknown.group(2))
    if "ambda" in words and ("unsafe" in str(error) or "safe_mode" in str(error)):
        return Refused("lambda", path=path)
    if "No model config" in str(error) or "No model found" in str(error):
        return Refused("weights-only", path=path)
    if isinstance(error, (OSError, EOFError, zipfile.BadZipFile, UnicodeDecodeError)):
        return Refused("damaged-file", path=path)
    return Refused("not-loadable", path=path, detail=words)


def call_function(name, folder):
    """Imports the module and gives what its function gives, or the model that the name itself stands for."""
    import keras

    place, _, attribute = name.rpartition(":")
    module = import_file(place, folder) if is_path(place) else import_name(place, folder)
    found = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            close = difflib.get_close_matches(attribute, [key for key in vars(module) if key[:1] != "_"], 3)
            if close:
                raise Refused("no-such-function-but", name=attribute, path=place, names=", ".join(close))
            raise Refused("no-such-function", name=attribute, path=place)
        found = getattr(found, part)
    if isinstance(found, keras.Model):
        return found
    if not callable(found):
        raise Refused("not-callable", name=name, value=type(found).__name__)
    missing = needed_arguments(found)
    if missing:
        raise Refused("needs-arguments", name=name, names=", ".join(missing))
    try:
        return found()
    except SystemExit as error:
        raise Refused("function-exits", name=name, value=str(error.code))
    except MemoryError:
        raise Refused("memory")
    except BaseException as error:
        if type(error).__name__ == "ResourceExhaustedError":
            raise Refused("memory")
        raise Refused("function-fails", name=name, detail=words_of(error), place=place_of(error, folder))


def is_path(place):
    """Tells a path of a Python file from a module's name."""
    return place.lower().endswith(".py") or "/" in place or os.sep in place


def import_name(name, folder):
    """Imports a module by name, the folder before everything else."""
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name == missing or name.startswith(missing + "."):
            raise Refused("no-module", name=name, path=folder)
        raise Refused("module-lacks", name=name, value=missing, place=place_of(error, folder))
    except BaseException as error:
        raise failed_import(error, name, folder)


def import_file(place, folder):
    """Imports a Python file by its path; its own folder comes first, as when it is started."""
    path = os.path.join(folder, os.path.expanduser(place))
    if not path.lower().endswith(".py"):
        path += ".py"
    if not os.path.isfile(path):
        raise Refused("no-python-file", path=path)
    sys.path[:0] = [os.path.dirname(path), folder]
    stem = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(stem, path)
    module = importlib.util.module_from_spec(spec)
    kept = sys.modules.get(stem)
    if kept is None:
        sys.modules[stem] = module
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        raise Refused("module-lacks", name=place, value=error.name or "?", place=place_of(error, folder))
    except BaseException as error:
        raise failed_import(error, place, folder)
    return module


def failed_import(error, name, folder):
    """Gives what an error while importing means."""
    if isinstance(error, SystemExit):
        return Refused("module-exits", name=name, value=str(error.code))
    if isinstance(error, MemoryError):
        return Refused("memory")
    return Refused("module-fails", name=name, detail=words_of(error), place=place_of(error, folder))


def needed_arguments(function):
    """Gives the names of the arguments that a call without any would lack."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a built-in that does not tell
        return []
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [item.name for item in parameters if item.kind not in optional and item.default is inspect.Parameter.empty]


def with_policy(model, precision):
    """Builds a model of a file again under the wanted policy; layers with a policy of their own keep it.

    A file holds the policy of each layer. Those of the policy that most layers have get the wanted one, the others (a
    float32 head) stay as they are. A model that can't be built again stays as it is, and its policy is told.
    """
    usual = policy_of(model)
    if usual is None or usual == precision:
        return model
    try:
        rebuilt = model.__class__.from_config(rewritten(model.get_config(), usual, precision))
        if model.compiled:
            rebuilt.compile(optimizer="sgd", loss=model.loss)
    except MemoryError:
        raise Refused("memory")
    except Exception:  # what a class of the user's raises from its own configuration
        return model
    return rebuilt


def rewritten(value, usual, precision):
    """Gives a copy of a configuration in which the usual policy is the wanted one."""
    if isinstance(value, dict):
        if value.get("class_name") == "DTypePolicy" and (value.get("config") or {}).get("name") == usual:
            return dict(value, config=dict(value["config"], name=precision))
        is_layer = "trainable" in value  # other things have a dtype, too: inputs, and the tensors between layers
        return {
            key: precision if is_layer and key == "dtype" and item == usual else rewritten(item, usual, precision)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return type(value)(rewritten(item, usual, precision) for item in value)
    return value


def symbols_of(model, shapes):
    """Gives the model's inputs and outputs as symbols with all sizes but the batch known, in the model's structure.

    ``shapes`` are sizes of one sample from the user, as ``128``, ``64,64,3``, ``name=128`` or ``128:int32``, one for
    each input in order; none takes what the model says itself.
    """
    import keras

    given = [read_shape(text) for text in shapes]
    inputs = own_inputs(model)
    if inputs is None:
        if not given:
            raise Refused("no-shapes", name=type(model).__name__)
        inputs = structure_of(given)
    elif given:
        inputs = with_shapes(inputs, given)
    for tensor in flat(inputs):
        if None in tuple(tensor.shape)[1:]:
            raise Refused("open-shape", name=tensor.name, value=shape_words(tensor.shape))
    if not given and getattr(model, "inputs", None):
        outputs = model.output
    else:
        outputs = called(model, inputs)
    for tensor in flat(outputs):
        if not isinstance(tensor, keras.KerasTensor) or None in tuple(tensor.shape)[1:]:
            raise Refused("open-output", value=shape_words(getattr(tensor, "shape", ())))
    return inputs, outputs


def own_inputs(model):
    """Gives the inputs in the structure the model is called with, None where it was never told."""
    structure = getattr(model, "_inputs_struct", None)
    if structure is not None:
        return structure
    inputs = getattr(model, "inputs", None)
    if not inputs:
        return None
    return inputs if len(inputs) > 1 else inputs[0]


def read_shape(text):
    """Gives (name or None, sizes, dtype or None) of one shape."""
    name, _, rest = text.rpartition("=")
    sizes, _, dtype = rest.partition(":")
    return name or None, tuple(int(size) for size in sizes.split(",") if size.strip()), dtype or None


def structure_of(given):
    """Makes inputs of a model that has none of its own: a dictionary where all are named, else in order."""
    import keras

    made = [keras.KerasTensor((None,) + sizes, dtype=dtype or "float32", name=name) for name, sizes, dtype in given]
    names = [name for name, _, _ in given]
    if all(names):
        return dict(zip(names, made))
    return made if len(made) > 1 else made[0]


def with_shapes(inputs, given):
    """Puts the given sizes in the place of the model's own."""
    import keras
    import tensorflow as tf

    tensors = flat(inputs)
    named = {name: (sizes, dtype) for name, sizes, dtype in given if name}
    known = [tensor.name for tensor in tensors]
    strange = [name for name in named if name not in known]
    if strange:
        raise Refused("no-such-input", name=strange[0], names=", ".join(known))
    unnamed = [(sizes, dtype) for name, sizes, dtype in given if not name]
    if len(unnamed) > len(tensors) - len(named):
        raise Refused("too-many-shapes", count=len(given), expected=len(tensors))
    made = []
    for tensor in tensors:
        sizes, dtype = tuple(tensor.shape)[1:], None
        if tensor.name in named:
            sizes, dtype = named[tensor.name]
        elif unnamed:
            sizes, dtype = unnamed.pop(0)
        own = tuple(tensor.shape)[1:]
        if len(own) != len(sizes) or any(mine not in (None, size) for mine, size in zip(own, sizes)):
            wanted, own_words = shape_words((None,) + sizes), shape_words(tensor.shape)
            raise Refused("other-shape", name=tensor.name, value=wanted, expected=own_words)
        made.append(keras.KerasTensor((None,) + sizes, dtype=dtype or tensor.dtype, name=tensor.name))
    return tf.nest.pack_sequence_as(inputs, made)


def called(model, inputs):
    """Gives what the model makes of the inputs, which also builds it."""
    try:
        return model(inputs)
    except MemoryError:
        raise Refused("memory")
    except Exception as error:
        shapes = ", ".join(shape_words(item.shape) for item in flat(inputs))
        raise Refused("call-fails", detail=words_of(error), value=shapes)


def flat(structure):
    """Gives the parts of a structure in order."""
    import tensorflow as tf

    return tf.nest.flatten(structure)


def shape_words(shape):
    """Writes a shape for people, open sizes as ?."""
    return "(%s)" % ", ".join(["batch"] + ["?" if size is None else str(size) for size in tuple(shape)[1:]])


def recurrent_layers(model):
    """Gives the kinds of layers that a GPU computes with kernels of cuDNN the processor does not have."""
    import keras

    kinds = (keras.layers.LSTM, keras.layers.GRU)
    layers = model._flatten_layers(include_self=False, recursive=True)
    return sorted({type(layer).__name__ for layer in layers if isinstance(layer, kinds)})


def policy_of(model):
    """Gives the name of the policy that most layers with weights have, None where none has any."""
    names = [layer.dtype_policy.name for layer in model._flatten_layers() if getattr(layer, "weights", None)]
    return max(set(names), key=names.count) if names else None


def numbers_of(version):
    """Gives the leading numbers of a version."""
    found = re.match(r"(\d+)\.(\d+)", str(version))
    return (int(found.group(1)), int(found.group(2))) if found else (0, 0)


def words_of(error):
    """Gives an error in one line: the last of what Python would print."""
    try:
        text = "".join(traceback.format_exception_only(type(error), error)).strip()
    except Exception:  # an error whose own text raises
        text = type(error).__name__
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = lines[0] if lines else type(error).__name__
    if lines and (isinstance(error, SyntaxError) or first.endswith("in user code:")):
        first = lines[-1]  # the others say where
    return first[:LONGEST_WORDS]


def place_of(error, folder):
    """Gives file and line of the user's that raised, the innermost below the folder, else the innermost of all."""
    if isinstance(error, SyntaxError) and error.filename:
        return "%s:%s" % (os.path.basename(error.filename), error.lineno)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if os.path.abspath(frame.filename).startswith(folder + os.sep)]
    packages = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)
    own = [frame for frame in own if not any(part in frame.filename for part in packages)]
    here = os.path.abspath(__file__)
    rest = [frame for frame in frames if os.path.abspath(frame.filename) != here and "importlib" not in frame.filename]
    frame = (own or rest or list(frames) or [None])[-1]
    return "%s:%s" % (os.path.basename(frame.filename), frame.lineno) if frame is not None else "?"
