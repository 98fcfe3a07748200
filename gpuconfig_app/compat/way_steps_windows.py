"""The steps from native Windows to Linux inside it (WSL2), each judged by what was read of Windows and WSL."""

from __future__ import annotations

from gpuconfig_app.compat.host_facts import driver_version
from gpuconfig_app.compat.way_situation import Situation, is_open
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.core.target_facts import WindowsFacts, Wsl, WslDistribution, WslState
from gpuconfig_app.core.units import GIB
from gpuconfig_app.core.versions import is_at_least
from gpuconfig_app.core.way_on import StepState, WayStep
from gpuconfig_app.knowledge.cuda_drivers import load_cuda_table

Earlier = tuple[WayStep, ...]
# CUDA of every wheel a new environment in WSL would hold.
_CUDA_MAJOR = "12"


def windows_step(now: Situation, _: Earlier = ()) -> WayStep:
    """Windows is new enough to pass the GPU on."""
    build = _build(now)
    floor = now.table.build("windows-gpu-in-wsl")
    if build is None:
        return now.step("windows", StepState.UNKNOWN, Message("targets.found-unknown"))
    generation = 11 if build >= now.table.build("windows-11") else 10
    display = _windows(now).display_version
    values: dict[str, MessageValue] = {"generation": generation, "build": str(build)}
    found = (
        Message("targets.found-windows", {**values, "display": display})
        if display
        else Message("targets.found-windows-build", values)
    )
    if build >= floor:
        return now.step("windows", StepState.DONE, found)
    return now.step("windows", StepState.TO_DO, found, "windows-update", build=str(floor))


def virtualization_step(now: Situation, _: Earlier = ()) -> WayStep:
    """The firmware lets Windows start virtual machines."""
    facts, wsl = _windows(now), now.targets.wsl
    if facts.is_hypervisor_running or facts.has_virtualization:
        return now.step("virtualization", StepState.DONE, Message("targets.found-on"))
    if facts.has_virtualization is False or (wsl is not None and wsl.needs_virtualization):
        return now.step("virtualization", StepState.TO_DO, Message("targets.found-off"), "firmware")
    return now.step("virtualization", StepState.UNKNOWN, Message("targets.found-unknown"))


def windows_driver_step(now: Situation, _: Earlier = ()) -> WayStep:
    """NVIDIA's driver for Windows is new enough for what runs in Linux."""
    floor = load_cuda_table().floor(_CUDA_MAJOR)
    least = now.image.driver if now.needs_image or floor is None else floor.windows_amber_below or floor.windows_driver
    version = driver_version(now.report.driver(Vendor.NVIDIA))
    if version is None:
        found = Message("targets.found-no-driver")
        state = StepState.TO_DO if now.report.driver(Vendor.NVIDIA) is None else StepState.UNKNOWN
        return now.step("windows-driver", state, found, "windows-driver", floor=least)
    found = Message("targets.found-version", {"version": version})
    if is_at_least(version, least):
        return now.step("windows-driver", StepState.DONE, found, floor=least)
    return now.step("windows-driver", StepState.TO_DO, found, "windows-driver", floor=least)


def wsl_step(now: Situation, earlier: Earlier) -> WayStep:
    """Windows' own part of WSL2 is there and works."""
    facts, wsl = _windows(now), now.targets.wsl
    is_off = facts.has_vm_platform is False or facts.has_wsl_feature is False
    is_on = facts.has_vm_platform is True and not is_off
    if facts.is_restart_pending and not facts.is_hypervisor_running and (is_on or _is_installed(wsl)):
        return now.step("wsl", StepState.NEEDS_RESTART, Message("targets.found-restart"), "restart")
    if wsl is None:
        return now.step("wsl", StepState.UNKNOWN, Message("targets.found-unknown"), "wsl-install")
    if wsl.state is WslState.READY and any(item.version == 2 and item.is_running for item in wsl.distributions):
        return now.step("wsl", StepState.DONE, _wsl_found(wsl))
    if is_open(earlier, "windows"):
        return now.step("wsl", StepState.WAITING, Message("targets.found-waits-windows"))
    return _judge_wsl(now, wsl, is_off=is_off, is_on=is_on)


def _judge_wsl(now: Situation, wsl: Wsl, *, is_off: bool, is_on: bool) -> WayStep:
    match wsl.state:
        case WslState.NO_ANSWER:
            return now.step("wsl", StepState.UNKNOWN, Message("targets.found-silent"), "wsl-silent")
        case WslState.ABSENT | WslState.NOT_INSTALLED:
            return now.step("wsl", StepState.TO_DO, Message("targets.found-not-installed"), "wsl-install")
        case WslState.FAILED:
            code = wsl.error_code or "?"
            return now.step(
                "wsl", StepState.TO_DO, Message("targets.found-code", {"code": code}), "wsl-repair", code=code
            )
        case WslState.READY:
            if is_off:
                return now.step("wsl", StepState.TO_DO, Message("targets.found-off"), "wsl-features")
            if wsl.default_version == 1 and not wsl.usable:
                return now.step("wsl", StepState.TO_DO, Message("targets.found-default-1"), "default-version")
            state = StepState.DONE if is_on or wsl.version is not None or wsl.usable else StepState.UNKNOWN
            return now.step("wsl", state, _wsl_found(wsl))


def distribution_step(now: Situation, earlier: Earlier) -> WayStep:
    """A distribution of WSL2 is there."""
    wsl = now.targets.wsl
    usable = chosen_distribution(now)
    if usable is not None and usable.problem is not None and not usable.is_running:
        found = Message("targets.found-stopped", {"name": usable.name})
        return now.step("distribution", StepState.DONE, found, "start", distribution=usable.name)
    if usable is not None and usable.problem is not None:
        return now.step("distribution", StepState.UNKNOWN, usable.problem, "wsl-silent")
    if usable is not None:
        return now.step("distribution", StepState.DONE, Message("targets.found-name", {"name": usable.name}))
    old = next((item for item in wsl.distributions if item.version == 1), None) if wsl is not None else None
    if old is not None and not is_open(earlier, "wsl"):
        found = Message("targets.found-wsl1", {"name": old.name})
        return now.step("distribution", StepState.TO_DO, found, "convert", distribution=old.name)
    state = StepState.WAITING if is_open(earlier, "wsl") else StepState.TO_DO
    return now.step("distribution", state, Message("targets.found-not-installed"), "ubuntu")


def memory_step(now: Situation, _: Earlier = ()) -> WayStep:
    """WSL2 may use enough of the memory; Windows' default is half of it."""
    facts, total = _windows(now), now.report.host.memory.total_bytes
    if total is None:
        return now.step("memory", StepState.UNKNOWN, Message("targets.found-unknown"), proposed="?", gigabytes="?")
    proposed = proposed_memory_bytes(total)
    words = {"proposed": f"{proposed // GIB} GiB", "gigabytes": str(proposed // GIB)}
    given = facts.wslconfig_memory_bytes
    if given is not None:
        found = Message("targets.found-memory-set", {"given_bytes": given})
        if given >= min(total // 2, proposed):
            return now.step("memory", StepState.DONE, found, **words)
        return now.step("memory", StepState.TO_DO, found, "memory-edit", **words)
    found = Message("targets.found-memory-default", {"half_bytes": total // 2, "total_bytes": total})
    deed = "memory-edit" if facts.wslconfig is not None else "memory-new"
    return now.step("memory", StepState.TO_DO, found, deed, **words)


def proposed_memory_bytes(total_bytes: int) -> int:
    """Give what WSL2 should get: three quarters, at least 4 GiB left to Windows, in whole GiB."""
    whole = round(total_bytes / GIB)
    return max(1, min(whole * 3 // 4, whole - 4)) * GIB if whole > 5 else max(1, whole // 2) * GIB


def chosen_distribution(now: Situation) -> WslDistribution | None:
    """Give the distribution that a way leads to: the default one of WSL2, None when there is none."""
    wsl = now.targets.wsl
    return wsl.usable[0] if wsl is not None and wsl.usable else None


def _windows(now: Situation) -> WindowsFacts:
    return now.targets.windows or WindowsFacts()


def _build(now: Situation) -> int | None:
    """Give Windows' build as it was asked for, else as the survey read it (``10.0.22631``)."""
    told = _windows(now).build
    last = (now.report.host.os.version or "").split(".")[2:3]
    return told if told is not None else int(last[0]) if last and last[0].isdigit() else None


def _is_installed(wsl: Wsl | None) -> bool:
    return wsl is not None and wsl.state in {WslState.READY, WslState.FAILED}


def _wsl_found(wsl: Wsl) -> Message:
    if wsl.version is not None:
        return Message("targets.found-wsl", {"version": wsl.version})
    return Message("targets.found-on")
