"""Container engines on this machine: their state, whether they pass on NVIDIA's cards, images that may hold TensorFlow.

An engine that is not installed costs one look along PATH. One that is there is asked with a time limit; nothing is
started, downloaded or changed.
"""

from __future__ import annotations

import json
import logging
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gpuconfig_app.command import CommandResult, run_command, user_environment
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.target_facts import ContainerEngine, ContainerImage, EngineState
from gpuconfig_app.core.units import GB
from gpuconfig_app.hardware.time_limit import PendingAnswer, answers_within

logger = logging.getLogger(__name__)
Run = Callable[..., CommandResult]
Told = Mapping[str, Any]  # Any: JSON of an engine before it is checked

INFO_LIMIT_S = 8.0
SHORT_LIMIT_S = 4.0
ALL_LIMIT_S = 15.0
IMAGE_LIMIT = 100
TOOLKIT = "nvidia-ctk"
_MOST_WORDS = 600
_CDI_FOLDERS = ("etc/cdi", "var/run/cdi", "run/cdi")
_IMAGE = re.compile(r"tensorflow|keras|\btf2?\b", re.IGNORECASE)
_VERSION = re.compile(r"\d+(?:\.\d+)+\S*")
_SIZE = re.compile(r"([\d.]+)\s*([kKMGT]?)i?B")
_FACTORS = {"": 1, "k": GB // 10**6, "m": GB // 1000, "g": GB, "t": GB * 1000}
_NO_PERMISSION = re.compile(r"permission denied", re.IGNORECASE)
_NO_DAEMON = re.compile(
    r"cannot connect to the docker daemon|is the docker daemon running|error during connect"
    r"|failed to connect to the docker api|cannot connect to podman|connection refused|unable to connect to podman",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class EngineSources:
    """Where engines are looked for.

    Attributes:
        root: ``/``, or a folder that stands for it; holds the descriptions of CDI devices.
        path: Folders in which programs are looked for, as ``PATH`` writes them.
        run: Starts a program.
    """

    root: Path = Path("/")
    path: str = field(default_factory=lambda: user_environment().get("PATH", ""))
    run: Run = run_command

    def find(self, name: str) -> str | None:
        """Give a program's path, None when it is not installed."""
        return shutil.which(name, path=self.path) if self.path else None

    def ask(self, *words: str, limit_s: float = SHORT_LIMIT_S) -> CommandResult | None:
        """Give what a program answered, None when it can't be started."""
        try:
            return self.run(list(words), time_limit_s=limit_s)
        except CommandError:
            return None


def read_engines(sources: EngineSources | None = None) -> tuple[ContainerEngine, ...]:
    """Give the engines that are installed, asked side by side; never raises."""
    given = sources or EngineSources()
    readers: tuple[tuple[tuple[str, ...], Callable[[str, EngineSources], ContainerEngine]], ...] = (
        (("docker",), _read_docker),
        (("podman",), _read_podman),
        (("apptainer", "singularity"), _read_apptainer),
    )
    present = [
        (names[0], path, read)
        for names, read in readers
        if (path := next(filter(None, map(given.find, names)), None)) is not None
    ]
    works = [lambda path=path, read=read: read(path, given) for _, path, read in present]
    answers = answers_within(ALL_LIMIT_S, works, "engines")
    found = []
    for (name, _, _), answer in zip(present, answers, strict=True):
        found.append(_result_of(answer, name))
    is_alias = any(item.name == "podman" for item in found[:1]) and len(found) > 1 and found[1].name == "podman"
    return tuple(found[1:] if is_alias else found)


def _result_of(answer: PendingAnswer[ContainerEngine], name: str) -> ContainerEngine:
    if not answer.is_done:
        return ContainerEngine(name=name, state=EngineState.NO_ANSWER)
    try:
        return answer.result()
    except Exception:  # one engine's odd answer must not take the others along
        logger.exception("engine %s", name)
        return ContainerEngine(name=name, state=EngineState.FAILED)


def read_image_id(engine: str, image: str, sources: EngineSources | None = None) -> str | None:
    """Give what tells the content of an image from another one of the same name; None when it is not here.

    Args:
        engine: ``docker``, ``podman`` or ``apptainer``.
        image: Name, or for apptainer the path of a file.
    """
    given = sources or EngineSources()
    if engine == "apptainer":
        try:
            found = Path(image).stat()
        except (OSError, ValueError):
            return None
        return f"{found.st_size}-{found.st_mtime_ns}"
    path = given.find(engine)
    listed = _list_images(path, given, image) if path is not None else ()
    return listed[0].id if listed else None


def read_toolkit_version(sources: EngineSources | None = None) -> str | None:
    """Give the version of NVIDIA's Container Toolkit, None when it is not installed or does not tell."""
    given = sources or EngineSources()
    path = given.find(TOOLKIT)
    result = given.ask(path, "--version") if path is not None else None
    found = _VERSION.search(result.stdout) if result is not None and result.is_good else None
    return found.group() if found else None


def _read_docker(path: str, sources: EngineSources) -> ContainerEngine:
    result = sources.ask(path, "info", "--format", "{{json .}}", limit_s=INFO_LIMIT_S)
    told = _json(result)
    if "host" in told:  # podman under docker's name
        return _podman(told, path, sources)
    client = told.get("ClientInfo")
    version = text if isinstance(text := told.get("ServerVersion"), str) and text else _text(client, "Version")
    engine = ContainerEngine(name="docker", state=EngineState.READY, version=version or None, is_snap="/snap/" in path)
    if result is None or not result.is_good or told.get("ServerErrors"):
        return replace(engine, **_trouble(result, told))
    runtimes, storage = told.get("Runtimes"), _text(told, "DockerRootDir")
    options = told.get("SecurityOptions")
    return replace(
        engine,
        has_nvidia_runtime="nvidia" in runtimes if isinstance(runtimes, dict) else None,
        has_cdi=_names_cdi(told) or (_has_cdi_files(sources.root) and bool(told.get("CDISpecDirs"))),
        is_rootless=any("rootless" in str(option) for option in options) if isinstance(options, list) else None,
        is_snap=engine.is_snap or "/snap/" in (storage or ""),
        storage=storage,
        images=_images(path, sources),
    )


def _read_podman(path: str, sources: EngineSources) -> ContainerEngine:
    result = sources.ask(path, "info", "--format", "json", limit_s=INFO_LIMIT_S)
    told = _json(result)
    if result is None or not result.is_good or "host" not in told:
        return replace(ContainerEngine(name="podman", state=EngineState.FAILED), **_trouble(result, told))
    return _podman(told, path, sources)


def _podman(told: Told, path: str, sources: EngineSources) -> ContainerEngine:
    host = told.get("host")
    security = host.get("security") if isinstance(host, dict) else None
    rootless = security.get("rootless") if isinstance(security, dict) else None
    return ContainerEngine(
        name="podman",
        state=EngineState.READY,
        version=_text(told.get("version"), "Version"),
        has_cdi=_has_cdi_files(sources.root) or _lists_cdi(sources),
        is_rootless=rootless if isinstance(rootless, bool) else None,
        storage=_text(told.get("store"), "graphRoot"),
        images=_images(path, sources),
    )


def _read_apptainer(path: str, sources: EngineSources) -> ContainerEngine:
    result = sources.ask(path, "--version")
    found = _VERSION.search(result.stdout) if result is not None and result.is_good else None
    if found is None:
        return replace(ContainerEngine(name="apptainer", state=EngineState.FAILED), **_trouble(result, {}))
    return ContainerEngine(name="apptainer", state=EngineState.READY, version=found.group())


def _trouble(result: CommandResult | None, told: Told) -> dict[str, Any]:  # Any: fields of an engine
    """Give state and words of an engine that did not answer well."""
    if result is None:
        return {"state": EngineState.FAILED}
    if result.timed_out:
        return {"state": EngineState.NO_ANSWER}
    errors = told.get("ServerErrors")
    words = "\n".join(map(str, errors)) if isinstance(errors, list) else result.stderr or result.stdout
    state = EngineState.FAILED
    if _NO_PERMISSION.search(words):
        state = EngineState.NO_PERMISSION
    elif _NO_DAEMON.search(words):
        state = EngineState.NO_DAEMON
    return {"state": state, "words": words.strip()[:_MOST_WORDS] or None}


def _images(path: str, sources: EngineSources) -> tuple[ContainerImage, ...]:
    listed = _list_images(path, sources)
    return tuple(image for image in listed if _IMAGE.search(image.name))[:IMAGE_LIMIT]


def _list_images(path: str, sources: EngineSources, *name: str) -> tuple[ContainerImage, ...]:
    words = ("images", "--no-trunc", "--format", "{{.Repository}}:{{.Tag}}\t{{.Size}}\t{{.ID}}", *name)
    result = sources.ask(path, *words)
    lines = result.stdout.splitlines() if result is not None and result.is_good else []
    rows = [line.split("\t") for line in lines if line.count("\t") == 2 and "<none>" not in line]
    return tuple(
        ContainerImage(name=row[0].strip(), size_bytes=_size(row[1]), id=row[2].strip() or None) for row in rows
    )


def _size(text: str) -> int | None:
    """Give the bytes of ``14.2GB``; engines count in thousands."""
    found = _SIZE.match(text.strip())
    try:
        return int(float(found.group(1)) * _FACTORS[found.group(2).lower()]) if found else None
    except ValueError:
        return None


def _names_cdi(told: Told) -> bool:
    """Whether a newer Docker lists NVIDIA's cards among the devices it discovered."""
    devices = told.get("DiscoveredDevices")
    return isinstance(devices, list) and any("nvidia.com/gpu" in str(device) for device in devices)


def _has_cdi_files(root: Path) -> bool:
    return any(_is_nvidia_file(name) for folder in _CDI_FOLDERS for name in _entries(root / folder))


def _is_nvidia_file(name: str) -> bool:
    return "nvidia" in name and name.endswith((".yaml", ".yml", ".json"))


def _lists_cdi(sources: EngineSources) -> bool:
    path = sources.find(TOOLKIT)
    result = sources.ask(path, "cdi", "list") if path is not None else None
    return result is not None and "nvidia.com/gpu" in result.stdout


def _entries(folder: Path) -> Iterable[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


def _json(result: CommandResult | None) -> Told:
    if result is None:
        return {}
    try:
        told = json.loads(result.stdout)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _text(told: object, name: str) -> str | None:
    value = told.get(name) if isinstance(told, dict) else None
    return value if isinstance(value, str) and value else None
