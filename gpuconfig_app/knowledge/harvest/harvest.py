"""The whole harvest: index in, texts of the three tables out; nothing is written unless its own reader accepts it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from packaging.version import Version

from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.knowledge import cudnn_wheels, tensorflow_packages, tensorflow_releases
from gpuconfig_app.knowledge.cudnn_wheels import CudnnRelease
from gpuconfig_app.knowledge.harvest.index import Index
from gpuconfig_app.knowledge.harvest.notes import load_notes
from gpuconfig_app.knowledge.harvest.other_rows import read_cudnn, read_packages, wanted_cudnn
from gpuconfig_app.knowledge.harvest.pip_settings import IndexSettings
from gpuconfig_app.knowledge.harvest.release_rows import NIGHTLY, STABLE, Reading, read_releases, wanted_series
from gpuconfig_app.knowledge.harvest.table_text import Row, Value, table_text
from gpuconfig_app.knowledge.harvest.transport import Limits
from gpuconfig_app.knowledge.harvest.trouble import RefreshError
from gpuconfig_app.knowledge.table import SCHEMA, FactSource, parse_table
from gpuconfig_app.knowledge.tensorflow_packages import TensorflowPackage
from gpuconfig_app.knowledge.tensorflow_releases import PatchRelease, PtxTarget, TensorflowRelease
from gpuconfig_app.storage.places import write_text

_RELEASE_REMARKS = (
    "TensorFlow releases, harvested from the released wheels; packaging/harvest_tables.py writes this file anew.",
    "One row for each series and platform: the newest patch is judged, read from its wheel for the newest Python.",
    "sass: targets that every kernel container holds; sass_partial: targets that only some hold (containers that are",
    "linked further are never loaded and don't count). ptx_compiler and ptx_mlir: target and PTX ISA of the two kinds",
    'of kernels; an "a" target runs on exactly that capability. cudnn_resolved: what pip takes today for the and-cuda',
    "extra; and_cuda_python: Python series for which all its pins have a wheel. Bounds are those of the METADATA.",
    "Remarks, and cudnn_min of wheels that tell only its major version, come from tensorflow_notes.toml.",
)
_CUDNN_REMARKS = (
    "cuDNN wheels that pip takes for TensorFlow, harvested: capabilities in the libraries that every operation",
    "goes through.",
)
_PACKAGE_REMARKS = (
    "Other packages around TensorFlow, harvested from the index; what they are good for comes from",
    "tensorflow_notes.toml.",
)


AnyRow = TensorflowRelease | CudnnRelease | TensorflowPackage


@dataclass(frozen=True, kw_only=True)
class KnownTables:
    """What was known before."""

    releases: tuple[TensorflowRelease, ...] = ()
    cudnn: tuple[CudnnRelease, ...] = ()
    packages: tuple[TensorflowPackage, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Harvest:
    """What came out.

    Attributes:
        texts: Text of each table by name, each accepted by its reader.
        changed: Rows of the release table that are new or differ, as ``series platform``.
        warnings: Wheels that could not be used.
        duration_s: How long it took.
    """

    texts: Mapping[str, str]
    changed: tuple[str, ...]
    warnings: tuple[Message, ...]
    received_bytes: int
    requests: int
    duration_s: float


def harvest(
    settings: IndexSettings,
    control: JobControl,
    scratch: Path,
    known: KnownTables,
    *,
    is_full: bool = False,
    series: Iterable[str] | None = None,
    limits: Limits | None = None,
    clock: Clock | None = None,
) -> Harvest:
    """Read everything from an index.

    Args:
        scratch: Folder for whole downloads, where a server sends no ranges.
        known: The tables in force. Rows of releases that the index does not offer are kept.
        is_full: Read unchanged wheels again, and keep no row that was not read.
        series: Only these; None for all.

    Raises:
        RefreshError: The index does not answer, does not know TensorFlow, or a table came out unusable.
        JobCancelledError: The user ended it.
    """
    clock = clock or SystemClock()
    began = clock.monotonic()
    moment = time.gmtime(clock.now())
    checked_on = time.strftime("%Y-%m-%d", moment)
    index = Index(settings, control, scratch, limits=limits, clock=clock)
    index.tell(0.0, "harvest.asking")
    notes = load_notes()
    wanted = tuple(item for item in wanted_series(index) if series is None or item.series in set(series))
    if not any(item.package == STABLE for item in wanted):
        raise RefreshError(Message("harvest.no-tensorflow"), Message("harvest.no-tensorflow-hint"))
    before = {(row.series, row.platform): row for row in known.releases}
    reading = Reading(notes=notes, checked_on=checked_on, previous=before, is_full=is_full)
    releases, release_warnings = read_releases(index, wanted, reading)
    if not is_full:
        releases = _with_kept(releases, known.releases)
    old_cudnn = {(row.package, row.version): row for row in known.cudnn}
    cudnn, cudnn_warnings = read_cudnn(index, wanted_cudnn(releases), old_cudnn, checked_on, is_full=is_full)
    if not is_full:
        cudnn = _merged(cudnn, old_cudnn)
    old_packages = {} if is_full else {row.id: row for row in known.packages}
    packages, package_warnings = read_packages(index, notes.packages, old_packages, checked_on)
    texts = _texts(time.strftime("%Y-%m-%dT%H:%M:%SZ", moment), releases, cudnn, packages)
    check_tables(texts)
    return Harvest(
        texts=texts,
        changed=tuple(f"{row.series} {row.platform}" for row in releases if _differs(row, before)),
        warnings=(*release_warnings, *cudnn_warnings, *package_warnings),
        received_bytes=index.received_bytes,
        requests=index.requests,
        duration_s=clock.monotonic() - began,
    )


def _texts(
    moment: str,
    releases: tuple[TensorflowRelease, ...],
    cudnn: tuple[CudnnRelease, ...],
    packages: tuple[TensorflowPackage, ...],
) -> dict[str, str]:
    """Write the tables that have rows; one without is none, for an index may lack what it is about."""
    head: dict[str, Value] = {"schema": SCHEMA, "harvested_at": moment}
    tables: tuple[tuple[str, tuple[str, ...], str, tuple[AnyRow, ...]], ...] = (
        (tensorflow_releases.TABLE, _RELEASE_REMARKS, "release", releases),
        (cudnn_wheels.TABLE, _CUDNN_REMARKS, "cudnn", cudnn),
        (tensorflow_packages.TABLE, _PACKAGE_REMARKS, "package", packages),
    )
    return {
        table: table_text(remarks, head, key, map(row_fields, rows)) for table, remarks, key, rows in tables if rows
    }


def check_tables(texts: Mapping[str, str]) -> None:
    """Have each table read by its own reader.

    Raises:
        RefreshError: One of them cannot be used.
    """
    readers = {
        tensorflow_releases.TABLE: tensorflow_releases.parse_releases,
        cudnn_wheels.TABLE: cudnn_wheels.parse_cudnn_wheels,
        tensorflow_packages.TABLE: tensorflow_packages.parse_packages,
    }
    for table, text in texts.items():
        try:
            readers[table](parse_table(table, text))
        except UnusableFileError as error:
            raise RefreshError(Message("harvest.bad-table", {"table": table}), error.message) from error


def write_tables(texts: Mapping[str, str], folder: Path) -> None:
    """Write tables that were checked; each is replaced whole.

    Raises:
        RefreshError: One of them cannot be used; none is written.
        StorageError: The disk refuses.
    """
    check_tables(texts)
    for table, text in texts.items():
        write_text(folder / f"{table}.toml", text)


def row_fields(row: AnyRow | PatchRelease) -> Row:
    """Give the fields of a row as they are written; those at their default are left out."""
    written: dict[str, Value | None] = {}
    for item in sorted(fields(row), key=lambda item: _order(item.name)):
        value = getattr(row, item.name)
        if value == item.default or value in ((), {}):
            continue
        written[item.name] = _plain(value)
    return written


_FIRST = ("series", "platform", "package", "provided_by", "id", "version", "versions", "released_on", "is_preview")
_LAST = ("patches", "wheel", "wheel_sha256", "code_from", "note", "state", "source", "checked_on")


def _order(name: str) -> tuple[int, int]:
    if name in _FIRST:
        return 0, _FIRST.index(name)
    return (2, _LAST.index(name)) if name in _LAST else (1, 0)


def _plain(value: object) -> Value:
    if isinstance(value, PatchRelease):
        return {name: item for name, item in row_fields(value).items() if item is not None}
    if isinstance(value, PtxTarget):
        return {"target": value.target} | ({"isa": value.isa} if value.isa is not None else {})
    if isinstance(value, LocalText):
        return {"en": value.en, "zh_cn": value.zh_cn}
    if isinstance(value, FactSource):
        return {"title": value.title} | ({"address": value.address} if value.address is not None else {})
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str | bool | int | float):
        return value
    raise TypeError(f"not a field of a row: {value!r}")


def _with_kept(
    rows: tuple[TensorflowRelease, ...], known: tuple[TensorflowRelease, ...]
) -> tuple[TensorflowRelease, ...]:
    """Keep what the index does not offer (one in a company may hold a few releases); an old nightly goes."""
    found = {(row.series, row.platform) for row in rows}
    nightly = {row.series for row in rows if row.package == NIGHTLY}
    kept = [
        row
        for row in known
        if (row.series, row.platform) not in found and (row.package != NIGHTLY or not nightly or row.series in nightly)
    ]
    return tuple(sorted((*rows, *kept), key=lambda row: (Version(row.series), row.platform)))


def _merged(rows: tuple[CudnnRelease, ...], known: Mapping[tuple[str, str], CudnnRelease]) -> tuple[CudnnRelease, ...]:
    """Keep wheels that pip no longer takes: somebody has them."""
    every = {**known, **{(row.package, row.version): row for row in rows}}
    return tuple(every[key] for key in sorted(every, key=lambda key: (key[0], Version(key[1]))))


def _differs(row: TensorflowRelease, before: Mapping[tuple[str, str], TensorflowRelease]) -> bool:
    old = before.get((row.series, row.platform))
    return old is None or {**row_fields(row), "checked_on": ""} != {**row_fields(old), "checked_on": ""}
