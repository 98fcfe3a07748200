"""Runs many scripts one after the other in one interpreter, since importing TensorFlow takes longer than most of them.

Reads a JSON list of argument lists, ``[["…/train.py", "--smoke"], …]``, from the file named first and writes a JSON
list of exit codes (or tracebacks) to the file named second. ``--two-devices`` as third argument splits the processor
in two logical devices and lets the scripts find two GPUs there.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import traceback
from pathlib import Path

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import tensorflow as tf


def show_two_devices() -> None:
    """Stand in for two GPUs: names that scripts ask for lead to two halves of the processor."""
    processor = tf.config.list_physical_devices("CPU")[0]
    halves = [tf.config.LogicalDeviceConfiguration(), tf.config.LogicalDeviceConfiguration()]
    tf.config.set_logical_device_configuration(processor, halves)
    list_devices, mirrored = tf.config.list_physical_devices, tf.distribute.MirroredStrategy
    tf.config.list_physical_devices = lambda kind=None: [processor] * 2 if kind == "GPU" else list_devices(kind)
    tf.config.set_visible_devices = lambda *_arguments: None
    tf.config.experimental.set_memory_growth = lambda *_arguments: None
    tf.config.experimental.get_device_details = lambda _gpu: {"device_name": "half", "compute_capability": (8, 9)}
    tf.distribute.MirroredStrategy = lambda names: mirrored([name.replace("GPU", "CPU") for name in names])


def run_one(arguments: list[str]) -> int | str:
    """Run a script as ``python`` would; its exit code, or what it raised."""
    keras.backend.clear_session()
    sys.argv = arguments
    try:
        runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else str(error.code)
    except BaseException:  # noqa: BLE001  # told to the test, whatever it was
        return traceback.format_exc()
    finally:
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    return 0


def main() -> None:
    """Run them all."""
    if sys.argv[3:] == ["--two-devices"]:
        show_two_devices()
    jobs, results = Path(sys.argv[1]), Path(sys.argv[2])
    codes = [run_one(arguments) for arguments in json.loads(jobs.read_text(encoding="utf-8"))]
    results.write_text(json.dumps(codes), encoding="utf-8")


main()
