"""The back-ends, one line each; ``survey()`` asks them in this order."""

from __future__ import annotations

from gpuconfig_app.hardware.amd import AmdBackend
from gpuconfig_app.hardware.ascend import AscendBackend
from gpuconfig_app.hardware.backend import GpuBackend
from gpuconfig_app.hardware.hygon import HygonBackend
from gpuconfig_app.hardware.intel import IntelBackend
from gpuconfig_app.hardware.nvidia import NvidiaBackend

BACKENDS: tuple[GpuBackend, ...] = (
    NvidiaBackend(),
    AmdBackend(),
    AscendBackend(),
    HygonBackend(),
    IntelBackend(),
)
