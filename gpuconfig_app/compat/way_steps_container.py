"""The steps to a container with TensorFlow in it: driver, engine, NVIDIA's toolkit, room, image."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

from gpuconfig_app.compat.host_facts import driver_version
from gpuconfig_app.compat.way_situation import Situation, is_missing, is_open
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import Disk, OsFamily
from gpuconfig_app.core.target import Target, TargetKind
from gpuconfig_app.core.target_facts import ContainerEngine, EngineState
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.core.versions import is_at_least
from gpuconfig_app.core.way_on import StepState, WayStep

Earlier = tuple[WayStep, ...]
_APT = frozenset({"ubuntu", "debian", "linuxmint", "pop", "zorin", "elementary", "neon", "kali", "raspbian"})
_DNF = frozenset({"fedora", "rhel", "rocky", "almalinux", "centos", "ol", "amzn"})
_ORDER = (
    EngineState.READY,
    EngineState.NO_PERMISSION,
    EngineState.NO_DAEMON,
    EngineState.NO_ANSWER,
    EngineState.FAILED,
)


def driver_step(now: Situation, _: Earlier = ()) -> WayStep:
    """NVIDIA's driver is new enough for the image."""
    version, least = driver_version(now.report.driver(Vendor.NVIDIA)), now.image.driver
    deed = "linux-driver" if now.report.host.os.wsl_version is None else "windows-driver"
    if version is None:
        return now.step("driver", StepState.TO_DO, Message("targets.found-no-driver"), deed, floor=least)
    found = Message("targets.found-version", {"version": version})
    if is_at_least(version, least):
        return now.step("driver", StepState.DONE, found, floor=least)
    return now.step("driver", StepState.TO_DO, found, deed, floor=least)


def engine_step(now: Situation, earlier: Earlier) -> WayStep:
    """A container engine is there, and this user may speak to it."""
    is_windows = now.report.host.os.family is OsFamily.WINDOWS
    engine = chosen_engine(now)
    if now.report.targets is None:
        return now.step("engine", StepState.UNKNOWN, Message("targets.found-unknown"))
    if engine is None:
        state = StepState.WAITING if is_open(earlier, "wsl", "distribution") else StepState.TO_DO
        return now.step("engine", state, Message("targets.found-not-installed"), _engine_to_install(now))
    values = {"engine": engine.name, "version": engine.version or "?"}
    if engine.state is EngineState.READY:
        return now.step("engine", StepState.DONE, Message("targets.found-engine", values))
    found = Message(f"targets.found-engine-{engine.state.value.replace('_', '-')}", values)
    if engine.state is EngineState.NO_PERMISSION and engine.name == "docker":
        return now.step("engine", StepState.TO_DO, found, "docker-permission")
    if engine.state is EngineState.NO_DAEMON and engine.name == "docker":
        return now.step("engine", StepState.TO_DO, found, "desktop-daemon" if is_windows else "docker-daemon")
    state = StepState.UNKNOWN if engine.state is EngineState.NO_ANSWER else StepState.TO_DO
    words = (engine.words or "?").splitlines()[0]
    return now.step("engine", state, found, "engine-repair", engine=engine.name, words=words)


def toolkit_step(now: Situation, earlier: Earlier) -> WayStep:
    """The engine can show NVIDIA's cards to a container."""
    engine, version = chosen_engine(now), now.targets.toolkit_version
    if now.report.targets is None:
        return now.step("toolkit", StepState.UNKNOWN, Message("targets.found-unknown"))
    if engine is not None and engine.sees_gpu:
        found = Message("targets.found-version", {"version": version}) if version else Message("targets.found-on")
        return now.step("toolkit", StepState.DONE, found)
    if engine is not None and engine.is_snap:
        return now.step("toolkit", StepState.TO_DO, Message("targets.found-snap"), "toolkit-snap")
    found = Message("targets.found-toolkit-unknown-to-engine" if version else "targets.found-not-installed")
    if now.report.host.os.family is OsFamily.WINDOWS:  # Docker Desktop brings its own
        return now.step("toolkit", StepState.INFO, Message("targets.found-docker-desktop"))
    can_tell = engine is None or engine.sees_gpu is False or version is None
    state = StepState.WAITING if is_open(earlier, "engine") else StepState.TO_DO if can_tell else StepState.UNKNOWN
    return now.step("toolkit", state, found, _toolkit_deed(now, engine, version))


def disk_step(now: Situation, _: Earlier = ()) -> WayStep:
    """There is room for the image where the engine keeps its images."""
    if _has_image(now):
        return now.step("disk", StepState.DONE, Message("targets.found-image-here"), disk=_disk(now))
    engine = chosen_engine(now)
    storage = (engine.storage if engine is not None else None) or "/"
    disk = _disk_of(now.report.host.disks, storage)
    if disk is None or disk.free_bytes is None:
        return now.step("disk", StepState.UNKNOWN, Message("targets.found-unknown"), disk=_disk(now))
    found = Message("targets.found-free", {"free_bytes": disk.free_bytes})
    if disk.free_bytes >= now.image.disk_bytes:
        return now.step("disk", StepState.DONE, found, disk=_disk(now))
    return now.step("disk", StepState.TO_DO, found, "disk-room", disk=_disk(now), storage=storage)


def image_step(now: Situation, earlier: Earlier) -> WayStep:
    """The image is on this machine."""
    if _has_image(now):
        return now.step("image", StepState.DONE, Message("targets.found-image-here"))
    engine = chosen_engine(now)
    is_held_up = is_open(earlier, "engine") or is_missing(earlier, "disk")
    state = StepState.WAITING if is_held_up else StepState.TO_DO
    deed = "pull-apptainer" if engine is not None and engine.name == "apptainer" else "pull"
    words = {"engine": engine.name if engine is not None else "docker", "download": _download(now)}
    return now.step("image", state, Message("targets.found-image-missing"), deed, **words)


def start_step(now: Situation, _: Earlier = ()) -> WayStep:
    """How one works in the container; nothing to check."""
    engine = chosen_engine(now)
    name = engine.name if engine is not None else "docker"
    return now.step("start", StepState.INFO, None, f"start-{name}")


def container_proof_step(now: Situation, earlier: Earlier) -> WayStep:
    """TensorFlow really computed on the card in this container."""
    engine = chosen_engine(now)
    name = engine.name if engine is not None else "docker"
    image = "tensorflow.sif" if name == "apptainer" else now.image.name
    target = Target(kind=TargetKind.CONTAINER, engine=name, image=image, python="python3").name
    if target in now.proven:
        return now.step("container-proof", StepState.DONE, Message("targets.found-proven"))
    state = StepState.WAITING if is_missing(earlier) else StepState.TO_DO
    is_windows = now.report.host.os.family is OsFamily.WINDOWS
    return now.step("container-proof", state, None, "prove-windows" if is_windows else "prove", target=target)


def chosen_engine(now: Situation) -> ContainerEngine | None:
    """Give the engine that a way leads to: one that answers, then one that passes on the card, then the first."""
    engines = [item for item in now.targets.engines if item.name in {"docker", "podman", "apptainer"}]
    ranked = [
        (_ORDER.index(item.state), item.sees_gpu is not True or item.name == "apptainer", number)
        for number, item in enumerate(engines)
    ]
    return engines[min(ranked)[2]] if ranked else None


def _has_image(now: Situation) -> bool:
    engine = chosen_engine(now)
    return engine is not None and any(item.name == now.image.name for item in engine.images)


def _engine_to_install(now: Situation) -> str:
    os = now.report.host.os
    if os.family is OsFamily.WINDOWS:
        return "docker-desktop"
    if os.id in _APT:
        return "docker-apt"
    return "podman-dnf" if os.id in _DNF else "engine-other"


def _toolkit_deed(now: Situation, engine: ContainerEngine | None, version: str | None) -> str:
    system = now.report.host.os.id
    family = "apt" if system in _APT else "dnf" if system in _DNF else "other"
    # Without an engine, the one that would be installed is what the toolkit is set up for.
    is_podman = engine.name == "podman" if engine is not None else _engine_to_install(now) == "podman-dnf"
    if is_podman:
        return "toolkit-cdi" if version is not None or family == "other" else f"toolkit-cdi-{family}"
    if version is not None:
        return "toolkit-rootless" if engine is not None and engine.is_rootless else "toolkit-register"
    return f"toolkit-{family}"


def _disk(now: Situation) -> str:
    return format_bytes(now.image.disk_bytes, digits=0)


def _download(now: Situation) -> str:
    return format_bytes(now.image.download_bytes, digits=0)


def _disk_of(disks: tuple[Disk, ...], path: str) -> Disk | None:
    """Give the disk that holds a path: the one with the longest mount above it, None when none is known."""
    above = [disk for disk in disks if _is_above(disk.mount, path)]
    return max(above, key=lambda disk: len(disk.mount)) if above else (disks[0] if len(disks) == 1 else None)


def _is_above(mount: str, path: str) -> bool:
    kind = PureWindowsPath if ":" in mount else PurePosixPath
    return kind(path).is_relative_to(kind(mount))
