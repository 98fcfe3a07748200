"""Looks into a WSL distribution: its Linux and its Python environments, by one call that starts no Python.

The call feeds ``resources/probes/look_inside.sh`` to ``sh`` inside; reading 9P shares file by file would take minutes.
A distribution that does not run is left alone unless it may be started.
"""

from __future__ import annotations

import logging
import shlex
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from gpuconfig_app.command import CommandResult, run_command
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import HostInfo, MemoryInfo
from gpuconfig_app.core.target import Target, TargetKind
from gpuconfig_app.core.target_facts import WslDistribution
from gpuconfig_app.hardware.host_linux import read_linux_host
from gpuconfig_app.hardware.host_sources import HostSources
from gpuconfig_app.hardware.inside_listing import Listing, answers_of, lay_out, read_listing
from gpuconfig_app.hardware.python_envs import find_environments
from gpuconfig_app.hardware.python_places import PythonPlaces
from gpuconfig_app.hardware.wsl import PROGRAM, error_code
from gpuconfig_app.resources import resource_path

logger = logging.getLogger(__name__)
Run = Callable[..., CommandResult]
# One that runs answers in a second; starting one takes several.
LOOK_LIMIT_S = 12.0
START_LIMIT_S = 45.0


@dataclass(frozen=True, kw_only=True)
class Inside:
    """What a distribution holds.

    Attributes:
        distribution: With home, drives or problem filled in.
        host: None when it could not be looked into.
    """

    distribution: WslDistribution
    host: HostInfo | None = None
    environments: tuple[PythonEnvironment, ...] = ()


def look_inside(
    distribution: WslDistribution,
    *,
    may_start: bool = False,
    extra_prefixes: tuple[str, ...] = (),
    run: Run = run_command,
    program: str = PROGRAM,
) -> Inside:
    """Look into a distribution; never raises.

    Args:
        may_start: It may be started when it does not run.
        extra_prefixes: Folders of environments inside that no search comes by.
        run: Starts ``wsl.exe``.
        program: Its path.
    """
    if not may_start and distribution.is_running is not True:
        return _closed(distribution, Message("targets.distribution-stopped", {"name": distribution.name}))
    limit_s = LOOK_LIMIT_S if distribution.is_running else START_LIMIT_S
    script = _script(extra_prefixes)
    try:
        result = run([program, "-d", distribution.name, "--exec", "sh"], time_limit_s=limit_s, stdin_text=script)
    except CommandError as error:
        detail = str(error.message.params.get("detail", ""))
        return _closed(
            distribution, Message("targets.distribution-failed", {"name": distribution.name, "detail": detail})
        )
    if result.timed_out:
        silent = Message("targets.distribution-silent", {"name": distribution.name, "limit_s": limit_s})
        return _closed(distribution, silent)
    listing = read_listing(result.stdout)
    if not listing.is_whole:
        return _closed(distribution, _trouble(distribution, result))
    return _read(replace(distribution, is_running=True), listing, extra_prefixes)


def _script(extra_prefixes: tuple[str, ...]) -> str:
    """Give the script with the folders as its words; its lines end as a shell of Linux wants them."""
    text = resource_path("probes", "look_inside.sh").read_text(encoding="utf-8").replace("\r\n", "\n")
    return f"set -- {' '.join(map(shlex.quote, extra_prefixes))}\n{text}"


def _closed(distribution: WslDistribution, problem: Message) -> Inside:
    return Inside(distribution=replace(distribution, problem=problem))


def _trouble(distribution: WslDistribution, result: CommandResult) -> Message:
    words = f"{result.stdout}\n{result.stderr}".replace("\0", "")
    last = [line.strip() for line in words.splitlines() if line.strip()]
    detail = error_code(words) or (last[-1][:200] if last else f"exit {result.exit_code}")
    return _failed(distribution, detail)


def _failed(distribution: WslDistribution, detail: str) -> Message:
    return Message("targets.distribution-failed", {"name": distribution.name, "detail": detail})


def _read(distribution: WslDistribution, listing: Listing, extra_prefixes: tuple[str, ...]) -> Inside:
    try:
        with tempfile.TemporaryDirectory(prefix="gpuconfig-inside-", ignore_cleanup_errors=True) as folder:
            root = Path(folder).resolve()
            lay_out(listing, root)
            host = _with_links(read_linux_host(_sources(root, listing)), listing.links)
            places = PythonPlaces(
                platform="linux", root=root, home=_below(root, listing.home), variables={}, registered=()
            )
            found = find_environments([_below(root, path) for path in extra_prefixes], places=places)
            environments = tuple(_at_target(item, root, distribution.name) for item in found)
    except (OSError, ValueError) as error:
        detail = type(error).__name__
        return _closed(
            distribution, Message("targets.distribution-failed", {"name": distribution.name, "detail": detail})
        )
    opened = replace(distribution, home=listing.home or None, drives=listing.drives, problem=None)
    return Inside(distribution=opened, host=host, environments=environments)


def _with_links(host: HostInfo, links: Mapping[str, str]) -> HostInfo:
    """Name libraries by the file beside them that they lead to, which holds the version, as the reader does it here."""
    found = {}
    for name, path in host.libraries.libraries.items():
        real = links.get(path, path)
        found[name] = real if PurePosixPath(real).parent == PurePosixPath(path).parent else path
    return replace(host, libraries=replace(host.libraries, libraries=found))


def _sources(root: Path, listing: Listing) -> HostSources:
    answers = answers_of(listing)

    def run(words: list[str], **_: object) -> CommandResult:
        return CommandResult(0, answers[words[0]], "")

    def usage(mount: str) -> tuple[int, int]:
        if mount != "/" or listing.space is None:
            raise OSError(mount)
        return listing.space

    return HostSources(
        platform="linux",
        root=root,
        variables=listing.variables,
        variables_origin="login_shell",
        home=_below(root, listing.home),
        machine=listing.machine,
        kernel="",
        host_name="",
        affinity=listing.processors,
        glibc=listing.glibc,
        run=run,
        usage=usage,
        memory=MemoryInfo,
        partitions=tuple,
        cores=lambda: (None, listing.processors),
        registry=dict,
    )


def _below(root: Path, path: str) -> Path:
    return root / path.lstrip("/") if path.startswith("/") and ".." not in path.split("/") else root / "root"


def _at_target(item: PythonEnvironment, root: Path, distribution: str) -> PythonEnvironment:
    """Turn paths of the laid-out folder into those of the distribution, and name the target."""
    python = _original(item.executable, root)
    target = Target(kind=TargetKind.WSL, distribution=distribution, python=python)
    problem = item.problem
    if problem is not None:
        params = {
            key: _original(value, root) if isinstance(value, str) else value for key, value in problem.params.items()
        }
        problem = Message(problem.id, params)
    return replace(
        item,
        executable=target.name if python else "",
        prefix=_original(item.prefix, root),
        name=f"{item.name or 'python'} ({distribution})",
        nvidia_library_folders=tuple(_original(path, root) for path in item.nvidia_library_folders),
        problem=problem,
        target=target,
        is_current=False,
    )


def _original(path: str, root: Path) -> str:
    try:
        return "/" + Path(path).relative_to(root).as_posix() if path else ""
    except ValueError:
        return path
