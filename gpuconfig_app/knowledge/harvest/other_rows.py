"""Makes the rows of the two smaller tables: cuDNN wheels, and the other packages around TensorFlow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from packaging.utils import canonicalize_name
from packaging.version import Version

from gpuconfig_app.core.messages import Message
from gpuconfig_app.knowledge.cuda_drivers import TABLE as CUDA_TABLE
from gpuconfig_app.knowledge.cuda_drivers import parse_cuda_table
from gpuconfig_app.knowledge.cudnn_wheels import CudnnRelease
from gpuconfig_app.knowledge.harvest.index import Index
from gpuconfig_app.knowledge.harvest.notes import PackageNote
from gpuconfig_app.knowledge.harvest.package_index import IndexFile
from gpuconfig_app.knowledge.harvest.pins import best_wheel
from gpuconfig_app.knowledge.harvest.remote_zip import read_text
from gpuconfig_app.knowledge.harvest.trouble import DownloadError, UnreadableWheelError
from gpuconfig_app.knowledge.harvest.wanted_wheels import offers_of
from gpuconfig_app.knowledge.harvest.wheel_code import any_capability, read_wheel_code
from gpuconfig_app.knowledge.harvest.wheel_facts import (
    applies,
    marker_values,
    platform_of_tags,
    python_of_tags,
    requirements_of,
)
from gpuconfig_app.knowledge.table import FactSource, read_table
from gpuconfig_app.knowledge.tensorflow_packages import TensorflowPackage
from gpuconfig_app.knowledge.tensorflow_releases import TensorflowRelease

_CUDNN_PLATFORM, _CUDNN_PYTHON = "linux-x86_64", "3.12"
_CUDNN_NOTES = "https://docs.nvidia.com/deeplearning/cudnn/backend/latest/release-notes.html"
# The libraries that every operation goes through; the far larger engines are picked among by them.
_ENTRY_LIBRARY = re.compile(r".*/libcudnn_(?:ops|cnn|adv)(?:_infer|_train)?\.so\.\d+")
_ENTRY_LIMIT_BYTES = 100 << 20
_TENSORFLOWS = frozenset({"tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tensorflow-macos", "tf-nightly"})


def wanted_cudnn(rows: Iterable[TensorflowRelease]) -> tuple[tuple[str, str], ...]:
    """Give the cuDNN wheels that pip takes today, as (package, version), and those to stay at for old cards."""
    wanted = {
        (f"nvidia-cudnn-cu{row.cuda_major}", row.cudnn_resolved)
        for row in rows
        if row.cudnn_resolved is not None and row.platform == _CUDNN_PLATFORM
    }
    newest = max((package for package, _ in wanted), default=None)
    if newest is not None:
        changes = parse_cuda_table(read_table(CUDA_TABLE)).cudnn_changes
        wanted |= {(newest, change.stay_at) for change in changes if change.stay_at is not None}
    return tuple(sorted(wanted, key=lambda item: (item[0], Version(item[1]))))


def read_cudnn(
    index: Index,
    wanted: Iterable[tuple[str, str]],
    previous: Mapping[tuple[str, str], CudnnRelease],
    checked_on: str,
    *,
    is_full: bool = False,
) -> tuple[tuple[CudnnRelease, ...], tuple[Message, ...]]:
    """Read the capabilities of each wheel; gives the rows and a warning for each that could not be used.

    Raises:
        JobCancelledError: The user ended it.
    """
    rows: list[CudnnRelease] = []
    warnings: list[Message] = []
    for package, version in wanted:
        index.tell(0.97, "harvest.reading-cudnn", package=package, version=version)
        before = previous.get((package, version))
        try:
            file = best_wheel(index.files(package), f"=={version}", _CUDNN_PYTHON, _CUDNN_PLATFORM)
            is_known = before is not None and file is not None and before.wheel_sha256 == file.sha256
            is_read = file is not None and (is_full or not is_known)
            row = _cudnn_row(index, file, package, version, checked_on) if file is not None and is_read else before
        except (UnreadableWheelError, DownloadError) as error:
            warnings.append(error.message)
            row = before
        rows += [row] if row is not None else []
    return tuple(rows), tuple(warnings)


def read_packages(
    index: Index, notes: Iterable[PackageNote], previous: Mapping[str, TensorflowPackage], checked_on: str
) -> tuple[tuple[TensorflowPackage, ...], tuple[Message, ...]]:
    """Read the state of each package; one that the index does not know keeps its row.

    Raises:
        JobCancelledError: The user ended it.
    """
    rows: list[TensorflowPackage] = []
    warnings: list[Message] = []
    for note in notes:
        index.tell(0.99, "harvest.reading-package", package=note.id)
        before = previous.get(note.id)
        try:
            files = index.files(note.id)
            row = _package_row(index, note, files, before, checked_on) if files else before
        except (UnreadableWheelError, DownloadError) as error:
            warnings.append(error.message)
            row = before
        rows += [row] if row is not None else []
    return tuple(sorted(rows, key=lambda row: row.id)), tuple(warnings)


def _cudnn_row(index: Index, file: IndexFile, package: str, version: str, checked_on: str) -> CudnnRelease | None:
    with index.open(file) as wheel:
        code = read_wheel_code(
            wheel, lambda name, packed: bool(_ENTRY_LIBRARY.fullmatch(name)) and packed <= _ENTRY_LIMIT_BYTES
        )
    if code is None:
        return None
    source = FactSource(title=f"{package} {version} wheel, entry libraries read", address=_CUDNN_NOTES)
    return CudnnRelease(
        package=package,
        version=version,
        capabilities=any_capability(code),
        ptx=code.ptx_compiler.target if code.ptx_compiler is not None else None,
        wheel=file.name,
        wheel_sha256=file.sha256,
        source=(source,),
        checked_on=checked_on,
    )


def _package_row(
    index: Index, note: PackageNote, files: tuple[IndexFile, ...], before: TensorflowPackage | None, checked_on: str
) -> TensorflowPackage:
    newest = max(files, key=lambda file: (not file.version.is_prerelease, file.version)).version
    newest_files = tuple(file for file in files if file.version == newest)
    offers = offers_of(newest_files)
    is_known = before is not None and before.version == str(newest)
    requires = before.requires if before is not None and is_known else _requires(index, newest_files)
    return TensorflowPackage(
        id=note.id,
        version=str(newest),
        released_on=min((file.uploaded_on for file in newest_files if file.uploaded_on), default=None),
        python=tuple(sorted({python for offer in offers for python in offer.pythons}, key=Version)),
        platforms=tuple(sorted({offer.platform for offer in offers})),
        requires=requires,
        state=note.state,
        source=note.source,
        checked_on=checked_on,
    )


def _requires(index: Index, files: tuple[IndexFile, ...]) -> tuple[str, ...]:
    """Give the TensorFlow packages that a release asks for, without those of extras."""
    wheels = [file for file in files if file.is_wheel]
    if not wheels:
        return ()
    file = min(wheels, key=_reading_order)
    with index.open(file) as wheel:
        metadata = next((item for item in wheel.members() if item.filename.endswith(".dist-info/METADATA")), None)
        needs = requirements_of(read_text(wheel, metadata)) if metadata is not None else ()
    platform = platform_of_tags(file.platforms) or _CUDNN_PLATFORM
    values = marker_values(platform, python_of_tags(file.pythons, file.abis) or _CUDNN_PYTHON)
    found = set()
    for need in needs:
        name = canonicalize_name(need.name)
        if name in _TENSORFLOWS and applies(need, values):
            found.add(f"{name}{need.specifier}" if str(need.specifier) else name)
    return tuple(sorted(found))


def _reading_order(file: IndexFile) -> tuple[Version, int, str]:
    """That of the newest Python first, then the smallest."""
    python = Version(python_of_tags(file.pythons, file.abis) or "0")
    return Version(f"{99 - python.major}.{999 - python.minor}"), file.size_bytes or 0, file.name
