"""What the kernel tells about NVIDIA's driver without asking the driver; works when that hangs or refuses, too."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.core.messages import Message
from gpuconfig_app.hardware.backend import kernel_bus_id, normal_bus_id

_MODULE_VERSION = re.compile(r"Kernel Module\D*?(?:for \S+)?\s+(\d+\.\d+(?:\.\d+)?)")
_PLAIN_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)?")


@dataclass(frozen=True)
class KernelDriver:
    """The loaded kernel module.

    Attributes:
        version: None when no module is loaded, or on a system that does not tell (Windows, WSL2).
        is_open: NVIDIA's open flavour.
        card_bus_ids: Cards it drives, in bus order; None when it does not tell.
    """

    version: str | None = None
    is_open: bool | None = None
    card_bus_ids: tuple[str, ...] | None = None

    @property
    def absent(self) -> Mapping[str, Message]:
        """Reasons of what is missing, by field name of ``DriverInfo``."""
        missing = [
            name for name, value in (("kernel_version", self.version), ("is_open_kernel_module", self.is_open))
            if value is None
        ]  # fmt: skip
        if os.name == "posix":
            return dict.fromkeys(missing, Message("host.file-not-readable", {"path": "/proc/driver/nvidia/version"}))
        return dict.fromkeys(missing, Message("host.not-on-this-system"))


def read_kernel_driver(root: Path = Path("/")) -> KernelDriver:
    """Read the module's version, flavour and cards from /proc and /sys.

    Args:
        root: Where the file system begins, for tests.
    """
    first_line = _read(root / "proc/driver/nvidia/version").partition("\n")[0]
    found = _MODULE_VERSION.search(first_line)
    version = found.group(1) if found else None
    if version is None:
        plain = _PLAIN_VERSION.match(_read(root / "sys/module/nvidia/version"))
        version = plain.group(0) if plain else None
    is_open = None if found is None else "Open Kernel Module" in first_line
    return KernelDriver(version, is_open, _cards(root / "proc/driver/nvidia/gpus"))


def is_suspended(bus_id: str, root: Path = Path("/")) -> bool:
    """Tell whether a card is powered down now; asking this does not wake it."""
    status = root / "sys/bus/pci/devices" / kernel_bus_id(bus_id) / "power/runtime_status"
    return _read(status).strip() == "suspended"


def _cards(folder: Path) -> tuple[str, ...] | None:
    try:
        return tuple(sorted(normal_bus_id(entry.name) for entry in folder.iterdir()))
    except OSError:
        return None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
