"""The environment variables that change a verdict, and the settings of ``keras.json`` that act like one.

Whose variables they are is decided in ``login_shell``; nothing here starts a program.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

# TF_CONFIG is left out on purpose: it holds addresses of other machines and belongs to a run, not to a machine.
WATCHED_VARIABLES = (
    "ASCEND_HOME_PATH",
    "ASCEND_RT_VISIBLE_DEVICES",
    "ASCEND_TOOLKIT_HOME",
    "CONDA_PREFIX",
    "CUDA_CACHE_DISABLE",
    "CUDA_CACHE_MAXSIZE",
    "CUDA_CACHE_PATH",
    "CUDA_DEVICE_ORDER",
    "CUDA_DISABLE_PTX_JIT",
    "CUDA_FORCE_PTX_JIT",
    "CUDA_HOME",
    "CUDA_PATH",
    "CUDA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "HSA_OVERRIDE_GFX_VERSION",
    "KERAS_BACKEND",
    "KERAS_HOME",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "NCCL_P2P_DISABLE",
    "NVIDIA_DRIVER_CAPABILITIES",
    "NVIDIA_TF32_OVERRIDE",
    "NVIDIA_VISIBLE_DEVICES",
    "PYTHONHOME",
    "PYTHONNOUSERSITE",
    "PYTHONPATH",
    "PYTHONUSERBASE",
    "ROCR_VISIBLE_DEVICES",
    "TF_CPP_MIN_LOG_LEVEL",
    "TF_ENABLE_ONEDNN_OPTS",
    "TF_FORCE_GPU_ALLOW_GROWTH",
    "TF_GPU_ALLOCATOR",
    "TF_USE_LEGACY_KERAS",
    "TF_XLA_FLAGS",
    "VIRTUAL_ENV",
    "XLA_FLAGS",
    "ZE_AFFINITY_MASK",
)
_KERAS_SETTINGS = ("backend", "floatx", "image_data_format")
_KERAS_LIMIT_BYTES = 64 * 1024


def watched_variables(variables: Mapping[str, str], home: Path | None) -> dict[str, str]:
    """Give those variables that change a verdict and are set, and what ``keras.json`` sets.

    Args:
        variables: All variables of the user.
        home: The user's home folder; None leaves ``keras.json`` alone.

    Returns:
        By name; the settings of ``keras.json`` as ``keras.json:backend``, ``:floatx`` and ``:image_data_format``.
    """
    found = {name: variables[name] for name in WATCHED_VARIABLES if name in variables}
    folder = Path(variables["KERAS_HOME"]) if variables.get("KERAS_HOME") else home / ".keras" if home else None
    if folder is not None:
        found |= {f"keras.json:{name}": value for name, value in read_keras_settings(folder / "keras.json").items()}
    return found


def read_keras_settings(path: Path) -> dict[str, str]:
    """Give what a ``keras.json`` sets of backend, number type and image layout; empty when there is none of use."""
    try:
        if path.stat().st_size > _KERAS_LIMIT_BYTES:
            return {}
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {name: data[name] for name in _KERAS_SETTINGS if isinstance(data.get(name), str)}
