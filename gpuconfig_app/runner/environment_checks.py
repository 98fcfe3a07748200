"""What is looked at before an environment is made: the folder, room on disk, quota, temporary folder, settings.

Nothing is written. What can't be found out is "unknown" and keeps nobody from starting.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.command import run_command
from gpuconfig_app.core.environment_plan import CheckKind, CheckState, Installer, PlanCheck, Range, SizeEstimate
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message, MessageValue

logger = logging.getLogger(__name__)
QUOTA_LIMIT_S = 5.0
_ROOM_FOR_PIP_BYTES = 16 * 1024**2
_LONGEST_NAME = 255  # bytes, of one folder, on nearly every file system
_KIB = 1024
# Written unquoted into the script "activate" by the venv of Pythons before 3.13.1, 3.12.8 and 3.11.11.
_AWKWARD = frozenset('"$`\\')
_BREAKS_START_LINES = frozenset(map(chr, [*range(32), 127]))


@dataclass(frozen=True, kw_only=True)
class Demand:
    """Room that the making needs somewhere, for a time or for good."""

    kind: CheckKind
    place: Path
    needed: Range | None


def title_of(kind: CheckKind) -> Message:
    """Give the two or three words that name a check."""
    return Message(f"environment.check-{kind.value}")


def check_result(kind: CheckKind, state: CheckState, name: str, params: Mapping[str, MessageValue]) -> PlanCheck:
    """Give a check that is not about room; ``name`` is the sentence's without the room's prefix."""
    return PlanCheck(
        kind=kind, state=state, title=title_of(kind), text=Message(f"environment.{name}", dict(params))
    )  # fmt: skip


def check_folder(folder: Path) -> PlanCheck:
    """Look whether the folder is new or empty and can be made."""
    params: dict[str, MessageValue] = {"path": str(folder), "parent": str(existing_parent(folder))}
    try:
        wrong = next((name for name, is_so in _FOLDER_FAULTS if is_so(folder)), None)
    except OSError as error:
        params["detail"] = error.strerror or str(error)
        wrong = "folder-unreadable"
    if wrong is not None:
        return check_result(CheckKind.FOLDER, CheckState.BAD, wrong, params)
    if os.name == "posix" and _AWKWARD & set(str(folder)):
        return check_result(CheckKind.FOLDER, CheckState.WARNING, "folder-awkward", params)
    name = "folder-empty" if folder.is_dir() else "folder-new"
    return check_result(CheckKind.FOLDER, CheckState.GOOD, name, params)


def _has_unusable_name(folder: Path) -> bool:
    """Whether start lines of programs or the search path could not hold it (a Windows drive's colon is fine)."""
    text = str(folder)
    is_text = all(character not in _BREAKS_START_LINES and not "\ud800" <= character <= "\udfff" for character in text)
    return not is_text or os.pathsep in text[2:]


def _has_long_name(folder: Path) -> bool:
    return any(len(os.fsencode(part)) > _LONGEST_NAME for part in folder.parts)


_FOLDER_FAULTS: tuple[tuple[str, Callable[[Path], bool]], ...] = (
    ("folder-name", _has_unusable_name),
    ("folder-name-long", _has_long_name),
    ("folder-dead-link", lambda folder: folder.is_symlink() and not folder.exists()),
    ("folder-is-file", lambda folder: folder.exists() and not folder.is_dir()),
    ("folder-is-environment", lambda folder: folder.is_dir() and _is_environment(folder)),
    ("folder-not-empty", lambda folder: folder.is_dir() and any(folder.iterdir())),
    ("folder-below-file", lambda folder: not existing_parent(folder).is_dir()),
    ("folder-read-only", lambda folder: _is_read_only(existing_parent(folder))),
    ("folder-not-writable", lambda folder: not os.access(existing_parent(folder), os.W_OK | os.X_OK)),
)


def existing_parent(folder: Path) -> Path:
    """Give the folder itself when it exists, else the nearest one above that does."""
    place = folder
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    return place


def is_full(place: Path) -> bool:
    """Whether so little room is left that pip itself does not fit; False where it can't be read."""
    try:
        return shutil.disk_usage(existing_parent(place)).free < _ROOM_FOR_PIP_BYTES
    except OSError:
        return False


def temporary_folder(variables: Mapping[str, str]) -> Path:
    """Give the folder the user's programs use for temporary files."""
    for name in ("TMPDIR", "TEMP", "TMP"):
        if variables.get(name) and Path(variables[name]).is_dir():
            return Path(variables[name])
    return Path(tempfile.gettempdir())


def cache_folder(installer: Installer, variables: Mapping[str, str]) -> Path | None:
    """Give where the installer keeps downloads; None when it keeps none or the place is not known."""
    if installer is Installer.UV:
        named, off, leaf = "UV_CACHE_DIR", "UV_NO_CACHE", "uv"
    else:
        named, off, leaf = "PIP_CACHE_DIR", "PIP_NO_CACHE_DIR", "pip"
    if variables.get(off, "").lower() in {"1", "true", "yes", "on", "off"}:  # "off" is pip's own word for none
        return None
    if variables.get(named):
        return Path(variables[named])
    if os.name == "nt":
        local = variables.get("LOCALAPPDATA")
        return Path(local) / leaf / "cache" if local else None
    base = variables.get("XDG_CACHE_HOME")
    home = variables.get("HOME")
    return Path(base) / leaf if base else Path(home) / ".cache" / leaf if home else None


def demands(folder: Path, installer: Installer, size: SizeEstimate, variables: Mapping[str, str]) -> tuple[Demand, ...]:
    """Give the room that is needed, place by place.

    pip keeps every wheel in the temporary folder until all are there, and a copy in its cache; uv unpacks in its cache
    and links from there, so that on one file system the room is needed once.
    """
    temporary, cache = temporary_folder(variables), cache_folder(installer, variables)
    download, disk = size.download_bytes, size.disk_bytes
    found = [Demand(kind=CheckKind.DISK, place=folder, needed=disk)]
    if installer is Installer.PIP:
        found.append(Demand(kind=CheckKind.TEMPORARY, place=temporary, needed=download))
        if cache is not None:
            found.append(Demand(kind=CheckKind.CACHE, place=cache, needed=download))
        return tuple(found)
    found.append(Demand(kind=CheckKind.TEMPORARY, place=temporary, needed=Range(low=0.0, high=0.0)))
    if cache is not None:
        is_shared = _device(cache) is not None and _device(cache) == _device(folder)
        found.append(Demand(kind=CheckKind.CACHE, place=cache, needed=Range(low=0.0, high=0.0) if is_shared else disk))
    return tuple(found)


def check_room(wanted: Sequence[Demand]) -> tuple[PlanCheck, ...]:
    """Compare free room with what is needed; places on one file system need their room together."""
    devices = [_device(item.place) for item in wanted]
    beside = [[item for item, device in zip(wanted, devices, strict=True) if device == own] for own in devices]
    return tuple(_room(demand, others) for demand, others in zip(wanted, beside, strict=True))


def _room(demand: Demand, beside: Sequence[Demand]) -> PlanCheck:
    place = existing_parent(demand.place)
    params: dict[str, MessageValue] = {"path": str(place)}
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        logger.info("%s: %s", place, error)
        return check_result(demand.kind, CheckState.UNKNOWN, "room-unreadable", params)
    if any(item.needed is None for item in beside):
        text = Message("environment.room-need-unknown", {**params, "free_bytes": free})
        return PlanCheck(
            kind=demand.kind, state=CheckState.UNKNOWN, title=title_of(demand.kind), text=text, free_bytes=free
        )
    low = round(sum(item.needed.low for item in beside if item.needed is not None))
    high = round(sum(item.needed.high for item in beside if item.needed is not None))
    state = CheckState.GOOD if free >= high else CheckState.WARNING if free >= low else CheckState.BAD
    word = {CheckState.GOOD: "room-good", CheckState.WARNING: "room-scarce"}.get(state, "room-missing")
    if state is CheckState.GOOD and demand.kind is CheckKind.TEMPORARY and _is_noexec(place):
        state, word = CheckState.WARNING, "room-noexec"
    text = Message(f"environment.{word}", {**params, "free_bytes": free, "needed_bytes": high})
    return PlanCheck(
        kind=demand.kind, state=state, title=title_of(demand.kind), text=text, free_bytes=free, needed_bytes=high
    )


def check_quota(folder: Path, needed: Range | None, variables: Mapping[str, str]) -> PlanCheck:
    """Ask the quota program what the user may still write."""
    try:
        result = run_command(
            ["quota", "-w", "-v"], time_limit_s=QUOTA_LIMIT_S, environment={**variables, "LC_ALL": "C"}
        )
    except CommandError:
        return check_result(CheckKind.QUOTA, CheckState.UNKNOWN, "quota-unknown", {})
    if result.timed_out:
        return check_result(CheckKind.QUOTA, CheckState.UNKNOWN, "quota-unknown", {})
    left = parse_quota(result.stdout, mounted_device(folder))
    if left is None:
        is_silent = result.exit_code not in {0, 1} or bool(result.stderr.strip())
        state, name = (CheckState.UNKNOWN, "quota-unknown") if is_silent else (CheckState.GOOD, "quota-none")
        return check_result(CheckKind.QUOTA, state, name, {})
    if needed is None:
        state, name, high = CheckState.UNKNOWN, "quota-left", None
    else:
        high = round(needed.high)
        state = CheckState.BAD if left < needed.low else CheckState.WARNING if left < high else CheckState.GOOD
        name = "quota-left" if state is CheckState.GOOD else "quota-missing"
    text = Message(f"environment.{name}", {"free_bytes": left, "needed_bytes": high or 0})
    title = title_of(CheckKind.QUOTA)
    return PlanCheck(
        kind=CheckKind.QUOTA, state=state, title=title, text=text, free_bytes=left, needed_bytes=high
    )  # fmt: skip


def parse_quota(text: str, device: str | None) -> int | None:
    """Read what is left on a device from ``quota -w -v``; None when there is no limit on it.

    The hard limit counts, else the soft one; figures are in KiB, those beyond the soft limit carry a star.
    """
    for line in text.splitlines():
        parts = line.split()
        if len(parts) < 4 or (device is not None and parts[0] != device):
            continue
        numbers = [part.rstrip("*") for part in parts[1:4]]
        if not all(number.isdigit() for number in numbers):
            continue
        used, soft, hard = (int(number) * _KIB for number in numbers)
        limit = hard or soft
        if limit:
            return max(limit - used, 0)
    return None


def _is_environment(folder: Path) -> bool:
    return (folder / "pyvenv.cfg").exists() or (folder / "conda-meta").is_dir()


def _is_read_only(folder: Path) -> bool:
    if not hasattr(os, "statvfs"):
        return False
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _is_noexec(folder: Path) -> bool:
    if not hasattr(os, "statvfs"):
        return False
    try:
        return bool(os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0))
    except OSError:
        return False


def _device(place: Path) -> int | None:
    try:
        return existing_parent(place).stat().st_dev
    except OSError:
        return None


def mounted_device(folder: Path) -> str | None:
    """Give the device of a folder as ``quota`` names it; None when it can't be told."""
    import psutil  # noqa: PLC0415  # not needed before the first paint (design decision 8)

    place = str(existing_parent(folder).resolve())
    mounts = [item for item in psutil.disk_partitions(all=True) if Path(place).is_relative_to(item.mountpoint)]
    return max(mounts, key=lambda item: len(item.mountpoint)).device if mounts else None
