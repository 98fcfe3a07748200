"""What every vendor's back-end promises, so that ``survey()`` can ask them all in the same way.

A new vendor is one file with a class that fits ``GpuBackend`` and one line in ``registry.py``. Nothing about a single
vendor belongs here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.system import BackendStatus, DriverInfo

_BUS_ID = re.compile(r"(?:([0-9a-f]{4,8}):)?([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])")


@dataclass(frozen=True, kw_only=True)
class DetectOptions:
    """What a back-end should know before it asks its driver.

    Attributes:
        wakes_sleeping_gpus: Ask cards that are powered down too; asking wakes them, costs battery and seconds.
        sleeping_bus_ids: PCI addresses of cards that are powered down now (Linux ``power/runtime_status``).
        pci_bus_ids: PCI addresses of all cards of the back-end's vendor; None when the bus was not scanned. It tells
            "card present, driver missing" from "no card".
        time_limit_s: How long the driver may take to start up, and again for all cards together to answer. A first
            start without persistence mode takes a second or more for each card.
    """

    wakes_sleeping_gpus: bool = False
    sleeping_bus_ids: frozenset[str] = frozenset()
    pci_bus_ids: tuple[str, ...] | None = None
    time_limit_s: float = 20.0


@dataclass(frozen=True, kw_only=True)
class BackendResult:
    """Answer of one back-end.

    Attributes:
        status: What was found, or why nothing could be.
        gpus: In the driver's order; cards that could not be read are in it with their state and its reason.
        driver: None when no driver of this vendor is installed.
    """

    status: BackendStatus
    gpus: tuple[Gpu, ...] = ()
    driver: DriverInfo | None = None


class GpuBackend(Protocol):
    """One vendor's way to find its cards.

    For back-end authors: keep no state between calls; the same object may be asked from several threads.
    """

    @property
    def vendor(self) -> Vendor:
        """Whose cards it finds.

        For back-end authors: a class attribute ``vendor: Final = Vendor.…`` is enough.
        """
        ...

    def detect(self, options: DetectOptions) -> BackendResult:
        """Give the cards of this vendor with everything that can be known without root.

        For back-end authors:
            - Never raise, never print, never need root. A fault is a ``BackendStatus`` with ``code`` and ``reason``.
            - End within about ``options.time_limit_s``, even when the driver hangs: ask it on a daemon thread
              (``time_limit.answers_within``) and give up waiting.
            - Touch no card in ``options.sleeping_bus_ids`` unless ``options.wakes_sleeping_gpus``; give it with state
              ASLEEP.
            - A field that can't be read stays None and has its reason in ``Gpu.absent`` as a Message of
              ``resources/text/hardware.toml``. Never write 0 for "not known".
            - A missing library is not a missing card: compare with ``options.pci_bus_ids``.
        """
        ...


def normal_bus_id(text: str) -> str:
    """Write a PCI address in the one form used here, ``00000000:01:00.0``; unreadable text comes back in lower case.

    The kernel writes four digits of domain, NVML and nvidia-smi eight, both with either case.
    """
    found = _BUS_ID.fullmatch(text.strip().lower())
    if found is None:
        return text.strip().lower()
    domain, bus, device, function = found.groups()
    return f"{(domain or '0').rjust(8, '0')}:{bus}:{device}.{function}"


def kernel_bus_id(bus_id: str) -> str:
    """Write a PCI address as the Linux kernel names its folder, ``0000:01:00.0``."""
    domain, colon, rest = normal_bus_id(bus_id).partition(":")
    try:
        return f"{int(domain, 16):04x}{colon}{rest}"
    except ValueError:
        return bus_id
