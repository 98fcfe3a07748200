"""Asking NVIDIA's management library (NVML): one guarded call that gives a value or says why there is none.

Everything that knows ``pynvml`` by name is called through here. What cards mean, and sentences for people, do not
belong here.
"""

from __future__ import annotations

import ctypes
import logging
import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pynvml

logger = logging.getLogger(__name__)
T = TypeVar("T")
Handle = Any  # pynvml hands out ctypes pointers without a public type

NOT_SUPPORTED = "not_supported"
NO_PERMISSION = "no_permission"
DRIVER_TOO_OLD = "driver_too_old"
DRIVER_NOT_LOADED = "driver_not_loaded"
MISMATCH = "driver_library_mismatch"
LIBRARY_NOT_FOUND = "library_not_found"
GPU_LOST = "gpu_lost"
RESET_REQUIRED = "reset_required"
UNINITIALIZED = "uninitialized"
NOT_FOUND = "not_found"
INVALID_ARGUMENT = "invalid_argument"
INSUFFICIENT_SIZE = "insufficient_size"
FAILED = "failed"

# Number -> word, from NVML's own list of return values.
_CODES = {
    pynvml.NVML_ERROR_UNINITIALIZED: UNINITIALIZED,
    pynvml.NVML_ERROR_INVALID_ARGUMENT: INVALID_ARGUMENT,
    pynvml.NVML_ERROR_NOT_SUPPORTED: NOT_SUPPORTED,
    pynvml.NVML_ERROR_NO_PERMISSION: NO_PERMISSION,
    pynvml.NVML_ERROR_NOT_FOUND: NOT_FOUND,
    pynvml.NVML_ERROR_INSUFFICIENT_SIZE: INSUFFICIENT_SIZE,
    pynvml.NVML_ERROR_DRIVER_NOT_LOADED: DRIVER_NOT_LOADED,
    pynvml.NVML_ERROR_LIBRARY_NOT_FOUND: LIBRARY_NOT_FOUND,
    pynvml.NVML_ERROR_FUNCTION_NOT_FOUND: DRIVER_TOO_OLD,
    pynvml.NVML_ERROR_GPU_IS_LOST: GPU_LOST,
    pynvml.NVML_ERROR_RESET_REQUIRED: RESET_REQUIRED,
    pynvml.NVML_ERROR_LIB_RM_VERSION_MISMATCH: MISMATCH,
    pynvml.NVML_ERROR_ARGUMENT_VERSION_MISMATCH: DRIVER_TOO_OLD,
    pynvml.NVML_ERROR_DEPRECATED: NOT_SUPPORTED,
}
# Not on the loader's path but known: WSL2's mapped driver, NixOS, the driver volume of some Kubernetes clusters.
_KNOWN_FOLDERS = ("/usr/lib/wsl/lib", "/run/opengl-driver/lib", "/usr/local/nvidia/lib64")
_LIBRARY = "libnvidia-ml.so.1"
_LIBRARY_VERSION = re.compile(r"libnvidia-ml\.so\.(\d+\.\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Trouble:
    """Why a call gave no value.

    Attributes:
        code: One of the words above.
        detail: For logs and for faults without a sentence of their own.
    """

    code: str
    detail: str = ""

    @property
    def ends_the_card(self) -> bool:
        """Whether no other call for this card can work either."""
        return self.code in (GPU_LOST, RESET_REQUIRED, UNINITIALIZED, DRIVER_NOT_LOADED, MISMATCH)


def ask(function: str, convert: Callable[[Any], T], *arguments: object) -> T | Trouble:
    """Call one function of ``pynvml`` and convert its answer; "not supported" is an answer, not a crash.

    Args:
        function: Its name in ``pynvml``.
        convert: Makes a plain value of what comes back; a ValueError or TypeError it raises becomes a Trouble.
        arguments: Handed through.
    """
    call = getattr(pynvml, function, None)
    if call is None:
        return Trouble(NOT_SUPPORTED, f"{function} is not in this version of the binding")
    try:
        return convert(call(*arguments))
    except pynvml.NVMLLibraryMismatchError:  # not an NVMLError: an unversioned name on a driver without the new one
        return Trouble(DRIVER_TOO_OLD, function)
    except pynvml.NVMLError as error:
        # str(error) may call into the library again, so the number has to do
        return Trouble(_CODES.get(error.value, FAILED), f"{function}: NVML error {error.value}")
    except (ValueError, TypeError, AttributeError, OSError, ctypes.ArgumentError) as error:
        logger.debug("%s gave something unreadable: %s", function, error)
        return Trouble(FAILED, f"{function}: {type(error).__name__}: {error}")


def text(value: Any) -> str:  # Any: str, or bytes in older bindings
    """Give NVML's text as str."""
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)


def open_library() -> Trouble | None:
    """Load the library and start it; each good start needs one ``close_library``.

    May take seconds, and on a sick driver for ever: call it on a thread that nobody must wait for.
    """
    trouble = ask("nvmlInit", _nothing)
    if trouble is not None and trouble.code == LIBRARY_NOT_FOUND and load_from_known_folders():
        trouble = ask("nvmlInit", _nothing)
    return trouble


def close_library() -> None:
    """End one use of the library. Never call it while another thread's call hangs (design decision 6)."""
    trouble = ask("nvmlShutdown", _nothing)
    if trouble is not None:
        logger.debug("closing: %s", trouble)


def load_from_known_folders(folders: Iterable[str] | None = None) -> bool:
    """Load the library by path, so that a later look-up by name finds it; True when it was found.

    Needed inside WSL2 without loader configuration, and in a frozen application, whose start hid the user's own
    LD_LIBRARY_PATH.
    """
    if sys.platform == "win32":
        return False
    hidden = os.environ.get("LD_LIBRARY_PATH_ORIG", "").split(os.pathsep)
    for folder in (*hidden, *_KNOWN_FOLDERS) if folders is None else folders:
        path = Path(folder, _LIBRARY)
        if not folder or not path.exists():
            continue
        try:
            ctypes.CDLL(str(path))
        except OSError as error:
            logger.warning("%s can't be loaded: %s", path, error)
            continue
        logger.info("using %s", path)
        return True
    return False


def read_library_version(maps: Path = Path("/proc/self/maps")) -> str | None:
    """Give the version in the file name of the loaded library; None when not loaded, or not told by the name.

    Works when the library refuses to start, which is when it is needed: its version against the kernel module's.
    """
    try:
        found = _LIBRARY_VERSION.search(maps.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    return found.group(1) if found else None


def _nothing(_: object) -> None:
    return None
