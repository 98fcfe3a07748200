"""NVIDIA's cards: through NVML, through nvidia-smi where NVML can't be loaded, else from what the kernel tells."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.system import BackendState, BackendStatus, DriverInfo
from gpuconfig_app.hardware import nvidia_nvml as nvml
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware.backend import BackendResult, DetectOptions, normal_bus_id
from gpuconfig_app.hardware.jetson import read_jetson
from gpuconfig_app.hardware.nvidia_card import NvidiaCard
from gpuconfig_app.hardware.nvidia_kernel import KernelDriver, read_kernel_driver
from gpuconfig_app.hardware.nvidia_nvml import Trouble, ask
from gpuconfig_app.hardware.nvidia_smi_command import ask_nvidia_smi
from gpuconfig_app.hardware.readings import REASONED_FIELDS
from gpuconfig_app.hardware.time_limit import answer_within, answers_within

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Started:
    """The library runs: what it tells about itself.

    Attributes:
        count: Cards it lists, or why it can't.
    """

    driver: DriverInfo
    count: int | Trouble


class NvidiaBackend:
    """Finds NVIDIA's cards.

    Args:
        root: Where the file system begins, for tests.
    """

    vendor: Final = Vendor.NVIDIA

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def detect(self, options: DetectOptions) -> BackendResult:
        """Give NVIDIA's cards; see ``GpuBackend.detect``."""
        options = replace(
            options,
            sleeping_bus_ids=frozenset(map(normal_bus_id, options.sleeping_bus_ids)),
            pci_bus_ids=None if options.pci_bus_ids is None else tuple(sorted(map(normal_bus_id, options.pci_bus_ids))),
        )
        kernel = read_kernel_driver(self._root)
        asleep = frozenset() if options.wakes_sleeping_gpus else options.sleeping_bus_ids
        known = kernel.card_bus_ids or options.pci_bus_ids or ()
        if known and asleep.issuperset(known):
            return _all_asleep(known, kernel)
        pending = answer_within(options.time_limit_s, partial(_start, kernel), "nvml-start")
        if not pending.is_done:
            silent = dict.fromkeys(("version", "cuda_version"), reasons.no_answer(options.time_limit_s))
            driver = _driver(None, None, kernel)
            driver = replace(driver, absent={**driver.absent, **silent})
            return BackendResult(status=reasons.silent_status(options.time_limit_s), driver=driver)
        started = pending.result()
        if isinstance(started, Trouble):
            return self._without_nvml(started, options, kernel, may_ask_nvidia_smi=not asleep)
        return self._with_nvml(started, options, asleep, known)

    def _with_nvml(
        self, started: _Started, options: DetectOptions, asleep: frozenset[str], known: Sequence[str]
    ) -> BackendResult:
        if isinstance(started.count, Trouble):
            nvml.close_library()
            status = reasons.library_status(started.count, options, None, None)
            return BackendResult(status=status, driver=started.driver)
        if started.count == 0:
            nvml.close_library()
            return BackendResult(status=reasons.no_devices_status(options), driver=started.driver)
        places = list(known) if asleep or len(known) == started.count else [""] * started.count
        sleeping = [index for index, bus_id in enumerate(places) if bus_id in asleep]
        awake = [index for index in range(len(places)) if index not in sleeping]
        cards = [NvidiaCard(index, places[index] if asleep else None) for index in awake]
        answers = answers_within(options.time_limit_s, [card.read for card in cards], "nvml-card")
        if all(answer.is_done for answer in answers):
            nvml.close_library()
        else:
            logger.warning("a card keeps silent; the library stays open")
        gpus = [_sleeping_gpu(index, places[index]) for index in sleeping]
        for card, answer in zip(cards, answers, strict=True):
            if answer.is_done:
                answer.result()
            gpus.append(card.gpu(None if answer.is_done else options.time_limit_s))
        placed = [_with_place(gpu, places) for gpu in sorted(gpus, key=lambda gpu: gpu.index)]
        return BackendResult(status=_status_of(placed), gpus=tuple(placed), driver=started.driver)

    def _without_nvml(
        self, trouble: Trouble, options: DetectOptions, kernel: KernelDriver, *, may_ask_nvidia_smi: bool
    ) -> BackendResult:
        logger.info("NVML does not start: %s %s", trouble.code, trouble.detail)
        if may_ask_nvidia_smi and trouble.code in (nvml.LIBRARY_NOT_FOUND, nvml.FAILED, nvml.DRIVER_TOO_OLD):
            answer = ask_nvidia_smi(options.time_limit_s)
            if answer is not None and answer.status.state is BackendState.READY:
                return answer
        if trouble.code == nvml.LIBRARY_NOT_FOUND and (jetson := read_jetson(self._root)) is not None:
            return jetson
        library_version = nvml.read_library_version()
        status = reasons.library_status(trouble, options, library_version, kernel.version)
        driver = None
        if kernel.version or library_version or trouble.code != nvml.LIBRARY_NOT_FOUND:
            driver = _driver(library_version, None, kernel)
        return BackendResult(status=status, driver=driver)


def _start(kernel: KernelDriver) -> _Started | Trouble:
    trouble = nvml.open_library()
    if trouble is not None:
        return trouble
    version = ask("nvmlSystemGetDriverVersion", nvml.text)
    cuda = ask("nvmlSystemGetCudaDriverVersion_v2", _cuda_version)
    if isinstance(cuda, Trouble):
        cuda = ask("nvmlSystemGetCudaDriverVersion", _cuda_version)
    return _Started(_driver(version, cuda, kernel), ask("nvmlDeviceGetCount", int))


def _driver(version: str | Trouble | None, cuda: str | Trouble | None, kernel: KernelDriver) -> DriverInfo:
    absent = dict(kernel.absent)
    for name, value in (("version", version), ("cuda_version", cuda)):
        if isinstance(value, Trouble):
            absent[name] = reasons.why_missing(value)
        elif value is None:
            absent[name] = reasons.NOT_TOLD
    return DriverInfo(
        vendor=Vendor.NVIDIA,
        version=None if isinstance(version, Trouble) else version,
        kernel_version=kernel.version,
        cuda_version=None if isinstance(cuda, Trouble) else cuda,
        is_open_kernel_module=kernel.is_open,
        absent=absent,
    )


def _cuda_version(number: int) -> str:
    """Turn 12020 into ``12.2``."""
    if number <= 0:
        raise ValueError(number)
    return f"{number // 1000}.{number % 1000 // 10}"


def _status_of(gpus: Sequence[Gpu]) -> BackendStatus:
    """Ready when one card is; else the fault of the first."""
    usable = (GpuState.READY, GpuState.ASLEEP)
    if any(gpu.state in usable for gpu in gpus):
        return BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.READY, source="nvml")
    first = gpus[0]
    return BackendStatus(
        vendor=Vendor.NVIDIA,
        state=BackendState.FAILED,
        code=reasons.code_of(first.state),
        reason=first.state_reason,
        source="nvml",
    )


def _all_asleep(bus_ids: Sequence[str], kernel: KernelDriver) -> BackendResult:
    """Every card sleeps: the driver is not even started, as that alone may wake one."""
    driver = _driver(None, None, kernel)
    asleep = dict.fromkeys(("version", "cuda_version"), reasons.ASLEEP)
    driver = replace(driver, absent={**driver.absent, **asleep}, version=kernel.version)
    if kernel.version is not None:
        driver = replace(driver, absent={name: why for name, why in driver.absent.items() if name != "version"})
    status = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.READY, source="pci")
    gpus = tuple(_sleeping_gpu(index, bus_id) for index, bus_id in enumerate(bus_ids))
    return BackendResult(status=status, gpus=gpus, driver=driver)


def _sleeping_gpu(index: int, bus_id: str) -> Gpu:
    return Gpu(
        index=index,
        vendor=Vendor.NVIDIA,
        state=GpuState.ASLEEP,
        state_reason=reasons.ASLEEP,
        pci_bus_id=bus_id,
        bound_driver="nvidia",
        absent={name: reasons.ASLEEP for name in REASONED_FIELDS if name != "pci_bus_id"},
    )


def _with_place(gpu: Gpu, places: Sequence[str]) -> Gpu:
    """Give a card that could not tell its PCI address the one at its position."""
    if gpu.pci_bus_id is not None or not places[gpu.index]:
        return gpu
    absent = {name: why for name, why in gpu.absent.items() if name != "pci_bus_id"}
    return replace(gpu, pci_bus_id=places[gpu.index], absent=absent)
