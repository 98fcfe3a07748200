"""Which wheels are read: of each series and platform the newest patch, of its wheels that of the newest Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from packaging.version import Version

from gpuconfig_app.knowledge.harvest.package_index import IndexFile
from gpuconfig_app.knowledge.harvest.wheel_facts import platform_of_tags, python_of_tags

OLDEST = Version("2.10")


@dataclass(frozen=True, kw_only=True)
class Offer:
    """One version of a package on one platform.

    Attributes:
        pythons: Series with a wheel, oldest first.
        file: The wheel of the newest of them.
        released_on: First upload of this version on any platform, None when the index does not tell.
    """

    version: Version
    platform: str
    pythons: tuple[str, ...]
    file: IndexFile
    released_on: str | None


@dataclass(frozen=True, kw_only=True)
class Series:
    """All versions of one series on one platform, oldest first."""

    package: str
    series: str
    platform: str
    offers: tuple[Offer, ...]

    @property
    def judged(self) -> Offer:
        """The newest patch, or the newest preview where there is no patch yet."""
        stable = [offer for offer in self.offers if not offer.version.is_prerelease]
        return (stable or list(self.offers))[-1]

    @property
    def is_preview(self) -> bool:
        """Whether no stable release of this series exists."""
        return self.judged.version.is_prerelease


def series_text(version: Version) -> str:
    """Give ``2.21`` of a version."""
    return f"{version.major}.{version.minor}"


def offers_of(files: Iterable[IndexFile]) -> tuple[Offer, ...]:
    """Sort the wheels of a package by version and platform, oldest version first."""
    wheels: dict[tuple[Version, str], dict[str, IndexFile]] = {}
    dates: dict[Version, str] = {}
    for file in files:
        if file.uploaded_on is not None:
            dates[file.version] = min(file.uploaded_on, dates.get(file.version, file.uploaded_on))
        platform = platform_of_tags(file.platforms)
        python = python_of_tags(file.pythons, file.abis)
        if platform is not None and python is not None and not file.is_yanked:
            wheels.setdefault((file.version, platform), {})[python] = file
    made = []
    for (version, platform), by_python in wheels.items():
        pythons = tuple(sorted(by_python, key=Version))
        file = by_python[pythons[-1]]
        made.append(
            Offer(version=version, platform=platform, pythons=pythons, file=file, released_on=dates.get(version))
        )
    return tuple(sorted(made, key=lambda offer: (offer.version, offer.platform)))


def series_of(package: str, files: Iterable[IndexFile]) -> tuple[Series, ...]:
    """Give every series of a package from 2.10 on, sorted by series and platform."""
    groups: dict[tuple[str, str], list[Offer]] = {}
    for offer in offers_of(files):
        if Version(series_text(offer.version)) >= OLDEST:
            groups.setdefault((series_text(offer.version), offer.platform), []).append(offer)
    made = [
        Series(package=package, series=series, platform=platform, offers=tuple(offers))
        for (series, platform), offers in groups.items()
    ]
    return tuple(sorted(made, key=lambda item: (Version(item.series), item.platform)))


def newest_nightly(files: Iterable[IndexFile], package: str) -> tuple[Series, ...]:
    """Give the newest nightly build, alone, on each platform of its series."""
    every = series_of(package, files)
    newest = max((Version(item.series) for item in every), default=None)
    return tuple(
        Series(package=package, series=item.series, platform=item.platform, offers=item.offers[-1:])
        for item in every
        if Version(item.series) == newest
    )
