"""CUDA's forward compatibility package: a newer libcuda beside an older driver, for data centre cards only.

It is recognised by the folder the loader finds ``libcuda`` in: ``/usr/local/cuda-12.8/compat``, or ``cuda-compat`` of
conda.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from gpuconfig_app.compat.conditions import FactValue
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.system import OsFamily, SystemReport
from gpuconfig_app.core.versions import is_at_least
from gpuconfig_app.knowledge.catalogue import catalogue_gpu
from gpuconfig_app.knowledge.cuda_drivers import CudaTable

_FOLDER = re.compile(r"/(?:cuda-)?compat(?:/|$)")
_LEVEL = re.compile(r"/cuda-(\d{1,2}\.\d{1,2})/")
_FILE = re.compile(r"libcuda\.so\.(\d{3}\.\d{2,3}(?:\.\d{2})?)$")
_MAY_USE = frozenset({"datacenter"})
_MAY_NOT_USE = frozenset({"consumer"})


def compat_path(report: SystemReport) -> str | None:
    """Give the path of a libcuda that comes from the package, None when the driver's own is found."""
    path = report.host.libraries.libcuda
    if path is None or report.host.os.family is not OsFamily.LINUX or report.host.os.wsl_version is not None:
        return None
    return path if _FOLDER.search(f"{PurePosixPath(path).parent}/") else None


def compat_level(report: SystemReport, table: CudaTable) -> str | None:
    """Give the CUDA level of the package in use, by file or folder; None when there is none or it is not told."""
    path = compat_path(report)
    if path is None:
        return None
    by_file = _FILE.search(path)
    if by_file is not None:
        return table.level_of_driver(by_file.group(1), is_windows_driver=False)
    by_folder = _LEVEL.search(path)
    return by_folder.group(1) if by_folder is not None else None


def raised_level(report: SystemReport, level: str | None, table: CudaTable) -> str | None:
    """Give the CUDA level that counts: the package's where it may be used and is the higher one."""
    newer = compat_level(report, table)
    if newer is None or not may_use_compat(report.gpus) or is_at_least(level, newer):
        return level
    return newer


def may_use_compat(gpus: Sequence[Gpu]) -> bool | None:
    """Whether NVIDIA's cards here may use the package; None when it is not known, as for some workstation cards."""
    segments = [_segment(gpu) for gpu in gpus if gpu.vendor is Vendor.NVIDIA]
    if any(segment in _MAY_NOT_USE for segment in segments):
        return False
    return True if segments and all(segment in _MAY_USE for segment in segments) else None


def compat_facts(report: SystemReport, level: str | None, table: CudaTable) -> dict[str, FactValue]:
    """Give the facts about the package.

    Args:
        level: CUDA level of the driver itself.
    """
    path = compat_path(report)
    newer = compat_level(report, table)
    return {
        "compat.is_used": path is not None,
        "compat.path": path,
        "compat.folder": str(PurePosixPath(path).parent) if path else None,
        "compat.level": newer,
        "compat.is_allowed": may_use_compat(report.gpus) if path else None,
        "compat.raises": _raises(newer, level),
    }


def _raises(newer: str | None, level: str | None) -> bool | None:
    reached = is_at_least(level, newer) if newer else None
    return None if reached is None else not reached


def _segment(gpu: Gpu) -> str | None:
    row = catalogue_gpu(gpu.catalogue_id) if gpu.catalogue_id else None
    if row is not None:
        return row.segment
    return "consumer" if "geforce" in (gpu.name or "").lower() else None
