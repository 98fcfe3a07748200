"""Let TensorFlow compute on every GPU, in the Python and with the variables the user has, and write down what happened.

    python prove_gpu.py --out FILE [--part main|xla] [--first GPU] [--time-limit S]

Appends JSON lines to FILE: ``begin`` before and ``end`` after each stage, so that an abort, a kill or a hang shows where
it happened. Part ``main``: import, versions, devices, a matrix product and a convolution on each GPU, the libraries that
were really loaded. Part ``xla``: one compiled training step on each GPU; apart, because XLA may abort the process.
``--first`` leaves the GPUs before it out, to go on after one that ended the process.

Standard library and TensorFlow 2.10 or newer, Python 3.6 syntax. Observes only; what it means is decided by the
application.
"""

import argparse
import ctypes
import faulthandler
import glob
import json
import os
import platform
import sys
import time

VARIABLES = (
    "CONDA_PREFIX", "CUDA_DEVICE_ORDER", "CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
    "KERAS_BACKEND", "LD_LIBRARY_PATH", "LD_PRELOAD", "NVIDIA_TF32_OVERRIDE", "PYTHONHOME", "PYTHONNOUSERSITE",
    "PYTHONPATH", "PYTHONUSERBASE", "TF_FORCE_GPU_ALLOW_GROWTH", "TF_GPU_ALLOCATOR", "TF_USE_LEGACY_KERAS",
    "TF_XLA_FLAGS", "VIRTUAL_ENV", "XLA_FLAGS",
)  # fmt: skip
# What TensorFlow opens by name, in the order in which one needs the other; without cuDNN, which has its own number.
LIBRARIES = {
    "11": (
        "libcudart.so.11.0", "libcublasLt.so.11", "libcublas.so.11", "libcufft.so.10", "libcusparse.so.11",
        "libcusolver.so.11",
    ),
    "12": (
        "libcudart.so.12", "libnvJitLink.so.12", "libcublasLt.so.12", "libcublas.so.12", "libcufft.so.11",
        "libcusparse.so.12", "libcusolver.so.11",
    ),
}  # fmt: skip
INTERESTING = (
    "libcuda.", "libcudart", "libcublas", "libcudnn", "libcufft", "libcurand", "libcusolver", "libcusparse", "libnccl",
    "libnvrtc", "libnvjitlink", "libnvinfer", "libtensorflow", "libamdhip", "librocm", "libmiopen",
)  # fmt: skip
PACKAGES = ("tensorflow", "tf-nightly", "tensorflow-cpu", "tensorflow-rocm", "keras", "tf-keras", "numpy", "protobuf")
SIDE = 1024
LONGEST_TEXT = 4000


class Answer:
    """The file the records go to, one write each."""

    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, record, **values):
        line = json.dumps(dict(values, record=record), sort_keys=True) + "\n"
        os.write(self.file, line.encode("ascii"))

    def stage(self, name, work, gpu=None):
        """Do one stage; gives what ``work`` gave, None when it raised."""
        self.write("begin", stage=name, gpu=gpu)
        started = time.time()
        try:
            value, seen = work()
        except BaseException as error:  # an import may raise SystemExit, and that is an answer, too
            self.write("end", stage=name, gpu=gpu, seconds=time.time() - started, error=in_words(error))
            return None
        self.write("end", stage=name, gpu=gpu, seconds=time.time() - started, error=None, **seen)
        return value


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--part", choices=("main", "xla"), default="main")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--time-limit", type=float, default=0.0)
    options = parser.parse_args()
    if options.time_limit > 0:  # should whoever started us be gone by then
        faulthandler.dump_traceback_later(options.time_limit, exit=True)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or ".") != here]  # as if started elsewhere
    answer = Answer(options.out)
    answer.write("facts", **facts())
    tf = answer.stage("import", load)
    if tf is None:
        return 1
    if options.part == "xla":
        prove_xla(answer, tf, options.first)
    else:
        prove(answer, tf, options.first)
    answer.write("done")
    return 0


def facts():
    return {
        "python": platform.python_version(),
        "executable": sys.executable,
        "prefix": sys.prefix,
        "pid": os.getpid(),
        "variables": {name: os.environ[name] for name in VARIABLES if name in os.environ},
        "packages": versions_of_packages(),
    }


def load():
    import tensorflow

    place = getattr(tensorflow, "__file__", None)
    return tensorflow, {"version": str(getattr(tensorflow, "__version__", "")), "place": place}


def prove(answer, tf, first):
    build = build_info(tf)
    answer.write("build", **{str(key): str(value) for key, value in build.items()})
    gpus = answer.stage("devices", lambda: list_gpus(tf))
    if gpus is not None:
        for index, gpu in enumerate(gpus):
            answer.write("gpu", index=index, **details(tf, gpu))
    answer.write("driver", **ask_driver())
    if not gpus:
        try_libraries(answer, build)
    places = ["/CPU:0"] if gpus == [] else ["/GPU:%d" % index for index in range(len(gpus or ()))]
    for index, place in enumerate(places):
        if index < first:
            continue
        number = index if gpus else None
        answer.stage("matmul", lambda place=place: timed(tf, place, multiply), number)
        answer.stage("convolution", lambda place=place: timed(tf, place, convolve), number)
        if gpus:
            answer.write("memory", gpu=index, peak_bytes=peak_bytes(tf, index))
    answer.write("mapped", paths=mapped_libraries())


def prove_xla(answer, tf, first):
    gpus = answer.stage("devices", lambda: list_gpus(tf))
    for index in range(first, len(gpus or ())):
        answer.stage("xla", lambda index=index: timed(tf, "/GPU:%d" % index, step_of_xla(tf)), index)


def list_gpus(tf):
    """List the GPUs and bound what TensorFlow takes of their memory; that must come before the first operation."""
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    others = [device.name for device in tf.config.list_physical_devices() if device.device_type != "GPU"]
    return list(gpus), {"count": len(gpus), "others": others}


def details(tf, gpu):
    try:
        found = tf.config.experimental.get_device_details(gpu)
    except Exception as error:
        return {"name": None, "capability": None, "error": in_words(error)["text"]}
    capability = found.get("compute_capability")
    return {
        "name": found.get("device_name"),
        "capability": ".".join(str(part) for part in capability) if capability else None,
    }


def timed(tf, place, work):
    """Compute twice on one device: the first time loads libraries and compiles, the second is the real one."""
    started = time.time()
    with tf.device(place):
        result, right = work(tf)
        low, high = float(tf.reduce_min(result).numpy()), float(tf.reduce_max(result).numpy())
    first = time.time() - started
    started = time.time()
    with tf.device(place):
        again, _ = work(tf)
        again.numpy()
    is_right = abs(low - right) < 0.5 and abs(high - right) < 0.5
    seen = {"first_s": first, "again_s": time.time() - started, "is_right": is_right, "device": str(result.device)}
    return True, seen


# Every factor is one, so each number of the result is the count of products summed up, exact in every precision.
def multiply(tf):
    return tf.matmul(tf.ones([SIDE, SIDE]), tf.ones([SIDE, SIDE])), SIDE


def convolve(tf):
    picture, kernel = tf.ones([2, 32, 32, 16]), tf.ones([3, 3, 16, 32])
    return tf.nn.conv2d(picture, kernel, strides=[1, 1, 1, 1], padding="VALID"), 3 * 3 * 16


def step_of_xla(tf):
    """One training step as Keras compiles it: forward, gradient."""

    @tf.function(jit_compile=True)
    def step(batch, weights):
        with tf.GradientTape() as tape:
            tape.watch(weights)
            loss = tf.reduce_sum(tf.matmul(batch, weights))
        return tape.gradient(loss, weights)

    return lambda tf: (step(tf.ones([SIDE, SIDE]), tf.ones([SIDE, SIDE])), SIDE)


def peak_bytes(tf, index):
    try:
        return int(tf.config.experimental.get_memory_info("GPU:%d" % index)["peak"])
    except Exception:
        return None  # not every build counts it


def build_info(tf):
    try:
        return dict(tf.sysconfig.get_build_info())
    except Exception as error:
        return {"error": in_words(error)["text"]}


def versions_of_packages():
    try:
        from importlib import metadata
    except ImportError:  # Python 3.7
        try:
            import importlib_metadata as metadata
        except ImportError:
            return {}
    found = {}
    for name in PACKAGES:
        try:
            found[name] = str(metadata.version(name))
        except Exception:
            continue
    return found


def ask_driver():
    """Ask CUDA itself for its devices, in the order that TensorFlow sees them: it tells UUID and place."""
    name = "nvcuda.dll" if os.name == "nt" else "libcuda.so.1"
    try:
        cuda = ctypes.CDLL(name)
    except OSError as error:
        return {"library": name, "error": str(error), "devices": []}
    code = cuda.cuInit(0)
    if code != 0:
        return {"library": name, "error": "cuInit: %s" % error_name(cuda, code), "code": code, "devices": []}
    count = ctypes.c_int(0)
    cuda.cuDeviceGetCount(ctypes.byref(count))
    return {"library": name, "error": None, "devices": [ask_device(cuda, index) for index in range(count.value)]}


def ask_device(cuda, index):
    device, text, raw = ctypes.c_int(0), ctypes.create_string_buffer(256), (ctypes.c_ubyte * 16)()
    found = {"index": index, "name": None, "uuid": None, "pci": None}
    if cuda.cuDeviceGet(ctypes.byref(device), index) != 0:
        return found
    if cuda.cuDeviceGetName(text, 256, device) == 0:
        found["name"] = text.value.decode("utf-8", "replace")
    # The newer call gives a slice's own UUID where a card is cut into slices.
    ask_uuid = getattr(cuda, "cuDeviceGetUuid_v2", None) or getattr(cuda, "cuDeviceGetUuid", None)
    if ask_uuid is not None and ask_uuid(raw, device) == 0:
        digits = "".join("%02x" % part for part in raw)
        found["uuid"] = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    if cuda.cuDeviceGetPCIBusId(text, 256, device) == 0:
        found["pci"] = text.value.decode("ascii", "replace")
    return found


def error_name(cuda, code):
    words = ctypes.c_char_p()
    try:
        cuda.cuGetErrorName(code, ctypes.byref(words))
    except AttributeError:
        return str(code)
    return words.value.decode("ascii", "replace") if words.value else str(code)


def try_libraries(answer, build):
    """Open each CUDA library by its name, and where a wheel brought it also by its path; the loader says what fails."""
    if not sys.platform.startswith("linux") or not build.get("is_cuda_build"):
        return
    cuda = str(build.get("cuda_version") or "12").split(".")[0]  # newer builds don't tell; they are of CUDA 12
    cudnn = str(build.get("cudnn_version") or "9").split(".")[0]
    names = ("libcuda.so.1",) + LIBRARIES.get(cuda, LIBRARIES["12"]) + ("libcudnn.so." + cudnn,)
    for name in names:
        path = in_wheel(name)
        answer.write("begin", stage="library", name=name, gpu=None)
        error = open_library(name)
        wheel_error = open_library(path) if path is not None else None
        answer.write("library", name=name, error=error, wheel_path=path, wheel_error=wheel_error)
        answer.write("end", stage="library", gpu=None, error=None)


def open_library(name):
    try:
        ctypes.CDLL(name)
    except OSError as error:
        return str(error)
    return None


def in_wheel(name):
    """Give where a wheel of NVIDIA brought a library, None when none did."""
    for folder in sys.path:
        found = sorted(glob.glob(os.path.join(glob.escape(folder), "nvidia", "*", "lib", name)))
        if found:
            return found[0]
    return None


def mapped_libraries():
    """Give the paths of the GPU libraries in this process, None where the system doesn't tell."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            lines = maps.read().splitlines()
    except OSError:
        return None
    paths = {line[line.index("/") :] for line in lines if "/" in line}
    return sorted(path for path in paths if os.path.basename(path).lower().startswith(INTERESTING))


def in_words(error):
    return {"type": type(error).__name__, "text": str(error)[:LONGEST_TEXT]}


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # what a library does while Python ends is not what is tested
