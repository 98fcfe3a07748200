"""Facts about environment variables and ``keras.json``: what changes what TensorFlow does, read and named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from gpuconfig_app.compat.conditions import FactValue
from gpuconfig_app.compat.subject import Subject

# Named in a finding when they are set; each can make TensorFlow behave otherwise than on a plain machine.
TELLING = (
    "CUDA_CACHE_DISABLE", "CUDA_CACHE_PATH", "CUDA_DEVICE_ORDER", "CUDA_DISABLE_PTX_JIT", "CUDA_FORCE_PTX_JIT",
    "CUDA_VISIBLE_DEVICES", "KERAS_BACKEND", "KERAS_HOME", "LD_LIBRARY_PATH", "LD_PRELOAD",
    "NVIDIA_DRIVER_CAPABILITIES", "NVIDIA_TF32_OVERRIDE", "NVIDIA_VISIBLE_DEVICES", "PYTHONHOME", "PYTHONNOUSERSITE",
    "PYTHONPATH", "PYTHONUSERBASE", "TF_CPP_MIN_LOG_LEVEL", "TF_ENABLE_ONEDNN_OPTS", "TF_FORCE_GPU_ALLOW_GROWTH",
    "TF_GPU_ALLOCATOR", "TF_USE_LEGACY_KERAS", "TF_XLA_FLAGS", "XLA_FLAGS",
    "keras.json:backend", "keras.json:floatx", "keras.json:image_data_format",
)  # fmt: skip
# Package that a backend of Keras 3 needs; None needs none of its own.
_BACKENDS: Mapping[str, str | None] = MappingProxyType(
    {"tensorflow": None, "jax": "jax", "torch": "torch", "numpy": None, "openvino": "openvino"}
)
_AUTO_JIT = re.compile(r"tf_xla_auto_jit=(?!0\b|-)")
_CUDA_NAME = re.compile(r"lib(?:cuda|cudart|cudnn|cublas|cufft|cusolver|cusparse|nccl|nvrtc|nvJitLink)\b")
_PLAIN_LAYOUTS = frozenset({"channels_last"})
# TensorFlow looks for these words as they are, Keras' start reads them so.
_LEGACY_WORDS = frozenset({"1", "true", "True"})
_HIDDEN_DEVICES = frozenset({"", "none", "void"})


def variable_facts(subject: Subject) -> dict[str, FactValue]:
    """Give what the user's variables and ``keras.json`` set."""
    variables = subject.report.host.variables
    telling = [name for name in TELLING if name in variables]
    return {
        "variables.telling": ", ".join(telling) or None,
        "variables.are_telling": bool(telling),
        "variables.hide_messages": _number(variables.get("TF_CPP_MIN_LOG_LEVEL")) >= 2,
        "variables.log_level": variables.get("TF_CPP_MIN_LOG_LEVEL"),
        "variables.ptx_jit_is_off": _is_on(variables.get("CUDA_DISABLE_PTX_JIT")),
        "variables.ptx_jit_is_forced": _is_on(variables.get("CUDA_FORCE_PTX_JIT")),
        "variables.cache_is_off": _is_on(variables.get("CUDA_CACHE_DISABLE")),
        "variables.preloads_cuda": bool(_CUDA_NAME.search(variables.get("LD_PRELOAD", ""))),
        "variables.preloaded": variables.get("LD_PRELOAD"),
        "xla.is_on": bool(_AUTO_JIT.search(variables.get("TF_XLA_FLAGS", ""))),
        **_container_facts(variables),
        **_keras_facts(subject, variables),
    }


def _container_facts(variables: Mapping[str, str]) -> dict[str, FactValue]:
    """Give what a container was told to show of the cards; the words are those of the NVIDIA Container Toolkit."""
    devices = variables.get("NVIDIA_VISIBLE_DEVICES")
    abilities = variables.get("NVIDIA_DRIVER_CAPABILITIES")
    parts = {part.strip() for part in (abilities or "").split(",")}
    return {
        "container.devices": devices,
        "container.devices_are_hidden": devices is not None and devices.strip().lower() in _HIDDEN_DEVICES,
        "container.abilities": abilities,
        "container.lacks_compute": bool(abilities and not parts & {"all", "compute"}),
    }


def _keras_facts(subject: Subject, variables: Mapping[str, str]) -> dict[str, FactValue]:
    """Give what Keras is told; the variable counts before the file."""
    backend = variables.get("KERAS_BACKEND") or variables.get("keras.json:backend")
    origin = "KERAS_BACKEND" if variables.get("KERAS_BACKEND") else "keras.json"
    packages = subject.environment.packages if subject.environment is not None else {}
    needed = _BACKENDS.get(backend.strip().lower(), backend) if backend else None
    floatx = variables.get("keras.json:floatx")
    layout = variables.get("keras.json:image_data_format")
    return {
        "keras.backend": backend.strip().lower() if backend else None,
        "keras.backend_origin": origin if backend else None,
        "keras.backend_is_there": (needed is None or needed in packages) if backend and subject.is_installed else None,
        "keras.is_legacy": variables.get("TF_USE_LEGACY_KERAS", "") in _LEGACY_WORDS,
        "keras.floatx": floatx,
        "keras.floatx_is_plain": floatx in {None, "float32"},
        "keras.layout": layout,
        "keras.layout_is_plain": layout is None or layout in _PLAIN_LAYOUTS,
    }


def _is_on(value: str | None) -> bool:
    return _number(value) >= 1


def _number(value: str | None) -> int:
    """Read a small number as C does: what is none counts as 0."""
    text = (value or "").strip()
    return int(text) if re.fullmatch(r"\d{1,3}", text, re.ASCII) else 0
