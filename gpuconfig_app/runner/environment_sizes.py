"""What a new environment downloads, takes and how long it needs: from the index where it tells, else from the table."""

from __future__ import annotations

import logging
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.tags import Tag, compatible_tags, cpython_tags, platform_tags
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from gpuconfig_app.command import CommandResult, run_command
from gpuconfig_app.core.environment_plan import PackageSize, Range, SizeEstimate, SizeSource, StepKind
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.knowledge.environment_sizes import find_environment_size, unpacking_factor

logger = logging.getLogger(__name__)
RESOLVE_LIMIT_S = 90.0
# Packages grow between the day the table was read and today.
_TABLE_LOW, _TABLE_HIGH = 0.9, 1.15
_DISK_LOW, _DISK_HIGH = 0.9, 1.2
# Lines people have, 40 to 480 Mbit/s; unpacking on a hard disk and on an SSD.
_SLOW_NET, _FAST_NET = 5e6, 60e6
_SLOW_DISK, _FAST_DISK = 60e6, 400e6
_PROVE_S = Range(low=15.0, high=120.0)
_COMPILING_S = Range(low=60.0, high=1800.0)
_MAKE_S = Range(low=1.0, high=20.0)
_PYTHON_BYTES = 35e6


@dataclass(frozen=True, kw_only=True)
class Resolved:
    """What the index answered.

    Attributes:
        problem: What was said when nothing could be resolved, None when it could.
    """

    packages: tuple[PackageSize, ...] = ()
    problem: str | None = None


def resolve_with_uv(
    uv: str,
    requirements: Sequence[str],
    python_version: str,
    source_options: Sequence[str],
    variables: Mapping[str, str],
    lock_file: str | None = None,
) -> Resolved | None:
    """Let uv resolve everything without installing; None when this uv can't or does not answer in time.

    Args:
        source_options: Index or wheel folder, as for the installation.
    """
    with tempfile.TemporaryDirectory(prefix="gpuconfig-resolve-") as folder:
        wanted, found = Path(folder) / "requirements.in", Path(folder) / "pylock.toml"
        wanted.write_text("\n".join(requirements) + "\n", encoding="utf-8")
        words = [uv, "pip", "compile", lock_file or str(wanted), "--python-version", python_version]
        words += ["--format", "pylock.toml", "--output-file", str(found), "--quiet", *source_options]
        try:
            result = run_command(words, time_limit_s=RESOLVE_LIMIT_S, environment=variables, cwd=Path(folder))
        except CommandError as error:
            logger.info("uv: %s", error)
            return None
        if not result.is_good:
            return _problem(result)
        return Resolved(packages=read_pylock(found.read_text(encoding="utf-8"), python_version))


def read_pylock(text: str, python_version: str) -> tuple[PackageSize, ...]:
    """Read the packages of a ``pylock.toml`` (PEP 751) with the size of the file this machine would take."""
    tags = _tags(python_version)
    packages = [_package(row, tags) for row in tomllib.loads(text).get("packages", [])]
    return tuple(sorted(packages, key=lambda item: -(item.download_bytes or 0)))


def wheel_folder_packages(folder: Path) -> tuple[PackageSize, ...]:
    """Give the wheels of a folder; of several versions each one."""
    found: list[PackageSize] = []
    for path in sorted(folder.glob("*.whl")):
        try:
            name, version, _, _ = parse_wheel_filename(path.name)
            found.append(
                PackageSize(name=name, version=str(version), download_bytes=path.stat().st_size, is_cached=True)
            )
        except (InvalidWheelFilename, OSError) as error:
            logger.info("%s: %s", path.name, error)
    return tuple(sorted(found, key=lambda item: -(item.download_bytes or 0)))


def estimate(
    version: str | None,
    platform: str | None,
    resolved: Resolved | None,
    wheels: tuple[PackageSize, ...] | None,
    *,
    with_cuda: bool,
) -> SizeEstimate:
    """Estimate sizes; times are added by ``with_times``.

    Args:
        wheels: Of the folder that is installed from; None when packages come from an index.
    """
    factor = unpacking_factor(with_cuda=with_cuda)
    if wheels is not None:
        total = float(sum(item.download_bytes or 0 for item in wheels))
        disk = Range(low=total, high=total * 4) if wheels else None
        text = Message("environment.size-from-folder", {"count": len(wheels)})
        return SizeEstimate(
            source=SizeSource.INDEX, source_text=text, download_bytes=Range(low=0.0, high=0.0), disk_bytes=disk,
            cached_bytes=round(total), packages=wheels,
        )  # fmt: skip
    if resolved is not None and resolved.packages:
        told = [item.download_bytes for item in resolved.packages]
        known = float(sum(size or 0 for size in told))
        silent = sum(size is None for size in told)
        name = "environment.size-from-index-partly" if silent else "environment.size-from-index"
        text = Message(name, {"count": len(told), "silent": silent})
        download = Range(low=known, high=known) if not silent else None
        return SizeEstimate(
            source=SizeSource.INDEX, source_text=text, download_bytes=download, packages=resolved.packages,
            disk_bytes=_disk(download, factor),
        )  # fmt: skip
    row = find_environment_size(version, platform, with_cuda=with_cuda) if version and platform else None
    if row is None:
        return SizeEstimate(source_text=Message("environment.size-unknown"))
    download = Range(low=row.download_bytes * _TABLE_LOW, high=row.download_bytes * _TABLE_HIGH)
    text = Message("environment.size-from-table", {"count": row.packages, "date": row.checked_on})
    return SizeEstimate(
        source=SizeSource.FACTS, source_text=text, download_bytes=download, disk_bytes=_disk(download, factor)
    )


def step_times(size: SizeEstimate, *, fetches_python: bool, compiles: bool) -> dict[StepKind, Range]:
    """Give the time of each step, by ordinary lines and disks; a step that can't be told is left out."""
    times = {StepKind.MAKE: _MAKE_S, StepKind.PROVE: _COMPILING_S if compiles else _PROVE_S}
    if fetches_python:
        times[StepKind.FETCH_PYTHON] = Range(low=_PYTHON_BYTES / _FAST_NET, high=_PYTHON_BYTES / _SLOW_NET)
    if size.download_bytes is not None and size.disk_bytes is not None:
        low = size.download_bytes.low / _FAST_NET + size.disk_bytes.low / _FAST_DISK
        high = size.download_bytes.high / _SLOW_NET + size.disk_bytes.high / _SLOW_DISK
        times[StepKind.INSTALL] = Range(low=max(low, 1.0), high=max(high, 5.0))
    return times


def total_time(times: Mapping[StepKind, Range]) -> Range | None:
    """Give the time of all steps, None when the installation's can't be told."""
    if StepKind.INSTALL not in times:
        return None
    return Range(low=sum(item.low for item in times.values()), high=sum(item.high for item in times.values()))


def time_assumption(size: SizeEstimate) -> Message | None:
    """Say which lines the times are for; None when nothing is downloaded."""
    if size.download_bytes is None or not size.download_bytes.high:
        return None
    low, high = (round(rate * 8 / 1e6) for rate in (_SLOW_NET, _FAST_NET))
    return Message("environment.time-assumes", {"low": low, "high": high})


def _disk(download: Range | None, factor: float | None) -> Range | None:
    if download is None or factor is None:
        return None
    return Range(low=download.low * factor * _DISK_LOW, high=download.high * factor * _DISK_HIGH)


def _problem(result: CommandResult) -> Resolved | None:
    said = result.stderr.strip()
    if result.timed_out or "unexpected argument" in said or "invalid value" in said:
        return None
    return Resolved(problem=said or "?")


def _package(row: Mapping[str, Any], tags: Mapping[Tag, int]) -> PackageSize:  # Any: a TOML table
    version = row.get("version")
    wheels = [item for item in row.get("wheels", []) if isinstance(item, Mapping)]
    ranked = sorted(((rank, item) for item in wheels if (rank := _rank(item, tags)) is not None), key=lambda x: x[0])
    chosen = ranked[0][1] if ranked else row.get("sdist", {})
    size = chosen.get("size") if isinstance(chosen, Mapping) else None
    return PackageSize(
        name=str(row.get("name", "")),
        version=str(version) if version is not None else None,
        download_bytes=size if isinstance(size, int) else None,
    )


def _rank(wheel: Mapping[str, Any], tags: Mapping[Tag, int]) -> int | None:  # Any: a TOML table
    """Give how early pip would take a wheel, None when it would not."""
    name = str(wheel.get("name") or wheel.get("url") or wheel.get("path") or "").split("#")[0].rsplit("/", 1)[-1]
    try:
        _, _, _, offered = parse_wheel_filename(name.replace("%2B", "+"))
    except InvalidWheelFilename:
        return None
    return min((tags[tag] for tag in offered if tag in tags), default=None)


def _tags(python_version: str) -> dict[Tag, int]:
    major, minor = (int(part) for part in python_version.split(".")[:2])
    platforms = list(platform_tags())
    tags = [*cpython_tags((major, minor), platforms=platforms), *compatible_tags((major, minor), platforms=platforms)]
    return {tag: at for at, tag in reversed(list(enumerate(tags)))}
