"""TensorFlow releases (``tensorflow_releases.toml``): what each wheel needs and what machine code it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.versions import release_series
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_newest, read_rows

TABLE = "tensorflow_releases"


@dataclass(frozen=True, kw_only=True)
class PtxTarget:
    """Intermediate code that the driver compiles for the card.

    Attributes:
        target: ``sm_90`` runs on 9.0 and later, ``sm_90a`` on exactly 9.0.
        isa: PTX ISA version, None when it was not read.
    """

    target: str
    isa: str | None = None


@dataclass(frozen=True, kw_only=True)
class PatchRelease:
    """What an earlier patch of a series declares otherwise than the newest; None and empty where it is the same.

    Attributes:
        and_cuda_python: As in the row; ``is_and_cuda_broken`` says that it is empty although there is an extra.
    """

    version: str
    released_on: str | None = None
    python: tuple[str, ...] = ()
    numpy: str | None = None
    keras: str | None = None
    protobuf: str | None = None
    and_cuda: Mapping[str, str] = field(default_factory=dict)
    and_cuda_python: tuple[str, ...] = ()
    is_and_cuda_broken: bool = False


@dataclass(frozen=True, kw_only=True)
class TensorflowRelease:
    """One series on one platform.

    Attributes:
        versions: Patch releases, oldest first; the last one is judged.
        platform: ``linux-x86_64``, ``linux-aarch64``, ``windows-x86_64``, ``macos-arm64``, ``macos-x86_64``.
        python: Python series with a wheel.
        glibc: Least C library, None elsewhere than on Linux.
        cuda: Version it was built with; None when it tells none.
        cudnn_min: Least cuDNN at run time; ``cudnn_below`` is the first that no longer fits.
        cudnn_resolved: cuDNN that pip brings today with the and-cuda extra; None without the extra.
        sass: Capabilities whose machine code every kernel has.
        sass_partial: Capabilities whose machine code only some kernels have.
        ptx_mlir: None when it was not read.
        and_cuda: Version bounds of the and-cuda extra by package.
        and_cuda_python: Python series for which every pin of the extra has a wheel today; empty without the extra.
        numpy: Version bounds as declared, None when there are none.
        package: What pip is asked for; ``tf-nightly`` for a nightly build.
        provided_by: Package that really brings the code where the wheel is a stub.
        wheel: File that was read, with ``wheel_sha256``.
        code_from: Version whose machine code was read when it is not that of the newest: nightly builds of a series.
        patches: Earlier patches that declare something else than the newest.
    """

    series: str
    platform: str
    versions: tuple[str, ...]
    python: tuple[str, ...]
    is_cuda_build: bool
    needs_avx: bool
    source: tuple[FactSource, ...]
    checked_on: str
    note: LocalText
    released_on: str | None = None
    is_preview: bool = False
    glibc: str | None = None
    cuda: str | None = None
    cudnn_min: str | None = None
    cudnn_below: str | None = None
    cudnn_resolved: str | None = None
    sass: tuple[str, ...] = ()
    sass_partial: tuple[str, ...] = ()
    ptx_compiler: PtxTarget | None = None
    ptx_mlir: PtxTarget | None = None
    numpy: str | None = None
    keras: str | None = None
    protobuf: str | None = None
    and_cuda: Mapping[str, str] = field(default_factory=dict)
    and_cuda_python: tuple[str, ...] = ()
    package: str = "tensorflow"
    provided_by: str | None = None
    wheel: str | None = None
    wheel_sha256: str | None = None
    code_from: str | None = None
    patches: tuple[PatchRelease, ...] = ()

    @property
    def newest(self) -> str:
        """The patch release that is judged."""
        return self.versions[-1]

    @property
    def cuda_major(self) -> str | None:
        """Major version of CUDA it runs with, None for a build without CUDA."""
        if self.cuda is not None:
            return self.cuda.split(".", 1)[0]
        return "12" if any(name.endswith("-cu12") for name in self.and_cuda) else None

    @property
    def has_and_cuda(self) -> bool:
        """Whether pip can bring the CUDA libraries along."""
        return bool(self.and_cuda)

    def of_patch(self, version: str) -> TensorflowRelease:
        """Give the row as an earlier patch declares it; the row itself where nothing differs.

        ``versions`` stays that of the series.
        """
        patch = next((item for item in self.patches if item.version == version), None)
        if patch is None:
            return self
        return replace(
            self,
            released_on=patch.released_on or self.released_on,
            python=patch.python or self.python,
            numpy=patch.numpy or self.numpy,
            keras=patch.keras or self.keras,
            protobuf=patch.protobuf or self.protobuf,
            and_cuda=patch.and_cuda or self.and_cuda,
            and_cuda_python=() if patch.is_and_cuda_broken else patch.and_cuda_python or self.and_cuda_python,
        )


def is_allowed(version: str, bounds: str | None) -> bool | None:
    """Tell whether a version lies within declared bounds; None when either is unreadable or there are none."""
    if bounds is None:
        return None
    try:
        return SpecifierSet(bounds.replace("dev", ".dev0"), prereleases=True).contains(Version(version))
    except (InvalidSpecifier, InvalidVersion):
        return None


def parse_releases(data: Mapping[str, JsonValue]) -> tuple[TensorflowRelease, ...]:
    """Turn the table into rows, oldest series first.

    Raises:
        UnusableFileError: A row cannot be used, or a series occurs twice for one platform.
    """
    rows = read_rows(TABLE, data, "release", TensorflowRelease)
    check_unique(TABLE, [f"{row.series} {row.platform}" for row in rows])
    for row in rows:
        if not row.versions or not row.python or (row.is_cuda_build and not (row.sass and row.ptx_compiler)):
            params = {"table": TABLE, "row": f"{row.series} {row.platform}", "problem": "incomplete"}
            raise UnusableFileError(Message("knowledge.row-unusable", params))
    return rows


@cache
def load_releases() -> tuple[TensorflowRelease, ...]:
    """Give every release of the table, oldest series first.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return read_newest(TABLE, parse_releases)


def releases_for(platform: str) -> tuple[TensorflowRelease, ...]:
    """Give the releases with a wheel for a platform, oldest first."""
    return tuple(row for row in load_releases() if row.platform == platform)


def find_release(version: str, platform: str) -> TensorflowRelease | None:
    """Give the row of ``2.21`` or ``2.21.0`` on a platform, None when the table does not hold it.

    Of an earlier patch it is the row as that patch declares it.
    """
    series = release_series(version)
    row = next((row for row in load_releases() if row.series == series and row.platform == platform), None)
    return row.of_patch(version) if row is not None else None
