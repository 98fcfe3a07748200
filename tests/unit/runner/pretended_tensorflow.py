"""Writes a package ``tensorflow`` that pretends: GPUs that compute, abort, hang; for real child processes.

Put its folder on ``PYTHONPATH``; what it does is told by words in the variable ``PRETENDED``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from gpuconfig_app.runner.proof import ProofRequest

# words: gpus=N, and <stage>-<what>[@GPU] with stages import, devices, matmul, convolution, xla
SOURCE = """
import os
import sys
import time

WORDS = os.environ.get("PRETENDED", "").split()
__version__ = next((word[8:] for word in WORDS if word.startswith("version=")), "2.21.0")
COUNT = int(next((word[5:] for word in WORDS if word.startswith("gpus=")), "1"))
float32 = "float32"
current = ["/CPU:0"]


def happen(stage, gpu=None):
    for word in WORDS:
        name, _, where = word.partition("@")
        if where and where != str(gpu):
            continue
        if name == stage + "-aborts":
            os.write(2, b"2026-11-30 12:00:00.000001: F ./xla/thing.cc:42] Check failed: it is over\\n")
            os.abort()
        if name == stage + "-hangs":
            time.sleep(600)
        if name == stage + "-exits":
            sys.exit(7)
        if name == stage + "-vanishes":
            os._exit(5)
        if name == stage + "-raises":
            raise RuntimeError("CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed")
        if name == stage + "-is-full":
            raise MemoryError("CUDA_ERROR_OUT_OF_MEMORY: out of memory")


happen("import")


class Tensor:
    def __init__(self, value, place):
        self.value = value
        self.device = "/job:localhost/replica:0/task:0/device:" + place.lstrip("/")

    def numpy(self):
        return self.value


class Device:
    def __init__(self, name, kind):
        self.name, self.device_type = name, kind


class device:
    def __init__(self, place):
        self.place = place

    def __enter__(self):
        current.append(self.place)

    def __exit__(self, *error):
        current.pop()


def compute(stage, value):
    place = current[-1]
    gpu = int(place[5:]) if place.startswith("/GPU") else None
    happen(stage, gpu)
    if stage + "-elsewhere" in WORDS:
        place = "/CPU:0"
    return Tensor(value + (1.0 if stage + "-wrong" in WORDS else 0.0), place)


def ones(shape):
    return Tensor(1.0, current[-1])


def matmul(left, right):
    return compute("matmul", 1024.0)


def reduce_min(tensor):
    return tensor


def reduce_max(tensor):
    return tensor


def reduce_sum(tensor):
    return tensor


def function(jit_compile=False):
    assert jit_compile is True

    def decorate(work):
        def compiled(*tensors):
            return compute("xla", 1024.0)

        return compiled

    return decorate


class nn:
    @staticmethod
    def conv2d(input, filters, strides, padding):
        return compute("convolution", 144.0)


class sysconfig:
    @staticmethod
    def get_build_info():
        if "no-build-keys" in WORDS:
            return {"is_cuda_build": True}
        return {"is_cuda_build": "cpu-build" not in WORDS, "cuda_version": "12.5.1", "cudnn_version": "9"}


class _Experimental:
    grown = []

    def set_memory_growth(self, gpu, is_on):
        self.grown.append(gpu.name)

    def get_device_details(self, gpu):
        if "no-details" in WORDS:
            raise ValueError("no details")
        return {"device_name": "NVIDIA GeForce RTX 4090", "compute_capability": (8, 9)}

    def get_memory_info(self, name):
        if "no-memory" in WORDS:
            raise AttributeError("get_memory_info")
        return {"current": 0, "peak": 12345678}


class _Config:
    experimental = _Experimental()

    def list_physical_devices(self, kind=None):
        if kind == "GPU":
            happen("devices")
        gpus = [Device("/physical_device:GPU:%d" % index, "GPU") for index in range(COUNT)]
        return gpus if kind == "GPU" else [Device("/physical_device:CPU:0", "CPU")] + gpus


config = _Config()
"""


def write_tensorflow(folder: Path) -> Path:
    """Write the package; gives the folder for ``PYTHONPATH``."""
    package = folder / "pretended"
    package.mkdir(parents=True, exist_ok=True)
    (package / "tensorflow.py").write_text(SOURCE, encoding="utf-8")
    return package


def pretended_variables(folder: Path, words: str, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Give the variables of a process in which TensorFlow does what the words say."""
    package = write_tensorflow(folder)
    return {**os.environ, "PYTHONPATH": str(package), "PRETENDED": words, **(more or {})}


def pretended_request(folder: Path, words: str, time_limit_s: float = 60.0) -> ProofRequest:
    """Give a proof in the Python of the tests, whose TensorFlow does what the words say."""
    variables = pretended_variables(folder, words)
    return ProofRequest(python=sys.executable, variables=variables, time_limit_s=time_limit_s)
