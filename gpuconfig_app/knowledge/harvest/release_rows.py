"""Makes the rows of the release table from an index: which wheels, what they say, what code they hold."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from packaging.version import Version

from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.knowledge.harvest.fat_binaries import PtxCode
from gpuconfig_app.knowledge.harvest.index import Index
from gpuconfig_app.knowledge.harvest.notes import Notes
from gpuconfig_app.knowledge.harvest.patches import read_patches
from gpuconfig_app.knowledge.harvest.pins import best_wheel, installable_pythons
from gpuconfig_app.knowledge.harvest.trouble import DownloadError, UnreadableWheelError
from gpuconfig_app.knowledge.harvest.wanted_wheels import Offer, Series, newest_nightly, offers_of, series_of
from gpuconfig_app.knowledge.harvest.wheel_code import WheelCode, read_wheel_code
from gpuconfig_app.knowledge.harvest.wheel_facts import WheelFacts, glibc_of_tags, least_version, read_wheel_facts
from gpuconfig_app.knowledge.table import FactSource
from gpuconfig_app.knowledge.tensorflow_releases import PtxTarget, TensorflowRelease

logger = logging.getLogger(__name__)
STABLE, NIGHTLY = "tensorflow", "tf-nightly"

_REPOSITORY = "https://github.com/tensorflow/tensorflow"
_HEAVY = "linux-x86_64"
_HEAVY_WEIGHT = 20
Key = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a harvest is done.

    Attributes:
        previous: Rows already known, by series and platform; the code of an unchanged wheel is not read again.
        is_full: Read everything again all the same.
        checked_on: ISO day written into the rows.
    """

    notes: Notes
    checked_on: str
    previous: Mapping[Key, TensorflowRelease] = field(default_factory=dict)
    is_full: bool = False


@dataclass(frozen=True, kw_only=True)
class _Chosen:
    """The wheel that stands for a series, and whose it is."""

    offer: Offer
    versions: tuple[Version, ...]
    provider: str | None = None


def wanted_series(index: Index) -> tuple[Series, ...]:
    """Give every series to read: all of tensorflow, and the newest nightly where it is ahead of them.

    Raises:
        DownloadError: No answer.
    """
    stable = series_of(STABLE, index.files(STABLE))
    known = {item.series for item in stable}
    ahead = [item for item in newest_nightly(index.files(NIGHTLY), NIGHTLY) if item.series not in known]
    return (*stable, *ahead)


def read_releases(
    index: Index, wanted: Iterable[Series], reading: Reading
) -> tuple[tuple[TensorflowRelease, ...], tuple[Message, ...]]:
    """Read every series; gives the rows and a warning for each wheel that could not be used.

    Of such a wheel the row known before stays.

    Raises:
        DownloadError: Two wheels in a row could not be got.
        JobCancelledError: The user ended it.
    """
    todo = tuple(wanted)
    weights = [_HEAVY_WEIGHT if item.platform == _HEAVY else 1 for item in todo]
    rows: list[TensorflowRelease] = []
    warnings: list[Message] = []
    failed_before = False
    for number, item in enumerate(todo):
        share = sum(weights[:number]) / sum(weights)
        version = str(item.judged.version)
        index.tell(share, "harvest.reading", release=version, platform=item.platform)
        try:
            row = _with_patches(index, item, _row(index, item, reading), reading)
            failed_before = False
        except (UnreadableWheelError, DownloadError) as error:
            if failed_before and isinstance(error, DownloadError):
                raise
            failed_before = isinstance(error, DownloadError)
            logger.warning("%s %s: %s", version, item.platform, error)
            warnings.append(error.message)
            row = reading.previous.get((item.series, item.platform))
        if row is not None:
            rows.append(row)
    return tuple(sorted(rows, key=lambda row: (Version(row.series), row.platform))), tuple(warnings)


def _row(index: Index, item: Series, reading: Reading) -> TensorflowRelease | None:
    """Make the row of a series; None when nothing of it can be installed."""
    before = None if reading.is_full else reading.previous.get((item.series, item.platform))
    chosen = _known_choice(index, item, before)
    if chosen is not None and before is not None and before.wheel_sha256 == chosen.offer.file.sha256:
        return _with_index_facts(index, item, chosen, reading, before)
    chosen = _choice(index, item)
    if chosen is None:
        return None
    kept = before if before is not None and before.package == NIGHTLY == item.package and before.sass else None
    with index.open(chosen.offer.file) as wheel:
        # Conditions are judged for the oldest Python: its floors are the lowest, ceilings are the same for all.
        facts = read_wheel_facts(wheel, item.platform, chosen.offer.pythons[0])
        code = read_wheel_code(wheel) if facts.is_cuda_build and kept is None else None
    row = _of_wheel(item, chosen, reading, facts, code)
    if kept is not None and facts.is_cuda_build:
        row = replace(
            row,
            sass=kept.sass,
            sass_partial=kept.sass_partial,
            ptx_compiler=kept.ptx_compiler,
            ptx_mlir=kept.ptx_mlir,
            code_from=kept.code_from or kept.newest,
        )
    if before is not None and before.newest == str(chosen.versions[-1]):
        row = replace(row, released_on=before.released_on)  # for an index that tells no days
    return _with_index_facts(index, item, chosen, reading, row)


def _with_patches(
    index: Index, item: Series, row: TensorflowRelease | None, reading: Reading
) -> TensorflowRelease | None:
    """Add the earlier patches of a build with CUDA; those of the others differ in nothing that counts."""
    if row is None or not row.is_cuda_build or row.package == NIGHTLY:
        return row
    before = None if reading.is_full else reading.previous.get((item.series, item.platform))
    return replace(row, patches=read_patches(index, item, row, before))


def _known_choice(index: Index, item: Series, before: TensorflowRelease | None) -> _Chosen | None:
    """Choose without opening a wheel, by what an earlier harvest found; None when that does not tell."""
    if before is None or before.wheel_sha256 is None or before.package != item.package:
        return None
    if before.provided_by is not None:
        chosen = _of_provider(index, item, before.provided_by)
        return chosen if chosen is not None and str(chosen.versions[-1]) == before.newest else None
    return _of_itself(item) if str(item.judged.version) == before.newest else None


def _choice(index: Index, item: Series) -> _Chosen | None:
    """Open the newest wheel: a stub is followed to the package that brings the code."""
    offer = item.judged
    with index.open(offer.file) as wheel:
        provider = read_wheel_facts(wheel, item.platform, offer.pythons[-1]).provider
    return _of_provider(index, item, provider[0]) if provider is not None else _of_itself(item)


def _of_itself(item: Series) -> _Chosen:
    judged = item.judged
    versions = tuple(offer.version for offer in item.offers if offer.version <= judged.version)
    return _Chosen(offer=judged, versions=versions)


def _of_provider(index: Index, item: Series, provider: str) -> _Chosen | None:
    """Give the newest patch that the provider has for a Python of the stub; the others cannot be installed."""
    theirs = {offer.version: offer for offer in offers_of(index.files(provider)) if offer.platform == item.platform}
    usable = tuple(offer for offer in item.offers if offer.version in theirs and _common(offer, theirs[offer.version]))
    if not usable:
        return None
    own = replace(item, offers=usable).judged
    brought = theirs[own.version]
    pythons = _common(own, brought)
    return _Chosen(
        offer=replace(brought, pythons=pythons, released_on=own.released_on),
        versions=tuple(offer.version for offer in usable if offer.version <= own.version),
        provider=provider,
    )


def _common(own: Offer, brought: Offer) -> tuple[str, ...]:
    """Give the Python series that both have a wheel for."""
    return tuple(python for python in own.pythons if python in brought.pythons)


def _of_wheel(
    item: Series, chosen: _Chosen, reading: Reading, facts: WheelFacts, code: WheelCode | None
) -> TensorflowRelease:
    """Put what one wheel tells into a row."""
    offer = chosen.offer
    return TensorflowRelease(
        series=item.series,
        platform=item.platform,
        package=item.package,
        provided_by=chosen.provider,
        versions=tuple(str(version) for version in chosen.versions),
        python=offer.pythons,
        glibc=glibc_of_tags(offer.file.platforms),
        is_cuda_build=facts.is_cuda_build,
        needs_avx=item.platform.endswith("x86_64"),  # every x86 wheel since 1.6
        cuda=facts.cuda,
        cudnn_min=_cudnn_min(facts),
        cudnn_below=_cudnn_below(facts),
        sass=code.sass if code else (),
        sass_partial=code.sass_partial if code else (),
        ptx_compiler=_ptx(code.ptx_compiler) if code else None,
        ptx_mlir=_ptx(code.ptx_mlir) if code else None,
        numpy=facts.numpy,
        keras=facts.keras,
        protobuf=facts.protobuf,
        and_cuda=dict(facts.and_cuda),
        wheel=offer.file.name,
        wheel_sha256=offer.file.sha256,
        source=(_source(item, chosen, is_cuda_build=facts.is_cuda_build),),
        checked_on=reading.checked_on,
        note=LocalText(en="", zh_cn=""),
    )


def _with_index_facts(
    index: Index, item: Series, chosen: _Chosen, reading: Reading, row: TensorflowRelease
) -> TensorflowRelease:
    """Add what the index and the remarks tell today; the rest of the row comes from the wheel."""
    versions = tuple(str(version) for version in chosen.versions)
    note = reading.notes.of_release(item.series, item.platform)
    source: tuple[FactSource, ...] = (_source(item, chosen, is_cuda_build=row.is_cuda_build),)
    cudnn_min = row.cudnn_min
    if note is not None and note.cudnn_min is not None and row.is_cuda_build and not row.and_cuda:
        cudnn_min, source = note.cudnn_min, (*source, *note.source)
    pins = dict(row.and_cuda)
    cudnn = next((name for name in pins if name.startswith("nvidia-cudnn-")), None)
    resolved = None
    if cudnn is not None:
        resolved = best_wheel(index.files(cudnn), pins[cudnn], chosen.offer.pythons[-1], item.platform)
    return replace(
        row,
        versions=versions,
        python=chosen.offer.pythons,
        released_on=chosen.offer.released_on or row.released_on,
        is_preview=item.is_preview,
        cudnn_min=cudnn_min,
        cudnn_resolved=str(resolved.version) if resolved is not None else None,
        and_cuda_python=installable_pythons(pins, chosen.offer.pythons, item.platform, index.files) if pins else (),
        note=note.note if note is not None else row.note,
        source=source,
        checked_on=reading.checked_on,
    )


def _cudnn_min(facts: WheelFacts) -> str | None:
    """Give the least cuDNN: of an exact pin the minor release, of a floor the floor, else what build_info tells."""
    bounds = next((text for name, text in facts.and_cuda.items() if name.startswith("nvidia-cudnn-")), None)
    least = least_version(bounds) if bounds else None
    if bounds is None or least is None:
        return facts.cudnn
    parts = least.split(".")[: 2 if "==" in bounds else 3]
    return ".".join(parts[:2] if parts[2:] == ["0"] else parts)


def _cudnn_below(facts: WheelFacts) -> str | None:
    major = (facts.cudnn or _cudnn_min(facts) or "").split(".")[0]
    return str(int(major) + 1) if major.isdigit() else None


def _ptx(code: PtxCode | None) -> PtxTarget | None:
    return PtxTarget(target=code.target, isa=code.isa) if code is not None and code.target is not None else None


def _source(item: Series, chosen: _Chosen, *, is_cuda_build: bool) -> FactSource:
    what = "build_info, METADATA and fat binaries" if is_cuda_build else "build_info and METADATA"
    package = chosen.provider or item.package
    version = chosen.versions[-1]
    address = _REPOSITORY
    if not version.is_devrelease:
        tag = f"v{version.base_version}" + (f"-rc{version.pre[1]}" if version.pre else "")
        address = f"{_REPOSITORY}/releases/tag/{tag}"
    return FactSource(title=f"{package} {version} wheel for {item.platform}: {what}", address=address)
