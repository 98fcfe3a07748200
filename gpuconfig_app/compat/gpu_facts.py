"""Facts about each card, and about the cards together."""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig_app.compat.conditions import FactValue
from gpuconfig_app.compat.driver_ways import NEED, driver_need
from gpuconfig_app.compat.environment_facts import cuda_libraries, found_cudnn
from gpuconfig_app.compat.host_facts import driver_level, driver_version, uses_windows_driver
from gpuconfig_app.compat.machine_code import CodeKind, MachineCode, compiles_for, judge_machine_code
from gpuconfig_app.compat.subject import Subject
from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.units import GIB
from gpuconfig_app.core.versions import ComputeCapability, is_at_least, is_below
from gpuconfig_app.core.visible_cards import ORDER_VARIABLE, PCI_ORDER, VARIABLE, visible_cards
from gpuconfig_app.knowledge.cuda_drivers import CudaTable, is_beyond_branch, load_cuda_table
from gpuconfig_app.knowledge.rocm import is_rocm_target
from gpuconfig_app.knowledge.tensorflow_releases import is_allowed

_OTHER_DRIVERS = frozenset({"nouveau", "vfio-pci"})
_BLACKWELL = ComputeCapability("10.0")
_LONG_SERVED = "R580"


def capability_of(gpu: Gpu) -> ComputeCapability | None:
    """Give the compute capability of a card, None when unknown or unreadable."""
    try:
        return ComputeCapability(gpu.compute_capability) if gpu.compute_capability else None
    except ValueError:
        return None


def candidates(subject: Subject) -> tuple[Gpu, ...]:
    """Give the cards that are judged: NVIDIA's that are chosen and visible; all chosen when visibility is not known."""
    gpus = [gpu for gpu in subject.report.gpus if gpu.vendor is Vendor.NVIDIA]
    if subject.devices is not None:
        gpus = [gpu for gpu in gpus if gpu.index in subject.devices]
    shown = shown_indexes(subject)
    return tuple(gpu for gpu in gpus if shown is None or gpu.index in shown)


def shown_indexes(subject: Subject) -> tuple[int, ...] | None:
    """Give the indexes of NVIDIA cards that the variable leaves visible, None when it cannot be told."""
    gpus = [gpu for gpu in subject.report.gpus if gpu.vendor is Vendor.NVIDIA]
    variables = subject.report.host.variables
    return visible_cards(
        variables.get(VARIABLE),
        gpus,
        has_real_uuids=subject.report.recorded_from is None,
        is_in_pci_order=variables.get(ORDER_VARIABLE) == PCI_ORDER,
    )


def gpus_facts(subject: Subject, cards: Sequence[Gpu]) -> dict[str, FactValue]:
    """Give the facts about the cards together.

    Args:
        cards: Those that are judged.
    """
    gpus = subject.report.gpus
    nvidia = [gpu for gpu in gpus if gpu.vendor is Vendor.NVIDIA]
    others = [gpu for gpu in gpus if gpu.vendor is not Vendor.NVIDIA]
    shown = shown_indexes(subject)
    sliced = [gpu for gpu in cards if gpu.mig_enabled]
    whole = [gpu for gpu in cards if not gpu.mig_enabled]
    return {
        "gpus.total": len(gpus),
        "gpus.nvidia": len(nvidia),
        "gpus.judged": len(cards),
        **_other_facts(_weightiest(others) if not nvidia else None, subject.report),
        "gpus.names": ", ".join(dict.fromkeys(gpu.name or "?" for gpu in cards)) or None,
        "gpus.sliced": len(sliced),
        "gpus.whole": len(whole),
        "gpus.slices": sum(len(gpu.mig_instances) for gpu in sliced),
        "gpus.whole_uuids": ",".join(gpu.uuid for gpu in whole if gpu.uuid) or None,
        "gpus.first_slice_uuid": next((part.uuid for gpu in sliced for part in gpu.mig_instances), None),
        "gpus.sliced_indexes": ",".join(str(gpu.index) for gpu in sliced) or None,
        "gpus.are_unlike": len({_kind(gpu) for gpu in whole if gpu.state is GpuState.READY}) > 1,
        "gpus.has_blackwell": any((capability_of(gpu) or ComputeCapability("0.0")) >= _BLACKWELL for gpu in cards),
        "gpus.has_dropped_by_cudnn": any(
            (capability_of(gpu) or _BLACKWELL) < ComputeCapability("7.5") for gpu in cards
        ),
        NEED: driver_need(filter(None, map(capability_of, nvidia))),
        "gpus.is_legacy": any(_is_legacy(gpu) for gpu in cards),
        "visible.value": subject.report.host.variables.get(VARIABLE),
        "visible.excludes_all": (bool(nvidia) and not shown) if shown is not None else None,
    }


def gpu_facts(subject: Subject, gpu: Gpu, table: CudaTable) -> dict[str, FactValue]:
    """Give the facts about one card."""
    busy = [item for item in gpu.processes or () if item.kind in {"compute", "both"}]
    return {
        "gpu.index": gpu.index,
        "gpu.name": gpu.name,
        "gpu.state": gpu.state.value,
        "gpu.bound_driver": gpu.bound_driver,
        "gpu.is_held_elsewhere": gpu.bound_driver in _OTHER_DRIVERS,
        "gpu.capability": gpu.compute_capability,
        "gpu.mig_enabled": gpu.mig_enabled,
        "gpu.slices": None if "mig_instances" in gpu.absent and not gpu.mig_instances else len(gpu.mig_instances),
        "gpu.compute_mode": gpu.compute_mode.value if gpu.compute_mode else None,
        "gpu.is_taken": (bool(busy)) if gpu.processes is not None else None,
        "gpu.owner": busy[0].pid if busy else None,
        **(_nvidia_facts(subject, gpu, table) if gpu.vendor is Vendor.NVIDIA else {}),
    }


def _nvidia_facts(subject: Subject, gpu: Gpu, table: CudaTable) -> dict[str, FactValue]:
    capability = capability_of(gpu)
    if capability is None:
        return {"gpu.code": CodeKind.UNKNOWN.value, "gpu.is_blackwell": None, "gpu.is_dropped_by_driver": False}
    code = code_for(subject, gpu, table)
    level = driver_level(subject.report, table)
    version = driver_version(subject.report.driver(Vendor.NVIDIA))
    is_windows = uses_windows_driver(subject.report)
    first = table.first_level(capability)
    last = table.last_branch(capability)
    cudnn = _cudnn_for(subject, capability, table)
    return {
        "gpu.code": code.kind.value if code else None,
        "gpu.code_reason": code.reason.value if code else None,
        "gpu.code_is_fully_read": code.is_fully_read if code else None,
        "gpu.ptx_compiles": _ptx_compiles(subject, capability),
        "gpu.level_needed": code.level_needed if code else None,
        "gpu.driver_needed": table.driver_for_level(code.level_needed, is_windows)
        if code and code.level_needed
        else None,
        "gpu.is_known_to_cuda": _is_known_to_cuda(subject, capability, table),
        "gpu.is_blackwell": capability >= _BLACKWELL,
        "gpu.is_before_turing": capability < ComputeCapability("7.5"),
        "gpu.first_level": first.cuda_level if first else None,
        "gpu.first_driver": table.driver_for_level(first.cuda_level, is_windows) if first else None,
        "gpu.is_too_new_for_driver": is_below(level, first.cuda_level) if first and level else False,
        "gpu.last_branch": last.branch if last else None,
        "gpu.is_dropped_by_driver": is_beyond_branch(version, last.branch) if last and version else False,
        "gpu.cudnn_serves": _cudnn_serves(subject, cudnn, capability, table),
        "gpu.cudnn_pin": table.cudnn_to_stay_at(capability),
        "gpu.needs_cudnn_pin": cudnn is not None and cudnn != _plain_cudnn(subject),
        "gpu.sm_name": f"sm_{capability.major}{capability.minor}",
    }


def _ptx_compiles(subject: Subject, capability: ComputeCapability) -> bool | None:
    """Whether the driver could compile all intermediate code of the release for a card."""
    release = subject.release
    targets = [item for item in (release.ptx_compiler, release.ptx_mlir) if item is not None] if release else []
    return all(compiles_for(target, capability) for target in targets) if targets else None


def _is_known_to_cuda(subject: Subject, capability: ComputeCapability, table: CudaTable) -> bool | None:
    """Whether the CUDA a release was built for has libraries with machine code for this generation of cards."""
    first = table.first_level(ComputeCapability(f"{capability.major}.0"))
    cuda = subject.release.cuda if subject.release else None
    return is_at_least(cuda, first.cuda_level) if cuda and first else None


def _plain_cudnn(subject: Subject) -> str | None:
    return found_cudnn(subject, cuda_libraries(subject)).version


def _cudnn_for(subject: Subject, capability: ComputeCapability, table: CudaTable) -> str | None:
    """Give the cuDNN a card would get: in a fresh environment, one that was pinned because newer ones dropped it."""
    version = _plain_cudnn(subject)
    pin = table.cudnn_to_stay_at(capability)
    if version is None or subject.is_installed or pin is None or subject.release is None:
        return version
    if table.cudnn_serves(version, capability) is not False:
        return version
    bounds = subject.release.and_cuda.get(f"nvidia-cudnn-cu{subject.release.cuda_major}")
    return pin if is_allowed(pin, bounds) else version


def _cudnn_serves(
    subject: Subject, version: str | None, capability: ComputeCapability, table: CudaTable
) -> bool | None:
    """Tell whether cuDNN has code for a card; of an unknown cuDNN, when all that fit the release agree."""
    if version is not None:
        return table.cudnn_serves(version, capability)
    release = subject.release
    if release is None or release.cudnn_min is None or release.cudnn_below is None:
        return None
    least = table.cudnn_serves(release.cudnn_min, capability)
    return least if least == table.cudnn_serves(release.cudnn_below, capability) else None


def _other_facts(gpu: Gpu | None, report: SystemReport) -> dict[str, FactValue]:
    """Give the facts about the weightiest card of another maker, all unknown when NVIDIA's are there."""
    is_amd = gpu is not None and gpu.vendor is Vendor.AMD
    status = report.backend(gpu.vendor) if gpu else None
    return {
        "other.driver_state": status.state.value if status else None,
        "other.driver_code": status.code if status else None,
        "other.vendor": gpu.vendor.value if gpu else None,
        "other.name": gpu.name if gpu else None,
        "other.target": gpu.target if gpu else None,
        "other.target_is_listed": is_rocm_target(gpu.target) if is_amd and gpu and gpu.target else None,
        "other.is_integrated": gpu.memory_is_shared if gpu else None,
    }


def code_for(subject: Subject, gpu: Gpu, table: CudaTable) -> MachineCode | None:
    """Tell how the release's kernels run on a card; None when release or capability is not known."""
    capability = capability_of(gpu)
    if subject.release is None or capability is None or not subject.is_stock:
        return None
    return judge_machine_code(subject.release, capability, driver_level(subject.report, table), table)


def _weightiest(gpus: Sequence[Gpu]) -> Gpu | None:
    """Give the card that people mean: one with its own memory before one that shares the system's."""
    return min(gpus, key=lambda gpu: (gpu.memory_is_shared, gpu.vendor is Vendor.INTEL, gpu.index), default=None)


def _is_legacy(gpu: Gpu) -> bool:
    """Whether NVIDIA ended the drivers for a card before the branch that is served longest."""
    capability = capability_of(gpu)
    last = load_cuda_table().last_branch(capability) if capability is not None else None
    return last is not None and is_below(last.branch[1:], _LONG_SERVED[1:]) is True


def _kind(gpu: Gpu) -> tuple[str | None, str | None, int]:
    """Cards of one kind have the same name, capability and memory in whole GiB."""
    return gpu.name, gpu.compute_capability, round((gpu.memory_total_bytes or 0) / GIB)
