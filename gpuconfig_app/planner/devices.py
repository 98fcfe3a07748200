"""Which cards a training uses: those that work, of one kind, the best kind first; each card left out has its reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gpuconfig_app.core.finding import CompatReport, Outcome
from gpuconfig_app.core.gpu import ComputeMode, Gpu, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.visible_cards import ORDER_VARIABLE, PCI_ORDER, VARIABLE, visible_cards
from gpuconfig_app.planner.cards import Card

# TensorFlow leaves cards with fewer multiprocessors out, unless no card has more
# (tensorflow/core/common_runtime/gpu/gpu_device.cc, GetMinGPUMultiprocessorCount).
MINIMUM_MULTIPROCESSORS = 8

_NO_GPU_OUTCOMES = (Outcome.CPU_ONLY, Outcome.GPU_FAILS)
_STATE_REASONS = {
    GpuState.LOST: "planner.card-lost",
    GpuState.DRIVER_MISSING: "planner.card-driver-missing",
    GpuState.NO_ANSWER: "planner.card-no-answer",
    GpuState.NO_PERMISSION: "planner.card-no-permission",
    GpuState.FAILED: "planner.card-failed",
}


@dataclass(frozen=True, kw_only=True)
class DeviceChoice:
    """The cards of a plan.

    Attributes:
        cards: Of one kind unless the user wanted others; empty means the processor trains.
        reason: Why these.
        is_requested: The user named them.
        left_out: Why each other card is not used, in the order of the cards.
        warnings: What may go wrong with these.
        unused: Cards that work with the stock driver but that TensorFlow cannot use yet.
    """

    cards: tuple[Card, ...] = ()
    reason: Message
    is_requested: bool = False
    left_out: tuple[Message, ...] = ()
    warnings: tuple[Message, ...] = ()
    unused: tuple[Card, ...] = ()


@dataclass
class _Sorted:
    """Cards sorted by whether they can be used."""

    usable: list[Card] = field(default_factory=list)
    asleep: list[Card] = field(default_factory=list)
    left_out: list[Message] = field(default_factory=list)


def choose_devices(
    report: SystemReport,
    compat: CompatReport | None,
    requested: Sequence[int] | None,
    has_room: Callable[[Card], bool],
) -> DeviceChoice:
    """Choose the cards.

    Args:
        report: The machine.
        compat: Verdict; when TensorFlow would not use any card, none is planned unless the user insists.
        requested: Indexes the user named, none at all for the processor; None leaves the choice open.
        has_room: Whether the smallest step fits into a card.
    """
    found = _sort_cards(report, compat)
    if requested is not None and not requested:
        return DeviceChoice(reason=Message("planner.devices-requested"), is_requested=True)
    if requested is not None:
        return _requested_cards(found, requested, compat)
    candidates = found.usable or found.asleep
    if not candidates:
        reason = Message("planner.devices-none" if report.gpus else "planner.devices-no-gpu")
        return DeviceChoice(reason=reason, left_out=tuple(found.left_out))
    if compat is not None and compat.outcome in _NO_GPU_OUTCOMES:
        return DeviceChoice(
            reason=Message("planner.devices-tensorflow-cannot", {"name": candidates[0].name}),
            left_out=tuple(found.left_out),
            warnings=(Message("planner.warning-fix-first", {"name": candidates[0].name}),),
            unused=tuple(_best_group(candidates, has_room)),
        )
    return _best_choice(found, candidates, has_room)


def usable_cards(report: SystemReport) -> tuple[Card, ...]:
    """Give every card and slice that TensorFlow could use, also of different kinds; sleeping ones last."""
    found = _sort_cards(report, None)
    return (*found.usable, *found.asleep)


def _best_choice(found: _Sorted, candidates: list[Card], has_room: Callable[[Card], bool]) -> DeviceChoice:
    group = _best_group(candidates, has_room)
    warnings = []
    left_out = [*found.left_out, *_of_other_kinds(candidates, group)]
    if not found.usable:
        warnings.append(Message("planner.warning-asleep", {"name": group[0].name}))
    has_slices = any(card.slice is not None for card in found.usable)
    if has_slices and group[0].slice is None:
        warnings.append(Message("planner.warning-mig-hides-cards"))
    if group[0].slice is not None:
        reason = Message("planner.devices-only-slice", {"name": group[0].name})
        if len(group) > 1:
            reason = Message("planner.devices-slice", {"name": group[0].name, "count": len(group)})
        group = group[:1]
    elif others := sorted({card.name for card in candidates if card.kind != group[0].kind and card.slice is None}):
        reason = Message(
            "planner.devices-best-kind", {"name": group[0].name, "count": len(group), "others": ", ".join(others)}
        )
    elif len(group) > 1:
        reason = Message("planner.devices-all-alike", {"name": group[0].name, "count": len(group)})
    else:
        reason = Message("planner.devices-only-one", {"name": group[0].name})
    return DeviceChoice(cards=tuple(group), reason=reason, left_out=tuple(left_out), warnings=tuple(warnings))


def _of_other_kinds(candidates: Sequence[Card], group: Sequence[Card]) -> list[Message]:
    """Say of each card that works why another kind was taken; slices beside a chosen slice are no other kind."""
    left_out = []
    for card in candidates:
        if card.kind == group[0].kind:
            continue
        if card.slice is None:
            left_out.append(Message("planner.card-other-kind", {"index": card.gpu.index, "name": card.name}))
        elif group[0].slice is None:
            left_out.append(Message("planner.card-in-slices", {"index": card.gpu.index}))
    return left_out


def _best_group(candidates: Sequence[Card], has_room: Callable[[Card], bool]) -> list[Card]:
    """Give the cards of the best kind: room for a step first, whole cards before slices, then speed together."""
    groups: dict[tuple[str, str, int], list[Card]] = {}
    for card in candidates:
        groups.setdefault(card.kind, []).append(card)

    def rank(group: list[Card]) -> tuple[bool, bool, float, int]:
        fits = any(has_room(card) for card in group)
        count = 1 if group[0].slice is not None else len(group)
        return (fits, group[0].slice is None, group[0].best_peak_flops * count, group[0].memory_total_bytes or 0)

    best = max(groups.values(), key=rank)
    return sorted(best, key=lambda card: card.gpu.index)


def _requested_cards(found: _Sorted, requested: Sequence[int], compat: CompatReport | None) -> DeviceChoice:
    by_index: dict[int, Card] = {}
    for card in (*found.usable, *found.asleep):
        known = by_index.get(card.gpu.index)
        if known is None or (card.memory_total_bytes or 0) > (known.memory_total_bytes or 0):
            by_index[card.gpu.index] = card
    cards = [by_index[index] for index in sorted(set(requested)) if index in by_index]
    warnings = [
        Message("planner.warning-requested-unusable", {"index": index})
        for index in sorted(set(requested))
        if index not in by_index
    ]
    if len(cards) > 1 and any(card.slice is not None for card in cards):
        cards = [max(cards, key=lambda card: card.memory_total_bytes or 0)]
        warnings.append(Message("planner.warning-one-slice", {"name": cards[0].name}))
    if len({card.kind for card in cards}) > 1:
        slowest = min(cards, key=lambda card: card.best_peak_flops)
        warnings.append(Message("planner.warning-mixed", {"name": slowest.name}))
    warnings += [
        Message("planner.warning-asleep", {"name": card.name}) for card in cards if card.gpu.state is GpuState.ASLEEP
    ]
    if cards and compat is not None and compat.outcome in _NO_GPU_OUTCOMES:
        warnings.append(Message("planner.warning-fix-first", {"name": cards[0].name}))
    reason = Message("planner.devices-requested" if cards else "planner.devices-none-requested")
    return DeviceChoice(
        cards=tuple(cards),
        reason=reason,
        is_requested=True,
        left_out=tuple(found.left_out),
        warnings=tuple(warnings),
    )


def _sort_cards(report: SystemReport, compat: CompatReport | None) -> _Sorted:
    found = _Sorted()
    floor = _multiprocessor_floor(report.gpus)
    visible = _visible_cards(report)
    for gpu in report.gpus:
        reason = _reason_to_leave_out(gpu, compat, floor)
        if reason is None and not visible(gpu):
            reason = Message("planner.card-hidden", {"index": gpu.index, "variable": "CUDA_VISIBLE_DEVICES"})
        if reason is not None:
            found.left_out.append(reason)
            continue
        if gpu.mig_enabled:
            found.usable += [Card(gpu, instance) for instance in gpu.mig_instances]
        elif gpu.state is GpuState.ASLEEP:
            found.asleep.append(Card(gpu))
            found.left_out.append(Message("planner.card-asleep", {"index": gpu.index}))
        else:
            found.usable.append(Card(gpu))
    if not found.usable:
        found.left_out = [item for item in found.left_out if item.id != "planner.card-asleep"]
    return found


def _reason_to_leave_out(gpu: Gpu, compat: CompatReport | None, floor: int) -> Message | None:
    about = {"index": gpu.index}
    if gpu.state in _STATE_REASONS:
        return Message(_STATE_REASONS[gpu.state], about)
    if gpu.vendor is not Vendor.NVIDIA and (compat is None or gpu.index not in compat.gpu_indexes):
        return Message("planner.card-vendor", about | {"name": gpu.name or gpu.vendor.value})
    if gpu.compute_mode is ComputeMode.PROHIBITED:
        return Message("planner.card-prohibited", about)
    is_exclusive = gpu.compute_mode in (ComputeMode.EXCLUSIVE_PROCESS, ComputeMode.EXCLUSIVE_THREAD)
    if is_exclusive and any(process.kind != "graphics" for process in gpu.processes or ()):
        return Message("planner.card-exclusive", about)
    if gpu.mig_enabled and not gpu.mig_instances:
        is_told = "mig_instances" not in gpu.absent
        return Message("planner.card-mig-empty" if is_told else "planner.card-mig-untold", about)
    if gpu.sm_count is not None and gpu.sm_count < floor:
        return Message("planner.card-small", about | {"count": gpu.sm_count, "floor": floor})
    return None


def _multiprocessor_floor(gpus: Sequence[Gpu]) -> int:
    known = [gpu.sm_count for gpu in gpus if gpu.sm_count is not None and gpu.state is GpuState.READY]
    return min(MINIMUM_MULTIPROCESSORS, max(known, default=MINIMUM_MULTIPROCESSORS))


def _visible_cards(report: SystemReport) -> Callable[[Gpu], bool]:
    """Give what CUDA_VISIBLE_DEVICES lets through; all where that cannot be told, for the verdict names it then."""
    variables = report.host.variables
    indexes = visible_cards(
        variables.get(VARIABLE),
        [gpu for gpu in report.gpus if gpu.vendor is Vendor.NVIDIA],
        has_real_uuids=report.recorded_from is None,
        is_in_pci_order=variables.get(ORDER_VARIABLE) == PCI_ORDER,
    )
    return lambda gpu: indexes is None or gpu.vendor is not Vendor.NVIDIA or gpu.index in indexes
