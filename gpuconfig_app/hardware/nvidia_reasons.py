"""Sentences for NVIDIA's troubles: why a reading is missing, why a card or the whole driver can't be used."""

from __future__ import annotations

from gpuconfig_app.core.gpu import GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Liveness
from gpuconfig_app.core.system import BackendState, BackendStatus
from gpuconfig_app.hardware import nvidia_nvml as nvml
from gpuconfig_app.hardware.backend import DetectOptions
from gpuconfig_app.hardware.nvidia_nvml import Trouble

NO_ANSWER = "no_answer"
NO_DEVICES = "no_devices"

NOT_SUPPORTED = Message("hardware.not-supported")
NOT_TOLD = Message("hardware.not-told-by-driver")
ONLY_ON_WINDOWS = Message("hardware.only-on-windows")
NO_MARKETING_NAME = Message("hardware.no-marketing-name")
MEMORY_SHARED = Message("hardware.memory-shared")
RESERVED_INSIDE_USED = Message("hardware.reserved-inside-used")
MIG_NOT_FOR_WHOLE_CARD = Message("hardware.mig-not-for-whole-card")
MIG_NOT_FOR_SLICES = Message("hardware.mig-not-for-slices")
WDDM_PROCESS_MEMORY = Message("hardware.wddm-process-memory")
ASLEEP = Message("hardware.asleep")
NOT_IN_NVIDIA_SMI = Message("hardware.not-in-nvidia-smi")

_READING = {
    nvml.NOT_SUPPORTED: "hardware.not-supported",
    nvml.NOT_FOUND: "hardware.not-supported",
    nvml.INVALID_ARGUMENT: "hardware.not-supported",
    nvml.DRIVER_TOO_OLD: "hardware.reading-driver-too-old",
    nvml.NO_PERMISSION: "hardware.reading-no-permission",
    nvml.GPU_LOST: "hardware.gpu-lost",
    nvml.RESET_REQUIRED: "hardware.reset-required",
    nvml.DRIVER_NOT_LOADED: "hardware.driver-unloaded",
    nvml.UNINITIALIZED: "hardware.driver-unloaded",
    nvml.MISMATCH: "hardware.driver-changed",
}
_CARD = {
    nvml.GPU_LOST: (GpuState.LOST, "hardware.gpu-lost"),
    nvml.RESET_REQUIRED: (GpuState.FAILED, "hardware.reset-required"),
    nvml.NO_PERMISSION: (GpuState.NO_PERMISSION, "hardware.card-no-permission"),
    nvml.DRIVER_NOT_LOADED: (GpuState.LOST, "hardware.driver-unloaded"),
    nvml.UNINITIALIZED: (GpuState.LOST, "hardware.driver-unloaded"),
    nvml.MISMATCH: (GpuState.FAILED, "hardware.driver-changed"),
    nvml.NOT_FOUND: (GpuState.LOST, "hardware.gpu-lost"),
    nvml.INVALID_ARGUMENT: (GpuState.LOST, "hardware.gpu-lost"),
}
_CARD_CODES = {
    GpuState.LOST: nvml.GPU_LOST,
    GpuState.NO_ANSWER: NO_ANSWER,
    GpuState.NO_PERMISSION: nvml.NO_PERMISSION,
}


def why_missing(trouble: Trouble) -> Message:
    """Give the reason of one missing reading."""
    known = _READING.get(trouble.code)
    return Message(known) if known else Message("hardware.reading-failed", {"detail": trouble.detail})


def card_state(trouble: Trouble) -> tuple[GpuState, Message]:
    """Give state and reason of a card that can't be asked at all."""
    state, sentence = _CARD.get(trouble.code, (GpuState.FAILED, ""))
    return state, Message(sentence) if sentence else Message("hardware.card-failed", {"detail": trouble.detail})


def card_liveness(trouble: Trouble) -> tuple[Liveness, Message]:
    """Give liveness and reason of a card whose live readings ended."""
    return Liveness.LOST, card_state(trouble)[1]


def no_answer(limit_s: float) -> Message:
    """Give the reason of a driver or card that was asked and kept silent."""
    return Message("hardware.no-answer", {"limit_s": limit_s})


def code_of(state: GpuState) -> str:
    """Give the back-end's code when every card is in this state."""
    return _CARD_CODES.get(state, nvml.FAILED)


def library_status(
    trouble: Trouble, options: DetectOptions, library_version: str | None, kernel_version: str | None
) -> BackendStatus:
    """Give the back-end's status when NVML does not start.

    A missing library or module is "no card" only when the bus has none.
    """
    has_card = bool(options.pci_bus_ids)
    code, state = trouble.code, BackendState.FAILED
    sentence = Message("hardware.failed", {"detail": trouble.detail})
    if code == nvml.LIBRARY_NOT_FOUND:
        if not has_card:
            return not_present("nvml")
        state, sentence = BackendState.DRIVER_MISSING, Message("hardware.library-not-found")
    elif code == nvml.DRIVER_NOT_LOADED:
        if options.pci_bus_ids is not None and not has_card:
            return not_present("nvml")
        state, sentence = BackendState.DRIVER_MISSING, Message("hardware.driver-not-loaded")
    elif code == nvml.MISMATCH:
        sentence = _mismatch(library_version, kernel_version)
    elif code == nvml.NO_PERMISSION:
        sentence = Message("hardware.no-permission")
    elif code in (nvml.GPU_LOST, nvml.RESET_REQUIRED):
        code, sentence = nvml.GPU_LOST, Message("hardware.gpu-lost")
    elif code == nvml.DRIVER_TOO_OLD:
        code, sentence = nvml.FAILED, Message("hardware.driver-far-too-old")
    else:
        code = nvml.FAILED
    return BackendStatus(vendor=Vendor.NVIDIA, state=state, code=code, reason=sentence, source="nvml")


def no_devices_status(options: DetectOptions) -> BackendStatus:
    """Give the status of a driver that runs and lists no card."""
    if not options.pci_bus_ids:
        return not_present("nvml")
    return BackendStatus(
        vendor=Vendor.NVIDIA,
        state=BackendState.FAILED,
        code=NO_DEVICES,
        reason=Message("hardware.no-devices"),
        source="nvml",
    )


def not_present(source: str) -> BackendStatus:
    """Give the status of a machine without such a card; that is no fault, so it has no code."""
    return BackendStatus(
        vendor=Vendor.NVIDIA,
        state=BackendState.NOT_PRESENT,
        reason=Message("hardware.no-nvidia-card"),
        source=source,
    )


def silent_status(limit_s: float) -> BackendStatus:
    """Give the status of a driver that does not answer."""
    return BackendStatus(
        vendor=Vendor.NVIDIA,
        state=BackendState.FAILED,
        code=NO_ANSWER,
        reason=Message("hardware.driver-no-answer", {"limit_s": limit_s}),
        source="nvml",
    )


def _mismatch(library_version: str | None, kernel_version: str | None) -> Message:
    if library_version is None or kernel_version is None:
        return Message("hardware.driver-library-mismatch")
    return Message("hardware.driver-library-mismatch-versions", {"library": library_version, "module": kernel_version})
