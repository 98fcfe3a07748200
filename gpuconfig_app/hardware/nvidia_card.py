"""Everything one NVIDIA card tells about itself, as a ``Gpu`` with a reason for each thing it does not tell."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from gpuconfig_app.core.gpu import ComputeMode, DriverModel, Gpu, GpuState, PcieLink, ValueOrigin, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.hardware import nvidia_nvml as nvml
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware.backend import normal_bus_id
from gpuconfig_app.hardware.nvidia_memory import MemoryFigures, read_memory
from gpuconfig_app.hardware.nvidia_mig import read_mig
from gpuconfig_app.hardware.nvidia_nvlink import read_nvlinks
from gpuconfig_app.hardware.nvidia_nvml import Handle, Trouble, ask
from gpuconfig_app.hardware.nvidia_processes import ProcessNames, read_processes
from gpuconfig_app.hardware.readings import REASONED_FIELDS

T = TypeVar("T")

# Values of nvmlDeviceGetArchitecture, in nvidia-smi's words.
ARCHITECTURES = {
    2: "Kepler",
    3: "Maxwell",
    4: "Pascal",
    5: "Volta",
    6: "Turing",
    7: "Ampere",
    8: "Ada Lovelace",
    9: "Hopper",
    10: "Blackwell",
    13: "Rubin",
}
_COMPUTE_MODES = {
    0: ComputeMode.DEFAULT,
    1: ComputeMode.EXCLUSIVE_THREAD,
    2: ComputeMode.PROHIBITED,
    3: ComputeMode.EXCLUSIVE_PROCESS,
}
_DRIVER_MODELS = {0: DriverModel.WDDM, 1: DriverModel.TCC, 2: DriverModel.MCDM}
# What drivers call a card they have no name for.
NO_NAMES = ("graphics device", "nvidia graphics device", "unknown")
_SHUTDOWN, _SLOWDOWN = 0, 1
_GPU_FIELDS = frozenset(item.name for item in fields(Gpu))


class NvidiaCard:
    """Collects what one card tells; what was found so far can be taken at any time from another thread.

    Args:
        index: Position in the driver's order.
        bus_id: Ask for the card by its PCI address, so that no other card is touched on the way; None: by its index.
        names: Memory of process names.
    """

    def __init__(self, index: int, bus_id: str | None = None, names: ProcessNames | None = None) -> None:
        self._index = index
        self._bus_id = bus_id
        self._names = names or ProcessNames()
        self._found: dict[str, Any] = {}  # Any: values of Gpu's fields
        self._absent: dict[str, Message] = {}
        self._fatal: Trouble | None = None

    def read(self) -> None:
        """Ask the card everything, in order of importance; stops where the card can't be asked any more."""
        if self._bus_id is None:
            handle = ask("nvmlDeviceGetHandleByIndex", _as_is, self._index)
        else:
            handle = ask("nvmlDeviceGetHandleByPciBusId", _as_is, self._bus_id.encode())
        if isinstance(handle, Trouble):
            self._fatal = handle
            return
        for stage in (
            self._read_identity,
            self._read_memory,
            self._read_modes,
            self._read_mig,
            self._read_limits,
            self._read_links,
            self._read_processes,
        ):
            stage(handle)
            if self._fatal is not None:
                return

    def gpu(self, silent_for_s: float | None = None) -> Gpu:
        """Give what is known now.

        Args:
            silent_for_s: The card was asked and has not finished answering for this long; None when it has.
        """
        found, absent, fatal = dict(self._found), dict(self._absent), self._fatal
        state, reason = GpuState.READY, None
        if fatal is not None:
            state, reason = reasons.card_state(fatal)
        elif silent_for_s is not None:
            state, reason = GpuState.NO_ANSWER, reasons.no_answer(silent_for_s)
        for name in REASONED_FIELDS:
            if found.get(name) is None:
                absent.setdefault(name, reason or reasons.NOT_TOLD)
        return Gpu(
            index=self._index,
            vendor=Vendor.NVIDIA,
            state=state,
            state_reason=reason,
            bound_driver="nvidia" if os.name == "posix" else None,
            absent=absent,
            **{name: value for name, value in found.items() if name in _GPU_FIELDS},
        )

    def _take(
        self, field: str, function: str, convert: Callable[[Any], T], *arguments: object
    ) -> None:  # Any: what pynvml gives
        answer = ask(function, convert, *arguments)
        if isinstance(answer, Trouble):
            self._miss(field, answer)
        else:
            self._found[field] = answer

    def _miss(self, field: str, trouble: Trouble) -> None:
        self._absent[field] = reasons.why_missing(trouble)
        if trouble.ends_the_card:
            self._fatal = trouble

    def _read_identity(self, handle: Handle) -> None:
        self._take("name", "nvmlDeviceGetName", nvml.text, handle)
        if str(self._found.get("name", "")).strip().lower() in NO_NAMES:
            del self._found["name"]
            self._absent["name"] = reasons.NO_MARKETING_NAME
        self._take("uuid", "nvmlDeviceGetUUID", nvml.text, handle)
        self._take("serial", "nvmlDeviceGetSerial", nvml.text, handle)
        pci = ask("nvmlDeviceGetPciInfo_v3", _pci, handle)
        if isinstance(pci, Trouble):
            for field in ("pci_bus_id", "pci_id", "pci_subsystem_id"):
                self._miss(field, pci)
        else:
            self._found |= pci
        self._take("compute_capability", "nvmlDeviceGetCudaComputeCapability", _capability, handle)
        if "compute_capability" in self._found:
            self._found["compute_capability_origin"] = ValueOrigin.CARD
        self._take("architecture", "nvmlDeviceGetArchitecture", _architecture, handle)
        minor = ask("nvmlDeviceGetMinorNumber", int, handle)
        if not isinstance(minor, Trouble) and os.name == "posix":
            self._found["device_node"] = f"/dev/nvidia{minor}"

    def _read_memory(self, handle: Handle) -> None:
        figures = read_memory(handle)
        names = ("memory_total_bytes", "memory_used_bytes", "memory_free_bytes", "memory_reserved_bytes")
        if isinstance(figures, MemoryFigures):
            values = (figures.total_bytes, figures.used_bytes, figures.free_bytes, figures.reserved_bytes)
            self._found |= dict(zip(names, values, strict=True))
            if figures.reserved_bytes is None:
                self._absent["memory_reserved_bytes"] = reasons.RESERVED_INSIDE_USED
            return
        for field in names:
            self._miss(field, figures)
        if figures.code == nvml.NOT_SUPPORTED:
            self._found["memory_is_shared"] = True
            self._absent |= dict.fromkeys(names, reasons.MEMORY_SHARED)

    def _read_modes(self, handle: Handle) -> None:
        self._take("compute_mode", "nvmlDeviceGetComputeMode", _COMPUTE_MODES.get, handle)
        self._take("ecc_enabled", "nvmlDeviceGetEccMode", _current, handle)
        self._take("persistence_enabled", "nvmlDeviceGetPersistenceMode", bool, handle)
        self._take("display_active", "nvmlDeviceGetDisplayActive", bool, handle)
        self._take("driver_model", "nvmlDeviceGetDriverModel_v2", _driver_model, handle)
        if "driver_model" not in self._found and os.name != "nt":
            self._absent["driver_model"] = reasons.ONLY_ON_WINDOWS

    def _read_mig(self, handle: Handle) -> None:
        self._take("mig_enabled", "nvmlDeviceGetMigMode", _current, handle)
        if self._found.get("mig_enabled"):
            self._found["mig_instances"] = read_mig(handle)

    def _read_limits(self, handle: Handle) -> None:
        self._take("power_limit_w", "nvmlDeviceGetPowerManagementLimit", _watt, handle)
        self._take("power_limit_default_w", "nvmlDeviceGetPowerManagementDefaultLimit", _watt, handle)
        span = ask("nvmlDeviceGetPowerManagementLimitConstraints", _watts, handle)
        if isinstance(span, Trouble):
            self._miss("power_limit_min_w", span)
            self._miss("power_limit_max_w", span)
        else:
            self._found["power_limit_min_w"], self._found["power_limit_max_w"] = span
        self._take("temperature_slowdown_c", "nvmlDeviceGetTemperatureThreshold", int, handle, _SLOWDOWN)
        self._take("temperature_shutdown_c", "nvmlDeviceGetTemperatureThreshold", int, handle, _SHUTDOWN)

    def _read_links(self, handle: Handle) -> None:
        answers = {
            "generation": ask("nvmlDeviceGetCurrPcieLinkGeneration", int, handle),
            "width": ask("nvmlDeviceGetCurrPcieLinkWidth", int, handle),
            "max_generation": ask("nvmlDeviceGetMaxPcieLinkGeneration", int, handle),
            "max_width": ask("nvmlDeviceGetMaxPcieLinkWidth", int, handle),
        }
        told = {name: answer for name, answer in answers.items() if not isinstance(answer, Trouble)}
        if told:
            self._found["pcie"] = pcie_link(told)
        for name, answer in answers.items():
            if isinstance(answer, Trouble):
                self._miss(f"pcie.{name}" if told else "pcie", answer)
        self._found["nvlinks"] = read_nvlinks(handle)

    def _read_processes(self, handle: Handle) -> None:
        instances = self._found.get("mig_instances", ())
        slices = {one.gpu_instance_id: one.index for one in instances if one.gpu_instance_id is not None}
        listed = read_processes(handle, self._names, slices)
        if isinstance(listed, Trouble):
            self._miss("processes", listed)
            return
        self._found["processes"] = listed
        if any(process.memory_used_bytes is None for process in listed):
            is_wddm = self._found.get("driver_model") is DriverModel.WDDM
            reason = reasons.WDDM_PROCESS_MEMORY if is_wddm else reasons.NOT_TOLD
            self._absent["processes.memory_used_bytes"] = reason


def _as_is(value: Handle) -> Handle:
    return value


def _current(pair: Any) -> bool:  # Any: pynvml gives [current, after the next restart]
    return bool(pair[0])


def _watt(milliwatt: Any) -> float:  # Any: int of pynvml
    return int(milliwatt) / 1000.0


def _watts(pair: Any) -> tuple[float, float]:  # Any: pynvml gives [lowest, highest]
    return _watt(pair[0]), _watt(pair[1])


def _capability(pair: Any) -> str:  # Any: pynvml gives (major, minor)
    return f"{pair[0]}.{pair[1]}"


def _architecture(number: Any) -> str | None:  # Any: int of pynvml
    return ARCHITECTURES.get(int(number))


def _driver_model(pair: Any) -> DriverModel | None:  # Any: pynvml gives [current, pending]
    return _DRIVER_MODELS.get(int(pair[0]))


def _pci(info: Any) -> Mapping[str, str]:  # Any: structure of pynvml
    device, subsystem = int(info.pciDeviceId), int(info.pciSubSystemId)
    found = {"pci_bus_id": normal_bus_id(nvml.text(info.busId)), "pci_id": pci_pair(device)}
    return found | ({"pci_subsystem_id": pci_pair(subsystem)} if subsystem else {})


def pci_pair(number: int) -> str:
    """Write NVIDIA's combined id (device in the high half, vendor in the low) as ``10de:2684``."""
    return f"{number & 0xFFFF:04x}:{number >> 16:04x}"


def pcie_link(told: Mapping[str, int]) -> PcieLink:
    """Make the link of the parts that were told."""
    return PcieLink(
        generation=told.get("generation"),
        width=told.get("width"),
        max_generation=told.get("max_generation"),
        max_width=told.get("max_width"),
    )
