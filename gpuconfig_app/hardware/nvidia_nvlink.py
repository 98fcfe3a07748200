"""NVLink ports of an NVIDIA card."""

from __future__ import annotations

from typing import Any

import pynvml

from gpuconfig_app.core.gpu import NvLink
from gpuconfig_app.hardware import nvidia_nvml as nvml
from gpuconfig_app.hardware.backend import normal_bus_id
from gpuconfig_app.hardware.nvidia_nvml import Handle, Trouble, ask

_MOST_LINKS = 36  # NVML_NVLINK_MAX_LINKS


def read_nvlinks(handle: Handle) -> tuple[NvLink, ...]:
    """Give the NVLink ports of a card, none when it has none or does not tell."""
    counted = ask("nvmlDeviceGetFieldValues", _first_value, handle, [pynvml.NVML_FI_DEV_NVLINK_LINK_COUNT])
    most = _MOST_LINKS if isinstance(counted, Trouble) or counted is None else min(counted, _MOST_LINKS)
    links = []
    for index in range(most):
        state = ask("nvmlDeviceGetNvLinkState", bool, handle, index)
        if isinstance(state, Trouble):
            break
        version = ask("nvmlDeviceGetNvLinkVersion", int, handle, index)
        remote = ask("nvmlDeviceGetNvLinkRemotePciInfo", _bus_id, handle, index) if state else None
        links.append(
            NvLink(
                index=index,
                is_active=state,
                version=None if isinstance(version, Trouble) else version,
                remote_pci_bus_id=None if isinstance(remote, Trouble) else remote,
            )
        )
    return tuple(links)


def _first_value(values: Any) -> int | None:  # Any: array of structures of pynvml
    first = values[0]
    return int(first.value.uiVal) if int(first.nvmlReturn) == pynvml.NVML_SUCCESS else None


def _bus_id(info: Any) -> str:  # Any: structure of pynvml
    return normal_bus_id(nvml.text(info.busId))
