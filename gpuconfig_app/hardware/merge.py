"""Joining what back-ends list with what the PCI bus shows, so that no card is missed and none is shown twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import BackendState, BackendStatus
from gpuconfig_app.hardware.backend import BackendResult, normal_bus_id
from gpuconfig_app.hardware.pci import PciCard, gpu_of, state_of

_STATE_BY_CODE = {
    "no_answer": GpuState.NO_ANSWER,
    "no_permission": GpuState.NO_PERMISSION,
    "gpu_lost": GpuState.LOST,
    "driver_not_loaded": GpuState.DRIVER_MISSING,
    "library_not_found": GpuState.DRIVER_MISSING,
}


def merge_cards(
    results: Sequence[BackendResult], cards: Sequence[PciCard], *, is_container: bool = False
) -> tuple[Gpu, ...]:
    """Give every card once, in bus order, those of unknown place after, graphics of the processor last.

    Args:
        results: Answers of the back-ends.
        cards: What the PCI bus shows.
        is_container: A loaded driver without its library then means that the container has no access.

    Returns:
        Cards that no back-end listed have a state and its reason; their index follows after the listed ones. Where
        two makers number their cards alike, those of the later back-end get the next free numbers.
    """
    statuses = {result.status.vendor: result.status for result in results}
    on_bus = {card.bus_id: card for card in cards}
    listed = [_with_bus_facts(gpu, on_bus) for gpu in _numbered(results)]
    placed = {normal_bus_id(gpu.pci_bus_id) for gpu in listed if gpu.pci_bus_id}
    unplaced = {gpu.vendor for gpu in listed if not gpu.pci_bus_id}
    index = max((gpu.index for gpu in listed), default=-1)
    rest: list[Gpu] = []
    for card in cards:
        if card.bus_id not in placed and card.vendor not in unplaced:
            index += 1
            state, reason = _unlisted_state(card, statuses, is_container=is_container)
            rest.append(gpu_of(card, index, state, reason))
    integrated = {card.bus_id for card in cards if card.is_integrated}
    return tuple(sorted([*listed, *rest], key=lambda gpu: _place(gpu, integrated)))


def _numbered(results: Sequence[BackendResult]) -> list[Gpu]:
    """Give the listed cards so that no two share an index; the first back-end with cards keeps its own numbers."""
    numbered: list[Gpu] = []
    for result in results:
        taken = {gpu.index for gpu in numbered}
        shift = max(taken) + 1 if taken and taken.intersection(gpu.index for gpu in result.gpus) else 0
        numbered += [replace(gpu, index=gpu.index + shift) for gpu in result.gpus]
    return numbered


def _place(gpu: Gpu, integrated: set[str]) -> tuple[bool, bool, str, int]:
    bus_id = normal_bus_id(gpu.pci_bus_id) if gpu.pci_bus_id else ""
    return bus_id in integrated, not bus_id, bus_id, gpu.index


def _with_bus_facts(gpu: Gpu, on_bus: Mapping[str, PciCard]) -> Gpu:
    """Fill in ids and driver that the back-end could not tell; what it told stays."""
    card = on_bus.get(normal_bus_id(gpu.pci_bus_id)) if gpu.pci_bus_id else None
    if card is None:
        return gpu
    filled = replace(
        gpu,
        pci_id=gpu.pci_id or card.pci_id,
        pci_subsystem_id=gpu.pci_subsystem_id or card.subsystem_id,
        bound_driver=gpu.bound_driver or card.driver,
    )
    known = {"pci_id": filled.pci_id, "pci_subsystem_id": filled.pci_subsystem_id, "bound_driver": filled.bound_driver}
    absent = {name: reason for name, reason in gpu.absent.items() if known.get(name) is None}
    return replace(filled, absent=absent)


def _unlisted_state(
    card: PciCard, statuses: Mapping[Vendor, BackendStatus], *, is_container: bool
) -> tuple[GpuState, Message]:
    status = statuses.get(card.vendor)
    state, reason = state_of(card, has_backend=status is not None)
    if status is None or state is not GpuState.FAILED:
        return state, reason
    # The right driver is bound, so it is the back-end that knows what is wrong.
    if is_container and status.code in ("library_not_found", "driver_not_loaded"):
        return GpuState.DRIVER_MISSING, Message("host.container-without-gpu")
    if status.state in (BackendState.FAILED, BackendState.DRIVER_MISSING):
        return _STATE_BY_CODE.get(status.code or "", GpuState.FAILED), status.reason or reason
    return state, reason
