"""The back-ends, one line each; ``survey()`` asks them in this order."""

from __future__ import annotations

from gpuconfig_app.hardware.backend import GpuBackend
from gpuconfig_app.hardware.nvidia import NvidiaBackend

BACKENDS: tuple[GpuBackend, ...] = (NvidiaBackend(),)
